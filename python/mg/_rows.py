"""The functions of numpy in MG, a row for each."""

import inspect
import warnings
from operator import index
from typing import Any, List, Sequence, Tuple

import numpy as np

from ._capture import WORDS, Recorder, Refused, Traced, literal, refuse


def cast(x: Traced, dtype: np.dtype) -> Traced:
    if x.dtype == dtype:
        return x
    if dtype.kind == "c":
        from ._complex import REAL, pair

        return pair(x._recorder, x, REAL[dtype])
    if dtype not in WORDS:
        refuse(f"{dtype} has no type in MG")
    if dtype.kind == "b":
        return x._recorder.emit(f"{x._name} != {_value(x._recorder, 0, x.dtype)._name}")
    return x._recorder.emit(f"cast({x._name}, to = {WORDS[dtype]})")


def _wrapped(x: Any, dtype: np.dtype) -> Any:
    """Returns a whole number as functions of numpy convert it that check nothing."""
    return np.asarray(x).astype(dtype)[()] if type(x) is int else x


def _fits(n: Any, dtype: np.dtype) -> bool:
    return type(n) is not int or dtype.kind not in "iu" or np.iinfo(dtype).min <= n <= np.iinfo(dtype).max


def _value(r: Recorder, x: Any, dtype: np.dtype) -> Traced:
    """Returns x as a value of the graph, converted to a type."""
    if isinstance(x, Traced):
        if x._recorder is not r:
            refuse("this value belongs to another capture")
        return cast(x, dtype)
    if np.iscomplexobj(x):
        raise TypeError(f"can't convert complex to {dtype}")
    if isinstance(x, (bool, int, float, np.generic)):
        return r.constant(x, dtype)
    return cast(r.hold(x if isinstance(x, np.ndarray) else np.array(x)), dtype)


def _trial(x: Any) -> Any:
    """Returns an array of one element with the type and rank of x, from which numpy finds those of a result."""
    if hasattr(x, "dtype") and hasattr(x, "ndim") and not isinstance(x, np.generic):
        return np.ones((1,) * x.ndim, x.dtype)
    return np.asarray(x) if isinstance(x, (list, tuple)) else x


def _type_of(function, *args, **named) -> np.dtype:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(function(*[_trial(x) for x in args], **named)).dtype


# ---------------------------------------------------------------------- elementwise
# Arithmetic is done in the type of the result, comparisons in the common type of the operands.
ARITHMETIC = {
    np.add: "{} + {}", np.subtract: "{} - {}", np.multiply: "{} * {}", np.true_divide: "{} / {}", np.negative: "-{}",
    np.positive: "identity({})", np.absolute: "abs({})", np.square: "{0} * {0}", np.sqrt: "sqrt({})", np.exp: "exp({})",
    np.log: "log({})", np.sin: "sin({})", np.cos: "cos({})", np.tan: "tan({})", np.tanh: "tanh({})", np.sinh: "sinh({})",
    np.cosh: "cosh({})", np.arctan: "atan({})", np.arcsin: "asin({})", np.arccos: "acos({})", np.floor: "floor({})",
    np.ceil: "ceil({})", np.rint: "round({})", np.sign: "sign({})", np.maximum: "maximum({}, {})",
    np.minimum: "minimum({}, {})", np.power: "pow({}, {})", np.trunc: "trunc({})", np.expm1: "expm1({})", np.log1p: "log1p({})",
    np.log2: "log2({})", np.exp2: "exp2({})", np.arcsinh: "asinh({})", np.arccosh: "acosh({})", np.arctanh: "atanh({})",
    np.fmod: "{} % {}", np.reciprocal: "reciprocal({})", np.fabs: "abs({})",
}
ON_INTEGERS = {
    np.power: "pow_int({}, {})", np.floor_divide: "floor_div({}, {})", np.remainder: "mod({}, {})", np.left_shift: "shift_left({}, {})",
    np.right_shift: "shift_right({}, {})", np.bitwise_and: "bit_and({}, {})", np.bitwise_or: "bit_or({}, {})",
    np.bitwise_xor: "bit_xor({}, {})", np.invert: "bit_not({})",
}
COMPARISONS = {
    np.less: "{} < {}", np.less_equal: "{} <= {}", np.greater: "{} > {}", np.greater_equal: "{} >= {}", np.equal: "{} == {}",
    np.not_equal: "{} != {}", np.isnan: "{0} != {0}",
}
LOGIC = {np.logical_and: "{} and {}", np.logical_or: "{} or {}", np.logical_not: "not {}", np.logical_xor: "{} != {}"}
ON_BOOLS = {np.bitwise_and: np.logical_and, np.bitwise_or: np.logical_or, np.invert: np.logical_not, np.bitwise_xor: np.logical_xor,
            np.maximum: np.logical_or, np.minimum: np.logical_and, np.add: np.logical_or, np.multiply: np.logical_and}
