#!/usr/bin/env python3
"""Makes the cases of operators in their general forms: signals, random numbers, losses, sampling, sequences.

    python3 make_cases_general.py        (numpy, scipy)

As make_cases.py: a case that is added changes no other suite.
"""
import itertools, math
import numpy as np
import scipy.signal
from cases import Suite, draws, suites, HERE

inf, nan = np.inf, np.nan
np.seterr(all="ignore")


def f32(*shape, lo=-2.0, hi=2.0): return draws.rng().uniform(lo, hi, shape).astype(np.float32)
def ints(lo, hi, *shape, dtype=np.int64): return draws.rng().integers(lo, hi, shape).astype(dtype)
def d(a): return np.asarray(a, np.float64)


# ---------------------------------------------------------------- signals
s = Suite("signals")
for n, text, name in (("hann", "hann_window", "hann"), ("blackman", "blackman_window", "blackman")):
    for sym in (False, True):
        s.check(f"{n}_{'symmetric' if sym else 'periodic'}", f"{text}(n = 9{', periodic = false' if sym else ''})",
                scipy.signal.get_window(name, 9, fftbins=not sym).astype(np.float32))
s.check("hamming", "hamming_window(n = 8)", scipy.signal.windows.general_hamming(8, 25 / 46, sym=False).astype(np.float32))
s.check("hamming_symmetric", "hamming_window(n = 8, periodic = false, type = f64)", scipy.signal.windows.general_hamming(8, 25 / 46, sym=True))
s.check("cosine", "cosine_window(n = 1, a0 = 0.3, a1 = 0.7, periodic = false)", np.ones(1, np.float32))
s.check("turns", "turns(n = 4, back = true, type = f64)", np.array([[[math.cos(t), math.sin(t)], [-math.sin(t), math.cos(t)]] for t in np.arange(4) * math.pi / 2]))
parts = lambda z: np.stack([z.real, z.imag], -1)
x, z = f32(2, 10, 3, 1), f32(2, 9, 2)
cz = d(z)[..., 0] + 1j * d(z)[..., 1]
s.check("dft", "dft(%, axis = 1)", parts(np.fft.fft(d(x)[..., 0], axis=1)), x)
s.check("dft_last", "dft(%)", parts(np.fft.fft(d(x)[..., 0], axis=2)), x)
s.check("dft_first", "dft(%, axis = 0, onesided = true)", parts(np.fft.fft(d(x)[..., 0], axis=0))[:2], x)
s.check("dft_onesided", "dft(%, axis = 1, onesided = true)", parts(np.fft.rfft(d(x)[..., 0], axis=1)), x)
s.check("dft_padded", "dft(%, axis = 1, length = 13)", parts(np.fft.fft(d(x)[..., 0], 13, axis=1)), x)
s.check("dft_cut", "dft(%, axis = 1, length = 7, onesided = true)", parts(np.fft.rfft(d(x)[..., 0], 7, axis=1)), x)
s.check("dft_complex", "dft(%)", parts(np.fft.fft(cz, axis=1)), z)
s.check("dft_inverse", "dft(%, inverse = true)", parts(np.fft.ifft(cz, axis=1)), z)
s.check("dft_inverse_padded", "dft(%, inverse = true, length = 12)", parts(np.fft.ifft(cz, 12, axis=1)), z)
s.check("dft_real", "dft(%, inverse = true, onesided = true)", np.fft.irfft(cz, axis=1)[..., None], z)
s.check("dft_real_odd", "dft(%, inverse = true, onesided = true, length = 17)", np.fft.irfft(cz, 17, axis=1)[..., None], z)
sig, win = f32(2, 40, 1), f32(16)
frames = np.stack([d(sig)[:, i:i + 16, 0] for i in range(0, 25, 8)], 1)
s.check("stft", "stft(%, %, step = 8)", parts(np.fft.rfft(frames * d(win), axis=2)), sig, win)
s.check("stft_bare", "stft(%, step = 8, length = 16, onesided = false)", parts(np.fft.fft(frames, axis=2)), sig)
def mel(bins, length, rate, low, high):
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    step = (to_mel(high) - to_mel(low)) / (bins + 2)
    at = [int((length + 1) * 700 * (10 ** ((to_mel(low) + i * step) / 2595) - 1) // rate) for i in range(bins + 2)]
    y = np.zeros((length // 2 + 1, bins))
    for i in range(bins):
        a, b, c = at[i:i + 3]
        for j in range(a, b): y[j, i] = (j - a) / (b - a)
        y[b, i] = 1
        for j in range(b + 1, c): y[j, i] = (c - j) / (c - b)
    return y.astype(np.float32)
s.check("mel", "mel_weights(bins = 8, length = 64, rate = 8192, low = 100, high = 4000)", mel(8, 64, 8192, 100, 4000))
s.check("mel_zero", "mel_weights(bins = 5, length = 33, rate = 16000, low = 0, high = 8000)", mel(5, 33, 16000, 0, 8000))

# ---------------------------------------------------------------- random numbers
def philox(counter, key):  # Salmon et al., 2011: Philox 4x32-10, its first word
    c, k = [counter & 0xFFFFFFFF, counter >> 32, 0, 0], [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & 0xFFFFFFFF, (p >> 32) ^ c[3] ^ k[1], p & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0]
s = Suite("randomness")
seed = np.uint64(0xFEDCBA9876543210)
def unit(*shape): return np.array([philox(i, int(seed)) >> 8 for i in range(math.prod(shape))]).reshape(shape) / 2.0**24
s.check("unit_random", "unit_random(%, shape = [3, 2])", unit(3, 2).astype(np.float32), seed)
s.check("random_uniform", "random_uniform(%, shape = [7], low = -1, high = 3, type = f64)", unit(7) * 4 - 1, seed, dtype=np.float64)
u = unit(2, 6)
s.check("random_normal", "random_normal(%, shape = [2, 3], mean = 1, scale = 2)",
        (1 + 2 * np.sqrt(-2 * np.log(1 - u[0])) * np.cos(2 * np.pi * u[1])).reshape(2, 3).astype(np.float32), seed)
u = unit(2, 24)
normal = np.sqrt(-2 * np.log(1 - u[0])) * np.cos(2 * np.pi * u[1])
s.check("fan_in_normal", "fan_in_normal(%, shape = [4, 3, 2], gain = 1.5)",
        (1.5 / np.sqrt(6) * normal).reshape(4, 3, 2).astype(np.float32), seed)
s.check("fan_in_uniform", "fan_in_uniform(%, shape = [3, 8])", ((2 * unit(3, 8) - 1) * np.sqrt(3 / 8)).astype(np.float32), seed)
s.check("glorot_uniform", "glorot_uniform(%, shape = [4, 2, 3], gain = 0.5)",
        (0.5 * (2 * unit(4, 2, 3) - 1) * np.sqrt(6 / 18)).astype(np.float32), seed)
p = f32(4, 5, lo=0, hi=1)
s.check("bernoulli", "bernoulli(%, %)", (unit(4, 5) < p).astype(np.float32), p, seed)
s.check("bernoulli_bool", "bernoulli(%, %, type = bool)", unit(4, 5) < p, p, seed)
l = f32(2, 4, lo=-3, hi=3)
c = (np.exp(d(l)) / np.exp(d(l)).sum(1, keepdims=True)).cumsum(1)
s.check("multinomial", "multinomial(%, %, n = 9)", np.array([[np.searchsorted(c[b], v, "right") for v in unit(2, 9)[b]] for b in range(2)], np.int32), l, seed)
x = f32(5, 4)
kept = unit(5, 4) >= 0.25
s.check("dropout", "dropout(%, %, %)", (np.where(kept, x / np.float32(0.75), 0).astype(np.float32), kept), x, seed, np.float32(0.25))
s.check("dropout_none", "dropout(%, %, 0)", (x, np.ones((5, 4), bool)), x, seed)
x = np.concatenate([np.linspace(-3, 3, 20), [1e-40, np.inf, -np.inf, 0, -0.0]]).astype(np.float32)
low = np.array([philox(i, int(seed)) >> 16 for i in range(x.size)], np.uint32)
s.check("round_stochastic", "cast(round_stochastic(%, %), to = f32)", np.where(np.isfinite(x), (x.view(np.uint32) + low & 0xFFFF0000).astype(np.uint32).view(np.float32), x), x, seed)

# What has the probability 0 is not drawn, even if the sum of the others is rounded below 1.
l = np.full((1, 9), -np.inf, np.float32)
l[0, 2:5] = 0
s.check("multinomial_last", "multinomial(%, %, n = 40)", 2 + (unit(1, 40) * 3).astype(np.int32), l, seed)
word = philox(0, 11) + (philox(1, 11) << 32)
s.check("seed_at", "seed_at(%, %)", np.uint64(int(seed) ^ word), seed, np.uint64(11))
# The order of numbers, whose bits are compared; the largest ones come first, then the earlier ones.
x = np.array([[3, -1, 3, 0, -0.0, 3, 7, -np.inf], [-2, 1e-40, -1e-40, 2, np.inf, -7, 2, 0.5]], np.float32)
bits = lambda v: np.uint32(v.view(np.uint32) ^ (0xFFFFFFFF if np.signbit(v) else 0x80000000))
s.check("order_bits", "order_bits(%)", np.array([[bits(v + np.float32(0)) for v in row] for row in x], np.uint32), x)
def largest(x, weight, need):
    keep = np.zeros(x.shape, bool)
    for row, w, k in zip(x, weight, keep):
        order = np.argsort(-row, kind="stable")
        k[order] = np.cumsum(d(w)[order]) - d(w)[order] < need
    return keep
w = np.array([[1, 2, 4, 1, 1, 2, 1, 8], [2, 1, 1, 4, 2, 2, 1, 1]], np.float32) / 4
for need in (0.25, 1.0, 1.5, 2.0, 3.5, 9.0):
    s.check(f"keep_largest_{str(need).replace('.', '_')}", "keep_largest(%, %, %)", largest(x, w, need), x, w, np.float32(need))
for k in (1, 2, 3, 5, 8, 100):
    s.check(f"top_k_logits_{k}", "top_k_logits(%, %)", np.where(largest(x, np.ones(x.shape), k), x, -np.inf).astype(np.float32), x, np.int64(k))
s.check("top_k_logits_none", "top_k_logits(%, %)", np.where(largest(x, np.ones(x.shape), 1), x, -np.inf).astype(np.float32), x, np.int64(0))
x = np.log(np.array([[0.1, 0.4, 0.05, 0.25, 0.2], [0.05, 0.05, 0.8, 0.05, 0.05]], np.float32))
for q in (0.01, 0.39, 0.41, 0.6, 0.8, 0.875, 0.97):
    s.check(f"top_p_logits_{str(q).replace('.', '_')}", "top_p_logits(%, %)", np.where(largest(x, np.exp(d(x)), q), x, -np.inf).astype(np.float32), x, np.float32(q))
s.check("top_p_logits_one", "top_p_logits(%, %)", x + np.float32(3), x + np.float32(3), np.float32(1))

# ---------------------------------------------------------------- losses
s = Suite("losses")
def nll(x, t, w=None, ignore=None):
    w = np.ones(x.shape[1]) if w is None else d(w)
    l, k = np.zeros(t.shape), np.zeros(t.shape)
    for at in np.ndindex(*t.shape):
        if t[at] == ignore: continue
        k[at] = w[t[at]]
        l[at] = -x[(at[0], t[at]) + at[1:]] * k[at]
    return l, k
x, t, w = f32(3, 5), np.array([4, 0, 2]), f32(5, lo=0.2, hi=2)
x4, t4 = f32(2, 5, 3, 2), ints(0, 5, 2, 3, 2, dtype=np.int32)
t4i = t4.copy(); t4i[0, 1, 1] = t4i[1, 0, 0] = -1; t4i[0, 0, 0] = -1
soft = lambda v: v - np.log(np.exp(v).sum(1, keepdims=True))
for n, (xx, tt, ww, ig) in {"flat": (x, t, None, None), "weighted": (x, t, w, None), "image": (x4, t4, None, None), "ignored": (x4, t4i, w, -1), "ignored_bare": (x4, t4i, None, -1)}.items():
    args, ops = ("%, %, %", (xx, tt, ww)) if ww is not None else ("%, %", (xx, tt))
    tail = f", ignore = {ig}" if ig is not None else ""
    for r in ("none", "sum", "mean"):
        fin = {"none": lambda l, k: l, "sum": lambda l, k: l.sum(), "mean": lambda l, k: l.sum() / k.sum()}[r]
        s.check(f"nll_{n}_{r}", f'nll_loss({args}, reduction = "{r}"{tail})', fin(*nll(d(xx), tt, ww, ig)), *ops)
        s.check(f"cross_{n}_{r}", f'cross_entropy({args}, reduction = "{r}"{tail})', (fin(*nll(soft(d(xx)), tt, ww, ig)), soft(d(xx))), *ops)

for n, (xx, tt, ww, ig) in {"flat": (x, t, None, None), "image": (x4, t4i, w, -1)}.items():  # smoothed
    kk = (lambda ww: np.ones(5) if ww is None else d(ww))(ww).reshape([1, 5] + [1] * (xx.ndim - 2))
    l, k = nll(soft(d(xx)), tt, ww, ig)
    l = 0.9 * l - np.where(tt == (-100 if ig is None else ig), 0, 0.1 / 5 * (soft(d(xx)) * kk).sum(1))
    args, ops = ("%, %, %", (xx, tt, ww)) if ww is not None else ("%, %", (xx, tt))
    for r in ("none", "sum", "mean"):
        want = {"none": l, "sum": l.sum(), "mean": l.sum() / k.sum()}[r]
        s.check(f"smooth_{n}_{r}", f'cross_entropy({args}, reduction = "{r}", smoothing = 0.1{"" if ig is None else ", ignore = -1"})', (want, soft(d(xx))), *ops)
a, b, p = f32(3, 4, lo=-4, hi=4), f32(3, 4, lo=-4, hi=4), f32(3, 4, lo=0, hi=1)
far = np.float32([[-200, 200, 0, 30], [200, -200, 0, -30]])
sure = np.float32([[0, 1, 1, 0.5], [0, 1, 0, 0.25]])
q = p.copy(); q[0, 1] = q[2, 3] = 0
logp = np.log(f32(3, 4, lo=0.1, hi=1))
bce = lambda x, t, w=1: w * t * np.logaddexp(0, -x) + (1 - t) * np.logaddexp(0, x)
def kl(x, t): return np.where(t == 0, 0, t * (np.log(np.where(t == 0, 1, t)) - x))
e = np.abs(d(a) - d(b))
for r, fin in {"none": lambda l: l, "sum": np.sum, "mean": np.mean}.items():
    s.check(f"reduce_{r}", f'reduce_loss(%, reduction = "{r}")', fin(d(a)), a)
    s.check(f"mse_{r}", f'mse_loss(%, %, reduction = "{r}")', fin(e**2), a, b)
    s.check(f"l1_{r}", f'l1_loss(%, %, reduction = "{r}")', fin(e), a, b)
    s.check(f"huber_{r}", f'huber_loss(%, %, reduction = "{r}", delta = 1.5)', fin(np.where(e <= 1.5, e**2 / 2, 1.5 * (e - 0.75))), a, b)
    s.check(f"binary_{r}", f'binary_cross_entropy(%, %, reduction = "{r}")', fin(bce(d(a), d(p))), a, p)
    s.check(f"kl_{r}", f'kl_loss(%, %, reduction = "{r}")', fin(kl(d(logp), d(q))), logp, q)
s.check("binary_far", 'binary_cross_entropy(%, %, reduction = "none", positive = 3)', bce(d(far), d(sure), 3), far, sure)
zero, half = np.float32([0, 1, -1, 0]), np.float32([0, 1, 0.5, 1])
sig = (1 / (1 + np.exp(-d(zero)))).astype(np.float32)
for name, slope in {"softplus": sig, "log_sigmoid": 1 - sig}.items():  # at 0, too
    s.lines_check(f"{name}_slope", f"{name}_total = sum({name}(%))\n    {name}_slope = derivative({name}_total, %)", slope, zero, zero)
s.lines_check("binary_slope", 'binary_total = binary_cross_entropy(%, %, reduction = "sum")\n    binary_slope = derivative(binary_total, %)', sig - half, zero, half, zero)
s.check("kl_batch", "kl_loss(%, %)", kl(d(logp), d(q)).sum() / 3, logp, q)

# ---------------------------------------------------------------- losses of sequences
s = Suite("sequence_losses")
def said(path, blank):
    """Returns the labels of a path: repeated classes count once, and blanks are left out."""
    return tuple(int(c) for c, before in zip(path, (None, *path)) if c != before and c != blank)


def ctc(x, labels, blank):
    """Computes the loss by Graves's definition: the sum over all paths that have the labels."""
    total = sum(math.exp(x[range(len(x)), path].sum()) for path in itertools.product(range(x.shape[1]), repeat=len(x))
                if said(path, blank) == tuple(labels))
    return -math.log(total) if total else math.inf


z = f32(5, 6, 4)
x = (lambda v: v - np.log(np.exp(v).sum(2, keepdims=True)))(d(z)).astype(np.float32)
# two labels, equal ones, none, four in three steps, which don't fit, as many as steps, one that is not a class
labels = np.array([[1, 2, -1, 9], [3, 3, 0, 0], [9, 9, 9, 9], [1, 2, 3, 1], [1, 3, 1, 2], [2, 7, 0, 0]])
steps, lengths = np.array([5, 4, 5, 3, 4, 5], np.int32), np.array([2, 2, 0, 4, 4, 2], np.int32)
one = lambda v, n, blank: ctc(d(v[:steps[n], n]), labels[n, :lengths[n]], blank)
losses = np.array([one(x, n, 0) for n in range(6)])
fits = np.where(np.isinf(losses), 0, losses)
for r, want in {"none": fits, "sum": fits.sum(), "mean": (fits / np.maximum(lengths, 1)).mean()}.items():
    s.check(f"ctc_{r}", f'ctc_loss(%, %, %, %, reduction = "{r}", zero_infinity = true)', want, x, labels, steps, lengths)
s.check("ctc_infinite", 'ctc_loss(%, %, %, %, reduction = "none")', losses, x, labels, steps, lengths)
few = labels[:, :2] % 3
counts = np.minimum(lengths, 2)
s.check("ctc_blank", 'ctc_loss(%, %, %, %, blank = 3, reduction = "none")',
        np.array([ctc(d(x[:steps[n], n]), few[n, :counts[n]], 3) for n in range(6)]), x, few, steps, counts)
slope = np.zeros(x.shape)
for at in np.ndindex(*x.shape):  # by central differences, whose error falls with their square
    if np.isfinite(losses[at[1]]):
        up, down = d(x), d(x)
        up[at] += 1e-4; down[at] -= 1e-4
        slope[at] = (one(up, at[1], 0) - one(down, at[1], 0)) / 2e-4
s.lines_check("ctc_slope", 'ctc_total = ctc_loss(%, %, %, %, reduction = "sum", zero_infinity = true)\n    ctc_slope = derivative(ctc_total, %)',
              slope.astype(np.float32), x, labels, steps, lengths, x)
no_labels = np.zeros((6, 0), np.int64)
s.check("ctc_no_labels", 'ctc_loss(%, %, %, %, reduction = "none")', -np.array([d(x[:steps[n], n, 0]).sum() for n in range(6)]), x, no_labels, steps, 0 * lengths)
a, b, c = np.float32([[0, -np.inf, 1, -np.inf], [2, 0, -np.inf, -np.inf], [-80, -np.inf, 3, -np.inf]])
s.check("log_add", "log_add(%, %, %)", np.float32([2 + np.log1p(np.exp(-2)), 0, 3 + np.log1p(np.exp(-2)), -np.inf]), a, b, c)

# ---------------------------------------------------------------- sampling
def keys(t, a=-0.75):
    t = abs(t)
    return (a + 2) * t**3 - (a + 3) * t**2 + 1 if t <= 1 else a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a if t < 2 else 0.0


def taps(p, mode):
    """Returns the elements that make up a place, with their weights"""
    if mode == "nearest": return [(int(np.rint(p)), 1.0)]
    f = math.floor(p)
    if mode == "linear": return [(f, 1 - (p - f)), (f + 1, p - f)]
    return [(f + k, keys(p - f - k)) for k in (-1, 0, 1, 2)]


def at_place(img, place, mode="linear", fold=None):
    """Reads img[C, ...] at a place. `fold` maps a subscript into the n elements, or returns None."""
    y = np.zeros(len(img))
    for corner in itertools.product(*(taps(p, mode) for p in place)):
        i = [c[0] if fold is None else fold(c[0], n) for c, n in zip(corner, img.shape[1:])]
        if all(0 <= k < n for k, n in zip(i, img.shape[1:])): y += math.prod(c[1] for c in corner) * img[(slice(None), *i)]
    return y


def walk(i, n, first, last):
    """Returns i, reflected between two walls until it is inside. All are counted in halves."""
    i = 2 * i
    while not 2 * first <= i <= 2 * last: i = 4 * first - i if i < 2 * first else 4 * last - i
    return int(i // 2)


def grid_sample(x, grid, mode, padding, align):
    y = np.zeros((*x.shape[:2], *grid.shape[1:-1]))
    for n, *o in np.ndindex(len(x), *grid.shape[1:-1]):
        place = []
        for g, k in zip(d(grid[(n, *o)])[::-1], x.shape[2:]):
            p = (g + 1) / 2 * (k - 1) if align else ((g + 1) * k - 1) / 2
            edge = 0 if align else 0.5
            if padding == "border" and not -edge <= p <= k - 1 + edge: p = min(max(p, 0), k - 1)
            place.append(p)
        fold = {"zeros": None, "border": lambda i, k: min(max(i, 0), k - 1),
                "reflection": lambda i, k: (walk(i, k, 0, k - 1) if k > 1 else 0) if align else walk(i, k, -0.5, k - 0.5)}[padding]
        y[(n, slice(None), *o)] = at_place(d(x[n]), place, mode, fold)
    return y


s = Suite("sampling")
x, g = f32(2, 3, 4, 5), f32(2, 3, 4, 2, lo=-1.6, hi=1.6)
for mode in ("nearest", "linear", "cubic"):
    for padding in ("zeros", "border", "reflection"):
        for align in (False, True):
            s.check(f"grid_{mode}_{padding}{'_aligned' if align else ''}", f'grid_sample(%, %, mode = "{mode}", padding = "{padding}", align_corners = {str(align).lower()})',
                    grid_sample(x, g, mode, padding, align), x, g)
far = f32(2, 2, 3, 2, lo=-9, hi=9)
s.check("grid_far", 'grid_sample(%, %, padding = "reflection")', grid_sample(x, far, "linear", "reflection", False), x, far)
s.check("grid_far_aligned", 'grid_sample(%, %, padding = "reflection", align_corners = true)', grid_sample(x, far, "linear", "reflection", True), x, far)
xl, gl = f32(1, 2, 7), f32(1, 5, 1, lo=-1.2, hi=1.2)
s.check("grid_1d", "grid_sample(%, %)", grid_sample(xl, gl, "linear", "zeros", False), xl, gl)
xv, gv = f32(1, 2, 3, 4, 3), f32(1, 2, 2, 3, 3, lo=-1.3, hi=1.3)
s.check("grid_3d", "grid_sample(%, %)", grid_sample(xv, gv, "linear", "zeros", False), xv, gv)
s.check("grid_3d_nearest", 'grid_sample(%, %, mode = "nearest", padding = "border")', grid_sample(xv, gv, "nearest", "border", False), xv, gv)
s.lines_check("bounced", "bounced[i in 0..15] = %[bounce(i - 6, 3)]", xl[0, 0, ([2, 1, 0, 1] * 4)[:15]], xl[0, 0, :3].copy())
s.lines_check("mirrored", "mirrored[i in 0..14] = %[mirror(i - 5, 3)]", xl[0, 0, [1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2]], xl[0, 0, :3].copy())
s.check("shape", "shape(%)", np.array(xv.shape), xv)
s.check("extent", "extent(%, axis = -2)", np.int64(4), xv)
s.check("scale_axis", "scale_axis(%, %, axis = 1)", d(x)[:, :, :, :] * d(x)[:, :, 0, 0][:, :, None, None], x, x[:, :, 0, 0].copy())
s.check("replace", "replace(%, %, axis = 0, at = 2)", np.concatenate([x[..., :2], np.broadcast_to(x[:, 0, 0, :1, None, None], (2, 3, 4, 1)), x[..., 3:]], -1), x, x[:, 0, 0, 0].copy())
s.check("even_places", "even_places(%, axis = 3, align_corners = false)", np.float32([-0.8, -0.4, 0, 0.4, 0.8]), x)
s.check("neighbours", 'neighbours(%, taps = [2, 2], mode = "linear")', (np.array([[1, -1]]), np.float32([[[0.375, 0.375], [0.125, 0.125]]])), np.float32([[1.25, -0.5]]))
def affine(theta, size, align):
    lines = [np.linspace(-1, 1, n) if align else (2 * np.arange(n) + 1) / n - 1 for n in size]
    base = np.stack(list(np.meshgrid(*lines, indexing="ij"))[::-1] + [np.ones(size)], -1)
    return np.einsum("nij,...j->n...i", d(theta), base)
th, th3 = f32(2, 2, 3), f32(1, 3, 4)
for align in (False, True):
    s.check(f"affine_{align}".lower(), f"affine_grid(%, shape = [3, 4], align_corners = {str(align).lower()})", affine(th, (3, 4), align), th)
    s.check(f"affine_3d_{align}".lower(), f"affine_grid(%, shape = [2, 3, 2], align_corners = {str(align).lower()})", affine(th3, (2, 3, 2), align), th3)

def roi_align(x, rois, image, out, mode, samples, scale, half):
    y = np.zeros((len(rois), x.shape[1], *out))
    off = 0.5 if half else 0
    for r, c, u, v in np.ndindex(*y.shape):
        box = d(rois[r]) * scale - off
        start, span = box[[1, 0]], box[[3, 2]] - box[[1, 0]]
        if not half: span = np.maximum(span, 1)
        size = span / out
        n = [samples or math.ceil(b) for b in size]
        vals, top = 0.0, -inf
        for i, j in np.ndindex(*n):
            p = start + size * ([u + (i + 0.5) / n[0], v + (j + 0.5) / n[1]])
            img = d(x[image[r], c])
            if any(q < -1 or q > k for q, k in zip(p, img.shape)): top = max(top, 0); continue
            p = [min(max(q, 0), k - 1) for q, k in zip(p, img.shape)]
            for (a, wa), (b, wb) in itertools.product(taps(p[0], "linear"), taps(p[1], "linear")):
                t = wa * wb * img[min(a, img.shape[0] - 1), min(b, img.shape[1] - 1)]
                vals += t
                top = max(top, t)
        y[r, c, u, v] = vals / max(n[0] * n[1], 1) if mode == "avg" else top if n[0] * n[1] else 0
    return y
xr = f32(2, 2, 6, 8)
rois, image = np.float32([[0, 0, 10, 9], [2.5, 1, 6.2, 11.7], [-4, 3, 20, 4]]), np.array([0, 1, 1])
for mode in ("avg", "max"):
    for n in (0, 2):
        for half in (False, True):
            s.check(f"roi_{mode}_{n}{'_half' if half else ''}", f'roi_align(%, %, %, height = 2, width = 3, mode = "{mode}", samples = {n}, scale = 0.5, half_pixel = {str(half).lower()})',
                    roi_align(xr, rois, image, (2, 3), mode, n, 0.5, half), xr, rois, image)
s.check("side_weight", "side_weight(%, 1, n = 4)", np.float32(0.25), np.float32(1.25))
s.check("side_place", "side_place(%, 1, n = 4)", np.int64(3), np.float32(7))
s.check("sample_place", "sample_place(%, 2, 4, 1, 3)", np.float32(1 + 2 * (1 + 3.5 / 4)), np.float32(1))
ones = np.ones((1, 2), np.int64)
s.check("roi_sample", 'roi_sample(%, %, %, %, %, height = 1, width = 1, mode = "avg", most = 1)', d(xr[1:, :, 2:3, 3:4]), xr, np.array([1]), np.float32([[1.5, 2.5]]), np.float32([[1, 1]]), ones)
def max_roi(x, rois, out, scale):
    y = np.zeros((len(rois), x.shape[1], *out))
    for r, c, u, v in np.ndindex(*y.shape):
        b = [math.floor(abs(t) + 0.5) * (1 if t > 0 else -1) for t in d(rois[r, 1:]) * scale]
        n = [max(b[3] - b[1] + 1, 1), max(b[2] - b[0] + 1, 1)]
        lo = [b[1] + u * n[0] // out[0], b[0] + v * n[1] // out[1]]
        hi = [b[1] - (-(u + 1) * n[0] // out[0]), b[0] - (-(v + 1) * n[1] // out[1])]
        bin = x[int(rois[r, 0]), c, max(lo[0], 0):max(hi[0], 0), max(lo[1], 0):max(hi[1], 0)]
        y[r, c, u, v] = bin.max() if bin.size else 0
    return y
rois5 = np.float32([[0, 0, 0, 11, 9], [1, 3, 2, 9, 4], [1, 6, 5, 30, 30], [0, -1, -3, 5, 7]])
s.check("round_away", "round_away(%)", np.float32(-3), np.float32(-2.5))
s.check("max_roi_pool", "max_roi_pool(%, %, height = 2, width = 3, scale = 0.5)", max_roi(xr, rois5, (2, 3), 0.5), xr, rois5)

def deform(x, w, off, bias=None, mask=None, stride=1, pad=0, dil=1, groups=1, og=1):
    r, out = x.ndim - 2, off.shape[2:]
    k = w.shape[2:]
    y = np.zeros((len(x), len(w), *out))
    c, cg, m = w.shape[1], x.shape[1] // og, len(w) // groups
    offs = d(off).reshape(len(x), og, *k, r, *out)
    masks = np.ones((len(x), og, *k, *out)) if mask is None else d(mask).reshape(len(x), og, *k, *out)
    for n, *o in np.ndindex(len(x), *out):
        for t in np.ndindex(*k):
            v = np.zeros(x.shape[1])
            for g in range(og):
                place = [o[a] * stride - pad + t[a] * dil + offs[(n, g, *t, a, *o)] for a in range(r)]
                v[g * cg:(g + 1) * cg] = at_place(d(x[n, g * cg:(g + 1) * cg]), place) * masks[(n, g, *t, *o)]
            for q in range(len(w)): y[(n, q, *o)] += v[q // m * c:(q // m + 1) * c] @ d(w)[(q, slice(None), *t)]
    return y if bias is None else y + d(bias).reshape(-1, *[1] * r)
xd, wd, bd = f32(1, 4, 5, 6), f32(2, 4, 3, 2), f32(2)
o1, m1 = f32(1, 12, 3, 5), f32(1, 6, 3, 5)
s.check("deform", "deform_conv(%, %, %)", deform(xd, wd, o1), xd, wd, o1)
s.check("deform_mask", "deform_conv(%, %, %, %, %)", deform(xd, wd, o1, bd, m1), xd, wd, o1, bd, m1)
wg, o2 = f32(4, 2, 2, 2), f32(1, 16, 3, 4)
s.check("deform_groups", "deform_conv(%, %, %, stride = 2, pad = 1, dilation = 2, groups = 2, offset_groups = 2)", deform(xd, wg, o2[:, :, :3, :3].copy(), stride=2, pad=1, dil=2, groups=2, og=2), xd, wg, o2[:, :, :3, :3].copy())
wm, o4 = f32(3, 4, 2, 2), f32(1, 16, 4, 5)
s.check("deform_offset_groups", "deform_conv(%, %, %, offset_groups = 2)", deform(xd, wm, o4, og=2), xd, wm, o4)
x1, w1, o3 = f32(2, 2, 6), f32(1, 2, 3), f32(2, 3, 4)
s.check("deform_1d", "deform_conv(%, %, %)", deform(x1, w1, o3), x1, w1, o3)

# ---------------------------------------------------------------- resizing
def source(o, n, to, scale, how, crop):
    length = n * scale
    if how == "tf_crop_and_resize": return (n - 1) * (crop[0] + o * (crop[1] - crop[0]) / (length - 1) if length > 1 else sum(crop) / 2)
    if how == "align_corners": return o * (n - 1) / (length - 1)
    if how == "half_pixel_symmetric": return 0.5 * n * (1 - to / length) + (o + 0.5) / scale - 0.5
    return o / scale if how == "asymmetric" else (o + 0.5) / scale - 0.5
def resize(x, to, scale, mode, how, stretch=False, a=-0.75, exclude=False, crop=None, outside=0.0):
    """Transforms the last axis."""
    n, y = x.shape[-1], np.zeros((*x.shape[:-1], to))
    shrink = min(scale, 1) if stretch else 1
    for o in range(to):
        s = source(o, n, to, scale, how, crop)
        if crop and not 0 <= s <= n - 1: y[..., o] = outside; continue
        total = 0
        for k in range(math.floor(s) - 40, math.floor(s) + 41):
            t = (k - s) * shrink
            w = max(1 - abs(t), 0) if mode == "linear" else keys(t, a)
            if exclude and not 0 <= k < n: w = 0
            total += w
            y[..., o] += w * d(x)[..., min(max(k, 0), n - 1)]
        y[..., o] /= total
    return y
s = Suite("resizing")
x = f32(2, 3, 11)
for mode in ("linear", "cubic"):
    for to in (4, 7, 19):
        s.check(f"antialias_{mode}_{to}", f'resize_antialias(%, to = {to}, mode = "{mode}")', resize(x, to, to / 11, mode, "half_pixel", True), x)
    s.check(f"antialias_{mode}_inside", f'resize_antialias(%, to = 5, mode = "{mode}", exclude_outside = true, a = -0.5)', resize(x, 5, 5 / 11, mode, "half_pixel", True, -0.5, True), x)
    s.check(f"antialias_{mode}_scale", f'resize_antialias(%, to = 6, mode = "{mode}", scale = 0.6, coordinates = "align_corners")', resize(x, 6, 0.6, mode, "align_corners", True), x)
    s.check(f"crop_{mode}", f'resize_axis(%, to = 8, mode = "{mode}", coordinates = "tf_crop_and_resize", begin = 0.3, end = 1.2, outside = 7)',
            resize(x, 8, 8 / 11, mode, "tf_crop_and_resize", crop=(0.3, 1.2), outside=7), x)
    s.check(f"axis_{mode}", f'resize_axis(%, to = 8, mode = "{mode}", coordinates = "asymmetric")', resize(x, 8, 8 / 11, mode, "asymmetric"), x)
    s.check(f"axis_{mode}_stretched", f'resize_axis(%, to = 5, mode = "{mode}", antialias = true)', resize(x, 5, 5 / 11, mode, "half_pixel", True), x)
    s.check(f"at_{mode}", f'resize_at(%, %, to = 14, mode = "{mode}")', resize(x, 14, 1.3, mode, "half_pixel"), x, np.float32(1.3))
    s.check(f"at_{mode}_stretched", f'resize_at(%, %, to = 6, mode = "{mode}", antialias = true, coordinates = "align_corners", exclude_outside = true)',
            resize(x, 6, 0.6, mode, "align_corners", True, exclude=True), x, np.float32(0.6))
    s.check(f"at_{mode}_region", f'resize_at(%, %, %, to = 8, mode = "{mode}", coordinates = "tf_crop_and_resize", outside = 7)',
            resize(x, 8, 8 / 11, mode, "tf_crop_and_resize", crop=(0.3, 1.2), outside=7), x, np.float32(8 / 11), np.float32([0.3, 1.2]))
for how in "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric":
    s.check(f"at_{how}", f'resize_at(%, %, to = 14, coordinates = "{how}")', resize(x, 14, 1.3, "linear", how), x, np.float32(1.3))
s.check("at_shrinking", 'resize_at(%, %, to = 5, mode = "nearest", coordinates = "asymmetric", rounding = "shrinking")', x[..., [0, 3, 5, 7, 9]], x, np.float32(0.46))
s.check("at_growing", 'resize_at(%, %, to = 22, mode = "nearest", coordinates = "asymmetric", rounding = "shrinking")', x.repeat(2, -1), x, np.float32(2))
s.check("source_at", 'resize_source_at(%, none, to = 4, from = 2, coordinates = "half_pixel")', np.float32([-0.25, 0.25, 0.75, 1.25]), np.float32(2))
at = np.float32([-1.5, 0.25, 4.75, 20])
s.check("nearest_at", "nearest_at(%, %)", x[..., [0, 0, 5, 10]], x, at)
s.check("linear_at", "linear_at(%, %)", np.stack([x[..., 0], x[..., 0] * 0.75 + x[..., 1] * 0.25, x[..., 4] * 0.25 + x[..., 5] * 0.75, x[..., 10]], -1), x, at)
s.check("cubic_at", "cubic_at(%, %)", x[..., [0, 3, 10]], x, np.float32([0, 3, 10]))
s.check("window_at", "window_at(%, %, %)", np.stack([x[..., 0], x[..., 3]], -1), x, np.float32([0, 3]), np.float32([[0, 1], [0, 1]]))
s.check("axis_first", "resize_axis(%, to = 3, axis = 0)", np.moveaxis(resize(np.moveaxis(x, 0, -1), 3, 1.5, "linear", "half_pixel"), -1, 0), x)
s.check("axis_nearest", 'resize_axis(%, to = 22, mode = "nearest", coordinates = "asymmetric", rounding = "floor")', x.repeat(2, -1), x)
s.check("crop_nearest", 'resize_nearest(%, to = 5, coordinates = "tf_crop_and_resize", begin = 0.2, end = 0.6)', x[..., [2, 3, 4, 5, 6]], x)

# ---------------------------------------------------------------- sequences
ACT = {"sigmoid": lambda v, a, b: 1 / (1 + np.exp(-v)), "tanh": lambda v, a, b: np.tanh(v), "relu": lambda v, a, b: np.maximum(v, 0), "affine": lambda v, a, b: a * v + b,
       "leaky_relu": lambda v, a, b: np.where(v < 0, a * v, v), "thresholded_relu": lambda v, a, b: np.where(v < a, 0, v), "scaled_tanh": lambda v, a, b: a * np.tanh(b * v),
       "hard_sigmoid": lambda v, a, b: np.clip(a * v + b, 0, 1), "elu": lambda v, a, b: np.where(v < 0, a * (np.exp(v) - 1), v), "softsign": lambda v, a, b: v / (1 + np.abs(v)),
       "softplus": lambda v, a, b: np.log(1 + np.exp(v))}
def scan(x, lengths, reverse, states, step):
    """Scans each sequence by itself. step(x_t, states) returns the new states, the first of which is the result."""
    S, B = x.shape[:2]
    y, last = np.zeros((S, B, states[0].shape[1])), [v.copy() for v in states]
    for n in range(B):
        st = [v[n:n + 1] for v in states]
        order = range(S if lengths is None else lengths[n])
        for t in reversed(order) if reverse else order:
            st = step(x[t, n:n + 1], st)
            y[t, n] = st[0][0]
        for v, w in zip(last, st): v[n] = w[0]
    return (y, *last)
def lstm(x, w, r, b=None, lengths=None, h0=None, c0=None, p=None, acts=("sigmoid", "tanh", "tanh"), ab=(0,) * 6, clip=inf, coupled=False, reverse=False):
    H = r.shape[1]
    x, w, r = d(x), d(w), d(r)
    b = np.zeros(8 * H) if b is None else d(b)
    pi, po, pf = np.split(np.zeros(3 * H) if p is None else d(p), 3)
    z = lambda v: np.zeros((x.shape[1], H)) if v is None else d(v)
    fn = [lambda v, k=k: ACT[acts[k]](np.clip(v, -clip, clip) if k < 2 else v, ab[2 * k], ab[2 * k + 1]) for k in range(3)]
    def step(xt, st):
        h, c = st
        i, o, f, g = np.split(xt @ w.T + h @ r.T + b[:4 * H] + b[4 * H:], 4, 1)
        i = fn[0](i + pi * c)
        f = 1 - i if coupled else fn[0](f + pf * c)
        c = f * c + i * fn[1](g)
        return [fn[0](o + po * c) * fn[2](c), c]
    return scan(x, lengths, reverse, [z(h0), z(c0)], step)
def gru(x, w, r, b=None, lengths=None, h0=None, acts=("sigmoid", "tanh"), ab=(0,) * 4, clip=inf, after=False, reverse=False):
    H = r.shape[1]
    x, w, r = d(x), d(w), d(r)
    b = np.zeros(6 * H) if b is None else d(b)
    fn = [lambda v, k=k: ACT[acts[k]](np.clip(v, -clip, clip), ab[2 * k], ab[2 * k + 1]) for k in range(2)]
    def step(xt, st):
        h, = st
        a = xt @ w.T + b[:3 * H]
        u = fn[0](a[:, :H] + h @ r[:H].T + b[3 * H:4 * H])
        s = fn[0](a[:, H:2 * H] + h @ r[H:2 * H].T + b[4 * H:5 * H])
        m = fn[1](a[:, 2 * H:] + (s * (h @ r[2 * H:].T + b[5 * H:]) if after else (s * h) @ r[2 * H:].T + b[5 * H:]))
        return [(1 - u) * m + u * h]
    return scan(x, lengths, reverse, [np.zeros((x.shape[1], H)) if h0 is None else d(h0)], step)
def rnn(x, w, r, b=None, lengths=None, h0=None, act="tanh", ab=(0, 0), clip=inf, reverse=False):
    H = r.shape[1]
    x, w, r = d(x), d(w), d(r)
    b = np.zeros(2 * H) if b is None else d(b)
    return scan(x, lengths, reverse, [np.zeros((x.shape[1], H)) if h0 is None else d(h0)],
                lambda xt, st: [ACT[act](np.clip(xt @ w.T + st[0] @ r.T + b[:H] + b[H:], -clip, clip), *ab)])
s = Suite("sequences")
v = f32(3, 4, lo=-3, hi=3)
for n, f in ACT.items(): s.check("activate_" + n, f'activate(%, by = "{n}", alpha = 0.3, beta = 0.6)', f(d(v), 0.3, 0.6), v)
x, n = f32(5, 3, 2), np.int32([5, 2, 3])
w, r, b, p, h0, c0 = f32(16, 2), f32(16, 4), f32(32), f32(12), f32(3, 4), f32(3, 4)
s.check("lstm", "lstm_sequence(%, %, %)", lstm(x, w, r), x, w, r)
s.check("lstm_bias", "lstm_sequence(%, %, %, %)", lstm(x, w, r, b), x, w, r, b)
ops = (x, w, r, b, n, h0, c0, p)
s.check("lstm_all", "lstm_sequence(%, %, %, %, %, %, %, %)", lstm(*ops), *ops)
s.check("lstm_reverse", "lstm_sequence(%, %, %, %, %, %, %, %, reverse = true)", lstm(*ops, reverse=True), *ops)
s.check("lstm_reverse_full", "lstm_sequence(%, %, %, %, reverse = true)", lstm(x, w, r, b, reverse=True), x, w, r, b)
s.check("lstm_clip", "lstm_sequence(%, %, %, %, %, %, %, %, clip = 0.4, coupled = true)", lstm(*ops, clip=0.4, coupled=True), *ops)
s.check("lstm_activations", 'lstm_sequence(%, %, %, %, %, %, %, %, f = "hard_sigmoid", f_alpha = 0.2, f_beta = 0.5, g = "elu", g_alpha = 0.7, h = "leaky_relu", h_alpha = 0.1)',
        lstm(*ops, acts=("hard_sigmoid", "elu", "leaky_relu"), ab=(0.2, 0.5, 0.7, 0, 0.1, 0)), *ops)
w, r, b = f32(12, 2), f32(12, 4), f32(24)
ops = (x, w, r, b, n, h0)
for after in (False, True):
    a = str(after).lower()
    s.check(f"gru_{a}", f"gru_sequence(%, %, %, reset_after = {a})", gru(x, w, r, after=after), x, w, r)
    s.check(f"gru_all_{a}", f"gru_sequence(%, %, %, %, %, %, reset_after = {a})", gru(*ops, after=after), *ops)
    s.check(f"gru_reverse_{a}", f'gru_sequence(%, %, %, %, %, %, reset_after = {a}, reverse = true, clip = 0.5, f = "softsign", g = "affine", g_alpha = 0.5, g_beta = 0.1)',
            gru(*ops, acts=("softsign", "affine"), ab=(0, 0, 0.5, 0.1), clip=0.5, after=after, reverse=True), *ops)
w, r, b = f32(4, 2), f32(4, 4), f32(8)
ops = (x, w, r, b, n, h0)
s.check("rnn", "rnn_sequence(%, %, %)", rnn(x, w, r), x, w, r)
s.check("rnn_all", "rnn_sequence(%, %, %, %, %, %)", rnn(*ops), *ops)
s.check("rnn_reverse", 'rnn_sequence(%, %, %, %, %, %, f = "thresholded_relu", f_alpha = 0.2, clip = 1, reverse = true)', rnn(*ops, act="thresholded_relu", ab=(0.2, 0), clip=1, reverse=True), *ops)
s.check("sequence_inputs", "sequence_inputs(%, %, %)", d(x) @ d(w).T + d(b)[:4] + d(b)[4:], x, w, b)
flipped = np.stack([np.concatenate([x[:k, i][::-1], x[k:, i]]) for i, k in enumerate(n)], 1)
s.check("scan_order", "scan_order(%, %, reverse = true)", flipped, x, n)
s.check("while_lasting", "while_lasting(2, %, %, %)", np.stack([h0[0], c0[1], h0[2]]), h0, c0, n)
s.check("reverse_sequence", "reverse_sequence(%, %)", flipped, x, n)
s.check("reverse_sequence_1", "reverse_sequence(%, %, axis = 1)", flipped.swapaxes(0, 1), x.swapaxes(0, 1).copy(), n.astype(np.int64))

# ---------------------------------------------------------------- other general forms
s = Suite("general")
for t in (np.int8, np.int32, np.int64, np.uint8, np.uint32):
    i = np.iinfo(t)
    a, e = np.array([0, 0, 1, 2, 3, 7, i.max, i.max, 1, i.min], t), np.array([0, 3, 7, 5, 4, 3, 1, 2, 100, 2], t)
    if i.min < 0: a, e = np.append(a, np.array([-1, -1, -3, 2, 0, 1, -2], t)), np.append(e, np.array([-3, -2, 3, -1, -2, -5, 7], t))
    power = lambda x, y: pow(x, y, 2**i.bits) if y >= 0 else {1: 1, -1: (-1) ** (y % 2)}.get(x, 0)
    s.check(f"pow_{np.dtype(t).name}", "pow_int(%, %)", np.array([np.array(power(int(x), int(y)) & (2**i.bits - 1), np.uint64).astype(t) for x, y in zip(a, e)]), a, e)
g = ints(-3, 4, 3, 1, dtype=np.int32)
s.check("pow_broadcast", "pow_int(%, %)", g ** np.arange(4, dtype=np.int32), g, np.arange(4))
s.check("ones_bool", "ones(shape = [2], type = bool)", np.ones(2, bool))
s.check("zeros_bool", "zeros(shape = [2], type = bool)", np.zeros(2, bool))
s.check("eye_bool", "eye(rows = 2, columns = 3, k = 1, type = bool)", np.eye(2, 3, 1, dtype=bool))
q = f32(4, 3, 3)
s.check("det", "det(%)", np.linalg.det(d(q)), q)
s.check("det_one", "det(%)", np.linalg.det(d(q[0])), q[0].copy())
z = np.float32([[0, 1, 2], [0, 0, 3], [4, 5, 6]])
s.check("det_turned", "det(%)", np.linalg.det(d(z)), z)
s.check("det_singular", "det(%)", np.zeros(2, np.float32), np.float32([[[1, 2], [2, 4]], [[0, 0], [0, 0]]]))
x = f32(3, 5, 4)
s.check("crop", "center_crop_pad(%, shape = [2, 6], axes = [1, -1])", np.pad(x[:, 1:3], ((0, 0), (0, 0), (1, 1))), x)
s.check("crop_odd", "center_crop_pad(%, shape = [4, 2, 7], axes = [0, 1, 2])", np.pad(x[:, 1:3], ((0, 1), (0, 0), (1, 2))), x)
m = f32(2, 3, 4, 6)
M = d(m)
std = lambda v, ax: (v - v.mean(ax, keepdims=True)) / (v.std(ax, keepdims=True) + 1e-9)
s.check("standardize", "standardize(%, axes = [0, 2, 3])", std(M, (0, 2, 3)), m)
s.check("normalize1", "normalize1(%, axis = 2)", M / np.abs(M).sum(2, keepdims=True), m)
s.check("layer_norm_stats", "layer_norm_stats(%, axis = 2)", (M.mean((2, 3), keepdims=True), 1 / np.sqrt(M.var((2, 3), keepdims=True) + 1e-5)), m)
c = lambda v: d(v)[:, None, None]
lb = f32(6)
s.check("bias_alone", "layer_norm(%, none, %)", (M - M.mean(3, keepdims=True)) / np.sqrt(M.var(3, keepdims=True) + 1e-5) + d(lb), m, lb)
w, b, rm, rv = f32(3), f32(3), f32(3), f32(3, lo=0.2, hi=2)
mu, var = M.mean((0, 2, 3)), M.var((0, 2, 3))
s.check("batch_norm_train", "batch_norm_train(%, %, %, %, %, momentum = 0.7)", ((M - c(mu)) / np.sqrt(c(var) + 1e-5) * c(w) + c(b), 0.7 * d(rm) + 0.3 * mu, 0.7 * d(rv) + 0.3 * var), m, w, b, rm, rv)
sc, zp = f32(2, 3, 2, 6, lo=0.1, hi=0.5), ints(0, 20, 2, 3, 2, 6, dtype=np.uint8)
big, bz = d(sc).repeat(3, 2)[:, :, :4], d(zp).repeat(3, 2)[:, :, :4]
Q = np.clip(np.rint((m / sc.repeat(3, 2)[:, :, :4]).astype(np.float32)) + bz, 0, 255).astype(np.uint8)
s.check("quantize_blocks", "quantize_blocks(%, %, %, axis = 2, block = 3)", Q, m, sc, zp)
s.check("dequantize_blocks", "dequantize_blocks(%, %, %, axis = 2, block = 3)", (Q - bz) * big, Q, sc, zp, dtype=np.float32)
s.check("dequantize_blocks_bare", "dequantize_blocks(%, %, axis = 2, block = 3)", Q * big, Q, sc, dtype=np.float32)
a8, zr = ints(-128, 128, 3, 4, dtype=np.int8), np.int8([[1], [-5], [7]])
s.check("above_zero", "above_zero(%, %)", a8.astype(np.int32) - zr.astype(np.int32), a8, zr)
sums, sr = ints(-900, 900, 2, 4, dtype=np.int32), f32(4, lo=0.05, hi=0.3)
s.check("rescale", "rescale(%, %, %)", np.clip(np.rint((sums * sr).astype(np.float32)) + 3, -128, 127).astype(np.int8), sums, sr, np.int8(3))
tok, grams = np.array([[1, 1, 3, 3, 3, 7], [8, 6, 7, 5, 6, 8]]), np.array([[3, 3], [5, 6], [7, 8], [6, 7]])
def grams_of(t, gs, skips): return np.float32([[sum(all(i + k * j < len(r) and r[i + k * j] == v for k, v in enumerate(g)) for j in range(1, (skips if gs.shape[1] > 1 else 0) + 2) for i in range(len(r))) for g in gs] for r in t])
for k in (0, 3): s.check(f"ngrams_{k}", f"ngram_counts(%, %, skips = {k})", grams_of(tok, grams, k), tok, grams)
s.check("unigrams", "ngram_counts(%, %, skips = 5)", grams_of(tok, np.array([[3], [9]]), 5), tok, np.array([[3], [9]]))
put = np.zeros((2, 6), np.float32); put[:, [4, 0]] = [[1, 2], [3, 4]]
s.check("put_columns", "put_columns(%, %, %)", put, np.zeros((2, 6), np.float32), np.float32([[1, 2], [3, 4]]), np.array([4, 0]))
xt, wt, bt = f32(1, 4, 5), f32(4, 3, 3), f32(6)
def transpose_to(x, w, b, extent, stride, groups, later):
    n, c, m = x.shape[2], len(w) // groups, w.shape[1]
    full = np.zeros((1, groups * m, (n - 1) * stride + w.shape[2]))
    for i, k, g in itertools.product(range(n), range(w.shape[2]), range(groups)):
        full[0, g * m:(g + 1) * m, i * stride + k] += d(x)[0, g * c:(g + 1) * c, i] @ d(w)[g * c:(g + 1) * c, :, k]
    cut = full.shape[2] - extent
    at = cut // 2 if later else cut - cut // 2
    return full[:, :, at:at + extent] + d(b)[:, None]
for later in (False, True):
    s.check(f"transpose_to_{later}".lower(), f"conv_transpose_to(%, %, %, extent = 10, stride = 2, groups = 2, end_larger = {str(later).lower()})", transpose_to(xt, wt, bt, 10, 2, 2, later), xt, wt, bt)
im = ints(0, 99, 2, 2, 4, 6).astype(np.float32)
def pool_places(x):
    y, at, line = np.zeros((2, 2, 2, 3), np.float32), np.zeros((2, 2, 2, 3), np.int64), np.zeros((2, 2, 2, 3), np.int64)
    for n, c, i, j in np.ndindex(*y.shape):
        w = x[n, c, 2 * i:2 * i + 2, 2 * j:2 * j + 2]
        k, l = np.unravel_index(w.argmax(), (2, 2))
        y[n, c, i, j] = w[k, l]
        at[n, c, i, j] = (n * 2 + c) * 24 + (2 * i + k) + (2 * j + l) * 4
        line[n, c, i, j] = (n * 2 + c) * 24 + (2 * i + k) * 6 + 2 * j + l
    return y, at, line
y, at, line = pool_places(im)
s.check("pool_columns", "max_pool_index(%, kernel = 2, columns = true)", (y, at), im)
s.check("pool_columns_image", "max_pool_index(%, kernel = 2, columns = true, per_channel = true)", (y, at % 24), im)
s.check("column_step", "column_step(%, 4, axis = 1)", (np.array([[0, 4, 8]]), np.int64(12)), np.zeros((1, 3), np.int64))
back = np.zeros(im.size, np.float32); back[line.reshape(-1)] = y.reshape(-1)
s.check("max_unpool", "max_unpool(%, %, kernel = 2)", back.reshape(im.shape), y, line)
s.check("scatter_bool", "scatter_nd(%, %, %)", np.array([False, True, True]), np.array([False, False, True]), np.array([[1]]), np.array([True]))
s.check("scatter_elements_bool", "scatter_elements(%, %, %)", np.array([False, True, True]), np.array([False, False, True]), np.array([1]), np.array([True]))
rows = np.float32([[3, 4], [1, 1], [3, 4], [nan, 1], [1, 0], [nan, 1]])
for n, (u, f, inv, k) in {"sorted": ([[1, 0], [1, 1], [3, 4], [nan, 1]], [4, 1, 0, 3], [2, 1, 2, 3, 0, 3], [1, 1, 2, 2]), "seen": ([[3, 4], [1, 1], [nan, 1], [1, 0]], [0, 1, 3, 4], [0, 1, 0, 2, 3, 2], [2, 1, 2, 1])}.items():
    s.check("unique_" + n, f"unique_rows(%{', sorted = false' if n == 'seen' else ''})", (np.float32(u), np.array(f), np.array(inv), np.array(k)), rows)
    for i, t in ((0, "f32[some K <= 6, 2]"), (1, "i64[some K <= 6]"), (3, "i64[some K <= 6]")): s.types[f"unique_{n}_{i}"] = t.replace("K", "K" + n)
e = ints(-2, 3, 40, 1)
u, f, inv, k = np.unique(e, return_index=True, return_inverse=True, return_counts=True)
s.check("unique_many", "unique_rows(%)", (u[:, None], f, inv.reshape(-1), k), e)
for i, t in ((0, "i64[some KM <= 40, 1]"), (1, "i64[some KM <= 40]"), (3, "i64[some KM <= 40]")): s.types[f"unique_many_{i}"] = t

# ---------------------------------------------------------------- floats of eight bits
s = Suite("narrow")
def f8_values(m, bias, kind):
    """Returns the values of the codes 0 to 127."""
    v = [(c % 2**m) * 2.0 ** (1 - bias - m) if c < 2**m else (1 + c % 2**m / 2**m) * 2.0 ** (c // 2**m - bias) for c in range(128)]
    if kind == "fn": v[127] = nan
    if kind == "ieee": v[124:] = [inf, nan, nan, nan]
    return np.array(v)
x = np.append(f32(40, lo=-20, hi=20), np.float32([0, -0.0, inf, -inf, nan, 1e-9, -1e-9, 447, 464, 465, 500, 1e6, -1e6, 2**-10, 3 * 2**-11, 61440, 61439, 2.0**-17, 1.0625, 1.1875]))
for n, m, bias, kind, most in (("e4m3fn", 3, 7, "fn", 126), ("e4m3fnuz", 3, 8, "uz", 127), ("e5m2", 2, 15, "ieee", 123), ("e5m2fnuz", 2, 16, "uz", 127)):
    v = f8_values(m, bias, kind)
    how = f"mantissa = {m}, bias = {bias}, least = {float(v[1])!r}, kind = \"{kind}\""
    codes = np.arange(256, dtype=np.uint8)
    want = np.append(v, -v)
    if kind == "uz": want[128] = nan
    s.check("decode_" + n, f"f8_decode(%, {how})", want.astype(np.float32), codes)
    beyond = v[most] + (v[most] - v[most - 1]) / 2  # from here on it is too large; at it, the even code wins
    def encode(f, saturate):
        f = float(f)
        if math.isnan(f): return 128 if kind == "uz" else 127
        a, sign = abs(f), 128 if math.copysign(1, f) < 0 else 0
        if a > beyond or a == beyond and most % 2:
            if saturate: return sign | most
            return 128 if kind == "uz" else sign | (127 if kind == "fn" else 124)
        best = min(range(most + 1), key=lambda c: (abs(v[c] - a), c % 2))
        return best if kind == "uz" and best == 0 else sign | best
    for saturate in (True, False):
        s.check(f"encode_{n}_{saturate}".lower(), f"f8_encode(%, {how}, most = {most}, saturate = {str(saturate).lower()})", np.array([encode(f, saturate) for f in x], np.uint8), x)

# ---------------------------------------------------------------- attention in parts
s = Suite("attention_parts")
q, k, v = f32(2, 4, 3, 6), f32(2, 2, 5, 6), f32(2, 2, 5, 4)
raw = np.einsum("bhid,bhjd->bhij", d(q), d(k).repeat(2, 1))
s.check("attention_scores", "attention_scores(%, %, scale = 0.5)", 0.5 * raw, q, k)
p = f32(2, 4, 3, 5, lo=0, hi=1)
s.check("attend_values", "attend_values(%, %)", d(p) @ d(v).repeat(2, 1), p, v)
s.check("soft_cap", "soft_cap(%, cap = 1.5)", 1.5 * np.tanh(d(q) / 1.5), q)
flat = f32(2, 3, 8)
s.check("split_heads", "split_heads(%, heads = 4)", flat.reshape(2, 3, 4, 2).swapaxes(1, 2), flat)
s.check("merge_heads", "merge_heads(%)", q.swapaxes(1, 2).reshape(2, 3, 24), q)
s.check("causal_past", "causal_mask(%, past = 1)", np.where(np.arange(5) <= np.arange(3)[:, None] + 1, d(p), -inf), p)
for width in (3, 2):
    C, S = f32(2, 3, width), f32(2, 3, width)
    c, z = d(C)[:, None], d(S)[:, None]
    for inter in (False, True):
        y = d(q).copy()
        a, b = (slice(0, 2 * width, 2), slice(1, 2 * width, 2)) if inter else (slice(0, width), slice(width, 2 * width))
        y[..., a], y[..., b] = d(q)[..., a] * c - d(q)[..., b] * z, d(q)[..., a] * z + d(q)[..., b] * c
        s.check(f"rotary_by_{width}_{inter}".lower(), f"rotary_by(%, %, %, interleaved = {str(inter).lower()})", y, q, C, S)
i = ints(-9, 9, 3, 4, dtype=np.int32)
s.check("prelu_int", "prelu(%, 3)", np.where(i < 0, 3 * i, i), i)
x = f32(1, 7)
s.check("half_pixel_for_nn", 'resize_nearest(%, to = 4, coordinates = "tf_half_pixel_for_nn", rounding = "floor")', x[:, [0, 2, 4, 6]], x)

# ---------------------------------------------------------------- floats of four bits, exponents of eight
s = Suite("microscaling")
v = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
s.check("decode_f4", "f4_decode(%)", np.append(v, -v).astype(np.float32), np.arange(16, dtype=np.uint8))
x = np.append(f32(40, lo=-7, hi=7), np.float32([0, -0.0, inf, -inf, nan, 0.25, -0.25, 0.2500001, 0.75, 1.25, 1.75, 2.5, 3.5, 5, 5.0000005, 7, 1e-40, -1e-40]))
def encode_f4(f):
    f = float(f)
    if math.isnan(f): return 8
    return min(range(8), key=lambda c: (abs(v[c] - min(abs(f), 6)), c % 2)) | (8 if math.copysign(1, f) < 0 else 0)
s.check("encode_f4", "f4_encode(%)", np.array([encode_f4(f) for f in x], np.uint8), x)
s.check("decode_e8", "e8_decode(%)", np.append(2.0 ** (np.arange(255) - 127), nan).astype(np.float32), np.arange(256, dtype=np.uint8))
x = np.append(f32(40, lo=-20, hi=20), np.float32([0, -0.0, inf, -inf, nan, 1, 1.5, 1.4999999, 1.5000001, 3, 6.0, 2.0**-126, 2.0**-127, 2.0**-128, 3 * 2.0**-128, 3e38, 1.8e38, 2.0**127]))
def encode_e8(f, rounding, saturate):
    f = abs(float(f))
    if not math.isfinite(f): return 255
    low = 0 if f < 2.0**-126 else math.floor(math.log2(f)) + 127  # a number without exponent has code 0, and 2^-126 comes next
    base, step = (0, 2.0**-126) if low == 0 else (2.0 ** (low - 127), 2.0 ** (low - 127))
    part = (f - base) / step
    up = part > 0 if rounding == "up" else part > 0.5 or part == 0.5 and low > 0 if rounding == "nearest" else False
    return min(low + up, 254 if saturate else 255)
for rounding in ("up", "down", "nearest"):
    for saturate in (True, False):
        s.check(f"encode_e8_{rounding}_{saturate}".lower(), f'e8_encode(%, rounding = "{rounding}", saturate = {str(saturate).lower()})', np.array([encode_e8(f, rounding, saturate) for f in x], np.uint8), x)

# ---------------------------------------------------------------- states that go from call to call
s = Suite("states")
def linear_attend(q, k, v, state=None, decay=None, beta=None, scale=None):
    b, kv, t, n = k.shape
    m = np.zeros((b, kv, n, v.shape[-1])) if state is None else d(state)
    ys = []
    for i in range(t):
        if decay is not None: m = m * np.exp(d(decay)[:, :, i])[..., None]
        u = d(v)[:, :, i]
        if beta is not None: u = d(beta)[:, :, i, None] * (u - np.einsum("bhdm,bhd->bhm", m, d(k)[:, :, i]))
        m = m + d(k)[:, :, i, :, None] * u[:, :, None]
        ys.append(np.einsum("bhd,bhdm->bhm", d(q)[:, :, i], np.repeat(m, q.shape[1] // kv, 1)) * (n ** -0.5 if scale is None else scale))
    return np.stack(ys, 2), m
q, k, v, state = f32(2, 4, 5, 3), f32(2, 2, 5, 3), f32(2, 2, 5, 4), f32(2, 2, 3, 4)
decay, decays, beta, betas = f32(2, 2, 5, 1, lo=-1, hi=0), f32(2, 2, 5, 3, lo=-1, hi=0), f32(2, 2, 5, lo=0, hi=1), f32(2, 1, 5, lo=0, hi=1)
s.check("linear", "linear_attention(%, %, %)", linear_attend(q, k, v), q, k, v)
s.check("linear_on", "linear_attention(%, %, %, %, scale = 0.3)", linear_attend(q, k, v, state, scale=0.3), q, k, v, state)
s.check("linear_gated", "linear_attention(%, %, %, %, %)", linear_attend(q, k, v, state, decay), q, k, v, state, decay)
s.check("linear_delta", "linear_attention(%, %, %, none, none, %)", linear_attend(q, k, v, beta=beta), q, k, v, beta)
s.check("linear_all", "linear_attention(%, %, %, %, %, %)", linear_attend(q, k, v, state, decays, betas), q, k, v, state, decays, betas)
x, w, bias, past = f32(2, 3, 6), f32(3, 1, 4), f32(3), f32(2, 3, 3)
def causal_conv(x, w, bias, past):
    a = np.concatenate([d(past), d(x)], 2)
    k = w.shape[2]
    return sum(a[:, :, i:i + x.shape[2]] * d(w)[:, 0, i, None] for i in range(k)) + d(bias)[:, None], a[:, :, x.shape[2]:]
s.check("causal_conv", "causal_conv(%, %, %, %)", causal_conv(x, w, bias, past), x, w, bias, past)
s.check("causal_conv_first", "causal_conv(%, %)", causal_conv(x, w, 0 * bias, 0 * past), x, w)
s.check("causal_conv_short", "causal_conv(%, %, none, %)", causal_conv(x[..., :1], w, 0 * bias, past), x[..., :1].copy(), w, past)
s.check("causal_conv_one", "causal_conv(%, %, %)", causal_conv(x, w[..., :1], bias, past[..., :0]), x, w[..., :1].copy(), bias)
scores, lengths = f32(2, 3, 4, 6), np.int64([5, 2])
i, j, l = np.arange(4)[:, None], np.arange(6), lengths[:, None, None, None]
s.check("length_mask", "length_mask(%, %)", np.where(j < l, d(scores), -inf), scores, lengths)
s.check("length_causal_mask", "length_causal_mask(%, %)", np.where(j <= i + l - 4, d(scores), -inf), scores, lengths)
s.check("length_window_mask", "length_window_mask(%, %, left = 1, right = 2)", np.where((i + l - 4 - j <= 1) & (j - (i + l - 4) <= 2), d(scores), -inf), scores, lengths)
cache, fresh, at = f32(2, 3, 5, 2), f32(2, 3, 2, 2), np.int64([3, 1])
def tensor_scatter(cache, fresh, at, axis, circular=False):
    y, f = np.moveaxis(d(cache), axis, 1).copy(), np.moveaxis(d(fresh), axis, 1)
    for b in range(len(at)):
        for p in range(f.shape[1]): y[b, (at[b] + p) % y.shape[1] if circular else at[b] + p] = f[b, p]
    return np.moveaxis(y, 1, axis)
s.check("tensor_scatter", "tensor_scatter(%, %, %)", tensor_scatter(cache, fresh, at, 2), cache, fresh, at)
s.check("tensor_scatter_circular", "tensor_scatter(%, %, %, circular = true)", tensor_scatter(cache, fresh, at + 1, 2, True), cache, fresh, at + 1)
fresh = f32(2, 1, 5, 2)
s.check("tensor_scatter_axis", "tensor_scatter(%, %, %, axis = 1)", tensor_scatter(cache, fresh, at - 1, 1), cache, fresh, at - 1)
x = f32(7)
s.check("bit_cast", "bit_cast(%, to = i32)", x.view(np.int32), x)
s.check("bit_cast_back", "bit_cast(%, to = f64)", (d(x) * 3).view(np.int64).view(np.float64), (d(x) * 3).view(np.int64), dtype=np.float64)

# ---------------------------------------------------------------- optimisers
s = Suite("optimisers")
x, g, v, h, rate = f32(3, 2), f32(3, 2), f32(3, 2), f32(3, 2, lo=0, hi=2), np.float32(0.1)
for step in (0, 3):
    t, n = np.int64(step), d(x) * 0.05 + d(g)
    h1 = d(h) + n * n
    s.check(f"adagrad_{step}", "adagrad_step(%, %, %, %, %, decay = 0.2, norm = 0.05)", (d(x) - rate.astype(float) / (1 + 0.2 * step) * n / (np.sqrt(h1) + 1e-6), h1), rate, t, x, g, h)
    m1, h1 = 0.9 * d(v) + 0.1 * n, 0.95 * d(h) + 0.05 * n * n
    r = rate.astype(float) * (np.sqrt(1 - 0.95**step) / (1 - 0.9**step) if step else 1)
    s.check(f"adam_{step}", "adam_step(%, %, %, %, %, %, beta = 0.95, norm = 0.05, shrink = 0.1)", (0.9 * (d(x) - r * m1 / (np.sqrt(h1) + 1e-6)), m1, h1), rate, t, x, g, v, h)
    for nesterov in (False, True):
        v1 = 0.8 * d(v) + (0.7 if step else 1) * n
        s.check(f"momentum_{step}_{nesterov}".lower(), f"momentum_step(%, %, %, %, %, alpha = 0.8, beta = 0.7, norm = 0.05, nesterov = {str(nesterov).lower()})", (d(x) - rate.astype(float) * (n + 0.8 * v1 if nesterov else v1), v1), rate, t, x, g, v)

s = Suite("learning", ("nn", "optim"))
w, g, m, v, lr, t = f32(3, 4), f32(3, 4), f32(3, 4), f32(3, 4, lo=0, hi=1), np.float32(0.03), np.int64(4)
r = float(lr)
s.check("sgd", "optim.sgd(%, %, %, decay = 0.1)", d(w) - r * (d(g) + 0.1 * d(w)), w, g, lr)
for nesterov in (False, True):
    m1 = 0.9 * d(m) + d(g)
    s.stateful(f"sgd_{nesterov}".lower(), f"optim.sgd(%, %, %, momentum = 0.9, nesterov = {str(nesterov).lower()})", d(w) - r * (d(g) + 0.9 * m1 if nesterov else m1), w, g, lr, speed=(m, m1))
def adamw(decay, beta1=0.9, beta2=0.999, eps=1e-8):
    m1, v1 = beta1 * d(m) + (1 - beta1) * d(g), beta2 * d(v) + (1 - beta2) * d(g) ** 2
    return d(w) * (1 - r * decay) - r * m1 / (1 - beta1 ** 5) / (np.sqrt(v1 / (1 - beta2 ** 5)) + eps), m1, v1, np.int64(5)
for name, text, (y, m1, v1, t1) in (("adam", "optim.adam(%, %, %, eps = 0.01)", adamw(0, eps=0.01)), ("adamw", "optim.adamw(%, %, %, decay = 0.2)", adamw(0.2)), ("adamw_betas", "optim.adamw(%, %, %, beta1 = 0.8, beta2 = 0.95)", adamw(0.01, 0.8, 0.95))):
    s.stateful(name, text, y, w, g, lr, m=(m, m1), v=(v, v1), t=(t, t1))
y, m1, v1, t1 = adamw(0.01)
s.outputs |= {"stepped": y.astype(np.float32), "stepped_m": m1.astype(np.float32), "stepped_v": v1.astype(np.float32), "stepped_t": np.asarray(t1)}
s.lines.append(f"stepped, stepped_m, stepped_v, stepped_t = optim.adamw_step({', '.join(s.port(a) for a in (w, g, m, v, t, lr))})")
s.stateful("lion", "optim.lion(%, %, %, decay = 0.1)", d(w) - r * (np.sign(0.9 * d(m) + 0.1 * d(g)) + 0.1 * d(w)), w, g, lr, m=(m, 0.99 * d(m) + 0.01 * d(g)))
def adafactor(w, g, rows, columns, power=0.8, limit=1.0):
    q, b, n = d(g) ** 2 + 1e-30, 5.0 ** -power, tuple(range(w.ndim - 1))
    r1, c1 = rows + (q.mean(-1) - rows) * b, columns + (q.mean(n) - columns) * b
    u = d(g) * np.sqrt(r1.mean() / (r1[..., None] * c1))
    return d(w) - r * u / max(1, np.sqrt((u * u).mean()) / limit), r1, c1
rows, columns, x3, g3 = f32(3, lo=0.1, hi=1), f32(4, lo=0.1, hi=1), f32(2, 3, 4), f32(2, 3, 4)
for name, a, b, rr, attributes in (("adafactor", w, g, rows, ""), ("adafactor_limited", w, g, rows, ", limit = 0.3"), ("adafactor_three", x3, g3, f32(2, 3, lo=0.1, hi=1), ""), ("adafactor_vector", w[0].copy(), g[0].copy(), np.float32(0.7), ", power = 0.5")):
    y, r1, c1 = adafactor(a, b, d(rr), d(columns), **eval(f"dict({attributes[2:]})"))
    s.stateful(name, f"optim.adafactor(%, %, %{attributes})", y, a, b, lr, rows=(rr, r1), columns=(columns, c1), t=(t, t + 1))
def orthogonal(x):
    y = d(x) / (np.sqrt((d(x) ** 2).sum()) + 1e-7)
    for _ in range(5):
        a = y @ y.T
        y = 3.4445 * y + (2.0315 * a @ a - 4.775 * a) @ y
    return y
for name, a, b, mm, nesterov in (("muon", d(w), d(g), d(m), True), ("muon_plain", d(w).T.copy(), d(g).T.copy(), d(m).T.copy(), False)):
    m1 = 0.95 * mm + b
    y = a * (1 - r * 0.1) - r * max(1, a.shape[0] / a.shape[1]) ** 0.5 * orthogonal(b + 0.95 * m1 if nesterov else m1)
    s.stateful(name, f"optim.muon(%, %, %, nesterov = {str(nesterov).lower()}, decay = 0.1)", y, a, b, lr, speed=(mm, m1))
s.check("orthogonal", "optim.orthogonal(%)", orthogonal(d(g)), d(g))
s.check("squares", "optim.squares(%)", (d(g) ** 2).sum(), g)
total = np.float32(6.25)
s.check("clipped", "optim.clip_factor(%, limit = 1.0)", 1 / (2.5 + 1e-6), total)
s.check("not_clipped", "optim.clip_factor(%, limit = 3.0)", 1.0, total)
def cosine(k): return 0.5 * (k + 1) / 10 if k < 10 else 0.1 + 0.4 * 0.5 * (1 + np.cos(np.pi * min((k - 10) / 90, 1)))
for k in (0, 9, 10, 40, 100, 120): s.check(f"cosine_{k}", "optim.warmup_cosine(%, peak = 0.5, warmup = 10, steps = 100, floor = 0.1)", cosine(k), np.uint64(k), dtype=np.float32)
for k in (0, 4, 5, 12): s.check(f"decayed_{k}", "optim.step_decay(%, start = 0.5, every = 5, factor = 0.3)", 0.5 * 0.3 ** (k // 5), np.int64(k), dtype=np.float32)
s.check("not_dropped", "nn.dropout(%)", d(w), w)
s.check("moved", "optim.moved(%, %, %)", w, w, g, np.bool_(False))
s.check("moved_on", "optim.moved(%, %, %)", g, w, g, np.bool_(True))
s.check("moved_always", "optim.moved(%, %)", g, w, g)
for name, fine in (("held", False), ("let", True)): # a step whose gradients are not fine changes nothing
    y, m1, v1, t1 = adamw(0.01) if fine else (d(w), m, v, t)
    s.stateful(f"adamw_{name}", "optim.adamw(%, %, %, %)", y, w, g, lr, np.bool_(fine), m=(m, m1), v=(v, v1), t=(t, t1))
    s.stateful(f"sgd_{name}", "optim.sgd(%, %, %, %, momentum = 0.9)", d(w) - r * (0.9 * d(m) + d(g)) if fine else w, w, g, lr, np.bool_(fine), speed=(m, 0.9 * d(m) + d(g) if fine else m))
for name, good, fine, want in (("doubled", 4, True, (128, 0)), ("counted", 3, True, (64, 4)), ("halved", 3, False, (32, 0))):
    s.check(f"scale_{name}", "optim.adjust_scale(%, %, %, every = 5)", (np.float32(want[0]), np.int64(want[1])), np.float32(64), np.int64(good), np.bool_(fine))
s.check("salted", "salted(%, salt = 7)", np.uint64(12), np.uint64(5))
k1 = 0.9 * d(m) + 0.1 * d(w)
s.stateful("average", "optim.average(%, decay = 0.9)", k1 / (1 - 0.9 ** 5), w, kept=(m, k1), t=(t, t + 1))

# ---------------------------------------------------------------- the types of eight bits
s = Suite("bytes")
x = np.append(f32(40, lo=-20, hi=20), np.float32([0, -0.0, inf, -inf, nan, 1e-9, -1e-9, 447, 464, 465, 500, 1e6, -1e6, 2**-10, 3 * 2**-11, 61440, 61439, 2.0**-17, 1.0625, 1.1875]))
for t, m, bias, kind, most, over in (("f8e4m3", 3, 7, "fn", 126, 127), ("f8e5m2", 2, 15, "ieee", 123, 124)):
    v = f8_values(m, bias, kind)
    codes = np.arange(256, dtype=np.uint8)
    s.check("from_" + t, f"cast(bit_cast(%, to = {t}), to = f32)", np.append(v, -v).astype(np.float32), codes)
    beyond = v[most] + (v[most] - v[most - 1]) / 2
    def code(f):
        a, sign = abs(float(f)), 128 if math.copysign(1, f) < 0 else 0
        if math.isnan(a): return 127
        if a > beyond or a == beyond and most % 2: return sign | over
        return sign | min(range(most + 1), key=lambda c: (abs(v[c] - a), c % 2))
    for wide in (np.float32, np.float64):
        s.check(f"to_{t}_{np.dtype(wide).itemsize}", f"bit_cast(cast(%, to = {t}), to = u8)", np.array([code(f) for f in x], np.uint8), x.astype(wide))
    s.check(f"{t}_of_i32", f"bit_cast(cast(%, to = {t}), to = u8)", np.array([code(i) for i in range(-40, 40)], np.uint8), np.arange(-40, 40, dtype=np.int32))
    halves = np.clip(x, -60000, 60000).astype(np.float16)
    s.check(f"{t}_of_f16", f"bit_cast(cast(%, to = {t}), to = u8)", np.array([code(f) for f in halves], np.uint8), halves)
    a, b = (ints(0, 100, 5, 24, dtype=np.uint8) for _ in range(2))
    s.check(f"product_{t}", f"matmul(cast(bit_cast(%, to = {t}), to = f32), transpose(cast(bit_cast(%, to = {t}), to = f32), perm = [1, 0]))", v[a] @ v[b].T, a, b, dtype=np.float32)

# ---------------------------------------------------------------- factors of matrices of very different sizes in one batch, one of which has no numbers
s = Suite("factors")
sizes, a, b = np.float32([1e6, 1e-4, 1, 1e-25, 1e20]), f32(5, 3, 3), f32(5, 4, 3)
a += a.swapaxes(1, 2)
a[0], a[1], a[2], b[2] = np.eye(3), [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 3]], nan, nan
def each(factor, x): return np.stack([factor(m) if np.isfinite(m).all() else np.full(3, nan) for m in d(x)]).astype(np.float32)
s.lines_check("eigenvalues", """sized_a = mul(%, reshape(%, shape = [5, 1, 1]))
    turns, eigen = eigh(sized_a)
    eigenvalues[n, i] = eigen[n, i] / %[n]""", each(np.linalg.eigvalsh, a), a, sizes, sizes)
s.lines_check("turned", "turned[n, i, j] = sum[k] turns[n, i, k] * (eigen[n, k] / %[n]) * turns[n, j, k]", a, sizes)
s.lines_check("singular_values", """sized_b = mul(%, reshape(%, shape = [5, 1, 1]))
    left, singular, right = svd(sized_b)
    singular_values[n, i] = singular[n, i] / %[n]""", each(lambda m: np.linalg.svd(m)[1], b), b, sizes, sizes)
s.lines_check("recomposed", "recomposed[n, i, j] = sum[k] left[n, i, k] * (singular[n, k] / %[n]) * right[n, j, k]", b, sizes)

half = np.array([[[3, 0], [0, -1]], [[0, 2], [2, 0]]], np.float16)
s.lines_check("half_eigen", "half_turns, half_eigen = eigh(%)", np.array([[-1, 3], [-2, 2]], np.float16), half)
s.lines_check("half_singular", "half_left, half_singular, half_right = svd(%)", np.array([[3, 1], [2, 2]], np.float16), half)

# Factorisations of well-conditioned matrices: positive definite ones are made in the graph, so that every data has a derivative.
s = Suite("systems")
from scipy.linalg import lapack
a, b, tall, wide = f32(2, 4, 4), f32(2, 4, 3), f32(2, 5, 3), f32(2, 3, 5)
def spd(x): return d(x) @ d(x).swapaxes(1, 2) + np.eye(4)
def per(f, x): return [np.stack(r) for r in zip(*map(f, d(x)))]
def small(x, dtype=np.float32): return x.astype(dtype)
s.lines_check("definite", "definite[n, i, j] = (sum[k] %[n, i, k] * %[n, j, k]) + where(i == j, 1, 0)", small(spd(a)), a, a)
s.lines_check("lower", "lower, fine = cholesky(definite)", small(np.linalg.cholesky(spd(a))))
s.outputs["fine"] = np.zeros(2, np.int32)
worse = np.stack([np.diag([1, 4, -1, 9]), np.diag([4, 1, 1, 0])]).astype(np.float32)
s.lines_check("place", "unfinished, place = cholesky(%)", np.array([3, 4], np.int32), worse)
triangle = d(a) + 3 * np.eye(4)
s.lines_check("triangle", "triangle[n, i, j] = %[n, i, j] + where(i == j, 3, 0)", small(triangle), a)
solve = scipy.linalg.solve_triangular
for name, options, how in (("below", "", dict(lower=True)), ("above", ", lower = false", {}),
                           ("unit_below", ", unit = true", dict(lower=True, unit_diagonal=True)),
                           ("unit_above", ", lower = false, unit = true", dict(unit_diagonal=True))):
    s.lines_check(name, f"{name} = triangular_solve(triangle, %{options})", small(np.stack([solve(m, r, **how) for m, r in zip(triangle, d(b))])), b)
s.lines_check("solved", "solved = solve(triangle, %)", small(np.linalg.solve(triangle, d(b))), b)
for name, x in (("square", a), ("tall", tall), ("wide", wide)):
    f, swaps, info = per(lapack.dgetrf, x)
    r = min(x.shape[1:])
    s.lines_check(f"{name}_lu", f"{name}_lu, {name}_pivots, {name}_info = lu(%)", small(f), x)
    s.outputs |= {f"{name}_pivots": small(swaps + 1, np.int32), f"{name}_info": small(info, np.int32)}
    h, tau, *_ = per(lapack.dgeqrf, x)
    s.lines_check(f"{name}_h", f"{name}_h, {name}_tau = householder(%)", small(h), x)
    s.outputs[f"{name}_tau"] = small(tau)
    q = np.stack([lapack.dorgqr(g[:, :r], t)[0] for g, t in zip(h, tau)])
    s.lines_check(f"{name}_q", f"{name}_q, {name}_r = qr(%)", small(q), x)
    s.outputs[f"{name}_r"] = small(q.swapaxes(1, 2) @ d(x) * np.triu(np.ones((r, x.shape[2]))))
s.lines_check("product", "product = householder_product(tall_h, tall_tau)", small(np.stack([lapack.dorgqr(g, t)[0] for g, t in zip(*per(lapack.dgeqrf, tall)[:2])])))
basis = small(np.linalg.qr(d(f32(4, 2)))[0])
s.lines_check("completed", "completed = orthonormal(%, columns = 4)\n    begun[i, j]: f32[4, 2] = completed[i, j]", basis, basis)
s.outputs["begun"] = s.outputs.pop("completed")
s.lines_check("gram", "gram[i, j] = sum[k] completed[k, i] * completed[k, j]", np.eye(4, dtype=np.float32))
for m in (5, 6): # in step t those meet whose numbers add up to t, modulo an odd number, and who is left meets the last
    odd = m - 1 + m % 2
    for t in (0, 3):
        mates = [next((j for j in range(odd) if j != i and (i + j) % odd == t), m - 1 if m > odd else i) for i in range(odd)]
        mates += [mates.index(odd)] if m > odd else []
        s.check(f"partners_{m}_{t}", "partners(%, %)", np.array(mates), np.int64(t), np.ones(m, bool))
own, both, mates = f32(2, 4), f32(2, 4), np.array([2, 1, 0, 3])
both[:, 2] = both[:, 0]
angle = np.where(mates == np.arange(4), 0, np.arctan(2 * d(both) / (d(own)[:, mates] - d(own))) / 2)
s.check("rotation", "rotation(%, %, %, %)", (np.cos(angle), -np.sin(angle)), own, own[:, mates], both, mates)
nearly = np.stack([np.diag([3, -1, 2]), np.diag([3, -1, 2]) + 1e-3 * np.eye(3, k=1), np.full((3, 3), nan)]).astype(np.float32)
s.check("not_diagonal", "not_diagonal(%)", np.array([False, True, False]), nearly)
s.lines_check("singular", "one_lu, one_pivots, singular = lu(%)", np.array([2, 0], np.int32), np.stack([np.ones((3, 3)), np.eye(3)]).astype(np.float32))

# ---------------------------------------------------------------- complex numbers, whose parts are operands of their own
s = Suite("complex_numbers", ["complex"])
a, b, c, e = (np.concatenate([f32(12), np.float32(more)]) for more in ([3, -3, 30], [4, 0.5, 2], [-1, 0, 2], [0, 2, 0.1]))
z, w = d(a) + 1j * d(b), d(c) + 1j * d(e)
s.check("quotient", "quotient(%, %, %, %)", (z / w).real, a, b, c, e)
for name, f in (("exp", np.exp), ("sqrt", np.sqrt), ("tanh", np.tanh)):
    s.check(f"{name}_re", f"{name}_re(%, %)", f(z / 2).real, a / 2, b / 2)
    s.check(f"{name}_im", f"{name}_im(%, %)", f(z / 2).imag, a / 2, b / 2)
s.check("log_re", "log_re(%, %)", np.log(z).real, a, b)
s.check("power_re", "power_re(%, %, %, %)", (z ** w).real, a, b, c, e)
s.check("power_im", "power_im(%, %, %, %)", (z ** w).imag, a, b, c, e)
for name, part in [(f"{f}_{part}", part) for f in ("asin", "acosh", "atanh") for part in ("re", "im")] + [("acos_re", "re")]:
    y = getattr(np, name[:-3].replace("a", "arc", 1))(z)
    s.check(name, f"{name}(%, %)", y.real if part == "re" else y.imag, a, b)
a, b = np.float32([[-1, 1e-6], [-1, 2], [3e30, -4e30], [1e-6, 1e-6], [0, -0.5]]).T
s.check("log1p_re", "log1p_re(%, %)", np.log(np.abs(1 + (d(a) + 1j * d(b)))), a, b)
a, b = np.float32([[1, 1e-30], [-1, 1e-30], [0, 1e30], [-1, -np.inf], [1, np.inf], [np.inf, 0], [1e-30, 1e-30], [2, -1e-30]]).T
y = np.arctanh(d(a) + 1j * d(b)).astype(np.complex64)
s.lines_check("poles", "poles = atanh_re(%, %)", y.real, a, b)
s.lines_check("turns", "turns = atanh_im(%, %)", y.imag, a, b)
root = np.sqrt(d(a) + 1j * d(b)).astype(np.complex64)
s.lines_check("far", "far = sqrt_re(%, %)", root.real, a, b)
s.lines_check("up", "up = sqrt_im(%, %)", root.imag, a, b)

if __name__ == "__main__":
    for s in suites: s.write(HERE)
    print(sum(len(s.outputs) for s in suites), "checks in", len(suites), "suites")
