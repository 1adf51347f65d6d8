#!/usr/bin/env python3
"""Draws schedules of contractions, windows, reductions down columns and in parts, scans, scatters, attention and Winograd's
algorithm. Each must be refused with its line, or compute what the program computes without it.

    drawn_schedules.py MGC [N] [SEED] [NET]...

Tiles, blocks, copies and sharing are drawn for products and windows of several kinds, with 1 to 8 threads and vectors of two widths. At
least a third of the schedules must run; otherwise the draw says too little.
"""
import json, os, random, subprocess, sys, tempfile

NETS = {  # name: the graph, and the sizes that a run sets
    "plain": ("graph g(a: f32[37, 70], b: f32[70, 45]) -> (c: f32[37, 45]) { c[i, j] = sum[k] a[i, k] * b[k, j] }", ""),
    "end": ("graph g(a: f32[37, 70], b: f32[70, 45]) -> (r: f32[37, 45]) {\n"
            "    c[i, j] = sum[k] a[i, k] * b[k, j]\n    r[i, j] = relu(c[i, j] + 1) * c[i, j]\n}", ""),
    "walked": ("graph g(a: f32[600, 70], b: f32[70, 45], f: f32[45, 45]) -> (e: f32[600, 45]) {\n"
               "    c[i, j] = sum[k] a[i, k] * b[k, j]\n    r[i, j] = relu(c[i, j] + 1) * c[i, j]\n"
               "    e[i, j] = sum[k] r[i, k] * f[k, j]\n}", ""),  # several threads take blocks of rows through both products
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

WINDOW = "x[b, c, {0}h + s - 1, {0}w + t - 1]"
WINDOWS = {  # name: the graph, the sizes that a run sets, the results, the stride, the columns (None: an open number)
    "depthwise": ("graph g(x: f32[2, 3, 19, 29], f: f32[3, 3, 3]) -> (r: f32[2, 3, 19, 29]) {\n"
                  "    y[b, c, h in 0..19, w in 0..29] = sum[s, t] (" + WINDOW.format("") + " else 0) * f[c, s, t]\n    r = relu(y)\n}",
                  "", "y, r", 1, 29),
    "pool": ("graph g(x: f32[2, 3, 19, 29]) -> (y: f32[2, 3, 9, 14]) {\n"
             "    y[b, c, h in 0..9, w in 0..14] = max[s in 0..3, t in 0..3] (" + WINDOW.format("2 * ") + " else -inf)\n}", "", "y", 2, 14),
    "computed": ("graph g(x: f32[2, 3, 19, 29]) -> (y: f32[2, 3, 19, 29]) {\n"
                 "    y[b, c, h in 0..19, w in 0..29] = max[s in 0..3, t in 0..3] exp(" + WINDOW.format("") + " else 1)\n}", "", "y", 1, 29),
    "apart": ("graph g(x: f32[2, 3, 19, 29]) -> (y: f32[2, 3, 9, 14]) {\n"
              "    y[b, c, h in 0..9, w in 0..14] = mean[s in 0..2, t in 0..2] x[b, c, 2 * h + s, 2 * w + t]\n}", "", "y", 2, 14),
    "open_window": ("graph g(x: f32[2, 3, H, W]) -> (y: f32[2, 3, H, W]) {\n"
                    "    y[b, c, h in 0..H, w in 0..W] = max[s in 0..3, t in 0..3] (" + WINDOW.format("") + " else -inf)\n}",
                    "--set H=21 --set W=45", "y", 1, None),
    "channels": ("graph g(x: f32[2, 7, 23, 20], f: f32[3, 3, 20]) -> (r: f32[2, 7, 23, 20]) {\n"
                 "    y[b, h in 0..7, w in 0..23, c] = sum[s, t] (x[b, h + s - 1, w + t - 1, c] else 0) * f[s, t, c]\n    r = relu(y)\n}",
                 "", "y, r", 1, 20),
    "columns": ("graph g(x: f32[3, 50, 70]) -> (r: f32[3, 70]) {\n    y[b, j] = sum[i] x[b, i, j]\n    r = y * 2 + 1\n}", "", "y, r", 1, 70),
    "places": ("graph g(x: f32[3, 50, N]) -> (y: i64[3, N]) {\n    y[b, j] = argmax[i] x[b, i, j]\n}", "--set N=61", "y", 1, None),
    "running": ("graph g(x: f32[5, 301]) -> (y: f32[5, 301]) { y[i, j in 0..301] = sum[t in 0..j] x[i, t] }", "", "y", 1, 301),
    "sideways": ("graph g(x: f32[90, 21]) -> (y: f32[90, 21]) { y[i in 0..90, j] = max[t in i..90] x[t, j] }", "", "y", 1, 21),
    "longest": ("graph g(x: f32[5003]) -> (y: f32[5003]) { y[j in 0..5003] = sum[t in 0..j + 1] x[t] }", "", "y", 1, 5003),
    "scattered": ("graph g(x: f32[40, 37]) -> (y: f32[9, 37]) {\n    n[i] = i64(abs(x[i, 0]) * 5) % 9\n"
                  "    y[n[i], j] = sum[i] x[i, j]\n}", "", "y", 1, 37),
    "joined": ("graph g(x: f32[3, 2001]) -> (y: f32[3]) {\n    m[i] = max[j] x[i, j]\n    e[i] = sum[j] exp(x[i, j] - m[i])\n"
               "    y[i] = log(e[i]) + m[i]\n}", "", "m, e, y", 1, 2001),
    "together": ("graph g(x: f32[24, 203], b: f32[203]) -> (y: f32[24]) {\n    d[i] = sum[k] x[i, k] * b[k]\n    y = relu(d)\n}",
                 "", "d, y", 1, 203),
    "winograd": ("graph g(x: f32[2, 5, 19, 29]) -> (y: f32[2, 37, 19, 29]) {\n    param f: f32[37, 5, 3, 3]\n"
                 "    s[b, o, h in 0..19, w in 0..29] = sum[c, r, t] (x[b, c, h + r - 1, w + t - 1] else 0) * f[o, c, r, t]\n"
                 "    y = relu(s)\n}", "", "s, y", 1, 29),
    "open_winograd": ("graph g(x: f32[N, 5, H, W]) -> (s: f32[N, 37, H, W]) {\n    param f: f32[37, 5, 3, 3]\n"
                      "    s[b, o, h in 0..H, w in 0..W] = sum[c, r, t] (x[b, c, h + r - 1, w + t - 1] else 0) * f[o, c, r, t]\n}",
                      "--set N=2 --set H=19 --set W=29", "s", 1, None),
    "taps": ("graph g(x: f32[7, 21, 11, 14], a: f32[7, 37, 11, 14]) -> (y: f32[37, 21, 3, 3]) {\n"
             "    s[o, c, r in 0..3, t in 0..3] = sum[b, h, w] a[b, o, h, w] * (x[b, c, h + r - 1, w + t - 1] else 0)\n"
             "    y = s * 0.5\n}", "", "s, y", 1, 21),
    "interleaved": ("graph g(x: f32[6, 37]) -> (y: f32[6, 37, 2]) { y[c, w, b in 0..2] = x[c, w] * f32(b + 1) }", "", "y", 1, 37),
}


def attention(batch, rows, keys, depth, columns, score="", end="", sizes="", k="jd", v="jc"):
    """Returns a net of one attention: its graph, the sizes that a run sets, its score step, and what follows."""
    b, i = ("b, " if batch else ""), "i, "
    size = {"j": keys, "d": depth, "c": columns}
    shape = lambda *axes: f"f32[{', '.join(str(a) for a in axes if a)}]"
    last, scored = ("r" if end else "y"), ("t" if score else "s")
    lines = [f"s[{b}{i}j] = sum[d] a[{b}{i}d] * b[{b}{k[0]}, {k[1]}]"] + ([f"t[{b}{i}j] = {score}"] if score else [])
    lines += [f"m[{b}{i}] = max[j] {scored}[{b}{i}j]", f"e[{b}{i}j] = exp({scored}[{b}{i}j] - m[{b}{i}])",
              f"z[{b}{i}] = sum[j] e[{b}{i}j]", f"y[{b}{i}c] = sum[j] (e[{b}{i}j] / z[{b}{i}]) * f[{b}{v[0]}, {v[1]}]"]
    lines += [f"r[{b}{i}c] = {end}"] if end else []
    text = "\n    ".join(line.replace(", ]", "]") for line in lines)
    return (f"graph g(a: {shape(batch, rows, depth)}, b: {shape(batch, size[k[0]], size[k[1]])}, f: "
            f"{shape(batch, size[v[0]], size[v[1]])}, x: {shape(rows, keys)}) -> ({last}: {shape(batch, rows, columns)}) {{\n    {text}\n}}", sizes, score, end)


ATTENTION = {
    "attend": attention(2, 37, 60, 12, 20),
    "masked": attention(2, 37, 53, 12, 10, "s[b, i, j] * 0.5 + x[i, j]"),
    "causal": attention(2, 90, 90, 8, 16, "where(j > i + 3, -inf, s[b, i, j])", "max(y[b, i, c] + 1, 0) * y[b, i, c]"),
    "turned_keys": attention(0, 37, 53, 12, 24, "tanh(s[i, j]) * 2", k="dj"),
    "open_keys": attention(2, "S", "L", 12, 10, "s[b, i, j] + x[i, j]", sizes="--set S=37 --set L=53"),
}


class Lines:
    """A schedule that grows line by line. A loop contains the lines after it."""

    def __init__(self):
        self.lines, self.depth = [], 1

    def loop(self, line):
        self.lines.append("  " * self.depth + line)
        self.depth += 1

    def line(self, line):
        self.lines.append("  " * self.depth + line)

    def text(self, results):
        return f"schedule {results} on cpu\n" + "\n".join(self.lines) + "\n"


def window(draw, net, lanes):
    _, _, results, stride, width = WINDOWS[net]
    out, form = Lines(), draw.choice(["stage", "stage", "lies", "apart", "both"] if net == "apart" else ["stage", "lies"])
    lanes = draw.choice([lanes, lanes, 4, 2])
    tile, chunk, core = draw.choice([1, 2, 3, 4, 7, 8, 9, 16]), lanes * draw.choice([1, 2, 3, 16]), draw.choice([" on core", ""])
    mask = "" if width and width % lanes == 0 else " tail mask"
    if draw.random() < 0.5:
        out.loop(f"for b, c, h by {tile}{core}")
    else:
        out.loop(f"for b, c{core}")
        out.loop(f"for h by {tile}")
    if form == "stage":
        if draw.random() < 0.5 or width is None:
            out.loop(f"for w by {chunk}")
        out.line("stage x as [h + s, w + t] in local" + (" by phases" if stride > 1 else ""))
    if form in ("apart", "both"):
        out.loop("for h")
    out.loop(f"for w = time(*) lane({lanes})" + (" edges" if form in ("lies", "both") else "") + mask)
    if form in ("stage", "lies"):
        out.loop("for h on reg")
    inside = out.depth
    out.loop("for s, t on reg")
    out.line("do y" + (" by phases" if form in ("apart", "both") else ""))
    out.depth = inside
    if "r" in results:
        out.line("do r")
    return out.text(results)


def channels(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes, 4, 2])
    out.loop("for b, h" + draw.choice([" on core", ""]))
    out.loop(f"for w = time(*) reg({draw.choice([1, 2, 3, 5, 8, 11, 12, 14])}) edges")
    out.loop(f"for c = time(*) lane({lanes})" + (" tail mask" if 20 % lanes else ""))
    inside = out.depth
    out.loop("for s")
    out.loop("for t on reg")
    out.line("do y")
    out.depth = inside
    out.line("do r")
    return out.text("y, r")


