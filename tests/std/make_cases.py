#!/usr/bin/env python3
"""Makes the cases of the standard library's tests: every operator at least once, against numpy and scipy.

    python3 make_cases.py        (numpy, scipy)

Each line has a seed of its own (cases.py), so the same versions give the same files, and a new case changes no other suite. The
references are written without looking at the library. If numpy has no function for something, it is a loop.
"""
import itertools, math
import numpy as np
import scipy.special
from cases import Suite, draws, suites, HERE

inf, nan = np.inf, np.nan
np.seterr(all="ignore")


def f32(*shape, lo=-2.0, hi=2.0): return draws.rng().uniform(lo, hi, shape).astype(np.float32)
def f64(*shape, lo=-2.0, hi=2.0): return draws.rng().uniform(lo, hi, shape)
def ints(lo, hi, *shape, dtype=np.int64): return draws.rng().integers(lo, hi, shape).astype(dtype)
def d(a): return np.asarray(a, np.float64)


SIGNED, UNSIGNED = [np.int8, np.int16, np.int32, np.int64], [np.uint8, np.uint16, np.uint32, np.uint64]

# ---------------------------------------------------------------- arithmetic and comparison
s = Suite("arithmetic")
a, b = f32(2, 3, 4), f32(2, 3, 4)
row, col, one = f32(4), f32(3, 1), f32(1, 1, 1)
for n, f in {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "maximum": np.maximum, "minimum": np.minimum}.items():
    s.check(n, f"{n}(%, %)", f(d(a), d(b)), a, b)
    s.check(n + "_row", f"{n}(%, %)", f(d(a), d(row)), a, row)
    s.check(n + "_outer", f"{n}(%, %)", f(d(row), d(col)), row, col)
    s.check(n + "_literal", f"{n}(%, 2)", f(d(a), 2), a)
s.check("infix", "(% + %) * % - % / 2", (d(a) + d(row)) * d(b) - d(a) / 2, a, row, b, a)
s.check("infix_negated", "-% + 1", 1 - d(a), a)
s.check("stretch_both", "add(%, %)", d(one) + d(row), one, row)
s.check("scalar", "mul(%, %)", d(a) * 0.5, a, np.float32(0.5))
s.check("rem", "rem(%, %)", np.fmod(d(a), d(b)), a, b)
s.check("mod", "mod(%, %)", np.mod(d(a), d(b)), a, b)
pos = f32(2, 3, 4, lo=0.1, hi=3)
s.check("pow", "pow(%, %)", d(pos) ** d(b), pos, b)
s.check("pow_square", "pow(%, 2)", d(a) ** 2, a)
for n, f in {"neg": np.negative, "abs": np.abs, "sign": np.sign, "square": np.square, "reciprocal": np.reciprocal, "identity": np.positive}.items():
    s.check(n, f"{n}(%)", f(d(a)), a)
empty = np.zeros((0, 3), np.float32)
s.check("empty", "add(%, %)", d(empty), empty, f32(3))
s.check("empty_stretched", "mul(%, %)", d(empty), empty, f32(1, 3))
s.check("double", "div(%, %)", d(1) / f64(3, lo=1, hi=2) * 0 + np.array([1, 2, 3.0]) / np.array([3.0, 7, 9]), np.array([1, 2, 3.0]), np.array([3.0, 7, 9]))
h = f32(3, 4).astype(np.float16)
s.check("half", "mul(%, %)", d(h) * d(h), h, h)

s = Suite("special_values")
v = np.array([0.0, -0.0, 1, -1, inf, -inf, nan, 1e-40, 3e38, -3e38], np.float32)
p, q = [np.ascontiguousarray(t) for t in np.meshgrid(v, v, indexing="ij")]
s.check("add", "add(%, %)", p + q, p, q)
s.check("mul", "mul(%, %)", p * q, p, q)
s.check("div", "div(%, %)", p / q, p, q)
s.check("maximum", "maximum(%, %)", np.maximum(p, q), p, q)
s.check("minimum", "minimum(%, %)", np.minimum(p, q), p, q)
for n, f in {"equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal, "greater": np.greater, "greater_equal": np.greater_equal}.items():
    s.check(n, f"{n}(%, %)", f(p, q), p, q)
s.check("sign_of_zero", "div(1, %)", 1 / v, v)
s.check("neg_sign_of_zero", "div(1, neg(%))", 1 / -v, v)
s.check("is_nan", "is_nan(%)", np.isnan(v), v)
s.check("is_inf", "is_inf(%)", np.isinf(v), v)
s.check("is_inf_positive", "is_inf(%, negative = false)", v == inf, v)
s.check("is_inf_negative", "is_inf(%, positive = false)", v == -inf, v)
s.check("is_finite", "is_finite(%)", np.isfinite(v), v)
s.check("relu", "relu(%)", np.maximum(v, 0), v)
s.check("sign", "sign(%)", np.sign(v), v)
s.check("abs", "abs(%)", np.abs(v), v)
s.check("sqrt", "sqrt(%)", np.sqrt(d(v)), v)
s.check("exp", "exp(%)", np.exp(d(v)).astype(np.float32), v)
s.check("log", "log(%)", np.log(d(v)), v)
s.check("floor", "floor(%)", np.floor(v), v)
s.check("to_i32", "cast(%, to = i32)", np.array([0, 0, 1, -1, 2**31 - 1, -2**31, 0, 0, 2**31 - 1, -2**31], np.int32), v)
s.check("to_u8", "cast(%, to = u8)", np.array([0, 0, 1, 0, 255, 0, 0, 0, 255, 0], np.uint8), v)
s.check("sum_nan", "sum(%)", np.float64(nan), v)
s.check("max_nan", "max(%)", np.float64(nan), v)
s.check("argmax_nan", "argmax(%)", np.int64(6), v)
s.check("min_inf", "min(%)", np.float64(-inf), v[:6].copy())
s.check("cummax_nan", "cummax(%)", np.maximum.accumulate(v), v)

s = Suite("integers")
for t in SIGNED + UNSIGNED:
    n, i = np.dtype(t).name.replace("uint", "u").replace("int", "i"), np.iinfo(t)
    a = np.array([0, 1, 7, i.max, i.max - 1, i.min, 100, 3, 13, i.max], t)
    b = np.array([0, 0, 2, 1, i.max, 5, 7, 100, i.max, i.max], t)
    if t in SIGNED: a, b = np.append(a, np.array([i.min, -7, 7, -7, i.min], t)), np.append(b, np.array([-1, 2, -2, -2, i.min], t))
    py = lambda f: np.array([np.array(f(int(x), int(y)) & (2**i.bits - 1), np.uint64).astype(t) for x, y in zip(a, b)])
    trunc = lambda x, y: 0 if y == 0 else (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)
    s.check(n + "_add", "add(%, %)", py(lambda x, y: x + y), a, b)
    s.check(n + "_sub", "sub(%, %)", py(lambda x, y: x - y), a, b)
    s.check(n + "_mul", "mul(%, %)", py(lambda x, y: x * y), a, b)
    s.check(n + "_div", "div(%, %)", py(trunc), a, b)
    nz = b != 0
    a2, b2 = a[nz], b[nz]
    py2 = lambda f: np.array([np.array(f(int(x), int(y)) & (2**i.bits - 1), np.uint64).astype(t) for x, y in zip(a2, b2)])
    s.check(n + "_rem", "rem(%, %)", py2(lambda x, y: x - y * trunc(x, y)), a2, b2)
    s.check(n + "_mod", "mod(%, %)", py2(lambda x, y: x % y), a2, b2)
    s.check(n + "_floor_div", "floor_div(%, %)", py2(lambda x, y: x // y), a2, b2)
    s.check(n + "_maximum", "maximum(%, %)", np.maximum(a, b), a, b)
    s.check(n + "_less", "less(%, %)", a < b, a, b)
    s.check(n + "_relu", "relu(%)", np.maximum(a, 0), a)
    s.check(n + "_sum", "sum(%)", py(lambda x, y: x + y)[:0].sum(dtype=t) + np.array(sum(map(int, a)) & (2**i.bits - 1), np.uint64).astype(t), a)
    s.check(n + "_prod", "prod(%)", np.array(math.prod(map(int, a[1:5])) & (2**i.bits - 1), np.uint64).astype(t), a[1:5].copy())
    s.check(n + "_max", "max(%)", a.max(), a)
    s.check(n + "_cumsum", "cumsum(%)", np.array([np.array(sum(map(int, a[:k + 1])) & (2**i.bits - 1), np.uint64).astype(t) for k in range(len(a))]), a)
    s.check(n + "_and", "bit_and(%, %)", a & b, a, b)
    s.check(n + "_or", "bit_or(%, %)", a | b, a, b)
    s.check(n + "_xor", "bit_xor(%, %)", a ^ b, a, b)
    s.check(n + "_not", "bit_not(%)", ~a, a)
    by = np.array([0, 1, 2, 3, i.bits - 1, i.bits, i.bits + 1, 4, 5, 6] + [1, 2, 3, i.bits - 1, i.bits][:len(a) - 10], t)
    s.check(n + "_left", "shift_left(%, %)", np.array([np.array(int(x) << int(y) & (2**i.bits - 1), np.uint64).astype(t) if y < i.bits else t(0) for x, y in zip(a, by)]), a, by)
    s.check(n + "_right", "shift_right(%, %)", np.array([t(int(x) >> int(y)) for x, y in zip(a, by)]), a, by)
    if t in SIGNED: s.check(n + "_abs", "abs(%)", np.abs(a), a); s.check(n + "_sign", "sign(%)", np.sign(a), a)
    x = np.array([-1000.7, -1.5, -0.4, 0.5, 1.5, 2.5, 126.7, 70000.2, 1e30, -1e30, nan], np.float32)
    sat = lambda v: 0 if np.isnan(v) else int(min(max(float(v), i.min), i.max)) if abs(float(v)) < 2**62 else (i.max if v > 0 else i.min)
    s.check(n + "_from_float", f"cast(%, to = {n})", np.array([sat(np.trunc(v)) for v in x], t), x)
    s.check(n + "_saturated", f"saturate(%, to = {n})", np.array([min(max(v, i.min), i.max) for v in (-70000, -129, -1, 0, 127, 128, 255, 256, 40000, 70000)], t),
            np.array([-70000, -129, -1, 0, 127, 128, 255, 256, 40000, 70000], np.int64))
    s.check(n + "_wrapped", f"cast(%, to = {n})", np.array([-70000, -129, -1, 0, 127, 128, 255, 256, 40000, 70000], np.int64).astype(t),
            np.array([-70000, -129, -1, 0, 127, 128, 255, 256, 40000, 70000], np.int64))
    s.check(n + "_to_float", "cast(%, to = f32)", a.astype(np.float32), a)
    s.check(n + "_to_bool", "cast(%, to = bool)", a.astype(bool), a)

s = Suite("logic")
p, q = np.array([[False], [True]]), np.array([[False, True]])
s.check("logical_and", "logical_and(%, %)", p & q, p, q)
s.check("logical_or", "logical_or(%, %)", p | q, p, q)
s.check("logical_xor", "logical_xor(%, %)", p ^ q, p, q)
s.check("logical_not", "logical_not(%)", ~p, p)
s.check("equal_bool", "equal(%, %)", p == q, p, q)
s.check("from_bool", "cast(%, to = f32)", p.astype(np.float32), p)
m = ints(0, 2, 2, 3, 4, dtype=bool)
x, y = f32(2, 3, 4), f32(4)
s.check("where", "where(%, %, %)", np.where(m, d(x), d(y)), m, x, y, dtype=np.float32)
s.check("where_outer", "where(%, %, %)", np.where(p, d(y), 0.0), p, y, np.float32(0), dtype=np.float32)
s.check("any", "any(%, axes = [1])", m.any(1), m)
s.check("all", "all(%, axes = [0, -1], keepdims = true)", m.all((0, 2), keepdims=True), m)
s.check("any_all_axes", "any(%)", m.any(), m)
s.check("any_of_nothing", "any(%, axes = [0])", np.zeros(3, bool), np.zeros((0, 3), bool))
s.check("all_of_nothing", "all(%, axes = [0])", np.ones(3, bool), np.zeros((0, 3), bool))
s.check("count", "count(%)", m.sum(), m)
s.check("count_axis", "count(%, axes = [0], keepdims = true)", m.sum(0, keepdims=True), m)
s.check("clip", "clip(%, %, %)", np.clip(d(x), -1, 0.5), x, np.float32(-1), np.float32(0.5))
s.check("clip_literals", "clip(%, 0, 1)", np.clip(d(x), 0, 1), x)
s.check("clip_low", "clip(%, 0)", np.maximum(d(x), 0), x)
s.check("clip_nothing", "clip(%)", d(x), x)

# ---------------------------------------------------------------- scalar functions
s = Suite("functions")
x = np.append(f32(12, lo=-3, hi=3), np.float32([0, -0.0, 10, -10, 1e-6, 80, -80, inf, -inf, nan]))
unit = np.append(f32(10, lo=-1, hi=1), np.float32([0, 1, -1, 1e-6]))
pos = np.append(f32(10, lo=0, hi=4), np.float32([0, 1, 1e-30, 1e30, inf]))
for n, f in {"exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "erf": scipy.special.erf, "erfc": scipy.special.erfc, "atan": np.arctan, "tanh": np.tanh,
             "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "floor": np.floor, "ceil": np.ceil, "round": np.rint, "trunc": np.trunc}.items():
    s.check(n, f"{n}(%)", f(d(x)), x)
fin = x[np.isfinite(x)]
for n, f in {"sin": np.sin, "cos": np.cos, "tan": np.tan}.items(): s.check(n, f"{n}(%)", f(d(fin)), fin)
for n, f in {"asin": np.arcsin, "acos": np.arccos, "atanh": np.arctanh}.items(): s.check(n, f"{n}(%)", f(d(unit)), unit)
for n, f in {"sqrt": np.sqrt, "log": np.log, "log2": np.log2, "log1p": np.log1p}.items(): s.check(n, f"{n}(%)", f(d(pos)), pos)
s.check("rsqrt", "rsqrt(%)", 1 / np.sqrt(d(pos)), pos)
over = np.append(f32(8, lo=1, hi=9), np.float32([1, 1e20]))
s.check("acosh", "acosh(%)", np.arccosh(d(over)), over)
s.check("domain", "sqrt(%)", np.sqrt(np.float32([-1, -inf])), np.float32([-1, -inf]))
s.check("domain_log", "log(%)", np.log(np.float32([-1, -inf])), np.float32([-1, -inf]))
s.check("domain_asin", "asin(%)", np.float32([nan, nan]), np.float32([-1.5, 2]))
ties = np.float32([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 8388609, -0.2])
s.check("round_ties", "round(%)", np.rint(ties), ties)
s.check("double", "exp(%)", np.exp(np.linspace(-2, 2, 5)), np.linspace(-2, 2, 5))

s = Suite("activations")
x = np.append(f32(12, lo=-4, hi=4), np.float32([0, 20, -20, 100, -100, 1000, -1000, nan]))
X = d(x)
sig = lambda v: np.where(v >= 0, 1 / (1 + np.exp(-v)), np.exp(v) / (1 + np.exp(v)))
splus = lambda v: np.logaddexp(0, v)
for n, f in {
    "relu": lambda v: np.maximum(v, 0), "relu6": lambda v: np.clip(v, 0, 6), "leaky_relu": lambda v: np.where(v < 0, 0.01 * v, v),
    "elu": lambda v: np.where(v < 0, np.expm1(v), v), "selu": lambda v: 1.0507009873554805 * np.where(v < 0, 1.6732632423543772 * np.expm1(v), v),
    "celu": lambda v: np.where(v < 0, np.expm1(v), v), "sigmoid": sig, "log_sigmoid": lambda v: -splus(-v),
    "gelu": lambda v: v * scipy.special.ndtr(v), "silu": lambda v: v * sig(v), "mish": lambda v: v * np.tanh(splus(v)),
    "gelu_tanh": lambda v: 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3))), "hard_sigmoid": lambda v: np.clip(v / 6 + 0.5, 0, 1),
    "hard_swish": lambda v: v * np.clip(v + 3, 0, 6) / 6, "hard_tanh": lambda v: np.clip(v, -1, 1), "softplus": splus, "softsign": lambda v: v / (1 + np.abs(v)),
    "tanh_shrink": lambda v: v - np.tanh(v), "thresholded_relu": lambda v: np.where(v <= 1, 0, v),
    "shrink": lambda v: np.where(np.isnan(v), nan, np.where(np.abs(v) > 0.5, v, 0)),
}.items():
    s.check(n, f"{n}(%)", f(X), x)
s.check("leaky_relu_slope", "leaky_relu(%, slope = 0.2)", np.where(X < 0, 0.2 * X, X), x)
s.check("elu_alpha", "elu(%, alpha = 2.0)", np.where(X < 0, 2 * np.expm1(X), X), x)
s.check("celu_alpha", "celu(%, alpha = 2.0)", np.where(X < 0, 2 * np.expm1(X / 2), X), x)
s.check("hard_sigmoid_onnx", "hard_sigmoid(%, alpha = 0.2)", np.clip(0.2 * X + 0.5, 0, 1), x)
s.check("hard_tanh_range", "hard_tanh(%, lo = -2.0, hi = 3.0)", np.clip(X, -2, 3), x)
s.check("soft_shrink", "shrink(%, threshold = 0.5, bias = 0.5)", np.where(np.isnan(X), nan, np.sign(X) * np.maximum(np.abs(X) - 0.5, 0)), x)
g, sl = f32(2, 3, 4), f32(3, 1)
s.check("prelu", "prelu(%, %)", np.where(d(g) < 0, d(g) * d(sl), d(g)), g, sl)
A, B = np.split(d(g), 2, -1)
s.check("glu", "glu(%)", A * sig(B), g)
s.check("swiglu", "swiglu(%, axis = 2)", A * sig(A) * B, g)
A, B = np.split(d(g), 2, 0)
s.check("glu_axis", "glu(%, axis = 0)", A * sig(B), g)
s.check("tail", "gelu(%)", d(np.float32([-5, -9, -12])) * scipy.special.ndtr(d(np.float32([-5, -9, -12]))), np.float32([-5, -9, -12]))

# ---------------------------------------------------------------- reductions
s = Suite("reductions")
x = f32(2, 3, 4, lo=0.2, hi=2)
X = d(x)
REDUCE = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod, "sum_square": lambda v, **k: np.sum(v * v, **k),
          "norm1": lambda v, **k: np.sum(np.abs(v), **k), "norm2": lambda v, **k: np.sqrt(np.sum(v * v, **k)), "log_sum": lambda v, **k: np.log(np.sum(v, **k)),
          "log_sum_exp": lambda v, **k: np.log(np.sum(np.exp(v), **k)), "variance": np.var}
