"""The functions of numpy that consist of others: each body is numpy again, over captured values."""

import math
from operator import index
from typing import Any, List

import numpy as np

from ._capture import METHODS, Traced, _method, refuse
from ._rows import ACCUMULATIONS, COMPOSED, FUNCTIONS, SEVERAL, _array, _axes, _list, _one_axis, _trial, _type_of, _value, cast, row


def made(*functions):
    """Adds a row whose body needs no recorder, because numpy's own functions find it."""

    def note(f):
        FUNCTIONS.update((function, lambda r, *args, **named: f(*args, **named)) for function in functions)
        return f

    return note


# ---------------------------------------------------------------------- numbers
def _hypot(a, b):
    big, small = np.maximum(abs(a), abs(b)), np.minimum(abs(a), abs(b))
    ratio = small / np.where(big == 0, 1, big)
    length = np.where(big == small, big * math.sqrt(2), big * np.sqrt(1 + ratio * ratio))
    return np.where(np.isinf(a) | np.isinf(b), math.inf, length)  # even if the other is NaN


def _logaddexp(a, b):
    return np.where(a == b, a + math.log(2), np.maximum(a, b) + np.log1p(np.exp(-abs(a - b))))


def _floored(a, b):
    """Divides as numpy defines it: the remainder is subtracted first, so rounding the quotient is safe, and a 0 has the quotient's sign."""
    rest = np.fmod(a, b)
    below = np.rint((a - rest) / b) - ((rest != 0) & ((rest < 0) != (b < 0)))
    return np.where(b == 0, a / b, np.where(below == 0, a / b * 0, below))


def _remainder(a, b):
    """Divides as numpy defines it: a remainder of 0 has the divisor's sign."""
    rest = a._recorder.emit(f"mod({a._name}, {b._name})")
    return np.where(b < 0, -(0 - rest), rest + 0)


def _atan2(y, x):
    """Measures the angle of a point, also where a coordinate is 0 or infinite."""
    half = np.where(np.signbit(y), -math.pi, math.pi).astype(y.dtype)
    both = np.isinf(x) & np.isinf(y)
    turn = np.arctan(np.where(both, np.sign(y) * np.sign(x), y / np.where(x == 0, 1, x)))
    bent = np.where(x == 0, half / 2, np.where(x < 0, turn + half, turn))
    flat = np.where(np.signbit(x), half, y)
    return np.where(np.isnan(x) | np.isnan(y), x + y, np.where(y == 0, flat, bent))


def _modf(x):
    x = cast(x, _type_of(np.modf, x))
    return np.where(np.isinf(x), np.copysign(0, x), np.copysign(x - np.trunc(x), x)), np.trunc(x)


def _ldexp(x, n):
    type_ = _type_of(np.ldexp, x, n)
    return np.multiply(x, np.exp2(n, dtype=type_), dtype=type_)


COMPOSED.update({
    np.arctan2: _atan2, np.copysign: lambda x, y: np.where(np.signbit(y), -abs(x), abs(x)), np.float_power: np.power,
    np.logaddexp2: lambda a, b: np.where(a == b, a + 1, np.maximum(a, b) + np.log2(1 + np.exp2(-abs(a - b)))),
    np.cbrt: lambda x: np.sign(x) * np.power(abs(x), 1 / 3), np.hypot: _hypot, np.logaddexp: _logaddexp,
    np.log10: lambda x: np.log(x) * (1 / math.log(10)), np.floor_divide: _floored, np.remainder: _remainder,
    np.deg2rad: lambda x: x * (math.pi / 180), np.radians: lambda x: x * (math.pi / 180),
    np.rad2deg: lambda x: x * (180 / math.pi), np.degrees: lambda x: x * (180 / math.pi),
    np.fmax: lambda a, b: np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.maximum(a, b))),
    np.fmin: lambda a, b: np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.minimum(a, b))),
    np.heaviside: lambda x, half: np.where(x == 0, half, np.where(np.isnan(x), x, x > 0)),
})


SEVERAL.update({
    np.divmod: lambda a, b: (np.floor_divide(a, b), np.remainder(a, b)),
    np.modf: _modf,
    np.signbit: lambda x: (x < 0) | ((x == 0) & (1 / x < 0)) if x.dtype.kind == "f" else x < 0,
    np.ldexp: _ldexp,
    np.conjugate: lambda x: x.copy(),
})
if hasattr(np, "vecdot"):
    SEVERAL[np.vecdot] = lambda a, b: np.sum(a * b, axis=-1)
