#!/usr/bin/env python3
"""Times training steps of five nets on the CPU in MG and in PyTorch, eager and compiled, in turn.

    train_steps.py MGC [--threads=2] [--rounds=3] [--only=NAME,…] [--seconds=3] [--text=FILE] [--floor=X] [--cpu-time] [--level=3]

| net    | what                                                       | batch |
| digits | the net of examples/digits                                 |    32 |
| mlp    | 784-512-512-10                                             |   128 |
| chars  | the net of examples/shakespeare: 4 layers, 4 heads, 128    |    12 |
| resnet | ResNet-18 for images of 32 x 32, examples/resnet_cifar     |    32 |
| lstm   | 64 in, 256 wide, 100 steps                                 |    16 |

A step includes data, forward pass, backward pass and update, by AdamW (resnet: SGD with momentum). MG's time is the difference of a long
and a short `mgc train`, so compiling and loading don't count. Prints for each net the median, the least and the largest time over the
rounds, and how many times faster MG is than the better of PyTorch's modes; then the geometric mean. With --floor, the exit status is 1 if
a net is below it. Without PyTorch, only MG is timed. --cpu-time counts the processes' own time, for one thread on a busy machine. MG compiles at -O3, which computes convolutions with fewer
multiplications; --level=2 computes the plain sums.
"""
import argparse, math, os, statistics, subprocess, sys, tempfile, time

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = 1024


def arrays(rng, name, shape):
    return {name: rng.standard_normal((SAMPLES, *shape), dtype=np.float32), "labels": rng.integers(0, 10, SAMPLES, dtype=np.uint8)}


class Net:
    """One net: its data as arrays, the arguments of mgc train, and PyTorch's step."""
    batch = 32
    graph = "step"

    def arguments(self, folder):
        np.savez(f"{folder}/{self.name}.npz", **self.data)
        return [f"{HERE}/steps/{self.file}", f"--data={folder}/{self.name}.npz", "--lr=0.001"]

    def batches(self, torch):
        """Draws the inputs and the labels of a random batch."""
        x, y = (torch.from_numpy(a) for a in self.data.values())

        def draw():
            at = torch.randint(len(y), (self.batch,))
            return x[at], y[at].long()
        return draw

    def loss(self, torch, net, x, y):
        return torch.nn.functional.cross_entropy(net(x), y)

    def optimiser(self, torch, net):
        return torch.optim.AdamW(net.parameters(), lr=1e-3, fused=True)


class Digits(Net):
    name, file = "digits", "digits.mg"

    def __init__(self, rng, a):
        self.data = {"images": rng.integers(0, 17, (SAMPLES, 8, 8), dtype=np.uint8), "labels": rng.integers(0, 10, SAMPLES, dtype=np.uint8)}

    def net(self, torch):
        nn = torch.nn

        class Ink(nn.Module):
            def forward(self, x):
                return x.float()[:, None] / 16
        return nn.Sequential(Ink(), *digits_layers(nn))


def digits_layers(nn):
    """The net of examples/digits/digits.mg."""
    return [nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
            nn.Linear(512, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 10)]


class Mlp(Net):
    name, file, batch = "mlp", "mlp.mg", 128

    def __init__(self, rng, a):
        self.data = arrays(rng, "images", (784,))

    def net(self, torch):
        nn = torch.nn
        return nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))


