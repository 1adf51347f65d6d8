"""numpy's functions over samples: averages, orders, sums along lines. Each body is numpy again, over captured values."""

import warnings
from operator import index
from typing import Any

import numpy as np

from ._capture import Refused, Traced, refuse
from ._functions import made
from ._places import _add, _known
from ._rows import FUNCTIONS, _array, _axes, _trial, row


def _float(x: Traced) -> Traced:
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _line(x: Traced, axis: Any) -> Any:
    """Returns x with the axis last; all elements are one line if there is no axis."""
    return np.ravel(x) if axis is None else np.moveaxis(x, axis, -1)


# ---------------------------------------------------------------------- averages
@row(np.average)
def _average(r, a, axis=None, weights=None, returned=False, keepdims=False):
    x = _array(r, a)
    keepdims = False if keepdims is np._NoValue else keepdims
    if returned or isinstance(axis, tuple) and weights is not None:
        refuse("np.average that returns weights, or of weights over several axes, cannot be captured")
    if weights is None:
        return np.mean(x, axis=axis, keepdims=keepdims)
    w = _array(r, weights)
    type_ = np.result_type(x.dtype, w.dtype, np.float64 if x.dtype.kind in "iub" else x.dtype)
    if w.ndim != x.ndim:
        w = np.reshape(w, [-1 if i == axis % x.ndim else 1 for i in range(x.ndim)])
    scale = np.sum(w * np.ones_like(x, dtype=type_), axis=axis, dtype=type_, keepdims=keepdims)
    return (np.sum(x * w, axis=axis, dtype=type_, keepdims=keepdims) / scale).astype(type_)


@made(np.cov)
def _cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    if fweights is not None or aweights is not None or m.ndim > 2:
        refuse("np.cov with weights cannot be captured")
    x = np.atleast_2d(m if rowvar or m.ndim == 1 else m.T).astype(dtype or np.result_type(m.dtype, np.float64))
    if y is not None:
        other = np.atleast_2d(y if rowvar or np.ndim(y) == 1 else y.T)
        x = np.concatenate([x, other.astype(x.dtype)], 0)
    x = x - np.mean(x, axis=1, keepdims=True)
    c = x @ x.T / (x.shape[1] - ((0 if bias else 1) if ddof is None else ddof))
    return np.reshape(c, ()) if c.shape == (1, 1) else c


@made(np.corrcoef)
def _corrcoef(x, y=None, rowvar=True, dtype=None):
    c = np.cov(x, y, rowvar, dtype=dtype)
    if not c.ndim:
        return c / c
    d = np.sqrt(np.diagonal(c))
    return np.clip(c / d[:, None] / d[None, :], -1, 1)


def _without(neutral: Any, function, all_nan: bool = True):
    """Makes a function that passes over NaN, which becomes the neutral element."""

    def run(a, axis=None, **named):
        if a.dtype.kind != "f":
            return function(a, axis=axis, **named)
        y = function(np.where(np.isnan(a), neutral, a).astype(a.dtype), axis=axis, **named)
        keep = named.get("keepdims", False)
        return np.where(np.all(np.isnan(a), axis=axis, keepdims=keep), np.nan, y).astype(y.dtype) if all_nan else y

    return run


made(np.nanmax)(_without(-np.inf, np.max))
made(np.nanmin)(_without(np.inf, np.min))
made(np.nansum)(_without(0, np.sum, False))
made(np.nanprod)(_without(1, np.prod, False))
made(np.nancumsum)(_without(0, np.cumsum, False))
made(np.nancumprod)(_without(1, np.cumprod, False))
made(np.nanargmax)(_without(-np.inf, np.argmax, False))
made(np.nanargmin)(_without(np.inf, np.argmin, False))


@made(np.nanmean)
def _nanmean(a, axis=None, keepdims=False):
    x = _float(a)
    return np.nansum(x, axis=axis, keepdims=keepdims) / np.sum(~np.isnan(x), axis=axis, keepdims=keepdims).astype(x.dtype)


@made(np.nanvar)
def _nanvar(a, axis=None, ddof=0, keepdims=False):
    x = _float(a)
    far = np.nansum((x - np.nanmean(x, axis=axis, keepdims=True)) ** 2, axis=axis, keepdims=keepdims)
    return far / (np.sum(~np.isnan(x), axis=axis, keepdims=keepdims) - ddof).astype(x.dtype)


made(np.nanstd)(lambda a, axis=None, ddof=0, keepdims=False: np.sqrt(np.nanvar(a, axis=axis, ddof=ddof, keepdims=keepdims)))


