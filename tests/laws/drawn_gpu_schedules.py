#!/usr/bin/env python3
"""Draws schedules of contractions, attention and joined reductions on a GPU: by items, by matrix units, with parts of the sum, of the keys
or of a row, and shares of a block. Each must be refused with its line, or its kernels must compute the program, without a race, in the interpreter of kernels.

    drawn_gpu_schedules.py MGC [N] [SEED] [NET]...

Copies and the digits of items must follow the order in which the factors lie. The message says this order, and the draw then takes
the message's line. At least a third of the schedules must run; otherwise the draw says too little.
"""
import math, os, random, re, subprocess, sys, tempfile

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
BATCH, GPU = 3, "h200"

ATTENTION = {  # name: rows (0: one, without an index), keys, depth, columns, type, does a row see the keys up to its own, does more follow
    "attend": (37, 53, 12, 20, "f32", False, True),
    "wide_heads": (21, 40, 72, 90, "f32", False, False),
    "few": (3, 520, 12, 16, "f32", False, True),
    "one_query": (0, 520, 16, 12, "f32", False, False),
    "odd_columns": (0, 520, 16, 10, "f32", False, True),
    "exact": (80, 90, 16, 24, "bf16", False, False),
    "causal": (150, 150, 24, 16, "bf16", True, True),
}

ROWS = {  # name: the body, what is joined, how, the other equations, rows, width
    "total": ("y[i] = sum[j] x[i, j]", "y", "", "", 2, 3000),
    "total_end": ("s[i] = sum[j] x[i, j]\n    y[i] = max(s[i] + 1, 0) * 2", "s", "", "y", 5, 1501),
    "down": ("y[i] = sum[j] x[j, i]", "y", "", "", 5, 2000),
    "columns": ("s[i] = sum[j] x[j, i]\n    y[i] = max(s[i] + 1, 0) * 2", "s", "", "y", 72, 700),
    "place": ("y[i] = argmax[j] x[i, j]", "y", "", "", 3, 2001),
    "both": ("m[i] = max[j] x[i, j]\n    e[i] = sum[j] exp(x[i, j] - m[i])\n    y[i] = log(e[i]) + m[i]", "m, e", " by shifted", "y", 3, 2048),
}


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


def attention_source(rows, keys, depth, columns, dtype, causal, end):
    i, narrow, size = ("i, " if rows else ""), dtype != "f32", (f"{rows}, " if rows else "")
    wide = lambda x: f"f32({x})" if narrow else x
    lines = [f"s[b, {i}j] = sum[d] {wide(f'a[b, {i}d]')} * {wide('b[b, j, d]')}"]
    lines += [f"t[b, {i}j]{f': {dtype}[{BATCH}, {size}{keys}]' if narrow else ''} = " +
              (f"where(j > i, -inf, s[b, {i}j])" if causal else f"s[b, {i}j] * 0.5"), "p = softmax(t)",
              f"y[b, {i}c]: f32[{BATCH}, {size}{columns}] = sum[j] {wide(f'p[b, {i}j]')} * {wide('f[b, j, c]')}"]
    lines += [f"r[b, {i}c] = max(y[b, {i}c] + 1, 0) * 2"] if end else []
    types = [f"{name}: {dtype}[{', '.join(str(x) for x in (BATCH, *shape) if x)}]"
             for name, shape in (("a", (rows, depth)), ("b", (keys, depth)), ("f", (keys, columns)))]
    result = f"{'r' if end else 'y'}: f32[{BATCH}, {size}{columns}]"
    return f"mg 1\ngraph g({', '.join(types)}) -> ({result}) {{\n    " + "\n    ".join(lines) + "\n}\n"


def attended(rows, keys, depth, columns, dtype, causal, end):
    """Returns the inputs by name, and what the program computes from them."""
    rows = rows or 1
    x = {name: [v / 4 for v in numbers(name, BATCH * n)] for name, n in (("a", rows * depth), ("b", keys * depth), ("f", keys * columns))}
    result = []
    for batch in range(BATCH):
        for i in range(rows):
            row = x["a"][(batch * rows + i) * depth:][:depth]
            key = lambda j: x["b"][(batch * keys + j) * depth:][:depth]
            scores = [sum(p * q for p, q in zip(row, key(j))) * (1 if causal else 0.5) for j in range(i + 1 if causal else keys)]
            weights = [math.exp(s - max(scores)) for s in scores]
            for c in range(columns):
                y = sum(w * x["f"][(batch * keys + j) * columns + c] for j, w in enumerate(weights)) / sum(weights)
                result.append(max(y + 1, 0) * 2 if end else y)
    return x, result


