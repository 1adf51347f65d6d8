#!/usr/bin/env python3
"""Compares random programs over open sizes with the same programs at fixed sizes.

  open_sizes.py MGC FIRST COUNT [--sizes N] [--print]

A program moves elements: it cuts, pads, joins, reshapes, slides windows and resizes. The amounts are formulas over its
sizes, such as start = N - 8, so it is right at some sizes and wrong at others. Its sizes are drawn N times. For each
draw, the program of open sizes must give what the interpreter gives for the program in which the sizes are numbers, in
the interpreter and at one level of a backend, or both must be refused. No message may have an internal word.

A program of open sizes may also be refused if only an empty tensor or range could satisfy it. Then the program of fixed
sizes has one.

It prints each difference with its program. The last line is 'N sizes agree, of which N are refused, N differ'.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

EMPTY = re.compile(r"\[(?:[^\]]*, )?0[,\]]|\bin (-?\d+)\.\.(?:\1|-\d+)\b")  # in the flat form of a graph
INTERNAL = re.compile(r"internal|invalid IR|lost|bug|is expected, not|Assertion|Sanitizer")
SIZES = [0, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 33]


class Program:
    """Draws a program: a text with {N} in place of each size."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.dims = ["N", "M"][: self.draw.choice([1, 1, 2])]
        self.length = self.draw.choice([1, 2, 3, 4, 5, 6, 8])
        self.bound = {d: self.draw.choice([None, None, None, 8, 40]) for d in self.dims}
        self.lines = []
        self.values = []  # (name, rank)
        self.inputs = []
        for k in range(self.draw.randint(len(self.dims), 2)):
            self.input(k)
        while len(self.lines) < self.length:
            try:
                self.draw.choice(STATEMENTS)(self)
            except IndexError:  # no value has this rank
                pass
        body = "\n".join(self.lines)  # a value that nothing reads is an output, so every check counts
        self.outputs = [n for n, _ in self.values if n[0] == "v" and len(re.findall(rf"\b{n}\b", body)) == 1]

    # ------------------------------------------------------------ words
    def pick(self, *words):
        return self.draw.choice(words)

    def dim(self):
        return "{%s}" % self.draw.choice(self.dims)

    def size(self):
        """Draws a size, which is at least 0 if the program's sizes are large enough."""
        d = self.dim()
        k = self.draw.randint(1, 9)
        return self.pick(d, d, str(k), f"{d} + {k}", f"{d} / {self.draw.randint(2, 4)}", f"{d} - {k}", f"2 * {d}",
                         f"max({d} - {k}, 0)", f"min({d}, {k})", f"{d} % {self.draw.randint(2, 5)}",
                         f"max({d}, {k})", f"({d} + 1) / 2", f"{d} * {self.dim()}")

    def place(self):
        """Draws a place of a slice, which may lie anywhere."""
        k = self.draw.randint(0, 9)
        return self.pick(str(k), str(-k), str(-k), self.size(), f"-({self.size()})", "-8", "-1", str(2**31 - 1),
                         str(-2**31), f"{self.dim()} - {k}", f"-{self.dim()}")

    def input(self, k):
        rank = self.draw.choice([1, 1, 2, 2, 3])
        shape = [self.pick(self.dim(), self.dim(), str(self.draw.randint(1, 5)), self.dim() + " + 1",
                           "2 * " + self.dim()) for _ in range(rank)]
        shape[self.draw.randrange(rank)] = "{%s}" % self.dims[k % len(self.dims)]
        self.inputs.append((f"x{k}", shape))
        self.values.append((f"x{k}", rank))

    def value(self, low=1, high=4):
        return self.draw.choice([v for v in self.values if low <= v[1] <= high][-3:])

    def bind(self, rank, text):
        name = f"v{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        self.values.append((name, rank))

    def equation(self, rank, left, right):
        name = f"v{len(self.lines)}"
        self.lines.append(f"    {name}{left} = {right}")
        self.values.append((name, rank))

    # ------------------------------------------------------------ texts
    def text(self, sizes=None):
        """Returns its text, in which sizes are names or, if given, numbers."""
        ports = ", ".join(f"{n}: f32[{', '.join(s)}]" for n, s in self.inputs)
        requires = "".join(f"    require {{{d}}} <= {b}\n" for d, b in self.bound.items() if b)
        body = "\n".join(self.lines)
        results = ", ".join(f"out_{n}" for n in self.outputs)
        ends = "\n".join(f"    out_{n} = identity({n})" for n in self.outputs)
        text = f"mg 1\ngraph g({ports}) -> ({results})\n{requires}{{{{\n{body}\n{ends}\n}}}}\n"
        return text.format(**{d: d if sizes is None else str(sizes[d]) for d in self.dims})

    def shapes(self, sizes):
        """Returns the shape of each input."""
        return {name: [eval(s.format(**sizes)) for s in shape] for name, shape in self.inputs}


