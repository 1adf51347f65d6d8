"""Places that data decide: what x[mask] gives, and what x[mask] = y and x[indices] = y change."""

import re
from collections import OrderedDict
from operator import getitem
from typing import Any

import numpy as np

from ._capture import CaptureError, Recorder, Traced, refuse
from ._rows import _value, cast, part


def is_mask(key: Any) -> bool:
    return isinstance(key, Traced) and key.dtype.kind == "b"


def _wide(x: Traced, mask: Traced) -> Traced:
    """The mask with axes of size 1 for those of x that it leaves whole."""
    if mask.ndim > x.ndim or mask._sizes != x._sizes[:mask.ndim]:
        raise IndexError(f"a mask of shape {mask._sizes} does not fit an array of shape {x._sizes}")
    return np.expand_dims(mask, tuple(range(mask.ndim, x.ndim))) if mask.ndim < x.ndim else mask


def _same(r: Recorder, a: str, b: str, depth: int = 0) -> bool:
    """Tells whether two values are computed in the same way: x > 0 may be written twice."""
    if a == b:
        return True
    if a in r._constants and b in r._constants:
        return r._constants[a].split(":", 1)[1] == r._constants[b].split(":", 1)[1]
    lines = {line.split(" = ", 1)[0].split("[", 1)[0]: line for block in [*r.outer, r.lines] for line in block if " = " in line}
    if depth > 16 or a not in lines or b not in lines:
        return False
    one, two = (re.findall(r"\w+|\W", lines[n][len(n):]) for n in (a, b))
    return len(one) == len(two) and all(x == y or x in r._types and y in r._types and _same(r, x, y, depth + 1) for x, y in zip(one, two))


def _same_rank(a: Traced, b: Traced) -> None:
    """Numpy aligns a[mask] and b[mask] by their last axes. Only for arrays of one rank these are axes of a and b that meet, too."""
    if a.ndim != b.ndim:
        refuse(f"x[mask] and y[mask] are put together only for x and y of as many dimensions, and here these have {a.ndim} and {b.ndim}; "
               "np.where chooses by a mask")


def _fits(value: Traced, x: Traced) -> None:
    """What is written to x[mask] never makes x larger."""
    n = len(value._sizes)
    if any(a not in (1, b) for a, b in zip(value._sizes, x._sizes[x.ndim - n:])):
        raise ValueError(f"values of shape {value._sizes} do not fit the places that a mask chooses in an array of shape {x._sizes}")


class Selected(np.lib.mixins.NDArrayOperatorsMixin):
    """x[mask]. Data decide its size, but functions of each element, sums and means are known all the same, and it can be written back to
    the places of the mask."""

    __array_priority__ = 2000
    __hash__ = None

    def __init__(self, whole: Traced, mask: Traced):
        self.whole, self.mask = whole, mask
        self.dtype = whole.dtype

    def __repr__(self) -> str:
        return f"<captured {self.dtype} where a mask is true>"

    def found(self) -> Any:
        """Returns the elements themselves, which numpy takes out at a graph break."""
        r = self.whole._recorder
        try:
            refuse("x[mask] has a size that data decide; np.where chooses by a mask")
        except CaptureError as e:
            return r.outside(e, getitem, (self.whole, self.mask), {})

    def _operand(self, x: Any) -> Any:
        if isinstance(x, Selected):
            if not _same(self.mask._recorder, x.mask._name, self.mask._name):
                refuse("parts of two masks are not put together; np.where chooses by a mask")
            _same_rank(x.whole, self.whole)
            return x.whole
        return x if np.ndim(x) <= self.whole.ndim - self.mask.ndim else refuse("x[mask] beside another array has a size that data decide; np.where chooses by a mask")

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **named):
        try:
            return self._ufunc(ufunc, method, *inputs, out=out, **named)
        except CaptureError:
            if out is not None:
                raise
        return getattr(ufunc, method)(*[x.found() if isinstance(x, Selected) else x for x in inputs], **named)

    def _ufunc(self, ufunc, method, *inputs, out, **named):
        if method == "reduce" and ufunc in _SUMS and set(named) <= {"axis"} and out is None:
            return self._sum(_SUMS[ufunc], named.get("axis", 0))
        if method != "__call__" or named or ufunc.nout > 1:
            refuse(f"np.{ufunc.__name__} of x[mask] cannot be captured like this; np.where chooses by a mask")
        y = ufunc(*[self._operand(x) for x in inputs])
        if out is None:
            return Selected(y, self.mask)
        if out[0] is not self or not np.can_cast(y.dtype, self.dtype, "same_kind"):
            refuse("a result of another type cannot be written here")
        _fits(y, self.whole)
        self.whole = cast(y, self.dtype)
        return self

    def _sum(self, function: Any, axis: Any = None) -> Traced:
        if axis not in (None, 0):
            refuse(f"np.{function.__name__} of x[mask] along this axis cannot be captured; np.where chooses by a mask")
        rows = self.mask.ndim < self.whole.ndim and axis == 0
        return function(self.whole, axis=tuple(range(self.mask.ndim)) if rows else None, where=_wide(self.whole, self.mask))

    def __array_function__(self, function, _types, args, named):
        alone = len(args) == 1 and args[0] is self
        if function is np.count_nonzero and alone and not named:
            return np.sum((self.whole != 0) & _wide(self.whole, self.mask))
        if function in (np.sum, np.prod, np.any, np.all, np.mean) and alone and set(named) <= {"axis"} and named.get("axis") in (None, 0):
            return self._sum(function, **named)
        return function(*_found(args), **_found(named))

    __getitem__ = lambda self, key: self.found()[key]
    __iter__ = lambda self: iter(self.found())

    def astype(self, dtype, **_):
        return Selected(self.whole.astype(dtype), self.mask)

    def copy(self, *_):
        return Selected(self.whole, self.mask)

    size = property(lambda self: int(np.sum(_wide(self.whole, self.mask) & np.ones_like(self.whole, dtype=bool))))
    __len__ = lambda self: int(np.sum(self.mask))

    def __array__(self, *_args, **_named):
        refuse("x[mask] has a size that data decide; np.where chooses by a mask")

    def __getattr__(self, name: str):
        if name in ("sum", "prod", "any", "all", "mean"):
            return lambda *args, **named: getattr(np, name)(self, *args, **named)
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.found(), name)


