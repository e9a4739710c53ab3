//! What stays from cell to cell, and what comes back after a run that had to be undone.

use sandbox_engine::{StateAfter, Status};
use sandbox_tests::{Python, describe, within};
use std::time::Duration;

/// Swallows the interrupt, so only a trap ends it.
const HOPELESS: &str =
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass";

fn impatient() -> Python {
    Python::with(&within(Duration::from_millis(150)))
}

/// Runs a cell that is undone.
fn undo(python: &mut Python, code: &str) {
    let result = python.run(&format!("{code}\n{HOPELESS}"));
    assert_eq!(
        (result.status, result.state),
        (Status::LimitReached, StateAfter::RolledBack),
        "{}",
        describe(&result)
    );
}

#[test]
fn everything_stays_from_cell_to_cell() {
    let mut python = Python::new();
    python.ok("import math as m\nfrom json import dumps\nx = [1]\ndef f(): return x\nclass A: y = 2\na = A()\na.z = lambda: 3");
    python.ok("x.append(2)\ng = (i * i for i in range(10))\nnext(g), next(g)");
    python.ok("f = open('file', 'w')\nf.write('half')");
    python.ok("f.write(' whole')\nf.close()");
    assert_eq!(
        python.value("x, m.floor(1.5), dumps(x), a.y, a.z(), next(g), open('file').read()"),
        "([1, 2], 1, '[1, 2]', 2, 3, 4, 'half whole')"
    );
    python.run("kept = 'before the error'\n1 / 0");
    assert_eq!(python.value("kept"), "'before the error'");
}

#[test]
fn the_last_values_have_names() {
    let mut python = Python::new();
    python.ok("10");
    python.ok("'twenty'");
    python.ok("None");
    assert_eq!(python.value("_, __"), "('twenty', 10)");
    assert_eq!(
        python.value("In[1], In[2], Out[1], Out[2], sorted(Out)"),
        "('10', \"'twenty'\", 10, 'twenty', [1, 2, 4])"
    );
    assert_eq!(python.ok("1").count, 6);
    python.ok("_ = 'mine'");
    python.ok("5");
    assert_eq!(
        python.value("_"),
        "'mine'",
        "a name that the code took stays its own"
    );
}

#[test]
fn a_run_that_is_undone_leaves_no_trace_in_variables() {
    let mut python = impatient();
    python.ok("import json\nx = [1, {'a': 2}]\ny = 'kept'\nclass A: pass\na = A()\na.b = 1");
    undo(
        &mut python,
        "x[1]['a'] = 99\nx.append(3)\ny = z = 5\na.b = 2\nA.c = 3\njson.loads = None\ndel A\nimport csv\nimport builtins\ndel builtins.len",
    );
    assert_eq!(
        python.value("x, y, a.b, hasattr(A, 'c'), json.loads('1'), 'z' in globals(), len(x)"),
        "([1, {'a': 2}], 'kept', 1, False, 1, False, 2)"
    );
}

#[test]
fn a_run_that_is_undone_leaves_no_trace_in_files() {
    let mut python = impatient();
    python.ok("import os\nos.makedirs('d/e')\nopen('kept', 'w').write('old')\nopen('d/e/deep', 'w').write('deep')\nopen('/tmp/scratch', 'w').write('s')");
    undo(
        &mut python,
        "import shutil\nopen('kept', 'w').write('new content')\nopen('new', 'w').write('x')\nshutil.rmtree('d')\nos.remove('/tmp/scratch')\nos.mkdir('folder')",
    );
    assert_eq!(python.value("sorted(os.listdir()), open('kept').read(), open('d/e/deep').read(), open('/tmp/scratch').read()"), "(['d', 'kept'], 'old', 'deep', 's')");
    undo(&mut python, "os.rename('kept', 'moved')\nos.chdir('d')");
    assert_eq!(
        python.value("os.getcwd(), os.path.exists('kept')"),
        "('/mnt/data', True)"
    );
}

#[test]
fn generators_and_coroutines_half_way_are_where_they_were() {
    let mut python = impatient();
    python.ok("def count():\n    n = 0\n    while True:\n        n += 1\n        received = yield n\n        if received: n = received\ng = count()\nnext(g), next(g)");
    python.ok("import itertools\ni = itertools.count(5)\nnext(i)\nit = iter({'a': 1, 'b': 2, 'c': 3})\nnext(it)");
    undo(
        &mut python,
        "next(g), g.send(100), next(i), next(it), next(it)",
    );
    assert_eq!(python.value("next(g), next(i), next(it)"), "(3, 6, 'b')");
}

