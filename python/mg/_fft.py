"""numpy.fft over captured values: the library's `dft` along an axis, and for long axes fewer sums by Cooley and Tukey."""

import math
from typing import Any, Optional

import numpy as np

from ._complex import COMPLEX, REAL, ROWS, Complex, as_result, from_parts
from ._functions import made
from ._rows import FUNCTIONS, _array, _axes, _list, _type_of

SHORT = 128  # along axes up to this length, a transform is one product with a matrix


def _dft(x: Any, axis: int, n: Optional[int] = None, inverse: bool = False, onesided: bool = False) -> Any:
    """Writes a transform of n elements, of which the inverse divides by n."""
    pairs = as_result(x) if isinstance(x, Complex) else np.expand_dims(x, -1)
    words = f", inverse = {str(inverse).lower()}, onesided = {str(onesided).lower()}" + (f", length = {n}" if n else "")
    y = x._recorder.emit(f"dft({pairs._name}, axis = {axis}{words})")
    return y[..., 0] if inverse and onesided else from_parts(y)


def _whole(x: Any, axis: int, inverse: bool) -> Complex:
    """Transforms all of an axis, which may be long."""
    n = x._sizes[axis]
    first = next((a for a in range(math.isqrt(n), 1, -1) if not n % a), 1)
    if x._dims[axis] or n <= SHORT or first == 1:
        return _dft(x, axis, inverse=inverse)
    second = n // first
    y = np.moveaxis(x, axis, -1)
    y = np.reshape(y, (*y.shape[:-1], first, second))
    y = _whole(y, y.ndim - 2, inverse)
    turns = np.outer(np.arange(first), np.arange(second)) * (2j if inverse else -2j) * math.pi / n
    y = _whole(y * np.exp(turns).astype(y.dtype), y.ndim - 1, inverse)
    y = np.reshape(np.swapaxes(y, -1, -2), (*y.shape[:-2], n))
    return np.moveaxis(y, -1, axis)


