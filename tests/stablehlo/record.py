"""Records StableHLO texts of JAX with their inputs and results, for run.sh, which needs no JAX.

    python3 record.py [NAME…]        writes cases/NAME/model.mlir and test_data_set_0/data.npz (input_K, output_K)
"""

import os
import sys

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
from jax import lax

HERE = os.path.dirname(os.path.abspath(__file__))
draw = np.random.default_rng(4)


def f32(*shape):
    return draw.standard_normal(shape).astype("f4")


def i32(*shape, below=4):
    return draw.integers(0, below, shape).astype("i4")


# ---------------------------------------------------------------------- networks
def mlp(w1, b1, w2, b2, x):
    return jax.nn.softmax(jax.nn.gelu(x @ w1 + b1) @ w2 + b2)


def conv_net(k1, k2, w, x):
    dims = ("NHWC", "HWIO", "NHWC")
    x = jax.nn.relu(lax.conv_general_dilated(x, k1, (1, 1), "SAME", dimension_numbers=dims))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    x = jax.nn.silu(lax.conv_general_dilated(x, k2, (2, 2), "SAME", dimension_numbers=dims))
    return jax.nn.log_softmax(x.mean((1, 2)) @ w)


def attention(wq, wk, wv, wo, g, x):
    y = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * g
    q, k, v = (jnp.einsum("btd,dhe->bhte", y, w) for w in (wq, wk, wv))
    scores = jnp.einsum("bhte,bhse->bhts", q, k) / 2.0
    scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    return x + jnp.einsum("bhts,bhse,hed->btd", jax.nn.softmax(scores), v, wo)


