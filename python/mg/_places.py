"""numpy's functions that cut, join and index arrays, with numpy itself over captured values.

Where a place in an array is known when the function is captured, numpy computes it, on an array of numbers of elements."""

import math
from operator import index
from typing import Any, List, Optional, Sequence, Tuple

import numpy as np

from ._capture import METHODS, Traced, _method, refuse
from ._functions import made
from ._masks import assign_mask, assign_places, is_mask
from ._rows import FUNCTIONS, _array, _axes, _list, _matmul, _one_axis, _trial, _value, _view, _wrapped, row


def _is_array(k: Any) -> bool:
    return isinstance(k, (Traced, np.ndarray, list, np.bool_)) or isinstance(k, bool)


def _known(x: Any, what: str) -> np.ndarray:
    """Returns a value that must be known when the function is captured."""
    if isinstance(x, Traced):
        refuse(f"{what} must be known when the function is captured")
    return np.asarray(x)


# ---------------------------------------------------------------------- indices that are arrays
def spread(keys: Sequence[Any]) -> List[Any]:
    """Replaces masks that are known by the places where they are true."""
    found: List[Any] = []
    for k in keys:
        if isinstance(k, (np.bool_, bool)):
            refuse("an index that is one bool adds an axis whose size it decides")
        if isinstance(k, (np.ndarray, list)) and np.asarray(_trial(k)).dtype.kind == "b":
            found += np.nonzero(np.asarray(k))
        else:
            found.append(np.asarray(k, np.int64) if isinstance(k, list) and not k else k)
    return found


def gather(x: Traced, keys: Sequence[Any]) -> Traced:
    """Writes x[keys], where keys has a slice, or an integer or an array of integers, for each axis of x. The arrays broadcast; their
    axes take the place of the first one, or come first if a slice stands between them."""
    r, picked = x._recorder, [i for i, k in enumerate(keys) if not isinstance(k, slice)]
    given = [_array(r, keys[i]) for i in picked]
    if any(k.dtype.kind not in "iu" for k in given):
        refuse("an index that is a mask decides a size; np.where chooses by a mask")
    shape = np.broadcast_shapes(*[k._sizes for k in given])
    for k in given:
        r.pinned |= frozenset().union(*[d for d, n in zip(k._dims, k._sizes) if n == 1])
    names = [f"a{i}" for i in range(len(shape))]
    subscripts, others = [], []
    sizes = r._types[x._name].split("[", 1)[1][:-1].split(", ")
    for i in range(x.ndim):
        if i not in picked:
            others.append(f"s{i}")
            subscripts.append(f"s{i}")
            continue
        k = given[picked.index(i)]
        at = ["0" if n == 1 and m != 1 else name for n, m, name in zip(k._sizes[::-1], shape[::-1], names[::-1])][::-1]
        subscripts.append(f"wrap(i64({k._name}[{', '.join(at)}]), {sizes[i]})")
    adjacent = picked == list(range(picked[0], picked[-1] + 1))
    first = picked[0] if adjacent else 0
    out = others[:first] + names + others[first:]
    return r.emit(f"{x._name}[{', '.join(subscripts)}]", f"[{', '.join(out)}]")


def _chosen(x: Traced, keys: Sequence[Any]) -> Traced:
    """Returns the mask of what keys choose: masks that data decide, beside slices and numbers."""
    if any(_is_array(k) and not is_mask(k) for k in keys):
        refuse("a mask beside arrays of indices decides the places; np.where chooses by a mask")
    used = sum(k.ndim if is_mask(k) else k is not None and k is not Ellipsis for k in keys)
    keys = [k for k in keys if k is not None]
    at = next((i for i, k in enumerate(keys) if k is Ellipsis), len(keys))
    keys = [*keys[:at], *[slice(None)] * (x.ndim - used), *keys[at + 1:]]
    known, whole, axis = np.zeros(x._sizes, bool), [], 0
    chosen = None
    for k in keys:
        if not is_mask(k):
            whole.append(k)
            axis += 1
            continue
        if k._sizes != x._sizes[axis:axis + k.ndim]:
            raise IndexError(f"a mask of shape {k._sizes} does not fit the axes of an array of shape {x._sizes} from {axis} on")
        wide = np.expand_dims(k, (*range(axis), *range(axis + k.ndim, x.ndim)))
        chosen = wide if chosen is None else refuse("several masks that data decide pair their places; np.where chooses by a mask")
        whole += [slice(None)] * k.ndim
        axis += k.ndim
    known[tuple(whole)] = True
    x._recorder.pinned |= frozenset().union(*x._dims)
    return chosen & known


