"""Times inference through torch.compile(backend="mg"), also with frozen parameters, against eager mode and Inductor.

    MG_LIBRARY=build/libmg.so.0 PYTHONPATH=python python3 tests/bench/torch_infer.py [NET…] [--ways frozen inductor] [--threads=1] [--cpu]

Each compiled network is called in turn with eager mode, so that both see the same machine. The time at the first fifth of the sorted
times counts. --cpu takes the thread's CPU time instead of the clock, for one thread on a busy machine. The time of the first call is
always the clock's. The script needs torchvision and transformers, and downloads nothing.
"""

import argparse
import json
import os
import statistics
import sys
import time

import torch

sys.path[0] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "deploy")  # this folder has an mg.py of its own
import mg.torch
from torch_nets import NETS, make, tensors

WAYS = {"mg": dict(backend="mg"), "frozen": dict(backend="mg", options={"frozen": True}), "inductor": {}}


def measure(name, ways, clock, seconds):
    """Returns, for each way of compiling, how many times faster than eager mode it is, and the time of the first call."""
    net, args = make(name, batch=1, width=256, layers=4, length=64)

    def call(f):
        return tensors(f(**args))[0]

    found = {}
    for way in ways:
        torch._dynamo.reset()
        compiled = torch.compile(net, **WAYS[way])
        begin = time.perf_counter()
        y = call(compiled)
        first = time.perf_counter() - begin
        want = call(net)
        error = ((y - want).abs().max() / want.abs().max()).item()
        eager, fast, end = [], [], time.time() + seconds
        while time.time() < end or len(eager) < 5:
            a = clock()
            call(net)
            b = clock()
            call(compiled)
            eager.append(b - a)
            fast.append(clock() - b)
        place = len(eager) // 5
        found[way] = dict(speedup=round(sorted(eager)[place] / sorted(fast)[place], 3), ms=round(sorted(fast)[place] * 1e3, 2),
                          first=round(first, 2), error=float(f"{error:.1e}"))
    return found


def main():
    options = argparse.ArgumentParser()
    options.add_argument("nets", nargs="*", default=NETS)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    options.add_argument("--cpu", action="store_true")
    options.add_argument("--seconds", type=float, default=15)
    given = options.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(given.threads)
    ratios = {way: [] for way in given.ways if way != "inductor"}
    for name in given.nets:
        with torch.no_grad():
            found = measure(name, given.ways, time.thread_time if given.cpu else time.perf_counter, given.seconds)
        best = max(1.0, found.get("inductor", {}).get("speedup", 1.0))
        for way in ratios:
            ratios[way].append(found[way]["speedup"] / best)
        print(json.dumps({"net": name, **found}), flush=True)
    for way, all_ratios in ratios.items():
        print(f"{way}: {statistics.geometric_mean(all_ratios):.3f} times the best peer, at least {min(all_ratios):.3f}")


if __name__ == "__main__":
    main()
