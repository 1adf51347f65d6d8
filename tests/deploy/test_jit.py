"""Tests mg.jit against numpy: drawn functions, each kind of guard, each refusal, and the page's code."""

import functools
import os
import re
import sys
import threading
import types
import warnings
from collections import OrderedDict, deque

import numpy as np

import mg

HERE = os.path.dirname(os.path.abspath(__file__))
draws = np.random.default_rng(7)


def same(got, want, about, close=None):
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (about, got.dtype, got.shape, want.dtype, want.shape)
    close = close or (2e-5 if want.dtype == np.float32 else 1e-10)
    assert np.allclose(got, want, rtol=close, atol=close, equal_nan=True), (about, got, want)


def refused(f, *args, saying, error=mg.CaptureError):
    try:
        f(*args)
    except error as e:
        assert saying in str(e), (saying, str(e))
    else:
        raise AssertionError(f"not refused: {saying}")


# ---------------------------------------------------------------------- drawn functions
UNARY = [lambda x: -x, abs, np.exp, np.tanh, np.sqrt, np.sin, np.square, lambda x: x.T, lambda x: x[::-1], lambda x: x[1:, :-1],
         lambda x: x + x.mean(-1, keepdims=True), lambda x: x - x.max(0), lambda x: np.cumsum(x, 1), lambda x: np.sort(x, axis=0),
         lambda x: x.reshape(-1)[: x.size // 2 * 2].reshape(2, -1), lambda x: np.where(x > 0, x, 0), lambda x: x.astype("f4"),
         lambda x: np.flip(x, 1), lambda x: np.expand_dims(x, 0)[0], lambda x: x[[0, -1]], lambda x: np.clip(x, -1, 2),
         lambda x: np.stack([x, x * 2])[1], lambda x: x / 3, lambda x: 2 - x, lambda x: x[None, ..., 0],
         lambda x: np.swapaxes(x, 0, -1), lambda x: np.ones_like(x) * x, lambda x: x * True, lambda x: np.sign(x),
         np.cbrt, np.expm1, lambda x: np.log1p(abs(x)), np.nan_to_num, np.tril,
         lambda x: np.triu(x, 1), lambda x: np.tile(x, (1, 2)), lambda x: np.repeat(x, 2, 0), lambda x: np.roll(x, 1), np.isfinite,
         lambda x: np.roll(x, (1, -1), (0, 1)), lambda x: np.diff(x, axis=0), lambda x: np.vstack([x, x]), np.isnan, np.isinf,
         lambda x: np.hstack([x, x]), lambda x: np.einsum("ij,kj", x, x), lambda x: np.einsum("...j->j...", x), np.log2,
         lambda x: np.take_along_axis(x, np.argsort(x, 0), 0), lambda x: np.clip(x, None, 1),
         lambda x: np.median(x, 0)[None] + x, lambda x: np.linalg.norm(x, axis=1, keepdims=True), lambda x: abs(x) ** 0.5,
         lambda x: np.take(x, [1, 0], 1), lambda x: x.std(0, ddof=1) + x, np.arctan, lambda x: np.cumprod(x, 0)]
BINARY = [np.add, np.multiply, np.subtract, np.maximum, np.minimum, np.true_divide, lambda a, b: np.where(a > b, a, b),
          lambda a, b: np.concatenate([a, b], axis=-1), lambda a, b: a @ b.T, lambda a, b: (a == b) | ~(a < b),
          lambda a, b: (a >= b).sum(0), lambda a, b: np.stack([a, b]).var(0, ddof=1),
          np.logaddexp, np.hypot, lambda a, b: np.outer(a, b),
          lambda a, b: np.tensordot(a, b, ((0,), (0,))), lambda a, b: np.einsum("ij,ij->i", a, b), np.fmax]
# Functions with jumps get numbers without rounding errors.
JUMPS = [np.rint, np.trunc, lambda x: x % 3, lambda x: x // 2, lambda x: np.round(x, 1), lambda x: np.round(x / 2), np.negative]
JOINS = [np.remainder, np.fmod, np.floor_divide, lambda a, b: a & b, np.bitwise_or, lambda a, b: a ^ b, lambda a, b: a << (abs(b) % 5),
         lambda a, b: a >> (abs(b) % 5), lambda a, b: a ** (abs(b) % 4)]
LAST = [np.sum, np.mean, np.prod, np.std, np.max, lambda x: x, lambda x: x.any(axis=0), lambda x: (x, {"twice": x * 2})[0]]


def draw_function():
    """Draws a chain of steps over x and y, as numpy sees them."""
    jumps = draws.random() < 0.4
    steps = [draws.choice(JUMPS if jumps else UNARY) for _ in range(draws.integers(0, 2 if jumps else 4))]
    join, after, last = draws.choice(JOINS if jumps else BINARY), draws.choice(UNARY), draws.choice(LAST)

    def f(x, y):
        for step in steps:
            x, y = step(x), step(y)
        return last(after(join(x, y)))

    return f


def test_drawn_functions():
    ran = 0
    for i in range(400):
        f, types = draw_function(), [draws.choice(["f8", "f4", "i4", "i8", "i2"]) for _ in "xy"]
        rows, columns = draws.integers(2, 6, 2)
        x, y = (draws.integers(-4, 5, (rows, columns)).astype(t) for t in types)
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want = f(x, y)
        except (TypeError, ValueError, IndexError, np.core._exceptions._UFuncNoLoopError):
            continue  # numpy cannot do it either
        if type(want) is tuple or np.asarray(want).dtype not in map(np.dtype, ("f8", "f4", "f2", "i8", "i4", "i2", "u8", "?")):
            continue
        try:
            got = mg.jit(f, level=0)(x, y)
        except mg.CaptureError as e:
            assert "cannot be captured" in str(e) or "MG refuses" in str(e), e
            continue
        ran += 1
        same(got, want, i, close=2e-4)  # a step may be in f32 though the result is f64
    assert ran >= 250, ran


# ---------------------------------------------------------------------- guards
factor, share, table = 2.0, 2.0, np.arange(3.0)


def test_sizes_open_once():
    f = mg.jit(lambda x, y: x * 2 + y)
    for n in (3, 4, 5, 9, 2):
        x = draws.random((n, 4))
        same(f(x, x), x * 3, n)
    assert len(f.variants) == 2 and "axis 0 of x is 4, not 3" in repr(mg.explain(f)), mg.explain(f)
    assert f.variants[1].hits == 4 and "x1: f64[N1, 4]" in mg.explain(f).text
    same(f(draws.random((1, 4)) * 0 + 1, np.ones((6, 4))), np.full((6, 4), 3.0), "one against many")
    refused(f, np.ones((2, 4)), np.ones((3, 4)), saying="broadcast")


def test_a_size_that_decides_stays():
    f = mg.jit(lambda x: np.cov(x[1:]))
    for n in (4, 5, 2):
        x = draws.random((n, 3))
        same(f(x), np.cov(x[1:]), n)


def test_a_size_that_is_read_stays():
    f = mg.jit(lambda x: x.sum(0) / x.shape[0] + len(x))
    for n in (3, 4, 5):
        x = draws.random((n, 2))
        same(f(x), x.mean(0) + n, n)
    assert len(f.variants) == 3
    g = mg.jit(lambda x: x / np.sqrt(x.shape[-1]))
    for n in (3, 4, 5):
        same(g(np.ones((n, 4))), np.full((n, 4), 0.5), n)
    assert len(g.variants) == 2


def test_types_values_and_globals():
    global factor
    f = mg.jit(lambda x, k=1, *, how="sum": getattr(np, how)(x * k * factor + table))
    x = np.arange(3.0)
    same(f(x), np.sum(x * 2 + table), "")
    same(f(x[None]), np.sum(x * 2 + table), "rank")
    same(f(x.astype("f4")), np.sum(x.astype("f4") * 2 + table), "type")
    same(f(x, 3), np.sum(x * 6 + table), "argument")
    same(f(x, 3.0, how="max"), np.max(x * 6 + table), "word")
    factor = -1.0
    same(f(x), np.sum(-x + table), "global")
    for order in (np.less, np.greater_equal, np.equal):
        same(mg.jit(lambda a, b: (order(a, b), order(a, True)))(x > 0, x > 1), (order(x > 0, x > 1), order(x > 0, True)), "false is less than true")
    told = repr(mg.explain(f))
    for reason in ("x is f32, not f64", "k is 3, not 1", "x has 2 dimensions, not 1", "factor, which the function reads"):
        assert reason in told, (reason, told)
    n = len(f.variants)
    table[0] = 5  # the array is the same one, and its elements are read again
    same(f(x), np.sum(-x + table), "elements")
    assert len(f.variants) == n


def test_globals_that_change_in_place():
    weights, shift = {"w": np.eye(2), "more": [1.0]}, [2]
    f = mg.jit(lambda x: x @ weights["w"] * weights["more"][0] + shift[0])
    x = np.ones((2, 2))
    same(f(x), x + 2, "")
    weights["w"] = np.eye(2) * 3
    same(f(x), x * 3 + 2, "an array in a dictionary")
    weights["more"][0] = 2.0
    shift[0] = 1
    same(f(x), x * 6 + 1, "numbers in lists")
    assert len(f.variants) == 3


def test_globals_of_a_function_that_is_called():
    global share
    inner = mg.jit(lambda x: x * share)
    f = mg.jit(lambda x: inner(x) + 1)
    same(f(np.ones(2)), np.full(2, 3.0), "")
    share = 3.0
    same(f(np.ones(2)), np.full(2, 4.0), "the inner function's global")
    assert len(f.variants) == 2


class Layer:
    gain = 1.0

    def __init__(self):
        self.w, self.rate, self.parts, self.unread = np.ones(2), 2.0, [], 0

    @mg.jit
    def twice(self, x):
        return self.scaled(x) * 2

    def scaled(self, x):
        return x * self.w * self.rate * self.gain * len(self.parts + [1])


layer = Layer()


def test_attributes_of_objects():
    net, x = Layer(), np.ones(2)
    by_global = mg.jit(lambda x: layer.scaled(x))
    same(net.twice(x), x * 4, "")
    same(by_global(x), x * 2, "")
    net.rate, layer.rate = 3.0, 5.0
    same(net.twice(x), x * 6, "an attribute that a method reads")
    same(by_global(x), x * 5, "an attribute of a global")
    net.w = np.full(2, 2.0)
    same(net.twice(x), x * 12, "an array")
    net.w[0] = 1
    net.unread += 1
    made = len(Layer.twice.variants)
    same(net.twice(x), np.array([6.0, 12.0]), "its elements, which are read again")
    assert len(Layer.twice.variants) == made
    net.parts.append(3)
    same(net.twice(x), np.array([12.0, 24.0]), "a list")
    Layer.gain = 0.5
    same(net.twice(x), np.array([6.0, 12.0]), "an attribute of the class")
    assert "self.rate, which the function reads, has changed" in repr(mg.explain(Layer.twice))


def test_first_calls_of_several_threads_make_one_variant():
    f, x = mg.jit(lambda x: np.tanh(x) + x), draws.random((3, 3))
    together = threading.Barrier(4)

    def call():
        together.wait()
        same(f(x), np.tanh(x) + x, "thread")

    workers = [threading.Thread(target=call) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    assert len(f.variants) == 1 and "for the first call" in repr(mg.explain(f))


def test_trees_and_nesting():
    inner = mg.jit(lambda x: x + 1)
    f = mg.jit(lambda p, x: {"y": [inner(x @ p["w"]), p["b"]], "n": 3})
    p, x = {"w": np.eye(2), "b": np.zeros(2)}, np.ones((2, 2))
    got = f(p, x)
    same(got["y"][0], x + 1, "tree")
    assert got["n"] == 3 and not inner.variants
    got["y"][1][0] = 7
    assert p["b"][0] == 0


def test_in_place():
    def f(x):
        y = x * 2
        z = y
        y += 1
        return z

    same(mg.jit(f)(np.ones(2)), np.full(2, 3.0), "another name sees it")
    same(mg.jit(lambda x: (x > 0).copy())(np.ones(2)), np.ones(2, bool), "a copy")

    def argument(x):
        x += 1
        return x

    def view(x):
        y = x * 2
        z = y[0]
        y += 1
        return z

    def view_of_view(x):
        y = x * 2
        z = y.reshape(1, 4).T
        y += 1
        return z

    def turned_part(x):
        y = x * 2
        z = y[0][None]
        y += 1
        return z

    refused(mg.jit(argument), np.ones(2), saying="does not change in place")
    refused(mg.jit(view_of_view), np.ones((2, 2)), saying="does not change in place")
    for f in (view, turned_part):
        same(mg.jit(f)(np.ones((2, 2))), f(np.ones((2, 2))), "a part sees it")
    for at in (3, -3):
        refused(mg.jit(lambda x: np.insert(x, at, 0)), np.ones(2), saying=f"index {at} is out of bounds", error=IndexError)
    fit = mg.jit(lambda x: (y := x.copy(), y.__setitem__(slice(1, 3), [[1, 2], [3, 4]]))[0])
    same(fit(np.zeros((3, 2))), [[0.0, 0], [1, 2], [3, 4]], "values that fit")
    refused(fit, np.zeros((2, 2)), saying="could not broadcast", error=ValueError)


def test_no_warning_names_a_captured_line():
    x = np.full((2, 2), 100, "i1")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same(mg.jit(lambda x: x @ x)(x), x @ x, "wraps")


def test_operators():
    same(mg.softmax(np.zeros((2, 4), "f4"), axis=0), np.full((2, 4), 0.5, "f4"), "alone")
    same(mg.jit(lambda x: mg.cast(x, to=np.float64))(np.ones(2, "f4")), np.ones(2), "a type as attribute")
    refused(lambda: mg.sofmax, saying="did you mean 'softmax'", error=AttributeError)
    assert not hasattr(mg, "__nothing__") and not hasattr(mg, "graph")
    same(mg.det(np.eye(2)), np.array(1.0), "an operator of matrices")
    assert hasattr(mg, "bit_not") and hasattr(mg, "split_heads")


def test_places_of_extremes():
    x = np.array([[1, np.nan, -3], [2, -5, 2]])
    for f in (np.argmin, np.argmax, lambda x: x.argmax(1), lambda x: x[1].argmin(), lambda x: (x > 0).argmax(0), np.argsort, np.max,
              lambda x: np.argmax(x, axis=0, keepdims=True), lambda x: np.max(x, 0, None, True), lambda x: np.sum(x[1:], 0, "f4")):
        same(mg.jit(f)(x), f(x), f)


def test_functions_of_odd_numbers():
    x = np.array([[1.5, -2.0, 0.0], [3.0, np.inf, np.nan], [-0.5, -np.inf, 7.0]])
    y = np.array([[2.0, 3.0, 0.0], [-1.0, np.inf, 1.0], [np.nan, 2.0, -7.0]])
    a, b = np.nan_to_num(x, posinf=4, neginf=-4), np.nan_to_num(y, posinf=3)
    with np.errstate(all="ignore"):
        for f in (np.hypot, np.logaddexp, np.fmax, np.fmin, np.heaviside, np.isclose, lambda x, y: np.nan_to_num(x, nan=3, posinf=9),
                  lambda x, y: np.nansum(x, 1), lambda x, y: np.nan_to_num(y), lambda x, y: np.isclose(x, y, equal_nan=True),
                  lambda x, y: np.median(x, 0), lambda x, y: np.isfinite(x) ^ np.isinf(y)):
            same(mg.jit(lambda x, y: f(x, y))(x, y), f(x, y), f)
        for f in (np.remainder, np.fmod, np.floor_divide, np.inner, lambda a, b: np.trace(a), lambda a, b: np.ptp(a, 0),
                  lambda a, b: np.count_nonzero(a, axis=1), lambda a, b: np.column_stack([a, b[:, 0]]), lambda a, b: a.round(1),
                  lambda a, b: np.einsum("ij,jk,k->i", a, b, a[0]), lambda a, b: np.einsum("ii->i", a), lambda a, b: np.log10(abs(a)),
                  *[lambda a, b, k=k: np.linalg.norm(a, k, axis=1) for k in (0, 1, 2, 3, np.inf, -np.inf)]):
            same(mg.jit(lambda a, b: f(a, b))(a, b), f(a, b), f)


def test_memory_layouts():
    f = mg.jit(lambda x: x[:, 0] * 2)
    x = np.arange(12.0).reshape(3, 4)
    for y in (x, x.T, x[::-1], np.asfortranarray(x), x.astype(">f8"), x[:, ::2]):
        same(f(y), (y[:, 0] * 2).astype("f8"), y.strides)
    same(f(np.zeros((0, 4))), np.zeros(0), "empty")


def test_threads():
    f, results = mg.jit(lambda x: np.tanh(x) * 2), []
    x = draws.random((4, 4))
    f(x)
    workers = [threading.Thread(target=lambda: results.append(f(x))) for _ in range(4)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    for y in results:
        same(y, np.tanh(x) * 2, "thread")
    assert len(results) == 4


def test_graph_breaks():
    def f(x):
        y = x * 2
        if y.sum() > 0:
            y = y + 1
            if y[0] > 5:
                return y * 10
        return -y

    g, x = mg.jit(f), np.arange(3.0)
    for y in (x, -x, x + 5, x + 1, -x - 4, x + 9):
        same(g(y), f(y), y)
    told = repr(mg.explain(g))
    assert len(g.variants) == 3 and "2 graph breaks" in told and "test_jit.py:" in told and "if y[0] > 5" in told, told
    h = mg.jit(lambda x: x * float(x[0]) + int(x[1]) + x[2].item())
    for i in range(40):
        y = x + i
        same(h(y), y * y[0] + int(y[1]) + y[2], i)
    assert len(h.variants) == 32
    steps = mg.jit(lambda x, n: sum(x for _ in range(n)))
    same(steps(x, np.array(3)), x * 3, "a count")
    same(steps(x, np.array(2)), x * 2, "another count")
    for n in (3, 4, 5):
        y = np.arange(float(n)) + 1
        same(g(y), f(y), "another size")
    refused(mg.jit(lambda x: 1 if x > 0 else 2), x, saying="one element", error=ValueError)


def test_decisions_and_loops():
    x = np.arange(4.0)
    f = mg.jit(lambda x: mg.cond(x.sum() > 0, lambda v: np.sqrt(v) + 1, lambda v: -v * 2, x))
    for y in (x, -x):
        same(f(y), np.sqrt(y) + 1 if y.sum() > 0 else -y * 2, "cond")
    assert len(f.variants) == 1 and "= if " in mg.explain(f).text
    pair = mg.jit(lambda x: mg.cond(x[0] > 0, lambda a: (a, a + 1), lambda a: (mg.cond(a[1] > 0, lambda b: b, lambda b: -b, a), a), x))
    for y in (x, x - 2, x + 1):
        want = (y, y + 1) if y[0] > 0 else (y if y[1] > 0 else -y, y)
        for got, one in zip(pair(y), want):
            same(got, one, "nested")
    counted = mg.jit(lambda x: mg.loop(5, lambda i, s, t: (s * 0.5 + i, t + s), x, np.zeros(4)))
    s, t = x, np.zeros(4)
    for i in range(5):
        s, t = s * 0.5 + i, t + s
    for got, want in zip(counted(x), (s, t)):
        same(got, want, "counted")
    until = mg.jit(lambda x: mg.loop(lambda s: s.sum() < 100, lambda s: s * 2, x))
    for y in (x, x + 50):
        s = y
        while s.sum() < 100:
            s = s * 2
        same(until(y), s, "until")
    assert len(until.variants) == 1
    same(mg.grad(lambda x: mg.loop(3, lambda i, s: s * x, x).sum())(x), 4 * x ** 3, "a derivative of a loop")
    same(mg.grad(lambda x: mg.cond(x.sum() > 0, lambda v: v * v, lambda v: v, x).sum())(x), 2 * x, "a derivative of a decision")
    same(mg.loop(3, lambda i, s: s + i, x), x + 3, "in Python")
    refused(mg.jit(lambda x: mg.cond(x.sum() > 0, lambda v: v, lambda v: v[1:], x)), x, saying="the two sides of mg.cond differ")
    refused(mg.jit(lambda x: mg.loop(3, lambda i, s: s[1:], x)), x, saying="changes the types of its state")
    refused(mg.jit(lambda x: mg.cond(x > 0, lambda v: v, lambda v: v, x)), x, saying="a condition is one bool")

    def inside(v):
        v += 1
        return v

    refused(mg.jit(lambda x: mg.cond(x.sum() > 0, inside, lambda v: v, x * 2)), x, saying="outside of mg.cond")


def test_complex():
    spectrum = mg.jit(lambda x, w: (np.fft.rfft(x, axis=-1) * w, {"power": np.abs(np.fft.fft(x)) ** 2}))
    draw, w = np.random.default_rng(3), np.float32(2) * np.array([1j, 1, 2, 1 - 1j], "c8")
    for n in (3, 5, 7, 9):
        x = draw.standard_normal((n, 6)).astype("f4")
        (y, more), (want, others) = spectrum(x, w), (np.fft.rfft(x) * w, np.abs(np.fft.fft(x)) ** 2)
        assert y.dtype == want.dtype and np.allclose(y, want, atol=1e-5) and np.allclose(more["power"], others, atol=1e-4), n
    assert len(spectrum.variants) == 2 and "w: complex f32[4]" in repr(mg.explain(spectrum))
    turned = w.astype("c16")[::-1]  # another type, and not in order
    assert np.allclose(spectrum(x, turned)[0], np.fft.rfft(x) * turned, atol=1e-5)
    held = np.array([1j, 2.0])
    add = mg.jit(lambda x: x + held)
    assert np.array_equal(add(held), held + held)
    held[0] = 5
    assert np.array_equal(add(held), held + held), "an array that the function reads has changed"
    value = mg.jit(lambda x: x * 2 if complex(x.sum()).imag > 0 else -x)
    assert np.array_equal(value(held), -held) and np.array_equal(value(held * 1j), held * 2j)
    pair = mg.jit(lambda z: mg.grad(lambda a, b: np.abs((a + 1j * b) ** 2), argnums=(0, 1))(z.real, z.imag))
    a, b = pair(np.array(3 + 4j))
    assert np.allclose([a, b], [6, 8])


def test_arrays_from_outside():
    scale, rates = np.ones(3), {"of": [np.arange(3.0)]}
    for f in (lambda x: x * (scale * 2), lambda x: x + scale.mean(), lambda x: x - float(scale[0]), lambda x: x * scale + rates["of"][0].sum()):
        call = mg.jit(f)
        for i in range(3):
            same(call(np.ones(3)), f(np.ones(3)), i)
            scale[i] += 1
            rates["of"][0][i] += 2
        same(call(np.ones(3)), f(np.ones(3)), "changed")
    plain = mg.jit(lambda x: x * scale)
    for i in range(3):
        same(plain(np.ones(3)), scale, i)
        scale[0] += 1
    assert len(plain.variants) == 1


class Rates:
    """Is called, has methods, and holds what they read."""

    def __init__(self):
        self.rate, self.of = 2.0, np.ones(3)

    def __call__(self, x):
        return x * self.rate + self.of * 2

    def method(self, x):
        return self(x) - self.rate


def test_what_else_changes():
    settings, rates = types.ModuleType("settings"), Rates()
    settings.rate, settings.of = 2.0, np.ones(3)
    table, waiting, kinds = OrderedDict(a=1.0), deque([1.0, 2.0]), {1, 2}
    part = functools.partial(lambda of, x: x * (of * 2), np.ones(3))

    def helper(x, of=[np.ones(3)], *, by=1.0):
        return x * (of[0] * 2) * by

    changes = (
        (rates, lambda: setattr(rates, "rate", 5.0), lambda: rates.of.__setitem__(0, 7)),
        (rates.method, lambda: setattr(rates, "rate", 3.0), lambda: rates.of.__setitem__(1, 4)),
        (part, lambda: part.args[0].__setitem__(0, 7)),
        (lambda x: part(x), lambda: part.args[0].__setitem__(0, 9)),
        (lambda x: x * settings.rate * (settings.of * 2), lambda: setattr(settings, "rate", 9.0), lambda: settings.of.__setitem__(0, 4)),
        (lambda x: x * table["a"] + waiting[0] + sum(kinds), lambda: table.update(a=4.0), lambda: waiting.appendleft(7), lambda: kinds.add(9)),
        (lambda x: helper(x), lambda: helper.__kwdefaults__.update(by=3.0), lambda: helper.__defaults__[0][0].__setitem__(0, 8)),
    )
    for f, *steps in changes:
        call = mg.jit(f)
        same(call(np.arange(3.0)), f(np.arange(3.0)), "first")
        for i, step in enumerate(steps):
            step()
            same(call(np.arange(3.0)), f(np.arange(3.0)), i)
    of = mg.jit(lambda d, kinds: {k: v * 2 + len(kinds) for k, v in d.items()})
    d = OrderedDict(a=np.ones(2))
    for x in (1.0, 2.0):
        d["a"], kinds = np.full(2, x), {*kinds, x + 20}
        same(of(d, kinds)["a"], d["a"] * 2 + len(kinds), x)
    assert len(of.variants) == 2


def test_functions_outside():
    draw = np.random.default_rng(5)
    f = mg.jit(lambda x: (np.unique(x) * 2, x[x > 0].sum(), np.cumsum(x[x > 0]), np.linalg.eig(np.outer(x, x))[0].real, x.T))
    for n in (8, 9, 12, 11, 14):
        x = draw.standard_normal(n)
        for got, want in zip(f(x), (np.unique(x) * 2, x[x > 0].sum(), np.cumsum(x[x > 0]), np.linalg.eig(np.outer(x, x))[0].real, x.T)):
            same(got, want, f"{n} elements")
    report = mg.explain(f)
    assert len(f.variants) <= 3 and report.breaks and "is computed by numpy and gives f64[M" in repr(report), report
    count = mg.jit(lambda x: np.unique(x, return_counts=True)[1] + 1)
    for n in range(1, 40):
        x = draw.integers(0, n, 9)
        same(count(x), np.unique(x, return_counts=True)[1] + 1, n)
    assert len(count.variants) <= 4
    value = mg.jit(lambda x: len(np.flatnonzero(x > 0)) * x if x.sum() > 0 else np.sort(x[x < 0]))
    for x in (np.array([1.0, -2, 3]), np.array([-1.0, -5, 2]), np.array([1.0, 2, 3])):
        same(value(x), len(np.flatnonzero(x > 0)) * x if x.sum() > 0 else np.sort(x[x < 0]), "after a decision")
    placed = mg.jit(lambda x: (y := x.copy(), np.place(y, y > 0, [7, 8]))[0])
    x = draw.standard_normal((3, 4))
    want = x.copy()
    np.place(want, want > 0, [7, 8])
    same(placed(x), want, "np.place")
    twice = mg.jit(lambda x: x * 2)
    inner = mg.jit(lambda x: (twice(x[x > 0]), mg.grad(lambda y: (y * y).sum())(x[x > 0])))
    for got in inner(x):
        same(got, x[x > 0] * 2, "what a mask chooses as an argument")
    z = np.array([1 + 1j, 3, 0.5])
    same(mg.jit(lambda z: z[np.abs(z) > 1] * 2)(z), z[np.abs(z) > 1] * 2, "complex numbers that a mask chooses")

    def values(x):
        try:
            return np.linalg.eig(x)[0].real
        except np.linalg.LinAlgError:
            return x[0] * 0

    caught = mg.jit(values)
    for x in (np.eye(2) * np.inf, np.eye(2), np.eye(2) * np.inf, np.eye(2) * 3):
        same(caught(x), values(x), "numpy raises for some values")
    assert len(caught.variants) == 2 and "raises LinAlgError" in repr(mg.explain(caught))
    refused(mg.jit(lambda x: np.linalg.eig(x)), np.ones((2, 3)), saying="square", error=np.linalg.LinAlgError)


# ---------------------------------------------------------------------- refusals
def test_refusals():
    x = np.ones((2, 2))
    for f, saying in (
        (lambda x: mg.cond(x.sum() > 0, lambda x: x if x[0, 0] > 0 else -x, np.tanh, x), "a decision needs a value"),
        (lambda x: mg.loop(3, lambda i, s: np.linalg.eig(s)[0], x), "np.linalg.eig cannot be captured"),
        (lambda x: mg.grad(lambda y: np.subtract.accumulate(y).sum())(x), "np.subtract.accumulate"),
        (lambda x: np.add(x, x, where=x > 0), "with where"),
        (lambda x: mg.grad(lambda y: np.unique(y).sum())(x), "np.unique cannot be captured"),
        (lambda x: mg.cond(x.sum() > 0, lambda y: y[y > 0], lambda y: y[0], x), "np.where"),
        (lambda x: mg.loop(2, lambda i, s: np.where(s)[0], x), "a size that data decide"),
        (lambda x: np.array2string(x), "np.array2string cannot be captured"),
        (lambda x: x.view("i4"), "x.view of a captured array"),
        (lambda x: mg.loop(3, lambda i, s: s * 1j, x + 1j), "a state is"),
        (lambda x: x.__setitem__(0, 1), "an argument does not change in place"),
        (lambda x: np.asfortranarray(x), "numpy needs the values"),
        (lambda x: np.r_["c", x], "makes a matrix"),
        (lambda x: x + np.ma.ones((2, 2)), "MaskedArray"),
    ):
        refused(mg.jit(f), x, saying=saying)
        refused(mg.jit(f), x, saying="test_jit.py:")
    refused(mg.jit(lambda x: x), np.array(["a"]), saying="x is an array of <U1")
    refused(mg.jit(lambda x: x), np.ma.ones(2), saying="MaskedArray")
    refused(mg.jit(lambda x: x.nothing), x, saying="no 'nothing'", error=AttributeError)
    refused(mg.jit(lambda x: x[:1.5]), x, saying="integer", error=TypeError)
    refused(mg.jit(lambda x: x[5]), x, saying="outside axis 0", error=IndexError)
    refused(mg.jit(lambda x: x.ravel("K")), x, saying="how an array lies in memory")
    whole = mg.jit(lambda n, k: n ** k)
    same(whole(np.arange(4), np.array([0, 1, 2, 3])), np.array([1, 1, 4, 27]), "powers of integers")
    refused(whole, np.arange(4), np.array([0, 1, -2, 3]), saying="negative integer powers", error=ValueError)
    refused(mg.jit(lambda x: x.sum(axis=3)), x, saying="out of bounds", error=np.AxisError if hasattr(np, "AxisError") else ValueError)
    refused(mg.softmax, [1.0, 2.0], saying="mg.softmax takes arrays", error=TypeError)
    refused(mg.jit, np.sign, saying="a Python function", error=TypeError)
    refused(mg.explain, 3, saying="mg.jit", error=TypeError)


def test_page():
    page = open(os.path.join(HERE, "../../python/README.md")).read()
    code = [b for b in re.findall(r"```python\n(.*?)```", page, re.S) if "def attend" in b]
    assert len(code) == 1
    names = {}
    exec(compile(code[0], "README.md", "exec"), names)
    q, k, v = names["q"][:2], names["k"], names["v"]
    e = np.exp(q @ k.T * 0.5)
    same(names["y"], e / e.sum(-1, keepdims=True) @ v, "page")
    assert len(names["attend"].variants) == 2


tests = [f for name, f in sorted(globals().items()) if name.startswith("test_")]
for test in tests:
    test()
    print(f"ok {test.__name__}")
sys.exit(0 if len(tests) >= 10 else 1)
