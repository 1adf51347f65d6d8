#!/usr/bin/env python3
"""Writes a random graph of linear layers and ReLUs: net.mg and its weights, net.safetensors.

    make_net.py [--seed NAME] [--depth 64] [--size 256] [--out FOLDER]

Layer 1 is linear with bias; of the others so many are linear that they are half of the depth, the rest ReLU, placed at random;
softmax is last. Every matrix is size x size, and so is the batch. Needs Python alone. A seed's name fixes the places and the
weights everywhere: random() of Python's Mersenne twister, seeded by number, is the same in every version. Weights are uniform,
of variance 1 / size, or 2 / size behind a ReLU, so that values neither grow nor vanish with depth; a matrix is cut from one
long sequence of draws at a place of its own, so that large nets are made quickly.
"""
import argparse, array, json, math, os, random, struct, sys

SEEDS = {"amber": 1, "basil": 2, "cedar": 3, "dill": 4, "elder": 5}  # the five that figures are reported for
DRAWS = 65521 * 4


def layers(rng, depth):
    """'linear' or 'relu' for each layer between the first and the softmax"""
    linear = depth // 2 - 1
    kinds = ["linear"] * linear + ["relu"] * (depth - 2 - linear)
    for i in range(len(kinds) - 1, 0, -1):  # Fisher and Yates, by random() alone
        j = int(rng.random() * (i + 1))
        kinds[i], kinds[j] = kinds[j], kinds[i]
    return ["linear", *kinds]


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
    p.add_argument("--seed", choices=SEEDS, default="amber")
    p.add_argument("--depth", type=int, default=64)
    p.add_argument("--size", type=int, default=256)
    p.add_argument("--out", default=".")
    args = p.parse_args()
    if args.depth < 4 or args.size < 1: p.error("the depth is at least 4, the size at least 1")
    rng = random.Random(SEEDS[args.seed])
    kinds = layers(rng, args.depth)
    os.makedirs(args.out, exist_ok=True)
    with open(f"{args.out}/net.mg", "w") as f: f.write(text(kinds, args))
    write_weights(f"{args.out}/net.safetensors", rng, kinds, args.size)


if __name__ == "__main__":
    main()
