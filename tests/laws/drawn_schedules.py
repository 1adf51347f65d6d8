#!/usr/bin/env python3
"""Draws schedules of contractions. Each one is refused with its line, or computes what the unscheduled program does.

    drawn_schedules.py MGC [N] [SEED]

Tiles, blocks, copies and sharing are drawn for products of several kinds, with 1 to 8 threads and vectors of two widths. At least a
third of the schedules must run; otherwise the draw says too little.
"""
import json, os, random, subprocess, sys, tempfile

NETS = {  # name: the graph, and the sizes that a run sets
    "plain": ("graph g(a: f32[37, 70], b: f32[70, 45]) -> (c: f32[37, 45]) { c[i, j] = sum[k] a[i, k] * b[k, j] }", ""),
    "end": ("graph g(a: f32[37, 70], b: f32[70, 45]) -> (r: f32[37, 45]) {\n"
            "    c[i, j] = sum[k] a[i, k] * b[k, j]\n    r[i, j] = relu(c[i, j] + 1) * c[i, j]\n}", ""),
    "weight": ("graph g(a: f32[37, 70]) -> (c: f32[37, 45]) {\n    param b: f32[70, 45]\n    c[i, j] = sum[k] a[i, k] * b[k, j]\n}", ""),
    "kept_rows": ("graph g(b: f32[70, 45]) -> (c: f32[37, 45]) {\n    param a: f32[37, 70]\n    c[i, j] = sum[k] a[i, k] * b[k, j]\n}", ""),
    "across": ("graph g(a: f32[70, 37], b: f32[45, 70]) -> (c: f32[37, 45]) { c[i, j] = sum[k] a[k, i] * b[j, k] }", ""),
    "open": ("graph g(a: f32[M, 70], b: f32[70, 45]) -> (c: f32[M, 45]) { c[i, j] = sum[k] a[i, k] * b[k, j] }", "--set M=37"),
    "all_open": ("graph g(a: f32[M, K], b: f32[K, N]) -> (c: f32[M, N]) { c[i, j] = sum[k] a[i, k] * b[k, j] }",
                 "--set M=37 --set K=70 --set N=45"),
    "batch": ("graph g(a: f32[3, 37, 70], b: f32[3, 70, 45]) -> (c: f32[3, 37, 45]) { c[n, i, j] = sum[k] a[n, i, k] * b[n, k, j] }", ""),
    "wide": ("graph g(a: f32[20, 96], b: f32[96, 320]) -> (c: f32[20, 320]) { c[i, j] = sum[k] a[i, k] * b[k, j] }", ""),
    "double": ("graph g(a: f64[37, 70], b: f64[70, 45]) -> (c: f64[37, 45]) { c[i, j] = sum[k] a[i, k] * b[k, j] }", ""),
}


