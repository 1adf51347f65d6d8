#!/usr/bin/env python3
"""Benchmark lines from standard input, JSON as tests/gpu/run prints them, as one Markdown table; other lines pass."""
import json
import sys


def time(seconds):
    for scale, unit in ((1, "s"), (1e-3, "ms")):
        if seconds >= scale:
            return f"{seconds / scale:.4g} {unit}"
    return f"{seconds * 1e6:.4g} us"


def main():
    print("| benchmark | size | mg | peer | what it is | ratio |\n|---|---|---|---|---|---|")
    for line in sys.stdin:
        if not line.startswith('{"name"'):
            print(line, end="")
            continue
        case = json.loads(line)
        ratio = f"{case['excess']:.3g} s more" if "excess" in case else case.get("ratio", "")
        peer = time(case["peer"]) if "peer" in case else ""
        cells = (case["name"], case["size"], time(case["mg"]), peer, case.get("peer_name", ""), ratio)
        print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


main()
