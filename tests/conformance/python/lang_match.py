"""Structural pattern matching."""
from dataclasses import dataclass
from enum import Enum


@dataclass
class Point:
    x: int
    y: int


class Colour(Enum):
    RED = 1
    BLUE = 2


def describe(subject):
    match subject:
        case None | True | False:
            return f"singleton {subject}"
        case Colour.RED:
            return "the colour red"
        case Colour():
            return f"another colour: {subject.name}"
        case 0:
            return "zero"
        case -1 | 3.5 | 1 + 2j:
            return "a listed number"
        case int(n) if n > 1000:
            return f"large {n}"
        case int() | float():
            return f"number {subject}"
        case "":
            return "empty text"
        case str(text):
            return f"text of {len(text)}"
        case b"raw":
            return "bytes"
        case []:
            return "empty sequence"
        case [single]:
            return f"one item: {single!r}"
        case ["go", ("north" | "south") as direction]:
            return f"going {direction}"
        case ["take", *things]:
            return f"taking {things}"
        case [first, *_, last] if first == last:
            return f"bounded by {first!r}"
        case [[a, b], {"k": [c, *_]}]:
            return f"nested {a} {b} {c}"
        case (a, b, *rest):
            return f"sequence {a!r} {b!r} +{len(rest)}"
        case {"type": "circle", "radius": r}:
            return f"circle {r}"
        case {"type": kind, **rest} if rest:
            return f"{kind} with {sorted(rest)}"
        case {"type": kind}:
            return f"bare {kind}"
        case {}:
            return f"mapping of {len(subject)}"
        case Point(0, 0):
            return "origin"
        case Point(x=0, y=y):
            return f"on the y axis at {y}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point():
            return f"somewhere {subject}"
        case _:
            return f"other {type(subject).__name__}"


for subject in [
    None, True, Colour.RED, Colour.BLUE, 0, -1, 3.5, 1 + 2j, 5000, 7, 2.25, "", "hello", b"raw", b"x",
    [], [1], ("go", "north"), ("go", "up"), ["take", "lamp", "key"], [1, 2, 1], [[1, 2], {"k": [3, 4], "z": 0}],
    (1, 2, 3, 4), {"type": "circle", "radius": 2}, {"type": "square", "side": 1, "id": 2}, {"type": "dot"},
    {}, {"a": 1}, Point(0, 0), Point(0, 5), Point(4, 4), Point(1, 2), {1, 2}, range(0), iter([]),
]:
    print(describe(subject))


def http(status):
    match status:
        case 200 | 201 | 204:
            result = "ok"
        case 400:
            result = "bad"
        case code if 500 <= code < 600:
            result = "server"
    return result


print(http(201), http(400), http(503))
try:
    http(302)
except UnboundLocalError:
    print("nothing matched, nothing bound")


class Pair:
    __match_args__ = ("left", "right")

    def __init__(self, left, right):
        self.left, self.right = left, right


def depth(tree):
    match tree:
        case Pair(left, right):
            return 1 + max(depth(left), depth(right))
        case _:
            return 0


print(depth(Pair(Pair(1, Pair(2, 3)), 4)))
match [1, 2, 3]:
    case [x, y] | [x, y, _]:
        print("captured", x, y)
try:
    match Pair(1, 2):
        case Pair(1, 2, 3):
            pass
except TypeError:
    print("too many positional patterns")
match = {"soft": "keyword"}
case = match["soft"]
print(case)


def evaluate(expression):
    match expression:
        case int() | float() as number:
            return number
        case ("+", left, right):
            return evaluate(left) + evaluate(right)
        case ("*", left, right):
            return evaluate(left) * evaluate(right)
        case ("neg", value):
            return -evaluate(value)


print(evaluate(("+", 2, ("*", 3, ("neg", 4.5)))))