# ---------------------------------------------------------------- statements
def axis_of(p, rank):
    return p.draw.randrange(rank)


def slice_(p):
    v, r = p.value()
    step = p.pick("", "", "", ", step = 2", ", step = -1", ", step = -2", ", step = 3")
    ends = p.pick(f", start = {p.place()}", f", stop = {p.place()}", f", start = {p.place()}, stop = {p.place()}", "")
    p.bind(r, f"slice({v}, axis = {axis_of(p, r)}{step}{ends})")


def split(p):
    v, r = p.value()
    name = f"v{len(p.lines)}"
    p.lines.append(f"    {name}, {name}_b = split({v}, at = {p.size()}, axis = {axis_of(p, r)})")
    p.values += [(name, r), (name + "_b", r)]


def chunk(p):
    v, r = p.value()
    name = f"v{len(p.lines)}"
    p.lines.append(f"    {name}, {name}_b = chunk2({v}, axis = {axis_of(p, r)})")
    p.values += [(name, r), (name + "_b", r)]


def part(p):
    v, r = p.value()
    p.bind(r, f"part({v}, start = {p.size()}, length = {p.size()}, axis = {axis_of(p, r)})")


def concat(p):
    a, r = p.value()
    b, q = p.value()
    if q != r:
        b = a
    p.bind(r, f"concat({a}, {b}, axis = {axis_of(p, r)})")


def stack(p):
    v, r = p.value(1, 3)
    p.bind(r + 1, f"stack({v}, {v}, axis = {axis_of(p, r)})")


def reshape(p):
    v, r = p.value()
    k = p.draw.randint(1, 4)
    p.bind(*p.pick((1, f"reshape({v}, shape = [-1])"), (2, f"reshape({v}, shape = [-1, {p.size()}])"),
                   (2, f"reshape({v}, shape = [{p.size()}, -1])"), (2, f"reshape({v}, shape = [{k}, -1])"),
                   (2, f"reshape({v}, shape = [{p.dim()}, {p.size()}])"), (2, f"flatten({v})"),
                   (3, f"reshape({v}, shape = [{k}, {p.size()}, -1])")))


def pad(p):
    v, r = p.value()
    mode = p.pick("", "", ', mode = "edge"', ', mode = "reflect"', ', mode = "wrap"')

    def widths():
        return "[" + ", ".join(p.pick("0", "1", "2", "-1", "-2", p.size(), f"-({p.size()})") for _ in range(r)) + "]"
    p.bind(r, f"pad({v}, before = {widths()}, after = {widths()}{mode})")


def crop(p):
    v, r = p.value()
    p.bind(r, f"center_crop_pad({v}, shape = [{p.size()}], axes = [{axis_of(p, r)}])")


def window(p):
    v, r = p.value(1, 2)
    k, s, d = p.draw.randint(1, 4), p.draw.randint(1, 3), p.draw.randint(1, 2)
    before, after = p.draw.randint(0, 2), p.draw.randint(0, 2)
    ceil = p.pick("", "", ", ceil_mode = true")
    view = f"unsqueeze({v}, axes = [0, 1])"
    many = lambda n: "[" + ", ".join([str(n)] * r) + "]"
    ends = f"pad = {many(before)}, pad_end = {many(after)}"
    pool = p.pick("max_pool", "avg_pool")
    p.bind(r, f"squeeze({pool}({view}, kernel = {many(k)}, stride = {many(s)}, "
              f"{'dilation = ' + many(d) + ', ' if pool == 'max_pool' else ''}{ends}{ceil}), axes = [0, 1])")


def conv(p):
    v, r = p.value(1, 2)
    k = p.draw.randint(1, 3)
    weight = f"ones(shape = [2, 1{', %d' % k * r}])"
    view = f"unsqueeze({v}, axes = [0, 1])"
    form = p.pick("conv", "conv", "conv_transpose")
    if form == "conv_transpose":
        weight = f"ones(shape = [1, 2{', %d' % k * r}])"
    p.bind(r + 1, f"squeeze({form}({view}, {weight}, stride = {p.draw.randint(1, 3)}, "
                  f"pad = {p.draw.randint(0, 1)}, dilation = {p.draw.randint(1, 2)}), axes = [0])")


