"""Threads without threads: one that is started runs to its end at once.

That is one of the orders in which threads may run, and right for those that only compute. Where a thread would
have to wait for another one, nothing can ever wake it up: that is an error here, and no endless wait.

The interpreter's own `_thread` starts functions at once, too, but has locks that do not know their state well
enough for `threading.Condition`, one identity for all threads, and it keeps interrupts from those who wait.
"""

import _thread
import time

DEADLOCK = "deadlock: there are no real threads here, so nothing can wake up what waits"

_idents = [_thread._get_main_thread_ident()]
_last_ident = 0


def get_ident():
    """The identity of the thread that runs."""
    return _idents[-1]


class _Lock:
    """A lock. Where it is held by a thread that goes on later, waiting for it is no deadlock: it is given."""

    __slots__ = ("_held", "__weakref__")

    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        if self._held and not blocking:
            return False
        if self._held and timeout is not None and timeout > 0:
            time.sleep(timeout)
            return False
        self._held = True
        return True

    def __enter__(self):
        return self.acquire()

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def __exit__(self, *exception):
        self.release()

    def locked(self):
        return self._held

    def _at_fork_reinit(self):
        self._held = False

    def __repr__(self):
        return f"<{'locked' if self._held else 'unlocked'} _thread.lock object at {id(self):#x}>"


class _RLock:
    """A lock that its owner may take again."""

    __slots__ = ("_owners", "__weakref__")

    def __init__(self):
        # A started thread runs inside the one that started it, so the owners form a stack.
        self._owners = []

    def acquire(self, blocking=True, timeout=-1):
        if self._owners and self._owners[-1] != get_ident() and not blocking:
            return False
        self._owners.append(get_ident())
        return True

    def __enter__(self):
        return self.acquire()

    def release(self):
        if not self._is_owned():
            raise RuntimeError("cannot release un-acquired lock")
        self._owners.pop()

    def __exit__(self, *exception):
        self.release()

    def locked(self):
        return bool(self._owners)

    def _is_owned(self):
        return bool(self._owners) and self._owners[-1] == get_ident()

    def _recursion_count(self):
        return self._owners.count(get_ident())

    def _release_save(self):
        owners, self._owners = self._owners, []
        return owners

    def _acquire_restore(self, owners):
        self._owners = owners

    def _at_fork_reinit(self):
        self._owners = []

    def __repr__(self):
        count = self._recursion_count()
        return (
            f"<{'locked' if self._owners else 'unlocked'} _thread.RLock object"
            f" owner={self._owners[-1] if self._owners else 0} count={count} at {id(self):#x}>"
        )


def start_joinable_thread(function, handle=None, daemon=True):
    global _last_ident
    if handle is None:
        handle = _thread._ThreadHandle()
    _last_ident += 1
    handle._ident = _last_ident
    _idents.append(_last_ident)
    try:
        function()
    except SystemExit:
        pass
    finally:
        _idents.pop()
        handle._set_done()
    return handle


def start_new_thread(function, args, kwargs={}):
    """Runs a function as a thread would."""
    handle = start_joinable_thread(lambda: function(*args, **kwargs))
    return handle.ident


def allocate_lock():
    """A new lock."""
    return _Lock()


_Lock.__name__ = _Lock.__qualname__ = "lock"
_RLock.__name__ = _RLock.__qualname__ = "RLock"
_Lock.__module__ = _RLock.__module__ = "_thread"
for _name, _value in {
    "LockType": _Lock, "lock": _Lock, "RLock": _RLock, "allocate_lock": allocate_lock, "allocate": allocate_lock,
    "get_ident": get_ident, "get_native_id": get_ident, "start_joinable_thread": start_joinable_thread,
    "start_new_thread": start_new_thread, "start_new": start_new_thread,
}.items():
    setattr(_thread, _name, _value)

import queue  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402
from concurrent.futures import _base, thread as _pool  # noqa: E402


def _wait(self, timeout=None):
    """Waits for a notification, which cannot come."""
    if not self._is_owned():
        raise RuntimeError("cannot wait on un-acquired lock")
    if timeout is None:
        raise RuntimeError(DEADLOCK)
    time.sleep(max(timeout, 0))
    return False


def _make_invoke_excepthook():
    invoke = _report()

    def invoke_excepthook(thread):
        # The interrupt is for whoever waits for the thread.
        if isinstance(sys.exception(), KeyboardInterrupt):
            raise
        invoke(thread)

    return invoke_excepthook


def _submit(self, fn, /, *args, **kwargs):
    """Calls a function at once; the future holds its result."""
    with self._shutdown_lock:
        if self._broken:
            raise self.BROKEN(self._broken)
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if getattr(self, "_sandbox_worker", None) is None:
            self._sandbox_worker = self._create_worker_context()
            self._sandbox_worker.initialize()
    future = _base.Future()
    future.set_running_or_notify_cancel()
    try:
        result = fn(*args, **kwargs)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as exception:
        future.set_exception(exception)
    else:
        future.set_result(result)
    return future


_report = threading._make_invoke_excepthook
threading._make_invoke_excepthook = _make_invoke_excepthook
threading.Condition.wait = _wait
queue.SimpleQueue = queue._PySimpleQueue
_pool.ThreadPoolExecutor.submit = _submit
