#!/usr/bin/env python3
"""inner_loop.py MGC: counts the instructions of the innermost loop of matrix products for AArch64. They should be loads and
multiply-adds, nine of ten of them multiply-adds; what else the loop has are its counter, its addresses and its branch."""
import re
import subprocess
import sys
import tempfile

MULTIPLY = re.compile(r"fmla|mla|sdot|udot|usdot|sudot|bfdot")
LOAD = re.compile(r"ld[pr1]")
CASES = [  # the factors' and the sum's type, the CPU, and the least share of multiply-adds among them and loads
    ("f32", "f32", "aarch64", 0.9),
    ("f32", "f32", "neoverse-n1", 0.9),
    ("i32", "i32", "aarch64", 0.9),
    ("f64", "f64", "aarch64", 0.85),  # a lane is a factor of half as many products
    ("i8", "i32", "neoverse-v2", 0.9),
    ("u8", "i32", "neoverse-v2", 0.9),
]
MOST_OTHERS = 6


def multiplies_in(body):
    return sum(map(bool, map(MULTIPLY.match, body)))


def inner_loop(text):
    """The instructions of the loop without a loop inside that multiplies most; of several such, of the shortest: the others
    also pack a factor."""
    lines, labels, best = text.split("\n"), {}, []
    for at, line in enumerate(lines):
        if match := re.match(r"(\.\w+):", line):
            labels[match[1]] = at
        match = re.search(r"\bb\.\w+\s+(\.\w+)", line)
        if not match or match[1] not in labels:
            continue
        inside = lines[labels[match[1]] + 1 : at + 1]
        body = [x.split()[0] for x in inside if x.startswith("\t") and not x.startswith("\t.")]
        if not any(re.match(r"\.\w+:", x) for x in inside):
            best = max(best, body, key=lambda x: (multiplies_in(x), -len(x)))
    return best


def check(mgc, narrow, wide, cpu, least):
    with tempfile.NamedTemporaryFile("w", suffix=".mg") as net:
        net.write(
            f"mg 1\ngraph g(x: {narrow}[1000, 1000], w: {narrow}[1000, 1000]) -> (y: {wide}[1000, 1000]) {{\n"
            f"    y[i, j] = sum[k] {wide}(x[i, k]) * {wide}(w[k, j])\n}}\n"
        )
        net.flush()
        command = [mgc, net.name, "-O2", f"--march={cpu}", "--emit-asm", "--no-cache"]
        body = inner_loop(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    multiplies = multiplies_in(body)
    loads = sum(map(bool, map(LOAD.match, body)))
    others = len(body) - multiplies - loads
    share = multiplies / max(multiplies + loads, 1)
    print(f"{narrow} on {cpu}: {multiplies} multiply-adds, {loads} loads, {others} others: {share:.3f}")
    return share >= least and others <= MOST_OTHERS


if not all([check(sys.argv[1], *case) for case in CASES]):
    sys.exit("a loop has too many other instructions")
