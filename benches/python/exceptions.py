"""Raising, catching, cleaning up, chaining and context managers."""
from contextlib import contextmanager


class Problem(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code


class Worse(Problem):
    pass


def risky(n):
    if n % 3 == 0:
        raise Problem(n)
    if n % 5 == 0:
        raise Worse(n)
    return n


def careful(n, log):
    try:
        return risky(n)
    except Worse as problem:
        return -problem.code
    except Problem as problem:
        try:
            raise ValueError("again") from problem
        except ValueError as error:
            return error.__cause__.code
    finally:
        log[0] += 1


class Guard:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        return kind is ZeroDivisionError


@contextmanager
def managed(log):
    try:
        yield
    except KeyError:
        log[1] += 1


log = [0, 0]
total = sum(careful(n, log) for n in range(90_000))
for n in range(40_000):
    with Guard():
        total += 1 // (n % 2)
for n in range(15_000):
    with managed(log):
        total += {1: 1}[n % 3]
lookups = {str(n): n for n in range(100)}
for n in range(60_000):
    try:
        total += lookups[str(n % 200)]
    except KeyError:
        total -= 1
print(total, log)
