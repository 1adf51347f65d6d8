"""Tests mg.jit on 500 drawn functions: each must give what numpy gives, in type, shape and values, for other sizes too.

    python3 test_drawn.py [COUNT] [SEED]

Seeds from 10000 on also draw arrays as indices, contractions, several axes, statistics and changes in place.
"""

import sys
import warnings

import numpy as np

import mg

WIDE = 10000  # functions of seeds from here on have more kinds of steps
ATOM = np.array([-2.0, -1.5, -1.0, -0.5, -0.25, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0])


class Value:
    """A value of a function that is being drawn: its name, an example, and whether its numbers are exact, so that jumps are safe."""

    def __init__(self, name, array, exact):
        self.name, self.array, self.exact = name, array, exact


class Drawer:
    def __init__(self, seed, wide=False):
        self.r, self.wide = np.random.default_rng(seed), wide
        self.lines, self.values, self.inputs = [], [], []

    def pick(self, options):
        return options[self.r.integers(len(options))]

    def array(self, shape, dtype):
        if dtype == "?":
            return self.r.integers(0, 2, shape).astype(bool)
        if dtype[0] == "i":
            return self.r.integers(-4, 6, shape).astype(dtype)
        return self.r.choice(ATOM, shape).astype(dtype)

    def add_input(self, shape):
        name = "xyzw"[len(self.inputs)]
        array = self.array(shape, self.pick(["f4", "f4", "f8", "i4", "i8", "?"]))
        self.inputs.append(array)
        self.values.append(Value(name, array, True))

    def take(self, want):
        """Picks a value that fits, the newest ones most often."""
        fitting = [v for v in self.values if want(v)]
        return self.pick(fitting[-4:]) if fitting else None

    def keep(self, text, exact):
        """Adds the line if numpy accepts it, and the numbers stay small and finite."""
        scope = {v.name: v.array for v in self.values}
        try:
            result = eval(text, {"np": np}, scope)
        except (ValueError, TypeError, IndexError, ZeroDivisionError, AttributeError):  # an older numpy lacks some
            return
        if not isinstance(result, (np.ndarray, np.generic)) or result.size > 300 or result.dtype.kind not in "fib":
            return
        if result.dtype not in (np.float32, np.float64, np.int32, np.int64, np.bool_):
            return
        if result.size and result.dtype.kind != "b" and not (np.isfinite(result).all() and np.abs(result).max() < 1e4):
            return
        name = f"v{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        self.values.append(Value(name, np.asarray(result), exact))

    # ------------------------------------------------------------------ steps
    def elementwise(self):
        v = self.take(lambda v: v.array.dtype.kind in "fi")
        if not v:
            return
        f = self.pick(["np.tanh", "np.exp", "np.sin", "np.cos", "np.arctan", "np.sqrt", "np.log1p", "np.square", "np.negative", "np.abs",
                       "np.reciprocal", "np.floor", "np.ceil", "np.sign", "np.rint"])
        exact = f in ("np.negative", "np.abs", "np.square", "np.sign", "np.floor", "np.ceil", "np.rint")
        if (f in ("np.floor", "np.ceil", "np.sign", "np.rint") and not v.exact) or (f == "np.reciprocal" and v.array.dtype.kind == "i"):
            return
        inner = f"np.abs({v.name})" if f in ("np.sqrt", "np.log1p") else v.name
        self.keep(f"{f}({inner})", exact and v.exact)

    def binary(self):
        a, b = self.take(lambda v: True), self.take(lambda v: True)
        if a.array.dtype.kind == "b" and b.array.dtype.kind == "b":
            return self.keep(f"{a.name} {self.pick('&|^')} {b.name}", True)
        sign = self.pick(["+", "-", "*", "/"])
        if sign == "/":
            return self.keep(f"{a.name} / (np.abs({b.name}) + 1)", False)
        self.keep(f"{a.name} {sign} {b.name}", a.exact and b.exact and np.result_type(a.array, b.array) != np.float32)

    def scalar(self):
        v = self.take(lambda v: v.array.dtype.kind in "fi")
        if v:
            text = self.pick(["{} * 2", "{} + 1", "3 - {}", "{} * 0.5", "{} - 0.25", "{} ** 2", "np.maximum({}, 0)", "np.clip({}, -1, 1)"])
            self.keep(text.format(v.name), v.exact)

    def compare(self):
        a = self.take(lambda v: v.exact and v.array.dtype.kind in "fi")
        b = self.take(lambda v: v.exact and v.array.dtype.kind in "fi")
        if a and b:
            self.keep(f"{a.name} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {b.name}", True)

    def choose(self):
        c, a, b = self.take(lambda v: v.array.dtype.kind == "b"), self.take(lambda v: True), self.take(lambda v: True)
        if c:
            self.keep(f"np.where({c.name}, {a.name}, {b.name})", a.exact and b.exact)

    def reduce(self):
        v = self.take(lambda v: v.array.ndim and v.array.size)
        if not v:
            return
        axis, kind = int(self.r.integers(v.array.ndim)), v.array.dtype.kind
        f = self.pick(["any", "all"] if kind == "b" else ["sum", "mean", "max", "min", "prod", "argmax", "cumsum", "std", "sort"])
        if (f in ("argmax", "sort") and not v.exact) or (f == "cumsum" and v.array.dtype == np.float32):
            return
        if f in ("cumsum", "sort"):
            return self.keep(f"np.{f}({v.name}, axis={axis})", f == "sort" or kind == "i")
        keep = ", keepdims=True" if self.r.random() < 0.5 and f != "argmax" else ""
        where = f"axis={axis}" if self.r.random() < 0.8 else "axis=None"
        self.keep(f"{v.name}.{f}({where}{keep})", kind in "bi" and f not in ("mean", "std") or f in ("max", "min", "argmax") and v.exact)

    def move(self):
        v = self.take(lambda v: v.array.ndim)
        if not v:
            return
        n, axis = v.array.ndim, int(self.r.integers(v.array.ndim))
        size = v.array.shape[axis]
        before = ":, " * axis
        self.keep(self.pick([
            f"{v.name}.T", f"np.flip({v.name}, {axis})", f"np.expand_dims({v.name}, {axis})", f"{v.name}.reshape(-1)", f"{v.name}[{before}1:]",
            f"{v.name}[{before}::2]", f"{v.name}[{before}::-1]", f"{v.name}[{before}{int(self.r.integers(-size, size)) if size else 0}]",
            f"np.swapaxes({v.name}, 0, {n - 1})", f"np.roll({v.name}, 1, {axis})", f"np.concatenate([{v.name}, {v.name}], axis={axis})",
            f"np.stack([{v.name}, {v.name} * 1])", f"np.repeat({v.name}, 2, axis={axis})", f"np.tile({v.name}, 2)", f"{v.name}[..., None]"]), v.exact)

    def product(self):
        a, b = self.take(lambda v: v.array.ndim and v.array.dtype.kind == "f"), self.take(lambda v: v.array.ndim and v.array.dtype.kind == "f")
        if a and b:
            self.keep(self.pick([f"{a.name} @ {b.name}", f"np.dot({a.name}, {b.name})" if a.array.ndim < 3 and b.array.ndim < 3 else f"{a.name} @ {b.name}", f"{a.name} @ {b.name}.T", f"np.outer({a.name}, {b.name})"]), False)

    def axes(self, v):
        """Draws one or more axes of a value, as a tuple, which may count from the end."""
        n = v.array.ndim
        some = self.r.permutation(n)[:int(self.r.integers(1, n + 1))]
        return tuple(int(i) - n * int(self.r.integers(2)) for i in some)

    def places(self, n, shape):
        return np.array2string(self.r.integers(-n, n, shape), separator=", ").replace("\n", "")

    def index(self):
        v = self.take(lambda v: v.array.ndim and v.array.size)
        if not v:
            return
        n, keys, used = v.array.ndim, [], 0
        shape = self.pick([(2,), (3,), (2, 1), ()])
        for size in v.array.shape:
            kind = self.r.integers(6)
            if kind < 2:
                keys.append(f"np.array({self.places(size, shape)})")
                used += 1
            elif kind == 2:
                keys.append(str(int(self.r.integers(-size, size))))
            else:
                keys.append(self.pick([":", "::-1", "1:", "::2", "-2:", ":-1", "-1:0:-1"]))
        text = self.pick([f"{v.name}[{', '.join(keys)}]", f"{v.name}[..., {keys[-1]}]", f"{v.name}[{keys[0]}]", f"{v.name}[None, ..., ::-1]",
                          f"np.take({v.name}, {self.places(v.array.shape[-1], (2, 2))}, axis=-1)", f"{v.name}[{v.name}.shape[0] // 2]",
                          f"np.take_along_axis({v.name}, np.argsort({v.name} * 0, axis={n - 1}, kind='stable'), axis={n - 1})"])
        self.keep(text, v.exact)

    def reduce_several(self):
        v = self.take(lambda v: v.array.ndim and v.array.size and v.array.dtype.kind in "fi")
        if not v:
            return
        axes, keep = self.axes(v), self.pick(["", ", keepdims=True"])
        exact = v.exact and v.array.dtype.kind == "i"
        at = axes if len(axes) > 1 or self.r.integers(2) else axes[0]
        self.keep(self.pick([
            f"np.sum({v.name}, axis={at}{keep})", f"np.mean({v.name}, axis={at}{keep})", f"{v.name}.max(axis={at}{keep})", f"np.std({v.name}, axis={at}{keep})",
            f"np.linalg.norm({v.name}, axis={axes[0]}{keep})", f"np.linalg.norm({v.name}, ord=1, axis={axes[0]}{keep})", f"np.linalg.norm({v.name})",
            f"np.sum({v.name}, axis={at}, where={v.name} > 0{keep})" if v.exact else f"np.sum({v.name}, axis={at}, initial=2{keep})",
            f"np.max({v.name}, axis={at}, initial=1{keep})", f"np.any({v.name}, axis={at}{keep})" if v.exact else f"np.prod({v.name}, axis={at}{keep})",
            f"np.add.reduce({v.name}, axis={axes[0]}{keep})", f"np.sum({v.name}, dtype='f8', axis={at}{keep})"]), exact)

    def contract(self):
        a, b = self.take(lambda v: v.array.ndim == 2), self.take(lambda v: v.array.ndim in (1, 2))
        if a and b:
            self.keep(self.pick([
                f"np.einsum('ij,kj->ik', {a.name}, {b.name})", f"np.einsum('ij,ij->i', {a.name}, {b.name})", f"np.einsum('...j,j->...', {a.name}, {b.name})",
                f"np.einsum('ij->j', {a.name})", f"np.einsum('ij,jk', {a.name}, {b.name})", f"np.tensordot({a.name}, {b.name}, 1)", f"np.inner({a.name}, {b.name})",
                f"np.einsum('ij,kj->', {a.name}, {b.name})", f"np.kron({a.name}, {b.name})", f"np.add.outer({b.name}, {a.name})[..., 0]"]), False)

    def join(self):
        v, w = self.take(lambda v: v.array.ndim), self.take(lambda v: v.array.ndim)
        if not v:
            return
        axis = int(self.r.integers(v.array.ndim))
        self.keep(self.pick([
            f"np.pad({v.name}, 1)", f"np.pad({v.name}, 1, mode='{self.pick(['edge', 'wrap', 'symmetric'])}')", f"np.concatenate([{v.name}, {w.name}], axis={axis})",
            f"np.vstack([{v.name}, {w.name}])", f"np.hstack([{v.name}, {w.name}])", f"np.split({v.name}, [1], axis={axis})[1]", f"np.array_split({v.name}, 2, axis={axis})[0]",
            f"np.append({v.name}, {w.name})", f"np.delete({v.name}, 0, axis={axis})", f"np.rot90({v.name}, {int(self.r.integers(4))})", f"np.diag({v.name})",
            f"np.moveaxis({v.name}, {axis}, 0)", f"np.broadcast_arrays({v.name}, {w.name})[0]", f"np.repeat({v.name}, {list(range(v.array.shape[axis]))}, axis={axis})",
            f"np.stack([{v.name}, {v.name}], axis=-1)", f"np.roll({v.name}, (1, 2), (0, {axis}))", f"np.reshape({v.name}, (-1, 1), order='F')"]), v.exact and w.exact)

    def statistic(self):
        v = self.take(lambda v: v.array.ndim and v.array.size and v.array.dtype.kind in "fi")
        if not v:
            return
        axis = int(self.r.integers(v.array.ndim))
        n = v.array.shape[axis]
        self.keep(self.pick([
            f"np.diff({v.name}, axis={axis})", f"np.diff({v.name}, axis={axis}, prepend=0)", f"np.median({v.name}, axis={axis})", f"np.percentile({v.name}, 30, axis={axis})",
            f"np.average({v.name}, axis={axis}, weights={[1 + i % 3 for i in range(n)]})", f"np.var({v.name}, axis={axis}, ddof=0)", f"np.ptp({v.name}, axis={axis})",
            f"np.nansum({v.name}, axis={axis})", f"np.nanmean({v.name}, axis={axis})", f"np.cumsum({v.name}, axis={axis}, dtype='f8')", f"np.trapezoid({v.name}, axis={axis})",
            f"np.interp({v.name}, [-1.0, 0.0, 2.0], [1.0, 3.0, 2.0])", f"np.arctan2({v.name}, 1.5)", f"np.hypot({v.name}, 2)", f"np.round({v.name} * 1.0, 1)" if v.exact else f"np.fmax({v.name}, 0)",
            f"np.maximum.accumulate({v.name}, axis={axis})", f"np.count_nonzero({v.name}, axis={axis})" if v.exact else f"np.logaddexp({v.name}, 0)",
            f"np.convolve({v.name}, [1.0, 2.0], 'same')", f"np.divmod({v.name}, 2)[0]" if v.exact else f"np.sinc({v.name})", f"np.select([{v.name} > 1, {v.name} > 0], [{v.name}, 2], -1)" if v.exact else f"{v.name} % 2 * 0"]),
            False)

    def change(self):
        v = self.take(lambda v: v.array.ndim and v.array.size)
        if not v:
            return
        name = f"v{len(self.lines)}"
        key = self.pick(["0", "-1", "1:", "::2", "..., 0", "::-1"])
        value = self.pick(["1", f"{v.name}[{key}] * 2" if v.array.dtype.kind != "b" else "True"])
        made = v.array.copy()
        try:
            exec(f"made[{key}] = {value}", {"np": np}, {"made": made, v.name: v.array})
        except (ValueError, IndexError):
            return
        self.lines += [f"    {name} = {v.name}.copy()", f"    {name}[{key}] = {value}"]
        self.values.append(Value(name, made, v.exact))

    def convert(self):
        v = self.take(lambda v: v.exact)
        self.keep(f"{v.name}.astype('{self.pick(['f4', 'f8', 'i4', 'i8', '?'])}')", True)

    def function(self):
        """Draws the text of a function, and its inputs."""
        rank = int(self.r.integers(1, 4))
        shape = [int(self.r.integers(1, 5)) for _ in range(rank)]
        for k in range(int(self.r.integers(1, 4))):
            other = [1 if self.r.random() < 0.2 else n for n in shape][int(self.r.integers(0, rank)) if k else 0:]
            self.add_input(other)
        steps = [self.elementwise, self.binary, self.binary, self.scalar, self.compare, self.choose, self.reduce, self.move, self.move,
                 self.product, self.convert, *[self.index, self.reduce_several, self.contract, self.join, self.statistic, self.change] * self.wide]
        for _ in range(int(self.r.integers(4, 12))):
            self.pick(steps)()
        if not self.lines:
            self.lines.append(f"    v0 = {self.values[0].name} * 1")
            self.values.append(Value("v0", self.inputs[0], True))
        results = [v.name for v in self.values[len(self.inputs):]][-3:]
        head = f"def f({', '.join(v.name for v in self.values[:len(self.inputs)])}):"
        return "\n".join([head, *self.lines, f"    return {', '.join(results)},", ""])


