"""numpy.linalg's factorisations and systems of equations over captured values. Where numpy raises an error for a singular matrix, or one
that isn't positive, results are infinite or NaN."""

import numpy as np

from ._capture import Traced, refuse
from ._functions import made
from ._places import _matrix_power
from ._rows import _array, row


def _matrices(x: Traced, square: bool = True) -> Traced:
    np.linalg.det(np.ones(x._sizes[-2:])) if square or x.ndim < 2 else None  # numpy's own error
    if x.dtype == np.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    return x if x.dtype.kind == "f" else x.astype(np.float64)


def _named(function, *values):
    """Gives results the names that numpy's have, if these have some."""
    kind = type(function(np.eye(1)))
    return values if kind is tuple else kind(*values)


made(np.linalg.det)(lambda a: (lambda x: x._recorder.emit(f"det({x._name})"))(_matrices(a)))


@made(np.linalg.slogdet)
def _slogdet(a):
    x = _matrices(a)
    f, pivots, _ = x._recorder.emit_all(f"factors.lu({x._name})", 3)
    d = np.diagonal(f, 0, -2, -1)
    turns = np.where(pivots == np.arange(1, x._sizes[-1] + 1), 1, -1).astype(x.dtype)
    return _named(np.linalg.slogdet, np.prod(np.sign(d) * turns, axis=-1), np.sum(np.log(abs(d)), axis=-1))


@made(np.linalg.cholesky)
def _cholesky(a, /, *, upper=False):
    x = _matrices(a)
    x = np.swapaxes(x, -1, -2) if upper else x
    y = x._recorder.emit_all(f"factors.cholesky({x._name})", 2)[0]
    return np.swapaxes(y, -1, -2) if upper else y


@row(np.linalg.solve)
def _solve(r, a, b):
    x, y = _array(r, a), _array(r, b)
    type_ = np.result_type(_matrices(x).dtype, y.dtype, np.float32)
    x, y, line = x.astype(type_), y.astype(type_), y.ndim == 1
    y = y[:, None] if line else y
    batch = np.broadcast_shapes(x._sizes[:-2], y._sizes[:-2])
    if y._sizes[-2] != x._sizes[-1]:
        raise ValueError(f"solve: {x._sizes[-1]} equations, but {y._sizes[-2]} right sides")
    x, y = (np.broadcast_to(v, batch + v._sizes[-2:]) if v._sizes[:-2] != batch else v for v in (x, y))
    found = r.emit(f"factors.solve({x._name}, {y._name})")
    return found[..., 0] if line else found


@made(np.linalg.inv)
def _inv(a):
    x = _matrices(a)
    return np.linalg.solve(x, np.eye(x._sizes[-1], dtype=x.dtype))


@made(np.linalg.qr)
def _qr(a, mode="reduced"):
    x = _matrices(a, False)
    if mode not in ("reduced", "r"):
        refuse(f"np.linalg.qr of mode {mode} cannot be captured")
    q, r = x._recorder.emit_all(f"factors.qr({x._name})", 2)
    return r if mode == "r" else _named(np.linalg.qr, q, r)


@made(np.linalg.eigh)
def _eigh(a, UPLO="L"):
    x = _matrices(a)
    np.linalg.eigh(np.eye(1), UPLO)  # numpy's own error
    x = np.swapaxes(x, -1, -2) if UPLO.upper() == "U" else x
    v, w = x._recorder.emit_all(f"factors.eigh({x._name})", 2)
    return _named(np.linalg.eigh, w, v)


made(np.linalg.eigvalsh)(lambda a, UPLO="L": _eigh(a, UPLO)[0])


@made(np.linalg.svd)
def _svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    x = _matrices(a, False)
    rows, columns = x._sizes[-2:]
    if hermitian:
        refuse("np.linalg.svd with hermitian cannot be captured")
    wide = rows < columns
    x = np.swapaxes(x, -1, -2) if wide else x
    u, s, v = x._recorder.emit_all(f"factors.svd({x._name})", 3)
    if not compute_uv:
        return s
    if full_matrices and rows != columns:
        u = x._recorder.emit(f"factors.orthonormal({u._name}, columns = {max(rows, columns)})")
    u, v = (v, u) if wide else (u, v)
    return _named(np.linalg.svd, u, s, np.swapaxes(v, -1, -2))


if hasattr(np.linalg, "svdvals"):
    made(np.linalg.svdvals)(lambda x, /: _svd(x, compute_uv=False))


@made(np.linalg.matrix_power)
def _power(a, n):
    if n < 0:
        a, n = np.linalg.inv(a), -n
    return _matrix_power(a, n) if n else np.broadcast_to(np.eye(a._sizes[-1], dtype=a.dtype), a._sizes) * np.ones_like(a)
