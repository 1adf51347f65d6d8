"""Tests the promises of the Python package about values, memory, errors and threads. python.sh runs it."""

import copy
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
import xml.etree.ElementTree

import numpy as np

import mg

SCALE = "mg 1\ngraph scale(x: f32[N, 2]) -> (y: f32[N, 2]) { y[n, i] = x[n, i] * 2 + 1 }\n"
PAIR = """mg 1
graph pair(x: f32[N], y: f32[N]) -> (total: f32[N], difference: f32[N]) {
    total = add(x, y)
    difference = sub(x, y)
}
graph pick(table: f32[V, 2], ids: i64[N]) -> (rows: f32[N, 2]) { rows[n, d] = table[ids[n], d] }
graph found(x: f32[N]) -> (taken: f32[some C <= N]) { taken = compress(x, x > 0, axis = 0) }
graph heavy(x: f32[N, N]) -> (y: f32[N, N]) { y = matmul(x, x) }
"""
DEEP = """mg 1
graph deep(x: f32[N, 16], w: f32[16, 16]) -> (y: f32[N, 16], z: f32[N]) {
    a = relu(matmul(x, w))
    b = softmax(matmul(a, w) + x)
    c = loop t in 0..3 carry (h = b) {
        g = tanh(matmul(h, w))
        next h = g
    }
    y = softmax(c + a, axis = 0)
    z = sum(y * b, axes = [1])
}
"""
TYPES = "mg 1\ngraph types(%s) -> (%s) {%s}\n"


def text(source, **options):
    return mg.compile_text(source, "net.mg", cache="", **options)


LINE = """mg 1
import nn
graph step(x: f32[N, 3], y: f32[N, 1], lr: f32[]) -> (loss: f32[]) {
    param net: nn.linear(features = 1)
    loss = mse_loss(net(x), y)
    for w in net { next w = sub(w, mul(derivative(loss, w), lr)) }
}
graph predict(x: f32[N, 3]) -> (y) {
    param net: nn.linear(features = 1)
    y = net(x)
}
"""


