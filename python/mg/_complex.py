"""Complex numbers: an array of them is a pair of captured values, its real and its imaginary part. MG has no type for them."""

import itertools
import math
from operator import getitem
from typing import Any, Callable, Dict, List, Sequence, Tuple

import numpy as np

from ._capture import METHODS, PARTS as REAL, CaptureError, Recorder, Traced, refuse
from ._masks import is_mask
from ._rows import FUNCTIONS, _array, _trial, _type_of

COMPLEX = {real: whole for whole, real in REAL.items()}


def is_complex(x: Any) -> bool:
    """Tells whether a value holds complex numbers, or is a list of values of which one does."""
    if isinstance(x, (list, tuple)):
        return any(map(is_complex, x))
    return isinstance(x, (Complex, complex, np.complexfloating)) or isinstance(x, np.ndarray) and x.dtype.kind == "c"


class Complex(np.lib.mixins.NDArrayOperatorsMixin):
    """A stand-in for an array of complex numbers while a function is captured."""

    __array_priority__ = 3000
    __hash__ = None

    def __init__(self, re: Traced, im: Traced):
        self.re, self.im, self.dtype = re, im, COMPLEX[re.dtype]
        self._recorder = re._recorder

    shape = property(lambda self: self.re.shape)
    size = property(lambda self: self.re.size)
    ndim = property(lambda self: self.re.ndim)
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))
    flat = property(lambda self: np.ravel(self))
    real = property(lambda self: self.re, lambda self, x: self.re.__setitem__(..., x))
    imag = property(lambda self: self.im, lambda self, x: self.im.__setitem__(..., x))
    _sizes = property(lambda self: self.re._sizes)
    _dims = property(lambda self: self.re._dims)

    __len__ = lambda self: len(self.re)
    __iter__ = lambda self: (self[i] for i in range(len(self)))
    __complex__ = lambda self: complex(float(self.re), float(self.im))
    __bool__ = lambda self: bool(self != 0)
    __array__ = Traced.__array__
    item = lambda self, *at: complex(self.re.item(*at), self.im.item(*at))

    def __repr__(self) -> str:
        return f"<captured {self.dtype}{list(self._sizes)}>"

    def __getitem__(self, key):
        if not is_mask(key):
            return Complex(self.re[key], self.im[key])
        try:
            refuse("x[mask] of complex numbers has a size that data decide; np.where chooses by a mask")
        except CaptureError as e:
            return self._recorder.outside(e, getitem, (self, key), {})

    def __setitem__(self, key, value):
        re, im = (value.re, value.im) if isinstance(value, Complex) else (np.real(value), np.imag(value))
        self.re[key], self.im[key] = re, im

    def become(self, other: "Complex") -> "Complex":
        self.re.become(other.re)
        self.im.become(other.im)
        return self

    def copy(self, *_) -> "Complex":
        return Complex(self.re.copy(), self.im.copy())

    def astype(self, dtype: Any, **_) -> Any:
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self != 0
        real = REAL.get(dtype)
        return Complex(self.re.astype(real), self.im.astype(real)) if real else self.re.astype(dtype)

    __array_ufunc__ = Traced.__array_ufunc__
    __array_function__ = Traced.__array_function__

    def __getattr__(self, name: str):
        if name in ("conj", "conjugate"):
            return lambda: np.conjugate(self)
        if name in METHODS:
            return lambda *args, **named: METHODS[name](self, *args, **named)
        return Traced.unknown(name)


# ---------------------------------------------------------------------- parts
def _type(*values: Any) -> np.dtype:
    """Returns the type of the parts of a result."""
    return REAL[np.result_type(np.complex64, *[_trial(x) for x in values])]


def pair(r: Recorder, x: Any, real: np.dtype) -> Complex:
    """Returns x as a pair of parts of this type."""
    if isinstance(x, Complex):
        return x if x.re.dtype == real else x.astype(COMPLEX[real])
    if isinstance(x, Traced):
        x = x.astype(real)
        return Complex(x, np.zeros_like(x))
    if isinstance(x, np.ndarray) and x.ndim:
        return pair(r, r.hold(x), real)
    return Complex(r.constant(np.real(x), real), r.constant(np.imag(x), real))


