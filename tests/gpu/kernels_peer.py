#!/usr/bin/env python3
"""Adds to each line of gpu_kernels the time that PyTorch takes on the same device, in the same run.

    gpu_kernels | kernels_peer.py

Matrix products are compared with cuBLAS (tensor units are off for f32, and on for tf32), sorting, cumulative sums and attention with
PyTorch's, and kernels that move memory with a copy of as many bytes. Times are medians of events on the device. The script prints one
JSON line for each case, like the benchmarks of the CPU; a ratio above 1 is faster. A case whose peer fails has no ratio.
"""
import json
import statistics
import sys

import torch


def seconds(work, runs=15):
    for _ in range(3):
        work()
    times = []
    for _ in range(runs):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e-3)
    return statistics.median(times)


def product(name, rows, columns):
    kind = {"f16": torch.float16, "i8": torch.int8, "skinny": torch.bfloat16}.get(name, torch.bfloat16)
    if name == "i8":
        x, y = (torch.randint(-126, 126, (columns, columns), device="cuda", dtype=kind) for _ in range(2))
        return seconds(lambda: torch._int_mm(x, y)), "cuBLAS i8"
    if name == "f8":
        x, y = (torch.randn(n, columns, device="cuda").to(torch.float8_e4m3fn) for n in (rows, columns))
        one = torch.ones((), device="cuda")
        return seconds(lambda: torch._scaled_mm(x, y.T, one, one, out_dtype=torch.bfloat16, use_fast_accum=True)), "cuBLAS f8"
    x = torch.randn(rows, columns, device="cuda").to(kind)
    if name == "across":
        y = torch.randn(rows, columns if rows == columns else 768, device="cuda").to(kind)
        return seconds(lambda: x.T @ y), "cuBLAS bf16"
    y = torch.randn(columns, columns, device="cuda").to(kind)
    if name == "along":
        return seconds(lambda: torch.nn.functional.linear(x, y)), "cuBLAS bf16"
    if name == "skinny":
        return seconds(lambda: torch.nn.functional.linear(x, y), 60), "cuBLAS bf16"
    return seconds(lambda: x @ y), f"cuBLAS {name}"


def attention(rows, columns, heads, causal):
    q, k, v = (torch.randn(1, heads, rows // heads, columns, device="cuda").to(torch.bfloat16) for _ in range(3))
    work = torch.nn.functional.scaled_dot_product_attention
    return seconds(lambda: work(q, k, v, is_causal=causal)), "torch attention"


def peer_of(name, rows, columns, size, heads):
    if name in ("attention", "causal"):
        return attention(rows, columns, heads, name == "causal")
    if name in ("bf16", "f16", "i8", "f8", "skinny", "across", "along"):
        return product(name, rows, columns)
    if name in ("sgemm", "tf32"):
        torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
        x = torch.randn(rows, columns, device="cuda")
        y = torch.randn(rows, columns, device="cuda")
        return seconds(lambda: x @ y), "cuBLAS tf32" if name == "tf32" else "cuBLAS f32"
    if name in ("sort", "cumsum"):
        x = torch.randn(rows, columns, device="cuda")
        work = torch.sort if name == "sort" else torch.cumsum
        return seconds(lambda: work(x, -1)), f"torch.{name}"
    x = torch.randn(size // 8, device="cuda")
    y = torch.empty_like(x)
    return seconds(lambda: y.copy_(x)), "copy"


def with_peer(case):
    rows, columns = (int(n) for n in case["size"].split(" x "))
    peer, name = peer_of(case["name"], rows, columns, case["bytes"], case.get("heads", 0))
    return case | {"threads": 1, "peer": round(peer, 8), "peer_name": name, "ratio": round(peer / case["mg"], 3),
                   "device": torch.cuda.get_device_name(0)}


def main():
    for line in sys.stdin:
        if not line.startswith("{"):
            print(line, end="")
            continue
        try:
            print(json.dumps(with_peer(json.loads(line))), flush=True)
        except (ValueError, KeyError, ZeroDivisionError, RuntimeError) as error:
            print(f"no peer for {line.strip()}: {error}", file=sys.stderr)
            print(line, end="", flush=True)


main()
