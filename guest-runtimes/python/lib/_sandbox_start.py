"""Set-up of the interpreter that is easiest said in Python."""

import _random
import asyncio
import builtins
import linecache
import os
import random
import sys

import _sandbox_display
import _sandbox_loop
import _sitebuiltins

sys.path[:] = [""]
builtins.display = _sandbox_display.display
builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D (i.e. EOF)")
builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D (i.e. EOF)")
builtins.help = _sitebuiltins._Helper()

#: What `os.environ` holds, encoded.
environ = os.environ._data

#: Seeds the generator behind the functions of `random`.
reseed = _random.Random.seed.__get__(random._inst)


def enter_program(filename):
    """Makes the program in a file `__main__`, and lets it import its neighbours."""
    sys.modules["__main__"].__file__ = filename
    folder = os.path.dirname(filename)
    if folder and os.path.isdir(folder):
        sys.path[0] = folder


def tidy():
    """Forgets what a trial run left behind."""
    main = vars(sys.modules["__main__"])
    for name in [name for name in main if not name.startswith("_")]:
        del main[name]
    _sandbox_loop.forget()
    linecache.clearcache()
    linecache._interactive_cache.clear()
    sys.path_importer_cache.clear()
    random._inst.gauss_next = None
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        if hasattr(sys, name):
            delattr(sys, name)
