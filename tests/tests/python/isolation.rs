//! Sessions do not see each other, and thousands of them share a few threads.

use sandbox_engine::{Language, Limit, Policy, StateAfter, Status};
use sandbox_tests::{Python, describe, engine, policy, within};
use std::collections::HashSet;
use std::thread;
use std::time::{Duration, Instant};

fn two_threads() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    runtime.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn variables_modules_and_files_are_a_sessions_own() {
    let (mut one, mut two) = (Python::new(), Python::new());
    one.ok("import json, builtins, os\nsecret = 1\njson.secret = 2\nbuiltins.secret_too = 3\nos.environ['SECRET'] = '4'\nopen('file', 'w').write('5')\nopen('/tmp/file', 'w').write('6')\nint.__doc__");
    assert_eq!(two.error("secret").0, "NameError");
    assert_eq!(two.error("secret_too").0, "NameError");
    assert_eq!(two.error("import json\njson.secret").0, "AttributeError");
    assert_eq!(
        two.value("import os\n(os.environ.get('SECRET'), os.listdir(), os.listdir('/tmp'))"),
        "(None, [], [])"
    );
    assert_eq!(
        one.value("secret, json.secret, secret_too, open('file').read()"),
        "(1, 2, 3, '5')"
    );
}

#[test]
fn environments_are_those_of_the_policies() {
    let named =
        |name: &str| policy(|policy| drop(policy.env.insert("WHO".to_owned(), name.to_owned())));
    let (mut one, mut two) = (Python::with(&named("one")), Python::with(&named("two")));
    let code = "import os\nos.environ['WHO']";
    assert_eq!(
        (one.value(code), two.value(code)),
        ("'one'".to_owned(), "'two'".to_owned())
    );
    assert_eq!(
        Python::new().value("import os\ndict(os.environ)"),
        "{}",
        "nothing of the host's environment is passed on"
    );
}

#[test]
fn the_host_is_out_of_reach() {
    let mut python = Python::new();
    for path in [
        "/etc/passwd",
        "/proc/self/environ",
        "../../../../etc/passwd",
        "/mnt/data/../../etc/hostname",
        "/home",
        "/dev/mem",
        "/root/.ssh",
    ] {
        let (name, _) = python.error(&format!("open({path:?}).read()"));
        assert!(
            [
                "FileNotFoundError",
                "PermissionError",
                "IsADirectoryError",
                "NotADirectoryError"
            ]
            .contains(&name.as_str()),
            "{path}: {name}"
        );
    }
    let seen = python.value("import os\nsorted(os.listdir('/'))");
    assert!(
        !seen.contains("etc") && !seen.contains("home") && !seen.contains("proc"),
        "{seen}"
    );
    for code in [
        "import subprocess\nsubprocess.run(['ls'])",
        "import os\nos.system('ls')",
        "import socket\nsocket.create_connection(('127.0.0.1', 80))",
        "import os\nos.fork()",
        "import urllib.request\nurllib.request.urlopen('http://127.0.0.1')",
        "import ctypes\nctypes.CDLL('libc.so.6')",
    ] {
        let result = python.run(code);
        assert_eq!(
            result.status,
            Status::Error,
            "{code}: {}",
            describe(&result)
        );
    }
}

#[test]
fn links_do_not_lead_out() {
    let mut python = Python::new();
    for code in [
        "os.symlink('/etc/passwd', 'link')\nopen('link').read()",
        "os.symlink('../../../..', 'up')\nopen('up/etc/passwd').read()",
        "os.link('/etc/passwd', 'hard')",
    ] {
        let result = python.run(&format!("import os\n{code}"));
        assert_eq!(
            result.status,
            Status::Error,
            "{code}: {}",
            describe(&result)
        );
    }
}