ACCUMULATIONS.update({
    np.add: lambda x, axis=0: np.cumsum(x, axis=axis), np.multiply: lambda x, axis=0: np.cumprod(x, axis=axis),
    np.maximum: lambda x, axis=0: _accumulate(x, axis, np.maximum), np.minimum: lambda x, axis=0: _accumulate(x, axis, np.minimum),
})


def _accumulate(x, axis, combine):
    """Combines all elements up to each one, in steps of doubled length."""
    axis = _axes(x, axis)[0]
    at, n, step = (slice(None),) * axis, x.shape[axis], 1
    while step < n:
        x = np.concatenate([x[at + (slice(None, step),)], combine(x[at + (slice(step, None),)], x[at + (slice(None, n - step),)])], axis)
        step *= 2
    return x


made(np.fix)(lambda x, out=None: np.trunc(x) if x.dtype.kind == "f" else x.copy())
made(np.real)(lambda val: val)
made(np.imag)(np.zeros_like)
made(np.angle)(lambda z, deg=False: np.where(
    np.isnan(z), z, np.where(np.signbit(z), 180 if deg else math.pi, 0)).astype(np.result_type(z.dtype, np.float16)))
made(np.sinc)(lambda x: np.where(x == 0, 1, np.sin(math.pi * x) / (math.pi * np.where(x == 0, 1, x))))


@made(np.nan_to_num)
def _nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    if not copy:
        return x.become(_nan_to_num(x, True, nan, posinf, neginf))
    if x.dtype.kind != "f":
        return x.copy()
    most = np.finfo(x.dtype)
    y = np.where(np.isnan(x), nan, x)
    y = np.where(x == np.inf, most.max if posinf is None else posinf, y)
    return np.where(x == -np.inf, most.min if neginf is None else neginf, y).astype(x.dtype)


@made(*{np.round, np.around, np.round_} if hasattr(np, "round_") else {np.round, np.around})
def _round(a, decimals=0, out=None):
    if out is not None or (a.dtype.kind != "f" and decimals < 0):
        refuse("np.round with out, or of integers to tens, cannot be captured")
    if a.dtype.kind != "f":
        return a.copy()
    scale = 10.0 ** abs(decimals)
    y = np.rint(a) if not decimals else np.rint(a * scale) / scale if decimals > 0 else np.rint(a / scale) * scale
    return y.astype(a.dtype)


@made(np.isclose)
def _isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    close = (abs(a - b) <= atol + rtol * abs(b)) & np.isfinite(b) | (a == b)
    return close | (np.isnan(a) & np.isnan(b)) if equal_nan else close


# ---------------------------------------------------------------------- positions
def _ranked(x: Any, rank: int) -> Any:
    return x if np.ndim(x) >= rank else np.expand_dims(x, tuple(range(rank - np.ndim(x))))


def _all_ranked(rank: int):
    return lambda *arys: tuple(_ranked(x, rank) for x in arys) if len(arys) != 1 else _ranked(arys[0], rank)


made(np.atleast_1d)(_all_ranked(1))
made(np.atleast_2d)(_all_ranked(2))


@made(np.vstack)
def _vstack(tup):
    return np.concatenate([_ranked(x, 2) for x in tup], 0)


@made(np.hstack)
def _hstack(tup):
    parts = [_ranked(x, 1) for x in tup]
    return np.concatenate(parts, 0 if np.ndim(parts[0]) == 1 else 1)


@made(np.column_stack)
def _column_stack(tup):
    return np.concatenate([x if np.ndim(x) > 1 else _ranked(x, 1)[:, None] for x in tup], 1)


def _triangle(word: str):
    def run(m, k=0):
        if m.ndim < 2:
            refuse(f"np.{word} of one dimension cannot be captured")
        return m._recorder.emit(f"{word}({m._name}, k = {index(k)})")

    return run


made(np.tril)(_triangle("tril"))
made(np.triu)(_triangle("triu"))


@made(np.tile)
def _tile(A, reps):
    times = [index(n) for n in _list(reps)]
    x = _ranked(A, len(times))
    return x._recorder.emit(f"tile({x._name}, times = {[1] * (x.ndim - len(times)) + times})") if x.ndim else x


@made(np.repeat)
def _repeat(a, repeats, axis=None):
    if isinstance(repeats, Traced) or not isinstance(a, Traced):
        refuse("np.repeat takes numbers here; with an array, data decide the size")
    x, axis = _one_axis(a, axis)
    if np.ndim(repeats):
        return np.take(x, np.repeat(np.arange(x.shape[axis]), repeats), axis)
    return x._recorder.emit(f"repeat({x._name}, times = {repeats}, axis = {axis})")