def columns(draw, net, lanes):
    _, _, results, _, width = WINDOWS[net]
    out, lanes = Lines(), draw.choice([lanes, 4, 2])
    vectors = f"for j = time(*) lane({lanes})" + ("" if width and width % lanes == 0 else " tail mask")
    out.loop(f"for b, j by {lanes * draw.choice([1, 2, 3, 7, 40])} on core")
    out.line("keep y in local")
    inside = out.depth
    out.loop(f"for i by {draw.choice([1, 2, 7, 8, 50, 64, 65])}")
    for line in (vectors, "for i on reg", "do y"):
        out.loop(line)
    out.depth = inside
    if "r" in results:
        out.loop(vectors)
        out.line("do r")
    return out.text(results)


def vectors(draw, index, lanes, size, rest=""):
    """Adds a loop along lanes, with a mask if it needs one, and sometimes if it doesn't."""
    reg = draw.choice([1, 1, 2, 4])
    masked = size % (lanes * reg) != 0 or draw.random() < 0.05
    return f"for {index} = time(*) " + (f"reg({reg}) " if reg > 1 else "") + f"lane({lanes}){rest}" + (" tail mask" if masked else "")


def scan(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes, lanes // 2, 4, 2])
    size, row, axis = {"running": (301, "i", "j"), "sideways": (90, "j", "i"), "longest": (5003, None, "j")}[net]
    form = draw.choice(["steps", "vectors", "parts", "across"])
    if form == "across" and row:
        out.loop(f"for {row} by {lanes} on core")
        out.loop(f"for {row} = lane({lanes})" + (" tail mask" if (21 if net == "sideways" else 5) % lanes else ""))
    elif row:
        out.loop(f"for {row} on core")
    if form == "parts":
        out.loop(f"for {axis} by {lanes * draw.choice([1, 3, 50, 200])} on core carry y")
    if form in ("vectors", "parts"):
        out.loop(f"for {axis} = time(*) lane({lanes}) carry y" + ("" if size % lanes == 0 and net != "running" else " tail mask"))
    else:
        out.loop(f"for {axis} carry y")
    out.line("do y")
    return out.text("y")


def scatter(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes, 4, 2])
    form = draw.choice(["blocks", "blocks", "shared", "alone"])
    if form == "blocks":
        out.loop(f"for j by {draw.choice([1, 2, 4, 8, 16, 24])} on core")
    if form == "shared":
        out.loop(f"for {draw.choice('jji')} on core")
    out.loop("for i" if form != "alone" else "for i, j")
    if form == "blocks":
        out.loop(f"for j = time(*) lane({lanes})" + (" tail mask" if 37 % lanes else ""))
    out.line("do y")
    return out.text("y")