def attention(draw, net, results):
    rows, keys, depth, columns, dtype, causal, end = net
    lines, indent = [f"schedule {results} on gpu"], 1

    def add(text, deeper=False):
        nonlocal indent
        lines.append("  " * indent + text)
        indent += deeper

    scores, most, weights, total = "s, t", "p_m", "p_e", "p_sum"
    kinds = (["few"] * 4 if rows < 5 else []) + (["units", "wide"] * 2 if dtype != "f32" else []) + (["tiles"] if rows else [])
    kind = draw.choice(kinds + (["few", "units", "tiles"] if draw.random() < 0.05 else []))
    parts = draw.choice([1, 1, 2, 3]) if kind in ("tiles", "few") or draw.random() < 0.05 else 1
    block = {"tiles": [8, 16, 24, 32, 32, 40], "few": [32, 64, 128, 20, 8], "units": [16, 32, 48, 64, 20], "wide": [128] * 9 + [64]}[kind]
    group = {"tiles": [8, 16, 32, 32, 64, 20], "units": [64, 128], "wide": [64, 128], "few": [0]}[kind]
    block, group = draw.choice(block), draw.choice(group)
    deep, across = depth, columns
    if kind == "tiles" and draw.random() < 0.4:
        deep = draw.choice([4, 8, 12, 20, 64])
    if kind == "tiles" and columns > 32 and draw.random() < 0.6:
        across = draw.choice([32, 64])
    outer = "b" + (f", i by {group}" if group else "") + (f", c by {across}" if across < columns else "")
    add(f"for {outer} on core", True)
    if parts > 1:
        add(f"for j = core({parts}) time(*)", True)
    inside = indent
    stage_rows = f"stage a as [{'i, ' if rows else ''}d] in local"
    if deep >= depth:
        add(stage_rows)
    add(f"keep {most}, {total}, y in reg")
    add(f"for j by {block}" + (" skip t" if draw.random() < (0.6 if causal and kind in ("units", "wide") else 0.03) else ""), True)
    body = indent
    add(f"keep s, {weights} in {'reg' if kind == 'wide' else 'local'}" if kind != "units" else f"keep s in reg")
    if kind == "units":
        add(f"keep {weights} in local")
    if kind == "tiles":
        down, vectors = group // 8, -(-min(across, columns) // 32)
        add("stage f as [j, c] in local")
        if deep < depth:
            add(f"for d by {deep}", True)
            add(stage_rows)
        add("stage b as [j, d] in local")
        add("for d", True)
        add(f"for i = reg(8) lane({down}), j = " + (f"reg({block // 8}) " if block > 15 else "") + "lane(8)", True)
        add("do s")
        indent = body
        add(f"for i = lane({group})", True)
        add(f"do t, {most}, {weights}, {total}")
        indent = body
        add("for j", True)
        add(f"for i = lane({down}) reg(8), c = " + (f"reg({vectors}) " if vectors > 1 else "") + "lane(8) vec(4)", True)
        add("do y")
    elif kind == "few":
        key, value = draw.choice([1, 2, 4, 4, 8]), draw.choice([1, 2, 4, 4])
        add(f"for j = lane({block})", True)
        add(f"for d = time(*) vec({key})", True)
        add("do s")
        indent = body + 1
        add(f"do t, {most}, {weights}")
        indent = body
        add(f"for j = time(*) warp({block // (columns // value)}), c = lane({columns // value}) vec({value})", True)
        add(f"do {total}, y")
    else:
        together = 64 if kind == "wide" else group // 4
        suffix = " with bf16" + (" by wide" if kind == "wide" else "")
        add("stage b as [j, d] in local")
        add("stage f as [j, c] in local")
        for line in (f"for i by {together} on warp", "for d", "do s" + suffix):
            add(line, True)
        indent = body
        add(f"do t, {most}, {weights}, {total}")
        for line in (f"for i by {together} on warp", "for j", "do y" + suffix):
            add(line, True)
    indent = body
    add(f"join {most}, {total}, y over j by shifted in local")
    indent = inside
    if parts > 1:
        indent = 1
        add(f"join {most}, {total}, y over j by shifted in common")
        add("for b, i on core" if rows else "for b on core", True)
    add("do p" + (", r" if end else ""))
    return lines


def rows_source(body, joined, by, others, rows, width):
    dtype, shape = ("i64" if "argmax" in body else "f32"), (f"{width}, {rows}" if "[j, i]" in body else f"{rows}, {width}")
    return f"mg 1\ngraph g(x: f32[{shape}]) -> (y: {dtype}[{rows}]) {{\n    {body}\n}}\n"


def reduced(body, joined, by, others, rows, width):
    """Returns the input, and what the program computes from it."""
    x = numbers("a", rows * width)
    lines = [x[i::rows] if "[j, i]" in body else x[i * width:][:width] for i in range(rows)]
    if "argmax" in body:
        return {"x": x}, [line.index(max(line)) for line in lines]
    if by:
        return {"x": x}, [math.log(sum(math.exp(v - max(line)) for v in line)) + max(line) for line in lines]
    return {"x": x}, [max(sum(line) + 1, 0) * 2 if others else sum(line) for line in lines]


