"""Generators, generator expressions, itertools and unpacking."""
import itertools


def naturals():
    n = 0
    while True:
        yield n
        n += 1


def collatz(n):
    while n != 1:
        yield n
        n = n // 2 if n % 2 == 0 else 3 * n + 1
    yield 1


def flatten(tree):
    if isinstance(tree, list):
        for branch in tree:
            yield from flatten(branch)
    else:
        yield tree


def build(depth):
    return depth if depth == 0 else [build(depth - 1), depth, build(depth - 1)]


def averages():
    total = count = 0
    value = yield None
    while True:
        total += value
        count += 1
        value = yield total / count


evens = (n for n in naturals() if n % 2 == 0)
squares = (n * n for n in itertools.islice(evens, 150_000))
longest = max(range(1, 9_000), key=lambda n: sum(1 for _ in collatz(n)))
running = averages()
next(running)
average = [running.send(n) for n in range(120_000)][-1]
pairs = sum(a * b for a, b in zip(itertools.count(), itertools.chain.from_iterable([range(200)] * 900)))
print(sum(squares), longest, sum(flatten(build(14))), average, pairs)