def parts(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes, lanes, 4])
    part = draw.choice([64, 100, 256, 1000, 3000])
    loop = vectors(draw, "j", lanes, 1)
    out.loop("for i")
    out.loop(f"for j by {part} on core")
    for value in "me":
        inside = out.depth
        out.loop(loop)
        out.line(f"do {value}")
        out.depth = inside
    out.depth = 1
    out.line(f"join m, e over j by {draw.choice(['shifted', 'shifted', 'shifted', 'moments'])} in common")
    out.loop("for i on core")
    out.line("do y")
    return out.text("m, e, y")


def together(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes, 4, 2])
    out.loop(f"for i by {draw.choice([1, 2, 3, 4, 5, 6, 8, 12])}" + draw.choice([" on core", ""]))
    out.loop("for i on reg")
    inside = out.depth
    out.loop(vectors(draw, "k", lanes, 203))
    out.line("do d")
    out.depth = inside
    out.line("do y")
    return out.text("d, y")


def interleaved(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes, 4, 2])
    out.loop("for c" + draw.choice([" on core", "", " by 2 on core"]))
    out.loop(f"for w = time(*) lane({lanes}) tail mask")
    out.loop("for b on reg")
    out.line("do y")
    return out.text("y")


def winograd(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes, lanes, lanes, 4, 2])
    side, vectors, shared = draw.choice([4] * 4 + [2] * 4 + [3]), draw.choice([1, 2, 3, 4] * 3 + [5]), draw.random() < 0.5
    width, tiles = vectors * lanes, draw.randint(1, 17)
    block = f"p by {side * side * draw.choice([1, 2, 7, 30, 500])}" if "open" in net else f"h by {side * draw.choice([1, 2, 3, 4, 5, 5, 10])}"
    out.line("index p = h * w")
    out.line(f"stage f as [o / {width}, c, {width}] in kept by winograd")
    out.loop(f"for b, {block}" + ("" if shared else " on core"))
    out.line(f"stage x as [p, c] in {'common' if shared else 'local'} by winograd")
    out.loop(f"for o by {width}" + (" on core" if shared else ""))
    out.loop(f"for h by {side}, w by {side}")
    tile = out.depth
    out.loop("for c")
    out.loop(f"for p = reg({tiles}), o = " + (f"reg({vectors}) " if vectors > 1 else "") + f"lane({lanes})")
    out.line("do s by winograd")
    out.depth = tile
    if "open" not in net:
        out.line("do y")
    return out.text("s" if "open" in net else "s, y")


