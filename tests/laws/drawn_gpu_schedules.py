#!/usr/bin/env python3
"""Draws schedules of contractions on a GPU: by items, by matrix units, with parts of the sum and shares of a block. Each must be
refused with its line, or its kernels must compute the product, without a race, in the interpreter of kernels.

    drawn_gpu_schedules.py MGC [N] [SEED]

Copies and the digits of items must follow the order in which the factors lie. The message says this order, and the draw then takes
the message's line. At least a third of the schedules must run; otherwise the draw says too little.
"""
import os, random, re, subprocess, sys, tempfile

NETS = {  # name: rows, columns, depth, type, a and b as they lie, does more follow
    "plain": (37, 45, 70, "f32", "ik", "kj", False),
    "whole": (64, 48, 128, "f32", "ik", "kj", True),
    "across": (48, 64, 96, "f32", "ki", "jk", False),
    "lines": (40, 64, 64, "f32", "ik", "jk", True),
    "narrow": (48, 64, 256, "bf16", "ik", "kj", False),
    "narrow_lines": (64, 40, 128, "bf16", "ik", "jk", True),
    "narrow_odd": (35, 52, 130, "bf16", "ki", "kj", True),
    "batch": (24, 40, 64, "f32", "nik", "nkj", True),
}
BATCH = 3


def extents(axes, m, n, k):
    return [{"i": m, "j": n, "k": k, "n": BATCH}[x] for x in axes]


def source(m, n, k, dtype, a, b, end):
    types = [f"{name}: {dtype}[{', '.join(map(str, extents(axes, m, n, k)))}]" for name, axes in (("a", a), ("b", b))]
    factors = [f"{name}[{', '.join(axes)}]" for name, axes in (("a", a), ("b", b))]
    if dtype != "f32":
        factors = [f"cast({f}, to = f32)" for f in factors]
    free = "n, i, j" if "n" in a else "i, j"
    shape = ", ".join(map(str, ([BATCH] if "n" in a else []) + [m, n]))
    text = f"mg 1\ngraph g({', '.join(types)}) -> (y: f32[{shape}]) {{\n"
    first = "c" if end else "y"
    text += f"    {first}[{free}] = sum[k] {factors[0]} * {factors[1]}\n"
    return text + (f"    y[{free}] = max(c[{free}] + 1, 0) * c[{free}]\n" if end else "") + "}\n"