def assign(x: Traced, key: Any, value: Any, by: Optional[Traced] = None) -> None:
    """Writes x[key] = value. x becomes a new array, in which the elements at these places are others. `by` is the value if it is a part
    of x that has changed."""
    r = x._recorder
    if is_mask(key):
        x.become(assign_mask(x, key, value), by)
        return
    if isinstance(key, tuple) and any(map(is_mask, key)) and not np.ndim(value):
        x.become(np.where(_chosen(x, key), _value(r, value, x.dtype), x), by)
        return
    if any(isinstance(k, Traced) for k in (key if isinstance(key, tuple) else (key,))):
        x.become(assign_places(x, key, value), by)
        return
    r.pinned |= frozenset().union(*x._dims)
    numbers = np.arange(int(np.prod(x._sizes, dtype=np.int64))).reshape(x._sizes)
    places, source = numbers[key], np.zeros(x._sizes, np.int64)
    v = _value(r, value, x.dtype)
    np.empty(places.shape, bool)[...] = np.broadcast_to(False, v._sizes)  # numpy's own error for a value that doesn't fit
    if not places.size:
        return
    mask = np.zeros(x._sizes, bool)
    source.reshape(-1)[places.reshape(-1)] = np.arange(places.size)
    mask.reshape(-1)[places.reshape(-1)] = True
    r.pinned |= frozenset().union(*v._dims)
    if v.ndim:
        v = np.take(np.ravel(np.broadcast_to(v, places.shape)), source)
    x.become(np.where(mask, v, x), by)


# ---------------------------------------------------------------------- places that are known
def _pick(x: Traced, places: np.ndarray) -> Traced:
    """Takes elements of x by their numbers in row-major order."""
    return np.take(np.ravel(x), places)


@made(np.pad)
def _pad(array, pad_width, mode="constant", **named):
    value = named.pop("constant_values", 0)
    if named or np.ndim(value) or not isinstance(mode, str) or mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        refuse(f"np.pad of mode {mode} with these options cannot be captured")
    if isinstance(pad_width, dict):
        pad_width = [pad_width.get(i, pad_width.get(i - array.ndim, 0)) for i in range(array.ndim)]
        pad_width = [w if isinstance(w, (tuple, list)) else (w, w) for w in pad_width]
    widths = np.broadcast_to(np.asarray(pad_width), (array.ndim, 2)).tolist()
    np.pad(np.ones((1,) * array.ndim), widths)  # numpy's own errors
    if mode == "constant":
        r = array._recorder
        before, after = [a for a, _ in widths], [b for _, b in widths]
        return r.emit(f"pad({array._name}, {_value(r, _wrapped(value, array.dtype), array.dtype)._name}, before = {before}, after = {after})")
    for axis, width in enumerate(widths):
        if any(width):
            array = np.take(array, np.pad(np.arange(array.shape[axis]), width, mode), axis)
    return array


@made(np.diagonal)
def _diagonal(a, offset=0, axis1=0, axis2=1):
    x = np.moveaxis(a, (axis1, axis2), (-2, -1))
    n, m = x.shape[-2], x.shape[-1]
    places = np.arange(n * m).reshape(n, m).diagonal(offset)

    def make(base):
        lines = np.moveaxis(base, (axis1, axis2), (-2, -1))
        return np.take(np.reshape(lines, tuple(lines.shape)[:-2] + (n * m,)), places, -1)

    return _view(a, "", make)


@made(np.diag)
def _diag(v, k=0):
    if v.ndim != 1:
        return np.diagonal(v, k)
    n = v.shape[0] + abs(k)
    places = np.clip(np.arange(n) - max(0, -k), 0, max(v.shape[0] - 1, 0))
    return np.where(np.eye(n, k=k, dtype=bool), np.take(v, places)[:, None], np.zeros((), v.dtype))


@made(np.trace)
def _trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    if out is not None:
        refuse("np.trace with out cannot be captured")
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


@made(np.delete)
def _delete(arr, obj, axis=None):
    x, axis = _one_axis(arr, axis)
    obj = obj if isinstance(obj, slice) else _known(obj, "what np.delete takes away")
    return np.take(x, np.delete(np.arange(x.shape[axis]), obj), axis)


@made(np.compress)
def _compress(condition, a, axis=None, out=None):
    x, axis = _one_axis(a, axis)
    return np.take(x, np.nonzero(_known(condition, "the condition of np.compress"))[0], axis)


made(np.resize)(lambda a, new_shape: _pick(a, np.resize(np.arange(a.size), new_shape)))


