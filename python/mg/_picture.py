"""What a notebook shows of a model: its ports, its graph, and where its values lie in memory."""

import ctypes
import html
from typing import Any, Optional

from ._library import lib

PICTURES = ("graph", "memory")  # in order of MgPicture
_free = ctypes.CDLL(None).free
_free.argtypes, _free.restype = [ctypes.c_void_p], None


def picture(instance: Any, what: str) -> Optional[str]:
    """Returns an SVG, or None if there is no such picture."""
    svg = ctypes.c_void_p()
    instance.check(lib.mg_picture(instance.handle, PICTURES.index(what), ctypes.byref(svg)))
    if not svg.value:
        return None
    text = ctypes.string_at(svg.value).decode()
    _free(svg)
    return text


def _folded(title: str, content: str, opened: bool = False) -> str:
    return f"<details{' open' if opened else ''}><summary>{title}</summary><div style='overflow-x: auto'>{content}</div></details>"


def page(model: Any, memory: Optional[str]) -> str:
    """Returns HTML. `memory` says why there is no picture of it."""
    graph, plan = model.picture("graph"), None if memory else model.picture("memory")
    why = memory or "This model has no plan of memory: it is interpreted, or compiled op by op, or data decide its sizes."
    return (
        f"<div><code>{html.escape(repr(model))}</code>"
        + _folded("Graph", graph or "", opened=True)
        + _folded("Memory", plan or f"<p>{why}</p>")
        + "</div>"
    )
