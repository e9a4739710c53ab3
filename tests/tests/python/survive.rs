//! What code can do to its own interpreter, and that the session answers afterwards.

use sandbox_engine::{StateAfter, Status};
use sandbox_tests::{Python, describe, within};
use std::time::Duration;

/// Runs something nasty, then checks that the result tells the truth and that the session still works.
fn survives(code: &str) {
    let mut python = Python::with(&within(Duration::from_secs(2)));
    python.ok("earlier = [1, 2, 3]\nimport json\ndef check():\n    return json.loads(json.dumps({'sum': sum(earlier)}))['sum']");
    let result = python.run_checking_state(code);
    let after = python.run("print('out', end='')\ncheck()");
    assert_eq!(
        after.value.as_deref(),
        Some("6"),
        "after {code:?}, which ended with {}: {}",
        describe(&result),
        describe(&after)
    );
    assert_eq!(after.stdout.text(), "out", "after {code:?}");
}

#[test]
fn exits_end_the_cell_and_not_the_session() {
    let mut python = Python::new();
    for (code, status) in [
        ("import sys\nsys.exit()", 0),
        ("sys.exit(3)", 3),
        ("quit()", 0),
        ("exit(4)", 4),
        ("raise SystemExit(5)", 5),
        ("raise SystemExit", 0),
        ("sys.exit('message')", 1),
        ("sys.exit(-1)", -1),
        ("sys.exit(True)", 1),
    ] {
        let result = python.run(&format!("x = {status}\n{code}"));
        let Status::Exited { code: ended } = result.status else {
            panic!("{code}: {}", describe(&result))
        };
        assert_eq!(ended & 255, status & 255, "{code}");
        assert_eq!(result.state, StateAfter::Kept, "{code}");
        assert_eq!(python.value("x"), status.to_string(), "{code}");
    }
}

#[test]
fn ending_the_interpreter_is_undone() {
    for (code, status) in [("import os\nos._exit(0)", 0), ("import os\nos._exit(9)", 9)] {
        let mut python = Python::new();
        python.ok("x = 1");
        let result = python.run(&format!("x = 2\n{code}"));
        assert_eq!(
            (result.status, result.state),
            (Status::Exited { code: status }, StateAfter::RolledBack),
            "{}",
            describe(&result)
        );
        assert_eq!(python.value("x"), "1");
    }
    survives("import os\nos.abort()");
    survives("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)");
    survives("import faulthandler\nfaulthandler._sigsegv()");
}

#[test]
fn streams_can_be_lost() {
    for code in [
        "import sys\nsys.stdout = None",
        "import sys\nsys.stdout = sys.stderr = sys.stdin = None",
        "import os\nos.close(0)\nos.close(1)\nos.close(2)",
        "import os\nos.closerange(0, 50)",
        "import sys\nsys.stdout.close()\nsys.stderr.close()\nsys.stdin.close()",
        "import sys\ndel sys.stdout, sys.stderr, sys.stdin",
    ] {
        survives(code);
    }
}

#[test]
fn builtins_can_be_deleted() {
    for code in [
        "import builtins\nfor name in list(vars(builtins)):\n    if not name.startswith('_') and name not in ('print', 'sum', '__import__'): delattr(builtins, name)",
        "del __builtins__",
        "__builtins__ = None",
        "import builtins\nbuiltins.display = None",
        "import builtins\nbuiltins.KeyError = builtins.Exception = None\n1 / 0",
    ] {
        survives(code);
    }
    let mut python = Python::new();
    python.run("import builtins\ndel builtins.print, builtins.__import__");
    assert_eq!(python.value("6 * 7"), "42");
    // Replacing one is the code's right, and then it is replaced for good; what needs none goes on.
    python.run(
        "import builtins\nbuiltins.len = builtins.repr = builtins.str = builtins.isinstance = None",
    );
    assert_eq!(python.value("6 * 7"), "42", "with useless ones");
    python.run("import builtins\nvars(builtins).clear()");
    assert_eq!(python.value("6 * 7"), "42", "without any builtin");
}

#[test]
fn the_interpreters_own_modules_can_be_broken() {
    for code in [
        "import sys\nsys.modules.clear()",
        "import sys\nsys.path.clear()\nsys.meta_path.clear()\nsys.path_hooks.clear()\nimport json",
        "import sys\nsys.modules['traceback'] = sys.modules['linecache'] = None\n1 / 0",
        "import traceback, linecache\ntraceback.TracebackException = None\nlinecache.cache = None\n1 / 0",
        "import sys\nsys.excepthook = sys.displayhook = sys.unraisablehook = None\n1 / 0",
        "import sys\nsys.setrecursionlimit(5)",
        "import sys\nsys.settrace(lambda *a: 1 / 0)\nsys.setprofile(lambda *a: 1 / 0)",
        "import gc\ngc.disable()\ngc.set_threshold(1)",
        "import asyncio\nasyncio.run = asyncio.sleep = None",
        "globals().clear()\nearlier = [1, 2, 3]\nmarker = 'during'\ndef check(): return 6",
        "_ = __ = ___ = In = Out = None\n5",
        "del In, Out",
        "In.clear(); Out.clear()",
        "import os\nos.chdir('/tmp')\nos.environ.clear()",
        "import sys\nsys.stdout.write = sys.stdout.flush = None",
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)",
    ] {
        survives(code);
    }
}