def taps(draw, net, lanes):
    out, lanes = Lines(), draw.choice([lanes] * 6 + [4, 2])
    side, vectors = draw.choice([4] * 4 + [2] * 4 + [3]), draw.choice([1, 2, 3, 4] * 5 + [5])
    out.line("index p = h * w")
    out.loop("for " + draw.choice([f"b by {draw.choice([2, 3, 4, 7, 7, 8])}", f"h by {side * draw.choice([1, 1, 2, 3, 7])}"]))
    out.line("stage x as [p, c] in common by winograd")
    out.line("stage a as [p, o] in common by winograd")
    out.loop(f"for o by {lanes * draw.choice([1, 1, 2, 2, 3, 20])}, c by {vectors * lanes} on core")
    strip = out.depth
    out.loop(f"for h by {side}, w by {side}")
    out.loop(f"for o = reg({draw.choice([1, 2, 2, 4, 4, 8, 8, 3])}), c = " + (f"reg({vectors}) " if vectors > 1 else "") + f"lane({lanes})")
    out.line("do s by winograd")
    out.depth = strip
    out.line("do y")
    return out.text("s, y")


def attend(draw, net, lanes):
    _, _, score, end = ATTENTION[net]
    rows, keys, columns = {"attend": (37, 60, 20), "masked": (37, 53, 10), "causal": (90, 90, 16), "turned_keys": (37, 53, 24),
                           "open_keys": (37, None, 10)}[net]
    out, lanes = Lines(), draw.choice([lanes, lanes, 4, 2])
    vectors, key_tile, column_tile = draw.choice([1, 1, 2, 3, 4, 5]), draw.randint(1, 17), draw.randint(1, 17)
    strip, block = vectors * lanes, key_tile * draw.choice([1, 2, 3, 7, 20])
    in_tile, across = draw.random() < 0.4, "x[" in score and draw.random() < 0.7
    lies = lambda size, tile, plain: plain and size and size % tile == 0 and draw.random() < 0.6
    turn = lambda: draw.choice([" by turn", " by turn", ""])
    each = draw.choice(["", f", i by {strip * draw.choice([1, 1, 2, 5])}", ", i by part"])
    grid = ("b" if net != "turned_keys" else "") + (each if net != "turned_keys" else each[2:])
    if grid:
        out.loop(f"for {grid} on core" + draw.choice([" dealt", ""]))
    if not lies(keys, key_tile, net != "turned_keys"):
        out.line("stage b as [j, d] in local")
    if not lies(columns, column_tile, True):
        out.line("stage f as [j, c] in local")
    out.loop(f"for i by {strip}")
    out.line("stage a as [d, i] in local" + turn())
    out.line("keep m, z in reg")
    out.line("keep y in local" + turn())
    inside = out.depth
    out.loop(f"for j by {block}" + (" skip t" if score and draw.random() < (0.7 if net == "causal" else 0.05) else ""))
    out.line("keep s, e in local")
    body = out.depth
    own = f"i = {f'reg({vectors}) ' if vectors > 1 else ''}lane({lanes})"
    registers = lambda x, n: f"for {x} = reg({n}), {own}"
    steps = ["t"] * bool(score) + ["m"]

    def nest(*lines):
        for line in lines:
            (out.loop if line.startswith("for") else out.line)(line)
        out.depth = body

    nest(f"for j by {key_tile}", "for d", registers("j", key_tile), "do " + ", ".join(["s"] + (steps if in_tile else [])))
    if not in_tile:
        turned = [f"for j by {lanes}", "stage x as [j, i] in local by turn"] if across else []
        nest(*turned, "for j", f"for {own}", "do " + ", ".join(steps))
    nest("for j", f"for {own}", "do e, z")
    nest(f"for c by {column_tile}", "for j", registers("c", column_tile), "do y")
    out.line("join m, z, y over j by shifted in local")
    out.depth = inside
    if end:
        out.loop(f"for {own}")
        out.line("do r")
    return out.text(", ".join(["s"] + steps + ["e", "z", "y"] + ["r"] * bool(end)))


