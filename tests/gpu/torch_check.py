"""Checks mg.torch and arrays on a CUDA device with PyTorch there: values of inference and gradients against eager mode, the order of
streams, that nothing is copied through the host, and what a call costs. Prints a line for each check; the status is 1 if one failed."""

import copy
import sys
import time
import traceback

import numpy as np
import torch
from torch import nn

import mg
import mg.torch

torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
DEVICE = torch.device("cuda", torch.cuda.current_device())
failed = []


class Words(nn.Module):
    """Embeddings, causal attention, logits."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(100, 32), nn.Embedding(24, 32)
        self.norm, self.parts, self.join = nn.LayerNorm(32), nn.Linear(32, 96), nn.Linear(32, 32)
        self.head = nn.Sequential(nn.LayerNorm(32), nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 100))

    def forward(self, x):
        h = self.words(x) + self.places(torch.arange(x.shape[1], device=x.device))
        q, k, v = (p.unflatten(-1, (4, 8)).transpose(1, 2) for p in self.parts(self.norm(h)).chunk(3, -1))
        seen = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.head(h + self.join(seen.transpose(1, 2).flatten(2)))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.out = nn.LSTMCell(16, 24), nn.Linear(24, 8)

    def forward(self, x):
        state = None
        for t in range(x.shape[1]):
            state = self.cell(x[:, t], state)
        return self.out(state[0])


def smooth(net):
    """ReLU's derivative jumps at 0. In a deep net some input lies so near that its rounding decides on the side, and gradients of f32
    differ from those of f64 by 5%, in eager mode, too."""
    for part in net.modules():
        if hasattr(part, "relu"):
            part.relu = nn.GELU()
    return net


def nets():
    yield "perceptron", nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.LayerNorm(128), nn.Linear(128, 10)), torch.randn(32, 64)
    yield "convolutions", nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1, bias=False), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, stride=2, groups=4),
        nn.SiLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(128, 10)), torch.randn(8, 3, 32, 32)
    yield "words", Words(), torch.randint(0, 100, (4, 24))
    yield "recurrent", Recurrent(), torch.randn(4, 6, 16)
    try:
        import torchvision

        yield "resnet18", smooth(torchvision.models.resnet18(weights=None)), torch.randn(4, 3, 96, 96)
    except ImportError:
        print("resnet18: torchvision isn't there")


def off(a, b):
    """The largest error relative to the largest number; infinite for other shapes and where only one of them is NaN."""
    if a.shape != b.shape or bool((a.isnan() != b.isnan()).any()):
        return float("inf")
    return ((a.double() - b.double()).nan_to_num().abs().max() / b.double().abs().max().clamp_min(1e-12)).item()


def say(name, good, text):
    print(f"{'ok  ' if good else 'FAIL'} {name}: {text}", flush=True)
    if not good:
        failed.append(name)


def outside(net, x):
    seen = mg.torch.explain(net, x)
    return seen.outside, sorted({f"{op} ({why})" for g in seen.graphs for op, why, _ in g.outside})


def copies(call):
    """The bytes that a call copies between host and device, the kernels that it launches, as CUPTI sees both."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as seen:
        call()
        torch.cuda.synchronize()
    names = [e.name for e in seen.events() if e.device_type == torch.autograd.DeviceType.CUDA]
    return [n for n in names if "HtoD" in n or "DtoH" in n], [n for n in names if not n.startswith(("Mem", "mem"))]


def check_net(name, net, x):
    torch.manual_seed(0)
    net, x = net.to(DEVICE), x.to(DEVICE)
    for p in net.parameters():
        p.data.add_(0.02 * torch.randn_like(p))
    net.eval()
    with torch.no_grad():
        torch._dynamo.reset()
        begin = time.perf_counter()
        for frozen in (False, True):
            fast = torch.compile(net, backend="mg", options={"frozen": frozen})
            error = max(off(fast(x), net(x)) for _ in range(3))
            say(f"{name}, inference{', frozen' if frozen else ''}", error < 1e-4, f"off by {error:.1e}")
        print(f"     compiled twice in {time.perf_counter() - begin:.1f} s")
        moved, kernels = copies(lambda: fast(x))
        say(f"{name}, copies", len(moved) <= 1 and bool(kernels), f"{len(moved)} between host and device, {len(kernels)} kernels")
        torch._dynamo.reset()
        _, others = outside(net, x)  # attention has kernels of its own there
        say(f"{name}, operators outside", all("_scaled_dot_product" in op for op in others), str(others))
    torch._dynamo.reset()
    ours, theirs = copy.deepcopy(net).train(), copy.deepcopy(net).train()
    fast = torch.compile(ours, backend="mg")
    for _ in range(3):
        for net_, call in ((ours, fast), (theirs, theirs)):
            net_.zero_grad()
            y = call(x)
            (y.float() ** 2).mean().backward()
    worst = max((off(p.grad, q.grad), n) for (n, p), q in zip(ours.named_parameters(), theirs.parameters()) if q.grad is not None)
    say(f"{name}, gradients", worst[0] < 1e-3, f"off by {worst[0]:.1e} in {worst[1]}")


