#!/usr/bin/env python3
"""Trains the net of digits.mg on the first 1,297 images and writes digits.safetensors.

Needs numpy alone: the net is small enough that its derivatives are written out by hand. The seed is fixed, so a run on the
same numpy gives the same weights. `train.py --data` makes digits.npz first, from scikit-learn's copy of the data set.
"""
import json, struct, sys
import numpy as np

TRAINING, EPOCHS, BATCH, RATE, DECAY = 1297, 60, 32, 2e-3, 1e-4
rng = np.random.default_rng(1797)


def make_data():
    from sklearn.datasets import load_digits
    d = load_digits()
    np.savez_compressed("digits.npz", images=d.images.astype(np.uint8), labels=d.target.astype(np.uint8))


def patches(x):
    """3x3 patches of x[N, C, H, W] padded by one: [N, H, W, C * 9]"""
    p = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    w = np.lib.stride_tricks.sliding_window_view(p, (3, 3), axis=(2, 3))  # N C H W 3 3
    n, c, h, ww = w.shape[:4]
    return w.transpose(0, 2, 3, 1, 4, 5).reshape(n, h, ww, c * 9)


def conv(x, w, b):
    cols = patches(x)
    y = cols @ w.reshape(len(w), -1).T + b
    return y.transpose(0, 3, 1, 2), cols


def conv_back(dy, cols, w, need_dx):
    d = dy.transpose(0, 2, 3, 1)
    dw = (d.reshape(-1, len(w)).T @ cols.reshape(-1, cols.shape[-1])).reshape(w.shape)
    db = d.sum((0, 1, 2))
    dx = conv(dy, w[:, :, ::-1, ::-1].transpose(1, 0, 2, 3), 0)[0] if need_dx else None
    return dw, db, dx


def pool(x):
    n, c, h, w = x.shape
    v = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
    return v.max(-1), v.argmax(-1)


def pool_back(dy, place):
    n, c, h, w = dy.shape
    v = np.zeros((n, c, h, w, 4), np.float32)
    np.put_along_axis(v, place[..., None], dy[..., None], -1)
    return v.reshape(n, c, h, w, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, 2 * h, 2 * w)


def initial():
    def he(*shape):
        return (rng.standard_normal(shape) * np.sqrt(2 / np.prod(shape[1:]))).astype(np.float32)
    p = {"conv1.weight": he(16, 1, 3, 3), "conv2.weight": he(32, 16, 3, 3), "fc1.weight": he(64, 32 * 4 * 4), "fc2.weight": he(10, 64)}
    return {k: v for w in p for k, v in ((w, p[w]), (w.replace("weight", "bias"), np.zeros(len(p[w]), np.float32)))}


def forward(p, x):
    a, c1 = conv(x, p["conv1.weight"], p["conv1.bias"])
    a = np.maximum(a, 0)
    b, c2 = conv(a, p["conv2.weight"], p["conv2.bias"])
    b = np.maximum(b, 0)
    q, place = pool(b)
    f = q.reshape(len(q), -1)
    h = np.maximum(f @ p["fc1.weight"].T + p["fc1.bias"], 0)
    return h @ p["fc2.weight"].T + p["fc2.bias"], (c1, a, c2, b, place, q.shape, f, h)


def backward(p, state, dz, drop):
    c1, a, c2, b, place, shape, f, h = state
    g = {"fc2.weight": dz.T @ (h * drop), "fc2.bias": dz.sum(0)}
    dh = dz @ p["fc2.weight"] * drop * (h > 0)
    g["fc1.weight"], g["fc1.bias"] = dh.T @ f, dh.sum(0)
    db = pool_back((dh @ p["fc1.weight"]).reshape(shape), place) * (b > 0)
    g["conv2.weight"], g["conv2.bias"], da = conv_back(db, c2, p["conv2.weight"], True)
    g["conv1.weight"], g["conv1.bias"], _ = conv_back(da * (a > 0), c1, p["conv1.weight"], False)
    return g


