"""async and await: coroutines, tasks, gathering, cancelling, queues and asynchronous iteration."""
import asyncio
import inspect


async def fetch(name, delay, log):
    log.append(f"start {name}")
    await asyncio.sleep(delay)
    log.append(f"end {name}")
    return name.upper()


async def gather_all():
    log = []
    results = await asyncio.gather(fetch("a", 0.03, log), fetch("b", 0.01, log), fetch("c", 0.02, log))
    print(results, log)


asyncio.run(gather_all())


async def failing(kind):
    await asyncio.sleep(0)
    raise kind("failed")


async def errors():
    results = await asyncio.gather(failing(ValueError), asyncio.sleep(0, "fine"), return_exceptions=True)
    print([repr(r) for r in results])
    try:
        await asyncio.gather(failing(KeyError))
    except KeyError as error:
        print("caught", error)


asyncio.run(errors())


async def cancelling():
    async def worker():
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            print("cleaning up")
            raise
        finally:
            print("finally")

    task = asyncio.create_task(worker(), name="worker")
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        print("cancelled", task.cancelled(), task.done(), task.get_name())


asyncio.run(cancelling())


async def timeouts():
    try:
        await asyncio.wait_for(asyncio.sleep(10), 0.01)
    except TimeoutError:
        print("wait_for timed out")
    try:
        async with asyncio.timeout(0.01):
            await asyncio.sleep(10)
    except TimeoutError:
        print("timeout block")
    print(await asyncio.wait_for(asyncio.sleep(0, "quick"), 5))


asyncio.run(timeouts())


class Ticker:
    def __init__(self, limit):
        self.limit = limit

    def __aiter__(self):
        self.n = 0
        return self

    async def __anext__(self):
        if self.n >= self.limit:
            raise StopAsyncIteration
        self.n += 1
        await asyncio.sleep(0)
        return self.n

    async def __aenter__(self):
        print("aenter")
        return self

    async def __aexit__(self, kind, value, traceback):
        print("aexit", kind and kind.__name__)
        return kind is ValueError


async def numbers(n):
    try:
        for i in range(n):
            yield i
            await asyncio.sleep(0)
    finally:
        print("generator closed")


async def iteration():
    async with Ticker(3) as ticker:
        print([n async for n in ticker])
    async with Ticker(0):
        raise ValueError("swallowed")
    async for n in numbers(3):
        print("got", n)
    else:
        print("done")
    print({n: n * n async for n in numbers(3) if n}, [await asyncio.sleep(0, x) for x in "ab"])
    g = numbers(5)
    print(await anext(g), await g.asend(None))
    await g.aclose()
    print(await anext(g, "default"))


asyncio.run(iteration())


async def producer_consumer():
    queue = asyncio.Queue(maxsize=2)

    async def produce():
        for i in range(5):
            await queue.put(i)
        await queue.put(None)

    async def consume():
        got = []
        while (item := await queue.get()) is not None:
            got.append(item)
            queue.task_done()
        return got

    _, got = await asyncio.gather(produce(), consume())
    print(got)


asyncio.run(producer_consumer())


async def synchronisation():
    lock, event, semaphore = asyncio.Lock(), asyncio.Event(), asyncio.Semaphore(2)
    order, active, most = [], 0, 0

    async def critical(name):
        async with lock:
            order.append(name + "1")
            await asyncio.sleep(0)
            order.append(name + "2")

    async def limited():
        nonlocal active, most
        async with semaphore:
            active += 1
            most = max(most, active)
            await asyncio.sleep(0.001)
            active -= 1

    async def waiter():
        await event.wait()
        return "released"

    await asyncio.gather(critical("x"), critical("y"), *(limited() for _ in range(6)))
    print(order, most)
    task = asyncio.create_task(waiter())
    await asyncio.sleep(0)
    event.set()
    print(await task)


asyncio.run(synchronisation())


async def group():
    async with asyncio.TaskGroup() as tg:
        tasks = [tg.create_task(asyncio.sleep(0.001, i)) for i in range(3)]
    print([t.result() for t in tasks])
    try:
        async with asyncio.TaskGroup() as tg:
            tg.create_task(failing(OSError))
            tg.create_task(failing(ValueError))
            tg.create_task(asyncio.sleep(10))
    except* OSError as errors:
        print("os", [str(e) for e in errors.exceptions])
    except* ValueError as errors:
        print("value", [str(e) for e in errors.exceptions])


asyncio.run(group())


async def waiting():
    tasks = {asyncio.create_task(asyncio.sleep(d, d)) for d in (0.001, 0.05)}
    done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    print(len(done), len(pending))
    for future in asyncio.as_completed(list(pending)):
        print(await future)
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    loop.call_soon(future.set_result, "soon")
    print(await future)
    calls = []
    loop.call_later(0.002, calls.append, 2)
    loop.call_later(0.001, calls.append, 1)
    await asyncio.sleep(0.02)
    print(calls, asyncio.current_task() is not None, len(asyncio.all_tasks()))


asyncio.run(waiting())
coroutine = fetch("x", 0, [])
print(inspect.iscoroutine(coroutine), inspect.iscoroutinefunction(fetch), inspect.isasyncgenfunction(numbers))
coroutine.close()


class Awaitable:
    def __await__(self):
        value = yield
        return ("sent", value)


async def manual():
    return await Awaitable()


c = manual()
c.send(None)
try:
    c.send(7)
except StopIteration as stop:
    print(stop.value)
try:
    asyncio.run(failing(LookupError))
except LookupError as error:
    print("out of run:", error)
