#!/usr/bin/env python3
"""The random graph of `mgc bench graphs` in PyTorch, on the same device in the same run.

    graph_peer.py RESULT.json [SIZE...]

RESULT.json is what `mgc bench graphs --targets=gpu --modes=loop --json` printed. For each size (default: all in
it) one seed's graph is compiled with torch.compile(mode="reduce-overhead"), f32 with tensor units off, and fed with
its own output; each pass is timed on the device. One JSON line a size: seconds of both, and how many times faster mg is.
"""
import json
import statistics
import sys

import torch


class Net(torch.nn.Module):
    def __init__(self, layers, n):
        super().__init__()
        make = {"L": lambda: torch.nn.Linear(n, n), "R": torch.nn.ReLU, "S": lambda: torch.nn.Softmax(-1)}
        self.layers = torch.nn.Sequential(*(make[c]() for c in layers))

    def forward(self, x):
        return self.layers(x)


def seconds(layers, n, passes=100, samples=9):
    net = Net(layers, n).cuda().eval()
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
    torch.backends.cuda.matmul.allow_tf32 = False
    result = json.load(open(sys.argv[1]))
    layers = result["seeds"][0]["layers"]
    points = {p["size"]: p["ns"] * 1e-9 for p in result["points"] if p["mode"] == "loop"}
    for n in [int(a) for a in sys.argv[2:]] or sorted(points):
        peer = seconds(layers, n)
        print(json.dumps({"name": "graph", "size": str(n), "mg": points[n], "peer": peer, "peer_name":
                          "torch.compile reduce-overhead", "ratio": round(peer / points[n], 3),
                          "device": torch.cuda.get_device_name(0)}), flush=True)


main()
