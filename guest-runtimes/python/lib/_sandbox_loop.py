"""asyncio without sockets: an event loop that only ever waits for time to pass."""

import asyncio
import time
from asyncio import base_events, events, unix_events

NO_NETWORK = "there is no network in this sandbox"
NO_PROCESSES = "no other program can be started in this sandbox"


class Deadlock(RuntimeError):
    """Nothing can happen any more."""


Deadlock.__name__ = Deadlock.__qualname__ = "RuntimeError"
Deadlock.__module__ = "builtins"


class _Clock:
    """Stands where a loop has its selector. Nothing but a timer can make something ready."""

    def select(self, timeout=None):
        if timeout is None:
            raise Deadlock(
                "deadlock: every task waits for another one, and no timer is left that could wake one up"
            )
        if timeout > 0:
            time.sleep(timeout)
        return ()

    def close(self):
        pass


class SandboxEventLoop(base_events.BaseEventLoop):
    """Runs tasks and timers. Functions for an executor run at once: there are no threads."""

    def __init__(self, selector=None):
        super().__init__()
        self._selector = _Clock()

    def _process_events(self, event_list):
        pass

    def _write_to_self(self):
        pass

    def close(self):
        super().close()
        self._selector.close()

    def run_in_executor(self, executor, func, *args):
        self._check_closed()
        future = self.create_future()
        try:
            result = func(*args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as exception:
            future.set_exception(exception)
        else:
            future.set_result(result)
        return future

    async def shutdown_default_executor(self, timeout=None):
        self._executor_shutdown_called = True

    async def create_connection(self, *args, **kwargs):
        raise OSError(NO_NETWORK)

    create_datagram_endpoint = create_server = create_connection
    getaddrinfo = getnameinfo = start_tls = sock_connect = sock_accept = create_connection
    create_unix_connection = create_unix_server = create_connection

    async def subprocess_exec(self, *args, **kwargs):
        raise OSError(NO_PROCESSES)

    subprocess_shell = subprocess_exec


def install():
    """Makes this loop the one that asyncio creates."""
    unix_events._DefaultEventLoopPolicy._loop_factory = SandboxEventLoop
    for module in (asyncio, unix_events):
        module.SelectorEventLoop = module.EventLoop = SandboxEventLoop


_cells_loop = None


def run_cell(coroutine):
    """Runs a cell that has an `await` at its top level. Tasks that it leaves go on at the next such cell."""
    global _cells_loop
    if _cells_loop is None or _cells_loop.is_closed():
        _cells_loop = SandboxEventLoop()
        events.set_event_loop(_cells_loop)
    task = _cells_loop.create_task(coroutine)
    try:
        return _cells_loop.run_until_complete(task)
    except BaseException as error:
        if not task.done():
            if isinstance(error, Deadlock) and (frames := task.get_stack(limit=1)):
                error.add_note(f"The cell waits in line {frames[0].f_lineno}.")
            # What is left of this cell must not run as a part of a later one.
            task.cancel()
            _cells_loop.run_until_complete(asyncio.wait([task]))
            if not task.cancelled():
                task.exception()
        raise


def forget():
    """Drops the cells' loop."""
    global _cells_loop
    if _cells_loop is not None:
        _cells_loop.close()
        _cells_loop = None
        events.set_event_loop(None)


install()
