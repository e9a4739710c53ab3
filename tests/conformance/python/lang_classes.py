"""Classes: attributes, properties, operators, inheritance, MRO and slots."""


class Vector:
    """A vector of the plane."""

    dimensions = 2
    __slots__ = ("x", "y")

    def __init__(self, x=0, y=0):
        self.x = x
        self.y = y

    def __repr__(self):
        return f"Vector({self.x!r}, {self.y!r})"

    def __add__(self, other):
        if not isinstance(other, Vector):
            return NotImplemented
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __bool__(self):
        return bool(self.x or self.y)

    def __iter__(self):
        yield from (self.x, self.y)

    def __getitem__(self, index):
        return (self.x, self.y)[index]

    def __matmul__(self, other):
        return self.x * other.x + self.y * other.y

    def __neg__(self):
        return self * -1

    def __format__(self, spec):
        return "(" + ", ".join(format(part, spec) for part in self) + ")"


a, b = Vector(3, 4), Vector(1, -1)
print(a + b, a * 2, 3 * b, a @ b, -a, abs(a), bool(Vector()), a == Vector(3, 4))
print(f"{a:.2f}", [*a], a[0], a[-1], len({a, Vector(3, 4), b}))
print(Vector.__doc__, Vector.dimensions, Vector.__name__, Vector.__mro__ == (Vector, object))
try:
    a.z = 1
except AttributeError as error:
    print("AttributeError", "z" in str(error))
try:
    a + 1
except TypeError as error:
    print(error)


class Celsius:
    def __init__(self, degrees):
        self.degrees = degrees

    @property
    def degrees(self):
        "The temperature."
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < -273.15:
            raise ValueError("below absolute zero")
        self._degrees = value

    @degrees.deleter
    def degrees(self):
        print("deleted")
        del self._degrees

    @classmethod
    def from_fahrenheit(cls, degrees):
        return cls((degrees - 32) * 5 / 9)

    @staticmethod
    def unit():
        return "°C"


t = Celsius.from_fahrenheit(212)
print(t.degrees, Celsius.unit(), Celsius.degrees.__doc__)
try:
    t.degrees = -300
except ValueError as error:
    print(error)
del t.degrees
print(hasattr(t, "degrees"), t.__dict__)


class A:
    def who(self):
        return ["A"]


class B(A):
    def who(self):
        return ["B", *super().who()]


class C(A):
    def who(self):
        return ["C", *super().who()]


class D(B, C):
    def who(self):
        return ["D", *super().who()]


print(D().who(), [c.__name__ for c in D.__mro__])
print(issubclass(D, A), isinstance(D(), (int, C)), A.__subclasses__() == [B, C])
try:
    type("Broken", (A, B), {})
except TypeError:
    print("no consistent order")


class Account:
    _next = 1

    def __init__(self):
        self.__number = Account._next
        Account._next += 1

    def number(self):
        return self.__number


accounts = [Account() for _ in range(3)]
print([x.number() for x in accounts], accounts[0].__dict__)


class Lazy:
    def __getattr__(self, name):
        if name.startswith("make_"):
            return lambda *args: (name[5:], args)
        raise AttributeError(name)

    def __setattr__(self, name, value):
        super().__setattr__(name, value * 2)

    def __delattr__(self, name):
        print("del", name)
        super().__delattr__(name)

    def __dir__(self):
        return ["b", "a"]


lazy = Lazy()
lazy.size = 21
print(lazy.make_box(1, 2), lazy.size, dir(lazy), getattr(lazy, "nothing", "default"))
del lazy.size


class Stack(list):
    def push(self, item):
        self.append(item)
        return self

    def __contains__(self, item):
        return any(item is x for x in self)

    def __len__(self):
        return super().__len__() * 10

    def __call__(self, *args, **kwargs):
        return args, kwargs


s = Stack().push(1).push([])
print(s, len(s), [] in s, s(1, key=2), isinstance(s, list))


class Base:
    registry = []

    def __init_subclass__(cls, /, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        Base.registry.append((cls.__name__, tag))

    def __class_getitem__(cls, item):
        return f"{cls.__name__}[{item}]"


class One(Base, tag="first"):
    pass


class Two(One):
    pass


print(Base.registry, Two["x"])
Point = type("Point", (), {"x": 1, "double": lambda self: self.x * 2})
print(Point().double(), Point.__qualname__)