def _part(x: Any, k: int, spread: bool) -> Any:
    """Returns part k of a value, or of each in a list. A real value's imaginary part is 0, if it is one of the values that are `spread`."""
    if isinstance(x, Complex):
        return (x.re, x.im)[k]
    if isinstance(x, (list, tuple)) and (spread or is_complex(x)):
        return type(x)(_part(y, k, spread) for y in x)
    if is_complex(x):
        return (np.real, np.imag)[k](x)
    if not spread or isinstance(x, type(None)):
        return x
    return x if not k else np.zeros_like(x) if isinstance(x, (Traced, np.ndarray)) else 0


def _join(re: Any, im: Any) -> Any:
    if isinstance(re, (list, tuple)):
        return type(re)(_join(a, b) for a, b in zip(re, im))
    if not isinstance(re, Traced):
        return re
    real = re.dtype if re.dtype in COMPLEX else np.dtype("f8")
    return Complex(re.astype(real, copy=False), im.astype(real, copy=False))


def _by_parts(function: Callable, places: Sequence[int] = (0,)) -> Callable:
    """Makes a row of a function that treats both parts alike; `places` are the arguments that it takes them from."""

    def run(r, *args, **named):
        if named.get("dtype") is not None:
            args = [x.astype(named["dtype"]) if isinstance(x, (Complex, Traced)) else x for x in args]
            named = {**named, "dtype": REAL.get(np.dtype(named["dtype"]), named["dtype"])}
        both = [function(*[_part(x, k, i in places) for i, x in enumerate(args)], **{n: _part(x, k, False) for n, x in named.items()})
                for k in (0, 1)]
        return _join(*both)

    return run


def _products(function: Callable, places: Sequence[int] = (0, 1), conjugated: Sequence[int] = ()) -> Callable:
    """Makes a row of a function that is linear in each of some arguments, which may be in a list: the sum over all choices of parts."""

    def run(r, *args, **named):
        whole = [x for i, x in enumerate(args) if i in places]
        factors = [_array(r, np.conjugate(x) if i in conjugated else x) for i, x in enumerate(whole)]
        real = _type(*factors)
        parts = [[(0, x.re), (1, x.im)] if isinstance(x, Complex) else [(0, x)] for x in factors]
        sums: List[Any] = [None, None]
        for choice in itertools.product(*parts):
            turns = sum(k for k, _ in choice)
            given = iter([x.astype(real) for _, x in choice])
            y = function(*[next(given) if i in places else x for i, x in enumerate(args)], **named)
            k, negative = turns % 2, turns % 4 > 1
            sums[k] = (-y if negative else y) if sums[k] is None else sums[k] - y if negative else sums[k] + y
        return Complex(sums[0], sums[1] if sums[1] is not None else np.zeros_like(sums[0]))

    return run


# ---------------------------------------------------------------------- elementwise
def _multiply(x: Complex, y: Complex) -> Complex:
    return Complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re)


def _divide(x: Complex, y: Complex) -> Complex:
    """Divides by Smith's method, as numpy does: the larger part of the divisor is divided out first."""
    tall = abs(y.im) > abs(y.re)
    big, small = np.where(tall, y.im, y.re), np.where(tall, y.re, y.im)
    none = (big == 0) & (small == 0)
    ratio = np.where(none, 0, small / np.where(none, 1, big))
    scale = big + small * ratio
    re = np.where(tall, x.re * ratio + x.im, x.re + x.im * ratio) / scale
    im = np.where(tall, x.im * ratio - x.re, x.im - x.re * ratio) / scale
    return Complex(re, im)


def _exp(x: Complex) -> Complex:
    size = np.exp(x.re)
    flat = x.im == 0
    return Complex(np.where(flat, size, size * np.cos(x.im)), np.where(flat, x.im, size * np.sin(x.im)))


def _log(x: Complex) -> Complex:
    return Complex(np.log(np.hypot(x.re, x.im)), np.arctan2(x.im, x.re))


def _scaled(by: float) -> Callable:
    def run(x: Complex) -> Complex:
        y = _log(x)
        return Complex(y.re * by, y.im * by)

    return run


def _sqrt(x: Complex) -> Complex:
    size = np.sqrt((np.hypot(x.re, x.im) + abs(x.re)) * 0.5)
    other = np.where(np.isinf(x.im), np.inf, abs(x.im) / (2 * np.where(size == 0, 1, size)))
    re, im = np.where(x.re >= 0, size, other), np.where(x.re >= 0, other, size)
    return Complex(re, np.copysign(im, x.im))


