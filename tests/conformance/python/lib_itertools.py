"""itertools."""
import itertools as it
import operator

print(list(it.islice(it.count(5, 3), 4)), list(it.islice(it.count(0.5, 0.25), 3)), list(it.islice(it.cycle("ab"), 5)), list(it.repeat("x", 3)), list(it.islice(it.count(10), 2, 10, 3)), next(it.islice("abc", 2, None)))
print(list(it.accumulate([1, 2, 3, 4])), list(it.accumulate([3, 1, 4, 1, 5], max)), list(it.accumulate("abc")), list(it.accumulate([1, 2, 3], operator.mul, initial=10)), list(it.accumulate([])))
print(list(it.chain([1], "ab", (2,))), list(it.chain.from_iterable(["ab", [1]])), list(it.compress("abcdef", [1, 0, 1, 0, 1])), list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(it.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(it.filterfalse(None, [0, 1, "", 2])))
print([(k, list(g)) for k, g in it.groupby("aaabbca")], [(k, [x for x in g]) for k, g in it.groupby([1, 3, 2, 4, 5], key=lambda n: n % 2)], [k for k, g in it.groupby([])])
print(list(it.pairwise("abcd")), list(it.starmap(pow, [(2, 3), (3, 2)])), list(it.zip_longest("abc", [1], fillvalue="-")), list(it.zip_longest()))
print(list(it.product("ab", [1, 2])), list(it.product([0, 1], repeat=2)), len(list(it.product(range(3), repeat=4))), list(it.product()), list(it.product([], [1])))
print(list(it.permutations("abc", 2)), ["".join(p) for p in it.permutations("abc")], list(it.permutations([1, 2], 3)), len(list(it.permutations(range(6)))))
print(list(it.combinations("abcd", 2)), list(it.combinations_with_replacement("ab", 3)), list(it.combinations([1, 2], 3)), list(it.combinations([1], 0)), sum(1 for _ in it.combinations(range(12), 6)))
a, b, c = it.tee([1, 2, 3], 3)
print(next(a), next(a), list(b), list(a), list(c))
source = iter(range(10))
print(list(it.islice(source, 3)), next(source), list(zip(source, source)))
print(it.count(3, 2), it.repeat("x", 2), it.repeat(5))
for bad in (lambda: list(it.islice([1], -1)), lambda: it.permutations("a", -1), lambda: it.chain(5).__next__(), lambda: list(it.starmap(pow, [1])), lambda: it.tee([], -1), lambda: list(it.compress([1], 5))):
    try:
        bad()
    except (ValueError, TypeError) as error:
        print(type(error).__name__)


def grouper(iterable, n, fill=None):
    return it.zip_longest(*[iter(iterable)] * n, fillvalue=fill)


def unique(iterable, key=None):
    seen = set()
    for item in iterable:
        k = item if key is None else key(item)
        if k not in seen:
            seen.add(k)
            yield item


def powerset(iterable):
    s = list(iterable)
    return it.chain.from_iterable(it.combinations(s, r) for r in range(len(s) + 1))


def roundrobin(*iterables):
    iterators = it.cycle(iter(i).__next__ for i in iterables)
    active = len(iterables)
    while active:
        try:
            for nxt in iterators:
                yield nxt()
        except StopIteration:
            active -= 1
            iterators = it.cycle(it.islice(iterators, active))


def sliding(iterable, n):
    iterables = it.tee(iterable, n)
    for i, iterator in enumerate(iterables):
        next(it.islice(iterator, i, i), None)
    return zip(*iterables)


print(list(grouper("abcde", 2, "x")), list(unique("AaBbA", str.lower)), list(powerset([1, 2, 3])), "".join(roundrobin("abc", "d", "ef")), list(sliding(range(5), 3)))


def sieve(n):
    flags = bytearray([1]) * (n + 1)
    for i in range(2, int(n**0.5) + 1):
        if flags[i]:
            flags[i * i :: i] = bytes(len(range(i * i, n + 1, i)))
    return it.compress(range(2, n + 1), it.islice(flags, 2, None))


print(list(sieve(60)), sum(sieve(20000)))
lines = ["# head", "a 1", "a 2", "b 3", "", "b 4"]
parsed = (line.split() for line in lines if line and not line.startswith("#"))
print({key: sum(int(v) for _, v in rows) for key, rows in it.groupby(parsed, key=operator.itemgetter(0))})
print(list(map(lambda x, y, z: x + y + z, [1, 2], it.count(10), it.repeat(100))), max(it.chain([1], [5], [3])), dict(it.islice({"a": 1, "b": 2, "c": 3}.items(), 2)))
queens = [p for p in it.permutations(range(6)) if len({p[i] + i for i in range(6)}) == len({p[i] - i for i in range(6)}) == 6]
print(queens)
