#!/usr/bin/env python3
"""Times a training step of the small character net in MG and in PyTorch, in turn.

    train.py MGC TEXT [--threads=N] [--steps=N] [--rounds=N]

The net is that of examples/shakespeare: 4 layers of 4 heads, 128 wide, trained by AdamW on 12 windows of 64 characters. PyTorch runs it
eagerly and compiled; a mode that fails says why. Both read random windows of the same text. A step includes data, forward pass, backward
pass and update. Prints the median time of a step over the rounds, with the least and the largest.
"""
import argparse, os, statistics, subprocess, sys, time

LAYERS, HEADS, WIDTH, WINDOW, BATCH = 4, 4, 128, 64, 12


def mg_step(a, folder):
    """Returns the seconds of a step of mgc train, from the difference of a long and a short run, so that compiling and loading don't count."""
    def run(steps):
        begin = time.perf_counter()
        subprocess.run([a.mgc, "train", "shakespeare.mg", "--data", f"text={a.text}", "--data", f"targets={a.text}@1", "--set", f"S={WINDOW}",
                        f"--batch={BATCH}", f"--steps={steps}", "--seed=1", f"--threads={a.threads}"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return time.perf_counter() - begin
    few = 20
    return (run(few + a.steps) - run(few)) / a.steps


def peer(a):
    """Makes the peer's step in each of its modes."""
    import torch
    import torch.nn.functional as F
    from torch import nn

    torch.set_num_threads(a.threads)
    torch.manual_seed(1)
    half = WIDTH // HEADS // 2
    turns = torch.arange(WINDOW)[:, None] * 10000.0 ** (-torch.arange(half) / half)
    cos, sin = turns.cos(), turns.sin()

    def rotary(x):
        u, v = x[..., :half], x[..., half:]
        return torch.cat((u * cos - v * sin, v * cos + u * sin), -1)

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
            self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
            self.out = nn.Linear(WIDTH, WIDTH, bias=False)
            self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

        def forward(self, x):
            q, k, v = (z.view(BATCH, WINDOW, HEADS, -1).transpose(1, 2) for z in self.qkv(self.norm1(x)).split(WIDTH, 2))
            y = F.scaled_dot_product_attention(rotary(q), rotary(k), v, is_causal=True)
            x = x + self.out(y.transpose(1, 2).reshape(BATCH, WINDOW, WIDTH))
            return x + self.down(F.gelu(self.up(self.norm2(x))))

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.blocks = nn.Embedding(128, WIDTH), nn.ModuleList(Block() for _ in range(LAYERS))
            self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 128)

        def forward(self, x, y):
            x = self.embed(x)
            for block in self.blocks:
                x = block(x)
            return F.cross_entropy(self.head(self.norm(x)).view(-1, 128), y.view(-1))

    with open(a.text, "rb") as f:
        data = torch.frombuffer(bytearray(f.read()), dtype=torch.uint8)

    def step_of(compiled):
        net = Net()
        forward = torch.compile(net) if compiled else net
        optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, fused=True)

        def step():
            at = torch.randint(len(data) - WINDOW - 1, (BATCH,))
            x, y = (torch.stack([data[i + d:i + d + WINDOW] for i in at]).long() for d in (0, 1))
            optimiser.zero_grad(set_to_none=True)
            loss = forward(x, y)
            loss.backward()
            optimiser.step()
            return loss
        for _ in range(10):
            step()
        return step

    steps = {}
    for name, compiled in (("PyTorch, eager", False), ("PyTorch, compiled", True)):
        try:
            steps[name] = step_of(compiled)
        except Exception as e:  # a peer that can't run is reported, not counted
            print(f"{name}: {str(e).splitlines()[0][:200]}")
    return steps


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("mgc", type=os.path.abspath)
    p.add_argument("text", type=os.path.abspath)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--rounds", type=int, default=5)
    a = p.parse_args()
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/shakespeare")
    steps = peer(a)
    times = {name: [] for name in ["MG", *steps]}
    for _ in range(a.rounds):
        times["MG"].append(mg_step(a, folder))
        for name, step in steps.items():
            begin = time.perf_counter()
            for _ in range(a.steps):
                step()
            times[name].append((time.perf_counter() - begin) / a.steps)
    for name, seconds in times.items():
        low, mid, high = (1e3 * f(seconds) for f in (min, statistics.median, max))
        print(f"{name}: {mid:.1f} ms ({low:.1f} to {high:.1f}), {mid / (1e3 * statistics.median(times['MG'])):.2f} of MG's")


if __name__ == "__main__":
    sys.exit(main())