ROWS = """mg 1
graph step(ids: i64[N]) -> (loss: f32[]) {
    param a: f32[9] = 1
    param b: f32[4] = 2
    loss[] = sum[n] b[ids[n]]
    next a = mul(a, 2)
    next b = sub(b, derivative(loss, b))
}
"""
# a training with a parameter of 64 MiB, which prints the most memory that it had, in KiB
LARGE = """
import numpy as np, mg
source = '''mg 1
graph step(x: f32[4]) -> (loss: f32[]) {
    param w: f32[4096, 4096] = 0
    loss[] = sum[i, j] w[i, j] * x[i %% 4]
    next w = sub(w, mul(derivative(loss, w), 0.5))
}
'''
train = mg.Train(mg.compile_text(source, "net.mg", cache="", weights="initial", in_place=%s))
for _ in range(3):
    train.step(np.ones(4, "f4"))
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


class Training(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(1)
        self.x = rng.standard_normal((8, 3), dtype=np.float32)
        self.y = self.x @ np.float32([[1], [-2], [0.5]]) + 3
        self.train = mg.Train(text(LINE, graph="step", weights="initial:1"))

    def expected(self, w, b, x, y):
        """Computes one step in numpy, with rate 0.1."""
        off = 2 * (x @ w.T + b - y) / len(x)
        return w - np.float32(0.1) * (off.T @ x), b - np.float32(0.1) * off.sum(0)

    def test_steps(self):
        self.assertEqual(sorted(self.train), ["net.bias", "net.weight"])
        w, b = self.train["net.weight"], self.train["net.bias"]
        first = self.train.step(self.x, self.y, lr=0.1)
        for key, want in zip(("net.weight", "net.bias"), self.expected(w, b, self.x, self.y)):
            np.testing.assert_allclose(self.train[key], want, rtol=1e-5, atol=1e-6)
        for _ in range(200):
            last = self.train.step(x=self.x, y=self.y, lr=0.1)
        self.assertLess(last, 1e-3 * first)
        before = self.train["net.bias"]
        self.train.evaluate(self.x, self.y, 0.1)
        np.testing.assert_array_equal(self.train["net.bias"], before)
        self.train.step(self.x, self.y + 1, 0.1)
        self.assertNotEqual(self.train["net.bias"], before)
        self.train.undo()
        np.testing.assert_array_equal(self.train["net.bias"], before)
        self.assertRaises(mg.Error, self.train.undo)

    def test_another_graph_and_files(self):
        predict = text(LINE, graph="predict", weights="initial:1", open_parameters=True)
        self.train["net.weight"] = np.float32([[1, 2, 3]])
        self.train["net.bias"] = np.float32([4])
        np.testing.assert_allclose(self.train.run(predict, self.x), self.x @ [[1], [2], [3]] + 4, rtol=1e-5, atol=1e-5)
        with tempfile.TemporaryDirectory() as folder:
            self.train.save(folder + "/new")
            self.train["net.bias"] = np.float32([5])
            self.train.load(folder + "/new")
            self.assertRaises(mg.Error, self.train.load, folder)
        self.assertEqual(self.train["net.bias"], 4)

    def test_on_a_device(self):
        try:
            train = mg.Train(text(LINE, graph="step", weights="initial:1", target="gpu", device="0"))
        except mg.Error as error:
            if error.status != 3:
                raise
            self.skipTest(str(error))
        for _ in range(2):
            loss = self.train.step(self.x, self.y, lr=0.1)
            np.testing.assert_allclose(train.step(self.x, self.y, lr=0.1), loss, rtol=1e-5, atol=1e-5)
        predict = text(LINE, graph="predict", target="gpu", weights=train.model, open_parameters=True)
        want = self.x @ train["net.weight"].T + train["net.bias"]
        np.testing.assert_allclose(train.run(predict, self.x), want, rtol=1e-5, atol=1e-5)

    def test_batches_of_a_step(self):
        train = mg.Train(text(LINE, graph="step", weights="initial:1", accumulate=True))
        w, b = train["net.weight"], train["net.bias"]
        train.add(self.x[:4], self.y[:4], 0.1)
        np.testing.assert_array_equal(train["net.weight"], w)
        train.step(self.x[4:], self.y[4:], 0.1)
        for key, want in zip(("net.weight", "net.bias"), self.expected(w, b, self.x, self.y)):
            np.testing.assert_allclose(train[key], want, rtol=1e-5, atol=1e-6)

    def test_steps_in_place(self):
        apart, train = self.train, mg.Train(text(LINE, graph="step", weights="initial:1", in_place=True))
        for _ in range(5):
            np.testing.assert_array_equal(train.step(self.x, self.y, 0.1), apart.step(self.x, self.y, 0.1))
            np.testing.assert_array_equal(train.evaluate(self.x, self.y, 0.1), apart.evaluate(self.x, self.y, 0.1))
            for key in train:
                np.testing.assert_array_equal(train[key], apart[key])
        with self.assertRaisesRegex(mg.Error, "steps in place can't be undone"):
            train.undo()
        train["net.bias"] = np.float32([4])
        self.assertEqual(train["net.bias"], 4)

    def test_a_failed_step_in_place(self):
        train = mg.Train(text(ROWS, graph="step", weights="initial:1", in_place=True))
        with tempfile.TemporaryDirectory() as folder:
            train.step(np.int64([1, 2]))
            train.save(folder)
            with self.assertRaisesRegex(mg.Error, "outside 0 to 3: it is 4"):
                train.step(np.int64([4]))
            with self.assertRaisesRegex(mg.Error, "load them first"):
                train["a"]
            train.load(folder)
        np.testing.assert_array_equal(train["b"], [2, 1, 1, 2])
        train.step(np.int64([0]))
        np.testing.assert_array_equal(train["b"], [1, 1, 1, 2])

    @unittest.skipUnless(os.path.exists("/proc/self/status"), "needs /proc")
    def test_memory_of_steps_in_place(self):
        apart, in_place = (
            int(subprocess.run([sys.executable, "-c", LARGE % how], check=True, capture_output=True).stdout)
            for how in (False, True)
        )
        self.assertGreater(apart - in_place, 0.9 * 64 * 1024)  # KiB: the second copy of w

    def test_refusals(self):
        for bad in (
            lambda: self.train.step(self.x, self.y),
            lambda: self.train.step(self.x, self.y, 0.1, 1),
            lambda: self.train.step(self.x, self.y, lr=0.1, rate=1),
            lambda: self.train.step(self.x, self.y, x=self.x, lr=0.1),
        ):
            self.assertRaises(TypeError, bad)
        with self.assertRaises(KeyError):
            self.train["nosuch"]
        for bad in (
            lambda: self.train.step(self.x[:, :2], self.y, 0.1),
            lambda: self.train.step(self.x, self.y.astype("f8"), 0.1),
            lambda: self.train.__setitem__("net.bias", np.zeros(2, "f4")),
            lambda: self.train.add(self.x, self.y, 0.1),
            lambda: mg.Train(text(SCALE)),
        ):
            self.assertRaises(mg.Error, bad)


class Calls(unittest.TestCase):
    def test_values_at_every_level(self):
        x = np.random.default_rng(1).standard_normal((5, 2)).astype(np.float32)
        for options in ({"level": 0}, {"level": 1}, {}, {"level": 3, "threads": 2}, {"interpret": True}):
            np.testing.assert_allclose(text(SCALE, **options)(x), x * 2 + 1, rtol=1e-6)

    def test_shapes_may_change(self):
        net = text(SCALE)
        for n in (1, 3, 0, 3, 8, 2, 5, 6, 1):
            x = np.arange(2 * n, dtype=np.float32).reshape(n, 2)
            y = net(x)
            self.assertEqual(y.shape, (n, 2))
            np.testing.assert_array_equal(y, x * 2 + 1)

    def test_named_and_several(self):
        net = text(PAIR, graph="pair")
        x, y = np.float32([1, 2]), np.float32([5, 7])
        for out in (net(x, y), net(x, y=y), net(y=y, x=x)):
            np.testing.assert_array_equal(out.total, [6, 9])
            np.testing.assert_array_equal(out["difference"], [-4, -5])
            total, difference = out
            self.assertIs(out[0], total)
        with self.assertRaises(AttributeError):
            out.nosuch
        for bad in (lambda: net(x), lambda: net(x, x=x, y=y), lambda: net(x, y, x), lambda: net(x, z=y)):
            self.assertRaises(TypeError, bad)

    def test_every_type(self):
        names = ["f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool", "f8e4m3", "f8e5m2"]
        net = text(
            TYPES
            % (
                ", ".join(f"a{t}: {t}[2]" for t in names),
                ", ".join(f"b{t}: {t}[2]" for t in names),
                "".join(f"\n b{t}[i] = a{t}[1 - i]" for t in names),
            )
        )
        inputs = [np.array([0, 1], p.dtype) for p in net.inputs]
        for port, y in zip(net.outputs, net(*inputs)):
            self.assertEqual((y.dtype, y.tolist()), (port.dtype, [1, 0]))

    def test_numbers_without_type(self):
        np.testing.assert_array_equal(text(SCALE)([[1, 2]]), [[3, 5]])

    def test_strides_and_alignment(self):
        net = text(SCALE)
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        np.testing.assert_array_equal(net(x[:, ::3]), x[:, ::3] * 2 + 1)
        np.testing.assert_array_equal(net(x[:2].T[:4:2]), x[:2].T[:4:2] * 2 + 1)
        raw = np.zeros(17, np.uint8)[1:].view(np.float32).reshape(2, 2)
        np.testing.assert_array_equal(net(raw), np.ones((2, 2)))

    def test_scalars(self):
        net = text("mg 1\ngraph f(x: f32[]) -> (y: f32[]) { y[] = x[] + 1 }\n")
        self.assertEqual((net(np.float32(2)).shape, float(net(2.0))), ((), 3.0))

    def test_random_weights(self):
        source = "mg 1\ngraph net(x: f32[4]) -> (y: f32[4]) { param w: f32[4]\n y = x * w }\n"
        x = np.ones(4, np.float32)
        y = text(source, weights="random")(x)
        self.assertTrue(((y > 0.8) & (y < 1.2)).all(), y)
        self.assertTrue((text(source, weights="random:0")(x) == y).all())
        self.assertTrue((text(source, weights="random:1")(x) != y).any())
        with self.assertRaises(mg.Error) as caught:
            text(source, weights="noise")
        self.assertEqual(caught.exception.status, 2)

    def test_other_arrays(self):
        class Foreign:
            def __init__(self, x):
                self.x = x

            def __dlpack__(self, **options):
                return self.x.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.x.__dlpack_device__()

        x = np.ones((3, 2), np.float32)
        np.testing.assert_array_equal(text(SCALE)(Foreign(x)), x * 3)


class Memory(unittest.TestCase):
    def test_out(self):
        net = text(SCALE)
        x, y = np.ones((3, 2), np.float32), np.zeros((3, 2), np.float32)
        for _ in range(3):
            y[:] = 0
            self.assertIs(net(x, out=y), y)
            self.assertEqual(y.sum(), 18)
        self.assertIs(net(x, out={"y": y}), y)
        self.assertIs(net(x, out=[y]), y)
        for bad in (np.zeros((2, 2), np.float32), np.zeros((3, 2)), np.zeros((2, 3), np.float32), y[:, ::-1]):
            self.assertRaises(mg.Error, net, x, out=bad)
        self.assertRaises(TypeError, net, x, out={"z": y})
        np.testing.assert_array_equal(net(x), x * 3)  # the model still works
        both = np.zeros((4, 2), np.float32)
        for bad in (x, both[1:]):
            with self.assertRaises(mg.Error) as caught:
                net(x if bad is x else both[:3], out=bad)
            self.assertEqual((caught.exception.status, str(caught.exception)), (2, "out for y shares memory with x"))
        pair = text(PAIR, graph="pair")
        one = np.ones(2, np.float32)
        with self.assertRaises(mg.Error):
            pair(one, one, out=[y[0], y[0]])
        raw = np.zeros(25, np.uint8)[1:].view(np.float32).reshape(3, 2)
        with self.assertRaises(mg.Error):  # not aligned
            net(x, out=raw)

    def test_results_stay(self):
        net = text(SCALE)
        all_results = [(k, net(np.full((4, 2), k, np.float32))) for k in range(10)]
        for k, y in all_results:
            self.assertEqual(y.tolist(), [[2 * k + 1] * 2] * 4)

    def test_views(self):
        net = text(SCALE)
        x = np.ones((4, 2), np.float32)
        y = net(x, copy=False)
        self.assertFalse(y.flags.owndata)
        net(x * 2, copy=False)
        self.assertEqual(y[0, 0], 5)  # the library's memory
        del net
        self.assertEqual(y[0, 0], 5)  # a view keeps that memory alive

    def test_sizes_that_data_decide(self):
        net = text(PAIR, graph="found")
        for x in ([0, 3, 0, 5], [1, 1, 1, 1], [0, 0, 0, 0], [0, 0, 0, 7]):
            self.assertEqual(net(np.float32(x)).tolist(), [v for v in x if v > 0])
        room = np.zeros(4, np.float32)
        self.assertEqual(net(np.float32([0, 3, 0, 5]), out=room).tolist(), [3, 5])
        self.assertEqual(room[1], 5)


class Errors(unittest.TestCase):
    def check(self, status, words, call, *arguments, **named):
        with self.assertRaises(mg.Error) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.status, status)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_source(self):
        bad = "mg 1\ngraph f(x: f32[2]) -> (y: f32[2]) { y = rleu(x) }\n"
        self.check(1, ["net.mg:2:", "rleu", "did you mean", "^"], text, bad)
        self.check(1, ["cannot open"], mg.compile, "/nonexistent/net.mg")
        self.check(1, ["has 4 graphs"], text, PAIR)
        self.check(1, ["did you mean 'pair'"], text, PAIR, graph="pare")

    def test_arrays(self):
        net = text(PAIR, graph="pair")
        x = np.float32([1, 2])
        self.check(1, ["x", "f32", "float64"], net, x.astype(np.float64), x)
        self.check(1, ["1 dimension", "2"], net, x.reshape(1, 2), x)
        self.check(1, ["N"], net, x, np.float32([1, 2, 3]))
        self.assertEqual(net(x, x).total.tolist(), [2, 4])

    def test_long_sums_round_as_often_as_short_ones(self):
        for m, n, k in ((32, 64, 4000), (30, 70, 1000), (28, 32, 190)):
            a, b = (np.random.default_rng(i).standard_normal(s, dtype="f4") for i, s in enumerate(((m, k), (k, n))))
            want = a.astype("f8") @ b
            y = text(f"mg 1\ngraph net(a: f32[{m}, {k}], b: f32[{k}, {n}]) -> (y) {{ y = matmul(a, b) }}")(a, b)
            error = np.sqrt(np.mean((y - want) ** 2) / np.mean(want**2))
            self.assertLess(error, 3e-7, (m, n, k))  # a single chain of 1000 has 5.6e-7

    def test_numbers_of_options(self):
        for options in (dict(threads=-1), dict(threads=2**32 + 1), dict(memory_limit=-1)):
            self.assertRaisesRegex(ValueError, "it goes from 0 to", mg.compile_text, SCALE, **options)
        for options in (dict(threads="two"), dict(level="three")):
            self.assertRaisesRegex(TypeError, "it is a whole number", mg.compile_text, SCALE, **options)
        for options in (dict(mode="fast"), dict(precision="f8"), dict(weights_type="i3")):
            self.assertRaisesRegex(ValueError, "it is one of", mg.compile_text, SCALE, **options)

    def test_traps(self):
        net = text(PAIR, graph="pick")
        table = np.float32([[1, 2], [3, 4]])
        self.check(3, ["net.mg:6:"], net, table, np.int64([0, 2]))
        self.assertEqual(net(table, np.int64([1])).tolist(), [[3, 4]])

    def test_warnings(self):
        source = "mg 1\ngraph f(x: i8[N]) -> (y: i8[]) { y[] = sum[n] x[n] }\n"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            text(source)
        self.assertIn("net.mg:2:", str(caught[0].message))


@mg.jit
def jitted(x):
    return x + 1


class Models(unittest.TestCase):
    def test_copies(self):
        """A second object must not release what it shares with the first one."""
        net = text(SCALE)
        self.assertTrue(copy.copy(net) is copy.deepcopy([net])[0] is net)
        train = mg.Train(text("mg 1\ngraph step(x: f32[2]) -> (loss: f32[]) {\n  param w: f32[2] = 0.5\n  loss = sum(x * w)\n  next w = w - x\n}\n",
                              weights="initial"))
        for copied, how in ((net, pickle.dumps), (train, copy.copy), (train, copy.deepcopy), (train, pickle.dumps)):
            with self.assertRaisesRegex(TypeError, "can't be copied or pickled"):
                how(copied)
        self.assertTrue(copy.deepcopy(jitted) is pickle.loads(pickle.dumps(jitted)) is jitted)
        self.assertEqual(jitted(np.ones(2)).tolist(), [2, 2])

    def test_description(self):
        net = text(SCALE)
        self.assertEqual((net.graph, net.dims), ("scale", ("N",)))
        self.assertEqual(net.inputs, (mg.Port("x", "f32", np.dtype(np.float32), ("N", 2)),))
        self.assertIn("scale(x: f32[N, 2]) -> (y: f32[N, 2])", repr(net))

    def test_pictures(self):
        names = "mg 1\ngraph `a<b>`(`x&\"`: f32[N, 4], w: f32[4, 4]) -> (y: f32[N, 4]) { h = matmul(`x&\"`, w)\n y = softmax(h) }\n"
        net = text(names)
        self.assertIn("call the model first", net._repr_html_())
        with self.assertRaisesRegex(mg.Error, "is not bound"):
            net.picture("memory")
        net(np.ones((3, 4), np.float32), np.ones((4, 4), np.float32))
        for what in ("graph", "memory"):
            lines = [e.text for e in xml.etree.ElementTree.fromstring(net.picture(what)).iter() if e.tag.endswith("text")]
            self.assertTrue(any("a<b>" in line for line in lines), lines)
        net(np.ones((5, 4), np.float32), np.ones((4, 4), np.float32))  # still runs, and for other sizes
        self.assertIn("<svg", net.picture("memory"))
        for way in ({"interpret": True}, {"mode": "immediate"}):
            self.assertIsNone(text(SCALE, **way).picture("memory"))
            self.assertIn("no plan of memory", text(SCALE.replace("N", "3"), **way)._repr_html_())
        with self.assertRaisesRegex(mg.Error, "'graph' or 'memory', not 'plan'"):
            net.picture("plan")

    def test_pictures_as_rendered(self):
        """A browser lays out what a notebook shows: all text lies in its picture, and no line over another."""
        browser = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
        if not browser:
            self.skipTest("no chromium")
        net = mg.compile_text(DEEP, "net.mg", cache="")
        net(np.ones((2, 16), np.float32), np.ones((16, 16), np.float32))
        script = """
            document.querySelectorAll("details").forEach(d => d.open = true);
            const wrong = [], pictures = [...document.querySelectorAll("svg")];
            for (const svg of pictures) {
                const all = svg.getBoundingClientRect(), lines = [...svg.querySelectorAll("text:not([transform])")];
                const boxes = lines.map(t => t.getBoundingClientRect());
                boxes.forEach((a, i) => {
                    if (!a.width || a.left < all.left || a.right > all.right || a.top < all.top || a.bottom > all.bottom)
                        wrong.push("outside: " + lines[i].textContent);
                    boxes.slice(i + 1).forEach((b, k) => {
                        if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
                            wrong.push("over each other: " + lines[i].textContent + " / " + lines[i + 1 + k].textContent);
                    });
                });
            }
            document.body.dataset.checked = pictures.length + " pictures, " + wrong.length + " wrong: " + wrong.slice(0, 3).join("; ");
        """
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            with open(path, "w") as f:
                f.write(f"<!doctype html><meta charset='utf-8'><body>{net._repr_html_()}<script>{script}</script></body>")
            flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={folder}/browser"]
            page = subprocess.run([browser, *flags, "--virtual-time-budget=5000", "--dump-dom", f"file://{path}"], capture_output=True, text=True, timeout=900)
        self.assertIn('data-checked="2 pictures, 0 wrong: "', page.stdout, page.stdout[-300:] + page.stderr[-300:])

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "net.mg")
            with open(path, "w") as f:
                f.write(SCALE)
            x = np.ones((1, 2), np.float32)
            self.assertEqual(mg.compile(path, cache="")(x).tolist(), [[3, 3]])
            package = os.path.join(folder, "net.mgb")
            self.assertEqual(os.spawnlp(os.P_WAIT, os.environ["MGC"], "mgc", path, "-o", package, "--no-cache"), 0)
            self.assertEqual(mg.load(package, cache="")(x).tolist(), [[3, 3]])

    def test_profile(self):
        net = text(PAIR, graph="heavy")
        x = np.ones((64, 64), np.float32)
        times = net.profile(x)
        kernels = [t for t in times if t.kind == "kernel"]
        self.assertTrue(any(t.kind == "call" and t.name == "heavy" for t in times))
        self.assertEqual(sum(t.flops for t in kernels), 2 * 64**3)
        self.assertTrue(all(t.end >= t.begin and t.place.startswith("net.mg:") for t in kernels))
        self.assertEqual(net(x)[0, 0], 64)  # and without the hook

    def test_device(self):
        try:
            net = text(SCALE, target="gpu", device="0")
        except mg.Error as error:
            if error.status != 3:
                raise
            self.skipTest(str(error))
        for n in (1, 3):
            x = np.arange(2 * n, dtype=np.float32).reshape(n, 2)
            np.testing.assert_allclose(net(x), x * 2 + 1, rtol=1e-6)
        fork = multiprocessing.get_context("fork")
        results = fork.SimpleQueue()

        def work():  # A driver doesn't survive in the child. Tests the model that the child inherited, and one that it opens itself.
            for call in lambda: net(x), lambda: text(SCALE, target="gpu"):
                try:
                    call()
                    results.put((0, ""))
                except mg.Error as error:
                    results.put((error.status, str(error)))

        child = fork.Process(target=work)
        child.start()
        child.join(60)
        self.assertEqual(child.exitcode, 0)
        for status, message in results.get(), results.get():
            self.assertEqual(status, 3)
            self.assertIn("fork()", message)

    def test_threads_share_a_model(self):
        net = text(PAIR, graph="heavy")
        wrong = []

        def work(seed):
            x = np.random.default_rng(seed).integers(-3, 4, (96, 96)).astype(np.float32)
            for _ in range(20):
                if not np.array_equal(net(x), x @ x):
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

    def test_forked_children(self):
        source = "mg 1\ngraph net(x: f32[N, 4096]) -> (y: f32[N, 4096]) { y = softmax(x) }\n"
        net = text(source, threads=2)
        x = np.ones((256, 4096), np.float32)
        want = net(x)
        fork = multiprocessing.get_context("fork")
        results = fork.SimpleQueue()

        def work():
            results.put(bool((net(x) == want).all() and (net(x[:7]) == want[:7]).all()))

        children = [fork.Process(target=work) for _ in range(3)]
        for child in children:
            child.start()
        for child in children:
            child.join(60)
            self.assertEqual(child.exitcode, 0)
        self.assertEqual([results.get() for _ in children], [True] * 3)
        self.assertTrue((net(x) == want).all())

    def test_forks_while_threads_compile(self):
        """Children compile, even those that begin while LLVM is loaded or another thread compiles, also a model of the parent."""
        code = r"""