class Nest:
    """A schedule that grows line by line; a loop holds the lines behind it."""

    def __init__(self, draw, net, lanes):
        self.draw, self.lines, self.depth = draw, [], 1
        self.columns, self.steps = (320, 96) if net == "wide" else (45, 70)
        registers = 32 if lanes * (2 if net == "double" else 1) == 16 else 16
        fits = [(r, v) for r in (1, 2, 4, 6, 7, 13, 14, 20) for v in (1, 2, 3, 4)
                if draw.random() < 0.02 or (r * v + v + 1 <= registers and (v - 1) * lanes < self.columns)]
        self.rows, self.vectors = draw.choice(fits)
        self.width = self.vectors * lanes
        self.sharing = draw.choice(["batch", "rows", "parts", "columns", "trips", "tiles"])
        self.depth_blocks = draw.choice([8, 16, 24, 33, 64, 70, 70, 70])
        self.registers = f"for i = reg({self.rows}), j = " + (f"reg({self.vectors}) " if self.vectors > 1 else "") + f"lane({lanes})"
        self.panel = "[i, k]" if draw.random() < 0.5 else f"[i / {self.rows}, k, {self.rows}]"
        self.fill = draw.choice(["", "", " by fill"])

    def loop(self, line):
        self.lines.append("  " * self.depth + line)
        self.depth += 1

    def line(self, line):
        self.lines.append("  " * self.depth + line)

    def space(self, constant, shared):
        """Where a copy is: mostly where it can be."""
        if self.draw.random() < 0.2:
            return self.draw.choice(["local", "common", "kept", "nowhere"])
        return "kept" if constant and self.draw.random() < 0.5 else self.draw.choice(["nowhere", shared])

    def write(self, net, source):
        all_rows = self.sharing in ("columns", "tiles")
        a = self.space("param a" in source, "common" if all_rows else "local")
        b = self.space("param b" in source, "common" if self.sharing in ("rows", "tiles") else "local")
        stage_a = lambda space: a == space and self.line(f"stage a as {self.panel} in {space}")
        stage_b = lambda space: b == space and self.line(f"stage b as [j / {self.width}, k, {self.width}] in {space}{self.fill}")
        blocks, columns = self.rows * self.draw.choice([1, 1, 2, 3, 9]), self.width * self.draw.choice([1, 1, 2, 4])
        on_core = lambda sharing: " on core" if self.sharing == sharing else ""
        stage_a("kept")
        stage_b("kept")
        if net == "batch":
            self.loop("for n" + on_core("batch"))
        if self.sharing in ("parts", "trips"):
            self.loop(f"for j by {self.sharing[:-1]} on core")
        if columns < self.columns and self.sharing not in ("columns", "trips"):
            self.loop(f"for j by {columns}")
        if self.depth_blocks != self.steps or net == "all_open":
            self.loop(f"for k by {self.depth_blocks}")
        if all_rows:
            stage_a("common")
        if self.sharing in ("columns", "trips"):
            self.loop(f"for j by {self.width}" + on_core("columns"))
            stage_b("local")
        else:
            stage_b("common" if self.sharing in ("tiles", "rows") else "local")
            if self.sharing == "tiles":
                self.loop(f"for i by {blocks}, j by {self.width} on core dealt")
            else:
                self.loop(f"for i by {blocks}" + on_core("rows"))
                stage_a("local")
                self.loop(f"for j by {self.width}")
        self.loop(f"for i by {self.rows}")
        tile = self.depth
        for line in ("for k", self.registers, "do c"):
            self.loop(line)
        self.depth = tile
        if net == "end":
            self.loop(self.registers)
            self.line("do r" + (" at last k" if self.depth_blocks != self.steps else ""))
        return "schedule c%s on cpu\n" % (", r" if net == "end" else "") + "\n".join(self.lines) + "\n"


def outputs(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done, json.loads(done.stdout)["outputs"][0]["data"] if not done.returncode else None


def main():
    mgc, n, seed = os.path.abspath(sys.argv[1]), *(int(a) for a in sys.argv[2:4])
    draw, right, wanted = random.Random(seed), 0, {}
    with tempfile.TemporaryDirectory() as folder:
        for t in range(n):
            net = draw.choice(list(NETS))
            march, lanes = draw.choice([("x86-64-v4", 16), ("x86-64-v3", 8)] if "avx512" in open("/proc/cpuinfo").read() else [("x86-64-v3", 8)])
            source, sets = NETS[net]
            schedule = Nest(draw, net, lanes // 2 if net == "double" else lanes).write(net, source)
            for name, text in (("net.mg", "mg 1\n" + source + "\n"), ("net.mgs", schedule)):
                with open(f"{folder}/{name}", "w") as f:
                    f.write(text)
            inputs = [x for v in "ab" if f"param {v}" not in source for x in ("--input", f"{v}=random:{ord(v)}")]
            command = [mgc, "run", f"{folder}/net.mg", "--weights=random", "--no-cache", "--format=json"] + sets.split() + inputs
            if net not in wanted:
                wanted[net] = outputs(command + ["-O0"])[1]
            threads = draw.choice(["1", "2", "8"])
            done, got = outputs(command + [f"--march={march}", f"--threads={threads}", f"--schedule={folder}/net.mgs"])
            what = f"seed {seed}, draw {t}: {net}, {threads} threads, {march}\n{schedule}"
            if got is None:
                if done.returncode != 1 or "net.mgs:" not in done.stderr:
                    sys.exit(f"ends with {done.returncode}: {done.stderr}{what}")
                continue
            if len(got) != len(wanted[net]) or any(abs(x - y) > 1e-4 * (1 + abs(x)) for x, y in zip(wanted[net], got)):
                sys.exit("computes something else: " + what)
            right += 1
    print(f"{right} of {n} drawn schedules ran, and were right; the others were refused")
    return right * 3 < n


if __name__ == "__main__":
    sys.exit(main())