#[test]
fn objects_that_fail_in_every_way_do_no_harm() {
    for code in [
        "class A:\n    def __repr__(self): 1 / 0\nA()",
        "class A:\n    def __repr__(self): return 5\nA()",
        "class A:\n    def __repr__(self): raise SystemExit(3)\nA()",
        "class A:\n    def _repr_html_(self): 1 / 0\nA()",
        "class A:\n    def _repr_html_(self): return 5\n    def __repr__(self): return 'a'\ndisplay(A())",
        "class A:\n    def _repr_mimebundle_(self, **k): return 5\nA()",
        "class A:\n    def __getattr__(self, name): raise BaseException(name)\nA()",
        "class A(Exception):\n    def __str__(self): raise A\nraise A",
        "class A(BaseException): pass\nraise A",
        "class M(type):\n    def __repr__(self): 1 / 0\n    __name__ = property(lambda self: 1 / 0)\nclass E(Exception, metaclass=M): pass\nraise E",
        "class A:\n    def __del__(self): raise ValueError\nA()\nimport gc\ngc.collect()",
        "e = ValueError()\ne.__cause__ = e\nraise e",
        "e = ValueError()\ne.__context__ = KeyError()\ne.__context__.__context__ = e\nraise e",
        "e = ValueError()\ne.__notes__ = 5\nraise e",
        "raise ExceptionGroup('g', [ExceptionGroup('g', [ValueError('x' * 1000)]) for _ in range(1000)])",
        "e = ValueError(0)\nfor i in range(20000):\n    n = ValueError(i)\n    n.__cause__ = e\n    e = n\nraise e",
        "def f():\n    yield\ng = f()\nnext(g)\nwhile 1:\n    g.throw(KeyboardInterrupt)",
        "raise KeyboardInterrupt",
        "raise GeneratorExit",
        "raise StopIteration",
        "raise MemoryError",
        "raise RecursionError",
    ] {
        survives(code);
    }
}

#[test]
fn huge_numbers_and_texts_do_no_harm() {
    for code in [
        "10 ** 100000",
        "x = 10 ** 5000\nprint(x)",
        "1 << 10 ** 6",
        "1 << 10 ** 10",
        "'%1000000000d' % 1",
        "f'{1:1000000000}'",
        "'x' * 10 ** 12",
        "[[]] * 10 ** 12",
        "int('9' * 100000)",
        "__import__('math').factorial(10 ** 6)",
        "b'' .join([b'x' * 10 ** 6] * 10 ** 6)",
        "list(range(10 ** 12))",
        "2 ** -10 ** 9",
        "float('1' * 400)",
        "'a' * (2 ** 63 - 1)",
        "range(10 ** 30)[10 ** 29]",
        "hash(10 ** 100000)",
        "complex(1e308, 1e308) ** 100",
        "bytes(10 ** 9)",
        "'x'.zfill(10 ** 9)",
        "'a b'.replace(' ', 'x' * 10 ** 9)",
        "'x'.ljust(2 ** 31)",
        "print('x' * 10 ** 7)",
        "'é' * 5000000",
    ] {
        survives(code);
    }
}

#[test]
fn source_of_any_kind_does_no_harm() {
    for code in [
        "\0",
        "x = '\0'",
        "\u{feff}x = 1",
        "\u{202e}x = 1",
        "é = 1",
        "x = '\u{1F600}'",
        "\r\n\r\nx = 1\r\n",
        "\x0c x = 1",
        "\\",
        "'",
        "'''",
        "(",
        ")",
        "\t x",
        "#",
        ";",
        "\u{0}\u{0}",
        "$",
        "?",
        "0777",
        "1_",
        "0x",
        "1e",
        "'\\N{nope}'",
        "'\\xZ'",
        "f'{'",
        "f'{a!z}'",
        "class",
        "def",
        "@",
        "%magic",
        "!ls",
        "\u{ffff}",
    ] {
        survives_source(code);
    }
    survives_source(&"x = 1\n".repeat(20_000));
    survives_source(&format!("x = '{}'", "a".repeat(3_000_000)));
    survives_source(&format!("x = [{}]", "1,".repeat(100_000)));
    survives_source(&format!(
        "f({})",
        (0..2000)
            .map(|n| format!("a{n}=1,"))
            .collect::<Vec<_>>()
            .concat()
    ));
}

fn survives_source(code: &str) {
    let mut python = Python::new();
    python.ok("x = 'before'");
    python.run(code);
    assert_eq!(
        python.value("6 * 7"),
        "42",
        "after {:?}",
        code.chars().take(40).collect::<String>()
    );
}

#[test]
fn threads_and_signals_that_do_not_exist_are_ordinary_errors() {
    for code in [
        "import threading\nt = threading.Thread(target=print)\nt.start()\nt.join()",
        "import _thread\n_thread.start_new_thread(print, ())",
        "import signal\nsignal.alarm(1)",
        "import multiprocessing\nmultiprocessing.Process(target=print).start()",
        "import concurrent.futures as c\nwith c.ThreadPoolExecutor() as e: list(e.map(str, [1]))",
        "import os\nos.fork()",
        "import mmap",
        "import resource",
    ] {
        survives(code);
    }
}