#[test]
fn open_files_are_where_they_were() {
    let mut python = impatient();
    python.ok("w = open('w', 'w+')\nw.write('0123456789')\nw.flush()\nw.seek(4)\nr = open('w')\nr.read(2)");
    undo(
        &mut python,
        "w.read()\nw.write('more')\nw.close()\nr.close()\nextra = [open(f'x{n}', 'w') for n in range(5)]",
    );
    assert_eq!(
        python.value("w.read(2), w.closed, r.read(3), r.closed"),
        "('45', False, '234', False)"
    );
}

#[test]
fn random_numbers_go_on_where_they_were() {
    let mut python = impatient();
    python.ok("import random\nrandom.seed(1)\nrandom.random()\nstate = random.getstate()");
    undo(&mut python, "[random.random() for _ in range(100)]");
    assert_eq!(python.value("random.getstate() == state"), "True");
    let mut python = impatient();
    python.ok("import random, uuid, time, os\na = random.random(), uuid.uuid4(), os.urandom(8), time.time()\nb = random.random()");
    python.ok("c = repr((a, b))");
    undo(&mut python, "a = b = None");
    assert_eq!(
        python.value("repr((a, b)) == c"),
        "True",
        "what was random before is what it was"
    );
}

#[test]
fn a_session_can_be_undone_again_and_again() {
    let mut python = impatient();
    python.ok("log = []");
    for round in 0..6 {
        python.ok(&format!(
            "log.append({round})\nopen('log', 'a').write('{round}')"
        ));
        undo(&mut python, "log.append('x')\nopen('log', 'a').write('x')");
    }
    assert_eq!(
        python.value("log, open('log').read()"),
        "([0, 1, 2, 3, 4, 5], '012345')"
    );
}

#[test]
fn a_large_state_comes_back() {
    let mut python = impatient();
    for _ in 0..20 {
        python
            .ok("rows = globals().get('rows', []) + [{'n': n, 's': str(n)} for n in range(2000)]");
    }
    undo(&mut python, "rows.clear()");
    assert_eq!(
        python.value("len(rows), sum(r['n'] for r in rows), rows[-1]"),
        "(40000, 39980000, {'n': 1999, 's': '1999'})"
    );
}

#[test]
fn a_state_after_a_caught_interrupt_comes_back_too() {
    let mut python = impatient();
    python.run("n = 0\ntry:\n    while True: n += 1\nexcept KeyboardInterrupt: pass");
    let n = python.value("n");
    undo(&mut python, "n = -1");
    assert_eq!(python.value("n"), n);
}

#[test]
fn the_first_cell_can_be_undone() {
    let mut python = impatient();
    undo(&mut python, "x = 1\nopen('f', 'w').write('1')");
    assert_eq!(
        python.value("import os\n'x' in globals(), os.listdir()"),
        "(False, [])"
    );
}

#[test]
fn reset_begins_anew() {
    let mut python = Python::new();
    python.ok("x = 1\nopen('file', 'w').write('1')");
    python
        .session
        .reset()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        python.value("import os\n'x' in globals(), os.listdir(), len(In)"),
        "(False, [], 2)"
    );
}

#[test]
fn files_go_in_and_out() {
    let mut python = Python::new();
    let session = &mut python.session;
    session
        .put("in/data.txt", b"from outside")
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(session.put("../../etc/x", b"").is_err() && session.get("missing").is_err());
    assert_eq!(python.value("open('in/data.txt').read()"), "'from outside'");
    python.ok("open('out.bin', 'wb').write(bytes(range(5)))");
    let session = &mut python.session;
    assert_eq!(
        session
            .get("/mnt/data/out.bin")
            .unwrap_or_else(|error| panic!("{error}")),
        [0, 1, 2, 3, 4]
    );
    let list = session.list(".").unwrap_or_else(|error| panic!("{error}"));
    let paths: Vec<_> = list.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        ["/mnt/data/in", "/mnt/data/in/data.txt", "/mnt/data/out.bin"]
    );
    session
        .remove("in")
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(python.value("import os\nos.listdir()"), "['out.bin']");
}
