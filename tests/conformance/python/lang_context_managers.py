"""The with statement and contextlib."""
import contextlib
import io
import sys
from contextlib import (
    AbstractContextManager, AsyncExitStack, ContextDecorator, ExitStack, asynccontextmanager, closing, contextmanager,
    nullcontext, redirect_stderr, redirect_stdout, suppress,
)


class Tracked:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("enter", self.name)
        return self.name.upper()

    def __exit__(self, kind, value, traceback):
        print("exit", self.name, kind.__name__ if kind else None, value, traceback is not None)
        return self.swallow


with Tracked("a") as a, Tracked("b") as b:
    print(a, b)
with (
    Tracked("outer", swallow=True) as outer,
    Tracked("inner"),
):
    print("raising in", outer)
    raise KeyError("lost")
print("after")


def returns():
    with Tracked("return"):
        return "value"


print(returns())
for i in range(3):
    with Tracked(f"loop{i}"):
        if i == 0:
            continue
        break


@contextmanager
def section(title):
    print("<", title)
    try:
        yield title[::-1]
    except ValueError as error:
        print("handled", error)
    finally:
        print(">", title)


with section("abc") as reversed_title:
    print(reversed_title)
with section("errors"):
    raise ValueError("oops")
try:
    with section("unhandled"):
        raise LookupError("through")
except LookupError as error:
    print("outside", error)


@section("decorated")
def work():
    print("working")


work()
work()


@contextmanager
def silent():
    if False:
        yield


try:
    with silent():
        pass
except RuntimeError as error:
    print(error)


@contextmanager
def twice():
    yield 1
    yield 2


try:
    with twice():
        pass
except RuntimeError as error:
    print(error)
with suppress(ZeroDivisionError, KeyError):
    1 / 0
with suppress(KeyError):
    {}["x"]
buffer, errors = io.StringIO(), io.StringIO()
with redirect_stdout(buffer), redirect_stderr(errors):
    print("captured")
    print("problem", file=sys.stderr)
print(repr(buffer.getvalue()), repr(errors.getvalue()))
with ExitStack() as stack:
    names = [stack.enter_context(Tracked(n)) for n in "xyz"]
    stack.callback(print, "callback", 1, end="!\n")
    stack.push(lambda *details: print("pushed", details[0]))
    print(names)
with ExitStack() as stack:
    stack.enter_context(Tracked("kept"))
    kept = stack.pop_all()
print("stack left")
kept.close()


class Resource:
    def close(self):
        print("closed")


with closing(Resource()) as resource, nullcontext(5) as five:
    print(type(resource).__name__, five)


class Timer(ContextDecorator):
    def __enter__(self):
        print("start")
        return self

    def __exit__(self, *details):
        print("stop")
        return False


@Timer()
def job(x):
    return x + 1


print(job(1))
try:
    with Tracked("chain"):
        try:
            1 / 0
        finally:
            raise TypeError("second")
except TypeError as error:
    print(repr(error), "after", repr(error.__context__))


class FailingExit:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        raise OSError("exit failed")


try:
    with FailingExit():
        raise ValueError("body")
except OSError as error:
    print(error, "|", repr(error.__context__))
try:
    with 5:
        pass
except TypeError as error:
    print("context manager protocol" in str(error))
print(isinstance(Tracked("t"), AbstractContextManager))


async def asynchronous():
    @asynccontextmanager
    async def connection(name):
        print("open", name)
        try:
            yield name
        finally:
            print("shut", name)

    async with connection("db") as db, AsyncExitStack() as stack:
        print(db, await stack.enter_async_context(connection("cache")))


import asyncio

asyncio.run(asynchronous())
with contextlib.chdir("/"):
    import os

    print(os.getcwd())