def _power(x: Complex, y: Complex) -> Complex:
    turned = _exp(_multiply(y, _log(x)))
    zero, none = (x.re == 0) & (x.im == 0), (y.re == 0) & (y.im == 0)
    at_zero = np.where(y.re > 0, 0.0, np.nan)
    return Complex(np.where(none, 1, np.where(zero, at_zero, turned.re)), np.where(none, 0, np.where(zero, at_zero, turned.im)))


def _whole_power(x: Complex, n: int) -> Complex:
    y, m = None, abs(n)
    while m:
        y = (x if y is None else _multiply(y, x)) if m & 1 else y
        m, x = m >> 1, _multiply(x, x) if m > 1 else x
    one = Complex(np.ones_like(y.re), np.zeros_like(y.re))
    return _divide(one, y) if n < 0 else y


def _tanh(x: Complex) -> Complex:
    """Divides sinh by cosh, where both are divided by cosh of the real part first, which may be huge."""
    t, s, c = np.tanh(x.re), np.sin(x.im), np.cos(x.im)
    less = np.where(abs(x.re) > 40, 0, 1 / np.cosh(np.clip(x.re, -40, 40)))
    scale = c * c + (t * s) ** 2
    return Complex(t / scale, less * less * s * c / scale)


def _turned(function: Callable) -> Callable:
    """Makes f(z) of the function g(z) = f(i z) / i."""

    def run(x: Complex) -> Complex:
        y = function(Complex(-x.im, x.re))
        return Complex(y.im, -y.re)

    return run


def _one(sign: int, x: Complex) -> Complex:
    return Complex(1 + sign * x.re, sign * x.im)


def _arcsin(x: Complex) -> Complex:
    """The inverses of sines and tangents are those of Kahan, 1987."""
    less, more = _sqrt(_one(-1, x)), _sqrt(_one(1, x))
    return Complex(np.arctan2(x.re, less.re * more.re - less.im * more.im), np.arcsinh(less.re * more.im - less.im * more.re))


def _arccos(x: Complex) -> Complex:
    less, more = _sqrt(_one(-1, x)), _sqrt(_one(1, x))
    return Complex(2 * np.arctan2(less.re, more.re), np.arcsinh(less.im * more.re - less.re * more.im))


def _arccosh(x: Complex) -> Complex:
    less, more = _sqrt(Complex(x.re - 1, x.im)), _sqrt(_one(1, x))
    return Complex(np.arcsinh(less.re * more.re + less.im * more.im), 2 * np.arctan2(less.im, more.re))


def _arctanh(x: Complex) -> Complex:
    size = abs(x.re)
    far = np.hypot(1 - size, x.im)  # from the nearer pole
    near = np.log(far * far + 4 * size) / 4 - np.log(far) / 2
    re = np.where(far < 0.5, near, np.where(np.isinf(far), 0, np.log1p(4 * (size / far / far)) / 4))
    return Complex(np.copysign(re, x.re), (np.arctan2(x.im, 1 + x.re) + np.arctan2(x.im, 1 - x.re)) / 2)


def _log1p(x: Complex) -> Complex:
    more = x.re * (2 + x.re) + x.im * x.im  # what the square of the size has above 1
    moved = _log(_one(1, x))
    return Complex(np.where(abs(more) < 0.5, np.log1p(more) / 2, moved.re), moved.im)


def _expm1(x: Complex) -> Complex:
    half = np.sin(x.im / 2)
    return Complex(np.expm1(x.re) * np.cos(x.im) - 2 * half * half, np.exp(x.re) * np.sin(x.im))


def _sign(x: Complex) -> Complex:
    size = np.hypot(x.re, x.im)
    one = np.where(size == 0, 1, size)
    return Complex(x.re / one, x.im / one)


def _before(strict: bool) -> Callable:
    """Compares by the real parts, and by the imaginary ones where these are the same."""
    return lambda x, y: (x.re < y.re) & ~np.isnan(x.im + y.im) | (x.re == y.re) & (x.im < y.im if strict else x.im <= y.im)


def _swapped(function: Callable) -> Callable:
    return lambda x, y: function(y, x)


def _chosen(first: Callable) -> Callable:
    """Chooses the first of two numbers where the condition holds."""

    def run(x: Complex, y: Complex) -> Complex:
        mine = first(x, y)
        return Complex(np.where(mine, x.re, y.re), np.where(mine, x.im, y.im))

    return run


def _nan(x: Complex) -> Traced:
    return np.isnan(x.re) | np.isnan(x.im)


