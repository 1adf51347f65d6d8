#!/usr/bin/env python3
"""Writes a random graph of linear layers and ReLUs: net.mg and its weights, net.safetensors.

    make_net.py [--seed NAME] [--depth 64] [--size 256] [--out FOLDER]

Layer 1 is linear with a bias, and the last is a softmax. Of the layers between them, as many are linear as make half of the
depth linear; the others are ReLUs; their places are random. Every matrix is size x size, and so is the batch.

The seed's name fixes the places and the weights. The places are those of the graph that `mgc bench graphs` measures under that
name. Weights are uniform, of variance 1 / size, or 2 / size after a ReLU, so that values neither grow nor vanish with depth.
Each matrix is cut from one long sequence of draws, at a random place, so that large nets are made quickly.
"""
import argparse, array, json, math, os, struct, sys

SEEDS = {"alder": 101, "birch": 202, "cedar": 303, "elm": 404, "fir": 505}  # figures are reported for these five
DRAWS = 65521 * 4
WORD = 2**64 - 1


class Random:
    """splitmix64 (Steele, Lea, Flood, OOPSLA 2014)"""

    def __init__(self, seed): self.state = seed

    def next(self):
        z = self.state = self.state + 0x9E3779B97F4A7C15 & WORD
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
        return z ^ z >> 31

    def random(self): return (self.next() >> 11) * 2.0**-53


def layers(rng, depth):
    """Draws 'linear' or 'relu' for each layer before the softmax; the first is linear."""
    linear, kinds = depth // 2 - 1, ["linear"]
    for left in range(depth - 2, 0, -1):  # each choice of places is equally likely
        kinds.append("linear" if rng.next() % left < linear else "relu")
        linear -= kinds[-1] == "linear"
    return kinds


def text(kinds, args):
    n, value, lines = args.size, "x", []
    for i, kind in enumerate(kinds, 1):
        lines.append(f"    h{i} = nn.linear({value}, features = {n})" if kind == "linear" else f"    h{i} = relu({value})")
        value = f"h{i}"
    body = "\n".join(lines)
    return f"""mg 1
import nn
// a random graph: seed {args.seed}, depth {args.depth}, size {n}
graph net(x: f32[{n}, {n}]) -> (y: f32[{n}, {n}])
    weights "net.safetensors"
{{
{body}
    y = softmax({value}, axis = 1)
}}
"""


def write_weights(path, rng, kinds, n):
    unit = [2 * rng.random() - 1 for _ in range(DRAWS)]
    draws = {}
    for behind in ("linear", "relu"):
        a = array.array("f", (math.sqrt((6 if behind == "relu" else 3) / n) * u for u in unit))
        if sys.byteorder == "big": a.byteswap()
        draws[behind] = a.tobytes()

    def cut(behind, count):
        start, size = 4 * int(rng.random() * DRAWS), 4 * count
        return (draws[behind] * (2 + size // len(draws[behind])))[start:start + size]

    shapes, behind = {}, {}
    for i, kind in enumerate(kinds, 1):
        if kind != "linear": continue
        shapes |= {f"h{i}.weight": [n, n], f"h{i}.bias": [n]}
        behind[f"h{i}.weight"] = kinds[i - 2] if i > 1 else "linear"
    head, at = {}, 0
    for name, shape in shapes.items():
        head[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + 4 * math.prod(shape)]}
        at += 4 * math.prod(shape)
    header = json.dumps(head, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(header)) + header)
        for name, shape in shapes.items(): f.write(cut(behind.get(name, "linear"), math.prod(shape)))


def main():
    p = argparse.ArgumentParser(description="writes a random graph, net.mg and net.safetensors")
    p.add_argument("--seed", choices=SEEDS, default="alder")
    p.add_argument("--depth", type=int, default=64)
    p.add_argument("--size", type=int, default=256)
    p.add_argument("--out", default=".")
    args = p.parse_args()
    if args.depth < 4 or args.size < 1: p.error("the depth is at least 4, the size at least 1")
    rng = Random(SEEDS[args.seed])
    kinds = layers(rng, args.depth)
    os.makedirs(args.out, exist_ok=True)
    with open(f"{args.out}/net.mg", "w") as f: f.write(text(kinds, args))
    write_weights(f"{args.out}/net.safetensors", rng, kinds, args.size)


if __name__ == "__main__":
    main()