WRITERS = {"channels": channels, "columns": columns, "places": columns, "running": scan, "sideways": scan, "longest": scan,
           "scattered": scatter, "joined": parts, "together": together, "interleaved": interleaved, "winograd": winograd, "open_winograd": winograd,
           "taps": taps}


class Nest(Lines):
    """Draws the schedule of a contraction."""

    def __init__(self, draw, net, lanes):
        super().__init__()
        self.draw = draw
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

    def space(self, constant, shared):
        """Draws the place of a copy, mostly one where it can be."""
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
        if net in ("end", "walked"):
            self.loop(self.registers)
            self.line("do r" + (" at last k" if self.depth_blocks != self.steps else ""))
        return self.text("c, r" if net in ("end", "walked") else "c")


def outputs(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return done, json.loads(done.stdout)["outputs"][0]["data"] if not done.returncode else None


def main():
    mgc, n, seed = os.path.abspath(sys.argv[1]), *(int(a) for a in sys.argv[2:4])
    draw, right, wanted, only = random.Random(seed), 0, {}, sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        for t in range(n):
            net = draw.choice(list(only or NETS | WINDOWS | ATTENTION))
            march, lanes = draw.choice([("x86-64-v4", 16), ("x86-64-v3", 8)] if "avx512" in open("/proc/cpuinfo").read() else [("x86-64-v3", 8)])
            if net in ATTENTION:
                source, sets = ATTENTION[net][:2]
                schedule = attend(draw, net, lanes)
            elif net in NETS:
                source, sets = NETS[net]
                schedule = Nest(draw, net, lanes // 2 if net == "double" else lanes).write(net, source)
            else:
                source, sets = WINDOWS[net][:2]
                schedule = WRITERS.get(net, window)(draw, net, lanes)
            for name, text in (("net.mg", "mg 1\n" + source + "\n"), ("net.mgs", schedule)):
                with open(f"{folder}/{name}", "w") as f:
                    f.write(text)
            inputs = [x for v in "abxf" if f"{v}: f" in source and f"param {v}" not in source for x in ("--input", f"{v}=random:{ord(v)}")]
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