def reduction(draw, net):
    body, joined, by, others, rows, width = net
    parts, side, items = draw.choice([1, 2, 3, 8, 43]), draw.choice([1, 2, 4, 8]), draw.choice([4, 16, 32, 64])
    vec, group = draw.choice([1, 1, 2, 4]), draw.choice([1, 1, 2, 4])
    down = "[j, i]" in body
    mask = lambda n, block: " tail mask" if n % block else ""
    columns = draw.choice([1, 2, 4]) if down else 1
    after = "for i = core(*)" + (f" {'lane' if down else 'warp'}({group})" if group > 1 or down else "")
    over = after + (f" vec({columns})" if columns > 1 else "") + mask(rows, group * columns)
    along = (f"core({parts}) " if parts > 1 else "") + "time(*) " + (f"reg({side}) " if side > 1 else "")
    along += f"{'warp' if down else 'lane'}({items})" + (f" vec({vec})" if vec > 1 else "") + mask(width, items * vec * side)
    lines = [f"schedule {joined}{', ' + others if others else ''} on gpu", f"  {over}", f"    for j = {along}", f"      do {joined}",
             f"  join {joined} over j{by} in " + ("common" if parts > 1 else "local")]
    return lines + ([f"  {after}{mask(rows, group)}", f"    do {others}"] if others else [])


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def with_check(kernels, n, result="y", far="y[i] == wanted[i]"):
    """Returns its only kernel, changed to count the elements of the result that differ from `wanted`."""
    kernels = re.sub(rf"\b{result}: out ", f"{result}: inout ", kernels, count=1)
    kernels = re.sub(r"\) items ", ", wanted: in f32[], wrong: inout f32[]) items ", kernels, count=1)
    end = kernels.rindex("}")
    return kernels[:end] + ("  barrier grid\n  group check in 0..1 {\n    if local_id == 0 {\n      wrong[0] = 0.0\n"
                            f"      for i in 0..{n} {{\n        wrong[0] = wrong[0] + where({far}, 0.0, 1.0)\n"
                            "      }\n    }\n  }\n}\n")


def main():
    mgc, n, seed = os.path.abspath(sys.argv[1]), *(int(x) for x in sys.argv[2:4])
    draw, right, known, only = random.Random(seed), 0, {}, sys.argv[4:]
    told = re.compile(r"net\.mgs:(\d+):\d+: error: (?:a contraction|attention|a reduction of joined parts) with these loops has '(.*)' here")
    with tempfile.TemporaryDirectory() as folder:
        for t in range(n):
            name = draw.choice(only or list(NETS) + list(ATTENTION) + list(ROWS))
            attends, reduces = name in ATTENTION, name in ROWS
            net = (NETS | ATTENTION | ROWS)[name]
            if name not in known and attends:
                write(f"{folder}/net.mg", attention_source(*net))
                printed = run([mgc, "--emit-schedule", "--target=gpu", f"--march={GPU}", f"{folder}/net.mg"]).stdout
                heading = re.search(r"schedule (s, .*) on gpu", printed)
                if not heading:
                    sys.exit(f"{name} is no attention: {printed}")
                known[name] = (*attended(*net), heading[1])
            elif name not in known and reduces:
                known[name] = reduced(*net)
            elif name not in known:
                a, b, wanted = product(net[0], net[1], net[2], net[4], net[5], net[6])
                known[name] = {"a": a, "b": b}, wanted
            write(f"{folder}/net.mg", (attention_source if attends else rows_source if reduces else source)(*net))
            lines = attention(draw, net, known[name][2]) if attends else reduction(draw, net) if reduces else schedule(draw, net)
            for _ in range(6):  # what follows from how factors lie
                write(f"{folder}/net.mgs", "\n".join(lines) + "\n")
                done = run([mgc, "--emit-kernels", "--target=gpu", f"--march={GPU}", f"--schedule={folder}/net.mgs", f"{folder}/net.mg"])
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
            inputs, wanted = known[name][:2]
            result = "r" if attends and net[-1] else "y"
            close = attends or name == "both"
            far = f"abs({result}[i] - wanted[i]) < {'0.02' if attends and net[4] != 'f32' else '0.001'}" if close else \
                  "cast<f32>(y[i]) == wanted[i]" if name == "place" else "y[i] == wanted[i]"
            room = max(min((43 if reduces else 12) * len(wanted), 50000), 400)  # of parts
            buffers = inputs | {"wanted": wanted, result: [0] * len(wanted), "wrong": [0]}
            for buffer in re.findall(r"(\w+(?:\.\d+)?): (?:in|out|inout) \w+\[\]", done.stdout):
                buffers.setdefault(buffer, [0] * room)
            kernels = with_check(done.stdout, len(wanted), result, far)
            write(f"{folder}/net.mk", kernels)
            command = [mgc, "kernels", f"{folder}/net.mk", "--run"]
            for buffer, values in buffers.items():
                if re.search(rf"\b{buffer}: (in|out|inout) ", kernels):
                    command += ["--input", f"{buffer}={','.join(f'{v:.6g}' for v in values)}"]
            ran = run(command)
            if ran.returncode or "wrong: f32[1] = [0.0]" not in ran.stdout:
                sys.exit(f"computes something else ({ran.returncode}): {ran.stderr[:1000]} {ran.stdout[-300:]}\n{what}")
            right += 1
    print(f"{right} of {n} drawn schedules ran, and were right; the others were refused")
    return right * 3 < n


if __name__ == "__main__":
    sys.exit(main())