for n, f in REDUCE.items():
    s.check(n, f"{n}(%)", f(X), x)
    s.check(n + "_one", f"{n}(%, axes = [1])", f(X, axis=1), x)
    s.check(n + "_two", f"{n}(%, axes = [0, -1])", f(X, axis=(0, 2)), x)
    s.check(n + "_kept", f"{n}(%, axes = [-2], keepdims = true)", f(X, axis=1, keepdims=True), x)
    s.check(n + "_all_kept", f"{n}(%, keepdims = true)", f(X, keepdims=True), x)
s.check("no_axes", "sum(%, axes = [])", X, x)
s.check("variance_unbiased", "variance(%, axes = [1, 2], correction = 1)", X.var((1, 2), ddof=1), x)
far = np.float32([10000, 10001, 10002, 10003])
s.check("variance_far", "variance(%)", d(far).var(), far)
big = np.float32([[1000, 1001], [-1000, -1001], [-inf, -inf], [inf, 0], [0, -inf]])
s.check("log_sum_exp_big", "log_sum_exp(%, axes = [1])", np.logaddexp(d(big)[:, 0], d(big)[:, 1]), big)
e = np.zeros((2, 0, 3), np.float32)
s.check("sum_of_nothing", "sum(%, axes = [1])", np.zeros((2, 3), np.float32), e)
s.check("prod_of_nothing", "prod(%, axes = [1])", np.ones((2, 3), np.float32), e)
s.check("max_of_nothing", "max(%, axes = [1])", np.full((2, 3), -inf, np.float32), e)
s.check("min_of_nothing", "min(%, axes = [1])", np.full((2, 3), inf, np.float32), e)
s.check("mean_of_nothing", "mean(%, axes = [1])", np.full((2, 3), nan, np.float32), e)
s.check("none_of_many", "sum(%, axes = [0])", np.zeros((0, 3), np.float32), e)
half = f32(40, lo=0, hi=200).astype(np.float16)
s.check("sum_half", "sum(%)", d(half).sum(), half)
k = ints(0, 4, 3, 5).astype(np.float32)
s.check("argmax", "argmax(%)", k.argmax(-1), k)
s.check("argmin", "argmin(%, axis = 0)", k.argmin(0), k)
s.check("argmax_kept", "argmax(%, axis = 1, keepdims = true)", k.argmax(1, keepdims=True), k)
s.check("argmin_kept", "argmin(%, axis = -2, keepdims = true)", k.argmin(0, keepdims=True), k)
s.check("argmax_last", "argmax(%, axis = 1, select_last = true)", 4 - k[:, ::-1].argmax(1), k)
s.check("argmin_last", "argmin(%, axis = 1, select_last = true)", 4 - k[:, ::-1].argmin(1), k)

s = Suite("softmaxes")
x = f32(2, 3, 4, lo=-3, hi=3)
soft = lambda v, a=-1: np.exp(v - v.max(a, keepdims=True)) / np.exp(v - v.max(a, keepdims=True)).sum(a, keepdims=True)
for axis in (-1, 0, 1):
    n = str(axis).replace("-", "m")
    s.check("softmax_" + n, f"softmax(%, axis = {axis})", soft(d(x), axis), x)
    s.check("log_softmax_" + n, f"log_softmax(%, axis = {axis})", np.log(soft(d(x), axis)), x)
    s.check("hardmax_" + n, f"hardmax(%, axis = {axis})", (d(x) == d(x).max(axis, keepdims=True)) * 1.0, x)
wide = np.float32([[1000, 0, -1000], [-1000, -1001, -1002], [88, 89, 90]])
s.check("softmax_wide", "softmax(%)", soft(d(wide)), wide)
s.check("log_softmax_wide", "log_softmax(%)", d(wide) - scipy.special.logsumexp(d(wide), 1, keepdims=True), wide)
s.check("hardmax_tie", "hardmax(%)", np.float32([[0, 1, 0, 0]]), np.float32([[1, 2, 2, 0]]))
s.check("softmax_one", "softmax(%, axis = 0)", np.ones((1, 3), np.float32), f32(1, 3))
s.check("softmax_masked", "softmax(%)", np.full((1, 3), nan, np.float32), np.full((1, 3), -inf, np.float32))
x = f32(3, 5)
X = d(x)
back = lambda f, v, a: np.flip(f(np.flip(v, a), a), a)
s.check("cumsum", "cumsum(%)", X.cumsum(1), x)
s.check("cumsum_0", "cumsum(%, axis = 0)", X.cumsum(0), x)
s.check("cumsum_reverse", "cumsum(%, reverse = true)", back(np.cumsum, X, 1), x)
s.check("cumsum_exclusive", "cumsum(%, exclusive = true)", X.cumsum(1) - X, x)
s.check("cumsum_both", "cumsum(%, axis = 0, exclusive = true, reverse = true)", back(np.cumsum, X, 0) - X, x)
s.check("cumprod", "cumprod(%)", X.cumprod(1), x)
s.check("cumprod_both", "cumprod(%, axis = 0, exclusive = true, reverse = true)",
        np.vstack([X[::-1].cumprod(0)[::-1][1:], np.ones_like(X[:1])]), x)
s.check("cummax", "cummax(%)", np.maximum.accumulate(X, 1), x)
s.check("cummin", "cummin(%, axis = 0)", np.minimum.accumulate(X, 0), x)
s.check("cumsum_empty", "cumsum(%)", np.zeros((2, 0), np.float32), np.zeros((2, 0), np.float32))