FLOATS_ONLY = {np.power, np.rint, np.floor, np.ceil, np.trunc, np.reciprocal}
COMPOSED = {}  # written with other ufuncs, over operands of the result's type (_functions.py)
SEVERAL = {}  # written with other ufuncs, over operands of their own types (_functions.py)
ACCUMULATIONS = {}


def _may_be_negative(x: Any) -> bool:
    return x.dtype.kind == "i" if isinstance(x, Traced) else bool(np.any(np.less(x, 0)))


def _elementwise(r: Recorder, ufunc, inputs: Sequence[Any]) -> Traced:
    result = _type_of(ufunc, *inputs)
    if ufunc in ON_BOOLS and result.kind == "b":
        ufunc = ON_BOOLS[ufunc]
    if ufunc in LOGIC:
        row, type_ = LOGIC[ufunc], np.dtype(bool)
    elif ufunc in COMPARISONS:
        types = [x.dtype for x in inputs if hasattr(x, "dtype")]
        if not all(_fits(x, types[0]) for x in inputs):  # beyond all elements
            known = ufunc(*[np.zeros((), x.dtype) if hasattr(x, "dtype") else x for x in inputs])
            return np.full_like(next(x for x in inputs if hasattr(x, "dtype")), known, dtype=bool)
        row, type_ = COMPARISONS[ufunc], _counted(np.result_type(*[_trial(x) for x in inputs]))
    elif ufunc in (np.absolute, np.positive) and result.kind == "b":
        row, type_ = "identity({})", result
    elif ufunc in ARITHMETIC and result.kind != "b" and (ufunc not in FLOATS_ONLY or result.kind == "f"):
        row, type_ = ARITHMETIC[ufunc], result
    elif ufunc in (np.floor, np.ceil, np.trunc) and result.kind in "iub":
        row, type_ = "identity({})", result
    elif ufunc is np.power and result.kind in "iu" and isinstance(inputs[1], int) and 0 < inputs[1] <= 64:
        row, type_, inputs = " * ".join(["{0}"] * inputs[1]), result, inputs[:1]
    elif ufunc is np.power and result.kind == "i" and _may_be_negative(inputs[1]):
        refuse("integers with exponents that may be negative, for which numpy raises an error, cannot be captured")
    elif ufunc in ON_INTEGERS and result.kind in "iu":
        row, type_ = ON_INTEGERS[ufunc], result
    elif ufunc in (np.fmax, np.fmin) and result.kind in "iub":
        return _elementwise(r, np.maximum if ufunc is np.fmax else np.minimum, inputs)
    elif ufunc in COMPOSED and result.kind == "f":
        return cast(COMPOSED[ufunc](*[_value(r, x, result) for x in inputs]), result)
    elif ufunc in (np.isinf, np.isfinite) and isinstance(inputs[0], Traced):
        x = inputs[0]
        finite = abs(x) < np.inf if x.dtype.kind == "f" else x == x
        return finite if ufunc is np.isfinite else abs(x) == np.inf if x.dtype.kind == "f" else x != x
    else:
        refuse(f"np.{ufunc.__name__} of {', '.join(str(getattr(x, 'dtype', type(x).__name__)) for x in inputs)} cannot be captured")
    return r.emit(row.format(*[_value(r, x, type_)._name for x in inputs]))


