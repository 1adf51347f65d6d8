"""Tests what mg.jit does where data decide places, where there are no elements, and with numpy.linalg, against numpy itself."""

import sys
import warnings
from collections import OrderedDict, deque, namedtuple

import numpy as np

import mg

draw = np.random.default_rng(3)
x, n, i = draw.standard_normal((5, 4)), draw.integers(-3, 4, (5, 4)).astype("i4"), draw.integers(0, 5, 7)
square = draw.standard_normal((3, 4, 4))
positive = square @ square.swapaxes(1, 2) + np.eye(4)
Point = namedtuple("Point", "x y")


def same(got, want, about):
    if isinstance(want, (tuple, list)):
        assert type(got) is type(want) and len(got) == len(want), about
        for a, b in zip(got, want):
            same(a, b, about)
        return
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (about, got.dtype, got.shape, want.dtype, want.shape)
    assert np.allclose(got, want, rtol=1e-9, atol=1e-9, equal_nan=True), (about, got, want)


def check(f, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # means of nothing
        want, compiled = f(*[np.copy(a) if isinstance(a, np.ndarray) else a for a in args]), mg.jit(f)
        for _ in range(2):
            same(compiled(*args), want, f)


def raises(f, *args, error, saying=""):
    try:
        mg.jit(f)(*args)
    except error as e:
        assert saying in str(e), (saying, str(e))
    else:
        raise AssertionError(f"not refused: {saying}")


def changed(change):
    def f(a, *args):
        b = a.copy()
        change(b, *args)
        return b
    return f


def test_masks():
    """What a mask chooses has sums, and goes back where it came from."""
    check(lambda a: (a[a > 0].sum(), a[a > 0].mean(), np.sum(a[a < 0] ** 2), (a[a > 0] > 1).any(), np.exp(a[a > 0]).sum(), a[a > 9].mean()), x)
    check(lambda a: (len(a[a > 0]), a[a > 0].size, np.count_nonzero(a[a > 0] > 1), a[a[:, 0] > 0].sum(axis=0)), x)
    check(lambda a: (a[a > 0].sum(), a[a > 0].mean(), a[a > 0].astype("f8").prod()), n)

    def twice(b):
        b[b > 0] = b[b > 0] * 2 + 1

    def before(b):  # what was chosen stays as it was
        m = b > 0
        v = b[m]
        b[m] = 0
        b[~m] += v.sum()

    def rows(b):
        b[b[:, 0] > 0] = b[1]
        b[b[:, 1] > 0] *= 2

    def in_place(b):
        b[b > 0] *= 3
        b[b == 0] = 9

    for change in (twice, before, rows, in_place):
        check(changed(change), x)
        check(changed(change), n)
    check(lambda a: (a[a > 0], a[a > 0].max(), np.sort(a[a > 0]), a[a > 0][:2], [b * 2 for b in a[a > 2]]), x)
    raises(lambda a: a[a > 0] + a[a < 0], x, error=mg.CaptureError, saying="MG refuses this")
    raises(lambda a: a[a > 0] + a[:, 0], x, error=mg.CaptureError, saying="MG refuses this")
    raises(lambda a: a[a[0] > 0], x, error=IndexError, saying="a mask of shape (4,) does not fit an array of shape (5, 4)")
    raises(changed(lambda b: b.__setitem__(b > 0, b[b < 0])), x, error=mg.CaptureError, saying="what another mask has chosen")


def test_masks_of_shapes():
    """Parts of arrays of different ranks are refused, since numpy aligns their last axes, and no array grows by what a mask changes."""
    v, m, z, column = np.array([1.0, 2, 4]), np.array([False, True, False]), np.zeros((3, 3)), np.zeros((3, 1))
    put = changed(lambda b, m, y: b.__setitem__(m, y[m]))

    def add(b, m, y):
        b[m] += y

    few = np.arange(len(v)) == 1
    check(lambda a, m, b: ((a[m] + b[m]).sum(), (b[m] * a[m]).sum()), v, few, z)
    for f in (lambda a, m, b: put(b, m, a), put):
        raises(f, v, m, z, error=mg.CaptureError, saying="for x and y of as many dimensions")
    for f in (changed(lambda b, m, y: b.__setitem__(m, y)), changed(add)):
        raises(f, column, m, np.ones(4), error=ValueError, saying="values of shape")
        check(f, z, m, v)
        check(f, z, m, v[:1])
    raises(put, column, m, np.ones((3, 4)), error=ValueError, saying="values of shape (3, 4) do not fit the places")
    check(lambda a, m, b: ((a[m] + b[m]).sum(), (a[m] * v).sum(axis=0)), column, m, z + v)
    check(put, z, m, column + 2)
    check(lambda a, m: a[:, m], z.T, m)
    check(changed(lambda b, m: b.__setitem__((slice(1, None), m), 1)), z.T, m)
    check(changed(lambda b, m: b.__setitem__((m, 0), 1)), z, m)
    raises(changed(lambda b, m: b.__setitem__((0, m), 1)), z, np.ones(7, bool), error=IndexError, saying="does not fit the axes")
    raises(lambda a: a[a], z, error=IndexError, saying="must be of integer")
    check(changed(lambda b, m: np.add.at(b, m, 1)), z, m)
    check(lambda a, m: np.modf(a[m])[0].sum(), z, m)


def test_places():
    """Arrays of indices say where elements change. Of several for one place, the last counts, or all do."""
    def several(b, i):
        b[i] = 3
        b[i % 2, 1] = 4
        b[:, i % 4] += 1
        b[i - 5] -= 2

    def others(b, i):
        b[i] = b[:, ::-1][i]
        b[i[::2], 1:3] = np.arange(8.0).reshape(4, 2)
        for k in range(3):
            b[i[k]] = b[i[k]] * 2

    def at(b, i):
        np.add.at(b, i, 1)
        np.add.at(b, (i, i % 4), b[i, 0])
        np.maximum.at(b, i, b[0] + 0)

    for change in (several, others, at):
        check(changed(change), x, i)
        check(changed(change), n, i)
    raises(changed(lambda b, i: b.__setitem__(i + 100, 1)), x, i, error=mg.Error, saying="computed from data, is outside 0 to 4")
    raises(changed(lambda b, i: b.__setitem__(i, np.ones((3, 4)))), x, i, error=ValueError, saying="broadcast")
    check(changed(lambda b, i: np.hypot.at(b, i, 1)), x, i)
    check(changed(lambda b, i: np.negative.at(b, i)), x, i)


def test_changes():
    """numpy's functions that change an array in place."""
    def copies(b, i):
        np.copyto(b, b + 1)
        np.copyto(b, 0, where=b > 1)
        np.putmask(b, b < -1, 7)
        np.putmask(b, b == 7, [1, 2, 3])
        np.place(b, b == 0, [5])

    def puts(b, i):
        np.put(b, i, [9, 8])
        np.put(b, i + 18, 4, mode="wrap")
        np.put_along_axis(b, i[:5, None] % 4, 5, 1)
        np.fill_diagonal(b, 1)

    for change in (copies, puts):
        check(changed(change), x, i)
        check(changed(change), n, i)
    check(lambda a: (np.lib.stride_tricks.sliding_window_view(a, 2, axis=0).sum(-1), np.lib.stride_tricks.sliding_window_view(a, (2, 3))), x)
    check(lambda a: np.unravel_index(np.argmax(a), a.shape), x)
    assert mg.jit(lambda a: f"{a.mean():.3f}")(x) == f"{x.mean():.3f}"
    before = np.zeros((5, 4))
    raises(lambda a: np.copyto(before, a), x, error=mg.CaptureError, saying="np.zeros_like(x) makes one that is")
    raises(changed(lambda b: np.copyto(b, 1.5)), n, error=TypeError, saying="Cannot cast")


def test_arrays_of_the_function():
    """Captured values go into arrays that the function makes itself, and index them."""
    x, i = np.random.default_rng(7).standard_normal((3, 4)), np.array([2, 0, 2])

    def filled(a, j):
        larger = np.zeros((4, 6), "f4")
        larger[:3, :4] = a
        larger[1:, 1:] += 1
        rows = np.empty((3, 2))
        for k in range(3):
            rows[k] = a[k, :2]
        counts = np.zeros(5, int)
        np.add.at(counts, j, 1)
        np.copyto(larger[:1], 2)
        return larger, rows, counts, np.full((2,), 3.5) * len(larger)

    def found(a, j):
        table = np.arange(4) ** 2
        return table[j], np.eye(3)[j] @ a, np.array([1.5, 2, 3])[j], np.linspace(0, 1, 3)[j], np.ones(3, bool)[j]

    check(filled, x, i)
    check(found, x, i)
    check(lambda j: 1 / np.array([0.0, 0.0, -0.0])[j], i)
    check(lambda a: np.full((2, 4), a[0]) + np.full(4, a[1, 1], "f4"), x)

    def elements(a, c):
        y, z, w = np.zeros((2, 3)), np.zeros(2, complex), np.zeros(3)
        y[0, 1] = a[0, 0]
        y[1, 2] += a[1, 1] * y[0, 1]
        z[0], z[1:] = c[0], c[1:2] * 2
        return y, z, np.linalg.norm(y), w

    def views(a):
        y = np.zeros(6)
        y.reshape(2, 3)[1, 2] = a[0, 0]  # numpy decides whether this changes y, so Python reads the number
        y.flat[0] = a[1, 1]
        return y + a[0, 1]

    whole = mg.jit(elements)
    for y in (x, x + 1):
        for got, want in zip(whole(y, y[0] * 1j), elements(y, y[0] * 1j)):
            same(got, want, "elements")
    assert len(whole.variants) == 1 and not mg.explain(whole).breaks
    check(views, x)
    outer = np.zeros((3, 4))

    def written(a):
        np.asarray(outer)[:] = a
        return outer + 1

    raises(written, x, error=mg.CaptureError, saying="known only when the function runs")  # it would not reach `outer`
    outside = np.zeros(4)

    def element(s, into=None):
        z = np.zeros(4) if into is None else into
        z[1] = s[0]
        return s + z

    check(lambda a: mg.loop(3, lambda i, s: element(s), a[0]), x)
    check(lambda a: mg.cond(a[0, 0] < 9, element, lambda s: s, a[0]), x)
    same(mg.grad(lambda a: mg.loop(3, lambda i, s: element(s), a).sum())(x[0]), np.array([4.0, 1, 1, 1]), "elements in a loop")
    raises(lambda a: mg.loop(3, lambda i, s: element(s, outside), a[0]), x, error=mg.CaptureError, saying="known only when the function runs")
    made = []

    def alone(a):
        made.append(np.zeros(2))
        return a + made[-1].tolist()[0]

    check(alone, x)
    assert type(made[-1]) is np.ndarray  # what numpy can compute is left to it


def test_nothing():
    """Of no elements there is no extreme, and everything else is as numpy has it."""
    none = np.zeros((0, 4))
    check(lambda a: (np.max(a, initial=3.0), a.max(1), a.sum(), a.std(), a[a > 0].sum(), np.sort(a), a @ a.T), none)
    for f in (lambda a: a.max(), lambda a: np.min(a, axis=0), lambda a: a.argmax()):
        raises(f, none, error=ValueError)
    total = mg.jit(lambda a: a.max(0))
    for rows in (3, 5, 4, 1):  # also when the size has become a dimension
        same(total(x[:rows]), x[:rows].max(0), "max")
    try:
        total(none)
        raise AssertionError("the largest of nothing")
    except ValueError:
        pass


def test_results():
    """Tuples with names stay what they are; other objects that hold captured values are refused."""
    check(lambda p: Point(p.x * p.y, p.x), Point(x, 2))
    check(lambda a: [*OrderedDict(a=a, b=a * 2).values()], x)
    assert type(mg.jit(lambda a: OrderedDict(a=a))(x)) is OrderedDict
    check(lambda a: (a.flat[3], [v for v in a.flat][:2]), x)

    class Other:
        def __init__(self, v):
            self.v = v

    for wrap in (Other, lambda a: [Other(a)], lambda a: deque([a])):
        raises(wrap, x, error=mg.CaptureError, saying="a result is a captured value in an object")
    raises(lambda a: map(abs, [a]), x, error=mg.CaptureError, saying="a result is an iterator")

    class Node:
        """Names all nodes, and counts how often it is looked at."""
        looks, nodes = 0, []

        def __init__(self):
            self.others = Node.nodes
            Node.nodes.append(self)

        def __getattr__(self, name):
            Node.looks += name == "__next__"
            raise AttributeError(name)

    shared = [Node() for _ in range(30)]
    mg.jit(lambda a: (a + 1, shared))(x)
    assert 0 < Node.looks <= 4 * len(shared), Node.looks

    def both(a):  # a list that is a result may be hidden in another one as well
        values = [a]
        return values, Other(values)

    raises(both, x, error=mg.CaptureError, saying="a result is a captured value in an object")


def test_views():
    """Parts and transposed arrays follow the array that they view; an array that may or may not share memory is refused."""
    def follows(make, change):
        def f(a):
            a = a.copy()
            b = make(a)
            change(a)
            return a, b, b * 2
        check(f, x)

    def first(a):
        a[0] = 7

    def add(a):
        a += 1

    for make in (np.transpose, lambda a: a[1:], lambda a: a[::2, 1], lambda a: a[:3].T[1:], lambda a: np.flip(a), np.diagonal, lambda a: a[None],
                 lambda a: np.broadcast_to(a, (2, 5, 4)), lambda a: a.flatten(), lambda a: a.astype(a.dtype)):
        for change in (first, add):
            follows(make, change)
    check(changed(lambda b: [b.__setitem__(k, b[k - 1] * 2) for k in range(1, 4)]), x)
    check(changed(lambda b: [b.__setitem__(k, row * 2) for k, row in enumerate(b)]), x)
    for make in (lambda a: a.reshape(-1), lambda a: a.T.ravel()):
        raises(lambda a: (b := a.copy(), make(b), first(b))[1], x, error=mg.CaptureError, saying="views in this way does not change in place")
    raises(lambda a: add((a * 2).T), x, error=mg.CaptureError, saying="a view of another array does not change in place")


def test_linalg():
    right = draw.standard_normal((3, 4, 2))
    check(lambda a, b: (np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.det(a)), square, right)
    check(lambda a: (np.linalg.cholesky(a), np.linalg.eigvalsh(a), np.linalg.eigvalsh(a, UPLO="U"), np.linalg.slogdet(a)), positive)
    check(lambda a: (np.abs(np.linalg.qr(a)[1]), np.matmul(*np.linalg.qr(a)), np.linalg.svd(a, compute_uv=False)), x)
    check(lambda a: (np.linalg.matrix_power(a, -2), np.linalg.matrix_power(a, 0)), square)
    check(lambda a, b: np.linalg.solve(a, b), square[0], right[0, :, 0])
    check(lambda a: np.linalg.inv(a), np.array([[1, 2], [3, 5]]))

    def rebuilt(a):
        w, v = np.linalg.eigh(a)
        u, s, t = np.linalg.svd(a[0, :3], full_matrices=False)
        return (v * np.sin(w)[:, None]) @ v.swapaxes(1, 2), (u * np.sin(s)) @ t

    check(rebuilt, positive)
    slope = mg.grad(lambda a: np.sum(np.linalg.slogdet(a)[1]))(positive)
    same(slope, np.linalg.inv(positive).swapaxes(1, 2), "the derivative of slogdet")
    raises(lambda a: np.linalg.inv(a), x, error=np.linalg.LinAlgError, saying="must be square")
    raises(lambda a: np.linalg.eig(a), x, error=np.linalg.LinAlgError, saying="must be square")
    assert np.isnan(mg.jit(lambda a: np.linalg.cholesky(a))(-positive)).any()


tests = [f for name, f in sorted(globals().items()) if name.startswith("test_")]
for test in tests:
    test()
    print(f"ok {test.__name__}")
sys.exit(0 if len(tests) >= 5 else 1)
