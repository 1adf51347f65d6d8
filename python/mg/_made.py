"""np.array, np.asarray, np.r_ and np.c_ of captured arrays, and np.zeros and others, whose arrays captured values may go into. numpy
doesn't dispatch these, so they are replaced while a function is captured. For all other values they do what numpy does."""

import contextlib
import functools
import sys
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from ._capture import WORDS, CaptureError, Recorder, Traced, no_array, refuse
from ._complex import Complex

_OWN = ("zeros", "ones", "empty", "full", "eye", "identity", "arange", "linspace")  # which make arrays of nothing
_NUMPY = {name: getattr(np, name) for name in ("array", "asarray", "asanyarray", "ascontiguousarray", "r_", "c_", *_OWN)}
_lock = threading.Lock()
_current = threading.local()  # the capture of this thread
_captures = 0  # that are in progress
_before: Dict[str, Any] = {}  # what numpy had when the first of them began


def _holds(x: Any) -> bool:
    """Tells whether a value is a captured array, or a list in which one is."""
    return isinstance(x, (Traced, Complex)) or isinstance(x, (list, tuple)) and any(map(_holds, x))


def _whole(x: Any) -> Any:
    """Makes one array of the lists in which captured arrays are."""
    return np.stack([_whole(y) for y in x]) if isinstance(x, (list, tuple)) and _holds(x) else x


def _at_least(x: Any, rank: int) -> Any:
    return x[(None,) * (rank - x.ndim)] if x.ndim < rank else x


def _maker(name: str, copies: bool, rank: int = 0) -> Callable:
    own = _NUMPY[name]

    def from_captured(x: Any, dtype: Any = None, order: Any = None, *, copy: Any = copies, ndmin: int = 0, **_: Any) -> Any:
        y = _whole(x)
        y = y if dtype is None or y.dtype == np.dtype(dtype) else y.astype(dtype)
        return _at_least(y.copy() if copy and y is x else y, max(ndmin, rank))

    @functools.wraps(own)
    def make(*args: Any, **named: Any) -> Any:
        if args and _holds(args[0]):
            return from_captured(*args, **named)
        y = own(*args, **named)
        there = args and isinstance(args[0], np.ndarray) and np.may_share_memory(y, args[0])  # so what is written into y is also there
        return y if there else _own(y, sys._getframe(1))

    return make


class Own:
    """What becomes of the arrays that a function makes itself. numpy computes with them, which is how constants come about. But it cannot
    write captured values into them, nor index them by such: then the function is captured again, and they are captured, too. If that
    fails, it is captured once more with numpy's arrays, and an element that is written into one is a number that Python reads."""

    def __init__(self, recorder: Recorder, attempt: int):
        self.recorder, self.attempt, self.any = recorder, attempt, False
        self.stored: Optional[CaptureError] = None  # why an element cannot be written, which numpy may hide in an error of its own

    @property
    def stays(self) -> bool:
        """Tells whether an element that is written into an array is a reason to try again."""
        return self.any and self.attempt == 0

    def give_up(self, why: str) -> None:
        try:
            refuse(why)
        except CaptureError as e:
            self.stored = e
            raise

    def __call__(self, x: np.ndarray) -> Any:
        self.any = True
        if self.attempt != 1 or type(x) is not np.ndarray or no_array(x):
            return x
        if x.size and x.dtype in WORDS and x.tobytes() == x.flat[0].tobytes() * x.size:  # a 0 has a sign
            return np.broadcast_to(self.recorder.constant(x.flat[0].item(), x.dtype), x.shape).copy()
        return self.recorder.hold(x).copy()


def _own(x: Any, frame: Any) -> Any:
    """Returns x, or what is captured for it. Arrays that this package or numpy makes stay."""
    own = getattr(_current, "own", None)
    return x if not own or frame.f_globals.get("__name__", "").split(".")[0] in ("numpy", __name__.split(".")[0]) else own(x)


