#!/usr/bin/env python3
"""Runs random graphs whose outputs take over inputs, with memory of their own and in place.

  over.py FIRST COUNT [--print]

All numbers are small integers, so results are the same bit for bit, whatever the order of sums. For each graph, the
interpreter with memory of their own for all outputs says what is right. At each level, with one worker and with
several, op by op, in mode loop and on a GPU if there is one, the same must come out if no output, all, or some of them
have the memory of the input that they take over. Every other input must stay as it was.

It prints each difference with its graph. The last line is 'N graphs agree, N differ'.
"""
import argparse
import random
import sys
import tempfile

import mg
import numpy as np

SIZES = [(4, 6), (3, 20), (16, 33), (1, 7), (40, 40)]
CPU = [dict(level=level) for level in range(4)]
CPU += [dict(level=2, threads=3), dict(level=2, mode="cached"), dict(level=2, mode="loop"), dict(interpret=True)]
GPU = [dict(level=level, target="gpu") for level in (0, 2)] + [dict(level=2, target="gpu", mode="loop")]


class Graph:
    """Draws a graph over matrices (kind A) and vectors (kind V)."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.n, self.m = self.draw.choice(SIZES)
        self.names = ("N", "M") if self.draw.random() < 0.4 else (str(self.n), str(self.m))
        self.inputs = [(f"a{k}", "A") for k in range(self.draw.randint(1, 3))]
        self.inputs += [(f"b{k}", "V") for k in range(self.draw.randint(1, 3))]
        self.values, self.lines = list(self.inputs), []
        for k in range(self.draw.randint(1, 9)):
            self.statement(f"v{k}")
        self.outputs = []
        free = self.draw.sample(self.inputs, len(self.inputs))
        for k in range(self.draw.randint(1, 5)):
            name, kind = self.draw.choice(self.values[-4:] if self.draw.random() < 0.6 else self.values)
            over = next((f for f in free if f[1] == kind), None) if self.draw.random() < 0.8 else None
            if over:
                free.remove(over)
            self.outputs.append((f"o{k}", kind, over and over[0]))
            self.lines.append(f"o{k} = {name}")

    def type(self, kind):
        return f"f32[{self.names[0]}, {self.names[1]}]" if kind == "A" else f"f32[{self.names[1]}]"

    def shape(self, kind):
        return (self.n, self.m) if kind == "A" else (self.m,)

    def pick(self, kind):
        return self.draw.choice([v for v, k in self.values if k == kind])

    def read(self, kind):
        """Reads a value at its own place, or at another one."""
        rows, columns = self.names
        column = self.draw.choice(["i", "i", "i", f"{columns} - 1 - i", f"(i + 1) % {columns}", "0"])
        row = self.draw.choice(["n, ", "n, ", f"{rows} - 1 - n, "]) if kind == "A" else ""
        return f"{self.pick(kind)}[{row}{column}]"

    def statement(self, y):
        kind = self.draw.choice("AV")
        at = "n, i" if kind == "A" else "i"
        box = (f"n in 0..{self.names[0]}, " if kind == "A" else "") + f"i in 0..{self.names[1]}"
        own = f"{self.pick(kind)}[{at}]"
        left = f"{y}[{box}]: {self.type(kind)}"

        def small(x):
            return f"max(min({x}, 60), -60)"

        def written(value, over):
            return f"[{'n, ' if kind == 'A' else ''}at[] + i] = last[i in 0..2] ({value}) over {over}"

        forms = [
            lambda: [f"{left} = {small(own + ' - ' + self.read(kind))}"],
            lambda: [f"{left} = {small(self.read(kind) + ' + ' + self.read('V'))}"],
            lambda: [y + written(small(f"{self.pick(kind)}[{at}] + {self.read('V')}"), self.pick(kind))],
            lambda: [y + written(f"{self.pick(kind)}[{at}]", self.pick(kind))],
            lambda: [f"{y} = loop t in 0..3 carry (s{y} = {self.pick(kind)}) {{", f"w{left} = {small(f's{y}[{at}] + {self.read(kind)}')}",
                     f"next s{y} = w{y}", "}"],
            lambda: [f"{y} = loop t in 0..2 carry (s{y} = {self.pick(kind)}) {{", f"w{y}" + written(f"s{y}[{at}] + 1", f"s{y}"),
                     f"next s{y} = w{y}", "}"],
            lambda: [f"{y} = if on {{", f"yield {self.pick(kind)}", "} else {", f"u{left} = {self.read(kind)}", f"yield u{y}", "}"],
            lambda: [f"{y} = {self.pick(kind)}"],
        ]
        if kind == "A":
            a, b, c = self.pick("A"), self.pick("A"), self.pick("A")
            forms += [
                lambda: [f"f{y}[(n, i)] = {a}[n, i]", f"{left} = {small(f'f{y}[(n, i)] + {self.read(kind)}')}"],
                lambda: [f"m{y}[n] = max[i] {a}[n, i]", f"{left} = {small(f'{b}[n, i] - m{y}[n]')}"],
                lambda: [f"{left} = {small(f'(sum[k in 0..{self.names[1]}] {a}[n, k] * {b}[n, i]) + {c}[n, i]')}"],
            ]
            if self.n == self.m:
                forms.append(lambda: [f"p{y} = matmul({a}, {b})", f"{left} = {small(f'p{y}[n, i] + {c}[n, i]')}"])
        self.lines += self.draw.choice(forms)()
        self.values.append((y, kind))

    def text(self):
        inputs = ", ".join(f"{name}: {self.type(kind)}" for name, kind in self.inputs)
        outputs = ", ".join(f"{name}: {self.type(kind)}" + (f" over {over}" if over else "") for name, kind, over in self.outputs)
        body = "\n".join("    " + line for line in self.lines)
        return f"mg 1\ngraph g({inputs}, at: i64[], on: bool[]) -> ({outputs})\n{{\n{body}\n}}\n"


def run(graph, model, given, in_place):
    """Returns the outputs, and which of the other inputs have changed."""
    arrays = [x.copy() for x in given]
    names = [name for name, _ in graph.inputs]
    out = [arrays[names.index(over)] if over in in_place else np.empty(graph.shape(kind), np.float32) for _, kind, over in graph.outputs]
    model(*arrays, out=out)
    changed = [n for n, x, y in zip(names, arrays, given) if n not in in_place and not np.array_equal(x, y)]
    return [y.copy() for y in out], changed


def agrees(graph, path, seed, configurations):
    rng = np.random.default_rng(seed)
    given = [rng.integers(-9, 9, graph.shape(kind)).astype(np.float32) for _, kind in graph.inputs]
    given += [np.array(rng.integers(0, graph.m - 1)), np.array(bool(rng.integers(2)))]
    want, _ = run(graph, mg.compile(path, interpret=True, cache=""), given, [])
    over = [o for _, _, o in graph.outputs if o]
    ok = True
    for configuration in configurations:
        model = mg.compile(path, cache="", **configuration)
        for in_place in ([], over, over[::2], over):  # the kinds of memory change from run to run
            got, changed = run(graph, model, given, in_place)
            wrong = [name for (name, _, _), x, y in zip(graph.outputs, want, got) if not np.array_equal(x, y)]
            if wrong or changed:
                print(f"seed {seed}, {configuration}, in place {in_place}: wrong {wrong}, changed {changed}")
                ok = False
    return ok


def has_gpu(path):
    try:
        mg.compile(path, target="gpu", cache="")
        return True
    except mg.Error:
        return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    differ, configurations = 0, list(CPU)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/over.mg"
        for seed in range(options.first, options.first + options.count):
            graph = Graph(seed)
            with open(path, "w") as file:
                file.write(graph.text())
            if seed == options.first and has_gpu(path):
                configurations += GPU
            if options.print or not agrees(graph, path, seed, configurations):
                print(graph.text())
                differ += not options.print
    print(f"{options.count - differ} graphs agree, {differ} differ")
    return differ != 0


sys.exit(main())