@made(np.choose)
def _choose(a, choices, out=None, mode="raise"):
    if out is not None:
        refuse("np.choose with out cannot be captured")
    n = len(choices)
    a = np.clip(a, 0, n - 1) if mode == "clip" else np.remainder(a, n) if mode == "wrap" else a
    y = choices[n - 1]
    for k in range(n - 2, -1, -1):
        y = np.where(a == k, choices[k], y)
    return y


@made(np.select)
def _select(condlist, choicelist, default=0):
    type_ = np.select([np.ones(1, bool)] * len(condlist), [np.ravel(_trial(x)) if isinstance(x, (Traced, np.ndarray)) else x for x in choicelist],
                      default).dtype
    y = np.asarray(default, type_)
    for condition, choice in zip(condlist[::-1], choicelist[::-1]):
        y = np.where(condition, choice, y)
    return y if y.dtype == type_ else y.astype(type_)


@made(np.piecewise)
def _piecewise(x, condlist, funclist):
    if any(map(callable, funclist)):
        refuse("np.piecewise with functions gives them parts whose sizes data decide; np.where chooses between arrays")
    y = funclist[-1] if len(funclist) > len(condlist) else 0
    for condition, value in zip(condlist, funclist):
        y = np.where(condition, value, y)
    return y.astype(x.dtype)


@row(np.ix_)
def _ix(r, *args):
    given = [_array(r, x) for x in args]
    return tuple(np.reshape(x, (1,) * k + (-1,) + (1,) * (len(given) - k - 1)) for k, x in enumerate(given))


# ---------------------------------------------------------------------- changes in place
def _target(x: Any, name: str) -> Traced:
    """The array that a function changes. numpy cannot write captured values into one of its own."""
    return x if isinstance(x, Traced) else refuse(f"np.{name} into an array that is not captured; np.zeros_like(x) makes one that is")


@made(np.copyto)
def _copyto(dst, src, casting="same_kind", where=True):
    x = _target(dst, "copyto")
    np.copyto(np.zeros((1,) * max(x.ndim, np.ndim(src)), x.dtype), _trial(src), casting)  # numpy's own errors
    x[...] = src if where is True else np.where(where, _value(x._recorder, src, x.dtype), x)


@made(np.fill_diagonal)
def _fill_diagonal(a, val, wrap=False):
    x = _target(a, "fill_diagonal")
    if x.ndim != 2 or wrap and x.shape[0] > x.shape[1]:
        refuse("np.fill_diagonal of other than two dimensions, or with wrap, cannot be captured")
    n = min(x.shape)
    x[np.arange(n), np.arange(n)] = val if not np.ndim(val) else np.resize(val, n)


@made(np.putmask)
def _putmask(a, mask, values):
    x = _target(a, "putmask")
    np.putmask(np.zeros(1, x.dtype), True, values if isinstance(values, list) else _trial(values))  # numpy's own errors
    x.become(np.where(mask, _value(x._recorder, values if not np.ndim(values) else np.resize(values, tuple(x.shape)), x.dtype), x))


@made(np.place)
def _place(arr, mask, vals):
    if np.size(vals) != 1:
        refuse("np.place of several values puts each where data decide; np.where chooses between arrays")
    _putmask(_target(arr, "place"), mask, np.ravel(vals)[0])


@made(np.put)
def _put(a, ind, v, mode="raise"):
    x = _target(a, "put")
    at = np.ravel(_array(x._recorder, ind))
    if mode != "raise":
        at = np.clip(at, 0, x.size - 1) if mode == "clip" else np.remainder(at, x.size)
    value = v if not np.ndim(v) else np.resize(v, (at.size,))
    x.become(np.reshape(assign_places(np.ravel(x), at, value), tuple(x.shape)))


@made(np.put_along_axis)
def _put_along_axis(arr, indices, values, axis=-1):
    x = _target(arr, "put_along_axis")
    r, i = x._recorder, axis % x.ndim
    ids = _array(r, indices)
    if ids.ndim != x.ndim or any(n != m for k, (n, m) in enumerate(zip(ids.shape, x.shape)) if k != i):
        refuse("np.put_along_axis with indices of other sizes cannot be captured")
    v = np.broadcast_to(_value(r, values, x.dtype), tuple(ids.shape))
    x.become(r.emit(f"scatter_elements({x._name}, {ids._name}, {v._name}, axis = {i})"))


@made(np.unravel_index)
def _unravel_index(indices, shape, order="C"):
    sizes, found = [index(n) for n in _list(shape)], []
    count = math.prod(sizes)
    every = indices._recorder.hold(np.arange(count))
    indices = np.take(every, np.where(indices < 0, count, indices))  # the places are checked when the function runs
    for n in sizes[::-1] if order == "C" else sizes:
        found.append(indices % n)
        indices = indices // n
    return tuple(found[::-1] if order == "C" else found)


