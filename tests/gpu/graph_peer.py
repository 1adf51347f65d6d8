#!/usr/bin/env python3
"""Runs the random graph of `mgc bench graphs` in PyTorch, on the same device in the same run.

    graph_peer.py RESULT.json [NAME]

RESULT.json is the output of `mgc bench graphs --targets=gpu --modes=loop --json`. For each size in it, one seed's graph is
compiled with torch.compile(mode="reduce-overhead") and fed with its own output. Factors are f32, and tensor units are off
unless NAME is "graph, tf32". Each pass is timed on the device. The script prints one JSON line for each size: the seconds
of both, and how many times faster mg is. Without PyTorch and a device, or for any other NAME, the lines have no peer.
"""
import json
import statistics
import sys

try:
    import torch

    has_peer = torch.cuda.is_available()
except ImportError:
    has_peer = False


def network(layers, n):
    make = {"L": lambda: torch.nn.Linear(n, n), "R": torch.nn.ReLU, "S": lambda: torch.nn.Softmax(-1)}
    return torch.nn.Sequential(*(make[c]() for c in layers))


def seconds(layers, n, passes=100, samples=9):
    net = network(layers, n).cuda().eval()
    compiled = torch.compile(net, mode="reduce-overhead")
    with torch.no_grad():
        x = torch.randn(n, n, device="cuda")
        for _ in range(5):
            x = compiled(x).clone()
        times = []
        for _ in range(samples):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            for _ in range(passes):
                y = compiled(x)
            end.record()
            torch.cuda.synchronize()
            times.append(begin.elapsed_time(end) * 1e-3 / passes)
        assert torch.isfinite(y).all()
    return statistics.median(times)


def main():
    result = json.load(open(sys.argv[1]))
    name = sys.argv[2] if len(sys.argv) > 2 else "graph"
    layers = result["seeds"][0]["layers"]
    points = {p["size"]: p["ns"] * 1e-9 for p in result["points"] if p["mode"] == "loop"}
    if has_peer:
        torch.backends.cuda.matmul.allow_tf32 = name == "graph, tf32"
    for n in sorted(points):
        case = {"name": name, "size": str(n), "mg": points[n], "seeds": len(result["seeds"])}
        if has_peer and name in ("graph", "graph, tf32"):
            try:
                peer = seconds(layers, n)
                case.update(peer=peer, peer_name="torch.compile reduce-overhead", ratio=round(peer / points[n], 3),
                            device=torch.cuda.get_device_name(0))
            except Exception as error:  # the line stands without a peer
                print(f"no peer for {name}, {n}: {error}", file=sys.stderr)
        print(json.dumps(case), flush=True)


main()