def check_streams():
    """The call comes after what the stream has, and before what it gets."""
    net = nn.Sequential(nn.Linear(256, 256), nn.Tanh(), nn.Linear(256, 256)).to(DEVICE)
    torch._dynamo.reset()
    fast = torch.compile(net, backend="mg")
    bad = 0
    with torch.no_grad():
        fast(torch.zeros(64, 256, device=DEVICE))
        streams = [torch.cuda.default_stream(), torch.cuda.Stream(), torch.cuda.Stream()]
        for k in range(30):
            with torch.cuda.stream(streams[k % 3]):
                x = torch.zeros(64, 256, device=DEVICE)
                torch.cuda._sleep(3_000_000)
                x.fill_(k / 30)
                y = fast(x) + 0
                x.fill_(99)
                del x
            torch.cuda.synchronize()
            want = net(torch.full((64, 256), k / 30, device=DEVICE))
            bad += off(y, want) > 1e-4
    say("streams", not bad, f"{bad} of 30 calls are wrong")


def check_frozen():
    net = nn.Linear(64, 64).to(DEVICE)
    torch._dynamo.reset()
    fast = torch.compile(net, backend="mg", options={"frozen": True})
    x = torch.randn(8, 64, device=DEVICE)
    with torch.no_grad():
        fast(x)
        net.weight.mul_(2)
        say("frozen parameter that changes", off(fast(x), net(x)) < 1e-4, "")
        odd = torch.empty(64 * 64 + 1, device=DEVICE)[1:].view(64, 64).copy_(net.weight)
        net.weight.data = odd
        torch._dynamo.reset()
        for frozen in (False, True):
            fast = torch.compile(net, backend="mg", options={"frozen": frozen})
            say(f"unaligned memory{', frozen' if frozen else ''}", off(fast(x[1:]), net(x[1:])) < 1e-4, "")
        fast = torch.compile(lambda a, b: a * b, backend="mg")
        say("a number on the CPU", off(fast(x, torch.tensor(3.0)), x * 3) < 1e-6, "")


def check_exchange():
    net = mg.compile_text("mg 1\ngraph f(x: f32[N, 8]) -> (y: f32[N, 8], z: f32[8]) { y = exp(x)\n z = sum(y, axes = [0]) }",
                          target="gpu", device=f"cuda:{DEVICE.index}")
    x = torch.randn(5, 8, device=DEVICE)
    y, z = net(x)
    moved, _ = copies(lambda: net(x))
    good = off(torch.from_dlpack(y), x.exp()) < 1e-5 and off(torch.as_tensor(z, device=DEVICE), x.exp().sum(0)) < 1e-5
    say("DLPack and the CUDA array interface", good and not moved, f"{len(moved)} copies; {y!r}")
    say("a copy on the host", np.allclose(y.numpy(), x.exp().cpu().numpy(), rtol=1e-5), "")
    before = torch.cuda.mem_get_info()[0]
    for _ in range(200):
        torch.from_dlpack(net(x)[0])
    say("memory", before - torch.cuda.mem_get_info()[0] < 64 << 20, f"{(before - torch.cuda.mem_get_info()[0]) >> 20} MiB more")


def per_call(call, times=300):
    """The host's time and the whole time of a call, in microseconds: medians of seven."""
    call(), call(), call()
    host, whole = [], []
    for _ in range(7):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(times):
            call()
        host.append(time.perf_counter() - begin)
        torch.cuda.synchronize()
        whole.append(time.perf_counter() - begin)
    return sorted(host)[3] / times * 1e6, sorted(whole)[3] / times * 1e6


def measure():
    net = nn.Sequential(*[nn.Linear(8, 8) for _ in range(50)]).to(DEVICE).eval()
    one = nn.Linear(8, 8).to(DEVICE)
    x = torch.randn(4, 8, device=DEVICE)
    print("a call in microseconds: the host's time, the whole time")
    with torch.no_grad():
        for name, model in (("100 parameters", net), ("one layer", one)):
            ways = [("eager", None, {}), ("mg", "mg", {}), ("mg, frozen", "mg", {"options": {"frozen": True}}), ("inductor", "inductor", {})]
            for way, backend, more in ways:
                torch._dynamo.reset()
                try:
                    call = torch.compile(model, backend=backend, **more) if backend else model
                    host, whole = per_call(lambda: call(x))
                    print(f"     {name}, {way}: {host:.1f}, {whole:.1f}", flush=True)
                except Exception as e:  # a peer that isn't there
                    print(f"     {name}, {way}: {type(e).__name__}: {str(e).splitlines()[0][:100]}")


def main():
    begin = time.perf_counter()
    print(f"{torch.cuda.get_device_name(DEVICE)}, PyTorch {torch.__version__}")
    checks = [(f"net {name}", lambda name=name, net=net, x=x: check_net(name, net, x)) for name, net, x in nets()]
    checks += [(f.__name__, f) for f in (check_streams, check_frozen, check_exchange, measure)]
    for name, check in checks:
        try:
            check()
        except Exception:
            traceback.print_exc()
            say(name, False, "an exception")
    print(f"{len(failed)} failed, {time.perf_counter() - begin:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
