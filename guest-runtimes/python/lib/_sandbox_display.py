"""Objects in the forms that they offer: the protocol of notebooks."""

import base64
import json

import _sandbox

_METHODS = (
    ("text/html", "_repr_html_"),
    ("image/svg+xml", "_repr_svg_"),
    ("image/png", "_repr_png_"),
    ("image/jpeg", "_repr_jpeg_"),
    ("text/markdown", "_repr_markdown_"),
    ("text/latex", "_repr_latex_"),
    ("application/json", "_repr_json_"),
)


def display(*objects, include=None, exclude=None, metadata=None, transient=None, display_id=None, raw=False,
            clear=False, **kwargs):
    """Shows objects in the richest form that the caller can show.

    The parameters are those of IPython.display.display. Only include, exclude and raw have an effect.
    """
    for obj in objects:
        forms = _encode(obj) if raw else bundle(obj)
        kept = [
            (kind, content) for kind, content in forms
            if (not include or kind in include) and (not exclude or kind not in exclude)
        ]
        if kept:
            _sandbox.display(kept)


def bundle(obj, text=None):
    """The forms of an object, as pairs of MIME type and text. `text` is its repr, if it is known."""
    forms = {}
    if not isinstance(obj, type):
        combined = _ask(obj, "_repr_mimebundle_", include=None, exclude=None)
        if combined is not None:
            forms.update(combined)
        for kind, method in _METHODS:
            if kind not in forms:
                content = _ask(obj, method)
                if content is not None:
                    forms[kind] = content
    if "text/plain" not in forms:
        forms["text/plain"] = repr(obj) if text is None else text
    return _encode(forms)


def _ask(obj, method, **arguments):
    # The class is asked, not the instance: many objects answer to every name.
    function = getattr(type(obj), method, None)
    if function is None:
        return None
    content = function(obj, **arguments)
    # Methods may answer a pair of content and metadata.
    return content[0] if isinstance(content, tuple) else content


def _encode(forms):
    return [(kind, _as_text(kind, content)) for kind, content in forms.items() if content is not None]


def _as_text(kind, content):
    if isinstance(content, (bytes, bytearray, memoryview)):
        return base64.b64encode(content).decode("ascii")
    if isinstance(content, str) and not (kind == "application/json" and not _is_json(content)):
        return content
    return json.dumps(content)


def _is_json(text):
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
