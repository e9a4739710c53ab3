"""The standard streams.

They are the library's text streams. Text takes a shorter way: `write` is a native function that needs none of
the layers below, until the code changes the stream's encoding, closes it or takes it apart.
"""

import sys

import _io
import _sandbox

NO_INPUT = (
    "no input was supplied to this program, so there is nothing to read: "
    "put the values into the code, or have the caller supply standard input"
)


# The library's own size for buffers costs every session a hundred kilobytes.
_SIZE = 8192


class _Buffer(_io.BufferedWriter):
    """Passes bytes on at once, after the text before them."""

    def write(self, data, /):
        _sandbox.flush()
        written = super().write(data)
        super().flush()
        return written


class _Output(_io.TextIOWrapper):
    __slots__ = ()

    # Native like `write`: an interrupt that arrived in here would be lost where the caller ignores errors, as
    # `input` does when it flushes. The layers below hold nothing back on the short way.
    flush = _sandbox.flush

    def reconfigure(self, **changes):
        if any(changes.get(name) is not None for name in ("encoding", "errors")) or "newline" in changes:
            self._take_long_way()
        super().reconfigure(**changes)

    def close(self):
        if not self.closed:
            self._take_long_way()
        super().close()

    def detach(self):
        self._take_long_way()
        return super().detach()

    def _take_long_way(self):
        _sandbox.flush()
        _sandbox.make_plain(self.fileno())
        self.write = super().write
        self.flush = super().flush


class _Stdout(_Output):
    write = _sandbox.write_stdout


class _Stderr(_Output):
    write = _sandbox.write_stderr


class _Input(_io.TextIOWrapper):
    """Standard input. Closing it makes `sys` forget it, so that the next cell finds a new one."""

    def close(self):
        if sys.stdin is self:
            sys.stdin = None
        super().close()

    def detach(self):
        if sys.stdin is self:
            sys.stdin = None
        return super().detach()


class _NoInput(_Input):
    """Standard input where the caller supplied none."""

    def _refuse(self, *args, **kwargs):
        raise EOFError(NO_INPUT)

    read = readline = readlines = __iter__ = __next__ = _refuse


for _class in (_Output, _Stdout, _Stderr, _Input, _NoInput):
    _class.__name__ = _class.__qualname__ = "TextIOWrapper"
    _class.__module__ = "_io"
del _class


def open_output(descriptor):
    raw = _io.FileIO(descriptor, "wb", closefd=False)
    kind, name, errors = (_Stdout, "<stdout>", "strict") if descriptor == 1 else (_Stderr, "<stderr>", "backslashreplace")
    raw.name = name
    stream = kind(_Buffer(raw, _SIZE), "utf-8", errors, "\n", line_buffering=descriptor == 2, write_through=True)
    stream.mode = "w"
    return stream


def open_input(supplied):
    raw = _io.FileIO(0, "rb", closefd=False)
    raw.name = "<stdin>"
    kind = _Input if supplied else _NoInput
    stream = kind(_io.BufferedReader(raw, _SIZE), "utf-8", "strict", "\n")
    stream.mode = "r"
    return stream
