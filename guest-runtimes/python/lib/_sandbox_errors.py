"""Tracebacks as Python prints them, without the guest's own frames, and help with missing modules."""

import importlib.util
import itertools
import sys
import traceback
from difflib import get_close_matches

# What to use instead of packages that programs often import.
_INSTEAD = {
    "aiohttp": "there is no network",
    "attr": "dataclasses",
    "bs4": "html.parser",
    "click": "argparse",
    "dateutil": "datetime",
    "docx": "zipfile with xml.etree.ElementTree",
    "httpx": "there is no network",
    "jinja2": "string.Template or f-strings",
    "lxml": "xml.etree.ElementTree",
    "markdown": "plain strings",
    "matplotlib": "an SVG string with display(SVG(...)) from IPython.display",
    "networkx": "dicts of sets, heapq and graphlib",
    "nltk": "re and collections.Counter",
    "numpy": "lists with math and statistics, or array",
    "openpyxl": "csv, or zipfile with xml.etree.ElementTree",
    "orjson": "json",
    "pandas": "csv with lists of dicts, collections and statistics",
    "PIL": "bytes written with struct and zlib, or SVG",
    "plotly": "an SVG string with display(SVG(...)) from IPython.display",
    "polars": "csv with lists of dicts, collections and statistics",
    "psutil": "os and platform",
    "pydantic": "dataclasses",
    "pytest": "unittest, or assert statements",
    "pytz": "zoneinfo",
    "regex": "re",
    "requests": "there is no network",
    "rich": "print and textwrap",
    "scipy": "math and statistics",
    "seaborn": "an SVG string with display(SVG(...)) from IPython.display",
    "simplejson": "json",
    "six": "Python 3 itself",
    "sklearn": "math and statistics",
    "sortedcontainers": "bisect and heapq",
    "sympy": "fractions and decimal",
    "tabulate": "str.format and textwrap",
    "toml": "tomllib",
    "tomli": "tomllib",
    "torch": "math and lists",
    "tqdm": "print",
    "typer": "argparse",
    "ujson": "json",
    "yaml": "json or tomllib",
}

# Modules of the standard library that need native code which is not part of this interpreter.
_NATIVE = {
    "_ctypes": "ctypes, calling native libraries,",
    "_lsprof": "cProfile, CPython's own profiler,",
    "_tracemalloc": "tracemalloc, CPython's own memory profiler,",
    "_curses": "curses, drawing on a terminal,",
    "_multiprocessing": "multiprocessing, which needs processes,",
    "_posixshmem": "shared memory, which needs processes,",
    "_posixsubprocess": "starting other programs",
    "_sqlite3": "sqlite3",
    "_ssl": "ssl, encrypted network connections,",
    "_tkinter": "tkinter, windows on a screen,",
    "readline": "readline, editing lines on a terminal,",
    "termios": "termios, controlling a terminal,",
}

# Modules that belong to the standard library and do not import here, so that nobody is sent to them.
_ABSENT = frozenset(
    "cProfile ctypes curses grp idlelib mmap msvcrt multiprocessing nt pty pwd readline resource sqlite3 ssl syslog"
    " termios tkinter tracemalloc tty turtle turtledemo winreg winsound".split()
)

# Where Python's own printing of tracebacks stops, too.
_FRAMES = 1000


def render(exception, filename):
    """The traceback's text; `filename` is what the code that ran is called."""
    if isinstance(exception, ModuleNotFoundError) and exception.name:
        _advise(exception)
    shown = _trim(exception.__traceback__, filename)
    report = traceback.TracebackException(type(exception), exception, shown, compact=True)
    _tidy(report)
    return "".join(report.format())


def _trim(tb, filename):
    """Leaves out the frames above the code that ran: those of the event loop where it had an `await`."""
    start = tb
    while start is not None and start.tb_frame.f_code.co_filename != filename:
        start = start.tb_next
    start = ahead = tb if start is None else start
    depth = 0
    while ahead is not None:
        ahead = ahead.tb_next
        depth += 1
        if depth > _FRAMES:
            start = start.tb_next
    return start


class _Stack(traceback.StackSummary):
    """Formats a frame that comes again, as in a deep recursion, only once."""

    def __init__(self, frames):
        super().__init__(frames)
        self._known = {}

    def format_frame_summary(self, frame_summary, **kwargs):
        frame = frame_summary
        key = frame.filename, frame.lineno, frame.end_lineno, frame.colno, frame.end_colno, frame.name
        if key not in self._known:
            self._known[key] = super().format_frame_summary(frame, **kwargs)
        return self._known[key]


def _tidy(report):
    """Leaves out the frames of the guest's own modules, and what is said over and over."""
    waiting = [report]
    while waiting:
        report = waiting.pop()
        if report.stack:
            report.stack = _Stack(frame for frame in report.stack if not frame.filename.startswith("_sandbox"))
        if isinstance(report.__notes__, list) and len(report.__notes__) > 3:
            report.__notes__ = _fold(report.__notes__)
        waiting += filter(None, (report.__cause__, report.__context__, *(report.exceptions or ())))


def _fold(notes):
    folded = []
    for note, group in itertools.groupby(notes):
        count = len(list(group))
        folded += [note] * min(count, 3)
        if count > 3:
            folded.append(f"[Previous note repeated {count - 3} more times]")
    return folded


def _advise(exception):
    name = exception.name
    if any("nothing can be installed" in note for note in getattr(exception, "__notes__", ())):
        return
    top = name.partition(".")[0]
    parent = name.rpartition(".")[0]
    if name in _NATIVE:
        advice = f"{_NATIVE[name]} is not available in this sandbox, and nothing can be installed."
    elif parent and parent in sys.modules:
        near = _nearest(name, (known for known in sys.modules if known.startswith(parent + ".")))
        advice = f"'{parent}' exists, but has no module of this name."
        if near:
            advice += f" The nearest that exists is '{near}'."
    elif top in sys.stdlib_module_names:
        advice = (
            f"'{top}' belongs to Python's standard library, but needs a system that this sandbox does not offer,"
            " and nothing can be installed."
        )
    else:
        advice = (
            f"'{top}' is not part of this Python, and nothing can be installed here: only the standard library"
            " and files in the working directory can be imported."
        )
        near = top if top in _INSTEAD else _nearest(top, itertools.chain(_importable(), _INSTEAD))
        if near in _INSTEAD:
            advice += f" Instead of {near}: {_INSTEAD[near]}."
        elif near:
            advice += f" The nearest that exists is '{near}'."
    exception.add_note(advice)


def _importable():
    """The standard library's modules that can be imported here."""
    return (name for name in sys.stdlib_module_names if not name.startswith("_") and _is_usable(name))


def _is_usable(name):
    return name in sys.modules or (name not in _ABSENT and importlib.util.find_spec(name) is not None)


def _nearest(name, known):
    near = get_close_matches(name, known, n=1, cutoff=0.7)
    return near[0] if near else None
