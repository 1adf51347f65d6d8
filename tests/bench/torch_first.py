"""Compares the first call of networks that torch.compile compiles by MG and by Inductor, by CPU time.

    MG_LIBRARY=build/libmg.so.0 PYTHONPATH=python python3 tests/bench/torch_first.py [NET…] [--backends mg inductor]

Each first call has a process of its own, and no cache. Its CPU time is that of the process and of those that it starts, from the call to
the first result, so it depends little on other work on the machine. Networks are those of tests/deploy/torch_nets.py, for a batch of one;
networks of transformers have 4 layers of 256 and read 64 tokens. Nothing is downloaded.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

USUAL = "squeezenet1_1 mobilenet_v3_large alexnet resnet18 vit gpt2 llama bert".split()


def cpu_time():
    return sum(x.ru_utime + x.ru_stime for x in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


def first_call(name, backend):
    """Prints the CPU time of a first call in this process."""
    import torch
    sys.path[0] = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "deploy")  # this folder has an mg.py of its own
    from torch_nets import make
    torch.set_num_threads(1)
    options = {}
    if backend == "mg":
        import mg.torch
        options = dict(options={"cache": ""})
    else:  # workers would be started before they are needed, and end after the call
        import torch._inductor.config
        torch._inductor.config.compile_threads = 1
    net, args = make(name, batch=1, width=256, layers=4, length=64)
    with torch.no_grad():
        net(**args)
        begin = cpu_time()
        torch.compile(net, backend=backend, **options)(**args)
    print(cpu_time() - begin)


def measure(name, backend):
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([sys.executable, __file__, name, "--backends", backend, "--once"], stdout=subprocess.PIPE,
                             env=dict(os.environ, TORCHINDUCTOR_CACHE_DIR=folder, XDG_CACHE_HOME=folder, HF_HUB_OFFLINE="1"), check=True)
        return float(run.stdout.split()[-1])


def main():
    options = argparse.ArgumentParser()
    options.add_argument("nets", nargs="*", default=USUAL)
    options.add_argument("--backends", nargs="+", default=["mg", "inductor"])
    options.add_argument("--once", action="store_true", help="measure in this process")
    given = options.parse_args()
    if given.once:
        return first_call(given.nets[0], given.backends[0])
    ratios = []
    for name in given.nets:
        seconds = [measure(name, backend) for backend in given.backends]
        ratios.append(seconds[-1] / seconds[0])
        print(json.dumps({"net": name, **{b: round(s, 2) for b, s in zip(given.backends, seconds)}}), flush=True)
    print(f"{given.backends[-1]} takes {statistics.geometric_mean(ratios):.2f} times as long")


if __name__ == "__main__":
    main()