@made(np.roll)
def _roll(a, shift, axis=None):
    if axis is None:
        return np.reshape(np.roll(np.ravel(a), shift, 0), a.shape)
    shifts, axes = np.broadcast_arrays(_list(shift), _list(axis))
    for s, i in zip(shifts, axes):
        a = a._recorder.emit(f"roll({a._name}, shift = {index(s)}, axis = {_axes(a, i)[0]})")
    return a


@made(np.diff)
def _diff(a, n=1, axis=-1, prepend=np._NoValue, append=np._NoValue):
    ends = [x if x is np._NoValue or np.ndim(x) else np.broadcast_to(x, [1 if i == axis % a.ndim else m for i, m in enumerate(a.shape)])
            for x in (prepend, append)]
    if not ends[0] is ends[1] is np._NoValue:
        a = np.concatenate([x for x in (ends[0], a, ends[1]) if x is not np._NoValue], axis)
    at = (slice(None),) * _axes(a, axis)[0]
    for _ in range(n):
        late, early = a[at + (slice(1, None),)], a[at + (slice(None, -1),)]
        a = late != early if a.dtype.kind == "b" else late - early
    return a


@row(np.take_along_axis)
def _take_along_axis(r, arr, indices, axis):
    x, ids = _array(r, arr), _array(r, indices)
    if axis is None:
        x, ids, axis = np.ravel(x), np.ravel(ids), 0
    if ids.dtype.kind not in "iu" or ids.ndim != x.ndim:
        refuse("np.take_along_axis needs integers of as many dimensions as the array has")
    at = _axes(x, axis)[0]
    if any(n != m for i, (n, m) in enumerate(zip(x._sizes, ids._sizes)) if i != at):  # the other axes broadcast
        others = np.broadcast_shapes(*[[1 if i == at else n for i, n in enumerate(y.shape)] for y in (x, ids)])
        x, ids = (np.broadcast_to(y, [y.shape[i] if i == at else n for i, n in enumerate(others)]) for y in (x, ids))
    return r.emit(f"gather_elements({x._name}, {ids._name}, axis = {_axes(x, axis)[0]})")


# ---------------------------------------------------------------------- contractions
def _contract(r, terms: List[str], out: str, operands, type_: np.dtype) -> Traced:
    """Writes an equation: the product of the operands, summed over the letters that are not in `out`."""
    if type_.kind == "b":
        return _contract(r, terms, out, operands, np.dtype("i4")) != 0
    values = [_value(r, x, type_) for x in operands]
    for term, x in zip(terms, values):
        if len(term) != x.ndim:
            refuse(f"the subscripts '{term}' do not fit {x.ndim} dimensions")
    names = lambda letters: ", ".join(f"i{ord(c)}" for c in letters)
    gone = "".join(dict.fromkeys(c for term in terms for c in term if c not in out))
    longer = {c for term, x in zip(terms, values) for c, n in zip(term, x._sizes) if n != 1}

    def element(term: str, x: Traced) -> str:
        ones = [c in longer and n == 1 for c, n in zip(term, x._sizes)]  # these axes are repeated
        r.pinned |= frozenset().union(*[d for d, one in zip(x._dims, ones) if one])
        return f"{x._name}[{', '.join('0' if one else names(c) for c, one in zip(term, ones))}]"

    product = " * ".join(element(term, x) for term, x in zip(terms, values))
    return r.emit(f"sum[{names(gone)}] {product}" if gone else product, f"[{names(out)}]")


