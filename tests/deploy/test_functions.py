"""Tests single functions of numpy under mg.jit, each as an expression, against numpy itself: types, shapes and values."""

import linecache
import re
import sys
import warnings

import numpy as np

import mg


def arrays(n, width):
    """Draws arrays of n rows and of others' sizes, by the names that expressions have for them."""
    draw = np.random.default_rng(n)

    def normal(*shape, dtype="f4"):
        return draw.standard_normal(shape).astype(dtype)

    return dict(x=normal(n, width), y=normal(n, width), d=normal(n, width, dtype="f8"), v=normal(width), t=normal(2, 3, 4), s=normal(5, 5, dtype="f8"),
                h=normal(n, width, dtype="f2"), i=draw.integers(0, 4, 3), j=draw.integers(0, width, 3), n=draw.integers(-9, 9, (n, width)).astype("i4"),
                u=draw.integers(0, 9, (n, width)).astype("u1"), b=draw.integers(0, 2, (n, width)).astype(bool), c=np.float32(1.5),
                p=np.abs(normal(n, width, dtype="f8")) + 0.1, m=draw.integers(0, 2, n).astype(bool), k=np.array([2, 0, 1]),
                a=(normal(n, width) + 1j * normal(n, width)).astype("c8"), g=normal(n, width, dtype="f8") + 1j * normal(n, width, dtype="f8"),
                q=normal(width) + 1j * normal(width, dtype="f8"), r=normal(3, 3) + 1j * normal(3, 3, dtype="f8"), z=normal(360, dtype="f8"))


