"""enum and typing."""
import enum
import typing as t
from enum import Enum, Flag, IntEnum, IntFlag, auto, unique


class Colour(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()

    @classmethod
    def default(cls):
        return cls.GREEN


print(Colour.RED, repr(Colour.RED), Colour.RED.name, Colour.RED.value, Colour(2), Colour["GREEN"], list(Colour), len(Colour), Colour.CRIMSON is Colour.RED, Colour.RED.pretty, Colour.default(), Colour.RED == 1, Colour.RED in Colour, sorted(Colour.__members__), isinstance(Colour.RED, Colour), {Colour.RED: "r"}[Colour.CRIMSON], hash(Colour.RED) == hash(Colour.CRIMSON))
for bad in (lambda: Colour(9), lambda: Colour["BLUE"], lambda: Colour.RED < Colour.GREEN, lambda: setattr(Colour, "RED", 5), lambda: Colour.BLUE):
    try:
        bad()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        print(type(error).__name__)


class Planet(Enum):
    EARTH = (5.97e24, 6.37e6)
    MARS = (6.4e23, 3.4e6)

    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius

    @property
    def gravity(self):
        return round(6.674e-11 * self.mass / self.radius**2, 2)


print(Planet.EARTH.gravity, Planet.MARS.mass, Planet((6.4e23, 3.4e6)).name)


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


p = Perm.R | Perm.X
print(p.value, Perm.R in p, Perm.W in p, bool(p & Perm.W), (~p).value, (p ^ Perm.R), Perm.RW, Perm(3) is Perm.RW, Perm(0).value, [f.name for f in p], len(p), Perm.R.name)


class Level(IntEnum):
    LOW = 1
    HIGH = 10


class Bits(IntFlag):
    A = 1
    B = 2


print(Level.LOW + 1, Level.HIGH > 5, max(Level), f"{Level.LOW:d}", int(Level.HIGH), Bits.A | Bits.B == 3, (Bits.A | Bits.B).value, Bits(1) | 4 == 5, sorted([Level.HIGH, Level.LOW])[0].name, list(map(int, Level)))


class Auto(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last):
        return name.lower() + str(count)

    X = auto()
    Y = auto()


class Text(str, Enum):
    A = "alpha"

    def __str__(self):
        return self.value


Made = Enum("Made", "ONE TWO")
print(Auto.Y.value, Text.A == "alpha", str(Text.A), Text("alpha").upper(), list(Made), Made.TWO.value, enum.StrEnum("S", ["OK"]).OK + "!")
try:

    @unique
    class Dup(Enum):
        A = 1
        B = 1

except ValueError as error:
    print("duplicate" in str(error))


class Fallback(Enum):
    UNKNOWN = "?"

    @classmethod
    def _missing_(cls, value):
        return cls.UNKNOWN


print(Fallback("anything"))
T = t.TypeVar("T")


class Box(t.Generic[T]):
    def __init__(self, item: T):
        self.item = item


class Movie(t.TypedDict, total=False):
    title: str
    year: int


class Employee(t.NamedTuple):
    name: str
    id: int = 3

    def label(self):
        return f"{self.name}#{self.id}"


@t.runtime_checkable
class Closes(t.Protocol):
    def close(self): ...


class File:
    def close(self): ...


print(Box[int](5).item, Box[int].__origin__ is Box, Box.__parameters__, Movie(title="x"), Movie.__total__, sorted(Movie.__annotations__), Employee("a"), Employee("b", 4).label(), Employee._field_defaults, isinstance(File(), Closes), isinstance(5, Closes))
print(t.get_origin(list[int]) is list, t.get_args(dict[str, int]) == (str, int), t.get_args(t.Literal[1, "a"]), t.get_origin(t.Callable[[int], str]), t.get_args(t.Optional[int]) == (int, type(None)), list[int], dict[str, list[int]], tuple[int, ...], int | None, t.Any, (int | str) == (str | int), isinstance(5, int | str), t.List[int], t.Callable[[int], str], t.Literal["x"])


def hinted(a: int, b: "Box[str]" = None, *args: float, **kw: t.Any) -> t.Iterator[int]: ...


hints = t.get_type_hints(hinted)
print(hints["a"], hints["b"].__args__, hints["args"], sorted(hints))


@t.overload
def over(x: int) -> int: ...
@t.overload
def over(x: str) -> str: ...
def over(x):
    return x


UserId = t.NewType("UserId", int)
print(over(1), UserId(5) + 1, UserId.__name__, t.cast(str, 5), t.TYPE_CHECKING, t.Annotated[int, "meta"].__metadata__, t.final(File) is File, t.ClassVar[int].__args__, t.NoReturn, t.get_type_hints(Employee)["id"], t.Self, t.assert_type(1, int))
try:
    t.assert_never(1)
except AssertionError:
    print("assert_never")
try:
    isinstance([], list[int])
except TypeError as error:
    print("TypeError")
