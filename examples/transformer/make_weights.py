#!/usr/bin/env python3
"""Writes random weights from a fixed seed to decoder.safetensors, and twelve random tokens to tokens.npz. It needs numpy."""
import json, struct
import numpy as np

D = 16
rng = np.random.default_rng(16)
shapes = {"norm1.weight": [D], "qkv.weight": [3 * D, D], "out.weight": [D, D], "norm2.weight": [D], "up.weight": [8 * D, D], "down.weight": [D, 4 * D]}
tensors = {"block." + k: (rng.standard_normal(s) / np.sqrt(s[-1]) if len(s) > 1 else rng.uniform(0.5, 1.5, s)).astype("<f4") for k, s in shapes.items()}
head, at = {}, 0
for name, t in tensors.items():
    head[name] = {"dtype": "F32", "shape": list(t.shape), "data_offsets": [at, at + t.nbytes]}
    at += t.nbytes
text = json.dumps(head, separators=(",", ":")).encode()
text += b" " * (-len(text) % 8)
with open("decoder.safetensors", "wb") as f: f.write(struct.pack("<Q", len(text)) + text + b"".join(t.tobytes() for t in tensors.values()))
x = rng.standard_normal((12, D)).astype(np.float32)
np.savez("tokens.npz", all=x, **{f"token{i}": x[None, i:i + 1] for i in range(4)})
