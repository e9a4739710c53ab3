"""Sets, frozensets, dictionaries, lists, sorting and hashing."""
a, b = {1, 2, 3, 4}, {3, 4, 5}
print(sorted(a | b), sorted(a & b), sorted(a - b), sorted(a ^ b), a <= b, {3} < a, a >= {1, 2}, a.isdisjoint({9}), a == {4, 3, 2, 1})
a.add(9); a.discard(100); a.remove(1); a.update([7, 8], (6,))
print(sorted(a), len(a), 9 in a, a.issuperset({2, 3}))
a &= {2, 3, 9, 50}
a |= {1}
a -= {9}
a ^= {1, 5}
print(sorted(a), sorted(a.union([1], (2,))), sorted(a.intersection([2, 5])), sorted(a.symmetric_difference([2, 77])))
for bad in (lambda: a.remove(12345), lambda: {[]}, lambda: {1} + {2}, lambda: set().pop(), lambda: {1} | [2], lambda: frozenset([1]).add(2)):
    try:
        print(bad())
    except (KeyError, TypeError, AttributeError) as error:
        print(type(error).__name__)
f = frozenset("abc")
print(sorted(f), f == set("abc"), hash(f) == hash(frozenset("cba")), {f: "key"}[frozenset("bca")], type(f | {"d"}).__name__, type({"d"} | f).__name__)
print(set(), frozenset(), {1}, frozenset({1}), sorted({x % 3 for x in range(10)}), {0, False, 0.0}.__len__())
d = {"b": 1, "a": 2, "c": 3}
print(d, list(d), list(d.values()), list(d.items()), d.get("x"), d.get("x", 0), d["a"], "b" in d, len(d), list(reversed(d)))
d["z"] = 26
d.update({"a": 20}, y=25)
del d["b"]
print(d, d.pop("c"), d.pop("nope", None), d.setdefault("new", []), d.setdefault("a", 5), d.popitem(), d)
print({"a": 1} | {"a": 2, "b": 3}, dict([("x", 1)], y=2), dict(zip("ab", [1, 2])), dict.fromkeys("ab", 0), {**d, "q": 1}, {"a": 1, "b": 2} == {"b": 2, "a": 1})
d = {"a": 1}
d |= [("b", 2)]
keys, items = d.keys(), d.items()
d["c"] = 3
print(keys, items, keys & {"a", "c"} == {"a", "c"}, ("a", 1) in items, sorted(keys | {"z"}), sorted(keys - {"a"}), d.values(), keys.mapping["a"])
try:
    for k in d:
        d[k + "!"] = 0
except RuntimeError as error:
    print(error)
try:
    d["missing"]
except KeyError as error:
    print(error, error.args)


class Default(dict):
    def __missing__(self, key):
        return f"<{key}>"


print(Default(a=1)["a"], Default()["b"], "{x}".format_map(Default()))


class Key:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self.value == other.value


table = {Key(i): i for i in range(50)}
print(table[Key(25)], len(table), Key(50) in table)


class NoHash:
    def __eq__(self, other):
        return True


try:
    hash(NoHash())
except TypeError as error:
    print(error)
values = [3, 1, 4, 1, 5, 9, 2, 6]
values.sort()
print(values, sorted(values, reverse=True), sorted("banana apple Cherry".split(), key=str.lower), sorted([(1, "b"), (1, "a"), (0, "z")]))
people = [("ann", 30), ("bob", 25), ("cat", 30), ("dan", 25)]
print(sorted(people, key=lambda p: p[1]), sorted(people, key=lambda p: (-p[1], p[0]), reverse=True))
by_age = {}
for name, age in people:
    by_age.setdefault(age, []).append(name)
print(by_age, sorted(by_age.items()), max(by_age, key=lambda k: len(by_age[k])))
l = [1, 2, 3]
l.append(4); l.extend("ab"); l.insert(1, "i"); l.insert(100, "end"); l.remove("a")
print(l, l.pop(), l.pop(0), l.index(3), l.count(2), l[-1], l.copy() is l, l.reverse(), l)
l.clear()
print(l, [1, 2] + [3], [0] * 3, [1, [2, 3]] == [1, [2, 3]], [1, 2] < [1, 2, 0], [[1, 2], [3]][0][1], 3 in [1, 2])
for bad in (lambda: [].pop(), lambda: [1][5], lambda: [1].remove(2), lambda: [1, "a"].sort(), lambda: [1] + (2,), lambda: sorted([1, None])):
    try:
        bad()
    except (IndexError, ValueError, TypeError) as error:
        print(type(error).__name__)
recursive = [1]
recursive.append(recursive)
rd = {}
rd["self"] = rd
print(recursive, rd, [recursive] == [recursive])
import random

rng = random.Random(5)
data = [rng.randrange(1000) for _ in range(500)]
print(sorted(data) == sorted(reversed(data)), sorted(data)[:5], sorted(data, key=lambda x: -x)[:3], all(x <= y for x, y in zip(sorted(data), sorted(data)[1:])))
stable = sorted(enumerate(data), key=lambda pair: pair[1] % 10)
print(all(i < j or x % 10 < y % 10 for (i, x), (j, y) in zip(stable, stable[1:])))


class Reverse:
    def __init__(self, v):
        self.v = v

    def __lt__(self, other):
        return self.v > other.v


print([r.v for r in sorted(map(Reverse, [2, 3, 1]))], min(map(Reverse, [2, 3, 1])).v)
big = {i: i * i for i in range(5000)}
for i in range(0, 5000, 2):
    del big[i]
print(len(big), sum(big.values()), next(iter(big)), list(big)[-1])
print(hash((1, 2)) == hash((1, 2)), hash(1) == hash(1.0) == hash(True), hash((1, 2)) != hash((2, 1)), len({1: "a", True: "b"}))
print("small numbers in order:", {3, 1, 2}, set(range(5, 0, -1)))