def lstm(wx, wh, b, x):
    def step(state, xt):
        h, c = state
        i, f, g, o = jnp.split(xt @ wx + h @ wh + b, 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((x.shape[1], wh.shape[0]))
    (_, c), hs = lax.scan(step, (zero, zero), x)
    return hs, c


def grads(f, *given):
    return jax.grad(lambda *a: sum((y ** 2).sum() for y in jax.tree.leaves(f(*a))), argnums=tuple(range(len(given))))


MLP = [f32(4, 6), f32(6), f32(6, 3), f32(3), f32(5, 4)]
CONV = [f32(3, 3, 2, 4), f32(3, 3, 4, 5), f32(5, 3), f32(2, 8, 8, 2)]
ATTENTION = [f32(6, 2, 4), f32(6, 2, 4), f32(6, 2, 4), f32(2, 4, 6), f32(6), f32(2, 5, 6)]
LSTM = [f32(3, 16), f32(4, 16), f32(16), f32(6, 2, 3)]

CASES = {
    "mlp": (mlp, MLP), "mlp_grad": (grads(mlp, *MLP), MLP),
    "conv_net": (conv_net, CONV), "conv_net_grad": (grads(conv_net, *CONV), CONV),
    "attention": (attention, ATTENTION), "attention_grad": (grads(attention, *ATTENTION), ATTENTION),
    "lstm": (lstm, LSTM), "lstm_grad": (grads(lstm, *LSTM), LSTM),
}

# ---------------------------------------------------------------------- operations
UNARY = [jnp.abs, jnp.cbrt, jnp.ceil, jnp.cos, jnp.exp, jnp.expm1, jnp.floor, jnp.isfinite, jnp.log1p, jax.nn.sigmoid, jnp.negative,
         jnp.round, jnp.sign, jnp.sin, jnp.tan, jnp.tanh, lax.erf, jnp.square, jnp.sinh, jnp.cosh, jnp.arctan, jnp.trunc]
BINARY = [jnp.add, jnp.subtract, jnp.multiply, jnp.divide, jnp.maximum, jnp.minimum, jnp.arctan2, jnp.remainder, lax.rem, jnp.fmod,
          jnp.equal, jnp.less, jnp.greater_equal, jnp.not_equal]
WHOLE = [jnp.add, jnp.multiply, jnp.maximum, jnp.bitwise_and, jnp.bitwise_or, jnp.bitwise_xor, jnp.floor_divide, lax.div, lax.rem,
         jnp.left_shift, jnp.right_shift, jnp.less_equal, lax.shift_right_logical]


def case(name, *given):
    def keep(f):
        CASES[name] = (f, list(given))
        return f
    return keep


case("unary", f32(7) * 0.9)(lambda x: [f(x) for f in UNARY])
case("unary_positive", np.abs(f32(7)) + 0.1)(lambda x: [jnp.log(x), jnp.sqrt(x), lax.rsqrt(x), x ** 2.5, x ** 3, 2.0 ** x])
case("binary", f32(7), f32(7))(lambda x, y: [f(x, y) for f in BINARY])
case("whole", i32(7, below=90), i32(7, below=5) + 1)(lambda x, y: [f(x, y) for f in WHOLE] + [~x, -x, jnp.abs(x), jnp.sign(x), lax.population_count(x)])
case("leading_zeros", np.array([0, 1, 77, -5, 2 ** 30, -(2 ** 31)], "i4"))(lambda x: [lax.clz(x.astype(t)) for t in ("i4", "u4", "i1", "u1", "i2", "u2")])
case("bools", i32(7, below=2) > 0, i32(7, below=2) > 0)(lambda x, y: [x & y, x | y, x ^ y, ~x, x == y, jnp.where(x, 1.5, 2.5), x.any(), x.all()])
case("types", np.round(f32(6) * 36) / 4)(lambda x: [x.astype(t) for t in ("i4", "u1", "f2", "?", "i1")] + [x.astype("bfloat16").astype("f4"), lax.bitcast_convert_type(x, jnp.int32)])
case("choose", f32(5), f32(5))(lambda x, y: [jnp.where(x > y, x, y), jnp.clip(x, -0.5, 0.5), lax.clamp(0.1, x, 0.7), jnp.clip(x, y - 1, y + 1)])
case("shapes", f32(2, 3, 4))(lambda x: [x.reshape(6, 4), x.T, jnp.flip(x, 1), jnp.broadcast_to(x[:, :1], (2, 5, 4)), x[:, 1:, ::2],
                                        jnp.concatenate([x, x * 2, x[:, :1]], 1), jnp.stack([x, -x], 1), x[None, ..., None], x[:, 0],
                                        jnp.pad(x, ((1, 0), (0, 2), (1, 1)), constant_values=3.0), lax.pad(x, 9.0, ((1, 0, 1), (0, -1, 0), (-1, 2, 2))),
                                        jnp.tile(x, (1, 2, 1)), jnp.roll(x, 1, 2), jnp.repeat(x, 2, 1)])
case("made", f32(3))(lambda x: [jnp.arange(4) + 0 * x.astype(int)[0], lax.broadcasted_iota(jnp.float32, (2, 3), 1) + x, jnp.eye(3) * x,
                                jnp.array([[1.5, -2.0], [3.0, 4.0]]) * x[0], jnp.linspace(0, 1, 12) * x[0], jnp.zeros((2, 2)), jnp.full((2,), 7)])
case("reductions", f32(3, 4, 2))(lambda x: [x.sum(), x.sum(1), x.max((0, 2)), x.min(), x.prod(1), x.mean(0), x.var(2), x.argmax(1), x.argmin(),
                                            (x > 0).any(1), (x > -9).all(), jnp.cumsum(x, 1), jnp.cumprod(x, 0), jnp.cummax(x, 1) if hasattr(jnp, "cummax") else lax.cummax(x, axis=1),
                                            jax.nn.logsumexp(x, 1), jnp.linalg.norm(x)])
case("products", np.round(f32(2, 3, 4) * 8) / 8, np.round(f32(2, 4, 5) * 8) / 8, f32(4), f32(4))(
    lambda a, b, v, w: [a @ b, a @ v, jnp.dot(v, w), jnp.outer(v, w), jnp.einsum("bij,bjk->kib", a, b), jnp.tensordot(a, b, ((0, 2), (0, 1))),
                        lax.dot_general(a.astype("bfloat16"), b.astype("bfloat16"), (((2,), (1,)), ((0,), (0,))), preferred_element_type="f4")])
case("windows", f32(2, 9, 9, 3))(lambda x: [
    lax.reduce_window(x, 0.0, lax.add, (1, 3, 2, 1), (1, 2, 1, 1), ((0, 0), (1, 1), (0, 1), (0, 0))),
    lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME"), lax.reduce_window(x, jnp.inf, lax.min, (1, 2, 2, 1), (1, 1, 1, 1), "VALID", None, (1, 2, 2, 1)),
    jax.grad(lambda x: (lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2).sum())(x),
    jax.grad(lambda x: (lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2).sum())(x)])


@case("convolutions", f32(1, 4, 9, 8), f32(6, 4, 3, 3), f32(8, 1, 3, 3), f32(6, 2, 3, 2))
def convolutions(x, w, d, g):
    def conv(*a, **k):
        return lax.conv_general_dilated(*a, **k)

    def grad(f, *a):
        return jax.grad(lambda *a: (f(*a) ** 2).sum(), argnums=(0, 1))(*a)

    calls = [lambda x, w: conv(x, w, (2, 1), ((1, 1), (0, 2))), lambda x, w: conv(x, w, (1, 1), "VALID", rhs_dilation=(2, 2)),
             lambda x, w: conv(x, w, (1, 1), ((2, 2), (2, 3)), lhs_dilation=(2, 3)), lambda x, w: lax.conv_transpose(x, w.transpose(1, 0, 2, 3), (2, 2), "SAME", dimension_numbers=("NCHW", "IOHW", "NCHW"))]
    grouped = [lambda x, w: conv(x, w, (1, 2), "SAME", feature_group_count=4), lambda x, w: conv(x, w, (2, 2), "VALID", feature_group_count=2)]
    return [[f(x, w) for f in calls], grouped[0](x, d), grouped[1](x, g), grad(calls[0], x, w), grad(grouped[0], x, d), grad(grouped[1], x, g),
            conv(x[:, :, 0], w[:, :, 0], (1,), "SAME")]


@case("places", f32(5, 4, 3), i32(2, 3, below=5), i32(2, 3, below=4), f32(2, 3))
def places(x, i, j, v):
    return [x[i], x[i, j], x[:, j], jnp.take(x, i, axis=1, mode="clip"), jnp.take_along_axis(x[:, :, 0], j[:1, :3].repeat(5, 0), 1), x[i + 3],
            x[:, 1, :].at[i[0]].set(v[:, :1].sum()), x.at[i].add(1.0), x[:, :, 0].at[i, j].add(v), x[:, :, 0].at[i, j].max(v), x[:, :, 0].at[i, j].min(v),
            x[:, :, 0].at[i + 3, j].mul(v, mode="drop"), x.at[1:3, 2].set(7.0), lax.dynamic_slice(x, (i[0, 0], j[0, 0], 9), (2, 2, 2)),
            lax.dynamic_update_slice(x, x[:2, :2] * 2, (i[1, 1], j[1, 1], 0)), lax.dynamic_index_in_dim(x, i[0, 1], 0, False)]


case("places_grad", f32(5, 4, 3), i32(2, 3, below=5), i32(2, 3, below=4))(
    lambda x, i, j: jax.grad(lambda x: (x[i] ** 2).sum() + (x[i, j] ** 3).sum() + (x.at[i].set(2.0) ** 2).sum() + jnp.sort(x, 0)[1].sum())(x))
case("order", f32(4, 6), i32(6, below=9))(lambda x, i: [jnp.sort(x, 1), jnp.argsort(x, 0), -jnp.sort(-x, 1), jnp.sort(i), *lax.top_k(x, 3), jnp.median(x, 1),
                                                         *lax.sort((i, jnp.arange(6), x[0]), num_keys=1), jnp.searchsorted(jnp.sort(x[0]), x[1])])


def welford(a, b):
    """Adds up the mean, the squared distances to it and the number of two parts."""
    (m, v, n), (p, w, k) = a, b
    total = jnp.maximum(n + k, 1.0)
    return m + (p - m) * k / total, v + w + (p - m) ** 2 * n * k / total, n + k


@jax.jit
def larger(a, b):
    """Of two elements with places, the larger one; of equal elements, the last one."""
    return jnp.where(b[0] >= a[0], b[0], a[0]), jnp.where(b[0] >= a[0], b[1], a[1])


@case("regions", f32(3, 5, 4), np.round(f32(3, 9)), i32(3, 9, below=3), i32(3, 9, below=3))
def regions(x, y, i, j):
    low, zero = np.float32(-np.inf), np.float32(0)
    number = lax.broadcasted_iota(jnp.int32, y.shape, 1)
    return [lax.reduce(x, low, jnp.logaddexp, (0, 2)), lax.reduce(x[:, :0], zero, jnp.logaddexp, (1,)),
            lax.reduce((x, 0 * x, 0 * x + 1), (zero,) * 3, welford, (1,)), lax.reduce((y, number), (low, np.int32(-1)), larger, (1,)),
            lax.reduce_window(y, low, jnp.logaddexp, (2, 3), (1, 2), "SAME"), lax.reduce_window((y, number), (low, np.int32(-1)), larger, (1, 3), (1, 2), "SAME"),
            lax.cumlogsumexp(y, 1),
            y.at[0, i[0] * 5].apply(lambda v: v * v + 1), x.at[:, i[0, :3]].apply(jnp.sinh), lax.sort((i, j, y), num_keys=2),
            lax.sort((y, i, number), num_keys=2), lax.sort((i, j, y), dimension=0, num_keys=3),
            jnp.sort(i > 1, 1), lax.sort((i, jnp.where(i == 2, jnp.nan, jnp.where(j == 1, -0.0, y * 0))), num_keys=2)]


@case("control", f32(4), i32(below=3), f32())
def control(x, n, limit):
    def body(s):
        return s[0] * 1.5 + 1, s[1] + 1

    def total(i, s):
        return s + x[i] * i

    return [lax.cond(n > 0, lambda x: x * 2, lambda x: x - 1, x), lax.switch(n, [lambda x: x, lambda x: x * x, lambda x: -x], x),
            lax.while_loop(lambda s: s[0] < jnp.abs(limit) * 50, body, (jnp.float32(1), 0)), lax.fori_loop(0, 4, total, 0.0), lax.fori_loop(0, n + 1, total, 0.0),
            lax.scan(lambda c, t: (c + t, c * t), x[0], x, reverse=True), lax.associative_scan(jnp.maximum, x), jax.vmap(lambda t: lax.cond(t > 0, jnp.sin, jnp.cos, t))(x),
            lax.map(lambda t: t * 2, x)]


def flax_resnet(*, training):
    """A small ResNet of flax, with its parameters, as (function, parameters, images). It needs flax."""
    from flax import linen as nn

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            def unit(x, width, stride=1):
                x = nn.Conv(width, (3, 3), (stride, stride), use_bias=False)(x)
                return nn.BatchNorm(use_running_average=not training)(x)

            x = nn.max_pool(nn.relu(unit(x, 4, 2)), (3, 3), (2, 2), padding="SAME")
            for width, stride in ((4, 1), (6, 2)):
                y = unit(nn.relu(unit(x, width, stride)), width)
                x = x if x.shape == y.shape else nn.Conv(width, (1, 1), (stride, stride), use_bias=False)(x)
                x = nn.relu(x + y)
            return nn.Dense(3)(x.mean((1, 2)))

    images = f32(3, 16, 16, 3)
    held = Net().init(jax.random.key(0), images)
    leaves, tree = jax.tree.flatten(jax.tree.map(lambda p: p + 0.1 * f32(*p.shape), held))

    def call(*given):
        made = Net().apply(jax.tree.unflatten(tree, given[:-1]), given[-1], mutable=["batch_stats"] if training else False)
        return made[0] if training else made

    return call, [np.asarray(p) for p in leaves] + [images]


def add_flax():
    try:
        call, given = flax_resnet(training=False)
    except ImportError:
        print("skipped: the networks of flax")
        return
    CASES["flax_resnet"] = call, given
    call, given = flax_resnet(training=True)
    CASES["flax_resnet_grad"] = grads(call, *given), given


case("random", np.array([3, 7], "u4"))(lambda key: [jax.random.uniform(key, (4,)), jax.random.normal(key, (3,)), jax.random.randint(key, (5,), 0, 9), jax.random.split(key)])
case("special", f32(9) * 3, f32(9))(lambda x, y: [
    jax.scipy.special.gammaln(x), jax.scipy.special.digamma(x), jnp.nextafter(x, y), jnp.spacing(x), jax.scipy.special.gammainc(jnp.abs(x), jnp.abs(y)),
    lax.reduce_precision(x * 1e4, 5, 10), lax.reduce_precision(x, 4, 3), jnp.argmax(x > 0), jnp.select([x > 1, x > 0], [x, y], -1.0), x.at[1].add(y[2]), x.at[-1].set(2.0),
    lax.bitcast_convert_type(x, jnp.uint8), lax.bitcast_convert_type(lax.bitcast_convert_type(y, jnp.int16), jnp.float32)])
case("constants", f32(3, 40))(lambda x: x @ np.linspace(-1, 1, 80).astype("f4").reshape(40, 2) + np.arange(2))
case("export", f32(2, 3))(lambda x: jnp.tanh(x) * jax.nn.relu(x))


# ---------------------------------------------------------------------- open sizes
OPEN = {}  # name: (function, shapes, values of their sizes)


def open_case(name, shapes, *sizes):
    def keep(f):
        OPEN[name] = (f, shapes, sizes)
        return f
    return keep


for called, f, shapes in (("mlp", mlp, ["4, 6", "6", "6, 3", "3", "b, 4"]), ("conv_net", conv_net, ["3, 3, 2, 4", "3, 3, 4, 5", "5, 3", "b, 8, 8, 2"])):
    OPEN[f"open_{called}"] = f, shapes, (dict(b=5), dict(b=1))
    OPEN[f"open_{called}_grad"] = grads(f, *shapes), shapes, (dict(b=5), dict(b=2))
OPEN["open_attention"] = attention, ["6, 2, 4", "6, 2, 4", "6, 2, 4", "2, 4, 6", "6", "b, t, 6"], (dict(b=2, t=5), dict(b=3, t=1))
OPEN["open_lstm"] = lstm, ["3, 16", "4, 16", "16", "t, b, 3"], (dict(b=2, t=6), dict(b=1, t=3))
OPEN["open_lstm_grad"] = grads(lstm, *OPEN["open_lstm"][1]), ["3, 16", "4, 16", "16", "6, b, 3"], (dict(b=2), dict(b=5))


@open_case("open_shapes", ["b, 4"], dict(b=5), dict(b=2))
def open_shapes(x):
    n = x.shape[0]
    mean = jnp.concatenate([x.mean(0, keepdims=True) + jnp.zeros_like(x), x[1:], jnp.arange(n)[:, None] * jnp.ones((1, 4))])
    return [mean.reshape(-1), x.reshape(2 * n, 2), n * 2 + 1, jnp.pad(x, ((1, 0), (0, 2))), x[::-1], x[::2], x[:, ::2], x[:1], x[-1], *jnp.split(x, 2, 1),
            jnp.tile(x, (2, 1)), jnp.repeat(x, 2, 0), x.at[0].add(2.0), lax.dynamic_slice(x, (0, 1), (n, 2)), jax.nn.one_hot(x[:, 0].astype(int), n)]


@open_case("open_values", ["b, 8", "b", "c", "8, 3"], dict(b=5, c=2), dict(b=2, c=4))
def open_values(x, y, z, w):
    return [jnp.sort(x, -1), jnp.argmax(x, -1), *lax.top_k(x, 3), jnp.cumsum(x, 0), x.std(0), jnp.median(x, 1), (x[:, 0] - y) ** 2, y[None] * z[:, None],
            lax.cond(y.sum() > 0, lambda x: x * 2, lambda x: x - 1, x), lax.fori_loop(0, 3, lambda i, s: jnp.sin(s) + i, x), jax.vmap(lambda r: r @ w)(x),
            lax.fori_loop(0, x.shape[0], lambda i, s: s + x[i], jnp.zeros(8)), w[x.astype(int) % 8]]
case("logic", i32(5, 3, below=99), i32(3, 4) > 1, i32(4, 2) > 1, f32(7))(lambda k, p, q, x: [
    lax.reduce(k, np.int32(0), lax.bitwise_xor, (0,)), lax.reduce(k, np.int32(-1), lax.bitwise_and, (1,)), lax.reduce(k, np.int32(0), lax.bitwise_or, (0, 1)),
    p @ q, lax.reduce(p, False, lax.bitwise_xor, (1,)), lax.reduce_precision(x, 8, 7)])


# ---------------------------------------------------------------------- complex numbers, whose parts are real arguments and results
@case("complex", f32(4, 6), f32(4, 6))
def complex_numbers(x, y):
    a, b = x + 1j * y, lax.complex(y, x[::-1])
    made = [a * b, a / b, -a, jnp.conj(a), jnp.exp(a), jnp.log(a), jnp.sqrt(a), jnp.sin(a), jnp.cos(a), jnp.tan(a), jnp.tanh(a * 20), jnp.sinh(a),
            jnp.cosh(a), a ** 3, a ** b, lax.rsqrt(a), jnp.sign(a), jnp.log1p(a), jnp.expm1(a), jax.nn.sigmoid(a), jnp.sum(a, 0), jnp.prod(a, 1),
            jnp.cumsum(a, 1), jnp.where(x > y, a, b), a @ b.T, jnp.vdot(a, b), jnp.pad(a, 1), a.at[0].set(1j), a[jnp.array([0, 2])], jnp.sort(a, 1),
            jnp.array([1j, 2, 3, 4, 5, 6], "c8") * a, jnp.asarray(np.arange(24).reshape(4, 6) * (1 + 2j), "c8") + a, lax.fori_loop(0, 3, lambda i, s: s * a + i, b),
            lax.cond(x.sum() > 0, lambda q: q * 1j, lambda q: -q, a), *lax.scan(lambda c, q: (c * q, c + q), a[0], b), jax.vmap(lambda q: q / q[0])(a)]
    return [jnp.abs(a), jnp.angle(a), a == a, a != b, jnp.isfinite(a / 0)] + [part for z in made for part in (z.real, z.imag)]


@case("fourier", f32(4, 6), f32(4, 6))
def fourier(x, y):
    a = lax.complex(x, y)
    made = [jnp.fft.fft(x), jnp.fft.fft(a, axis=0), jnp.fft.ifft(a), jnp.fft.fft2(a), jnp.fft.ifftn(a), jnp.fft.rfft(x), jnp.fft.rfft2(x), jnp.fft.fft(a, n=9)]
    return [jnp.fft.irfft(a), jnp.fft.irfft(a, n=7), jnp.fft.irfft2(a), jnp.fft.hfft(a), jax.grad(lambda q: jnp.sum(jnp.abs(jnp.fft.rfft(q)) ** 3))(x)] + [
        part for z in made for part in (z.real, z.imag)]


# ---------------------------------------------------------------------- linear algebra
def positive(*shape):
    a = f32(*shape, shape[-1])
    return a @ a.swapaxes(-1, -2) + 2 * np.eye(shape[-1], dtype="f4")


def solve_triangles(a, b):
    solve = lax.linalg.triangular_solve
    return [solve(a, b, left_side=left, lower=lower, transpose_a=transposed, unit_diagonal=unit and not transposed)
            for left in (True, False) for lower in (True, False) for transposed in (True, False) for unit in (True, False)]


@case("factors", f32(2, 4, 4), positive(2, 4), f32(2, 4, 3), f32(3, 5))
def factors(a, p, b, w):
    q, r = jnp.linalg.qr(b)
    turns, values = lax.linalg.eigh(p)
    u, s, v = jnp.linalg.svd(w, full_matrices=False)
    full, _, right = jnp.linalg.svd(w.T)
    return [jnp.linalg.cholesky(p), jnp.linalg.cholesky(p, upper=True), jnp.linalg.cholesky(-p), jnp.linalg.solve(a, b), jnp.linalg.inv(a),
            *jnp.linalg.slogdet(a), q @ r, jnp.abs(r), jnp.linalg.qr(w)[1], jnp.abs(jnp.linalg.qr(b, mode="complete")[0]), values,
            (turns * jnp.sin(values)[:, None]) @ turns.swapaxes(1, 2), s, (u * jnp.sin(s)) @ v, full @ full.T, jnp.abs(right),
            jnp.linalg.svd(b, compute_uv=False), jax.scipy.linalg.expm(a[0] / 4), jnp.linalg.pinv(w), *solve_triangles(p, p[..., ::-1])]


case("factors_grad", positive(4), f32(4, 2))(jax.grad(
    lambda p, b: jnp.linalg.cholesky(p).sum() + (jnp.linalg.solve(p, b) ** 2).sum() + jnp.linalg.slogdet(p)[1] + (jnp.linalg.qr(b)[1] ** 2).sum()
    + (jnp.linalg.eigh(p)[1][:, 0] ** 2 * jnp.arange(4)).sum(), argnums=(0, 1)))
# with the dialect's own operations, as for a device that has no LAPACK
case("factors_core", positive(2, 4))(lambda p: [lax.linalg.cholesky(p), *solve_triangles(p, p[..., ::-1])])


# ---------------------------------------------------------------------- edges of domains
@case("whole_edges", np.array([7, -5, 0, -128, 9], "i4"), np.array([0, 0, 0, -1, 2], "i4"), np.array([0.49999997, -0.3, 2.5, -2.5, 8388609, np.inf, np.nan], "f4"))
def whole_edges(x, y, z):
    by = [(x.astype(t), y.astype(t)) for t in ("i4", "u4", "i1", "u2")]
    return [f(a, b) for a, b in by for f in (lax.div, lax.rem, jnp.floor_divide)] + [
        lax.div(x, 0 * y), lax.rem(7 + 0 * x, y), lax.round(z, lax.RoundingMethod.AWAY_FROM_ZERO), (z + lax.iota("c8", 7)).imag]


@case("inverses", np.array([1, -1, 2, -2, 0.5, 0, 1e-4, 3, -0.3, 0, 0, 1e3], "f4"), np.array([0, 0, 0, 0, 0, 2, 1e-5, 4, -7, 0.5, -2, -1e3], "f4"))
def inverses(x, y):
    inverse = [jnp.arcsin, jnp.arccos, jnp.arctan, jnp.arcsinh, jnp.arccosh, jnp.arctanh]
    return [part(f(lax.complex(x, y))) for f in inverse for part in (jnp.real, jnp.imag)]


@case("edges", f32(6, 5), np.array([[0, 3], [4, 4], [-1, 2]], "i4"), f32(3, 2, 3), np.array([[3, 1, np.nan, -0.0, 0, np.inf, -np.inf, 1]], "f4"), i32(below=9) + 1)
def edges(x, i, window, y, n):
    of, special = lax.ScatterDimensionNumbers((1, 2), (), (0, 1)), jax.scipy.special
    inside = [scatter(x, i, window, of, mode=mode) for scatter in (lax.scatter, lax.scatter_add, lax.scatter_min) for mode in ("clip", "drop")]
    return [*inside, *lax.top_k(y, 5), lax.bitcast_convert_type(x.astype("bfloat16"), "u2"), lax.bitcast_convert_type(x.astype("f2"), "u1"),
            special.zeta(jnp.abs(x) + 1, jnp.abs(x[::-1])), special.zeta(y, jnp.minimum(y, 0) - 12), special.polygamma(n, x), special.i1e(x * 20), jax.grad(lambda v: special.digamma(v).sum())(x[0])]


@case("poles", np.array([-1e-30, 1e-30, -3e-8, -1.0000001, -2.9999998, -0.5, 0, -0.0, -3, -np.inf], "f4"))
def poles(x):
    return [jax.scipy.special.gammaln(x), 1 / jax.scipy.special.digamma(x)]


# ---------------------------------------------------------------------- what networks combine from these
@case("written", f32(5, 6), i32(4, below=9), f32(4), f32(5, 3), i32(5, 3, below=7), np.array([[1, 2], [9, 9], [0, -4]], "i4"))
def written(x, i, u, v, j, at):
    """Every way to write at places, inside and out, and windows of places."""
    places = x.at[i, i - 1]
    gathered = lax.GatherDimensionNumbers((1, 2), (), (0, 1))
    return [getattr(places, f)(u, mode=mode) for f in ("set", "add", "multiply", "min", "max") for mode in ("drop", "clip")] + [
        x.at[i].get(mode="fill", fill_value=7), *(jnp.take(x, at - 2, axis=1, mode=mode) for mode in ("fill", "clip", "wrap")),
        *(lax.gather(x, at, gathered, (2, 3), mode=mode) for mode in ("clip", "fill")), jax.vmap(lambda r, k, w: r.at[k].add(w))(x, j, v),
        jax.vmap(lambda r, k: r[k])(x, j), jax.vmap(lambda r, k: lax.dynamic_update_slice(r, r[:2] * 9, (k,)))(x, j[:, 0]),
        jax.ops.segment_max(x, j[:, 0] % 4, 4), jax.ops.segment_prod(x, j[:, 1] % 4, 4), x.at[1].power(2), x.at[1, ::2].divide(2)]


@case("spread", f32(2, 6, 6, 4), f32(3, 3, 4, 6), f32(3, 2, 2, 6), f32(3, 2, 4, 3), f32(1, 2, 4, 5, 4), f32(3, 2, 2, 3, 2))
def spread(x, batched, grouped, w, volume, cube):
    """Convolutions with holes on both sides, groups of the batch, negative padding and three axes, and their gradients."""
    def conv(x, w, *given, **named):
        return lax.conv_general_dilated(x, w, *given, dimension_numbers=("NHWC", "HWIO", "NHWC"), **named)

    def both(x, w):
        return conv(x, w, (2, 1), ((2, 1), (0, 3)), lhs_dilation=(2, 1), rhs_dilation=(1, 2), feature_group_count=2)

    return [conv(x, batched, (1, 1), "SAME", batch_group_count=2), both(x, grouped), conv(x, w, (1, 1), ((-1, 0), (0, -2))),
            lax.conv_general_dilated(volume, cube, (1, 2, 1), "SAME"), lax.conv_transpose(x, w, (3, 2), "VALID", rhs_dilation=(1, 2)),
            *jax.grad(lambda x, w: (both(x, w) ** 2).sum(), (0, 1))(x, grouped), jax.vmap(lambda x: conv(x[None], w, (1, 1), "SAME"))(x)]


@case("flow", f32(5, 6), f32(6, 6), f32(7), i32(7, below=6), f32(4, 3, 3))
def flow(x, w, t, n, m):
    """Loops and branches in vmap and under gradients, and scans by functions of several values."""
    def recur(w, x):
        return lax.scan(lambda h, r: (jnp.tanh(h @ w + r), h.sum()), jnp.zeros(6), x)[1].sum()

    return [jax.vmap(lambda a: lax.while_loop(lambda s: s < 50, lambda s: s * 1.5 + 1, a))(jnp.abs(t)),
            jax.vmap(lambda a, b: lax.while_loop(lambda s: s[1] < b, lambda s: (s[0] * 1.1, s[1] + 1), (a, 0))[0])(t, n),
            *jax.grad(recur, (0, 1))(w, x), jax.grad(lambda x: lax.cond(x.sum() > 0, lambda x: x ** 2, jnp.sin, x).sum())(x),
            jax.vmap(lambda a, k: lax.switch(k, [jnp.sin, jnp.cos, lambda a: a * a], a))(t, n),
            *lax.scan(lambda h, r: (h + r, lax.scan(lambda a, b: (a * b, a), r[0], r)[1]), x[0], x), lax.scan(lambda h, r: (h + r, h * r), x[0], x, unroll=2)[1],
            *lax.associative_scan(lambda p, q: (p[0] * q[0], p[1] * q[0] + q[1]), (t, t[::-1])), lax.associative_scan(jnp.matmul, m),
            lax.associative_scan(jnp.logaddexp, x, reverse=True, axis=1), jax.grad(lambda x: lax.fori_loop(0, 3, lambda j, s: jnp.sin(s) * x, x).sum())(x),
            jax.grad(lambda x: jax.checkpoint(lambda a: jnp.sin(jnp.exp(a)))(x).sum())(x), *(f(x, 1, True) for f in (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin)),
            *(jax.grad(lambda x: (f(x, 0) ** 2).sum())(x) for f in (lax.cumsum, lax.cumprod, lax.cummax, lax.cumlogsumexp))]


@case("distributions", np.array([3, 9], "u4"), f32(5, 6))
def distributions(key, x):
    of = jax.random
    return [of.gumbel(key, (7,)), of.exponential(key, (7,)), of.laplace(key, (7,)), of.rademacher(key, (7,)), of.bernoulli(key, 0.3, (9,)), of.categorical(key, x),
            of.permutation(key, 11), of.choice(key, x[0], (4,), replace=False), of.truncated_normal(key, -1.0, 1.0, (5,)), of.bits(key, (5,), "uint8"), of.fold_in(key, 7),
            of.gamma(key, 2.5, (3,)), of.poisson(key, 4.0, (5,))]


# ---------------------------------------------------------------------- files
def write(name, text):
    text = text.replace(f'"{HERE}{os.sep}', '"')  # locations name this file without its folder
    folder = os.path.join(HERE, "cases", name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.mlir"), "w") as file:
        file.write(text)


def write_data(name, number, given, results):
    folder = os.path.join(HERE, "cases", name, f"test_data_set_{number}")
    os.makedirs(folder, exist_ok=True)
    arrays = {f"input_{k}": np.asarray(x) for k, x in enumerate(given)}
    arrays.update({f"output_{k}": np.asarray(y.astype("f4") if y.dtype == jnp.bfloat16 else y) for k, y in enumerate(results)})
    np.savez_compressed(os.path.join(folder, "data.npz"), **arrays)


def main(names):
    add_flax()
    for name in names or [*CASES, *OPEN]:
        call, given, *sizes = (CASES | OPEN)[name]
        made = jax.jit(lambda *a: jax.tree.leaves(call(*a)), keep_unused=True)
        if name in OPEN:
            scope = jax.export.SymbolicScope()
            types = [jax.ShapeDtypeStruct(jax.export.symbolic_shape(shape, scope=scope), "f4") for shape in given]
            write(name, jax.export.export(made)(*types).mlir_module())
            for number, values in enumerate(sizes[0]):
                arrays = [f32(*(eval(n, {}, values) for n in shape.split(","))) for shape in given]
                write_data(name, number, arrays, made(*arrays))
            continue
        exports = dict(export=None, factors_core=["tpu"])
        write(name, jax.export.export(made, platforms=exports[name])(*given).mlir_module() if name in exports else made.lower(*given).as_text())
        write_data(name, 0, given, made(*given))


if __name__ == "__main__":
    main(sys.argv[1:])