def _as(r: Recorder, x: Any, dtype: np.dtype) -> Any:
    return cast(_array(r, x), dtype) if isinstance(x, (Traced, np.ndarray)) else dtype.type(x)


def call_ufunc(r: Recorder, ufunc, method: str, inputs: Sequence[Any], named: dict) -> Any:
    from ._complex import is_complex  # which is written with this file
    from ._masks import Selected, assign_places

    for x in inputs:
        if isinstance(x, Selected):
            return x.__array_ufunc__(ufunc, method, *inputs, **named)
    if method == "at" and isinstance(inputs[0], Traced) and not named:
        if len(inputs) != 3:
            refuse(f"np.{ufunc.__name__}.at without values cannot be captured")
        inputs[0].become(assign_places(*inputs, ufunc=ufunc))
        return None
    out = named.pop("out", None)
    usual = {"where": True, "dtype": None, "casting": "same_kind", "order": "K", "subok": True}
    named = {k: v for k, v in named.items() if isinstance(v, (Traced, np.ndarray)) or k not in usual or v != usual[k]}
    if method == "__call__" and "dtype" in named:
        type_ = np.dtype(named.pop("dtype"))
        inputs = [_as(r, x, type_) for x in inputs]
    if is_complex(inputs):
        return _complex_ufunc(r, ufunc, method, inputs, named, out)
    if method == "__call__" and "casting" in named:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ufunc(*map(_trial, inputs), casting=named.pop("casting"))  # numpy's own error
    mask = named.pop("where", None) if method == "__call__" else None
    if method == "reduce" and ufunc in REDUCTIONS:
        result = FUNCTIONS[REDUCTIONS[ufunc]](r, *inputs, **{"axis": 0, **named})
    elif method == "accumulate" and ufunc in ACCUMULATIONS and out is None and "dtype" not in named:
        return ACCUMULATIONS[ufunc](_array(r, inputs[0]), *inputs[1:], **{"axis": 0, **named} if len(inputs) == 1 else named)
    elif method == "outer" and not named and out is None:
        a, b = (_array(r, x) for x in inputs)
        return ufunc(_expand_dims(r, a, range(a.ndim, a.ndim + b.ndim)) if b.ndim else a, b)
    elif method == "__call__" and ufunc in SEVERAL and not named and out is mask is None:
        return SEVERAL[ufunc](*[_array(r, x) if isinstance(x, np.ndarray) else x for x in inputs])
    elif method != "__call__" or named:
        called = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        refuse(f"np.{called} with {', '.join(named) or 'this method'} cannot be captured")
    else:
        result = _matmul(r, *inputs) if ufunc is np.matmul else _elementwise(r, ufunc, inputs)
    if out is None and mask is not None:
        refuse(f"np.{ufunc.__name__} with where and without out leaves elements undefined; np.where chooses between arrays")
    if out is None:
        return result
    if len(out) != 1 or not isinstance(out[0], Traced):
        refuse("a result cannot be written into what is no captured array; np.zeros_like(x) makes one that is")
    return out[0].write(result, mask)