def same(got, want, what):
    want = np.asarray(want)
    assert got.dtype == want.dtype and got.shape == want.shape, (what, got.dtype, got.shape, want.dtype, want.shape)
    if want.dtype.kind != "f":
        assert np.array_equal(got, want), (what, got, want)
        return
    bound = 3e-5 if want.dtype == np.float32 or want.dtype == np.float64 and "f4" in what else 1e-9
    scale = max(np.abs(want).max(), 1.0) if want.size else 1.0
    assert np.allclose(got, want, rtol=bound, atol=bound * scale, equal_nan=True), (what, got, want)


def check(seed):
    drawer = Drawer(seed, wide=seed >= WIDE)
    text = drawer.function()
    scope = {"np": np}
    exec(compile(text, f"drawn{seed}.py", "exec"), scope)
    call = mg.jit(scope["f"])
    about = f"seed {seed}, {' '.join(x.dtype.str for x in drawer.inputs)}\n{text}"
    for given in (drawer.inputs, [x[::-1].copy() for x in drawer.inputs]):
        for k, (got, want) in enumerate(zip(call(*given), scope["f"](*given))):
            same(np.asarray(got), want, f"result {k}, {about}")


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    warnings.simplefilter("ignore")
    wrong = 0
    for seed in range(first, first + count):
        try:
            check(seed)
        except Exception as e:
            wrong += 1
            print(f"{type(e).__name__}: seed {seed}: {str(e)[:1500]}")
            if wrong > 10:
                break
    print(f"Ran {count} functions, {wrong} of them wrong")
    sys.exit(wrong > 0)