def _full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", **named: Any) -> Any:
    if not _holds(fill_value):
        return _NUMPY["full"](shape, fill_value, dtype, order, **named)
    y = _whole(fill_value)
    return np.broadcast_to(y if dtype is None else y.astype(dtype), shape).copy()


def _own_maker(name: str) -> Callable:
    make = _full if name == "full" else _NUMPY[name]
    return functools.wraps(make)(lambda *args, **named: _own(make(*args, **named), sys._getframe(1)))


class _Joiner:
    """np.r_ or np.c_: joins what stands in brackets along an axis, as arrays of a least rank; a shorter array's axes begin at `first`."""

    def __init__(self, name: str, axis: int, rank: int, first: int):
        self.own, self.axis, self.rank, self.first = _NUMPY[name], axis, rank, first

    def __getattr__(self, name: str) -> Any:
        return getattr(self.own, name)

    def __len__(self) -> int:
        return len(self.own)

    def __getitem__(self, key: Any) -> Any:
        items: List[Any] = list(key) if isinstance(key, tuple) else [key]
        if not any(map(_holds, items)):
            return self.own[key]
        axis, rank, first = self.axis, self.rank, self.first
        if isinstance(items[0], str):
            axis, rank, first = self._words(items.pop(0))
        parts = [self._range(x) if isinstance(x, slice) else _whole(x) for x in items]
        parts = [np.asarray(x) if isinstance(x, (list, tuple)) else x for x in parts]
        type_ = _NUMPY["r_"][tuple(map(self._like, parts))].dtype  # numpy's versions differ in the rule for scalars
        parts = [x if hasattr(x, "ndim") else np.asarray(x, type_) for x in parts]
        return np.concatenate([self._placed(x, rank, first).astype(type_) for x in parts], axis=axis)

    def _words(self, text: str) -> Tuple[int, int, int]:
        """Reads "axis", "axis,rank" or "axis,rank,first"."""
        numbers = text.split(",")
        if not all(n.strip().lstrip("-").isdigit() for n in numbers) or len(numbers) > 3:
            refuse(f"'{text}' in np.r_ makes a matrix, which cannot be captured")
        return tuple(int(n) for n in numbers) + (self.axis, self.rank, self.first)[len(numbers):]

    @staticmethod
    def _like(x: Any) -> Any:
        """A small array of x's type, or a scalar where x is one."""
        if not hasattr(x, "dtype"):
            return x
        return np.zeros(1, x.dtype) if x.ndim else np.dtype(x.dtype).type(0)

    @staticmethod
    def _range(x: slice) -> np.ndarray:
        return _NUMPY["r_"][x]

    @staticmethod
    def _placed(x: Any, rank: int, first: int) -> Any:
        """Gives an array its least rank: new axes come first, or where its own axes don't begin."""
        own, new = x.ndim, rank - x.ndim
        x = _at_least(x, rank)
        if new <= 0 or first == -1 or not own:
            return x
        k = first if first >= 0 else first + new + 1
        axes = list(range(rank))
        return np.transpose(x, axes[:k] + axes[new:] + axes[k:new])


_OURS: Dict[str, Any] = {
    "array": _maker("array", True), "asarray": _maker("asarray", False), "asanyarray": _maker("asanyarray", False),
    "ascontiguousarray": _maker("ascontiguousarray", False, 1), "r_": _Joiner("r_", 0, 1, -1), "c_": _Joiner("c_", -1, 2, 0),
    **{name: _own_maker(name) for name in _OWN},
}


def _install(what: Dict[str, Any]) -> None:
    for name, function in what.items():
        setattr(np, name, function)


@contextlib.contextmanager
def makers(own: Own) -> Iterator[None]:
    """Replaces numpy's functions for the time of a capture."""
    global _captures
    before, _current.own = getattr(_current, "own", None), own
    with _lock:
        _captures += 1
        if _captures == 1:
            _before.update({name: getattr(np, name) for name in _OURS})
            _install(_OURS)
    try:
        yield
    finally:
        _current.own = before
        with _lock:
            _captures -= 1
            if not _captures:
                _install(_before)