#[test]
fn sixty_four_sessions_run_at_once() {
    let runtime = two_threads();
    let results = runtime.block_on(async {
        let tasks: Vec<_> = (0..64)
            .map(|number| {
                tokio::spawn(async move {
                    let mut session = engine().session(Language::Python, &Policy::default())?;
                    session
                        .run(&format!(
                            "mine = {number}\nimport random\ntoken = random.random()"
                        ))
                        .await?;
                    session
                        .run("total = sum(range(20000))\nopen('mine', 'w').write(str(mine))")
                        .await?;
                    session.run("mine, total, open('mine').read(), token").await
                })
            })
            .collect();
        let mut results = Vec::new();
        for task in tasks {
            results.push(task.await);
        }
        results
    });
    let mut tokens = HashSet::new();
    for (number, result) in results.into_iter().enumerate() {
        let result = result
            .unwrap_or_else(|error| panic!("{error}"))
            .unwrap_or_else(|error| panic!("{error}"));
        let value = result
            .value
            .clone()
            .unwrap_or_else(|| panic!("{}", describe(&result)));
        assert!(
            value.starts_with(&format!("({number}, 199990000, '{number}', ")),
            "{value}"
        );
        tokens.insert(value.rsplit(' ').next().map(str::to_owned));
    }
    assert_eq!(tokens.len(), 64, "each session has entropy of its own");
}

#[test]
fn endless_loops_do_not_keep_others_from_running() {
    let runtime = two_threads();
    runtime.block_on(async {
        let loops: Vec<_> = (0..8)
            .map(|_| {
                tokio::spawn(async {
                    let mut session =
                        engine().session(Language::Python, &within(Duration::from_secs(1)))?;
                    session.run("while True: pass").await
                })
            })
            .collect();
        let start = Instant::now();
        let mut session = Python::new().session;
        let result = session
            .run("6 * 7")
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(result.value.as_deref(), Some("42"));
        assert!(
            start.elapsed() < Duration::from_millis(900),
            "it waited for the loops: {:?}",
            start.elapsed()
        );
        for task in loops {
            let result = task
                .await
                .unwrap_or_else(|error| panic!("{error}"))
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(result.limit, Some(Limit::Wall), "{}", describe(&result));
        }
    });
}

#[test]
fn dropping_a_running_call_stops_it_and_the_session_answers_with_its_earlier_state() {
    let runtime = two_threads();
    runtime.block_on(async {
        let mut session = Python::new().session;
        let result = session
            .run("x = 'earlier'\nopen('f', 'w').write('earlier')")
            .await;
        assert!(result.is_ok_and(|result| result.is_ok()));
        for code in [
            "x = 'later'\nopen('f', 'w').write('later')\nwhile True: pass",
            "x = 'later'\nimport time\ntime.sleep(60)",
        ] {
            let start = Instant::now();
            let dropped = tokio::time::timeout(Duration::from_millis(200), session.run(code)).await;
            assert!(dropped.is_err(), "it ended by itself");
            assert!(start.elapsed() < Duration::from_secs(5));
            let result = session
                .run("x, open('f').read()")
                .await
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(
                result.value.as_deref(),
                Some("('earlier', 'earlier')"),
                "{}",
                describe(&result)
            );
        }
    });
}

#[test]
fn another_thread_interrupts_a_running_cell() {
    let mut python = Python::new();
    let handle = python.session.interrupt_handle();
    for code in [
        "n = 0\nwhile True: n += 1",
        "n = 1\nimport time\ntime.sleep(60)",
    ] {
        let interrupter = {
            let handle = handle.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(200));
                handle.interrupt();
            })
        };
        let start = Instant::now();
        let result = python.run_checking_state(code);
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(
            (result.status, result.state, result.limit),
            (Status::Interrupted, StateAfter::Kept, None),
            "{}",
            describe(&result)
        );
        assert!(
            result
                .error
                .is_some_and(|error| error.name == "KeyboardInterrupt")
        );
        interrupter
            .join()
            .unwrap_or_else(|_| panic!("the interrupting thread failed"));
        assert!(python.value("n").parse::<u64>().is_ok());
    }
}

#[test]
fn an_interrupt_while_nothing_runs_is_forgotten() {
    let mut python = Python::new();
    python.session.interrupt_handle().interrupt();
    assert_eq!(python.value("sum(range(100000))"), "4999950000");
}

#[test]
fn sessions_move_between_threads() {
    let mut python = Python::new();
    python.ok("x = 1");
    let mut python = thread::spawn(move || {
        python.ok("x += 1");
        python
    })
    .join()
    .unwrap_or_else(|_| panic!("the thread failed"));
    assert_eq!(python.value("x"), "2");
}