# ---------------------------------------------------------------------- orders
@made(np.quantile)
def _quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, **_):
    if out is not None or method != "linear" or isinstance(axis, tuple) or (keepdims and axis is None):
        refuse("np.quantile with out, by another method, over several axes, or over all with keepdims cannot be captured")
    given, q = q, _known(q, "the place of a quantile")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        type_ = np.quantile(_trial(a), given).dtype
    x = np.sort(_line(a, axis).astype(type_), axis=-1)
    n, found = x.shape[-1], []
    for p in q.reshape(-1):
        at = p * (n - 1)
        low = min(int(np.floor(at)), n - 1)
        below, above, part = x[..., low], x[..., min(low + 1, n - 1)], type_.type(at - low)
        y = below + (above - below) * part if part < 0.5 else above - (above - below) * (1 - part)
        y = np.where(np.isnan(x[..., -1]), x[..., -1], y)
        found.append(np.expand_dims(y, axis) if keepdims else y)
    if q.ndim < 2:
        return np.stack(found) if q.ndim else found[0]
    return np.reshape(np.stack(found), q.shape + tuple(found[0].shape))


@made(np.percentile)
def _percentile(a, q, *args, **named):
    q = q if isinstance(q, (int, float)) else _known(q, "the place of a percentile")
    return np.quantile(a, np.true_divide(q, a.dtype.type(100) if a.dtype.kind == "f" else 100), *args, **named)


def _ordered(function, by):
    def run(a, kth, axis=-1, kind="introselect", order=None):
        return by(a, axis=axis)  # any order with these elements at their places is one

    made(function)(run)


_ordered(np.partition, np.sort)
_ordered(np.argpartition, np.argsort)


@row(np.searchsorted)
def _searchsorted(r, a, v, side="left", sorter=None):
    if sorter is not None:
        refuse("np.searchsorted with sorter cannot be captured")
    edges, x = _array(r, a), _array(r, v)[..., None]
    return np.sum(edges < x if side == "left" else edges <= x, axis=-1)


@row(np.digitize)
def _digitize(r, x, bins, right=False):
    edges = _known(bins, "the bins of np.digitize")
    rising = bool((np.diff(edges) >= 0).all())
    if not rising and not (np.diff(edges) <= 0).all():
        raise ValueError("bins must be monotonically increasing or decreasing")
    x = _array(r, x)[..., None]
    below = (edges < x if right else edges <= x) if rising else (x <= edges if right else x < edges)
    return np.sum(below, axis=-1)


