"""The part of `_signal` that programs and asyncio expect: no signal ever arrives, but handlers can be set.

Interrupts come from the host, which raises KeyboardInterrupt itself.
"""

import _signal

_SIGNALS = {
    "SIGHUP": 1, "SIGINT": 2, "SIGQUIT": 3, "SIGILL": 4, "SIGTRAP": 5, "SIGABRT": 6, "SIGBUS": 7, "SIGFPE": 8,
    "SIGKILL": 9, "SIGUSR1": 10, "SIGSEGV": 11, "SIGUSR2": 12, "SIGPIPE": 13, "SIGALRM": 14, "SIGTERM": 15,
    "SIGCHLD": 17, "SIGCONT": 18, "SIGSTOP": 19, "SIGTSTP": 20, "SIGTTIN": 21, "SIGTTOU": 22, "SIGWINCH": 28,
}


def default_int_handler(signalnum, frame, /):
    """The handler of SIGINT: raises KeyboardInterrupt."""
    raise KeyboardInterrupt


_handlers = {2: default_int_handler}


def _checked(signalnum):
    number = int(signalnum)
    if not 1 <= number < _signal.NSIG:
        raise ValueError("signal number out of range")
    return number


def signal(signalnum, handler, /):
    """Sets the handler of a signal, and returns the one before."""
    number = _checked(signalnum)
    if not callable(handler) and handler not in (_signal.SIG_DFL, _signal.SIG_IGN):
        raise TypeError("signal handler must be signal.SIG_IGN, signal.SIG_DFL, or a callable object")
    if number in (_SIGNALS["SIGKILL"], _SIGNALS["SIGSTOP"]):
        raise OSError(22, "Invalid argument")
    before = getsignal(number)
    _handlers[number] = handler
    return before


def getsignal(signalnum, /):
    """The handler of a signal."""
    return _handlers.get(_checked(signalnum), _signal.SIG_DFL)


def raise_signal(signalnum, /):
    """Runs the handler of a signal."""
    number = _checked(signalnum)
    handler = getsignal(number)
    if callable(handler):
        handler(number, None)
    elif handler == _signal.SIG_DFL:
        raise OSError(f"signal {number} has no handler, and this sandbox cannot end in it")


def strsignal(signalnum, /):
    """The name of a signal."""
    number = _checked(signalnum)
    return next((name for name, known in _SIGNALS.items() if known == number), None)


def valid_signals():
    """The signals that handlers can be set for."""
    return set(_SIGNALS.values())


for _name, _number in _SIGNALS.items():
    setattr(_signal, _name, _number)
for _function in (default_int_handler, signal, getsignal, raise_signal, strsignal, valid_signals):
    setattr(_signal, _function.__name__, _function)
    _function.__module__ = "_signal"