class Resnet(Net):
    name, file = "resnet", "resnet18.mg"

    def __init__(self, rng, a):
        self.data = arrays(rng, "images", (3, 32, 32))

    def net(self, torch):
        nn, F = torch.nn, torch.nn.functional

        class Block(nn.Module):
            def __init__(self, c, channels, stride=1):
                super().__init__()
                self.conv1, self.norm1 = nn.Conv2d(c, channels, 3, stride, 1, bias=False), nn.BatchNorm2d(channels)
                self.conv2, self.norm2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
                self.across = None
                if stride != 1:
                    self.across = nn.Sequential(nn.Conv2d(c, channels, 1, stride, bias=False), nn.BatchNorm2d(channels))

            def forward(self, x):
                r = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
                return F.relu((self.across(x) if self.across else x) + r)

        class Head(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(512, 10)

            def forward(self, x):
                return self.linear(x.mean((2, 3)))
        return nn.Sequential(nn.Conv2d(3, 64, 3, 1, 1, bias=False), nn.BatchNorm2d(64), nn.ReLU(), Block(64, 64), Block(64, 64), Block(64, 128, 2),
                             Block(128, 128), Block(128, 256, 2), Block(256, 256), Block(256, 512, 2), Block(512, 512), Head())

    def optimiser(self, torch, net):
        return torch.optim.SGD(net.parameters(), lr=1e-3, momentum=0.9, fused=True)


class Lstm(Net):
    name, file, batch = "lstm", "lstm.mg", 16

    def __init__(self, rng, a):
        self.data = arrays(rng, "sequences", (100, 64))

    def net(self, torch):
        nn = torch.nn

        class Reader(nn.Module):
            def __init__(self):
                super().__init__()
                self.lstm, self.head = nn.LSTM(64, 256), nn.Linear(256, 10)

            def forward(self, x):
                return self.head(self.lstm(x.transpose(0, 1))[1][0][0])
        return Reader()


class Chars(Net):
    name, batch = "chars", 12
    layers, heads, width, window = 4, 4, 128, 64

    def __init__(self, rng, a):
        self.text = a.text
        if not self.text:
            self.text = os.path.join(a.folder, "text")
            rng.integers(10, 120, 1 << 20, dtype=np.uint8).tofile(self.text)

    def arguments(self, folder):
        return [f"{HERE}/../../examples/shakespeare/shakespeare.mg", "--data", f"text={self.text}", "--data", f"targets={self.text}@1",
                "--set", f"S={self.window}"]

    def batches(self, torch):
        with open(self.text, "rb") as f:
            data = torch.frombuffer(bytearray(f.read()), dtype=torch.uint8)

        def draw():
            at = torch.randint(len(data) - self.window - 1, (self.batch,))
            return [torch.stack([data[i + d:i + d + self.window] for i in at]).long() for d in (0, 1)]
        return draw

    def loss(self, torch, net, x, y):
        return torch.nn.functional.cross_entropy(net(x).view(-1, 128), y.view(-1))

    def net(self, torch):
        nn, F = torch.nn, torch.nn.functional
        width, heads, window = self.width, self.heads, self.window
        half = width // heads // 2
        turns = torch.arange(window)[:, None] * 10000.0 ** (-torch.arange(half) / half)
        cos, sin = turns.cos(), turns.sin()

        def rotary(x):
            u, v = x[..., :half], x[..., half:]
            return torch.cat((u * cos - v * sin, v * cos + u * sin), -1)

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
                self.qkv, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
                self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

            def forward(self, x):
                b = x.shape[0]
                q, k, v = (z.view(b, window, heads, -1).transpose(1, 2) for z in self.qkv(self.norm1(x)).split(width, 2))
                y = F.scaled_dot_product_attention(rotary(q), rotary(k), v, is_causal=True)
                x = x + self.out(y.transpose(1, 2).reshape(b, window, width))
                return x + self.down(F.gelu(self.up(self.norm2(x))))
        return nn.Sequential(nn.Embedding(128, width), *(Block() for _ in range(self.layers)), nn.LayerNorm(width), nn.Linear(width, 128))


NETS = [Digits, Mlp, Chars, Resnet, Lstm]


class Mg:
    """Times a step of mgc train as the time of many steps less that of few."""
    def __init__(self, a, net):
        self.command = [a.mgc, "train", *net.arguments(a.folder), f"--batch={net.batch}", "--seed=1", f"--threads={a.threads}", f"-O{a.level}"]
        self.now = (lambda: os.times().children_user + os.times().children_system) if a.cpu_time else time.perf_counter
        self.few = 3
        self.run(self.few)  # compiles
        more, least = 5, min(0.3, a.seconds)
        while (took := self.seconds(self.few + more)) < least:  # a shorter time would be mostly noise
            more *= 4
        self.many = self.few + max(5, int(more * a.seconds / took))

    def run(self, steps):
        begin = self.now()
        subprocess.run([*self.command, f"--steps={steps}"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return self.now() - begin

    def seconds(self, steps):
        return max(self.run(steps) - self.run(self.few), 0)

    def step(self):
        return self.seconds(self.many) / (self.many - self.few)


class Peer:
    def __init__(self, a, torch, net, compiled):
        torch.manual_seed(1)
        module = net.net(torch)
        forward = torch.compile(module) if compiled else module
        optimiser, draw = net.optimiser(torch, module), net.batches(torch)

        def one():
            x, y = draw()
            optimiser.zero_grad(set_to_none=True)
            net.loss(torch, forward, x, y).backward()
            optimiser.step()
        self.one, self.now = one, time.process_time if a.cpu_time else time.perf_counter
        for _ in range(3):
            one()
        self.many = 1
        self.many = max(5, int(a.seconds / self.step()))

    def step(self):
        begin = self.now()
        for _ in range(self.many):
            self.one()
        return (self.now() - begin) / self.many


def measure(a, torch, net):
    """Times one net. Returns how many times faster MG is than the better mode of the peer, or None without a peer."""
    who = {"MG": Mg(a, net)}
    for name, compiled in (("eager", False), ("compiled", True)) if torch else ():
        try:
            who[name] = Peer(a, torch, net, compiled)
        except Exception as e:  # a peer that can't run is reported, not counted
            print(f"  {name}: {str(e).splitlines()[0][:150]}")
    times = {name: [] for name in who}
    for _ in range(a.rounds):
        for name, w in who.items():
            times[name].append(1e3 * w.step())
    medians = {name: statistics.median(t) for name, t in times.items()}
    for name, t in times.items():
        print(f"  {name:9} {medians[name]:9.3f} ms ({min(t):.3f} to {max(t):.3f})")
    peers = [m for name, m in medians.items() if name != "MG"]
    if not peers:
        return None
    print(f"  {min(peers) / medians['MG']:.2f} times as fast as the better mode", flush=True)
    return min(peers) / medians["MG"]


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("mgc", type=os.path.abspath)
    p.add_argument("--threads", type=int, default=2)
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--seconds", type=float, default=3)
    p.add_argument("--only", default="")
    p.add_argument("--text", default="")
    p.add_argument("--floor", type=float, default=0)
    p.add_argument("--cpu-time", action="store_true")
    p.add_argument("--level", type=int, default=3)
    a = p.parse_args()
    a.text = os.path.abspath(a.text) if a.text else ""
    try:
        import torch
        torch.set_num_threads(a.threads)
    except ImportError:
        torch = None
    names = a.only.split(",") if a.only else [n.name for n in NETS]
    ratios = []
    with tempfile.TemporaryDirectory() as a.folder:
        for kind in NETS:
            if kind.name in names:
                print(f"{kind.name}, batch {kind.batch}", flush=True)
                ratios.append(measure(a, torch, kind(np.random.default_rng(1), a)))
    ratios = [r for r in ratios if r]
    if ratios:
        print(f"geometric mean {math.prod(ratios) ** (1 / len(ratios)):.2f}, least {min(ratios):.2f}")
    return 1 if any(r < a.floor for r in ratios) else 0


if __name__ == "__main__":
    sys.exit(main())
