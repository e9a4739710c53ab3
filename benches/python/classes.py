"""Objects that are made and thrown away: operators, properties, slots, dataclasses."""
from dataclasses import dataclass


class Vector:
    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y and self.z == other.z

    @property
    def length2(self):
        return self.x * self.x + self.y * self.y + self.z * self.z


@dataclass(order=True)
class Item:
    weight: int
    name: str

    def heavier(self, other):
        return self if self > other else other


position, step = Vector(0, 0, 0), Vector(1, 2, 3)
total = 0
for i in range(120_000):
    position = position + step * (i % 7)
    total += position.length2 % 11
    if position == step:
        total += 1
best = Item(0, "")
for i in range(100_000):
    best = best.heavier(Item(i * 7919 % 10007, str(i % 10)))
print(position.x, position.y, position.z, total, best)