def _complex_ufunc(r: Recorder, ufunc, method: str, inputs: Sequence[Any], named: dict, out: Any) -> Any:
    from ._complex import Complex, call_function, elementwise

    if method == "reduce" and ufunc in REDUCTIONS:
        result = call_function(r, REDUCTIONS[ufunc], inputs, {"axis": 0, **named})
    elif method == "outer" and not named:
        a, b = (_array(r, x) for x in inputs)
        result = ufunc(np.expand_dims(a, tuple(range(a.ndim, a.ndim + b.ndim))) if b.ndim else a, b)
    elif method != "__call__" or named:
        refuse(f"np.{ufunc.__name__} of complex numbers with {', '.join(named) or method} cannot be captured")
    else:
        result = elementwise(r, ufunc, inputs)
    if out is None:
        return result
    if len(out) != 1 or not isinstance(out[0], (Complex, Traced)) or not np.can_cast(result.dtype, out[0].dtype, "same_kind"):
        refuse("a result of another type cannot be written here")
    if result._sizes != out[0]._sizes:
        refuse(f"a result of shape {result._sizes} cannot be written into {out[0]._sizes}")
    return out[0].become(result.astype(out[0].dtype))


# ---------------------------------------------------------------------- functions
FUNCTIONS = {}


def row(*functions):
    def note(f):
        FUNCTIONS.update((function, f) for function in functions)
        return f

    return note


def _list(x: Any) -> Sequence[Any]:
    """Makes a list of one number or several, as numpy takes sizes and axes."""
    return x if isinstance(x, (tuple, list)) else [x]


def _axes(x: Traced, axis: Any) -> List[int]:
    axes = range(x.ndim) if axis is None else _list(axis)
    np.sum(_trial(x), axis=tuple(axes))  # numpy's own error for an axis that does not exist
    return [index(a) % max(x.ndim, 1) for a in axes]


def _one_axis(x: Any, axis: Any) -> Any:
    """Returns x and the number of its axis. Without one, numpy goes along all elements."""
    return (np.ravel(x), 0) if axis is None else (x, _axes(x, axis)[0])


def _view(x: Traced, expression: str, make: Any = None) -> Traced:
    """Writes an expression over x, which is @ in it. In numpy, the result shares x's memory, so it follows x's changes, and does not change
    in place itself. Both are refused where numpy's memory decides. It keeps x alive, because an array that x views knows of it only through x."""
    make = make or (lambda base: base._recorder.emit(expression.replace("@", base._name)))
    y = make(x)
    x.note_view(y, None if expression.startswith("reshape") else make)  # numpy copies it if the order in memory requires that
    y._base = x
    y._fixed = y._fixed or "a view of another array"
    return y


def _array(r: Recorder, x: Any) -> Any:
    from ._complex import REAL, Complex, is_complex, pair

    if is_complex(x):
        return x if isinstance(x, Complex) else pair(r, np.asarray(x), REAL[np.asarray(x).dtype])
    return x if isinstance(x, Traced) else _value(r, x, np.asarray(x).dtype)


def _given(function, args: Sequence[Any], named: dict, known: Sequence[str]) -> dict:
    """Returns the arguments of a call by numpy's names for them, without those that are absent or None."""
    bound = inspect.signature(function).bind(*args, **named).arguments
    given = {k: v for k, v in bound.items() if v is not np._NoValue and (v is not None or k == "axis")}
    unknown = [k for k in given if k not in known]
    if unknown:
        refuse(f"np.{function.__name__} with {unknown[0]} cannot be captured")
    return given


def _counted(dtype: np.dtype) -> np.dtype:
    """Returns the type in which elements are counted: for bool, false is 0 and true is 1."""
    return np.dtype("u1") if dtype.kind == "b" else dtype


def _reduction(function, template: str, to=None):
    def reduce(r, *args, empty=False, **named):
        given = _given(function, args, named, ("a", "axis", "dtype", "keepdims", "ddof", "where", "initial"))
        x = _array(r, given["a"])
        result = np.dtype(given["dtype"]) if "dtype" in given else _type_of(function, x)
        if given.get("where", True) is not True:
            return _masked(function, x, given.pop("where"), given.pop("initial", None), result, given)
        if "initial" in given:
            first = given.pop("initial")
            return _joined(function)(reduce(r, empty=True, **given), first).astype(result)
        x = cast(x, to or _counted(result))
        axes, keep = _axes(x, given.get("axis")), literal(bool(given.get("keepdims")))
        if function in _EXTREMES and not empty:
            _check_not_empty(function, x, axes)
        return cast(r.emit(template.format(x._name, axes=axes, keep=keep, ddof=given.get("ddof", 0))), result)

    FUNCTIONS[function] = reduce