def numbers(name, n):
    return [(i * (7 if name == "a" else 5) + i // 9) % 9 - 4 for i in range(n)]


def at(axes, sizes, point):
    place = 0
    for axis, size in zip(axes, sizes):
        place = place * size + point[axis]
    return place


def product(m, n, k, a, b, end):
    sizes = extents(a, m, n, k), extents(b, m, n, k)
    x, y = numbers("a", BATCH ** ("n" in a) * m * k), numbers("b", BATCH ** ("n" in b) * n * k)
    result = []
    for batch in range(BATCH if "n" in a else 1):
        rows = [[x[at(a, sizes[0], {"n": batch, "i": i, "k": d})] for d in range(k)] for i in range(m)]
        columns = [[y[at(b, sizes[1], {"n": batch, "j": j, "k": d})] for d in range(k)] for j in range(n)]
        for row in rows:
            sums = [sum(p * q for p, q in zip(row, column)) for column in columns]
            result += [max(s + 1, 0) * s for s in sums] if end else sums
    return x, y, result


def schedule(draw, net):
    m, n, k, dtype, a, b, end = net
    rows, columns, depth = (1 << draw.randint(3, 6) for _ in range(3))
    parts, shares = draw.choice([1, 1, 1, 2, 3]), draw.choice([1, 1, 2, 4, 8])
    units = dtype != "f32" and draw.random() < 0.7
    first, batch = "c" if end else "y", "n" in a
    lines, indent = [f"schedule {'c, y' if end else 'y'} on gpu"], 1

    def add(text, deeper=False):
        nonlocal indent
        lines.append("  " * indent + text)
        indent += deeper

    if batch:
        add("for n on core", True)
    if parts > 1:
        add(f"for k = core({parts}) time(*)", True)
    band = draw.choice([1, 1, 1, 1, 2, 3])
    add((f"for i by {rows * band}, " if band > 1 else "for ") + f"j by {columns}, i by {rows} on core", True)
    tile = indent
    add(f"for k by {depth}", True)
    add("stage a as [k, i] in local")
    add("stage b as [k, j] in local")
    add(f"for k = warp({shares}) time(*)" if shares > 1 else "for k", True)
    if units:
        rows = max(rows, 16)
        item = f"for i by {min(rows, draw.choice([16, 32]))}, j by {min(columns, draw.choice([8, 16, 32]))} on warp"
    else:
        own = [draw.choice([1, 1, 2, 4]) for _ in range(2)]
        item = "for " + ", ".join(f"{x} = " + (f"reg({q}) " if q > 1 else "") + f"lane({max(side // 4 // q, 1)}) vec(4)"
                                  for x, q, side in zip("ij", own, (rows, columns)))
    add(item, True)
    add(f"do {first}" + (" with bf16" if units else ""))
    indent = tile
    if parts > 1:
        indent = 1
        add(f"join {first} over k in common")
    if end:
        add(("for n, i, j on core" if batch else "for i, j on core") if parts > 1 else item, True)
        add("do y")
    return lines


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def with_check(kernels, n):
    """Returns its only kernel, changed to count the elements of y that differ from `wanted`."""
    kernels = re.sub(r"\by: out ", "y: inout ", kernels, count=1)
    kernels = re.sub(r"\) items ", ", wanted: in f32[], wrong: inout f32[]) items ", kernels, count=1)
    end = kernels.rindex("}")
    return kernels[:end] + ("  barrier grid\n  group all in 0..1 {\n    if local_id == 0 {\n      wrong[0] = 0.0\n"
                            f"      for i in 0..{n} {{\n        wrong[0] = wrong[0] + where(y[i] == wanted[i], 0.0, 1.0)\n"
                            "      }\n    }\n  }\n}\n")


def main():
    mgc, n, seed = os.path.abspath(sys.argv[1]), *(int(x) for x in sys.argv[2:4])
    draw, right, known = random.Random(seed), 0, {}
    told = re.compile(r"net\.mgs:(\d+):\d+: error: a contraction with these loops has '(.*)' here")
    with tempfile.TemporaryDirectory() as folder:
        for t in range(n):
            name = draw.choice(list(NETS))
            net = NETS[name]
            if name not in known:
                known[name] = product(net[0], net[1], net[2], net[4], net[5], net[6])
            write(f"{folder}/net.mg", source(*net))
            lines = schedule(draw, net)
            for _ in range(6):  # what follows from how factors lie
                write(f"{folder}/net.mgs", "\n".join(lines) + "\n")
                done = run([mgc, "--emit-kernels", "--target=gpu", "--march=h200", f"--schedule={folder}/net.mgs", f"{folder}/net.mg"])
                other = told.search(done.stderr)
                if not other:
                    break
                line = int(other[1]) - 1
                lines[line] = " " * (len(lines[line]) - len(lines[line].lstrip())) + other[2]
            what = f"seed {seed}, draw {t}: {name}\n" + "\n".join(lines)
            if done.returncode:
                if done.returncode != 1 or "net.mgs:" not in done.stderr:
                    sys.exit(f"ends with {done.returncode}: {done.stderr}{what}")
                continue
            a, b, wanted = known[name]
            room = 3 * len(wanted) # of parts
            buffers = {"a": a, "b": b, "wanted": wanted, "y": [0] * len(wanted), "wrong": [0]}
            for buffer in re.findall(r"(\w+(?:\.\d+)?): (?:in|out|inout) \w+\[\]", done.stdout):
                buffers.setdefault(buffer, [0] * room)
            kernels = with_check(done.stdout, len(wanted))
            write(f"{folder}/net.mk", kernels)
            command = [mgc, "kernels", f"{folder}/net.mk", "--run"]
            for buffer, values in buffers.items():
                if re.search(rf"\b{buffer}: (in|out|inout) ", kernels):
                    command += ["--input", f"{buffer}={','.join(map(str, values))}"]
            ran = run(command)
            if ran.returncode or "wrong: f32[1] = [0.0]" not in ran.stdout:
                sys.exit(f"computes something else ({ran.returncode}): {ran.stderr[:1000]} {ran.stdout[-300:]}\n{what}")
            right += 1
    print(f"{right} of {n} drawn schedules ran, and were right; the others were refused")
    return right * 3 < n


if __name__ == "__main__":
    sys.exit(main())