import mg, numpy as np, os, threading, time
SOURCE = "mg 1\ngraph net(x: f32[N, %d]) -> (y: f32[N, %d]) { y = softmax(x) }\n"

def compiled(size):
    return mg.compile_text(SOURCE % (size, size), threads=2)

def right(net, rows, size):
    return np.allclose(net(np.ones((rows, size), "f4")).sum(), rows, atol=1e-2)

shared, going = compiled(9), True

def work(first):
    size = first
    while going:
        size += 1
        assert right(compiled(size), 3, size) and right(shared, size % 50 + 1, 9)

threads = [threading.Thread(target=work, args=(100 * k,)) for k in (1, 2)]
for t in threads:
    t.start()
try:
    for k in range(12):
        child = os.fork()
        if not child:
            try:
                good = right(compiled(7 + k), 40, 7 + k) and right(shared, 60 + k, 9)
                os._exit(0 if good else 3)
            finally:
                os._exit(4)
        end = time.monotonic() + 60
        while True:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            if time.monotonic() > end:
                os.kill(child, 9)
                os.waitpid(child, 0)
                raise SystemExit("a child hangs")
            time.sleep(0.005)
        assert status == 0, status
finally:
    going = False
for t in threads:
    t.join()
print("end")
"""
        self.assertEqual(self.run_python(code), "end\n")

    def test_wrong_arrays(self):
        """Another byte order, kinds that MG doesn't have and masks are refused by name; views are read as they are."""
        net = text(SCALE)
        x = np.arange(4, dtype=np.float32).reshape(2, 2)
        fields = np.zeros((2, 2), [("a", "f4")])
        for bad in (x.astype(">f4"), x.astype("c8"), x.astype(object), fields, x.astype("M8[s]"), np.ma.masked_less(x, 1)):
            with self.assertRaisesRegex(mg.Error, "input x is"):
                net(bad)
        wide = np.arange(32, dtype=np.float32).reshape(4, 8)
        shifted = np.ndarray((2, 2), "f4", buffer=bytearray(b"\0" * 17), offset=1)
        for view in (wide[::2, ::-5], wide.T[:2, 1:3], shifted, np.broadcast_to(np.float32(3), (2, 2))):
            np.testing.assert_array_equal(net(view), view * 2 + 1)

    def run_python(self, code):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_end_of_the_interpreter(self):
        """Threads that run a network don't disturb the end of the program."""
        out = self.run_python(f"import mg, numpy as np, threading, time\nnet = mg.compile_text({PAIR!r}, graph='heavy', threads=2)\n"
                              "x = np.ones((200, 200), 'f4')\nnet(x)\n"
                              "def work():\n    while True:\n        net(x)\n"
                              "for _ in range(3):\n    threading.Thread(target=work, daemon=True).start()\ntime.sleep(0.2)\nprint('end')")
        self.assertEqual(out, "end\n")

    def test_another_interpreter(self):
        """In a sub-interpreter, a network runs if numpy can be imported there."""
        inner = f"import mg, numpy as np\nprint(mg.compile_text({SCALE!r})(np.ones((1, 2), 'f4')).sum())"
        self.run_python("try:\n    import _xxsubinterpreters as s\nexcept ImportError:\n    try:\n        import _interpreters as s\n"
                        "    except ImportError:\n        raise SystemExit\n"
                        f"one = s.create()\ntry:\n    s.run_string(one, {inner!r})\nexcept Exception as e:\n"
                        "    assert 'ImportError' in repr(e) or 'subinterpreter' in repr(e).lower(), e\n")
        self.run_python("try:\n    import _xxsubinterpreters as s\nexcept ImportError:\n    raise SystemExit\n"
                        f"import mg, numpy as np\nnet = mg.compile_text({SCALE!r})\ns.run_string(s.create(), 'import ctypes')\n"
                        "assert net(np.ones((1, 2), 'f4')).shape == (1, 2)\n")

    def test_other_threads_run_meanwhile(self):
        net = text(PAIR, graph="heavy", level=0)
        x = np.ones((640, 640), np.float32)
        net(x)
        ticks, running, most = [], True, 0

        def tick():
            while running:
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        for _ in range(100):  # a busy machine may leave the other thread out of a run, not out of all
            begin = time.perf_counter()
            net(x)
            end = time.perf_counter()
            most = max(most, sum(begin < t < end for t in ticks))
            if most > 3:
                break
        running = False
        thread.join()
        self.assertGreater(most, 3)


if __name__ == "__main__":
    unittest.main()
