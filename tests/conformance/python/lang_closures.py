"""Functions: closures, nonlocal, defaults, argument kinds, recursion, introspection and annotations."""


def counter(start=0):
    count = start

    def increment(by=1):
        nonlocal count
        count += by
        return count

    def reset():
        nonlocal count
        count = start

    return increment, reset


inc, reset = counter(10)
print(inc(), inc(5), inc.__closure__[0].cell_contents, inc.__code__.co_freevars)
reset()
print(inc(), counter()[0]())
print([f(10) for f in [lambda x, n=n: x + n for n in range(3)]])


def arguments(a, b=2, /, c=3, *args, d, e=5, **kwargs):
    return a, b, c, args, d, e, kwargs


print(arguments(1, d=4), arguments(1, 2, 3, 4, 5, d=6, x=7), arguments(*"ab", **{"d": 0, "c": 9, "a": "kw"}))
for call in (
    lambda: arguments(), lambda: arguments(1), lambda: arguments(1, d=1, c=2, **{"c": 3}), lambda: (lambda: 0)(1), lambda: (lambda *, k: k)(), lambda: (lambda a, /: a)(a=1), lambda: (lambda a: a)(b=1), lambda: (lambda a, b: 0)(), lambda: (lambda a: 0)(1, a=2), lambda: print(**{"nope": 1}), lambda: len(), lambda: len(1, 2),
):
    try:
        print(call())
    except TypeError as error:
        print("TypeError")


def mutable(value, into=[]):
    into.append(value)
    return into


mutable(1)
print(mutable(2), mutable(3, []), mutable.__defaults__)


def make_adders():
    adders = []
    for i in range(3):

        def adder(x):
            return x + i

        adders.append(adder)
    return adders


print([f(0) for f in make_adders()])
x = "global"


def scopes():
    x = "enclosing"

    def local():
        x = "local"
        return x

    def enclosing():
        return x

    def module():
        global x
        x = "changed"
        return x

    return local(), enclosing(), module(), x


print(scopes(), x)


def unbound():
    try:
        print(x)
    except UnboundLocalError:
        print("unbound")
    x = 1


unbound()


class Scope:
    x = "class"
    method_sees = [x for _ in range(1)]

    def method(self):
        return x


print(Scope.method_sees, Scope().method())


def hanoi(n, source="a", target="c", spare="b"):
    return 0 if n == 0 else hanoi(n - 1, source, spare, target) + 1 + hanoi(n - 1, spare, target, source)


def ackermann(m, n):
    return n + 1 if m == 0 else ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


print(hanoi(10), ackermann(2, 3))


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


print(depth(150))


def annotated(a: int, b: "str" = "x", *c: float, d: list[int] = None) -> dict[str, int]:
    "Documented."
    return {}


print(annotated.__annotations__["b"], annotated.__annotations__["return"], annotated.__doc__, annotated.__kwdefaults__, annotated.__qualname__, annotated.__module__)
annotated.custom = 1
print(annotated.__dict__, annotated.__code__.co_varnames, annotated.__code__.co_argcount, annotated.__code__.co_name)


def compose(*functions):
    def composed(value):
        for function in reversed(functions):
            value = function(value)
        return value

    return composed


print(compose(str, lambda n: n + 1, abs)(-5), (lambda *a, **k: (a, k))(1, b=2))
fix = (lambda f: (lambda g: g(g))(lambda g: f(lambda n: g(g)(n))))(lambda self: lambda n: 1 if n == 0 else n * self(n - 1))
print(fix(20))
namespace = {"base": 10}
exec("def dynamic(n):\n    return base + n\nresult = dynamic(5)", namespace)
print(namespace["result"], eval("base * 2", namespace), eval("a + b", {}, {"a": 1, "b": 2}), eval(compile("6 * 7", "<text>", "eval")))
print(sorted(k for k in locals() if k in ("inc", "nope")), "inc" in globals(), callable(inc), callable(5))


def local_names(p, q=2):
    r = p + q
    return sorted(locals().items())


print(local_names(1), (lambda: (yield))().__class__.__name__)


def early(values):
    for v in values:
        if v < 0:
            return
    return "all positive"


print(early([1, -1]), early([1]), early.__name__, (lambda: 0).__name__)
try:
    exec("def f():\n    nonlocal missing")
except SyntaxError as error:
    print("SyntaxError", error.lineno)
for source in ("def f(a, a): pass", "f(a=1, a=2)", "def f(*, **k): pass", "return 1", "break", "x = yield = 1", "1 = x", "lambda: (yield x) = 1", "async def f(): pass\nawait f()", "def f(a=1, b): pass"):
    try:
        compile(source, "<s>", "exec")
        print("compiled", source)
    except SyntaxError:
        print("SyntaxError in", repr(source))
