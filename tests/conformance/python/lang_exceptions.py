"""Exceptions: handling, chaining, notes, groups, custom classes and tracebacks."""
import errno
import sys
import traceback

five, text = 5, "abc"

def classify(action):
    try:
        result = action()
    except (KeyError, IndexError) as error:
        return f"lookup {type(error).__name__} {error}"
    except ArithmeticError as error:
        return f"arithmetic {type(error).__name__}"
    except Exception as error:
        return f"other {type(error).__name__}: {error}"
    else:
        return f"fine {result}"
    finally:
        print("[finally]", end=" ")


for action in (
    lambda: {}["k"], lambda: [][3], lambda: 1 // 0, lambda: 2.0**5000, lambda: int("x"), lambda: "a" + 1, lambda: 5,
    lambda: undefined_name, lambda: None.attribute, lambda: (1).missing, lambda: [1, 2].remove(9), lambda: "é".encode("ascii"),
    lambda: b"\xff".decode(), lambda: float("1,5"), lambda: [].pop(), lambda: {}.popitem(), lambda: next(iter([])),
    lambda: len(5), lambda: int([]), lambda: (lambda x: x)(), lambda: [1] < ["a"], lambda: chr(-1), lambda: sum(["a"]),
    lambda: five(), lambda: five[0], lambda: iter(five), lambda: text["x"], lambda: [*five], lambda: 1.5 % 0,
    lambda: text * 2.5, lambda: "{".format(), lambda: __import__("no_such_module_here"), lambda: divmod(1, 0),
):
    try:
        print(classify(action))
    except BaseException as error:
        print("escaped", type(error))


class AppError(Exception):
    def __init__(self, code, message="unknown"):
        super().__init__(code, message)
        self.code = code

    def __str__(self):
        return f"[{self.code}] {self.args[1]}"


class NotFound(AppError):
    pass


try:
    raise NotFound(404, "page")
except AppError as error:
    print(error, repr(error), error.args, error.code, isinstance(error, NotFound))
try:
    try:
        {}["missing"]
    except KeyError as error:
        raise AppError(1) from error
except AppError as error:
    print(repr(error.__cause__), error.__context__ is error.__cause__, error.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("while handling")
except ValueError as error:
    print(repr(error.__context__), error.__cause__, error.__suppress_context__)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError("hidden context") from None
except ValueError as error:
    print(error.__suppress_context__, error.__context__ is not None)
error = ValueError("with notes")
error.add_note("first note")
error.add_note("second note\nover two lines")
print(error.__notes__, "".join(traceback.format_exception(error)).strip())
try:
    error.add_note(5)
except TypeError:
    print("a note is a string")


def nested():
    for i in range(3):
        try:
            if i == 0:
                continue
            if i == 1:
                raise RuntimeError(i)
            return i
        except RuntimeError as e:
            print("caught", e)
        finally:
            print("finally", i)


print(nested())


def override():
    try:
        raise ValueError("dropped")
    finally:
        return "finally wins"


print(override())
group = ExceptionGroup("many", [ValueError("v1"), TypeError("t1"), ExceptionGroup("inner", [ValueError("v2"), OSError("o1")])])
print(repr(group), group.message, len(group.exceptions))
matched, rest = group.split(ValueError)
print(repr(matched), repr(rest))
print(repr(group.subgroup(lambda e: "1" in str(e) and not isinstance(e, ExceptionGroup))), group.subgroup(KeyError))
try:
    raise group
except* ValueError as eg:
    print("values", [str(e) for e in eg.exceptions])
except* (TypeError, OSError) as eg:
    print("others", repr(eg))
try:
    try:
        raise ExceptionGroup("partial", [KeyError("k"), IndexError("i")])
    except* KeyError:
        print("key handled")
except ExceptionGroup as eg:
    print("left", repr(eg))
try:
    raise ValueError("single")
except* ValueError as eg:
    print("wrapped", type(eg).__name__, list(eg.exceptions))
try:
    ExceptionGroup("empty", [])
except ValueError:
    print("a group needs members")
print(isinstance(BaseExceptionGroup("b", [ValueError()]), ExceptionGroup))


def level(n):
    if n == 0:
        raise LookupError("deep")
    level(n - 1)


try:
    level(3)
except LookupError as error:
    frames = traceback.extract_tb(error.__traceback__)
    print([f.name for f in frames], frames[-1].line, traceback.format_exception_only(error))
    print(sys.exc_info()[0].__name__, error.with_traceback(None).__traceback__)
print(sys.exc_info())
try:
    raise KeyError
except KeyError as caught:
    kept = caught
try:
    caught
except NameError as error:
    print(error.name)
print(kept, repr(kept))
for bad in ("raise 5", "raise int", "try:\n  raise ValueError\nexcept 'x': pass"):
    try:
        exec(bad)
    except TypeError as error:
        print(error)
try:
    assert 1 == 2, "the message"
except AssertionError as error:
    print(error)
try:
    exec("if True\n  pass", {})
except SyntaxError as error:
    print(type(error).__name__, error.lineno, error.filename)
try:
    exec("if True:\npass", {})
except IndentationError as error:
    print(type(error).__name__, error.lineno, issubclass(IndentationError, SyntaxError))
try:
    sys.exit(3)
except SystemExit as stop:
    print("exit", stop.code)


def recurse():
    recurse()


try:
    recurse()
except RecursionError as error:
    print("RecursionError", "recursion" in str(error))
print(OSError(2, "No such file", "name.txt"), OSError(2, "x").errno, type(OSError(2, "x")).__name__)
try:
    open("/no/such/file")
except FileNotFoundError as error:
    print(error.errno == errno.ENOENT, error.strerror, error.filename)
print([c.__name__ for c in FileNotFoundError.__mro__])