def _apart(function: Callable) -> Callable:
    return lambda *values: Complex(function(*[x.re for x in values]), function(*[x.im for x in values]))


def _truth(x: Complex) -> Traced:
    return (x.re != 0) | (x.im != 0)


_sinh = lambda x: Complex(np.sinh(x.re) * np.cos(x.im), np.cosh(x.re) * np.sin(x.im))
_less, _less_equal = _before(True), _before(False)
ELEMENTWISE: Dict[Any, Callable] = {
    np.add: _apart(np.add), np.subtract: _apart(np.subtract), np.negative: _apart(np.negative), np.positive: _apart(np.positive),
    np.rint: _apart(np.rint), np.multiply: _multiply, np.true_divide: _divide, np.square: lambda x: _multiply(x, x),
    np.conjugate: lambda x: Complex(x.re.copy(), -x.im), np.absolute: lambda x: np.hypot(x.re, x.im), np.exp: _exp, np.log: _log,
    np.log2: _scaled(1 / math.log(2)), np.log10: _scaled(1 / math.log(10)), np.sqrt: _sqrt, np.power: _power, np.float_power: _power,
    np.exp2: lambda x: _exp(Complex(x.re * math.log(2), x.im * math.log(2))),
    np.sinh: _sinh, np.cosh: lambda x: Complex(np.cosh(x.re) * np.cos(x.im), np.sinh(x.re) * np.sin(x.im)),
    np.sin: _turned(_sinh), np.cos: lambda x: Complex(np.cos(x.re) * np.cosh(x.im), -np.sin(x.re) * np.sinh(x.im)),
    np.tanh: _tanh, np.tan: _turned(_tanh), np.arcsin: _arcsin, np.arccos: _arccos, np.arccosh: _arccosh, np.arctanh: _arctanh,
    np.arcsinh: _turned(_arcsin), np.arctan: _turned(_arctanh), np.log1p: _log1p, np.expm1: _expm1,
    np.reciprocal: lambda x: _divide(Complex(np.ones_like(x.re), np.zeros_like(x.re)), x),
    np.equal: lambda x, y: (x.re == y.re) & (x.im == y.im), np.not_equal: lambda x, y: (x.re != y.re) | (x.im != y.im),
    np.less: _less, np.less_equal: _less_equal, np.greater: _swapped(_less), np.greater_equal: _swapped(_less_equal),
    np.maximum: _chosen(lambda x, y: _less_equal(y, x) | _nan(x)), np.minimum: _chosen(lambda x, y: _less_equal(x, y) | _nan(x)),
    np.fmax: _chosen(lambda x, y: _less_equal(y, x) | _nan(y)), np.fmin: _chosen(lambda x, y: _less_equal(x, y) | _nan(y)),
    np.isnan: _nan, np.isinf: lambda x: np.isinf(x.re) | np.isinf(x.im),
    np.isfinite: lambda x: np.isfinite(x.re) & np.isfinite(x.im),
    np.logical_not: lambda x: ~_truth(x), np.logical_and: lambda x, y: _truth(x) & _truth(y),
    np.logical_or: lambda x, y: _truth(x) | _truth(y), np.logical_xor: lambda x, y: _truth(x) ^ _truth(y),
}
if np.sign(-1j) == -1j:  # since numpy 2
    ELEMENTWISE[np.sign] = _sign


def elementwise(r: Recorder, ufunc: Any, inputs: Sequence[Any]) -> Any:
    """Writes a ufunc of operands of which some are complex."""
    if ufunc is np.matmul:
        return _products(np.matmul)(r, *inputs)
    if ufunc is getattr(np, "vecdot", None):
        return np.sum(np.conjugate(inputs[0]) * inputs[1], axis=-1)
    if ufunc not in ELEMENTWISE:
        refuse(f"np.{ufunc.__name__} of complex numbers cannot be captured")
    real = REAL.get(_type_of(ufunc, *inputs)) or _type(*inputs)
    if ufunc is np.power and isinstance(inputs[1], (int, float, complex, np.number)) and 0 < abs(inputs[1]) < 100 and inputs[1] == int(np.real(inputs[1])):
        return _whole_power(pair(r, inputs[0], real), int(np.real(inputs[1])))
    y = ELEMENTWISE[ufunc](*[pair(r, x, real) for x in inputs])
    return y.astype(COMPLEX[real]) if isinstance(y, Complex) else y


