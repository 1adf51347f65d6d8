"""Tests mg.grad against differences of the function in numpy, its nesting, its guards and its refusals."""

import math
import os
import re
import sys

import numpy as np

import mg

HERE = os.path.dirname(os.path.abspath(__file__))
draws = np.random.default_rng(3)
scale = 2.0


def near(got, want, about, close=1e-9):
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape and np.allclose(got, want, rtol=close, atol=close), (about, got, want)


def refused(f, *args, saying, error=TypeError):
    try:
        f(*args)
    except error as e:
        assert saying in str(e), (saying, str(e))
    else:
        raise AssertionError(f"not refused: {saying}")


def differences(f, x, step=1e-6):
    slope = np.zeros_like(x)
    for at in np.ndindex(x.shape):
        up, down = x.copy(), x.copy()
        up[at] += step
        down[at] -= step
        slope[at] = (f(up) - f(down)) / (2 * step)
    return slope


SCALARS = [
    lambda x: np.sum(np.tanh(x) * x), lambda x: np.mean(x ** 3), lambda x: np.log(np.exp(x).sum()), lambda x: (x @ x.T).sum(),
    lambda x: np.linalg.norm(x), lambda x: np.einsum("ij,ij->", x, x), lambda x: np.where(x > 0.5, x, x * x).sum(),
    lambda x: np.max(x), lambda x: x.var(), lambda x: np.prod(x), lambda x: np.cumsum(x, 0)[1].sum(), lambda x: np.hypot(x, 2).sum(),
    lambda x: np.sort(x, 1)[:, 0].sum(), lambda x: np.logaddexp(x, 1).sum(), lambda x: np.tile(x, (2, 1))[1:].sum(),
    lambda x: np.concatenate([x, x * x], 1).mean(), lambda x: np.sqrt(x)[0, 1], lambda x: (x.T / x[0, 0]).sum(),
]


def test_differences():
    for i, f in enumerate(SCALARS):
        x = draws.random((3, 3)) + 0.2
        near(mg.grad(f)(x), differences(f, x), i, close=1e-5)
        value, slope = mg.value_and_grad(f)(x)
        near(value, f(x), i)
        near(slope, differences(f, x), i, close=1e-5)


def test_trees_and_places():
    f = lambda p, x, n=2: (p["w"] * x).sum() * n + p["b"][0] ** 2
    p, x = {"w": np.ones(3), "b": [np.array(3.0)]}, np.arange(3.0)
    slope = mg.grad(f)(p, x, n=4)
    near(slope["w"], x * 4, "w")
    near(slope["b"][0], 6.0, "b")
    by_both = mg.grad(f, argnums=(1, 0))(p, x)
    assert type(by_both) is tuple
    near(by_both[0], np.full(3, 2.0), "x")
    near(mg.grad(lambda a, b: (a * b).sum())(x, x), x, "one array for two arguments")
    near(mg.grad(lambda a, b: a.sum(), argnums=1)(x, x), np.zeros(3), "no dependence")
    assert mg.grad(lambda a: a.sum())(np.ones(2, "f4")).dtype == np.float32


def test_nesting():
    cube = lambda t: t * t * t
    for f, want in ((mg.grad(cube), 12.0), (mg.grad(mg.grad(cube)), 12.0), (mg.grad(mg.grad(mg.grad(cube))), 6.0),
                    (mg.jit(mg.grad(cube)), 12.0), (mg.grad(mg.jit(cube)), 12.0), (mg.jit(lambda t: mg.grad(cube)(t) * 2), 24.0)):
        near(f(np.array(2.0)), want, "nested")
    near(mg.grad(cube)(2.0), 12.0, "a number")
    x = draws.random(4)
    near(mg.grad(lambda x: (mg.grad(lambda y: (y ** 3).sum())(x) * np.arange(4.0)).sum())(x), 6 * x * np.arange(4.0), "a product")


def test_guards_and_sizes():
    global scale
    f = mg.grad(lambda x: (x * x).sum() * scale)
    for n in (3, 4, 5):
        near(f(np.ones(n)), np.full(n, 4.0), n)
    assert len(f.variants) == 2, mg.explain(f)
    scale = 3.0
    near(f(np.ones(3)), np.full(3, 6.0), "global")


def test_elements():
    """What goes into an array of the function's own has a derivative, and a number of Python is refused in place of one that is 0."""
    outside = np.zeros(3)

    def filled(x, into=None):
        y = np.zeros(3) if into is None else into
        y[0], y[2] = x[0] * x[1], x[1]
        y[1] += x[2] ** 2
        return (y * np.array([1.0, 2, 3])).sum()

    def flat(x):
        y = np.zeros(2)
        y.flat[0] = x[0]  # numpy hides the reason in an error of its own
        return y.sum() + x[1]

    x = np.array([2.0, 3.0, 4.0])
    near(mg.grad(filled)(x), np.array([3.0, 5, 16]), "elements")
    whole = mg.jit(filled)
    near(whole(x), filled(x), "a value")
    assert not mg.explain(whole).breaks
    for f in (flat, lambda x: filled(x, outside), lambda x: x.sum() * float(x[0]), lambda x: x.sum() * x[0].item(), lambda x: math.exp(x.sum()) + x[0]):
        refused(mg.grad(f), x, saying="has no derivative")
    near(mg.grad(lambda x, s: x.sum() * float(s))(x, np.array(5.0)), np.full(3, 5.0), "a number that does not depend on x")
    near(mg.grad(lambda x: x.sum() * int(x[2]) if x[0] > 1 and f"{x[1]:.1f}" == "3.0" else x[0])(x), np.full(3, 4.0), "decisions")


def test_refusals():
    x = np.ones(3)
    refused(mg.grad(lambda x: x * 2), x, saying="an array of shape (3,); it must give one number")
    refused(mg.grad(lambda x: (x > 0).all()), x, saying="it must give a float")
    refused(mg.grad(lambda x: (x, x)), x, saying="gives a tuple")
    refused(mg.grad(lambda x: x.sum()), np.arange(3), saying="argument 0 is an array of int64")
    refused(mg.grad(lambda x, k: x.sum() * k, argnums=1), x, 2, saying="argument 1 holds 2")
    refused(mg.grad(lambda x: x.sum(), argnums=1), x, saying="no positional argument 1")
    refused(mg.grad(lambda x: x.sum(), argnums=-1), x, saying="no positional argument -1")
    refused(mg.grad, 3, saying="Python function")


def test_page():
    page = open(os.path.join(HERE, "../../python/README.md")).read()
    code = [b for b in re.findall(r"```python\n(.*?)```", page, re.S) if "_grad(" in b]
    assert len(code) == 1
    names = {}
    exec(compile(code[0], "README.md", "exec"), names)
    assert names["now"] < 0.01 and names["bend"] == 12, (names["now"], names["bend"])
    assert len(names["step"].variants) == 1


tests = [f for name, f in sorted(globals().items()) if name.startswith("test_")]
for test in tests:
    test()
    print(f"ok {test.__name__}")
sys.exit(0 if len(tests) >= 6 else 1)