def _check_not_empty(function, x: Traced, axes: Sequence[int]) -> None:
    """Raises numpy's error for the extreme of no elements. Only a size that is known can be 0."""
    if any(not x._sizes[i] for i in axes):
        function(np.empty([0 if i in axes else 1 for i in range(x.ndim)], x.dtype), axis=tuple(axes) if len(axes) != 1 else axes[0])


_EXTREMES = (np.max, np.min, np.amax, np.amin, np.argmax, np.argmin)


def _joined(function) -> Any:
    """Returns the ufunc that joins two parts of a reduction."""
    return {np.sum: np.add, np.prod: np.multiply, np.max: np.maximum, np.min: np.minimum, np.amax: np.maximum, np.amin: np.minimum,
            np.any: np.logical_or, np.all: np.logical_and}.get(function) or refuse(f"np.{function.__name__} with initial cannot be captured")


def _masked(function, x: Traced, where: Any, initial: Any, result: np.dtype, given: dict) -> Traced:
    """Reduces the elements where a mask is true."""
    given = {k: v for k, v in given.items() if k != "a"}
    if function is np.mean:
        count = np.sum(np.broadcast_to(where, x.shape), axis=given.get("axis"), keepdims=given.get("keepdims", False))
        return (np.sum(np.where(where, x, 0), **given) / count).astype(result)
    neutral = {np.sum: 0, np.prod: 1, np.any: False, np.all: True}.get(function, initial)
    if neutral is None or function in (np.var, np.std):
        refuse(f"np.{function.__name__} with where and without initial cannot be captured")
    y = function(np.where(where, x, x.dtype.type(neutral)), **given)
    return y if initial is None else _joined(function)(y, initial).astype(result)


_PLAIN = "({}, axes = {axes}, keepdims = {keep})"
_SPREAD = "variance({}, axes = {axes}, keepdims = {keep}, correction = {ddof})"
for _function in (np.sum, np.prod, np.mean):
    _reduction(_function, _function.__name__ + _PLAIN)
for _function, _word in ((np.max, "max"), (np.min, "min"), (np.amax, "max"), (np.amin, "min")):
    _reduction(_function, _word + _PLAIN)
_reduction(np.any, "any" + _PLAIN, np.dtype(bool))
_reduction(np.all, "all" + _PLAIN, np.dtype(bool))
_reduction(np.var, _SPREAD)
_reduction(np.std, "sqrt(" + _SPREAD + ")")
REDUCTIONS = {np.add: np.sum, np.multiply: np.prod, np.maximum: np.max, np.minimum: np.min, np.logical_or: np.any,
              np.logical_and: np.all}


def _along(function, template: str):
    """Makes a row of a function along one axis, or over all elements if no axis is given."""

    def run(r, *args, **named):
        given = _given(function, args, named, ("a", "axis", "keepdims", "dtype") + ("kind", "stable") * (function in (np.sort, np.argsort)))
        x, axis = _array(r, given["a"]), given.get("axis", -1 if function in (np.sort, np.argsort) else None)
        keep = given.get("keepdims")
        if keep and axis is None:
            refuse(f"np.{function.__name__} over all elements with keepdims cannot be captured")
        result = np.dtype(given["dtype"]) if "dtype" in given else _type_of(function, x)
        if function in (np.cumsum, np.cumprod):
            x = cast(x, result)
        if axis is None:
            x, axis = _ravel(r, x), 0
        x = cast(x, _counted(x.dtype))
        if function in _EXTREMES:
            _check_not_empty(function, x, _axes(x, axis))
        y = r.emit(template.format(x._name, axis=_axes(x, axis)[0], keep=literal(bool(keep))))
        return cast(y, result)

    FUNCTIONS[function] = run