def _found(x: Any) -> Any:
    """Returns x with the elements themselves in place of what masks choose."""
    if isinstance(x, Selected):
        return x.found()
    if type(x) in (tuple, list) or hasattr(type(x), "_make"):
        return getattr(type(x), "_make", type(x))(map(_found, x))
    return type(x)((k, _found(v)) for k, v in x.items()) if type(x) in (dict, OrderedDict) else x


_SUMS = {np.add: np.sum, np.multiply: np.prod, np.logical_or: np.any, np.logical_and: np.all}


def _now(x: Traced) -> Traced:
    """The value that x has now: x itself may change in place."""
    return Traced(x._recorder, x._name, x.dtype, x._sizes, x._dims)


def select(x: Traced, mask: Traced) -> Selected:
    _wide(x, mask)
    return Selected(_now(x), _now(mask))


def assign_mask(x: Traced, mask: Traced, value: Any) -> Traced:
    """Returns the array that x is after x[mask] = value."""
    wide = _wide(x, mask)
    if isinstance(value, Selected):
        if not _same(mask._recorder, value.mask._name, mask._name):
            refuse("what another mask has chosen is not put here; np.where chooses by a mask")
        value = value.whole
        _same_rank(value, x)
    elif np.ndim(value) > x.ndim - mask.ndim:
        refuse("a mask is given numbers or rows of the array's own size here; np.where chooses between arrays")
    v = _value(x._recorder, value, x.dtype)
    _fits(v, x)
    return np.where(wide, v, x)


REDUCERS = {None: "last", np.add: "sum", np.multiply: "prod", np.maximum: "max", np.minimum: "min"}


def assign_places(x: Traced, key: Any, value: Any, ufunc: Any = None) -> Traced:
    """Returns the array that x is after x[key] = value, where data decide the places, or after ufunc.at(x, key, value). Of several values
    for one place, the last one counts, as in numpy, or all do."""
    r = x._recorder
    r.pinned |= frozenset().union(*x._dims)
    if ufunc not in REDUCERS or (ufunc and x.dtype.kind == "b"):
        refuse(f"np.{ufunc.__name__}.at cannot be captured")
    if is_mask(key):
        refuse(f"np.{ufunc.__name__}.at with a mask cannot be captured; x[mask] = y changes the places of a mask")
    places = part(r.hold(np.arange(int(np.prod(x._sizes, dtype=np.int64))).reshape(x._sizes)), key)
    r.pinned |= frozenset().union(*places._dims)
    v = _value(r, value, x.dtype)
    if np.broadcast_shapes(v._sizes, places._sizes) != places._sizes and v.size != np.prod(places._sizes):
        raise ValueError(f"could not broadcast input array from shape {v._sizes} into shape {places._sizes}")
    v, at, flat = (np.ravel(y) for y in (np.broadcast_to(v, places._sizes), places, x))
    word = REDUCERS[ufunc]
    y = r.emit(f"{word}[a0] {v._name}[a0] over {flat._name}", f"[{at._name}[a0]]: {r._types[flat._name]}")
    return np.reshape(y, x._sizes)
