"""Dataclasses: fields, defaults, ordering, frozen, slots, inheritance and helpers."""
import dataclasses
from dataclasses import KW_ONLY, InitVar, asdict, astuple, dataclass, field, fields, make_dataclass, replace
from typing import ClassVar


@dataclass
class Item:
    name: str
    price: float = 1.5
    tags: list = field(default_factory=list)
    secret: str = field(default="hidden", repr=False, compare=False)
    count: ClassVar[int] = 0

    def total(self, amount=2):
        return self.price * amount


a, b = Item("pen"), Item("pen", secret="other")
a.tags.append("blue")
print(a, b, a == b, b == Item("pen"), a.total())
print([f.name for f in fields(Item)], Item.__match_args__, fields(a)[1].default)
print(asdict(a), astuple(b))
print(replace(a, price=3), a.tags is replace(a).tags)
try:
    Item()
except TypeError as error:
    print("missing" in str(error))


@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    label: str = field(default="", compare=False)


versions = [Version(1, 5), Version(1), Version(0, 9, "beta"), Version(2, 0)]
print(sorted(versions), max(versions))
print(Version(1, 2, "a") == Version(1, 2, "b"), hash(Version(1, 2, "a")) == hash(Version(1, 2, "b")))
try:
    versions[0].major = 9
except dataclasses.FrozenInstanceError as error:
    print(type(error).__name__, error)


@dataclass
class Rectangle:
    width: float
    height: float
    scale: InitVar[int] = 1
    area: float = field(init=False)

    def __post_init__(self, scale):
        self.width *= scale
        self.height *= scale
        self.area = self.width * self.height


print(Rectangle(2, 3), Rectangle(2, 3, scale=2).area)


@dataclass(slots=True)
class Slotted:
    x: int
    y: int = 0


s = Slotted(1)
print(s, Slotted.__slots__, hasattr(s, "__dict__"))
try:
    s.z = 1
except AttributeError:
    print("no new attributes")


@dataclass
class Base:
    id: int
    kind: str = "base"


@dataclass
class Derived(Base):
    kind: str = "derived"
    extra: int = 7
    _: KW_ONLY
    debug: bool = False


print(Derived(1), Derived(2, "k", 3, debug=True))
try:
    Derived(1, "k", 3, True)
except TypeError:
    print("keyword only")


@dataclass(kw_only=True, eq=False, repr=False)
class Plain:
    x: int = 1


print(Plain() == Plain(), Plain(x=4).x, repr(Plain()).startswith("<"))
try:

    @dataclass
    class Bad:
        values: list = []

except ValueError as error:
    print(str(error).split(":")[0])
try:

    @dataclass
    class Backwards:
        x: int = 1
        y: int

except TypeError as error:
    print("y" in str(error))


@dataclass(unsafe_hash=True)
class Hashed:
    a: int
    b: tuple = ()


print(len({Hashed(1), Hashed(1), Hashed(2)}))


@dataclass
class Node:
    value: int
    children: list["Node"] = field(default_factory=list)
    parent: "Node | None" = field(default=None, repr=False)


root = Node(1, [Node(2), Node(3, [Node(4)])])
print(root)
print(asdict(root)["children"][1]["children"][0])
ring = Node(1)
ring.children.append(ring)
print(ring)
Made = make_dataclass("Made", [("x", int), ("y", int, field(default=5))], namespace={"sum": lambda self: self.x + self.y})
print(Made(3), Made(3).sum(), dataclasses.is_dataclass(Made), dataclasses.is_dataclass(Made(1)), dataclasses.is_dataclass(3))


@dataclass
class Metadata:
    length: float = field(default=0.0, metadata={"unit": "m"})


print(fields(Metadata)[0].metadata["unit"], Metadata.__dataclass_params__.eq)
print(Version(1, 2) < Version(1, 3), Version(1).__lt__(3))