@made(np.lib.stride_tricks.sliding_window_view)
def _windows(x, window_shape, axis=None, *, subok=False, writeable=False):
    whole, widths = x, [index(n) for n in _list(window_shape)]
    axes = list(range(x.ndim)) if axis is None else [index(a) % x.ndim for a in _list(axis)]
    if len(axes) != len(widths):
        raise ValueError(f"window_shape has {len(widths)} sizes for {len(axes)} axes")
    for a, n in zip(axes, widths):
        if not 0 <= n <= x.shape[a]:
            raise ValueError("window shape cannot be larger than input array shape")
        x = np.moveaxis(np.take(x, np.arange(x.shape[a] - n + 1)[:, None] + np.arange(n), a), a + 1, -1)
    if x is not whole:
        whole.note_view(x)
        x._base, x._fixed = whole, "a view of another array"
    return x


# ---------------------------------------------------------------------- cut and join
def _places(n: int, parts: Any, even: bool) -> List[Tuple[int, int]]:
    if np.ndim(parts):
        ends = [0, *[slice(None, index(p)).indices(n)[1] for p in parts], n]
    else:
        if even and n % parts:
            raise ValueError("array split does not result in an equal division")
        ends = [0]
        for k in range(parts):
            ends.append(ends[-1] + n // parts + (k < n % parts))
    return list(zip(ends[:-1], ends[1:]))


def _splitter(even: bool):
    def run(ary, indices_or_sections, axis=0):
        at = (slice(None),) * _axes(ary, axis)[0]
        return [ary[at + (slice(a, b),)] for a, b in _places(ary.shape[axis], indices_or_sections, even)]

    return run


made(np.split)(_splitter(True))
made(np.array_split)(_splitter(False))
made(np.vsplit)(lambda ary, indices_or_sections: np.split(ary, indices_or_sections, 0))
made(np.hsplit)(lambda ary, indices_or_sections: np.split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0))
made(np.dsplit)(lambda ary, indices_or_sections: np.split(ary, indices_or_sections, 2))


@made(np.atleast_3d)
def _atleast_3d(*arys):
    return tuple(map(_of_three, arys)) if len(arys) != 1 else _of_three(arys[0])


def _of_three(x):
    x = x if isinstance(x, Traced) else np.asarray(x)
    return x[None, :, None] if x.ndim == 1 else x[:, :, None] if x.ndim == 2 else np.reshape(x, (1, 1, 1)) if not x.ndim else x


@row(np.dstack)
def _dstack(r, tup):
    return np.concatenate([_of_three(_array(r, x)) for x in tup], 2)


@row(np.append)
def _append(r, arr, values, axis=None):
    x, y = _array(r, arr), _array(r, values)
    return np.concatenate([np.ravel(x), np.ravel(y)] if axis is None else [x, y], axis or 0)


@row(np.insert)
def _insert(r, arr, obj, values, axis=None):
    x, axis = _one_axis(_array(r, arr), axis)
    if not isinstance(obj, (int, np.integer)):
        refuse("np.insert takes one place here")
    at = index(obj) + (x.shape[axis] if obj < 0 else 0)
    if at < 0 or (at and at > x.shape[axis]):
        raise IndexError(f"index {obj} is out of bounds for axis {axis} with size {x.shape[axis]}")
    v, before = _value(r, values, x.dtype), (slice(None),) * axis
    rest = tuple(n for i, n in enumerate(x.shape) if i != axis)
    v = np.reshape(v, (-1,)) if x.ndim == 1 else np.expand_dims(np.broadcast_to(v, rest), axis)
    return np.concatenate([x[before + (slice(None, at),)], v, x[before + (slice(at, None),)]], axis)


@row(np.block)
def _block(r, arrays):
    def depth(x: Any) -> int:
        return 1 + depth(x[0]) if isinstance(x, list) else 0

    def rank(x: Any) -> int:
        return max(map(rank, x)) if isinstance(x, list) else np.ndim(x)

    most = max(depth(arrays), rank(arrays))

    def join(x: Any, level: int) -> Any:
        if isinstance(x, list):
            return np.concatenate([join(y, level - 1) for y in x], -level)
        y = _array(r, x)
        return np.expand_dims(y, tuple(range(most - y.ndim))) if y.ndim < most else y

    return join(arrays, depth(arrays))


@row(np.broadcast_arrays)
def _broadcast_arrays(r, *args, subok=False):
    given = [_array(r, x) for x in args]
    shape = np.broadcast_shapes(*[x.shape for x in given])
    return tuple(np.broadcast_to(x, shape) for x in given)