def _scale(y: Any, n: int, norm: Optional[str], inverse: bool) -> Any:
    """Divides by what `norm` says; the inverse has divided by n."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if norm in (None, "backward"):
        return y
    by = (math.sqrt(n) if norm == "ortho" else n) if inverse else (1 / math.sqrt(n) if norm == "ortho" else 1 / n)
    return y * by


def _count(x: Any, axis: int, norm: Optional[str]) -> int:
    """Returns the length of an axis; the graph is valid for it alone only if it is needed."""
    return x._sizes[axis] if norm in (None, "backward") else x.shape[axis]


def _cut(x: Any, n: Optional[int], axis: int) -> Any:
    """Cuts an axis off after n elements, or lets zeros follow."""
    if n is None or n == x.shape[axis]:
        return x
    if n < x.shape[axis]:
        return x[(slice(None),) * axis + (slice(None, n),)]
    return np.pad(x, [(0, n - x.shape[axis] if i == axis else 0) for i in range(x.ndim)])


def _checked(a: Any, n: Optional[int], axis: int) -> Any:
    """Returns an array in the type that numpy computes in, and the number of its axis."""
    axis = _axes(a, axis)[0]
    if n is not None and n < 1 or n is None and not a._sizes[axis]:
        raise ValueError(f"Invalid number of FFT data points ({a._sizes[axis] if n is None else n}) specified.")
    type_ = _type_of(np.fft.fft, a)
    type_ = REAL.get(type_, type_)
    return a.astype(COMPLEX[type_] if isinstance(a, Complex) else type_), axis


def _long(x: Any, axis: int) -> bool:
    return x._sizes[axis] > SHORT and not x._dims[axis]


def _transform(function: Any, inverse: bool) -> None:
    @_both(function)
    def run(r, a, n=None, axis=-1, norm=None, out=None):
        x, axis = _checked(_array(r, a), n, axis)
        x = _cut(x, n, axis)
        return _scale(_whole(x, axis, inverse), _count(x, axis, norm), norm, inverse)


def _both(function: Any):
    """Makes a row for real and complex arguments."""

    def note(f):
        FUNCTIONS[function] = ROWS[function] = f
        return f

    return note


_transform(np.fft.fft, False)
_transform(np.fft.ifft, True)


@_both(np.fft.rfft)
def _rfft(r, a, n=None, axis=-1, norm=None, out=None):
    x = _array(r, a)
    if isinstance(x, Complex):
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types")
    x, axis = _checked(x, n, axis)
    x = _cut(x, n, axis)
    if _long(x, axis):
        y = _whole(x, axis, False)[(slice(None),) * axis + (slice(None, x.shape[axis] // 2 + 1),)]
    else:
        y = _dft(x, axis, onesided=True)
    return _scale(y, _count(x, axis, norm), norm, False)


@_both(np.fft.irfft)
def _irfft(r, a, n=None, axis=-1, norm=None, out=None):
    x = _array(r, a)
    n = 2 * (x.shape[axis] - 1) if n is None else n
    x, axis = _checked(x, n, axis)
    if not _long(x, axis):
        return _scale(_dft(x, axis, n, True, True), n, norm, True)
    at = (slice(None),) * axis
    x = _cut(x, n // 2 + 1, axis)  # the other half is this one's conjugate, backwards
    rest = np.conjugate(x[at + (slice(1, (n + 1) // 2),)])[at + (slice(None, None, -1),)]
    return _scale(np.real(_whole(np.concatenate([x, rest], axis), axis, True)), n, norm, True)


_SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


@_both(np.fft.hfft)
def _hfft(r, a, n=None, axis=-1, norm=None, out=None):
    return np.fft.irfft(np.conjugate(_array(r, a)), n, axis, _SWAPPED.get(norm, norm))


@_both(np.fft.ihfft)
def _ihfft(r, a, n=None, axis=-1, norm=None, out=None):
    return np.conjugate(np.fft.rfft(_array(r, a), n, axis, _SWAPPED.get(norm, norm)))


def _several(function: Any, first: Any, rest: Any, axes_given: Any, inner_first: bool) -> None:
    """Makes a transform along several axes of those along one: `first` along the last axis, `rest` along the others."""

    @_both(function)
    def run(r, a, s=None, axes=axes_given, norm=None, out=None):
        x = _array(r, a)
        if axes is None:
            axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
        axes = [i % x.ndim for i in _axes(x, list(axes))]
        sizes = [None] * len(axes) if s is None else [x.shape[i] if n == -1 else n for n, i in zip(_list(s), axes)]
        if len(sizes) != len(axes):
            raise ValueError("Shape and axes have different lengths.")
        steps = [(rest, i, n) for i, n in zip(axes[:-1], sizes[:-1])][::-1]
        last = [(first, i, n) for i, n in zip(axes[-1:], sizes[-1:])]
        for step, i, n in (last + steps if inner_first else steps + last):
            x = step(x, n, i, norm)
        return x


for _word, _axes_given in (("n", None), ("2", (-2, -1))):
    _several(getattr(np.fft, "fft" + _word), np.fft.fft, np.fft.fft, _axes_given, True)
    _several(getattr(np.fft, "ifft" + _word), np.fft.ifft, np.fft.ifft, _axes_given, True)
    _several(getattr(np.fft, "rfft" + _word), np.fft.rfft, np.fft.fft, _axes_given, True)
    _several(getattr(np.fft, "irfft" + _word), np.fft.irfft, np.fft.ifft, _axes_given, False)


def _shifted(sign: int):
    def run(x, axes=None):
        axes = _axes(x, axes)
        return np.roll(x, [sign * (x.shape[i] // 2) for i in axes], axes)

    return run


made(np.fft.fftshift)(_shifted(1))
made(np.fft.ifftshift)(_shifted(-1))
