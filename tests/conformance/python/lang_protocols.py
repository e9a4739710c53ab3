"""Protocols: iteration, containers, numbers, comparison, conversion, attribute access, copying and truth."""
import math
import operator


class Money:
    def __init__(self, cents):
        self.cents = cents

    def __repr__(self):
        return f"Money({self.cents})"

    def __add__(self, other):
        return Money(self.cents + (other.cents if isinstance(other, Money) else other))

    __radd__ = __add__

    def __iadd__(self, other):
        self.cents += other
        return self

    def __sub__(self, other):
        return NotImplemented

    def __rsub__(self, other):
        return f"{other} - {self}"

    def __divmod__(self, other):
        return divmod(self.cents, other)

    def __pow__(self, exponent, modulus=None):
        return pow(self.cents, exponent, modulus)

    def __rpow__(self, base):
        return base**self.cents

    def __index__(self):
        return self.cents

    __int__ = __index__

    def __float__(self):
        return self.cents / 100

    def __complex__(self):
        return complex(self.cents)

    def __round__(self, digits=None):
        return "rounded", digits

    def __trunc__(self):
        return "trunc"

    def __floor__(self):
        return "floor"

    def __ceil__(self):
        return "ceil"

    def __invert__(self):
        return "inverted"

    def __lshift__(self, other):
        return "shifted", other

    def __bytes__(self):
        return b"money"

    def __bool__(self):
        return self.cents != 0

    def __lt__(self, other):
        return self.cents < other.cents

    def __contains__(self, item):
        return item == "contained"

    def __reversed__(self):
        return iter("reversed")

    def __length_hint__(self):
        return 7

    def __dir__(self):
        return ["z", "a"]

    def __sizeof__(self):
        return 1

    def __enter__(self):
        return "entered"

    def __exit__(self, *details):
        print("left", details[0])
        return True


m = Money(250)
print(m + m, m + 5, 5 + m, sum([Money(1), Money(2)]), 10 - m, divmod(m, 100), m**2, pow(m, 2, 7), 2 ** Money(3))
m += 50
print(m, list(range(300))[Money(5)], "x" * Money(3), hex(m), bin(Money(5)), int(m), float(m), complex(m), round(m), round(m, 1), math.trunc(m), math.floor(m), math.ceil(m), ~m, m << 2, bytes(m))
print(bool(Money(0)), not m, Money(1) < Money(2), Money(1) > Money(2), sorted([Money(3), Money(1)]), "contained" in m, "x" in m, "".join(reversed(m)), operator.length_hint(m), dir(m))
with m as value:
    raise ValueError(value)
for expression in ("m - 1", "m * 2", "m / 2", "-m", "m @ m", "m <= m", "m[0]", "m()", "len(m)", "iter(m)", "m & 1", "abs(m)", "{m: 1}[m]", "m.x", "del_x", "await_"):
    try:
        print(expression, eval(expression))
    except (TypeError, AttributeError, NameError) as error:
        print(expression, type(error).__name__)


class Sequence:
    def __len__(self):
        return 3

    def __getitem__(self, index):
        if isinstance(index, slice):
            return "slice", index.indices(3)
        if index >= 3:
            raise IndexError
        return index * 10

    def __setitem__(self, index, value):
        print("set", index, value)

    def __delitem__(self, index):
        print("del", index)


s = Sequence()
s[1] = 5
s[1:2] = "x"
del s[0], s[::2]
print(list(s), 20 in s, list(reversed(s)), s[1:], s[::-1], bool(s), [*zip(s, s)], max(s), dict(enumerate(s)), *s)
a, *b = s
print(a, b, tuple(s), sum(s), sorted(s, reverse=True), any(s), list(map(str, s)))


class Attributes:
    known = "class"

    def __getattribute__(self, name):
        if name == "intercepted":
            return "always"
        return super().__getattribute__(name)

    def __getattr__(self, name):
        return f"missing {name}"


x = Attributes()
x.known = "instance"
print(x.known, Attributes.known, x.intercepted, x.other, hasattr(x, "anything"), getattr(x, "y"), vars(x))
del x.known
print(x.known, callable(x), callable(Attributes))


class Iterator:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration("done")
        self.n -= 1
        return self.n


print(list(Iterator(3)), [*Iterator(2)], next(Iterator(0), "default"), max(Iterator(4)), "".join(map(str, Iterator(3))), list(iter([3, 2, 0, 1].pop, 0)), dict(zip("abc", Iterator(3))))


class Equal:
    __hash__ = None

    def __eq__(self, other):
        return "yes"

    def __ne__(self, other):
        return "no"


print(Equal() == 1, 1 == Equal(), Equal() != 1, [Equal()] == [1], 5 in [Equal()], Equal() is None)
print(type(1)(5), type("", (), {})().__class__.__name__, isinstance(type, type), object().__eq__(1), (1).__add__("x"), int.__lt__(1, 2.5), [].__class__.__base__, bool.__mro__)