for _function in (np.argmax, np.argmin):
    _along(_function, _function.__name__ + "({}, axis = {axis}, keepdims = {keep})")
for _function in (np.cumsum, np.cumprod, np.sort, np.argsort):
    _along(_function, _function.__name__ + "({}, axis = {axis})")


def _matmul(r: Recorder, a: Any, b: Any) -> Traced:
    type_ = _type_of(np.matmul, a, b)
    x, y = _value(r, a, type_), _value(r, b, type_)
    if type_.kind == "b":
        return _matmul(r, _value(r, a, np.dtype("i4")), _value(r, b, np.dtype("i4"))) != 0
    left, right = x.ndim == 1, y.ndim == 1
    x = r.emit(f"unsqueeze({x._name}, axes = [0])") if left else x
    y = r.emit(f"unsqueeze({y._name}, axes = [1])") if right else y
    z = r.emit(f"matmul({x._name}, {y._name})")
    gone = [z.ndim - 2] * left + [z.ndim - 1] * right
    return r.emit(f"squeeze({z._name}, axes = {gone})") if gone else z


@row(np.where)
def _where(r, condition, *choices):
    if len(choices) != 2:
        refuse("np.where with a condition alone has a size that data decide")
    type_ = _type_of(lambda a, b: np.where(True, a, b), *choices)
    a, b = (_value(r, _wrapped(x, type_), type_) for x in choices)
    return r.emit(f"where({_value(r, condition, np.dtype(bool))._name}, {a._name}, {b._name})")


def _is_wide(x: Any, n: int) -> bool:
    """Tells whether a bound is beyond the integers of an array's type, so that it says nothing."""
    if getattr(x, "dtype", np.dtype("f8")).kind not in "iu" or np.clip(np.int8(1), 0, n if n > 0 else 1).dtype != np.int8:
        return False  # numpy 1 gives such a result a wider type
    return not _fits(n, x.dtype)


@row(np.clip)
def _clip(r, a, a_min=None, a_max=None, out=None, **named):
    low, high = named.pop("min", a_min), named.pop("max", a_max)
    if out is not None or named:
        refuse("np.clip with out or other options cannot be captured")
    low, high = (None if type(n) is int and _is_wide(a, n) else n for n in (low, high))
    y = a if low is None else _elementwise(r, np.maximum, (a, low))
    return y if high is None else _elementwise(r, np.minimum, (y, high))


@row(np.reshape)
def _reshape(r, a, shape=None, order="C", newshape=None, **_):
    shape = newshape if shape is None else shape
    x, sizes = _array(r, a), [index(n) for n in _list(shape)]
    if order == "F":
        return _transpose(r, _reshape(r, _transpose(r, x), sizes[::-1]))
    if order != "C":
        refuse(f"the order {order!r} depends on how an array lies in memory, which is not known before the function runs", Refused)
    if not any(x._dims):
        sizes = list(np.broadcast_to(np.int8(0), x._sizes).reshape(sizes).shape)
    return _view(x, f"reshape(@, shape = {sizes})")


@row(np.ravel)
def _ravel(r, a, order="C"):
    return _reshape(r, a, (-1,), order)


@row(np.transpose)
def _transpose(r, a, axes=None):
    x = _array(r, a)
    perm = [index(i) % x.ndim for i in axes] if axes is not None else list(range(x.ndim))[::-1]
    np.transpose(_trial(x), perm)
    return _view(x, f"transpose(@, perm = {perm})") if x.ndim > 1 else x


@row(np.swapaxes)
def _swapaxes(r, a, axis1, axis2):
    x = _array(r, a)
    perm = list(range(x.ndim))
    np.swapaxes(_trial(x), axis1, axis2)  # numpy's own error
    perm[axis1], perm[axis2] = perm[axis2], perm[axis1]
    return _transpose(r, x, perm)