@row(np.einsum)
def _einsum(r, subscripts, *operands, optimize=False, out=None, **named):
    if not isinstance(subscripts, str):  # array, axes, array, axes, ..., axes of the result
        flat = (subscripts, *operands)
        word = lambda axes: "".join("..." if i is Ellipsis else chr(97 + i) for i in axes)
        last = "->" + word(flat[-1]) if len(flat) % 2 else ""
        subscripts, operands = ",".join(word(axes) for axes in flat[1:len(flat) // 2 * 2:2]) + last, flat[:len(flat) // 2 * 2:2]
    if out is not None or named:
        refuse("np.einsum with out or other options cannot be captured")
    text, arrow, result = subscripts.replace(" ", "").partition("->")
    terms = text.split(",")
    if len(terms) != len(operands):
        refuse(f"np.einsum has {len(terms)} subscripts for {len(operands)} arrays")
    ranks = [np.ndim(x) - len(t.replace("...", "")) for t, x in zip(terms, operands)]
    many = max([n for t, n in zip(terms, ranks) if "..." in t], default=0)
    spread = "".join(chr(0x100 + i) for i in range(many))
    terms = [t.replace("...", spread[many - n:]) for t, n in zip(terms, ranks)]
    if not arrow:
        every = "".join(terms)
        result = spread + "".join(sorted(c for c in set(every) - set(spread) if every.count(c) == 1))
    type_ = np.result_type(*[_trial(x) for x in operands])
    return _contract(r, terms, result.replace("...", spread), operands, type_)


@row(np.tensordot)
def _tensordot(r, a, b, axes=2):
    x, y = _array(r, a), _array(r, b)
    if isinstance(axes, (int, np.integer)):
        axes = list(range(x.ndim - axes, x.ndim)), list(range(axes))
    left, right = (_axes(v, list(_list(i))) for v, i in zip((x, y), axes))
    first, second = [chr(97 + i) for i in range(x.ndim)], [chr(65 + i) for i in range(y.ndim)]
    for i, j in zip(left, right):
        second[j] = first[i]
    shared = {first[i] for i in left}
    out = "".join(c for c in first + second if c not in shared)
    return _contract(r, ["".join(first), "".join(second)], out, (x, y), np.result_type(x.dtype, y.dtype))


@made(np.outer)
def _outer(a, b, out=None):
    if out is not None:
        refuse("np.outer with out cannot be captured")
    return np.ravel(a)[:, None] * np.ravel(b)[None, :]


@made(np.inner)
def _inner(a, b):
    if np.ndim(a) and np.ndim(b):
        return np.tensordot(a, b, (-1, -1))
    a, b = (x if isinstance(x, Traced) else np.asarray(x) for x in (a, b))  # a number has the type that it has as an array
    type_ = np.promote_types(a.dtype, b.dtype)
    return a.astype(type_) * b.astype(type_)


# ---------------------------------------------------------------------- statistics
@made(np.linalg.norm)
def _norm(x, ord=None, axis=None, keepdims=False):
    x = x if x.dtype.kind == "f" else x.astype(np.float64)
    flat = axis is None and ord is None
    axes = tuple(_axes(x, axis))
    if len(axes) == 2 and ord in (1, -1, np.inf, -np.inf):  # sums along one axis, of which an extreme is taken
        along = axes[abs(ord) != 1]
        sums, other = np.sum(abs(x), axis=along, keepdims=True), axes[abs(ord) == 1]
        y = (np.max if ord > 0 else np.min)(sums, axis=other, keepdims=True)
        return y if keepdims else np.squeeze(y, axis=axes)
    if len(axes) == 2 and not flat and ord not in (None, "fro"):
        refuse(f"np.linalg.norm of matrices of order {ord} cannot be captured")
    if flat or ord in (None, "fro", 2):
        return np.sqrt(np.sum(x * x, axis=axes, keepdims=keepdims))
    if ord in (np.inf, -np.inf):
        return (np.max if ord > 0 else np.min)(abs(x), axis=axes, keepdims=keepdims)
    if ord == 0:
        return np.sum(x != 0, axis=axes, keepdims=keepdims).astype(x.dtype)
    total = np.sum(abs(x) if ord == 1 else abs(x) ** ord, axis=axes, keepdims=keepdims)
    return total if ord == 1 else (total ** (1 / ord)).astype(x.dtype)


@made(np.median)
def _median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    if out is not None or isinstance(axis, tuple) or (keepdims and axis is None):
        refuse("np.median with out, over several axes, or over all with keepdims cannot be captured")
    x, axis = _one_axis(a, axis)
    n, at = x.shape[axis], (slice(None),) * axis
    if not n:
        return np.mean(x, axis=axis, keepdims=keepdims)
    y = np.sort(x if x.dtype.kind == "f" else x.astype(np.float64), axis)
    mid = np.mean(y[at + (slice((n - 1) // 2, n // 2 + 1),)], axis=axis)
    last = y[at + (-1,)]
    mid = np.where(np.isnan(last), last, mid)
    return np.expand_dims(mid, axis) if keepdims else mid


made(np.ptp)(lambda a, axis=None, keepdims=False: np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims))
made(np.count_nonzero)(lambda a, axis=None, keepdims=False: np.sum(a != 0, axis=axis, keepdims=keepdims))
METHODS.update({name: _method(getattr(np, name)) for name in ("round", "repeat", "ptp")})