# ---------------------------------------------------------------------- functions
def _moves(*names: str) -> List[Any]:
    return [getattr(np, n) for n in names if hasattr(np, n)]


ROWS: Dict[Any, Callable] = {f: _by_parts(f) for f in _moves(
    "reshape", "ravel", "transpose", "permute_dims", "matrix_transpose", "swapaxes", "moveaxis", "rollaxis", "expand_dims", "squeeze",
    "broadcast_to", "flip", "fliplr", "flipud", "roll", "rot90", "take", "take_along_axis", "tile", "repeat", "split", "array_split",
    "hsplit", "vsplit", "dsplit", "diagonal", "diag", "trace", "tril", "triu", "sum", "mean", "cumsum", "diff", "gradient", "trapezoid", "trapz",
    "delete", "resize", "atleast_1d", "atleast_2d", "atleast_3d", "around", "round", "concatenate", "stack", "vstack", "hstack", "dstack",
    "column_stack", "block", "unstack", "cumulative_sum", "ediff1d", "apply_over_axes", "nan_to_num")}
ROWS.update({np.where: _by_parts(np.where, (1, 2)), np.append: _by_parts(np.append, (0, 1)), np.insert: _by_parts(np.insert, (0, 2)),
             np.compress: _by_parts(np.compress, (1,)), 
             np.pad: _by_parts(np.pad), np.choose: _by_parts(np.choose, (1,)),
             np.select: _by_parts(np.select, (1, 2)), np.fft.fftshift: _by_parts(np.fft.fftshift), np.fft.ifftshift: _by_parts(np.fft.ifftshift),
             np.average: _by_parts(np.average), np.lib.stride_tricks.sliding_window_view: _by_parts(np.lib.stride_tricks.sliding_window_view)})
ROWS.update({f: _products(f) for f in (np.dot, np.inner, np.outer, np.kron, np.tensordot, np.cross)})
ROWS.update({np.vdot: _products(np.vdot, conjugated=(0,)), np.convolve: _products(np.convolve), np.correlate: _products(np.correlate, conjugated=(1,))})


def row(*functions):
    def note(f):
        ROWS.update((function, f) for function in functions)
        return f

    return note


row(np.real)(lambda r, val: val.real)
row(np.imag)(lambda r, val: val.imag)
row(np.iscomplexobj)(lambda r, x: True)
row(np.isrealobj)(lambda r, x: False)
row(np.iscomplex)(lambda r, x: x.im != 0)
row(np.isreal)(lambda r, x: x.im == 0)
row(np.shape)(lambda r, a: a.shape)
row(np.ndim)(lambda r, a: a.ndim)
row(np.size)(lambda r, a, axis=None: np.size(a.re, axis))
ROWS.update({f: lambda r, a, *args, f=f, **named: f(_truth(a), *args, **named) for f in (np.any, np.all, np.count_nonzero)})
# The rows of these are written with functions that have a row here.
ALIKE = {np.isclose, np.allclose, np.array_equal, np.vander, np.polyval, np.linalg.multi_dot, np.linalg.matrix_power}


@row(np.angle)
def _angle(r, z, deg=False):
    y = np.arctan2(z.imag, z.real)
    return y * (180 / math.pi) if deg else y


def _like(number):
    def run(r, a, fill_value=number, dtype=None, **_):
        dtype = np.dtype(a.dtype if dtype is None else dtype)
        if dtype not in REAL:
            return np.full_like(a.re, np.real(fill_value), dtype=dtype)
        like = a.re if isinstance(a, Complex) else a
        return Complex(*[np.full_like(like, part(fill_value), dtype=REAL[dtype]) for part in (np.real, np.imag)])

    return run


ROWS.update({np.zeros_like: _like(0), np.empty_like: _like(0), np.ones_like: _like(1), np.full_like: _like(0)})


@row(np.prod)
def _prod(r, a, axis=None, dtype=None, keepdims=False, **named):
    if named:
        refuse("np.prod of complex numbers with these options cannot be captured")
    x = a if dtype is None else a.astype(dtype)
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    y = np.moveaxis(x, tuple(axes), tuple(range(len(axes))))
    y = np.reshape(y, (-1, *y.shape[len(axes):]))
    while y.shape[0] > 1:  # halves are multiplied, so that few steps are written
        half = y.shape[0] // 2
        rest = y[2 * half:]
        y = y[:half] * y[half:2 * half]
        y = np.concatenate([y, rest]) if rest.shape[0] else y
    y = y[0] if y.shape[0] else np.ones_like(np.sum(y, axis=0))
    return np.expand_dims(y, tuple(axes)) if keepdims and axes else y