# ---------------------------------------------------------------- normalisation
s = Suite("norms")
x = f32(2, 6, 3, 2)
X = d(x)
w, b = f32(6, lo=0.5, hi=2), f32(6)
ch = lambda v: d(v)[None, :, None, None]
std = lambda v, ax, eps=1e-5: (v - v.mean(ax, keepdims=True)) / np.sqrt(v.var(ax, keepdims=True) + eps)
lw, lb = f32(3, 2), f32(3, 2)
s.check("layer_norm", "layer_norm(%, %, %, axis = 2)", std(X, (2, 3)) * d(lw) + d(lb), x, lw, lb)
s.check("layer_norm_bare", "layer_norm(%)", std(X, 3), x)
s.check("layer_norm_weight", "layer_norm(%, %, axis = -2, eps = 0.1)", std(X, (2, 3), 0.1) * d(lw), x, lw)
s.check("rms_norm", "rms_norm(%, %, axis = 2)", X / np.sqrt((X * X).mean((2, 3), keepdims=True) + 1e-5) * d(lw), x, lw)
s.check("rms_norm_bare", "rms_norm(%, eps = 0.01)", X / np.sqrt((X * X).mean(3, keepdims=True) + 0.01), x)
mu, var = f32(6), f32(6, lo=0.3, hi=2)
s.check("batch_norm", "batch_norm(%, %, %, %, %)", (X - ch(mu)) / np.sqrt(ch(var) + 1e-5) * ch(w) + ch(b), x, mu, var, w, b)
s.check("batch_norm_bare", "batch_norm(%, %, %, eps = 0.5)", (X - ch(mu)) / np.sqrt(ch(var) + 0.5), x, mu, var)
flat = f32(4, 6)
s.check("batch_norm_flat", "batch_norm(%, %, %)", (d(flat) - d(mu)) / np.sqrt(d(var) + 1e-5), flat, mu, var)
gx = X.reshape(2, 3, 2, 3, 2)
s.check("group_norm", "group_norm(%, %, %, groups = 3)", std(gx, (2, 3, 4)).reshape(X.shape) * ch(w) + ch(b), x, w, b)
s.check("group_norm_one", "group_norm(%, groups = 1)", std(X, (1, 2, 3)), x)
s.check("instance_norm", "instance_norm(%, %, %)", std(X, (2, 3)) * ch(w) + ch(b), x, w, b)
s.check("instance_norm_bare", "instance_norm(%)", std(X, (2, 3)), x)
def lrn(v, n, alpha, beta, k):
    q = np.zeros_like(v)
    for c in range(v.shape[1]): q[:, c] = (v[:, max(0, c - (n - 1) // 2):c + n // 2 + 1] ** 2).sum(1)
    return v / (k + alpha / n * q) ** beta
s.check("lrn", "lrn(%, span = 3)", lrn(X, 3, 1e-4, 0.75, 1), x)
s.check("lrn_even", "lrn(%, span = 4, alpha = 0.5, beta = 0.5, bias = 2.0)", lrn(X, 4, 0.5, 0.5, 2), x)
s.check("normalize", "normalize(%)", X / np.sqrt((X * X).sum(1, keepdims=True)), x)
s.check("normalize_zero", "normalize(%, axis = -1)", np.zeros((2, 3), np.float32), np.zeros((2, 3), np.float32))
off = np.float32(16) + f32(2, 8)
s.check("layer_norm_far", "layer_norm(%)", std(d(off), 1), off)

# ---------------------------------------------------------------- contractions
s = Suite("contractions")
a, b = f32(4, 3), f32(3, 5)
s.check("matmul", "matmul(%, %)", d(a) @ d(b), a, b)
s.check("matmul_batched", "matmul(%, %)", d(f := f32(2, 4, 3)) @ d(g := f32(2, 3, 5)), f, g)
s.check("matmul_broadcast", "matmul(%, %)", d(f2 := f32(2, 1, 4, 3)) @ d(g2 := f32(3, 3, 5)), f2, g2)
s.check("matmul_shared", "matmul(%, %)", d(f) @ d(b), f, b)
s.check("matmul_row", "matmul(%, %)", d(a[:1]) @ d(b), a[:1].copy(), b)
s.check("matmul_nothing", "matmul(%, %)", np.zeros((4, 5), np.float32), np.zeros((4, 0), np.float32), np.zeros((0, 5), np.float32))
i8a, i8b = ints(-9, 9, 3, 4, dtype=np.int32), ints(-9, 9, 4, 2, dtype=np.int32)
s.check("matmul_int", "matmul(%, %)", i8a @ i8b, i8a, i8b)
s.check("matmul_double", "matmul(%, %)", d(a) @ d(b), d(a), d(b))
ha, hb = a.astype(np.float16), b.astype(np.float16)
s.check("matmul_half", "matmul(%, %)", d(ha) @ d(hb), ha, hb)
v, u = f32(3), f32(5)
s.check("matvec", "matvec(%, %)", d(a) @ d(v), a, v)
s.check("dot", "dot(%, %)", (d(a) * d(v)).sum(-1), a, v)
s.check("outer", "outer(%, %)", np.outer(d(v), d(u)), v, u)
wl, bl = f32(5, 3), f32(5)
s.check("linear", "linear(%, %, %)", d(f) @ d(wl).T + d(bl), f, wl, bl)
s.check("linear_bare", "linear(%, %)", d(v) @ d(wl).T, v, wl)
wb = f32(2, 3, 4)
p, q = f32(5, 3), f32(5, 4)
s.check("bilinear", "bilinear(%, %, %, %)", np.einsum("ni,oij,nj->no", d(p), d(wb), d(q)) + d(wb[:, 0, 0]), p, q, wb, wb[:, 0, 0].copy())
c = f32(5)
s.check("gemm", "gemm(%, %, %, alpha = 0.5, beta = 2.0)", 0.5 * d(a) @ d(b) + 2 * d(c), a, b, c)
s.check("add_scaled", "add_scaled(%, %, scale = 2.0)", d(a) + 2 * d(v), a, v)
s.check("gemm_transposed", "gemm(%, %, transpose_a = true, transpose_b = true)", d(a) @ d(b), a.T.copy(), b.T.copy())
s.check("gemm_column", "gemm(%, %, %)", d(a) @ d(b) + d(a[:, :1]), a, b, a[:, :1].copy())
x1, x2 = f32(2, 3, 4), f32(4, 3, 5)
s.lines_check("einsum", "einsum[b, e] = sum[i, j] %[b, i, j] * %[j, i, e]", np.einsum("bij,jie->be", d(x1), d(x2)).astype(np.float32), x1, x2)
sq = f32(4, 4)
s.lines_check("trace", "trace[] = sum[i] %[i, i]", np.trace(d(sq)).astype(np.float32), sq)
s.lines_check("user_product", "user_product[i, k] = sum[j] %[i, j] * %[j, k]", (d(a) @ d(b)).astype(np.float32), a, b)
cot = np.linspace(-1, 1, 20).reshape(4, 5).astype(np.float32)
s.check("derivative", "derivative(user_product, %, along = %)", d(cot) @ d(b).T, a, cot)
s.check("derivative_all", "derivative(mul(%, %), %)", np.diag(2 * d(cot[0])), cot[0], cot[0], cot[0])
s.check("constant", "constant(%)", cot, cot)
s.check("derivative_of_constant", "derivative(mul(constant(%), %), %)", np.diag(d(cot[1])), cot[1], cot[1], cot[1])
A8, B8 = ints(0, 256, 3, 4, dtype=np.uint8), ints(-128, 128, 4, 2, dtype=np.int8)
s.check("matmul_integer", "matmul_integer(%, %, %, %)", ((A8.astype(np.int64) - 7) @ (B8.astype(np.int64) + 3)).astype(np.int32), A8, B8, np.uint8(7), np.int8(-3))
s.check("matmul_integer_bare", "matmul_integer(%, %)", (A8.astype(np.int64) @ B8.astype(np.int64)).astype(np.int32), A8, B8)


def window(n, k, st, di, p, q, up=False):
    if not up: return (n + p + q - di * (k - 1) - 1) // st + 1
    o = -(-(n + p + q - di * (k - 1) - 1) // st) + 1
    return o - 1 if (o - 1) * st >= n + p else o


def conv(x, w, bias=None, stride=1, dilation=1, pad=0, pad_end=None, groups=1, zero=0):
    r = x.ndim - 2
    l = lambda v: [v] * r if np.isscalar(v) else list(v)
    stride, dilation, pad, pad_end = l(stride), l(dilation), l(pad), l(pad if pad_end is None else pad_end)
    x = np.pad(x, [(0, 0), (0, 0)] + list(zip(pad, pad_end)), constant_values=zero)
    k = w.shape[2:]
    out = [window(n, kk, st, di, 0, 0) for n, kk, st, di in zip(x.shape[2:], k, stride, dilation)]
    y = np.zeros((len(x), len(w), *out), x.dtype)
    m, c = len(w) // groups, w.shape[1]
    for o in itertools.product(*map(range, out)):
        at = tuple(slice(i * st, i * st + di * (kk - 1) + 1, di) for i, st, di, kk in zip(o, stride, dilation, k))
        patch = x[(slice(None), slice(None)) + at]
        for g in range(groups):
            y[(slice(None), slice(g * m, g * m + m)) + o] = np.tensordot(patch[:, g * c:g * c + c], w[g * m:g * m + m], (range(1, r + 2), range(1, r + 2)))
    return y if bias is None else y + bias.reshape(-1, *[1] * r)


def conv_transpose(x, w, bias=None, stride=1, dilation=1, pad=0, pad_end=None, out_pad=0, groups=1):
    r = x.ndim - 2
    l = lambda v: [v] * r if np.isscalar(v) else list(v)
    stride, dilation, pad, pad_end, out_pad = l(stride), l(dilation), l(pad), l(pad if pad_end is None else pad_end), l(out_pad)
    k, c, m = w.shape[2:], len(w) // groups, w.shape[1]
    full = [(n - 1) * st + di * (kk - 1) + 1 + op for n, st, di, kk, op in zip(x.shape[2:], stride, dilation, k, out_pad)]
    y = np.zeros((len(x), groups * m, *full))
    for i in itertools.product(*map(range, x.shape[2:])):
        for t in itertools.product(*map(range, k)):
            at = tuple(a * st + b * di for a, st, b, di in zip(i, stride, t, dilation))
            for g in range(groups):
                y[(slice(None), slice(g * m, g * m + m)) + at] += x[(slice(None), slice(g * c, g * c + c)) + i] @ w[(slice(g * c, g * c + c), slice(None)) + t]
    y = y[(slice(None), slice(None)) + tuple(slice(p, n - q) for p, q, n in zip(pad, pad_end, full))]
    return y if bias is None else y + bias.reshape(-1, *[1] * r)


s = Suite("convolutions")
x, w, b = f32(2, 3, 5, 6), f32(4, 3, 3, 2), f32(4)
D = lambda *v: [d(t) for t in v]
s.check("conv", "conv(%, %, %)", conv(*D(x, w, b)), x, w, b)
s.check("conv_bare", "conv(%, %, pad = 1)", conv(*D(x, w), pad=1), x, w)
s.check("conv_stride", "conv(%, %, stride = [2, 3], pad = [1, 0])", conv(*D(x, w), stride=[2, 3], pad=[1, 0]), x, w)
s.check("conv_asymmetric", "conv(%, %, %, pad = [0, 2], pad_end = [1, 0])", conv(*D(x, w, b), pad=[0, 2], pad_end=[1, 0]), x, w, b)
s.check("conv_dilation", "conv(%, %, dilation = [2, 3])", conv(*D(x, w), dilation=[2, 3]), x, w)
xg, wg = f32(1, 4, 5, 5), f32(6, 2, 3, 3)
s.check("conv_groups", "conv(%, %, groups = 2, pad = 1)", conv(*D(xg, wg), groups=2, pad=1), xg, wg)
wd = f32(4, 1, 3, 3)
s.check("conv_depthwise", "conv(%, %, groups = 4, stride = 2, pad = 1)", conv(*D(xg, wd), groups=4, stride=2, pad=1), xg, wd)
w1 = f32(3, 4, 1, 1)
s.check("conv_pointwise", "conv(%, %)", conv(*D(xg, w1)), xg, w1)
x1, w1 = f32(2, 2, 7), f32(3, 2, 3)
s.check("conv1d", "conv1d(%, %, stride = 2, pad = 1)", conv(*D(x1, w1), stride=2, pad=1), x1, w1)
s.check("conv2d", "conv2d(%, %, %, pad = 1)", conv(*D(x, w, b), pad=1), x, w, b)
x3, w3 = f32(1, 2, 3, 4, 3), f32(2, 2, 2, 2, 2)
s.check("conv3d", "conv3d(%, %, pad = [1, 0, 1])", conv(*D(x3, w3), pad=[1, 0, 1]), x3, w3)
s.check("conv_no_images", "conv(%, %)", np.zeros((0, 4, 3, 5), np.float32), np.zeros((0, 3, 5, 6), np.float32), w)
s.check("conv_same", "conv(%, %, pad = [same_pad(5, 3, 2, 1) / 2, same_pad(6, 2, 2, 1) / 2], pad_end = [same_pad(5, 3, 2, 1) - same_pad(5, 3, 2, 1) / 2, same_pad(6, 2, 2, 1) - same_pad(6, 2, 2, 1) / 2], stride = 2)",
        conv(*D(x, w), pad=[1, 0], pad_end=[1, 0], stride=2), x, w)
wt = f32(3, 4, 3, 2)
s.check("transpose", "conv_transpose(%, %, %)", conv_transpose(*D(x, wt, b)), x, wt, b)
s.check("transpose_stride", "conv_transpose(%, %, stride = 2, pad = 1)", conv_transpose(*D(x, wt), stride=2, pad=1), x, wt)
s.check("transpose_out_pad", "conv_transpose(%, %, %, stride = [3, 2], pad = [1, 0], pad_end = [0, 1], out_pad = [2, 1], dilation = [1, 2])",
        conv_transpose(*D(x, wt, b), stride=[3, 2], pad=[1, 0], pad_end=[0, 1], out_pad=[2, 1], dilation=[1, 2]), x, wt, b)
wtg = f32(4, 3, 2, 2)
s.check("transpose_groups", "conv_transpose(%, %, groups = 2, stride = 2)", conv_transpose(*D(xg, wtg), groups=2, stride=2), xg, wtg)
wt1 = f32(2, 3, 4)
s.check("transpose_1d", "conv_transpose(%, %, stride = 3)", conv_transpose(*D(x1, wt1), stride=3), x1, wt1)
wt3 = f32(2, 1, 2, 2, 2)
s.check("transpose_3d", "conv_transpose(%, %, stride = 2)", conv_transpose(*D(x3, wt3), stride=2), x3, wt3)
xu = f32(2, 2, 4, 4)
def unfold(x, k, st=1, p=0):
    x = np.pad(x, [(0, 0), (0, 0), (p, p), (p, p)])
    v = np.lib.stride_tricks.sliding_window_view(x, (k, k), (2, 3))[:, :, ::st, ::st]
    return v.transpose(0, 1, 4, 5, 2, 3).reshape(len(x), x.shape[1] * k * k, -1)
s.check("unfold", "unfold(%, kernel = 2, stride = 2, pad = 1)", unfold(d(xu), 2, 2, 1), xu)
s.check("unfold_dense", "unfold(%, kernel = 3)", unfold(d(xu), 3), xu)
cols = f32(2, 18, 4)
def fold(c, ch, n, k):
    y, o = np.zeros((len(c), ch, n, n)), n - k + 1
    c = c.reshape(len(c), ch, k, k, o, o)
    for i, j, a, b in itertools.product(range(k), range(k), range(o), range(o)): y[:, :, a + i, b + j] += c[:, :, i, j, a, b]
    return y
s.check("fold", "fold(%, extent = [4, 4], kernel = 3)", fold(d(cols), 2, 4, 3), cols)
xi, wi = ints(0, 256, 1, 2, 4, 4, dtype=np.uint8), ints(-128, 128, 3, 2, 3, 3, dtype=np.int8)
s.check("conv_integer", "conv_integer(%, %, %, pad = 1)", conv(xi.astype(np.int64), wi.astype(np.int64), pad=1, zero=9).astype(np.int32)
        - np.int32(9) * wi.sum((1, 2, 3), dtype=np.int32)[None, :, None, None], xi, wi, np.uint8(9))
wz = np.int8([1, -2, 3])
s.check("conv_integer_zeros", "conv_integer(%, %, %, %, stride = 2)",
        conv(xi.astype(np.int64) - 9, wi.astype(np.int64) - wz.astype(np.int64)[:, None, None, None], stride=2).astype(np.int32), xi, wi, np.uint8(9), wz)

# ---------------------------------------------------------------- pooling
def pool(x, f, kernel, stride=None, dilation=1, pad=0, pad_end=None, up=False, fill=nan):
    """Calls f on each window, with `fill` outside the image and NaN beyond the padding."""
    r = x.ndim - 2
    l = lambda v: [v] * r if np.isscalar(v) else list(v)
    kernel = l(kernel)
    stride, dilation, pad, pad_end = l(kernel if stride is None else stride), l(dilation), l(pad), l(pad if pad_end is None else pad_end)
    out = [window(*t, up) for t in zip(x.shape[2:], kernel, stride, dilation, pad, pad_end)]
    p = np.pad(x.astype(float), [(0, 0), (0, 0)] + list(zip(pad, pad_end)), constant_values=fill)
    p = np.pad(p, [(0, 0), (0, 0)] + [(0, 50)] * r, constant_values=nan)
    y = np.zeros((*x.shape[:2], *out))
    for o in itertools.product(*map(range, out)):
        at = tuple(slice(i * st, i * st + di * (kk - 1) + 1, di) for i, st, di, kk in zip(o, stride, dilation, kernel))
        y[(slice(None), slice(None)) + o] = f(p[(slice(None), slice(None)) + at].reshape(*x.shape[:2], -1))
    return y


s = Suite("pooling")
x = f32(2, 3, 6, 7)
mx, av = lambda v: np.nanmax(v, -1), lambda v: np.nanmean(v, -1)
s.check("max_pool", "max_pool(%, kernel = 2)", pool(x, mx, 2), x)
s.check("max_pool_pad", "max_pool(%, kernel = [3, 2], stride = [2, 1], pad = [1, 0], pad_end = [0, 1])", pool(x, mx, [3, 2], [2, 1], 1, [1, 0], [0, 1]), x)
s.check("max_pool_ceil", "max_pool(%, kernel = 3, stride = 2, ceil_mode = true)", pool(x, mx, 3, 2, up=True), x)
s.check("max_pool_ceil_pad", "max_pool(%, kernel = 2, stride = 3, pad = 1, ceil_mode = true)", pool(x, mx, 2, 3, pad=1, up=True), x)
s.check("max_pool_dilated", "max_pool(%, kernel = 2, stride = 1, dilation = [2, 3])", pool(x, mx, 2, 1, [2, 3]), x)
xb = ints(-100, 100, 1, 1, 4, 4, dtype=np.int8)
s.check("max_pool_int", "max_pool(%, kernel = 3, stride = 1, pad = 1)", pool(xb, mx, 3, 1, pad=1).astype(np.int8), xb)
xn = x[:1, :1].copy(); xn[0, 0, 2, 2] = nan
s.check("max_pool_nan", "max_pool(%, kernel = 3, stride = 1)", pool(xn, lambda v: v.max(-1), 3, 1), xn)
x1, x3 = f32(2, 2, 9), f32(1, 2, 4, 3, 4)
for r, v in ((1, x1), (2, x), (3, x3)):
    s.check(f"max_pool{r}d", f"max_pool{r}d(%, kernel = 2)", pool(v, mx, 2), v)
    s.check(f"avg_pool{r}d", f"avg_pool{r}d(%, kernel = 2, stride = 1, pad = 1)", pool(v, av, 2, 1, pad=1, fill=0), v)
s.check("avg_pool", "avg_pool(%, kernel = 2)", pool(x, av, 2), x)
s.check("avg_pool_uncounted", "avg_pool(%, kernel = 3, stride = 2, pad = 1)", pool(x, av, 3, 2, pad=1), x)
s.check("avg_pool_counted", "avg_pool(%, kernel = 3, stride = 2, pad = 1, count_pad = true)", pool(x, av, 3, 2, pad=1, fill=0), x)
s.check("avg_pool_ceil", "avg_pool(%, kernel = 3, stride = 2, ceil_mode = true)", pool(x, av, 3, 2, up=True), x)
s.check("avg_pool_ceil_counted", "avg_pool(%, kernel = 3, stride = 2, pad = 1, pad_end = [0, 1], ceil_mode = true, count_pad = true)",
        pool(x, av, 3, 2, pad=1, pad_end=[0, 1], up=True, fill=0), x)
s.check("avg_pool_dilated", "avg_pool(%, kernel = 2, stride = 1, dilation = 2, pad = 1)", pool(x, av, 2, 1, 2, pad=1), x)
s.check("lp_pool", "lp_pool(%, kernel = 2)", pool(x, lambda v: np.sqrt(np.nansum(v * v, -1)), 2), x)
s.check("lp_pool_3", "lp_pool(%, kernel = [2, 3], p = 3.0, stride = 1, pad = 1)", pool(x, lambda v: np.nansum(np.abs(v) ** 3, -1) ** (1 / 3), [2, 3], 1, pad=1), x)
s.check("global_max_pool", "global_max_pool(%)", d(x).max((2, 3), keepdims=True), x)
s.check("global_avg_pool", "global_avg_pool(%)", d(x3).mean((2, 3, 4), keepdims=True), x3)
s.check("global_lp_pool", "global_lp_pool(%)", np.sqrt((d(x) ** 2).sum((2, 3), keepdims=True)), x)
place = np.arange(x[0, 0].size, dtype=float).reshape(1, 1, 6, 7)
def where_max(k, st, pad, per):
    y = pool(x, mx, k, st, pad=pad)
    at = pool(np.broadcast_to(place, x.shape), lambda v: v, 1, 1)[..., 0] if False else None
    idx = np.zeros(y.shape, np.int64)
    for n, c, i, j in np.ndindex(*y.shape):
        best = [(a, b) for a in range(i * st - pad, i * st - pad + k) for b in range(j * st - pad, j * st - pad + k) if 0 <= a < 6 and 0 <= b < 7 and x[n, c, a, b] == np.float32(y[n, c, i, j])][0]
        idx[n, c, i, j] = best[0] * 7 + best[1] + (0 if per else (n * 3 + c) * 42)
    return y, idx
s.check("max_pool_index", "max_pool_index(%, kernel = 3, stride = 2, pad = 1)", where_max(3, 2, 1, False), x)
s.check("max_pool_index_image", "max_pool_index(%, kernel = 2, stride = 2, per_channel = true)", where_max(2, 2, 0, True), x)

# ---------------------------------------------------------------- movement
s = Suite("movement")
x = f32(2, 3, 4)
s.check("reshape", "reshape(%, shape = [4, 6])", x.reshape(4, 6), x)
s.check("reshape_rest", "reshape(%, shape = [3, -1, 2])", x.reshape(3, -1, 2), x)
s.check("reshape_flat", "reshape(%, shape = [-1])", x.reshape(-1), x)
s.check("reshape_scalar", "reshape(%, shape = [])", x[0, 0, 0], x[:1, 0, 0].copy())
s.check("reshape_empty", "reshape(%, shape = [0, 5])", np.zeros((0, 5), np.float32), np.zeros((3, 0), np.float32))
s.check("flatten", "flatten(%)", x.reshape(2, 12), x)
s.check("flatten_all", "flatten(%, from = 0)", x.reshape(24), x)
s.check("flatten_last", "flatten(%, from = 2)", x, x)
s.check("flatten2d", "flatten2d(%, axis = 2)", x.reshape(6, 4), x)
s.check("flatten2d_0", "flatten2d(%, axis = 0)", x.reshape(1, 24), x)
y = f32(1, 3, 1, 2)
s.check("squeeze", "squeeze(%, axes = [0, -2])", y.reshape(3, 2), y)
s.check("unsqueeze", "unsqueeze(%, axes = [0, -1, 2])", x.reshape(1, 2, 1, 3, 4, 1), x)
s.check("expand", "expand(%, shape = [2, 3, 5, 2])", np.broadcast_to(y, (2, 3, 5, 2)), y)
s.check("expand_new", "expand(%, shape = [2, 3, 4])", np.broadcast_to(x[0, 0], (2, 3, 4)), x[0, 0].copy())
s.check("transpose", "transpose(%, perm = [2, 0, 1])", x.transpose(2, 0, 1), x)
s.check("transpose_same", "transpose(%, perm = [0, 1, 2])", x, x)
s.check("swap_axes", "swap_axes(%)", x.swapaxes(1, 2), x)
s.check("swap_axes_0", "swap_axes(%, a = 0, b = 2)", x.swapaxes(0, 2), x)
s.check("flip", "flip(%, axes = [0, -1])", np.flip(x, (0, 2)), x)
s.check("roll", "roll(%, shift = 1)", np.roll(x, 1, 2), x)
s.check("roll_back", "roll(%, shift = -5, axis = 1)", np.roll(x, -5, 1), x)
z = f32(2, 2, 4)
s.check("concat", "concat(%, %, axis = 1)", np.concatenate([x, z], 1), x, z)
s.check("concat_three", "concat(%, %, %, axis = -2)", np.concatenate([x, z, x], 1), x, z, x)
s.check("concat_one", "concat(%, axis = 0)", x, x)
s.check("concat_empty", "concat(%, %, axis = 0)", x, x, np.zeros((0, 3, 4), np.float32))
s.check("stack", "stack(%, %)", np.stack([x, -x]), x, -x)
s.check("stack_last", "stack(%, %, axis = -1)", np.stack([x, -x], -1), x, -x)
s.check("split", "split(%, at = 1, axis = 1)", (x[:, :1], x[:, 1:]), x)
s.check("chunk2", "chunk2(%)", tuple(np.split(x, 2, 2)), x)
s.check("chunk3", "chunk3(%, axis = 1)", tuple(np.split(x, 3, 1)), x)
s.check("chunk4", "chunk4(%, axis = 2)", tuple(np.split(x, 4, 2)), x)
w = f32(3, 7)
s.check("slice", "slice(%, axis = 1, start = 2, stop = 5)", w[:, 2:5], w)
s.check("slice_step", "slice(%, axis = 1, start = 1, step = 3)", w[:, 1::3], w)
s.check("slice_ends", "slice(%, axis = -1, start = -4, stop = -1)", w[:, -4:-1], w)
s.check("slice_reverse", "slice(%, axis = 1, step = -1)", w[:, ::-1], w)
s.check("slice_back", "slice(%, axis = 1, start = 5, stop = 0, step = -2)", w[:, 5:0:-2], w)
s.check("slice_back_all", "slice(%, axis = 1, start = 5, step = -3)", w[:, 5::-3], w)
s.check("slice_empty", "slice(%, axis = 0, start = 1, stop = 1)", w[1:1], w)
s.check("slice_below", "slice(%, axis = 1, start = -9, stop = 3)", w[:, -9:3], w)
s.check("slice_beyond", "slice(%, axis = 1, start = 5, stop = 20)", w[:, 5:20], w)
s.check("slice_crossed", "slice(%, axis = 1, start = 3, stop = 1)", w[:, 3:1], w)
s.check("slice_back_beyond", "slice(%, axis = 1, start = 20, stop = -20, step = -3)", w[:, 20:-20:-3], w)
s.check("slice_back_below", "slice(%, axis = 1, start = -8, step = -1)", w[:, -8::-1], w)
s.check("part", "part(%, start = 2, length = 3, axis = 1)", w[:, 2:5], w)
s.check("select", "select(%, index = 1)", x[1], x)
s.check("select_last", "select(%, index = -1, axis = 2)", x[:, :, -1], x)
s.check("tile", "tile(%, times = [2, 3])", np.tile(w, (2, 3)), w)
s.check("repeat", "repeat(%, times = 2, axis = 0)", np.repeat(w, 2, 0), w)
s.check("repeat_last", "repeat(%, times = 3)", np.repeat(w, 3, 1), w)
s.check("pad", "pad(%, before = [1, 0], after = [0, 2])", np.pad(w, ((1, 0), (0, 2))), w)
s.check("pad_value", "pad(%, %, before = [2, 1])", np.pad(w, ((2, 2), (1, 1)), constant_values=9), w, np.float32(9))
s.check("pad_crop", "pad(%, before = [-1, 1], after = [0, -2])", np.pad(w, ((0, 0), (1, 0)))[1:, :-2], w)
for m in ("reflect", "edge", "wrap"):
    s.check("pad_" + m, f'pad(%, before = [2, 3], after = [1, 0], mode = "{m}")', np.pad(w, ((2, 1), (3, 0)), mode=m), w)
b = f32(2, 8, 2, 3)
B = b.reshape(2, 2, 2, 2, 2, 3)
s.check("depth_to_space", "depth_to_space(%, block = 2)", B.transpose(0, 3, 4, 1, 5, 2).reshape(2, 2, 4, 6), b)
s.check("depth_to_space_crd", 'depth_to_space(%, block = 2, mode = "crd")', B.transpose(0, 1, 4, 2, 5, 3).reshape(2, 2, 4, 6), b)
c = f32(1, 2, 4, 6)
s.check("space_to_depth_crd", "space_to_depth(%, block = 2, mode = \"crd\")", c.reshape(1, 2, 2, 2, 3, 2).transpose(0, 1, 3, 5, 2, 4).reshape(1, 8, 2, 3), c)
s.check("space_to_depth", "space_to_depth(%, block = 2)", c.reshape(1, 2, 2, 2, 3, 2).transpose(0, 3, 5, 1, 2, 4).reshape(1, 8, 2, 3), c)
s.check("upsample2d", "upsample2d(%, scale = 2)", c.repeat(2, 2).repeat(2, 3), c)
s.check("channel_shuffle", "channel_shuffle(%, groups = 4)", b.reshape(2, 4, 2, 2, 3).swapaxes(1, 2).reshape(b.shape), b)
for k in (-1, 0, 2):
    n = str(k).replace("-", "m")
    s.check("triu_" + n, f"triu(%, k = {k})", np.triu(x, k), x)
    s.check("tril_" + n, f"tril(%, k = {k})", np.tril(x, k), x)
s.check("trilu", "trilu(%, upper = false)", np.tril(x), x)
s.check("triu_int", "triu(%)", np.triu(ints(0, 9, 3, 3)) * 0 + np.triu(t := ints(1, 9, 3, 3)), t)
s.check("zeros", "zeros(shape = [2, 3])", np.zeros((2, 3), np.float32))
s.check("ones", "ones(shape = [2], type = i8)", np.ones(2, np.int8))
s.check("full", "full(%, shape = [2, 2])", np.full((2, 2), np.float32(7)), np.float32(7))
s.check("zeros_like", "zeros_like(%)", np.zeros_like(x), x)
s.check("ones_like", "ones_like(%)", np.ones_like(x), x)
s.check("eye", "eye(rows = 3)", np.eye(3, dtype=np.float32))
s.check("eye_wide", "eye(rows = 2, columns = 4, k = 1, type = f64)", np.eye(2, 4, 1))
s.check("iota", "iota(n = 5)", np.arange(5))
s.check("iota_float", "iota(n = 3, type = f32)", np.arange(3, dtype=np.float32))
s.check("range", "range(%, %, n = 4)", np.float32([1, 1.5, 2, 2.5]), np.float32(1), np.float32(0.5))
s.check("range_down", "range(%, %, n = 3)", np.int32([5, 3, 1]), np.int32(5), np.int32(-2))
s.check("linspace", "linspace(%, %, n = 5)", np.linspace(0, 2, 5).astype(np.float32), np.float32(0), np.float32(2))
s.check("bool_moved", "transpose(%, perm = [1, 0])", np.array([[True, False], [True, True]]).T, np.array([[True, False], [True, True]]))

s = Suite("gathering")
x = f32(4, 3, 5)
ids = np.array([[0, -1], [2, 3]])
for ax in (0, 1, 2, -1):
    k = np.array([[0, -1], [1, 2]])
    s.check(f"gather_{ax % 3}{'m' if ax < 0 else ''}", f"gather(%, %, axis = {ax})", np.take(x, k, ax), x, k)
s.check("gather_scalar", "gather(%, %, axis = 1)", x[:, 2], x, np.array(2))
s.check("gather_i32", "gather(%, %)", x[[1, 3]], x, np.int32([1, 3]))
s.check("gather_none", "gather(%, %)", x[:0], x, np.zeros(0, np.int64))
s.check("gather_int", "gather(%, %)", np.arange(5)[[4, 0]], np.arange(5), np.array([4, 0]))
tab = f32(6, 3)
s.check("embedding", "embedding(%, %)", tab[[[1, 5], [0, 0]]], np.array([[1, 5], [0, 0]]), tab)
ge = ints(-3, 3, 4, 2, 5)
s.check("gather_elements", "gather_elements(%, %, axis = 1)", np.take_along_axis(x, ge % 3, 1), x, ge)
g2 = ints(0, 4, 2, 3, 5)
s.check("gather_elements_0", "gather_elements(%, %)", np.take_along_axis(x, g2, 0), x, g2)
nd = np.array([[0, 1], [3, -1], [2, 2]])
s.check("gather_nd", "gather_nd(%, %)", x[nd[:, 0], nd[:, 1]], x, nd)
nd3 = np.array([[[0, 1, 4]], [[-1, -1, -1]]])
s.check("gather_nd_full", "gather_nd(%, %)", x[nd3[..., 0], nd3[..., 1], nd3[..., 2]], x, nd3)
ndb = np.array([[1], [0], [2], [-1]])
s.check("gather_nd_batch", "gather_nd(%, %, batch = 1)", x[np.arange(4), ndb[:, 0]], x, ndb)
base, si, su = f32(3, 4), np.array([[0, -1, 1, 1], [2, 0, 1, 2]]), f32(2, 4)
def scatter(f):
    y = d(base).copy()
    for i, j in np.ndindex(2, 4): y[si[i, j], j] = f(y[si[i, j], j], d(su)[i, j])
    return y
RED = {"none": lambda a, b: b, "add": lambda a, b: a + b, "mul": lambda a, b: a * b, "max": max, "min": min}
for n, f in RED.items():
    s.check("scatter_elements_" + n, f'scatter_elements(%, %, %, reduction = "{n}")', scatter(f), base, si, su)
row = d(base).copy(); row[:, [1, 3]] = d(su[:1, :2])
s.check("scatter_elements_axis", "scatter_elements(%, %, %, axis = 1)", row, base, np.tile([1, 3], (3, 1)), np.tile(su[:1, :2], (3, 1)))
ni, nu = np.array([[0], [-1], [0]]), f32(3, 4)
for n, f in RED.items():
    y = d(base).copy()
    for k in range(3): y[ni[k, 0]] = np.vectorize(f)(y[ni[k, 0]], d(nu)[k])
    s.check("scatter_nd_" + n, f'scatter_nd(%, %, %, reduction = "{n}")', y, base, ni, nu)
n2, u2 = np.array([[0, 1], [2, -1]]), f32(2)
y = d(base).copy(); y[0, 1], y[2, 3] = d(u2)
s.check("scatter_nd_full", "scatter_nd(%, %, %)", y, base, n2, u2)
oh = np.array([0, 2, -1, 7])
hot = np.float32([[1, 0, 0], [0, 0, 1], [0, 0, 1], [0, 0, 0]])
s.check("one_hot", "one_hot(%, %, %, depth = 3)", hot, oh, np.float32(0), np.float32(1))
s.check("one_hot_first", "one_hot(%, %, %, depth = 3, axis = 0)", (hot.T * 6 - 1).astype(np.int64), oh, np.int64(-1), np.int64(5))
s.check("bincount", "bincount(%, bins = 4)", np.bincount([1, 3, 1, 0, 1], minlength=4), np.array([1, 3, 1, 0, 1]))
t = np.array([[3, 1, 2, 1, 3], [0, -1, 5, 5, 2]], np.float32)
s.check("argsort", "argsort(%)", t.argsort(1, kind="stable"), t)
s.check("argsort_descending", "argsort(%, descending = true)", (-t).argsort(1, kind="stable"), t)
s.check("argsort_0", "argsort(%, axis = 0)", t.argsort(0, kind="stable"), t)
s.check("argsort_nan", "argsort(%)", np.array([2, 0, 1]), np.float32([1, nan, -inf]))
s.check("argsort_nan_descending", "argsort(%, descending = true)", np.array([0, 2, 1]), np.float32([1, nan, -inf]))
s.check("sort", "sort(%)", np.sort(t, 1), t)
s.check("sort_descending", "sort(%, axis = 0, descending = true)", -np.sort(-t, 0), t)
s.check("sort_int", "sort(%)", np.int32([-3, 0, 5]), np.int32([5, -3, 0]))
o = (-t).argsort(1, kind="stable")[:, :2]
s.check("topk", "topk(%, k = 2)", (np.take_along_axis(t, o, 1), o), t)
o = t.argsort(0, kind="stable")[:1]
s.check("topk_smallest", "topk(%, k = 1, axis = 0, largest = false)", (np.take_along_axis(t, o, 0), o), t)

# ---------------------------------------------------------------- quantisation
s = Suite("quantisation")
x = np.append(f32(10, lo=-4, hi=4), np.float32([0.05, 0.15, 0.25, 1000, -1000, nan])).astype(np.float32)
sc, z = np.float32(0.1), np.uint8(128)
def quant(x, s, z, t):
    i = np.iinfo(t)
    v = np.rint(x.astype(np.float32) / s) + np.float32(z)
    return np.where(np.isnan(v), 0, np.clip(v, i.min, i.max)).astype(t)
s.check("quantize", "quantize(%, %, %)", quant(x, sc, z, np.uint8), x, sc, z)
s.check("quantize_i8", "quantize(%, %, %)", quant(x, sc, np.int8(-3), np.int8), x, sc, np.int8(-3))
xa, sa, za = f32(2, 3, 4), f32(3, lo=0.05, hi=0.2), np.int8([1, -2, 0])
s.check("quantize_axis", "quantize_axis(%, %, %)", quant(xa, sa[None, :, None], za[None, :, None], np.int8), xa, sa, za)
q = ints(0, 256, 2, 3, 4, dtype=np.uint8)
s.check("dequantize", "dequantize(%, %, %)", (d(q) - 128) * d(sc), q, sc, z, dtype=np.float32)
s.check("dequantize_bare", "dequantize(%, %)", d(q) * d(sc), q, sc, dtype=np.float32)
zq = np.uint8([1, 2, 3])
s.check("dequantize_axis", "dequantize_axis(%, %, %)", (d(q) - d(zq)[None, :, None]) * d(sa)[None, :, None], q, sa, zq, dtype=np.float32)
v = f32(6, lo=-1, hi=3)
lo, hi = min(v.min(), np.float32(0)), max(v.max(), np.float32(0))
scale = np.float32((hi - lo) / np.float32(255))
zero = np.clip(np.rint(-lo / scale), 0, 255).astype(np.uint8)
s.check("dynamic_quantize", "dynamic_quantize(%)", (quant(v, scale, zero, np.uint8), scale, zero), v)
acc = ints(-3000, 3000, 2, 3, 4, dtype=np.int32)
ws = f32(3, lo=0.01, hi=0.05)
mult = (np.float32(0.02) * ws / np.float32(0.1)).astype(np.float32)
s.check("requantize", "requantize(%, %, %, %, %)", np.clip(np.rint(acc.astype(np.float32) * mult[None, :, None]) + np.float32(5), -128, 127).astype(np.int8),
        acc, np.float32(0.02), ws, np.float32(0.1), np.int8(5))

# ---------------------------------------------------------------- resampling
def source(o, n, to, mode, scale=None, length=None):
    sc = to / n if scale is None else scale
    length = n * sc if length is None else length
    if mode == "half_pixel": return (o + 0.5) / sc - 0.5
    if mode == "half_pixel_symmetric": return n / 2 * (1 - to / length) + (o + 0.5) / sc - 0.5
    if mode == "pytorch_half_pixel": return (o + 0.5) / sc - 0.5 if to > 1 else 0.0
    if mode == "asymmetric": return o / sc
    return o * (n - 1) / (length - 1) if length > 1 else 0.0


def linear_1d(v, to, axis, mode, **k):
    n, v = v.shape[axis], np.moveaxis(d(v), axis, 0)
    out = []
    for o in range(to):
        p = source(o, n, to, mode, **k)
        i, f = math.floor(p), p - math.floor(p)
        at = lambda j: v[min(max(j, 0), n - 1)]
        out.append(at(i) * (1 - f) + at(i + 1) * f)
    return np.moveaxis(np.array(out), 0, axis)


def cubic_1d(v, to, axis, mode, a=-0.75, exclude=False):
    n, v = v.shape[axis], np.moveaxis(d(v), axis, 0)
    out = []
    for o in range(to):
        p = source(o, n, to, mode)
        i, f = math.floor(p), p - math.floor(p)
        w = []
        for j in range(-1, 3):
            t = abs(f - j)
            w.append((a + 2) * t**3 - (a + 3) * t**2 + 1 if t <= 1 else a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a if t < 2 else 0)
        if exclude: w = [x if 0 <= i - 1 + k < n else 0 for k, x in enumerate(w)]
        out.append(sum(x * v[min(max(i - 1 + k, 0), n - 1)] for k, x in enumerate(w)) / sum(w))
    return np.moveaxis(np.array(out), 0, axis)


s = Suite("resampling")
x = f32(1, 2, 4, 5)
MODES = ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric", "align_corners"]
for m in MODES:
    s.check("linear_" + m, f'resize_linear(%, to = 7, axis = 2, coordinates = "{m}")', linear_1d(x, 7, 2, m), x)
    s.check("cubic_" + m, f'resize_cubic(%, to = 3, coordinates = "{m}")', cubic_1d(x, 3, 3, m), x)
s.check("linear_down", "resize_linear(%, to = 2)", linear_1d(x, 2, 3, "half_pixel"), x)
s.check("linear_one", 'resize_linear(%, to = 1, axis = 2, coordinates = "pytorch_half_pixel")', linear_1d(x, 1, 2, "pytorch_half_pixel"), x)
s.check("linear_scaled", "resize_linear(%, to = 5, axis = 2, scale = 1.3)", linear_1d(x, 5, 2, "half_pixel", scale=1.3), x)
s.check("cubic_excluded", "resize_cubic(%, to = 9, axis = 2, a = -0.5, exclude_outside = true)", cubic_1d(x, 9, 2, "half_pixel", -0.5, True), x)
ROUND = {"round_prefer_floor": lambda p: math.ceil(p - 0.5), "round_prefer_ceil": lambda p: math.floor(p + 0.5), "floor": math.floor, "ceil": math.ceil}
for r, f in ROUND.items():
    for m in ("half_pixel", "asymmetric", "align_corners"):
        for to in (2, 8):
            at = [min(max(f(source(o, 4, to, m)), 0), 3) for o in range(to)]
            s.check(f"nearest_{r}_{m}_{to}", f'resize_nearest(%, to = {to}, axis = 2, coordinates = "{m}", rounding = "{r}")', x[:, :, at], x)
s.check("resize2d", "resize2d(%, height = 6, width = 3)", linear_1d(linear_1d(x, 6, 2, "half_pixel"), 3, 3, "half_pixel"), x)
s.check("resize2d_cubic", 'resize2d(%, height = 6, width = 3, mode = "cubic")', cubic_1d(cubic_1d(x, 6, 2, "half_pixel"), 3, 3, "half_pixel"), x)
s.check("resize2d_nearest", 'resize2d(%, height = 8, width = 10, mode = "nearest", coordinates = "asymmetric")', x.repeat(2, 2).repeat(2, 3), x)

# ---------------------------------------------------------------- attention
def attend(q, k, v, mask=None, causal=False, scale=None):
    g = q.shape[1] // k.shape[1]
    k, v = np.repeat(d(k), g, 1), np.repeat(d(v), g, 1)
    sc = d(q) @ k.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    if mask is not None: sc = sc + d(mask)
    S, L = sc.shape[-2:]
    if causal: sc = np.where(np.arange(L)[None] <= np.arange(S)[:, None] + L - S, sc, -inf)
    m = sc.max(-1, keepdims=True)
    e = np.exp(sc - np.where(m == -inf, 0, m))
    z = e.sum(-1, keepdims=True)
    return e / np.where(z == 0, 1, z) @ v


s = Suite("attentions")
q, k, v = f32(2, 4, 3, 4), f32(2, 4, 5, 4), f32(2, 4, 5, 2)
s.check("attention", "attention(%, %, %)", attend(q, k, v), q, k, v)
s.check("causal", "attention(%, %, %, causal = true)", attend(q, k, v, causal=True), q, k, v)
s.check("scaled", "attention(%, %, %, scale = 0.25)", attend(q, k, v, scale=0.25), q, k, v)
mask = np.where(ints(0, 3, 3, 5) > 0, np.float32(0), np.float32(-inf)); mask[1] = -inf
s.check("masked", "attention(%, %, %, %)", attend(q, k, v, mask), q, k, v, mask)
bias = f32(4, 3, 5)
s.check("biased", "attention(%, %, %, %, causal = true)", attend(q, k, v, bias, True), q, k, v, bias)
kg, vg = f32(2, 2, 5, 4), f32(2, 2, 5, 2)
s.check("grouped", "attention(%, %, %)", attend(q, kg, vg), q, kg, vg)
k1, v1 = f32(2, 1, 5, 4), f32(2, 1, 5, 2)
s.check("multi_query", "attention(%, %, %, causal = true)", attend(q, k1, v1, causal=True), q, k1, v1)
s.check("add_mask", "add_mask(%, %)", d(bias) + d(bias[0]), bias, bias[0].astype(np.float32).copy())
s.check("window_mask", "window_mask(%, left = 1, right = 0)", np.where((np.arange(5) >= np.arange(3)[:, None] + 1) & (np.arange(5) <= np.arange(3)[:, None] + 2), d(bias), -inf), bias)
s.check("causal_mask", "causal_mask(%)", np.where(np.tri(3, 5, 2) > 0, d(bias), -inf), bias)
ms = np.float32([[1, 2, -inf], [-inf, -inf, -inf]])
s.check("masked_softmax", "masked_softmax(%)", np.array([[*soft(d(ms[0, :2])), 0], [0, 0, 0]]), ms)
s.check("mask_scores", "mask_scores(%)", np.float32([0, -inf]), np.array([True, False]))
cache, fresh = f32(1, 2, 6, 3), f32(1, 2, 2, 3)
y = cache.copy(); y[:, :, 3:5] = fresh
s.check("cache_update", "cache_update(%, %, %)", y, cache, fresh, np.int64(3))
rx, rp = f32(2, 3, 4), np.float32([0, 1, 7])
ang = d(rp)[:, None] * 10000.0 ** -(np.arange(2) / 2)
A, B = d(rx)[..., :2], d(rx)[..., 2:]
s.check("rotary", "rotary(%, %)", np.concatenate([A * np.cos(ang) - B * np.sin(ang), B * np.cos(ang) + A * np.sin(ang)], -1), rx, rp)

# ---------------------------------------------------------------- recurrence
def lstm_np(x, h, c, wi, wh, bi=0, bh=0):
    out = []
    for t in x:
        i, f, g, o = np.split(t @ wi.T + bi + h @ wh.T + bh, 4, -1)
        c = sig(f) * c + sig(i) * np.tanh(g)
        h = sig(o) * np.tanh(c)
        out.append(h)
    return np.array(out), h, c


def gru_np(x, h, wi, wh, bi, bh, after=True):
    out, H = [], h.shape[-1]
    for t in x:
        z, a = t @ wi.T + bi, h @ wh.T + bh
        r, u = sig(z[:, :H] + a[:, :H]), sig(z[:, H:2 * H] + a[:, H:2 * H])
        n = np.tanh(z[:, 2 * H:] + (r * a[:, 2 * H:] if after else (r * h) @ wh[2 * H:].T + bh[2 * H:]))
        h = (1 - u) * n + u * h
        out.append(h)
    return np.array(out), h


def rnn_np(x, h, wi, wh, bi, bh, f=np.tanh):
    out = []
    for t in x: h = f(t @ wi.T + bi + h @ wh.T + bh); out.append(h)
    return np.array(out), h


s = Suite("recurrences")
S, N, I, H = 4, 2, 3, 2
x, h0, c0 = f32(S, N, I), f32(N, H), f32(N, H)
W = lambda g: (f32(g * H, I), f32(g * H, H), f32(g * H), f32(g * H))
L, G, R = W(4), W(3), W(1)
rev = lambda t: (t[0][::-1], *t[1:])
s.check("gate_inputs", "gate_inputs(%, %, %)", d(x) @ d(L[0]).T + d(L[2]), x, L[0], L[2])
one = lstm_np(*D(x[:1], h0, c0, *L))
s.check("lstm_cell", "lstm_cell(%, %, %, %, %, %, %)", one[1:], x[0].copy(), h0, c0, *L)
s.check("lstm_step", "lstm_step(%, %, %, %, %)", lstm_np(*D(np.zeros((1, N, 4 * H)), h0, c0, np.eye(4 * H), L[1], np.zeros(4 * H), L[3]))[1:], np.zeros((N, 4 * H), np.float32), h0, c0, L[1], L[3])
s.check("lstm", "lstm(%, %, %, %, %, %, %)", lstm_np(*D(x, h0, c0, *L)), x, h0, c0, *L)
s.check("lstm_bare", "lstm(%, %, %, %, %)", lstm_np(*D(x, h0, c0, *L[:2])), x, h0, c0, *L[:2])
s.check("lstm_reverse", "lstm(%, %, %, %, %, %, %, reverse = true)", rev(lstm_np(*D(x[::-1], h0, c0, *L))), x, h0, c0, *L)
s.check("gru_cell", "gru_cell(%, %, %, %, %, %)", gru_np(*D(x[:1], h0, *G))[1], x[0].copy(), h0, *G)
s.check("gru_step", "gru_step(%, %, %, %)", gru_np(*D(np.zeros((1, N, 3 * H)), h0, np.eye(3 * H), G[1], np.zeros(3 * H), G[3]))[1], np.zeros((N, 3 * H), np.float32), h0, G[1], G[3])
s.check("gru", "gru(%, %, %, %, %, %)", gru_np(*D(x, h0, *G)), x, h0, *G)
s.check("gru_before", "gru(%, %, %, %, %, %, reset_after = false)", gru_np(*D(x, h0, *G), after=False), x, h0, *G)
s.check("gru_reverse", "gru(%, %, %, %, %, %, reverse = true)", rev(gru_np(*D(x[::-1], h0, *G))), x, h0, *G)
s.check("rnn_cell", "rnn_cell(%, %, %, %, %, %)", rnn_np(*D(x[:1], h0, *R))[1], x[0].copy(), h0, *R)
s.check("rnn_step", "rnn_step(%, %, %, %)", rnn_np(*D(np.zeros((1, N, H)), h0, np.eye(H), R[1], np.zeros(H), R[3]))[1], np.zeros((N, H), np.float32), h0, R[1], R[3])
s.check("rnn", "rnn(%, %, %, %, %, %)", rnn_np(*D(x, h0, *R)), x, h0, *R)
s.check("rnn_relu", 'rnn(%, %, %, %, %, %, nonlinearity = "relu", reverse = true)', rev(rnn_np(*D(x[::-1], h0, *R), lambda v: np.maximum(v, 0))), x, h0, *R)

# ---------------------------------------------------------------- numbers in subscripts and shapes
s = Suite("numbers")
x = f32(7)
s.lines_check("wrapped", "wrapped[i in 0..4] = %[wrap(i - 2, 7)]", x[[-2, -1, 0, 1]], x)
s.lines_check("clamped", "clamped[i in 0..11] = %[clamp(i - 2, 7)]", x[np.clip(np.arange(11) - 2, 0, 6)], x)
s.lines_check("reflected", "reflected[i in 0..11] = %[reflect(i - 2, 7)]", np.pad(x, 2, mode="reflect"), x)
s.lines_check("halved", "halved[i in 0..ceildiv(7, 2)] = %[2 * i]", x[::2], x)
s.lines_check("windowed", "windowed[o in 0..windows(7, 3, 2, 1, 0, 0, false)] = sum[k in 0..room(3, 2, 1, false)] %[2 * o + k]", np.convolve(d(x), np.ones(3), "valid")[::2].astype(np.float32), x)
s.lines_check("hanging", "hanging[o in 0..windows(7, 2, 2, 1, 0, 0, true)] = sum[k in 0..reach(2, 1)] (%[2 * o + k] else 0)", np.append(d(x), 0).reshape(4, 2).sum(1).astype(np.float32), x)
s.lines_check("padding", "padding[i in 0..same_pad(7, 3, 2, 1)] = %[i]", x[:2], x)
s.check("resize_source", 'resize_source(to = 4, from = 2, scale = 2.0, length = 4.0, coordinates = "half_pixel")', np.float32([-0.25, 0.25, 0.75, 1.25]))
s.check("cubic_weight", "cubic_weight(%, a = -0.5)", np.float32(0.5625), np.float32(0.5))
# a prefix range, boxes that share a target, a loop, a choice at run time
s.lines_check("triangle", "triangle[i in 0..7] = max[j in 0..i + 1] %[j]", np.maximum.accumulate(x), x)
s.lines_check("pieces", "pieces[i in 0..2] = %[i]\n    pieces[i in 2..5] = 0.0 - %[i]", np.append(x[:2], -x[2:5]), x, x)

# ---------------------------------------------------------------- f16: computed in f32, rounded once
def f16(*shape, lo=-2.0, hi=2.0): return draws.rng().uniform(lo, hi, shape).astype(np.float16)
s = Suite("halves")
x, y, pos = f16(3, 4), f16(3, 4), f16(3, 4, lo=0.2, hi=2)
X, Y = d(x), d(y)
s.check("infix", "% * % + 1", X * Y + 1, x, y)
for n, f in {"exp": np.exp, "tanh": np.tanh, "sigmoid": sig, "silu": lambda v: v * sig(v), "gelu": lambda v: v * scipy.special.ndtr(v), "softplus": splus,
             "erf": scipy.special.erf, "sin": np.sin, "round": np.rint, "leaky_relu": lambda v: np.where(v < 0, 0.01 * v, v)}.items():
    s.check(n, f"{n}(%)", f(X), x)
s.check("log", "log(%)", np.log(d(pos)), pos)
s.check("pow", "pow(%, %)", d(pos) ** Y, pos, y)
s.check("compare", "less(%, %)", x < y, x, y)
s.check("to_f32", "cast(%, to = f32)", x.astype(np.float32), x)
for n, f in REDUCE.items(): s.check(n, f"{n}(%, axes = [1])", f(d(pos), axis=1), pos)
s.check("softmax", "softmax(%)", soft(X), x)
s.check("log_softmax", "log_softmax(%, axis = 0)", np.log(soft(X, 0)), x)
s.check("cumsum", "cumsum(%)", X.cumsum(1), x)
w = f16(4)
W0 = d(w)
std = lambda v, ax, eps=1e-5: (v - v.mean(ax, keepdims=True)) / np.sqrt(v.var(ax, keepdims=True) + eps)
s.check("layer_norm", "layer_norm(%, %, %)", std(X, 1) * W0 + W0, x, w, w)
s.check("rms_norm", "rms_norm(%, %)", X / np.sqrt((X * X).mean(1, keepdims=True) + 1e-5) * W0, x, w)
im, k3 = f16(1, 4, 5, 5), f16(2, 4, 3, 3)
wv = (w * w).astype(np.float16)
s.check("batch_norm", "batch_norm(%, %, %, %)", (d(im) - W0[:, None, None]) / np.sqrt(d(wv)[:, None, None] + 1e-5) * W0[:, None, None], im, w, wv, w)
s.check("group_norm", "group_norm(%, groups = 2)", std(d(im).reshape(1, 2, 2, 5, 5), (2, 3, 4)).reshape(im.shape), im)
s.check("matmul", "matmul(%, %)", X @ Y.T, x, y.T.copy())
s.check("linear", "linear(%, %, %)", X @ d(f := f16(2, 4)).T + d(f[:, 0]), x, f, f[:, 0].copy())
s.check("gemm", "gemm(%, %, %)", X @ Y.T + d(x[0, :3]), x, y.T.copy(), x[0, :3].copy())
s.check("conv", "conv(%, %, pad = 1)", conv(d(im), d(k3), pad=1), im, k3)
s.check("conv_transpose", "conv_transpose(%, %, stride = 2)", conv_transpose(d(im), d(g := f16(4, 2, 2, 2)), stride=2), im, g)
s.check("max_pool", "max_pool(%, kernel = 2)", pool(im, mx, 2), im)
s.check("avg_pool", "avg_pool(%, kernel = 2, pad = 1)", pool(im, av, 2, pad=1), im)
s.check("resize_linear", "resize_linear(%, to = 7)", linear_1d(im, 7, 3, "half_pixel"), im)
s.check("resize_cubic", "resize_cubic(%, to = 7)", cubic_1d(im, 7, 3, "half_pixel"), im)
q, k, v, m = f16(1, 2, 3, 4), f16(1, 2, 5, 4), f16(1, 2, 5, 4), f16(3, 5)
s.check("attention", "attention(%, %, %, %, causal = true)", attend(q, k, v, m, True), q, k, v, m)
xs, h = f16(3, 2, 4), f16(2, 2)
L16, G16, R16 = [(f16(g * 2, 4, lo=-1, hi=1), f16(g * 2, 2, lo=-1, hi=1), f16(g * 2, lo=-1, hi=1), f16(g * 2, lo=-1, hi=1)) for g in (4, 3, 1)]
D = lambda *v: [d(t) for t in v]
s.check("lstm", "lstm(%, %, %, %, %, %, %)", lstm_np(*D(xs, h, h, *L16)), xs, h, h, *L16)
s.check("gru", "gru(%, %, %, %, %, %)", gru_np(*D(xs, h, *G16)), xs, h, *G16)
s.check("rnn", "rnn(%, %, %, %, %, %)", rnn_np(*D(xs, h, *R16)), xs, h, *R16)
s.check("quantize", "quantize(%, %, %)", np.rint(X / d(np.float16(0.5))).astype(np.int8), x, np.float16(0.5), np.int8(0))
# bf16 has no numpy type: quarters, which it holds exactly, go in and out as f32
bx, by = (ints(-20, 20, 3, 4) / 4).astype(np.float32), (ints(-20, 20, 3, 4) / 4).astype(np.float32)
s.check("bf16_cast", "cast(cast(%, to = bf16), to = f32)", bx, bx)
s.check("bf16_add", "cast(add(cast(%, to = bf16), cast(%, to = bf16)), to = f32)", bx + by, bx, by)
s.check("bf16_sum", "cast(sum(cast(%, to = bf16), axes = [0]), to = f32)", bx.sum(0), bx)
s.check("bf16_call", "f32(relu(bf16(%)))", np.maximum(bx, 0), bx)
s.check("gather", "gather(%, %)", x[[2, 0]], x, np.array([2, 0]))
s.check("sort", "sort(%)", np.sort(x, 1), x)

# ---------------------------------------------------------------- dimensions known only when a graph is bound
s = Suite("symbolic", dims={9: "B", 5: "S", 7: "D", 8: "2*H", 6: "W", 10: "2*S", 45: "B*S", 35: "S*D"})
x, row, col = f32(9, 5, 7), f32(7), f32(5, 1)
X = d(x)
std = lambda v, ax, eps=1e-5: (v - v.mean(ax, keepdims=True)) / np.sqrt(v.var(ax, keepdims=True) + eps)
s.check("add", "add(%, %)", X + d(row), x, row)
s.check("stretched", "mul(%, %)", X * d(col), x, col)
s.check("total", "sum(%)", X.sum(), x)
s.check("middle", "mean(%, axes = [1])", X.mean(1), x)
s.check("kept", "max(%, axes = [0, 2], keepdims = true)", X.max((0, 2), keepdims=True), x)
s.check("soft", "softmax(%, axis = 1)", soft(X, 1), x)
s.check("normed", "layer_norm(%, %)", std(X, 2) * d(row), x, row)
s.check("largest", "argmax(%, axis = -1)", X.argmax(-1), x)
s.check("running", "cumsum(%, axis = 1, reverse = true)", np.flip(np.flip(X, 1).cumsum(1), 1), x)
wide = f32(9, 7, 8)
s.check("product", "matmul(%, %)", X @ d(wide), x, wide)
w8 = f32(8, 7)
s.check("linear", "linear(%, %)", X @ d(w8).T, x, w8)
s.check("turned", "transpose(%, perm = [2, 0, 1])", X.transpose(2, 0, 1), x)
s.check("joined", "concat(%, %, axis = 1)", np.concatenate([X, X], 1), x, x)
s.check("flat", "flatten(%)", X.reshape(9, 35), x)
s.lines_check("merged", "merged[(b, s), d] = %[b, s, d]", x.reshape(45, 7), x)
s.check("reversed", "flip(%, axes = [1])", X[:, ::-1], x)
s.check("tail", "slice(%, axis = 1, start = 1)", x[:, 1:], x)
s.types["tail"] = "f32[B, S - min(S, 1), D]"
s.check("last_eight", "slice(%, axis = 1, start = -8)", x[:, -8:], x)
s.types["last_eight"] = "f32[B, S - max(0, S - 8), D]"
s.check("none_of_it", "slice(%, axis = 1, start = 20, stop = 30)", x[:, 20:30], x)
s.types["none_of_it"] = "f32[B, min(S, 30) - min(S, 20), D]"
s.check("inner", "slice(%, axis = 1, start = 1, stop = -1)", x[:, 1:-1], x)
s.types["inner"] = "f32[B, max(0, max(0, S - 1) - min(S, 1)), D]"
s.check("back_from_beyond", "slice(%, axis = 1, start = 20, stop = 1, step = -2)", x[:, 20:1:-2], x)
s.types["back_from_beyond"] = "f32[B, min(S - 1, 20) - (min(S - 1, 1) + min(S - 1, 20)) / 2, D]"
s.check("odd", "slice(%, axis = 2, step = 2)", x[:, :, ::2], x)
s.types["odd"] = "f32[B, S, (D + 1) / 2]"
s.check("padded", "pad(%, before = [0, 1, 2], after = [0, 0, 1])", np.pad(x, ((0, 0), (1, 0), (2, 1))), x)
s.types["padded"] = "f32[B, S + 1, D + 3]"
s.check("tiled", "tile(%, times = [1, 2, 1])", np.tile(x, (1, 2, 1)), x)
im, k3 = f32(9, 2, 8, 6), f32(4, 2, 3, 3)
s.check("image", "conv(%, %, pad = 1)", conv(d(im), d(k3), pad=1), im, k3)
s.types["image"] = "f32[B, 4, 2*H, W]"
s.check("strided", "conv(%, %, pad = 1, stride = 2)", conv(d(im), d(k3), pad=1, stride=2), im, k3)
s.types["strided"] = "f32[B, 4, H, (W + 1) / 2]"
s.check("pooled", "max_pool(%, kernel = 2)", pool(im, mx, 2), im)
s.types["pooled"] = "f32[B, 2, H, W / 2]"
up = f32(2, 4, 2, 2)
s.check("grown", "conv_transpose(%, %, stride = 2)", conv_transpose(d(im), d(up), stride=2), im, up)
s.types["grown"] = "f32[B, 4, 4*H, 2*W]"
s.check("channels", "batch_norm(%, %, %)", (d(im) - d(row[:2])[:, None, None]) / np.sqrt(d(row[:2] ** 2)[:, None, None] + 1e-5), im, row[:2].copy(), row[:2] ** 2)
s.types["channels"] = "f32[B, 2, 2*H, W]"
ids = ints(0, 5, 2, dtype=np.int64)
s.check("picked", "gather(%, %, axis = 1)", np.take(x, ids, 1), x, ids)
q, kv = f32(1, 2, 5, 4), f32(1, 2, 7, 4)
s.check("attended", "attention(%, %, %)", attend(q, kv, kv), q, kv, kv)
s.check("sorted", "sort(%)", np.sort(x, -1), x)
h = f32(9, 4)
xr, WR = f32(5, 9, 7), (f32(16, 7), f32(16, 4), f32(16), f32(16))
s.check("scanned", "lstm(%, %, %, %, %, %, %)", lstm_np(*D(xr, h, h, *WR)), xr, h, h, *WR)

# ---------------------------------------------------------------- control flow, sizes as values
s = Suite("control", dims={5: "S", 3: "B"})
x, m = f32(5), f32(3, 5)
X, M = d(x), d(m)
s.lines_check("sizes", "sizes[] = S * B + 1", np.int64(16), m)
s.lines_check("places", "places[i in 0..S] = f32(i) / S", (np.arange(5) / 5).astype(np.float32))
s.lines_check("filled", """start[i]: f32[8] = 0
    filled, all_filled = loop t in 0..S carry (ft = start) {
        at[]: i64[] = t
        one[i in 0..1] = %[t]
        fn[at[] + i]: f32[8] = last[i] one[i] over ft
        next ft = fn
        emit fn
    }""", np.append(x, np.zeros(3, np.float32)), x)
s.lines_check("powers", """unit[]: f32[] = 1
    last_power, powers = loop t in 1..S + 1 carry (p = unit) {
        q[] = p[] * t
        next p = q
        emit q
    }""", np.cumprod(np.arange(1, 6)).astype(np.float32))
s.lines_check("halvings", """first[]: i64[] = 100
    none[]: i64[] = 0
    final, halvings = loop carry (v = first, n = none) while v > 1 {
        next v = v / 2, n = n + 1
    }""", np.int64(6))
s.lines_check("larger", """total = sum(%)
    larger = if total > 0 {
        u = %
        yield u
    } else {
        u = neg(%)
        yield u
    }""", (x if X.sum() > 0 else -x), x, x, x)
s.lines_check("smaller", """smaller = if total > 100 { yield % } else {
        w[i] = 2 * %[i]
        yield w
    }""", (2 * X).astype(np.float32), x, x)
s.lines_check("unrolled", """unrolled = %
    for i in 0..3 {
        if i == 1 { unrolled = mul(unrolled, 3) } else { unrolled = add(unrolled, i) }
    }""", (3 * X + 2).astype(np.float32), x)
s.lines_check("nested", """zero[]: f32[] = 0
    nested = loop b in 0..B carry (outer_sum = zero) {
        inner = loop t in 0..S carry (inner_sum = outer_sum) {
            r[] = inner_sum[] + %[b, t]
            next inner_sum = r
        }
        next outer_sum = inner
    }""", np.float32(M.sum()), m)
s.lines_check("none_run", """start_none[]: f32[] = 7
    none_run = loop t in 0..S - 5 carry (c = start_none) { next c = add(c, 1) }""", np.float32(7), x)
s.lines_check("picked", """keep = greater(%, 0)
    dim K <= S = count(keep)
    where_kept = nonzero(keep)
    first_kept[i in 0..K]: f32[K] = %[i]
    picked = sum(first_kept)""", np.float32(X[:int((X > 0).sum())].sum()), x, x)

# ---------------------------------------------------------------- sizes that data decides
s = Suite("data_sizes")
x = np.float32([[0, 3, 0], [2, 0, -0.0]])
s.check("nonzero", "nonzero(%)", np.array(np.nonzero(x)), x)
s.types["nonzero"] = "i64[2, some C0 <= 6]"
none = np.zeros((2, 2), np.int32)
s.check("nonzero_none", "nonzero(%)", np.zeros((2, 0), np.int64), none)
s.types["nonzero_none"] = "i64[2, some C1 <= 4]"
y, keep = f32(3, 4), np.array([True, False, True])
s.check("compress", "compress(%, %)", y[[0, 2]], y, keep)
s.types["compress"] = "f32[some C2 <= 3, 4]"
I64 = np.int64
s.check("slice_at", "slice_at(%, %, %, axis = 1)", y[:, -3:7], y, I64(-3), I64(7))
s.types["slice_at"] = "f32[3, some E4 <= 4]"
s.check("slice_at_back", "slice_at(%, %, %, axis = 1, step = -2)", y[:, 9:0:-2], y, I64(9), I64(0))
s.types["slice_at_back"] = "f32[3, some E5 <= 2]"
s.check("slice_at_none", "slice_at(%, %, %, axis = 0)", y[2:1], y, I64(2), I64(1))
s.types["slice_at_none"] = "f32[some E6 <= 3, 4]"
s.check("slice_by", "slice_by(%, %, %, %, axis = 1)", y[:, 3:0:-2], y, I64(3), I64(0), I64(-2))
s.types["slice_by"] = "f32[3, some E9 <= 4]"
s.check("slice_by_far", "slice_by(%, %, %, %, axis = 0)", y[1::9], y, I64(1), I64(99), I64(2**62))
s.types["slice_by_far"] = "f32[some E10 <= 3, 4]"
s.check("pad_at", "pad_at(%, %, %, %, axis = 1, most = 5)", np.pad(y[:, 1:], ((0, 0), (0, 3)), constant_values=7), y, np.float32(7), I64(-1), I64(3))
s.types["pad_at"] = "f32[3, some E11 <= 9]"
for m in "reflect", "edge", "wrap":
    s.check(f"pad_at_{m}", f'pad_at(%, none, %, %, axis = 0, most = 5, mode = "{m}")', np.pad(y, ((2, 1), (0, 0)), m), y, I64(2), I64(1))
    s.types[f"pad_at_{m}"] = f"f32[some P{m} <= 8, 4]"
s.check("wanted_shape_keep", "wanted_shape(%, %, %, keep0 = true)", np.array([2, 0, 4]), np.array([2, 0, 4]), np.array([5, 3]), I64(0))
s.check("range_to", "range_to(%, %, %, most = 9)", np.arange(1, 3, 0.25, np.float32), np.float32(1), np.float32(3), np.float32(0.25))
s.types["range_to"] = "f32[some E7 <= 9]"
s.check("range_to_back", "range_to(%, %, %, most = 9)", np.arange(7, -1, -3), I64(7), I64(-1), I64(-3))
s.types["range_to_back"] = "i64[some E8 <= 9]"
s.check("wanted_shape", "wanted_shape(%, %, %)", np.array([2, 3, 10]), np.array([2, 0, -1]), np.array([5, 3, 4]), I64(60))
s.check("compress_columns", "compress(%, %, axis = 1)", y[:, [1, 3]], y, np.array([False, True, False, True]))
s.types["compress_columns"] = "f32[3, some C3 <= 4]"
boxes = np.float32([[[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, 10, 1, 11], [0, 10.1, 1, 11.1]]])
scores = np.float32([[[0.9, 0.75, 0.6, 0.95], [0.1, 0.9, 0.2, 0.3]]])
s.check("boxes", "non_max_suppression(%, %, max_output = 2, iou = 0.5, score = 0.15)", np.array([[0, 0, 3], [0, 0, 0], [0, 1, 1], [0, 1, 3]]), boxes, scores)
s.types["boxes"] = "i64[some C4 <= 4, 3]"

def philox(counter, key, word=0):  # Salmon et al., 2011: Philox 4x32-10
    c, k = [counter & 0xFFFFFFFF, counter >> 32, 0, 0], [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & 0xFFFFFFFF, (p >> 32) ^ c[3] ^ k[1], p & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[word]
seed = 0x0123456789ABCDEF
s.check("random", "random_bits(%, shape = [2, 3])", np.array([philox(i, seed) for i in range(6)], np.uint32).reshape(2, 3), np.uint64(seed))
keeps = np.array([(philox(i // 4, seed, i % 4) >> 8) / 2**24 >= 0.5 for i in range(10)]).reshape(2, 5)
s.check("keeps", "random_keeps(0.5, %, shape = [2, 5], together = true)", keeps, np.uint64(seed))

# ---------------------------------------------------------------- layers
s = Suite("layers", imports=["nn"])
x = f32(2, 3, 4)
w, b = f32(5, 4), f32(5)
s.layer("linear", "nn.linear(%, features = 5)", d(x) @ d(w).T + d(b), x, weight=w, bias=b)
s.layer("linear_unbiased", "nn.linear(%, features = 5, biased = false)", d(x) @ d(w).T, x, weight=w)
p, q, wb = f32(5, 3), f32(5, 4), f32(2, 3, 4)
s.layer("bilinear", "nn.bilinear(%, %, features = 2)", np.einsum("ni,oij,nj->no", d(p), d(wb), d(q)) + d(b[:2]), p, q, weight=wb, bias=b[:2].copy())
tab = f32(6, 3)
s.layer("embedding", "nn.embedding(%, entries = 6, width = 3)", tab[[[1, 5], [0, 0]]], np.array([[1, 5], [0, 0]]), weight=tab)
x1, x2, x3 = f32(1, 2, 7), f32(1, 4, 5, 5), f32(1, 2, 3, 4, 3)
w1, w2, w3 = f32(3, 2, 3), f32(6, 2, 3, 2), f32(2, 2, 2, 2, 2)
b6 = f32(6)
s.layer("conv1d", "nn.conv1d(%, channels = 3, kernel = 3, stride = 2, pad = 1)", conv(*D(x1, w1, b[:3]), stride=2, pad=1), x1, weight=w1, bias=b[:3].copy())
s.layer("conv2d", "nn.conv2d(%, channels = 6, kernel = [3, 2], groups = 2)", conv(*D(x2, w2, b6), groups=2), x2, weight=w2, bias=b6)
s.layer("conv2d_unbiased", "nn.conv2d(%, channels = 6, kernel = [3, 2], groups = 2, biased = false)", conv(*D(x2, w2), groups=2), x2, weight=w2)
s.layer("conv3d", "nn.conv3d(%, channels = 2, kernel = 2, dilation = [1, 2, 1])", conv(*D(x3, w3, b[:2]), dilation=[1, 2, 1]), x3, weight=w3, bias=b[:2].copy())
t1, t2, t3 = f32(2, 3, 4), f32(4, 3, 2, 2), f32(2, 1, 2, 2, 2)
s.layer("conv_transpose1d", "nn.conv_transpose1d(%, channels = 3, kernel = 4, stride = 2)", conv_transpose(*D(x1, t1, b[:3]), stride=2), x1, weight=t1, bias=b[:3].copy())
s.layer("conv_transpose2d", "nn.conv_transpose2d(%, channels = 6, kernel = 2, stride = 2, pad = 1, out_pad = 1, groups = 2)",
        conv_transpose(*D(x2, t2, b6), stride=2, pad=1, out_pad=1, groups=2), x2, weight=t2, bias=b6)
s.layer("conv_transpose3d", "nn.conv_transpose3d(%, channels = 1, kernel = 2, biased = false)", conv_transpose(*D(x3, t3)), x3, weight=t3)
g4, h4 = f32(4), f32(4)
g34 = f32(3, 4)
s.layer("layer_norm", "nn.layer_norm(%)", std(d(x), 2) * d(g4) + d(h4), x, weight=g4, bias=h4)
s.layer("layer_norm_two", "nn.layer_norm(%, axis = 1)", std(d(x), (1, 2)) * d(g34) + d(g34), x, weight=g34, bias=g34)
s.layer("rms_norm", "nn.rms_norm(%, eps = 0.1)", d(x) / np.sqrt((d(x) ** 2).mean(2, keepdims=True) + 0.1) * d(g4), x, weight=g4)
c4 = lambda v: d(v)[None, :, None, None]
mu, var = f32(4), f32(4, lo=0.5, hi=2)
s.layer("batch_norm", "nn.batch_norm(%)", (d(x2) - c4(mu)) / np.sqrt(c4(var) + 1e-5) * c4(g4) + c4(h4), x2, weight=g4, bias=h4, running_mean=mu, running_var=var)
s.layer("group_norm", "nn.group_norm(%, groups = 2)", std(d(x2).reshape(1, 2, 2, 5, 5), (2, 3, 4)).reshape(x2.shape) * c4(g4) + c4(h4), x2, weight=g4, bias=h4)
s.layer("instance_norm", "nn.instance_norm(%)", std(d(x2), (2, 3)), x2)
s.layer("instance_norm_affine", "nn.instance_norm(%, affine = true)", std(d(x2), (2, 3)) * c4(g4) + c4(h4), x2, weight=g4, bias=h4)
s.layer("prelu", "nn.prelu(%)", np.where(d(x2) < 0, d(x2) * c4(g4), d(x2)), x2, weight=g4)
heads, E = 2, 4
wi, bi, wo, bo = f32(12, 4), f32(12), f32(4, 4), f32(4)
mem = f32(2, 5, 4)
def mha(q, k, v, causal=False, mask=None):
    split = lambda t, j: (d(t) @ d(wi[j * E:j * E + E]).T + d(bi[j * E:j * E + E])).reshape(len(t), -1, heads, E // heads).swapaxes(1, 2)
    a = attend(split(q, 0), split(k, 1), split(v, 2), mask, causal)
    return a.swapaxes(1, 2).reshape(d(q).shape) @ d(wo).T + d(bo)
MHA = dict(in_proj_weight=wi, in_proj_bias=bi, out_proj__weight=wo, out_proj__bias=bo)
s.layer("self_attention", "nn.multi_head_attention(%, %, %, heads = 2, causal = true)", mha(x, x, x, True), x, x, x, **MHA)
am = f32(3, 5)
s.layer("cross_attention", "nn.multi_head_attention(%, %, %, %, heads = 2)", mha(x, mem, mem, mask=am), x, mem, mem, am, **MHA)
l1w, l1b, l2w, l2b, n1w, n1b, n2w, n2b = f32(6, 4), f32(6), f32(4, 6), f32(4), f32(4), f32(4), f32(4), f32(4)
BLOCK = {"self_attn__" + k: v for k, v in MHA.items()} | dict(linear1__weight=l1w, linear1__bias=l1b, linear2__weight=l2w, linear2__bias=l2b,
                                                            norm1__weight=n1w, norm1__bias=n1b, norm2__weight=n2w, norm2__bias=n2b)
ln = lambda v, w, b: std(v, 2) * d(w) + d(b)
ff = lambda v, f: f(v @ d(l1w).T + d(l1b)) @ d(l2w).T + d(l2b)
u = d(x) + mha(*[ln(d(x), n1w, n1b)] * 3, True)
s.layer("block", "nn.transformer_block(%, heads = 2, hidden = 6, causal = true)", u + ff(ln(u, n2w, n2b), lambda v: v * scipy.special.ndtr(v)), x, **BLOCK)
u = ln(d(x) + mha(x, x, x), n1w, n1b)
s.layer("block_post", 'nn.transformer_block(%, heads = 2, hidden = 6, norm_first = false, activation = "relu")', ln(u + ff(u, lambda v: np.maximum(v, 0)), n2w, n2b), x, **BLOCK)
xs, h0, c0 = f32(4, 2, 3), f32(2, 2), f32(2, 2)
P = lambda t, l="l0": {f"{n}_{l}": v for n, v in zip(("weight_ih", "weight_hh", "bias_ih", "bias_hh"), t)}
zero = np.zeros((2, 2))
def rnn_layer(name, text, want, ops, params):
    for k, v in params.items(): s.params[f"{name}.{k}"] = v
    layer, rest = text.split("(", 1)
    call, attrs = rest.split(";")
    names = ", ".join(f"{name}_{i}" for i in range(len(want)))
    s.lines.append(f"param {name}: {layer}({attrs.strip()})")
    s.check(name, f"{name}({call})", want, *ops)
rnn_layer("lstm", "nn.lstm(%; hidden = 2", lstm_np(*D(xs), zero, zero, *D(*L)), (xs,), P(L))
rnn_layer("lstm_from", "nn.lstm(%, %, %; hidden = 2, level = 1", lstm_np(*D(xs, h0, c0, *L)), (xs, h0, c0), P(L, "l1"))
rnn_layer("lstm_reverse", 'nn.lstm(%; hidden = 2, reverse = true, suffix = "_reverse"', rev(lstm_np(*D(xs[::-1]), zero, zero, *D(*L))), (xs,), P(L, "l0_reverse"))
def stacked(run, x, params):
    """Returns each level's results, with both directions side by side if a level has two sets of parameters"""
    for level in params:
        y = [run(x, level[0])] + ([run(x[::-1], level[1])[::-1]] if len(level) > 1 else [])
        x = np.concatenate(y, -1)
    return x
LL, LB = f32(8, 2), [(f32(8, 3), *L[1:]), (f32(8, 3), *L[1:])]
L2 = (LL, *L[1:])
run_lstm, run_gru = (lambda x, p: lstm_np(x, zero, zero, *D(*p))[0]), (lambda x, p: gru_np(x, zero, *D(*p))[0])
s.layer("lstm_stack", "nn.lstm_stack(%, hidden = 2, layers = 2)", stacked(run_lstm, d(xs), [[L], [L2]]), xs, **P(L), **P(L2, "l1"))
s.layer("lstm_both", "nn.lstm_stack(%, hidden = 2, bidirectional = true)", stacked(run_lstm, d(xs), [[L, LB[0]]]), xs, **P(L), **P(LB[0], "l0_reverse"))
G4 = (f32(6, 4), *G[1:])
s.layer("gru_stack", "nn.gru_stack(%, hidden = 2, layers = 2, bidirectional = true)", stacked(run_gru, d(xs), [[G, G], [G4, G4]]), xs,
        **P(G), **P(G, "l0_reverse"), **P(G4, "l1"), **P(G4, "l1_reverse"))
rnn_layer("gru", "nn.gru(%, %; hidden = 2", gru_np(*D(xs, h0, *G)), (xs, h0), P(G))
rnn_layer("rnn", 'nn.rnn(%; hidden = 2, nonlinearity = "relu"', rnn_np(*D(xs), zero, *D(*R), lambda v: np.maximum(v, 0)), (xs,), P(R))

s = Suite("symbolic_layers", imports=["nn"], dims={3: "B", 5: "S", 6: "H"})
x = f32(3, 5, 4)
s.layer("fc", "nn.linear(%, features = 7)", d(x) @ d(w7 := f32(7, 4)).T + d(b7 := f32(7)), x, weight=w7, bias=b7)
s.layer("ln", "nn.layer_norm(%)", ln(d(x), g4, h4), x, weight=g4, bias=h4)
s.layer("mha", "nn.multi_head_attention(%, %, %, heads = 2, causal = true)", mha(x, x, x, True), x, x, x, **MHA)
u = d(x) + mha(*[ln(d(x), n1w, n1b)] * 3)
s.layer("block", "nn.transformer_block(%, heads = 2, hidden = 6)", u + ff(ln(u, n2w, n2b), lambda v: v * scipy.special.ndtr(v)), x, **BLOCK)
table = f32(8, 4)
at = ints(0, 8, 3, 5)
s.layer("embedded", "nn.embedding(%, entries = 8, width = 4)", table[at], at, weight=table)
xs = f32(5, 3, 4)
L5, G5 = (f32(8, 4), *L[1:]), (f32(6, 4), *G[1:])
zero = np.zeros((3, 2))
s.layer("recurrent", "nn.lstm_stack(%, hidden = 2)", run_lstm(d(xs), L5), xs, **P(L5))
s.layer("gated", "nn.gru_stack(%, hidden = 2)", run_gru(d(xs), G5), xs, **P(G5))
im = f32(3, 2, 6, 6)
s.layer("conv", "nn.conv2d(%, channels = 4, kernel = 3, pad = 1)", conv(*D(im, k := f32(4, 2, 3, 3), f32(4) * 0 + 1), pad=1), im, weight=k, bias=np.ones(4, np.float32))
s.layer("norm", "nn.batch_norm(%)", (d(im) - 1) / np.sqrt(2 + 1e-5) * 3 + 4, im, weight=np.full(2, 3, np.float32), bias=np.full(2, 4, np.float32),
        running_mean=np.ones(2, np.float32), running_var=np.full(2, 2, np.float32))

# A 0 in the padding times an infinite weight is NaN, whatever the layout.
s = Suite("padding")
im, w = f32(1, 8, 6, 5), f32(8, 1, 3, 3)
w[2, 0, 0, 1], w[5, 0, 1, 2], w[6, 0, 2, 0] = np.inf, -np.inf, np.nan
want, last = conv(*D(im, w), groups=8, pad=1), np.ascontiguousarray(im.transpose(0, 2, 3, 1))
s.check("channels_first", "conv(%, %, groups = 8, pad = 1)", want, im, w)
s.check("channels_last", "transpose(conv(transpose(%, perm = [0, 3, 1, 2]), %, groups = 8, pad = 1), perm = [0, 2, 3, 1])", want.transpose(0, 2, 3, 1), last, w)
s.check("products", "conv(%, %, pad = 1)", conv(*D(im[:, :1], w), pad=1), im[:, :1], w)

if __name__ == "__main__":
    for s in suites: s.write(HERE)
    print(sum(len(s.outputs) for s in suites), "checks in", len(suites), "suites")
