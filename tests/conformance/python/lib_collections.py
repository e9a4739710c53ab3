"""collections: Counter, deque, defaultdict, OrderedDict, namedtuple, ChainMap and the abstract classes."""
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, abc, defaultdict, deque, namedtuple

c = Counter("abracadabra")
print(c, c.most_common(2), c["z"], c.total(), sorted(c.elements()), c + Counter(a=1, q=2), c - Counter(a=3), c & Counter("aab"), c | Counter("zz"), -Counter(a=-2), +Counter(a=0, b=1))
c.update("aaa"); c.subtract({"b": 5}); del c["c"]
print(c, list(c), c.most_common()[-1], Counter(a=1) == Counter(a=1, b=0), Counter(a=1) <= Counter(a=2), Counter([3, 1, 3]).most_common(), Counter({"x": 2}).copy(), Counter(), dict(Counter("hello")))
d = deque([1, 2, 3], maxlen=4)
d.append(4); d.append(5); d.appendleft(0)
print(d, d.maxlen, len(d), d[0], d[-1], d.pop(), d.popleft(), d)
d = deque(range(6))
d.rotate(2); print(d)
d.rotate(-3); d.extend("ab"); d.extendleft("xy"); d.reverse()
print(d, d.index("a"), d.count(3), 3 in d, list(reversed(d)), d.copy() == d)
d.insert(2, "new"); d.remove("y"); del d[0]; d[1] = "set"
print(d, deque("abc") + deque("d"), deque([1]) * 3, deque("ab") == deque("ab"))
for bad in (lambda: deque().pop(), lambda: deque()[0], lambda: deque([1]).remove(5), lambda: deque(maxlen=-1), lambda: deque([1, 2], 2).insert(0, 3)):
    try:
        bad()
    except (IndexError, ValueError) as error:
        print(type(error).__name__, error if isinstance(error, IndexError) else "")
dd = defaultdict(list)
for word in "the quick the lazy the".split():
    dd[word[0]].append(word)
print(dd, dict(dd), dd.get("zz"), "zz" in dd, dd.default_factory, dd["zz"], len(dd))
tree = lambda: defaultdict(tree)
t = tree()
t["a"]["b"]["c"] = 1
print(t["a"]["b"]["c"], defaultdict(int, a=1) | {"b": 2}, defaultdict(lambda: 5)["x"])
try:
    defaultdict(None)["x"]
except KeyError as error:
    print("KeyError", error)
od = OrderedDict(a=1, b=2, c=3)
od.move_to_end("a"); od["b"] = 20
print(list(od.items()), list(reversed(od)), OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1) == {"a": 1}, od.popitem(last=False), list(od))
od.move_to_end("a", last=False)
print(list(od), isinstance(od, dict), OrderedDict.fromkeys("xy", 0) == {"x": 0, "y": 0})
Point = namedtuple("Point", "x y", defaults=[0])
p = Point(1)
print(p, p.x, p[1], p._asdict(), p._replace(y=5), Point._fields, Point._make([7, 8]), p == (1, 0), Point._field_defaults, [*p], hash(p) == hash((1, 0)), p + (2,), Point.__doc__, isinstance(p, tuple))
x, y = p
print(x, y, namedtuple("R", "a,class,a", rename=True)._fields, Point(y=1, x=2), sorted([Point(2, 1), Point(1, 5)]))
for bad in (lambda: Point(), lambda: Point(1, 2, 3), lambda: namedtuple("X", "a a"), lambda: namedtuple("X", "class"), lambda: setattr(p, "x", 5)):
    try:
        bad()
    except (TypeError, ValueError, AttributeError) as error:
        print(type(error).__name__)
cm = ChainMap({"a": 1}, {"a": 2, "b": 3})
cm["c"] = 4
print(cm["a"], cm["b"], sorted(cm.items()), cm.maps, cm.new_child({"a": 0})["a"], cm.parents, len(cm), "z" in cm, cm.get("z", "-"))


class Lower(UserDict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)


class Tens(UserList):
    def total(self):
        return sum(self) * 10


u = Lower(ABC=1)
u["DeF"] = 2
print(u, Tens([1, 2]).total(), Tens([1]) + [2], UserString("abc").upper(), UserString("x") + "y", u.data)
print([isinstance([], k) for k in (abc.Sequence, abc.MutableSequence, abc.Hashable, abc.Iterable, abc.Mapping, abc.Sized, abc.Container)], isinstance(iter([]), abc.Iterator), isinstance((i for i in []), abc.Generator), isinstance(len, abc.Callable), issubclass(dict, abc.MutableMapping))


class Squares(abc.Sequence):
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if not 0 <= i < self.n:
            raise IndexError(i)
        return i * i


s = Squares(5)
print(list(s), 9 in s, list(reversed(s)), s.index(16), s.count(4))


class Bag(abc.MutableSet):
    def __init__(self, it=()):
        self.items = list(dict.fromkeys(it))

    def __contains__(self, x):
        return x in self.items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def add(self, x):
        if x not in self.items:
            self.items.append(x)

    def discard(self, x):
        if x in self.items:
            self.items.remove(x)


b = Bag("hello") | Bag("world")
b -= {"o"}
print(list(b), b.isdisjoint("xyz"), Bag("ab") < Bag("abc"), list(Bag("abc") & Bag("bcd")), b.pop() in "helwrd")