ARRAYS, LARGER = arrays(4, 6), [arrays(5, 9), arrays(8, 12)]
EXPRESSIONS = """
np.asarray(x); np.array([x, y]); np.array(x, 'f8'); np.asarray([v[0], 2]); np.array([[v[0], 1], [2, v[1]]]); np.array([v, [1, 2, 3, 4, 5, 6]])
np.ascontiguousarray(x.T); np.array(v, ndmin=3); np.asanyarray(n, dtype=float); np.array([c, v[0], 3]); np.ascontiguousarray(v[0]); np.array((n, b))
np.r_[v, 0, v]; np.r_[0:3, v]; np.r_[v, 1:2:3j, n[0]]; np.r_['-1', x, y]; np.r_['0,2', v, x]; np.r_['0,3,1', v, v]; np.c_[v, v]; np.c_[x, y]; np.c_[v, n[0], 1:7]
np.r_[n[0], True, 2]; np.c_[v[0], 2]; np.r_[[v[0], 1], v]; np.r_['1,3,0', x, x]; np.c_[t]; np.r_[x[0], h[0]]
x[i]; x[i, j]; x[:, j]; x[i[:, None], j]; x[i][:, j]; t[:, i % 3]; t[i % 2, :, i]; t[..., k]; t[0, i % 3]; t[:, 1, k]; x[-1, ::-1]
x[::-2, ::-1]; x[1:3, 2:-1]; x[..., -1]; x[None, :, 0]; x[np.newaxis]; x[[0, 2]]; x[[0, 2], [1, 3]]
x[np.array([True, False, True, True])]; x[np.arange(4), n.argmax(1)]; x[np.arange(4)[:, None], np.argsort(x, axis=1)]
np.where(x > 0, x, 0); np.where(b, x, d); np.where(x > y, 1, -1); np.where(m[:, None], x, y); np.linalg.norm(x)
np.linalg.norm(x, axis=1); np.linalg.norm(x, axis=(0, 1)); np.linalg.norm(x, ord=1, axis=0); np.linalg.norm(x, np.inf, -1, True)
np.linalg.norm(x, axis=1, keepdims=True); np.linalg.norm(x, 'fro'); np.linalg.norm(x, ord=np.inf); np.linalg.norm(v, 3)
np.linalg.norm(n); np.einsum('ij,kj->ik', x, y); np.einsum('ij,ij->i', x, y); np.einsum('ij->ji', x); np.einsum('ii->i', s)
np.einsum('ii', s); np.einsum('ij->', x); np.einsum('bij,bkj->bik', t, t); np.einsum('...i,...i->...', t, t)
np.einsum('i,j->ij', v, v); np.einsum('ij,j', x, v); np.einsum('ij,jk,kl->il', s, s, s); np.einsum('ij,jk', x, y.T, optimize=True)
np.einsum(x, [0, 1], y, [0, 1], [0]); np.sum(t, axis=(0, 2)); np.sum(t, axis=(0, 2), keepdims=True); np.sum(t, axis=(-1, 0))
t.mean((1, 2)); t.max(axis=(0, 1), keepdims=True); np.prod(x, axis=1, dtype=np.float64); np.sum(x, dtype='f8'); np.sum(u); np.sum(b)
np.mean(n, axis=0); np.mean(b); np.std(x, axis=0, ddof=1); np.var(x, axis=(0, 1)); np.std(n); np.mean(h); np.sum(h, axis=1)
np.max(n, axis=1, initial=3); np.sum(x, where=b); np.sum(x, axis=0, initial=2.0); np.mean(x, axis=1, where=b | True)
np.max(x, axis=1, where=b, initial=-9); np.any(x > 1, axis=1); np.all(b, axis=(0, 1)); np.argmax(x); np.argmin(x, axis=1)
np.argmax(b, axis=1); np.argmax(x, axis=1, keepdims=True); np.cumsum(x, axis=1); np.cumsum(n); np.cumprod(x, axis=0)
np.cumsum(b, axis=0); np.nancumsum(x, axis=0); np.sort(x, axis=0); np.sort(x, axis=None); np.sort(n)[..., ::-1]
np.argsort(-x, axis=1); np.argsort(x); np.argsort(n, axis=1, kind='stable'); np.median(x); np.median(x, axis=1); np.percentile(x, 30)
np.percentile(x, [10, 90], axis=1); np.quantile(x, 0.3, axis=0); np.quantile(x, np.float64(0.3)); np.average(x, axis=0); np.average(x, axis=1, weights=v)
np.average(x, weights=np.abs(y)); np.cov(x); np.corrcoef(x); np.searchsorted(np.sort(v), v); np.digitize(x, [-1.0, 0.0, 1.0])
np.interp(x, [-1.0, 0.0, 2.0], [1.0, 3.0, 2.0]); np.diff(x); np.diff(x, n=2, axis=0); np.diff(x, prepend=0.0); np.gradient(x, axis=1)
np.gradient(v); np.convolve(v, np.ones(3, 'f4')); np.convolve(v, v, 'same'); np.correlate(v, v, 'full')
np.polyval([1.0, 2.0, 3.0], x); np.cross(x[:, :3], y[:, :3]); np.dot(x, y.T); np.dot(t, v[:4]); np.vdot(x, y); np.inner(x, y)
np.outer(v, v); np.kron(x[:2, :2], y[:2, :2]); np.matmul(t, t.transpose(0, 2, 1)); x @ v; v @ v; t @ v[:4]; n @ n.T
np.vander(v, 0); x.compress([True, False, True], axis=0); np.inner(v, 2); np.percentile(x, 40, method='hazen')
np.tensordot(x, y, axes=([1], [1])); np.tensordot(x, y, 2); np.linalg.matrix_power(s, 3); np.linalg.multi_dot([s, s, s]); np.trace(s)
np.trace(s, offset=1); np.diag(s); np.diag(v); np.diag(s, 1); np.diagonal(s); np.diagonal(t, axis1=1, axis2=2); np.tril(s, -1)
np.triu(s); np.eye(6) @ v; np.identity(6) + v; np.fliplr(x); np.flipud(x); np.flip(x); np.flip(t, (0, 2)); np.rot90(x); np.rot90(x, 2)
np.roll(x, 2); np.roll(x, (1, -2), (0, 1)); np.tile(x, (2, 3)); np.repeat(x, 3); np.repeat(x, 2, axis=1)
np.repeat(x, [1, 2, 0, 1], axis=0); np.concatenate([x, y, d]); np.concatenate((x, y), axis=-1); np.concatenate([x, n], axis=None)
np.stack([x, y], axis=-1); np.vstack([x, v]); np.hstack([x, y]); np.dstack([x, y]); np.column_stack([v, v])
np.block([[x, y], [y, x]]); np.append(x, y, axis=0); np.append(v, 3.0); np.split(x, 3, axis=1)[1]; np.split(x, [1, 3], axis=1)[2]
np.array_split(x, 4, axis=1)[0]; np.hsplit(x, 2)[0]; np.vsplit(x, 2)[1]; np.moveaxis(t, 0, -1); np.rollaxis(t, 2)
np.swapaxes(t, 0, 2); np.transpose(t, (2, 0, 1)); t.transpose(2, 0, 1); t.T; np.expand_dims(x, (0, 3))
np.squeeze(x[None, :, :, None]); np.squeeze(x[None], axis=0); np.reshape(x, (2, -1)); x.reshape(-1, 3); x.ravel(); x.flatten()
np.ravel(x, order='F'); x.reshape((3, 8), order='F'); np.broadcast_to(v, (4, 6)); np.broadcast_arrays(x, v)[1]; np.atleast_2d(v)
np.atleast_3d(v); np.pad(x, 1); np.pad(x, ((1, 0), (0, 2)), constant_values=2.0); np.pad(x, 1, mode='edge')
np.pad(x, ((1, 1), (2, 2)), mode='reflect'); np.pad(x, 1, mode='wrap'); np.pad(x, 1, mode='symmetric'); np.take(x, i, axis=0)
np.take(x, i); np.take(x, 2, axis=1); np.take(x, [-1, 0], axis=1); np.take(x, i + 9, axis=0, mode='clip')
np.take_along_axis(x, np.argsort(x, axis=1), axis=1); np.choose(i % 2, [v[:3], v[3:]]); np.select([x > 1, x > 0], [x, y], -1.0)
np.select([x > 1, x > 0], [x, y]); np.piecewise(x, [x < 0, x >= 0], [-1, 1]); np.compress([True, False, True, True], x, axis=0)
np.clip(x, -0.5, 0.5); np.clip(x, None, 0.5); np.clip(n, -2, 3); x.clip(0); np.clip(x, y - 1, y + 1); np.minimum(x, 0)
np.maximum(n, 2.5); np.fmax(x, y); np.round(x, 2); np.round(x); x.round(1); np.around(d, -1); np.fix(x); np.trunc(x); np.floor(x)
np.sign(n); np.abs(n); abs(x); -x; +x; x ** 2; x ** 3.0; p ** d; 2 ** x; n ** 2; n ** 3; 2 ** u; x ** -1; x % 1.0; n % 3; -n % 4
n // 3; x // 0.5; n / 2; u / u.dtype.type(3); u + u; u * 3; u - 1; n + 1.5; n + c; x + c; x + 1; x * np.float64(2); h * 2; h + x
h * np.float32(2); n + u; b + b; b * x; b & (x > 0); b | ~b; b ^ b; ~n; n & 3; n | 4; n ^ 5; n << 2; n >> 1; u >> 1; divmod(n, 3)[0]
np.divmod(n, 3)[1]; np.modf(x)[0]; np.modf(n)[1]; np.modf(u)[0]; np.ldexp(x, n % 3); np.ldexp(n, 2); np.ldexp(u, n % 3); np.ldexp(2.0, n)
np.exp(x); np.exp2(x); np.expm1(x); np.log(p); np.log2(p); np.log10(p)
np.log1p(p); np.sqrt(p); np.cbrt(x); np.square(x); np.reciprocal(p); np.sin(x) + np.cos(x) * np.tan(x); np.arcsin(np.clip(x, -1, 1))
np.arctan2(y, x); np.hypot(x, y); np.sinh(x); np.arcsinh(x); np.arctanh(np.tanh(x)); np.deg2rad(x); np.degrees(x); np.sinc(x)
np.logaddexp(x, y); np.logaddexp2(x, y); np.heaviside(x, 0.5); np.copysign(x, y); np.signbit(x); np.isnan(x); np.isfinite(x)
np.isinf(x); np.isclose(x, y); np.allclose(x, x); np.array_equal(x, x); np.nan_to_num(x); np.real(x); np.imag(x); np.conj(x)
np.angle(x); np.angle(x * 0); np.angle(np.where(b, np.inf, x)); np.hypot(np.where(b, np.inf, y), x * np.nan); x // np.where(b, -np.inf, np.inf)
np.signbit(x * -0.0 // 1); np.signbit((x * 0 + 1) // 3); np.signbit(np.trunc(x * 2) % 1); np.signbit(np.trunc(x * 2) % -1); (x * 0 + 1) // (x * 0 + 0.1); np.float_power(p, 2); np.fmod(n, 3); np.remainder(x, y); np.invert(u); np.logical_and(x, n); np.logical_xor(b, x > 0)
np.logical_not(x); np.equal(x, y); x == n; x != y; x >= 0; (x > 0).astype(int); (x > 0) * 2.0; (x > 0).sum(axis=1); x.astype('f8')
x.astype(np.int32); x.astype(bool); n.astype(np.float16); d.astype('i8'); x.copy(); x.sum(); x.mean(axis=0)
x.std(axis=1, keepdims=True); x.min(axis=0); np.ptp(x, axis=1); x.any(); x.all(); x.dot(v); x.cumsum(); x.argsort(axis=0)
x.take(i, axis=1); x.repeat(2); x.prod(axis=1); x.var(); x.trace(); x.diagonal(); x.squeeze(); x.swapaxes(0, 1); x.shape[0] * x
x.size + x; len(x) + x; x.ndim * x; np.zeros_like(x); np.ones_like(n); np.full_like(x, 3); np.empty_like(x) * 0; np.zeros(x.shape) + x
np.zeros((4, 6)) + x; np.ones((6,), 'f4') * x; np.arange(6) * x; np.arange(x.shape[1]) + x; np.linspace(0, 1, 6) * x
np.full((6,), 2.0) + x; np.meshgrid(v, v)[0]; np.indices((4, 6))[0] + x; np.array([1.0, 2, 3, 4, 5, 6]) * x; [1, 2, 3, 4, 5, 6] * x
x * [1, 2, 3, 4, 5, 6]; np.nansum(x, axis=1); np.nanmean(x); np.nanmax(x); np.nanstd(x); np.nanmin(x, axis=1); np.nanvar(x, axis=0)
np.nanargmax(x, axis=1); np.count_nonzero(n); np.count_nonzero(x > 0, axis=1)
np.ediff1d(v); np.vander(v, 3); np.triu_indices(3)[0] + i[0]; np.apply_over_axes(np.sum, t, [0, 2]); np.maximum.reduce(x, axis=1)
np.add.reduce(x); np.add.reduce(x, axis=None); np.multiply.reduce(x, axis=0, keepdims=True); np.logical_or.reduce(b, axis=1)
np.add.outer(v, v); np.subtract.outer(v, v); np.add.accumulate(x, axis=1); np.maximum.accumulate(x, axis=1)
np.minimum.accumulate(x, axis=0); np.add(x, y, out=None); np.add(x, y, dtype='f8'); np.multiply(x, y, where=True)
np.exp(x, dtype=np.float64); np.insert(v, 2, 9.0); np.delete(v, 1); np.delete(x, [0, 2], axis=1); np.resize(x, (2, 3))
np.ix_(i, j)[0] + i; x[np.ix_([0, 2], [1, 3])]; np.isin(n, [1, 2, 3]); np.iscomplexobj(x)
(x - x.mean(1, keepdims=True)) / (x.std(1, keepdims=True) + 1e-5)
np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True)
np.where(np.abs(x) < 1e-3, x, np.sign(x) * np.log1p(np.abs(x))); 1 / (1 + np.exp(-x)); np.maximum(x, 0) @ np.maximum(y, 0).T
0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3))); ((x[:, None] - y[None]) ** 2).sum(-1)
np.sqrt(np.sum(np.square(x[:, None, :] - y[None, :, :]), axis=-1)); np.argmin(((x[:, None] - y[None]) ** 2).sum(-1), axis=1)
(i[:, None] == np.arange(4)).astype('f4'); sum([x, y, x]); max(x.shape) * x; u < 300; u == -1; n > 2 ** 40; np.where(b, u, 3)
np.take_along_axis(x, i[:, None], 0); np.atleast_3d(v, x)[0]; np.delete(x, slice(1, 3), 1); np.unravel_index(i, (2, 2))[1]; np.array_equal(d, d, equal_nan=True)
np.ptp(x, keepdims=True); np.linalg.eigvalsh(s, 'U'); (x ** 2).sum(keepdims=True) ** 0.5; n ** 2.0; np.add(x, y, where=b, out=np.zeros_like(x)); x[True]; x[:, v > 0]
np.median(x, axis=(0, 1)); np.unique(n, return_counts=True)[1]; x[x > 0]; np.linalg.pinv(s); np.histogram(v, bins=3)[0]; np.add.reduceat(v, [0, 3]); np.stack([x, y]).mean(0); x if x.ndim == 2 else y
"""
SINCE_2 = """
np.trapezoid(x, axis=1); np.matrix_transpose(x); np.vecdot(x, y); np.permute_dims(t, (1, 0, 2)); np.concat([x, y]); np.unstack(x)[1]
np.astype(x, np.int32); np.pow(x, 2); np.acos(np.clip(x, -1, 1)); np.bitwise_left_shift(n, 1); np.cumulative_sum(v)
np.linalg.vector_norm(x, axis=1); np.linalg.matrix_norm(x); np.linalg.diagonal(s); np.linalg.trace(s)
np.linalg.cross(x[:, :3], y[:, :3]); np.linalg.outer(v, v); np.linalg.matmul(x, y.T)
"""
COMPLEX = """
a + x; 1j * x; a * g; a / g; x / g; a / 0; g ** 2; g ** -1; a ** 0.5; g ** g; a * np.complex64(2j); h * 1j; u * 1j; abs(a); np.angle(g, deg=True)
np.exp(1j * d); np.log(g); np.sqrt(g); np.sqrt(g + complex(0, np.inf)); np.sin(g) * np.cos(g); np.tan(g); np.sinh(g) + np.cosh(g); np.tanh(g * 30); np.reciprocal(g)
a.real + a.imag; np.conj(g); np.real(a); np.isnan(a); a == a; g < g[::-1]; np.logical_and(a, b); np.where(b, a, 1j); np.zeros_like(x, dtype=complex)
np.array([a, x]); np.asarray(a, 'c16'); np.r_[q, v, 1j]; np.c_[v, q]; a @ x.T; g @ g.conj().T; g @ q; np.vdot(q, q); np.outer(q, q); np.einsum('ij,kj->ik', a, g); np.einsum('ij,jk,kl->il', r, r, r); np.kron(r, r)
np.tensordot(a, g, 2); np.convolve(q, q); np.correlate(q, q, 'full'); np.linalg.matrix_power(r, 3); np.linalg.solve(r, r * 2); np.linalg.inv(r)
np.arcsin(a); np.arccos(g); np.arctan(g); np.arcsinh(a); np.arccosh(a); np.arctanh(g); np.log1p(a); np.expm1(a); np.log1p(g * 1e180); np.log1p(1e-9j * x - 1); np.arctanh(1 + 1e-200j * d)
np.maximum(a, g); np.minimum(a, x); np.fmax(a, a[::-1]); np.fmin(a, 1j); a.sum(0); np.mean(g, axis=1); np.cumsum(a, axis=1); np.prod(g, axis=0); np.std(a); np.linalg.norm(g, axis=1); np.any(a); np.sum(x, dtype=complex)
a.T; a[i, j]; a[:, 1:3]; a.reshape(-1); np.stack([x, a]); np.concatenate([a, g], 1); np.pad(a, 1, constant_values=1j); np.diff(g); np.roll(a, 1)
a.astype('c16'); x.astype(complex); a.astype(bool); np.isclose(a, a); np.polyval([1, 2j, 3], q); np.meshgrid(q, v)[0]; np.multiply(a, 2, out=a.copy())
np.fft.fft(x); np.fft.fft(n); np.fft.fft(a, 4, 0, 'ortho'); np.fft.ifft(g, 9, norm='forward'); np.fft.rfft(d, axis=0); np.fft.rfft(v, 5)
np.fft.irfft(q); np.fft.irfft(q, 7); np.fft.hfft(q); np.fft.ihfft(v); np.fft.fft2(x, s=(3, 8)); np.fft.ifftn(t, axes=(0, 2)); np.fft.rfftn(t)
np.fft.irfft2(a); np.fft.fftshift(a, axes=1); np.fft.ifftshift(v); np.fft.fftfreq(6) * v; np.fft.fft(z); np.fft.irfft(np.fft.rfft(z))
np.angle(np.fft.fft(v)); np.abs(np.fft.fftshift(np.fft.fft2(x))); np.fft.irfft(np.fft.rfft(v) * np.fft.rfft(v))
"""
CHANGES = """
a *= 2j; a[0] = 1; a[1:, ::2] += 1j; a[b] = 0; a.real[0] = 5; a.imag = x; np.copyto(a, x)
x += np.array(x)[::-1]; x[0] = np.array([v[0], 1, 2, 3, 4, v[5]]); x[1] = np.r_[v[:3], 1, 2, 3]
x[0] = 1; x[..., 1] = v[:4]; x[1:, ::2] = y[1:, ::2] * 2; x[b] = 0; x[[0, 2]] = 7; x[-1, -1] += 3; x *= 2; x[:] = y; x[1:] = x[:-1]; x[0] += 1; x[1:, ::2] *= y[1:, ::2]
x.sort(); x.fill(3); x **= 2; x[m, 0] = 5; x[:, v > 0] = 0; np.putmask(x, x > 0, v); np.nan_to_num(x, copy=False); np.place(x, x > 0, [1, 2]); x[1:] -= x[:-1]
"""