@row(np.interp)
def _interp(r, x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        refuse("np.interp with a period cannot be captured")
    x, xp, fp = (_array(r, v).astype(np.float64) for v in (x, xp, fp))
    n = xp.shape[0]
    if n == 1:
        y = np.zeros_like(x) + fp[0]
    else:
        at = np.clip(np.searchsorted(xp, x, "right") - 1, 0, n - 2)
        slope = (fp[1:] - fp[:-1]) / (xp[1:] - xp[:-1])
        y = np.take(slope, at) * (x - np.take(xp, at)) + np.take(fp, at)
    y = np.where(x < xp[0], fp[0] if left is None else left, y)
    return np.where(x >= xp[-1], np.where(x == xp[-1], fp[-1], fp[-1] if right is None else right), y)


@row(np.isin)
def _isin(r, element, test_elements, assume_unique=False, invert=False, *, kind=None):
    found = np.any(_array(r, element)[..., None] == np.ravel(_array(r, test_elements)), axis=-1)
    return ~found if invert else found


# ---------------------------------------------------------------------- lines
@made(np.gradient)
def _gradient(f, *varargs, axis=None, edge_order=1):
    axes = _axes(f, axis)
    steps = list(varargs or (1.0,)) * (len(axes) if len(varargs) < 2 else 1)
    if edge_order != 1 or len(steps) != len(axes) or any(np.ndim(h) for h in steps):
        refuse("np.gradient of second order at its edges, or with places as arrays, cannot be captured")
    x, found = _float(f), []
    if any(n < 2 for n in (x._sizes[i] for i in axes)):
        raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required.")
    for i, h in zip(axes, steps):
        at = lambda a, b: x[(slice(None),) * i + (slice(a, b),)]
        found.append(np.concatenate([(at(1, 2) - at(0, 1)) / h, (at(2, None) - at(None, -2)) / (2 * h), (at(-1, None) - at(-2, -1)) / h], i))
    return found[0] if len(found) == 1 else tuple(found)


def _trapezoid(y, x=None, dx=1.0, axis=-1):
    at = (slice(None),) * _axes(y, axis)[0]
    if x is not None:
        dx = np.diff(x, axis=axis) if np.ndim(x) > 1 else np.reshape(np.diff(x), [-1 if i == len(at) else 1 for i in range(y.ndim)])
    return np.sum(dx * (y[at + (slice(1, None),)] + y[at + (slice(None, -1),)]) / 2.0, axis=axis)


_add(np, "trapezoid", _trapezoid)
_add(np, "trapz", _trapezoid)


def _slide(x: Traced, y: Traced) -> Traced:
    """Returns the sums of products of x with y, moved from where they begin to meet to where they end."""
    n, m = x.shape[0], y.shape[0]
    wide = np.pad(x, m - 1)
    return np.take(wide, np.arange(n + m - 1)[:, None] + np.arange(m)) @ y


def _middle(full: Traced, n: int, m: int, mode: str) -> Traced:
    """Cuts the lines of n and m elements' full result to numpy's mode; n is not less than m."""
    if mode not in ("full", "same", "valid"):
        refuse(f"the mode {mode!r} cannot be captured")
    start = 0 if mode == "full" else m - 1 - m // 2 if mode == "same" else m - 1
    return full[start:start + (n + m - 1 if mode == "full" else n if mode == "same" else n - m + 1)]


def _lines(r, a, v) -> Any:
    x, y = _array(r, a), _array(r, v)
    type_ = np.result_type(x.dtype, y.dtype)
    for word, one in (("a", x), ("v", y)):
        if not one._sizes[0]:
            raise ValueError(f"{word} cannot be empty")
    return x.astype(type_), y.astype(type_)


@row(np.convolve)
def _convolve(r, a, v, mode="full"):
    x, y = _lines(r, a, v)
    x, y = (y, x) if y.shape[0] > x.shape[0] else (x, y)
    return _middle(_slide(x, y[::-1]), x.shape[0], y.shape[0], mode)


@row(np.correlate)
def _correlate(r, a, v, mode="valid"):
    x, y = _lines(r, a, v)
    if y.shape[0] > x.shape[0]:
        return _middle(_slide(y, x), y.shape[0], x.shape[0], mode)[::-1]
    return _middle(_slide(x, y), x.shape[0], y.shape[0], mode)


@row(np.polyval)
def _polyval(r, p, x):
    x = _array(r, x)
    y = np.zeros_like(x)
    for coefficient in p if isinstance(p, Traced) else np.asarray(p):
        y = y * x + coefficient
    return y


@made(np.vander)
def _vander(x, N=None, increasing=False):
    if x.ndim != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    n = x.shape[0] if N is None else N
    v = x.astype(np.promote_types(x.dtype, int))
    columns = [np.ones_like(v)]
    while len(columns) < n:
        columns.append(columns[-1] * v)
    if not n:
        return columns[0][:, None][:, :0]
    return np.stack(columns[:n] if increasing else columns[:n][::-1], 1)


@made(np.apply_over_axes)
def _apply_over_axes(func, a, axes):
    for i in _axes(a, axes):
        a = func(a, axis=i) if np.ndim(func(a, axis=i)) == a.ndim else np.expand_dims(func(a, axis=i), i)
    return a


made(np.ediff1d)(lambda ary, to_end=None, to_begin=None: np.diff(np.ravel(ary)) if to_end is to_begin is None else refuse(
    "np.ediff1d with ends cannot be captured"))
_add(np, "cumulative_sum", lambda x, axis=None, dtype=None, include_initial=False, **_: refuse(
    "np.cumulative_sum with include_initial cannot be captured") if include_initial else np.cumsum(x if dtype is None else x.astype(dtype), axis=0 if axis is None else index(axis)))
_add(np, "cumulative_prod", lambda x, axis=None, dtype=None, include_initial=False, **_: refuse(
    "np.cumulative_prod with include_initial cannot be captured") if include_initial else np.cumprod(x if dtype is None else x.astype(dtype), axis=0 if axis is None else index(axis)))
_add(np.linalg, "vector_norm", lambda x, axis=None, keepdims=False, ord=2: np.linalg.norm(
    np.ravel(x) if axis is None else x, ord, axis if axis is not None else 0, keepdims))
_add(np.linalg, "matrix_norm", lambda x, keepdims=False, ord="fro": np.linalg.norm(x, ord, (-2, -1), keepdims))
FUNCTIONS.update({np.allclose: lambda r, a, b, rtol=1e-05, atol=1e-08, equal_nan=False: np.all(np.isclose(a, b, rtol, atol, equal_nan)),
                  np.array_equal: lambda r, a1, a2, equal_nan=False: np.shape(a1) == np.shape(a2) and np.all(
                      np.equal(a1, a2) | (np.isnan(a1) & np.isnan(a2)) if equal_nan else np.equal(a1, a2))})
for _f in (np.shares_memory, np.may_share_memory):
    made(_f)(lambda *_, **__: refuse("whether arrays share memory has no meaning before the function runs", Refused))
