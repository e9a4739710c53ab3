//! Tracebacks are those of Python's `traceback` module, whoever writes them.
//!
//! The guest writes the common kinds itself, because the module is slow. Here both write the same ones.

use sandbox_tests::Python;

/// Programs that fail, each in its own way.
const FAILING: &[&str] = &[
    "1 / 0",
    "x = 1\ny = (x + 2) / (x - 1)\n",
    "x = 1\nx + 1 / 0 + 2",
    "print(  1//0, 5 )  # why",
    "a = [1]\nb = a[7]",
    "a = [1]\nb = a[0] + a[ 3 ] * 2",
    "{'a': {'b': 1}}['a']['c']",
    "def f(n):\n    return g(n)\n\ndef g(n):\n    value = h(n)\n    return value\n\ndef h(n):\n\treturn int('x' * n)\n\nf(3)",
    "def f(*args):\n    raise ValueError('no good', 2)\nf(1,\n  2)",
    "total = (1 +\n         2 / 0)",
    "raise RuntimeError",
    "raise RuntimeError('')",
    "raise RuntimeError('several\\nlines')",
    "class Odd(Exception):\n    def __str__(self):\n        raise ValueError\nraise Odd",
    "class Named(Exception): pass\nraise Named('own class')",
    "import json\njson.loads('{')",
    "import decimal\ndecimal.Decimal('x')",
    "raise KeyError('key')",
    "raise ValueError('x') from None",
    "raise ValueError('x') from KeyError('y')",
    "try:\n    1 / 0\nexcept ZeroDivisionError:\n    raise ValueError('x') from None",
    "try:\n    1 / 0\nexcept ZeroDivisionError:\n    [][1]",
    "error = ValueError('with notes')\nerror.add_note('one')\nerror.add_note('two\\nlines')\nraise error",
    "error = ValueError('odd notes')\nerror.__notes__ = [1]\nraise error",
    "error = ValueError('many notes')\nerror.__notes__ = ['same'] * 9\nraise error",
    "assert 1 + 1 == 3, 'sums'",
    "assert (1 + 1\n        == 3)",
    "x = 'schön' + 'größer'; y = 1 / 0",
    "undefined_name",
    "import math\nmath.sqroot(2)",
    "import maths",
    "from json import lods",
    "'abc'.uper()",
    "x = 5\nx()",
    "x = 5\nx.y = 3",
    "f = lambda v: v / 0\nf(1)",
    "[n / 0 for n in range(3)]",
    "sum(1 / n for n in (1, 0))",
    "{k: v for k, v in [(1, 2, 3)]}",
    "a, b = 1, 2, 3",
    "for n in 5: pass",
    "with open('nowhere') as file:\n    pass",
    "if True: 1 / 0",
    "x = 1; y = x / 0; z = 2",
    "x = -  None",
    "x = not_here = 1 @ 2",
    "x = 1 if 1 / 0 else 2",
    "x = f'{1 / 0}'",
    "x = (y := 1 / 0)",
    "x = 1 \\\n  / 0",
    "x = 3\nx **= 'a'",
    "x = 3\nx  <<  'a'",
    "x = (3) +((('a')))",
    "x = {}\nx['a']['b']['c']",
    "x = [0]\nx[0](1)(2)",
    "def deep(n):\n    return deep(n - 1) if n else 1 / 0\ndeep(30)",
    "def generator():\n    yield 1\n    raise OSError(2, 'No such thing', 'name')\nlist(generator())",
    "class C:\n    def __init__(self):\n        self.x = self.y\nC()",
    "class C:\n    @property\n    def p(self): return 1 / 0\nC().p",
    "def decorate(f): raise TypeError('not here')\n@decorate\ndef f(): pass",
    "raise ExceptionGroup('group', [ValueError(1), KeyError(2)])",
    "raise KeyboardInterrupt",
    "raise StopIteration(3)",
    "next(iter(()))",
    "del nothing",
    "global_function = int\nglobal_function('12x')\n",
    "   \n\n\nint(\n)\nint('a')",
    "exec('1 / 0')",
    "exec(compile('x = 1\\n1 / 0', 'elsewhere.py', 'exec'))",
    "import sys\nsys.tracebacklimit = 1\ndef f(): 1 / 0\nf()",
    "import asyncio\nasync def f(): 1 / 0\nawait f()",
    "async def f(): 1 / 0\nimport asyncio\nasyncio.run(f())",
    "match 1:\n    case 1: int('z')",
    "x = 'a\\x0cb'; 1 / 0",
    "def f(a, /, *, b): pass\nf(1, 2)",
    "max(1, key=2)",
    "print(*1)",
    "x = [*range(3), *5]",
    "(lambda: (yield))().throw(ValueError('in'))",
];

#[test]
fn tracebacks_are_those_of_the_library() {
    let mut wrong = Vec::new();
    for (number, code) in FAILING.iter().enumerate() {
        let mut python = Python::new();
        let error = python
            .run(code)
            .error
            .unwrap_or_else(|| panic!("{code:?} did not fail"));
        let library = format!(
            "import _sandbox_errors as _e, ast as _a, inspect as _i\n\
             def _by_library():\n    \
                 code = compile({code:?}, '<cell 1>', 'exec', _a.PyCF_ALLOW_TOP_LEVEL_AWAIT)\n    \
                 try:\n        \
                     result = eval(code, globals())\n        \
                     if _i.iscoroutine(result): result.send(None)\n    \
                 except BaseException as error:\n        \
                     return _e.render(error, '<cell 1>')\n\
             print(_by_library(), end='')"
        );
        let result = python.ok(&library);
        let expected = result.stdout.text();
        if error.traceback != expected {
            wrong.push(format!(
                "{number}: {code}\n--- ours\n{}--- the library's\n{expected}",
                error.traceback
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