def same(got, want, given, what):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (what, got.dtype, got.shape, want.dtype, want.shape)
    if want.dtype.kind not in "fc":
        assert np.array_equal(got, want), (what, got, want)
        return
    narrow = [x.dtype for x in given if x.dtype.kind in "fc"]
    bound = 4e-3 if np.float16 in narrow else 2e-5 if {np.dtype("f4"), np.dtype("c8")} & {*narrow, want.dtype} else 1e-9
    assert np.allclose(got, want, rtol=bound, atol=bound * max(1, np.abs(want).max(initial=0)), equal_nan=True), (what, got, want)


def check(expression, change, more):
    """Compares the results of an expression, or of x after a statement, also for arrays of other sizes if numpy takes them."""
    names = [name for name in ARRAYS if re.search(rf"(?<![\\w.'\"]){name}(?![\\w'\"(])", expression)]
    name = re.match(r"(?:np\.\w+\()?(\w)", expression)[1] if change else ""
    body = f"    {name} = {name}.copy()\n    {expression}\n    return {name}\n" if change else f"    return {expression}\n"
    text, scope, file = f"def f({', '.join(names)}):\n{body}", {"np": np}, f"expression {expression}"
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    exec(compile(text, file, "exec"), scope)
    call = mg.jit(scope["f"])
    for values in [ARRAYS, *more]:
        given = [values[name] for name in names]
        try:
            want = scope["f"](*given)
        except (ValueError, IndexError):
            assert values is not ARRAYS
            return
        same(call(*given), want, given, expression)


def main():
    warnings.simplefilter("ignore")
    new = int(np.__version__.split(".")[0]) >= 2 and hasattr(np, "unstack")
    calls = [e for text in [EXPRESSIONS, COMPLEX] + [SINCE_2] * new for e in re.split("; |\n", text.strip())]
    changes = re.split("; |\n", CHANGES.strip())
    wrong = 0
    for number, (expression, change) in enumerate([(e, False) for e in calls] + [(e, True) for e in changes]):
        try:
            check(expression, change, LARGER if number % 3 == 0 or change else [])
        except Exception as e:
            wrong += 1
            print(f"{expression}: {type(e).__name__}: {str(e)[:500]}")
    print(f"Ran {len(calls) + len(changes)} expressions, {wrong} of them wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