def jitter(x):
    """Moves each image by up to one pixel, rotates it by up to 12 degrees and scales it by up to a tenth."""
    n = len(x)
    t, s = rng.uniform(-0.21, 0.21, n), rng.uniform(0.9, 1.1, n)
    dy, dx = rng.uniform(-1, 1, n), rng.uniform(-1, 1, n)
    yy, xx = np.meshgrid(np.arange(8) - 3.5, np.arange(8) - 3.5, indexing="ij")
    at = lambda v: v[:, None, None]
    sy = (at(np.cos(t)) * yy - at(np.sin(t)) * xx) * at(s) + at(dy) + 3.5
    sx = (at(np.sin(t)) * yy + at(np.cos(t)) * xx) * at(s) + at(dx) + 3.5
    y0, x0 = np.floor(sy).astype(int), np.floor(sx).astype(int)
    fy, fx = sy - y0, sx - x0
    p = np.pad(x[:, 0], ((0, 0), (4, 4), (4, 4)))
    i = np.arange(n)[:, None, None]
    get = lambda a, b: p[i, np.clip(a + 4, 0, 15), np.clip(b + 4, 0, 15)]
    v = (1 - fy) * ((1 - fx) * get(y0, x0) + fx * get(y0, x0 + 1)) + fy * ((1 - fx) * get(y0 + 1, x0) + fx * get(y0 + 1, x0 + 1))
    return v[:, None].astype(np.float32)


def train(x, labels):
    p = initial()
    m = {k: np.zeros_like(v) for k, v in p.items()}
    v = {k: np.zeros_like(w) for k, w in p.items()}
    steps, total = 0, EPOCHS * (-(-len(x) // BATCH))
    for epoch in range(EPOCHS):
        order, losses = rng.permutation(len(x)), []
        for k in range(0, len(x), BATCH):
            i = order[k:k + BATCH]
            z, state = forward(p, jitter(x[i]))
            drop = (rng.random(state[-1].shape) > 0.3).astype(np.float32) / np.float32(0.7)
            z = (state[-1] * drop) @ p["fc2.weight"].T + p["fc2.bias"]
            e = np.exp(z - z.max(1, keepdims=True))
            prob = e / e.sum(1, keepdims=True)
            losses.append(-np.log(prob[np.arange(len(i)), labels[i]]).mean())
            prob[np.arange(len(i)), labels[i]] -= 1
            g = backward(p, state, (prob / len(i)).astype(np.float32), drop)
            steps += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * steps / total))  # Adam with a cosine schedule and decoupled weight decay
            for n in p:
                m[n] += 0.1 * (g[n] - m[n])
                v[n] += 0.001 * (g[n] * g[n] - v[n])
                p[n] -= rate * ((m[n] / (1 - 0.9 ** steps)) / (np.sqrt(v[n] / (1 - 0.999 ** steps)) + 1e-8) + DECAY * p[n])
        print(f"epoch {epoch + 1} loss {np.mean(losses):.4f}", flush=True)
    return p


def save(path, tensors):
    """Writes safetensors: the length of a JSON header, the header, the bytes."""
    head, at = {}, 0
    for name, t in tensors.items():
        head[name] = {"dtype": "F32", "shape": list(t.shape), "data_offsets": [at, at + t.nbytes]}
        at += t.nbytes
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(text)) + text + b"".join(t.astype("<f4").tobytes() for t in tensors.values()))


if __name__ == "__main__":
    if "--data" in sys.argv: make_data()
    data = np.load("digits.npz")
    x = (data["images"] / np.float32(16)).astype(np.float32)[:, None]
    labels = data["labels"].astype(int)
    p = train(x[:TRAINING], labels[:TRAINING])
    right = forward(p, x[-500:])[0].argmax(1) == labels[-500:]
    print(f"accuracy on the last 500: {right.mean():.4f}")
    save("digits.safetensors", {"net." + k: v for k, v in p.items()})
