"""`display`, and objects that carry content of one kind."""

import base64
import json
import mimetypes

from _sandbox_display import display

__all__ = [
    "display", "HTML", "Image", "JPEG", "JSON", "Javascript", "Latex", "Markdown", "Math", "PNG", "Pretty", "SVG",
    "clear_output",
]


class DisplayObject:
    """Content of one kind, given directly or read from a file."""

    _kind = None
    _binary = False

    def __init__(self, data=None, url=None, filename=None, metadata=None):
        if url is not None:
            raise ValueError("there is no network here: give the content itself, or a filename")
        if data is None and filename is not None:
            with open(filename, "rb" if self._binary else "r") as file:
                data = file.read()
        self.data = data
        self.filename = filename
        self.metadata = metadata or {}

    def __repr__(self):
        return f"<IPython.display.{type(self).__name__} object>"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {self._kind: self.data, "text/plain": repr(self)}


class HTML(DisplayObject):
    _kind = "text/html"

    def __html__(self):
        return self.data


class Markdown(DisplayObject):
    _kind = "text/markdown"


class Latex(DisplayObject):
    _kind = "text/latex"


class Math(Latex):
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {self._kind: f"$\\displaystyle {self.data.strip('$')}$", "text/plain": repr(self)}


class SVG(DisplayObject):
    _kind = "image/svg+xml"


class Javascript(DisplayObject):
    _kind = "application/javascript"


class Pretty(DisplayObject):
    _kind = "text/plain"

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": self.data}


class JSON(DisplayObject):
    _kind = "application/json"

    def __init__(self, data=None, url=None, filename=None, expanded=False, metadata=None, root="root", **kwargs):
        super().__init__(data, url, filename, metadata)
        if isinstance(self.data, (str, bytes)):
            self.data = json.loads(self.data)


class Image(DisplayObject):
    """An image from bytes or from a file; its kind is told by its first bytes."""

    _binary = True
    _SIGNATURES = (
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF8", "image/gif"),
        (b"RIFF", "image/webp"),
    )

    def __init__(self, data=None, url=None, filename=None, format=None, embed=None, width=None, height=None,
                 metadata=None, **kwargs):
        if isinstance(data, str):
            data, filename = None, data
        super().__init__(data, url, filename, metadata)
        if format is not None:
            self._kind = mimetypes.types_map.get("." + format.lower().replace("jpeg", "jpg"), "image/" + format)
        else:
            data = self.data or b""
            self._kind = next((kind for start, kind in self._SIGNATURES if data.startswith(start)), "image/png")

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {self._kind: base64.b64encode(self.data).decode("ascii"), "text/plain": repr(self)}


def PNG(*args, **kwargs):
    return Image(*args, format="png", **kwargs)


def JPEG(*args, **kwargs):
    return Image(*args, format="jpeg", **kwargs)


def clear_output(wait=False):
    """Does nothing: output that was sent stays."""