def sliding(p):
    """Adds a window that is written as an equation."""
    v, r = p.value(1, 2)
    k, s = p.draw.randint(1, 4), p.draw.randint(1, 3)
    other = ", j" if r == 2 else ""
    many = p.pick(f"{p.dim()}", f"({p.dim()} - {k}) / {s} + 1", p.size())
    rest = p.pick("", " else 0", " else 0")
    p.equation(r, f"[i in 0..{many}{other}]", f"sum[k in 0..{k}] ({v}[i * {s} + k - {p.draw.randint(0, 2)}{other}]{rest})")


def shifted(p):
    v, r = p.value(1, 2)
    other = ", j" if r == 2 else ""
    place = p.pick(f"i + {p.size()}", f"i - {p.size()}", f"{p.dim()} - 1 - i", "i / 2", "2 * i", f"i % ({p.size()})",
                   f"min(i, {p.size()})", f"max(i - {p.size()}, 0)", f"i * {p.size()}")
    rest = p.pick("", " else 0", " else 0")
    p.equation(r, f"[i in 0..{p.size()}{other}]", f"({v}[{place}{other}]{rest}) + 1")


def pieces(p):
    a, _ = p.value(1, 1)
    name = f"v{len(p.lines)}"
    end = p.size()
    p.lines.append(f"    {name}[i in 0..{end}] = {a}[i] else 0")
    p.lines.append(f"    {name}[i in {end}..{end} + {p.dim()}] = {a}[i - {end}] else 1")
    p.values.append((name, 1))


def resize(p):
    v, r = p.value()
    how = p.pick("resize_nearest", "resize_nearest", "resize_linear")
    mode = p.pick("", ', coordinates = "asymmetric"', ', coordinates = "align_corners"')
    p.bind(r, f"{how}({v}, to = {p.size()}, axis = {axis_of(p, r)}{mode})")


def repeat(p):
    v, r = p.value()
    p.bind(r, p.pick(f"tile({v}, times = [{', '.join(p.pick('1', '2', p.size()) for _ in range(r))}])",
                     f"repeat({v}, times = {p.pick('2', '3', p.size())}, axis = {axis_of(p, r)})",
                     f"roll({v}, shift = {p.place()}, axis = {axis_of(p, r)})",
                     f"flip({v}, axes = [{axis_of(p, r)}])"))


def select(p):
    v, r = p.value(2, 4)
    p.bind(r - 1, f"select({v}, index = {p.pick('0', '-1', '2', p.place())}, axis = {axis_of(p, r)})")


def reduce(p):
    v, r = p.value(2, 4)
    p.bind(r - 1, f"{p.pick('sum', 'max')}({v}, axes = [{axis_of(p, r)}])")


def scan(p):
    v, r = p.value()
    p.bind(r, p.pick(f"cumsum({v}, axis = {axis_of(p, r)})", f"softmax({v}, axis = {axis_of(p, r)})", f"relu({v})",
                     f"neg({v})", f"cummax({v}, axis = {axis_of(p, r)})"))


def binary(p):
    a, r = p.value()  # an equation, since operators stretch sizes of 1 that are numbers
    b, q = p.value()
    at = "[" + ", ".join("ijkl"[:r]) + "]"
    p.equation(r, at, f"{a}{at} {p.pick('+', '*')} {b if r == q else a}{at}")


def product(p):
    v, r = p.value(2, 2)
    p.bind(2, f"matmul({v}, transpose({v}, perm = [1, 0]))")


def order(p):
    v, r = p.value(2, 4)
    perm = list(range(r))
    p.draw.shuffle(perm)
    p.bind(r, f"transpose({v}, perm = {perm})")


def diagonal(p):
    v, r = p.value(2, 2)
    p.bind(2, f"{p.pick('triu', 'tril')}({v}, k = {p.pick('0', '1', '-1', p.size())})")


STATEMENTS = [slice_] * 6 + [split, chunk, part] * 2 + [concat] * 3 + [reshape] * 3 + [pad] * 3 + [
    stack, crop, window, window, conv, sliding, shifted, shifted, pieces, resize, resize, repeat, repeat, select,
    reduce, scan, binary, product, order, diagonal]


