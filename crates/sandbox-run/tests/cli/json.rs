//! `--json` and `--stream`: code runs as a cell.

use crate::binary::{Outcome, feed, run};
use serde_json::{Value, json};

fn result(outcome: &Outcome) -> Value {
    assert_eq!(outcome.text().lines().count(), 1, "{outcome:?}");
    serde_json::from_str(outcome.text()).unwrap()
}

#[test]
fn the_result_is_one_object() {
    let outcome = run(["--json", "-c", "print('hi')\n6 * 7"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(0), ""));
    let result = result(&outcome);
    assert_eq!(result["status"], json!({"kind": "ok"}));
    assert_eq!(result["value"], "42");
    assert_eq!(result["stdout"], json!({"text": "hi\n", "dropped": 0}));
    assert_eq!(result["stderr"], json!({"text": "", "dropped": 0}));
    assert_eq!(result["error"], Value::Null);
    assert_eq!(result["limit"], Value::Null);
    assert_eq!(result["state"], "kept");
    assert!(result["usage"]["wall_seconds"].is_f64(), "{result}");
}

#[test]
fn errors_and_limits_are_in_the_result_and_in_the_status() {
    let outcome = run(["--json", "-c", "1 / 0"]);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Some(1), ""));
    let error = &result(&outcome)["error"];
    assert_eq!(
        (&error["name"], &error["message"]),
        (&json!("ZeroDivisionError"), &json!("division by zero"))
    );

    let outcome = run(["--json", "--timeout", "200ms", "-c", "while True: pass"]);
    assert_eq!(outcome.status, Some(124));
    assert_eq!(result(&outcome)["limit"], "wall");
    assert_eq!(result(&outcome)["status"], json!({"kind": "limit_reached"}));

    let outcome = run(["--json", "-c", "import sys; sys.exit(3)"]);
    assert_eq!(outcome.status, Some(3));
    assert_eq!(
        result(&outcome)["status"],
        json!({"kind": "exited", "code": 3})
    );

    let outcome = run(["--json", "--max-output", "10", "-c", "print('x' * 100)"]);
    assert_eq!(outcome.status, Some(0));
    assert_eq!(
        result(&outcome)["stdout"],
        json!({"text": "x".repeat(10), "dropped": 91})
    );
    assert_eq!(result(&outcome)["limit"], "output");
}

#[test]
fn standard_input_and_arguments_are_there_too() {
    let outcome = feed(
        ["--json", "-c", "import sys; input(), sys.argv[1:]", "a"],
        b"line\n",
    );
    assert_eq!(result(&outcome)["value"], "('line', ['a'])");
}

fn events(outcome: &Outcome) -> Vec<Value> {
    outcome
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn events_come_one_a_line_and_the_result_last() {
    let code = "import sys\nprint('out')\nprint('err', file=sys.stderr)\nprint('é')\n6 * 7";
    let outcome = run(["--stream", "-c", code]);
    let events = events(&outcome);
    let (last, events) = events.split_last().unwrap();
    assert_eq!(last["event"], "result");
    assert_eq!(last["result"]["value"], "42");
    assert_eq!(
        events.last().unwrap(),
        &json!({"event": "value", "text": "42"})
    );
    let text = |name: &str| {
        let texts = events.iter().filter(|event| event["event"] == name);
        texts
            .map(|event| event["text"].as_str().unwrap())
            .collect::<String>()
    };
    assert_eq!(
        (text("stdout"), text("stderr")),
        ("out\né\n".to_owned(), "err\n".to_owned())
    );
    let first_error = events
        .iter()
        .position(|event| event["event"] == "stderr")
        .unwrap();
    assert!(
        events[..first_error]
            .iter()
            .any(|event| event["text"].as_str().unwrap().contains("out")),
        "{events:?}"
    );
}

#[test]
fn a_split_character_is_one_character() {
    let code =
        r"import os; os.write(1, b'\xc3'); os.write(1, b'\xa9\xff'); os.write(1, b'\xc3'); None";
    let text: String = events(&run(["--stream", "-c", code]))
        .iter()
        .filter(|event| event["event"] == "stdout")
        .map(|event| event["text"].as_str().unwrap())
        .collect();
    assert_eq!(text, "é\u{fffd}\u{fffd}");
}

#[test]
fn what_is_displayed_is_an_event_in_all_its_forms() {
    let code = "class X:\n    def _repr_html_(self): return '<b>x</b>'\n    def __repr__(self): return 'x'\ndisplay(X())";
    let events = events(&run(["--stream", "-c", code]));
    let display = events
        .iter()
        .find(|event| event["event"] == "display")
        .unwrap();
    assert!(display.to_string().contains("<b>x</b>"), "{display}");
    assert!(display.to_string().contains("text/html"), "{display}");
}
