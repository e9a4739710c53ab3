"""Comprehensions, unpacking, slicing, assignment expressions and operators of control flow."""
squares = [n * n for n in range(10)]
print(squares, [n for n in squares if n % 2 if n > 10], [(x, y) for x in range(3) for y in range(x)])
print({n % 3 for n in squares}, {n: chr(97 + n) for n in range(4)}, sum(n for n in squares))
matrix = [[1, 2, 3], [4, 5, 6]]
print([[row[i] for row in matrix] for i in range(3)], [cell for row in matrix for cell in row], list(zip(*matrix)))
x = "outer"
print([x for x in range(3)], x, [(lambda: i)() for i in range(3)], [f() for f in [lambda: i for i in range(3)]])
print([y := 5, y**2], y, [last := n for n in range(4)], last)
if (length := len(squares)) > 5:
    print("long", length)
while (n := squares.pop()) > 30:
    print("popped", n)
print(any((witness := v) > 5 for v in [1, 3, 7, 9]), witness)
first, *middle, last = range(6)
(a, (b, *c)), d = (1, (2, 3, 4)), "d"
print(first, middle, last, a, b, c, d)
a, b = b, a
[p, q] = "pq"
head, *_ = "xyz"
*initial, final = {"k1": 1, "k2": 2}
print(a, b, p, q, head, initial, final)
for bad in ("a, b = 1, 2, 3", "a, b, *c = [1]", "a, b = 5"):
    try:
        exec(bad)
    except (ValueError, TypeError) as error:
        print(type(error).__name__, str(error).split("(")[0].strip())
print([*range(3), *"ab"], {**{"a": 1, "b": 2}, "b": 3}, (*[1], *(2,)), {*"aab"} == {"a", "b"}, {"x": 1} | {"y": 2})
s = "abcdefghij"
print(s[2:5], s[:3], s[-3:], s[::2], s[::-1], s[5:2], s[5:2:-1], s[-100:100], s[100:], s[-1], s[slice(1, 4)])
items = list(range(10))
items[2:5] = ["x"]
print(items)
items[::2] = [0] * len(items[::2])
del items[-2:]
items[1:1] = [7, 8, 9]
print(items, items[-1:-4:-1])
try:
    items[::2] = [1]
except ValueError as error:
    print(error)
del items[::3]
print(items, slice(None, None, -1).indices(5), slice(1, 10, 3).indices(6), range(10)[2:8:3], range(5)[-1])


class Grid:
    def __getitem__(self, key):
        return key


print(Grid()[1, 2:3, ...], Grid()[::2], Grid()["a"], Grid()[1:2, 3])
print(1 < 2 < 3, 1 < 3 > 2, 3 > 2 == 2, 1 in [1] == True, not 1 == 2, 1 if 0 else 2, [] or "default", 0 and 1 / 0, "" or 0 or None)
for n in range(2, 12):
    for d in range(2, n):
        if n % d == 0:
            break
    else:
        print("prime", n, end=";")
        continue
    if n == 10:
        break
print()
total = 0
for i in range(5):
    if i == 1:
        continue
    total += i
else:
    total *= 10
n = 0
while True:
    n += 1
    if n > 3:
        break
else:
    n = -1
print(total, n)
z = [1, 2]
z += (3,)
z *= 2
w = y = []
w.append(1)
t = (1, 2) + (3,)
print(z, y is w, t * 2, t.index(2), t.count(1), 2 in t, (1,) < (1, 0), [1, 2] < [1, 3], "a" < "B")
try:
    t[0] = 1
except TypeError as error:
    print(error)
tricky = ([],)
try:
    tricky[0] += [1]
except TypeError:
    print("raised, and changed:", tricky)
print([i for i in range(20) if i % 2 == 0][1:-1:2], list(enumerate("ab", 1)), list(zip([1, 2], "abc")), list(map(pow, [2, 3], [3, 2])))
print(list(filter(None, [0, 1, "", "a", [], [0]])), sorted("bca", reverse=True), list(reversed([1, 2, 3])), min("b", "a", key=ord), max([3, 1, 2]))
print(all([]), any([]), sum([[1], [2]], []), min([], default="none"), max("a", "bb", key=len), divmod(17, 5))
try:
    list(zip([1], [1, 2], strict=True))
except ValueError as error:
    print(error)
print(f"{[(i, j) for i, j in {1: 2, 3: 4}.items()]}", *[1, 2], sep="-", end=".\n")
print(type(i for i in ()).__name__, [None for _ in range(2)], {(): []}, [[]] * 2, [[] for _ in range(2)], len({True: 1, 1: 2, 1.0: 3}))
del total
try:
    total
except NameError as error:
    print(error)