# ---------------------------------------------------------------- runs
class Runner:
    def __init__(self, mgc, folder):
        self.mgc, self.folder = mgc, folder

    def run(self, text, given, outputs, flags):
        """Returns the outputs, or the message of a refusal."""
        source, result = os.path.join(self.folder, "g.mg"), os.path.join(self.folder, "out.npz")
        with open(source, "w") as f:
            f.write(text)
        if os.path.exists(result):
            os.remove(result)
        words = [self.mgc, "run", source, "--cache=" + os.path.join(self.folder, "cache")] + flags
        for name, data in given.items():
            path = os.path.join(self.folder, name + ".npy")
            np.save(path, data)
            words += ["--input", f"{name}={path}"]
        for name in outputs:
            words += ["--output", f"out_{name}={result}"]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            return "it runs for more than 300 s", True
        if done.returncode:
            odd = done.returncode not in (1, 3) or INTERNAL.search(done.stderr) is not None
            return f"status {done.returncode}: {done.stderr}", odd
        with np.load(result) as f:
            return {n: f["out_" + n] for n in outputs}, False

    def has_empty(self, text):
        source = os.path.join(self.folder, "flat.mg")
        with open(source, "w") as f:
            f.write(text)
        flat = subprocess.run([self.mgc, "--emit-ir", "-O0", source], capture_output=True, text=True)
        return flat.returncode != 0 or EMPTY.search(flat.stdout) is not None


def differ(a, b):
    """Says how two results differ, or returns None."""
    if isinstance(a, str) or isinstance(b, str):
        return None if isinstance(a, str) and isinstance(b, str) else "one is refused"
    for name in a:
        if a[name].size == b[name].size == 0:
            continue  # a size of -1 beside one of 0 may be anything
        if a[name].shape != b[name].shape:
            return f"{name} is {list(b[name].shape)}, expected {list(a[name].shape)}"
        if not np.allclose(a[name], b[name], rtol=1e-4, atol=1e-4, equal_nan=True):
            return f"{name} is {b[name].tolist()}, expected {a[name].tolist()}"
    return None


def compare(runner, seed, sizes, program, level):
    """Returns a list of what is wrong at these sizes, and whether they are refused, or None if the inputs are too large."""
    draw = random.Random(seed)
    shapes = program.shapes(sizes)
    if any(np.prod(s) > 3000 for s in shapes.values()):
        return None
    given = {n: np.array([draw.randint(-9, 9) for _ in range(int(np.prod(s)))], "f4").reshape(s)
             for n, s in shapes.items()}
    expected, odd = runner.run(program.text(sizes), given, program.outputs, ["--interp"])
    wrong = [f"at fixed sizes, interpreted: {expected}"] if odd else []
    for how in ["--interp"], level:
        got, odd = runner.run(program.text(), given, program.outputs, how)
        what = differ(expected, got)
        if what and isinstance(got, str) and got.startswith("status 1") and not odd:
            what = None if runner.has_empty(program.text(sizes)) else what
        if odd or what:
            wrong.append(f"{' '.join(how)}: {what or ''}\n  fixed: {expected if isinstance(expected, str) else 'runs'}"
                         f"\n  open: {got if isinstance(got, str) else 'runs'}")
    return wrong, isinstance(expected, str)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("mgc")
    p.add_argument("first", type=int)
    p.add_argument("count", type=int)
    p.add_argument("--print", action="store_true")
    p.add_argument("--sizes", type=int, default=3)
    o = p.parse_args()
    agree = refused = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(o.mgc, folder)
        for seed in range(o.first, o.first + o.count):
            program = Program(seed)
            draw = random.Random(seed + 1)
            level = draw.choice([["-O0"], ["-O1"], ["-O2"], ["-O3"], ["-O2", "--threads=2", "--share=all"]])
            level += draw.choice([[], ["--verify-each"]])
            if o.print:
                print(program.text())
            for _ in range(o.sizes):
                sizes = {d: draw.choice([s for s in SIZES if s <= (program.bound[d] or 99)]) for d in program.dims}
                result = compare(runner, seed, sizes, program, level)
                if result is None:
                    continue
                for what in result[0]:
                    print(f"seed {seed}, {sizes}: {what}\n{program.text()}", flush=True)
                wrong += bool(result[0])
                agree += not result[0]
                refused += not result[0] and result[1]
    print(f"{agree} sizes agree, of which {refused} are refused, {wrong} differ")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