@row(np.meshgrid)
def _meshgrid(r, *xi, copy=True, sparse=False, indexing="xy"):
    given = [np.ravel(_array(r, x)) for x in xi]
    n = len(given)
    order = [1, 0, *range(2, n)] if indexing == "xy" and n > 1 else list(range(n))
    parts = [np.reshape(x, [-1 if i == order[k] else 1 for i in range(n)]) for k, x in enumerate(given)]
    return list(parts) if sparse else list(_broadcast_arrays(r, *parts))


made(np.fliplr)(lambda m: np.flip(m, 1))
made(np.flipud)(lambda m: np.flip(m, 0))
made(np.rollaxis)(lambda a, axis, start=0: np.moveaxis(a, axis, start - (start > axis % a.ndim) if start >= 0 else start + a.ndim))


@made(np.rot90)
def _rot90(m, k=1, axes=(0, 1)):
    a, b = (i % m.ndim for i in axes)
    k %= 4
    if k == 2:
        return np.flip(m, (a, b))
    return m if not k else np.swapaxes(np.flip(m, b), a, b) if k == 1 else np.flip(np.swapaxes(m, a, b), b)


def _add(module: Any, name: str, function: Any) -> None:
    """Adds a row for a function that older versions of numpy lack."""
    if hasattr(module, name):
        made(getattr(module, name))(function)


_add(np, "matrix_transpose", lambda x: np.swapaxes(x, -1, -2))
_add(np.linalg, "matrix_transpose", lambda x: np.swapaxes(x, -1, -2))
_add(np, "unstack", lambda x, axis=0: tuple(np.moveaxis(x, axis, 0)))
_add(np, "astype", lambda x, dtype, copy=True, device=None: x.astype(dtype))
_add(np.linalg, "diagonal", lambda x, offset=0: np.diagonal(x, offset, -2, -1))
_add(np.linalg, "trace", lambda x, offset=0, dtype=None: np.trace(x, offset, -2, -1, dtype))
_add(np.linalg, "outer", np.outer)
_add(np.linalg, "matmul", np.matmul)
_add(np.linalg, "tensordot", lambda x1, x2, axes=2: np.tensordot(x1, x2, axes))


# ---------------------------------------------------------------------- products
@made(np.cross)
def _cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = np.moveaxis(a, axisa, -1), np.moveaxis(b, axisb, -1)
    if np.shape(a)[-1] != 3 or np.shape(b)[-1] != 3:
        refuse("np.cross of vectors that have not three elements cannot be captured")
    (a0, a1, a2), (b0, b1, b2) = ([x[..., i] for i in range(3)] for x in (a, b))
    return np.moveaxis(np.stack([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0], -1), -1, axisc)


_add(np.linalg, "cross", lambda x1, x2, axis=-1: np.cross(x1, x2, axis=axis))


@row(np.kron)
def _kron(r, a, b):
    x, y = _array(r, a), _array(r, b)
    n = max(x.ndim, y.ndim)
    x, y = (np.reshape(v, (1,) * (n - v.ndim) + tuple(v.shape)) for v in (x, y))
    both = [m for pair in zip(range(n), range(n, 2 * n)) for m in pair]
    whole = np.reshape(x, tuple(x.shape) + (1,) * n) * y
    return np.reshape(np.transpose(whole, both), [p * q for p, q in zip(x.shape, y.shape)])


@made(np.vdot)
def _vdot(a, b):
    return np.dot(np.ravel(a), np.ravel(b))


@made(np.linalg.multi_dot)
def _multi_dot(arrays, out=None):
    y = arrays[0]
    for x in arrays[1:]:
        y = np.matmul(y, x)
    return y


def _matrix_power(a, n):
    y = None
    while n:
        y = a if n & 1 and y is None else y @ a if n & 1 else y
        n, a = n >> 1, a @ a if n > 1 else a
    return y


@row(np.dot)
def _dot(r, a, b, out=None):
    x, y = _array(r, a), _array(r, b)
    if out is not None:
        refuse("np.dot with out cannot be captured")
    if not x.ndim or not y.ndim:
        return x * y
    return _matmul(r, x, y) if x.ndim < 3 and y.ndim < 3 else np.tensordot(x, y, (-1, -2 if y.ndim > 1 else -1))


METHODS.update({name: _method(getattr(np, name)) for name in ("trace", "diagonal", "choose", "dot")},
               compress=lambda x, condition, *args, **named: np.compress(condition, x, *args, **named))
FUNCTIONS.update({np.iscomplexobj: lambda r, x: False, np.isrealobj: lambda r, x: True})
