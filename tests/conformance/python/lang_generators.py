"""Generators: iteration, send, throw, close, delegation and clean-up."""


def countdown(n):
    while n > 0:
        yield n
        n -= 1


print(list(countdown(5)))
print(sum(countdown(100)), max(countdown(7)), sorted(countdown(4)))


def averager():
    total, count, average = 0.0, 0, None
    while True:
        value = yield average
        if value is None:
            return count, average
        total += value
        count += 1
        average = total / count


g = averager()
print(next(g), g.send(10), g.send(20), g.send(60))
try:
    g.send(None)
except StopIteration as stop:
    print("returned", stop.value)


def resilient():
    seen = []
    while True:
        try:
            seen.append((yield len(seen)))
        except ValueError as error:
            seen.append(f"caught {error}")
        except GeneratorExit:
            print("closing with", seen)
            raise


g = resilient()
next(g)
print(g.send("a"))
print(g.throw(ValueError("bad")))
print(g.send("b"))
g.close()
g.close()
try:
    next(g)
except StopIteration:
    print("exhausted")


def inner():
    received = yield 1
    print("inner got", received)
    yield 2
    return "inner result"


def outer():
    result = yield from inner()
    print("outer got", result)
    yield from "xy"
    yield from range(2)


g = outer()
print(next(g))
print(g.send("hello"))
print(list(g))


def guarded(log):
    try:
        log.append("enter")
        yield 1
        yield 2
    finally:
        log.append("exit")


log = []
for value in guarded(log):
    log.append(value)
    break
del value
import gc

gc.collect()
print(log[:2])

log = []
print(list(guarded(log)), log)


def ignores_close():
    try:
        yield 1
    except GeneratorExit:
        yield 2


g = ignores_close()
next(g)
try:
    g.close()
except RuntimeError as error:
    print(error)


def raises_stop():
    yield 1
    raise StopIteration("inside")


try:
    list(raises_stop())
except RuntimeError as error:
    print(error, "|", repr(error.__cause__))


def tree(depth):
    if depth:
        yield from tree(depth - 1)
        yield depth
        yield from tree(depth - 1)


print(*tree(4))


def primes():
    witnesses = {}
    candidate = 2
    while True:
        if candidate in witnesses:
            for prime in witnesses.pop(candidate):
                witnesses.setdefault(candidate + prime, []).append(prime)
        else:
            yield candidate
            witnesses[candidate * candidate] = [candidate]
        candidate += 1


source = primes()
print([next(source) for _ in range(15)])
p = (n * n for n in range(10) if n % 3)
print(next(p), next(p), list(p), list(p))
pipeline = (line.split("=") for line in ["a=1", "b=2", "", "c=3"] if line)
print({k: int(v) for k, v in pipeline})


def running():
    yield next(me)


me = running()
try:
    next(me)
except ValueError as error:
    print(error)


def gen_with_attributes():
    x = 41
    yield x


g = gen_with_attributes()
print(g.__name__, g.gi_running, g.gi_frame is not None, g.gi_yieldfrom)
next(g)
print(g.gi_frame.f_locals)
list(g)
print(g.gi_frame)
