"""Lists, dictionaries, sets and tuples: a sieve, a matrix product, grouping, a shortest path."""
from collections import defaultdict, deque


def sieve(n):
    flags = [True] * (n + 1)
    for i in range(2, int(n**0.5) + 1):
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
    return [i for i in range(2, n + 1) if flags[i]]


def multiply(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def group(count):
    groups = defaultdict(list)
    for i in range(count):
        groups[i * i % 97, i % 3].append(i)
    return {key: sum(values) for key, values in groups.items() if len(values) > 1}


def steps(size):
    seen, todo = {(0, 0): 0}, deque([(0, 0)])
    while todo:
        x, y = todo.popleft()
        for cell in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            if 0 <= cell[0] < size and 0 <= cell[1] < size and cell not in seen and (cell[0] * cell[1]) % 7 != 3:
                seen[cell] = seen[x, y] + 1
                todo.append(cell)
    return max(seen.values()), len(seen)


primes = sieve(700_000)
matrix = [[(i * j) % 10 for j in range(70)] for i in range(70)]
product = multiply(multiply(matrix, matrix), matrix)
grouped = group(160_000)
print(len(primes), primes[-1], sum(map(sum, product)), len(grouped), sum(grouped.values()), steps(180))
