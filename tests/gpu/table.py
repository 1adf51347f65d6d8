#!/usr/bin/env python3
"""Turns benchmark lines from standard input (JSON of tests/gpu/run) into one Markdown table; other lines pass.

The last column has the aim, and whether it was reached. Below the table are the aims that have no line.
"""
import json
import sys

# By name and size: the ratio to reach (above 1 is faster than the peer), or for `excess` the most seconds.
TO_REACH = {
    **{("sgemm", f"{n} x {n}"): 0.9 for n in (2048, 4096, 8192)},
    **{(name, "262144 x 1024"): 0.9 for name in ("chain", "softmax", "layer_norm")},
    **{("graph", str(n)): r for n, r in ((32, 15), (64, 15), (128, 5), (256, 2.5), (512, 1.4), (1024, 1.1))},
    **{(name, f"{n} x {n}"): 0.95 for name in ("bf16", "f16") for n in (4096, 8192)},
    ("tf32", "8192 x 8192"): 0.95,
    ("i8", "4096 x 4096"): 8,
    **{(name, size): 0.95 for name in ("attention", "causal") for size in ("262144 x 64", "262144 x 128")},
    ("enqueue", "32 launches"): 1 / 1.05,
    ("first result", "digits"): 0.3,
}


def time(seconds):
    for scale, unit in ((1, "s"), (1e-3, "ms")):
        if seconds >= scale:
            return f"{seconds / scale:.4g} {unit}"
    return f"{seconds * 1e6:.4g} µs"


def verdict(case, wanted):
    if wanted is None:
        return ""
    excess = "excess" in case
    text = f"{wanted:g} s more" if excess else f"{wanted:.3g}"
    if not excess and "ratio" not in case:
        return text + ": no peer here"
    reached = case["excess"] <= wanted if excess else case["ratio"] >= wanted
    return text + (": reached" if reached else ": not reached")


def row(case):
    key = (case["name"], case["size"].split(" on ")[0])
    ratio = f"{case['excess']:.3g} s more" if "excess" in case else case.get("ratio", "")
    peer = time(case["peer"]) if "peer" in case else ""
    return key, (*key, time(case["mg"]), peer, case.get("peer_name", ""), ratio, verdict(case, TO_REACH.get(key)))


def main():
    print("| benchmark | size | mg | peer | what it is | ratio | to reach |\n|---|---|---|---|---|---|---|")
    seen = set()
    for line in sys.stdin:
        if not line.startswith('{"name"'):
            print(line, end="")
            continue
        try:
            key, cells = row(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:  # cut off, or of something that failed
            print(f"no line of a benchmark ({error}): {line.strip()}")
            continue
        seen.add(key)
        print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)
    for name, size in TO_REACH:
        if (name, size) not in seen:
            print(f"no line: {name}, {size}")


main()