@row(np.moveaxis)
def _moveaxis(r, a, source, destination):
    x = _array(r, a)
    moved = _axes(x, source)
    perm = [i for i in range(x.ndim) if i not in moved]
    np.moveaxis(_trial(x), source, destination)  # numpy's own error
    for at, axis in sorted(zip(_axes(x, destination), moved)):
        perm.insert(at, axis)
    return _transpose(r, x, perm)


@row(np.expand_dims)
def _expand_dims(r, a, axis):
    x, axes = _array(r, a), list(axis) if isinstance(axis, range) else _list(axis)
    rank = x.ndim + len(axes)
    np.expand_dims(_trial(x), tuple(axes))
    return _view(x, f"unsqueeze(@, axes = {sorted(a % rank for a in axes)})")


@row(np.squeeze)
def _squeeze(r, a, axis=None):
    x = _array(r, a)
    axes = [i for i in range(x.ndim) if x._sizes[i] == 1 and not x._dims[i]] if axis is None else _axes(x, axis)
    return _view(x, f"squeeze(@, axes = {axes})") if axes else x


@row(np.concatenate)
def _concatenate(r, arrays, axis=0, out=None, **named):
    if out is not None or named:
        refuse("np.concatenate with out, dtype or casting cannot be captured")
    type_ = np.concatenate([np.ravel(_trial(x)) for x in arrays]).dtype
    if axis is not None and any(not np.ndim(x) for x in arrays):
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    values = [_value(r, x, type_) for x in arrays]
    if axis is None:
        values, axis = [_ravel(r, x) for x in values], 0
    return r.emit(f"concat({', '.join(x._name for x in values)}, axis = {_axes(values[0], axis)[0]})")


@row(np.stack)
def _stack(r, arrays, axis=0, out=None, **named):
    rank = _array(r, arrays[0]).ndim + 1
    return _concatenate(r, [_expand_dims(r, x, axis % rank) for x in arrays], axis % rank, out, **named)


@row(np.broadcast_to)
def _broadcast_to(r, array, shape, subok=False):
    x, sizes = _array(r, array), [index(n) for n in _list(shape)]
    return _view(x, f"expand(@, shape = {sizes})")


@row(np.flip)
def _flip(r, m, axis=None):
    x = _array(r, m)
    return _view(x, f"flip(@, axes = {_axes(x, axis)})") if x.ndim else x


@row(np.take)
def _take(r, a, indices, axis=None, out=None, mode="raise"):
    x, ids = _array(r, a), _array(r, indices)
    if out is not None or ids.dtype.kind not in "iu":
        refuse("np.take with out, or with indices that are not integers, cannot be captured")
    if axis is None:
        x, axis = _ravel(r, x), 0
    if mode == "raise" and not isinstance(indices, Traced) and not x._dims[_axes(x, axis)[0]]:
        np.take(np.empty(x._sizes[_axes(x, axis)[0]], "u1"), indices)  # numpy's own error
    if mode != "raise":
        n = x.shape[axis]
        ids = np.clip(ids, 0, n - 1) if mode == "clip" else np.remainder(ids, n)
    return r.emit(f"gather({x._name}, {ids._name}, axis = {_axes(x, axis)[0]})")


def _filled(number):
    def like(r, a, fill_value=number, dtype=None, **_):
        type_ = np.dtype(dtype) if dtype else a.dtype
        y = _value(r, fill_value, type_)
        every = r.emit(f"{a._name} == {a._name}")  # it has the common shape
        return r.emit(f"where({every._name}, {y._name}, {y._name})")

    return like