@row(np.var)
def _var(r, a, axis=None, dtype=None, out=None, ddof=0, keepdims=False):
    far = a - np.mean(a, axis=axis, keepdims=True)
    size = far.re * far.re + far.im * far.im
    count = np.size(a.re) if axis is None else math.prod(a.shape[i] for i in (axis if isinstance(axis, tuple) else (axis,)))
    return np.sum(size, axis=axis, keepdims=keepdims) / size.dtype.type(max(count - ddof, 0))


row(np.std)(lambda r, a, *args, **named: np.sqrt(np.var(a, *args, **named)))
row(np.ptp)(lambda r, *_, **__: refuse("np.ptp of complex numbers cannot be captured"))


@row(np.linalg.norm)
def _norm(r, x, ord=None, axis=None, keepdims=False):
    if ord in ("nuc", 2, -2) and (axis is None and x.ndim == 2 or isinstance(axis, tuple)):
        refuse(f"np.linalg.norm of complex matrices of order {ord} cannot be captured")
    return np.linalg.norm(abs(x), ord, axis, keepdims)


@row(np.einsum)
def _einsum(r, subscripts, *operands, **named):
    places = range(1, len(operands) + 1)
    if not isinstance(subscripts, str):
        refuse("np.einsum of complex numbers takes its subscripts as a text")
    return _products(np.einsum, places)(r, subscripts, *operands, **named)


@row(np.broadcast_arrays)
def _broadcast_arrays(r, *args, subok=False):
    shape = np.broadcast_shapes(*[np.shape(x) for x in args])
    return tuple(np.broadcast_to(_array(r, x), shape) for x in args)


@row(np.meshgrid)
def _meshgrid(r, *xi, **named):
    grids = np.meshgrid(*[x.re if isinstance(x, Complex) else x for x in map(lambda x: _array(r, x), xi)], **named)
    others = np.meshgrid(*[x.im if isinstance(x, Complex) else x for x in map(lambda x: _array(r, x), xi)], **named)
    return [Complex(a, b) if is_complex(x) else a for x, a, b in zip(xi, grids, others)]


@row(np.linalg.solve)
def _solve(r, a, b):
    """Solves for real and imaginary parts at once, by a matrix of twice as many rows."""
    real = _type(a, b)
    x, y = pair(r, a, real), pair(r, b, real)
    y = y[:, None] if y.ndim == 1 else y
    both = np.concatenate([np.concatenate([x.re, -x.im], -1), np.concatenate([x.im, x.re], -1)], -2)
    n, found = x.shape[-1], np.linalg.solve(both, np.concatenate([y.re, y.im], -2))
    z = Complex(found[..., :n, :], found[..., n:, :])
    return z[..., 0] if np.ndim(b) == 1 else z


row(np.linalg.inv)(lambda r, a: np.linalg.solve(a, np.eye(a.shape[-1], dtype=a.dtype)))


@row(np.copyto)
def _copyto(r, dst, src, casting="same_kind", where=True):
    if not isinstance(dst, Complex):
        raise TypeError(f"Cannot cast from complex to {dst.dtype} according to the rule '{casting}'")
    dst[...] = src if where is True else np.where(where, src, dst)


def call_function(r: Recorder, function: Any, args: Tuple, named: dict) -> Any:
    """Writes a function of numpy of which an argument is complex."""
    if function in ALIKE:
        return FUNCTIONS[function](r, *args, **named)
    if function not in ROWS:
        refuse(f"{function.__module__.replace('numpy', 'np')}.{function.__name__} of complex numbers cannot be captured")
    return ROWS[function](r, *args, **named)


def as_result(x: Complex) -> Traced:
    """Returns a value with real and imaginary parts in its last axis, as numpy keeps them in memory."""
    return np.stack([x.re, x.im], axis=-1)


def from_parts(x: Traced) -> Complex:
    """Does the opposite for an array that was given."""
    names = ", ".join(f"i{k}" for k in range(x.ndim - 1))
    re, im = (x._recorder.emit(f"{x._name}[{names + ', ' if names else ''}{k}]", f"[{names}]") for k in (0, 1))
    re._fixed = im._fixed = x._fixed
    return Complex(re, im)
