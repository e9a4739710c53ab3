"""Functions that call themselves."""


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def queens(n, row=0, columns=0, left=0, right=0):
    if row == n:
        return 1
    found = 0
    free = ~(columns | left | right) & ((1 << n) - 1)
    while free:
        bit = free & -free
        free ^= bit
        found += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return found


def permutations(items):
    if len(items) < 2:
        return [items]
    return [[first] + rest for i, first in enumerate(items) for rest in permutations(items[:i] + items[i + 1 :])]


print(fibonacci(27), ackermann(2, 250), queens(9), len(permutations([1, 2, 3, 4, 5, 6, 7, 8])))