FUNCTIONS.update({np.zeros_like: _filled(0), np.empty_like: _filled(0), np.ones_like: _filled(1), np.full_like: _filled(0)})
FUNCTIONS.update({
    np.result_type: lambda r, *args: np.result_type(*map(_trial, args)),
    np.can_cast: lambda r, from_, to, casting="safe": np.can_cast(getattr(from_, "dtype", from_), getattr(to, "dtype", to), casting),
    np.shape: lambda r, a: a.shape,
    np.ndim: lambda r, a: a.ndim,
    np.size: lambda r, a, axis=None: a.size if axis is None else a.shape[axis],
})


# ---------------------------------------------------------------------- parts
def _cut(x: Traced, axis: int, key: slice) -> Traced:
    if key == slice(None):
        return x
    step = 1 if key.step is None else index(key.step)
    ends = "".join(f", {name} = {index(n)}" for name, n in (("start", key.start), ("stop", key.stop)) if n is not None)
    return x._recorder.emit(f"slice({x._name}, axis = {axis}, step = {step}{ends})")


def part(x: Traced, key: Any) -> Traced:
    """Writes x[key], where key has numbers, slices, None and …, or arrays of integers, which gather."""
    from ._masks import is_mask, select
    from ._places import gather, spread  # which is written with this file

    if is_mask(key):
        return select(x, key)
    keys: Tuple = tuple(spread(key if isinstance(key, tuple) else (key,)))
    if sum(k is Ellipsis for k in keys) > 1 or sum(k is not None and k is not Ellipsis for k in keys) > x.ndim:
        raise IndexError(f"{len(keys)} indices do not fit {x.ndim} dimensions")
    if not any(k is Ellipsis for k in keys):
        keys += (Ellipsis,)
    rest = x.ndim - sum(k is not None and k is not Ellipsis for k in keys)
    at = [i for i, k in enumerate(keys) if k is Ellipsis][0]
    keys = keys[:at] + (slice(None),) * rest + keys[at + 1:]
    arrays = [k for k in keys if isinstance(k, (Traced, np.ndarray, list))]
    several = len(arrays) > 1 or any(isinstance(k, (int, np.integer)) for k in keys if len(arrays) == 1)
    if several:  # slices first; then an integer is an array, too
        fits = keys if all(k is not None for k in keys) else refuse("a new axis beside several arrays of indices cannot be captured; np.expand_dims adds it")
        x = part(x, tuple(k if isinstance(k, slice) else slice(None) for k in fits))
        return gather(x, [slice(None) if isinstance(k, slice) else k for k in fits])
    y, axis, gone, fresh = x, 0, [], []
    for k in keys:
        if k is None:
            y = _expand_dims(x._recorder, y, axis)
        elif isinstance(k, slice):
            y = _cut(y, axis, k)
        elif isinstance(k, (int, np.integer)) and not isinstance(k, bool):
            if not -y._sizes[axis] <= k < y._sizes[axis]:
                raise IndexError(f"index {k} is outside axis {axis} of size {y._sizes[axis]}")
            x._recorder.pinned |= y._dims[axis] if k not in (0, -1) else frozenset()
            y = _cut(y, axis, slice(k, k + 1 if k != -1 else None))
            gone.append(axis)
        elif isinstance(k, (Traced, np.ndarray, list)) and not fresh and np.asarray(_trial(k)).dtype.kind in "iu":
            y = _take(x._recorder, y, k, axis)
            fresh.append(k)
            axis += np.asarray(_trial(k)).ndim - 1
        else:
            if is_mask(k):
                refuse("an index that is a mask decides a size; np.where chooses by a mask")
            what = f"an array of {k.dtype}" if isinstance(k, (Traced, np.ndarray)) else f"of type {type(k).__name__}"
            refuse(f"an index that is {what} cannot be captured here")
        axis += 1
    y = x._recorder.emit(f"squeeze({y._name}, axes = {gone})") if gone else y
    if fresh or y is x or len(gone) == x.ndim:  # numpy copies these
        return y
    x.note_view(y, lambda base: part(base, key))
    y._origin = x, key
    return y
