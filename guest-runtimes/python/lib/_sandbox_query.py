"""Answers for editors: completions, and whether a cell is complete."""

import ast
import builtins
import codeop
import keyword
import re
import sys

_DOTTED = re.compile(r"(?:[^\W\d]\w*\s*\.\s*)*(?:[^\W\d]\w*)?$")
_IMPORT = re.compile(r"^\s*(?:import|from)\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*([\w.]*)$")
_IMPORT_FROM = re.compile(r"^\s*from\s+([\w.]+)\s+import\s+\(?(?:\w+(?:\s+as\s+\w+)?\s*,\s*)*(\w*)$")
_LIMIT = 500


def complete(text, namespace):
    """The length in bytes of what a candidate replaces, and the candidates."""
    line = text[text.rfind("\n") + 1:]
    if (match := _IMPORT_FROM.match(line)) is not None:
        module, prefix = match.groups()
        return _answer(prefix, _module_members(module))
    if (match := _IMPORT.match(line)) is not None:
        return _complete_module(match.group(1))
    expression = _DOTTED.search(line).group()
    path, dot, prefix = expression.rpartition(".")
    prefix = prefix.strip()
    if not dot:
        if not prefix and line.strip():
            return 0, []
        names = {*namespace, *dir(builtins), *keyword.kwlist, *keyword.softkwlist}
        return _answer(prefix, names)
    found, value = _evaluate(path, namespace)
    return _answer(prefix, dir(value)) if found else (0, [])


def completeness(source):
    """True for a complete cell, None for one that wants more lines, False for a wrong one."""
    compiler = codeop.CommandCompiler()
    compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        code = compiler(source, "<input>", "exec")
    except (SyntaxError, OverflowError, ValueError):
        return False
    return None if code is None else True


def _answer(prefix, names):
    # Private names only where one is asked for.
    kept = (
        name for name in names
        if isinstance(name, str) and name.startswith(prefix) and (prefix or not name.startswith("_"))
    )
    return len(prefix.encode()), sorted(kept)[:_LIMIT]


def _evaluate(path, namespace):
    """The object that a dotted name stands for. Only attributes are looked up, nothing is called."""
    first, *rest = (part.strip() for part in path.split("."))
    if first in namespace:
        value = namespace[first]
    elif hasattr(builtins, first):
        value = getattr(builtins, first)
    else:
        return False, None
    for part in rest:
        try:
            value = getattr(value, part)
        except Exception:
            return False, None
    return True, value


def _complete_module(path):
    parent, dot, prefix = path.rpartition(".")
    if dot:
        known = {name[len(parent) + 1:].partition(".")[0] for name in sys.modules if name.startswith(parent + ".")}
        return _answer(prefix, known)
    return _answer(prefix, {*sys.stdlib_module_names, *(name.partition(".")[0] for name in sys.modules)})


def _module_members(name):
    module = sys.modules.get(name)
    if module is None:
        try:
            module = __import__(name, fromlist=["*"])
        except Exception:
            return ()
    return dir(module)
