"""functools and operator."""
import functools
import operator as op
from functools import cmp_to_key, partial, partialmethod, reduce

print(reduce(op.add, range(10)), reduce(op.mul, [1, 2, 3, 4], 10), reduce(lambda a, b: f"({a}{b})", "abcd"), reduce(op.or_, [{1}, {2}], set()))
try:
    reduce(op.add, [])
except TypeError as error:
    print("empty" in str(error))
power = partial(pow, 2)
print(power(10), partial(int, base=2)("1011"), partial(print, "a", sep="-").args, power.func is pow, partial(sorted, reverse=True)([1, 3, 2]))
nested = partial(partial(lambda *a, **k: (a, k), 1, x=1), 2, y=2)
print(nested(3, z=3), nested.args, nested.keywords)


class Cell:
    alive = False

    def set_state(self, state, note=""):
        self.alive = state
        return note

    set_alive = partialmethod(set_state, True, note="alive")


c = Cell()
print(c.set_alive(), c.alive)
print(sorted(["bb", "a", "ccc"], key=cmp_to_key(lambda x, y: len(y) - len(x))))
print(op.itemgetter(1)("abc"), op.itemgetter(0, 2)("abc"), op.itemgetter("k")({"k": 5}), op.itemgetter(slice(1, 3))("abcd"))


class O:
    pass


o = O()
o.a = O()
o.a.b = 42
o.name = "n"
print(op.attrgetter("a.b")(o), op.attrgetter("name", "a.b")(o), op.methodcaller("upper")("x"), op.methodcaller("replace", "a", "b")("aa"))
binary = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor", "lt", "le", "eq", "ne", "ge", "gt"]
print({name: getattr(op, name)(7, 2) for name in binary})
print(op.neg(5), op.pos(-5), op.invert(5), op.not_(0), op.truth([]), op.abs(-3), op.index(True), op.concat([1], [2]), op.contains("abc", "b"), op.countOf([1, 1, 2], 1), op.indexOf("abc", "c"), op.is_(None, None), op.length_hint(iter([1, 2])))
l = [1, 2, 3]
op.setitem(l, 0, 9)
op.delitem(l, 1)
print(l, op.getitem(l, 0), op.iadd(l, [4]), l, op.iadd(1, 2), op.matmul is op.__matmul__)


@functools.lru_cache(maxsize=None, typed=True)
def typed(x):
    return type(x).__name__


print(typed(1), typed(1.0), typed(True), typed.cache_info().currsize)


@functools.lru_cache
def grid(rows, columns):
    return 1 if rows == 0 or columns == 0 else grid(rows - 1, columns) + grid(rows, columns - 1)


print(grid(30, 30), grid.cache_info().misses)


@functools.lru_cache(3)
def bounded(n):
    bounded.computed.append(n)
    return n


bounded.computed = []
for n in [1, 2, 3, 1, 4, 2, 1, 5, 3]:
    bounded(n)
print(bounded.computed, bounded.cache_info())
try:
    bounded([])
except TypeError as error:
    print("unhashable" in str(error))


@functools.singledispatch
def kind(x):
    return "object"


kind.register(int, lambda x: "int")
kind.register(type(None), lambda x: "none")


@kind.register
def _(x: dict | set):
    return "dict or set"


@kind.register(float)
@kind.register(complex)
def _(x):
    return "inexact"


print([kind(x) for x in (1, True, None, {}, set(), 1.5, 2j, "s")])


@functools.wraps(kind, assigned=("__name__",), updated=())
def other():
    "kept doc"


print(other.__name__, other.__doc__, other.__wrapped__ is kind)
