mg 1
import norm
import random
import recurrent
// Layers: operators that own parameters, under the names that a PyTorch state_dict gives them.
// `biased = false` leaves out the bias. With a `deviation`, weights begin with normally distributed
// numbers, and biases with 0; otherwise at random, on a scale that follows from their use. A layer may be named like an operator of the library: the
// operator is then called by its file, `norm.layer_norm`.

// ---- linear maps
// a linear map of the last axis, with a bias
layer linear<T: float>(x: T[..N, I], features: int, biased: bool = true, deviation: float = 0.0)
    -> (y: T[..N, features])
{
    if deviation > 0 {
        param weight: T[features, I] = random_normal(scale = deviation)
    } else {
        param weight: T[features, I]
    }
    if biased {
        if deviation > 0 {
            param bias: T[features] = 0
        } else {
            param bias: T[features]
        }
        y[..n, o] = (sum[i] x[..n, i] * weight[o, i]) + bias[o]
    } else {
        y[..n, o] = sum[i] x[..n, i] * weight[o, i]
    }
}
// a map that is linear in each of two inputs
layer bilinear<T: float>(a: T[..N, I], b: T[..N, J], features: int, biased: bool = true)
    -> (y: T[..N, features])
{
    param weight: T[features, I, J]
    if biased {
        param bias: T[features]
        y[..n, o] = (sum[i, j] a[..n, i] * weight[o, i, j] * b[..n, j]) + bias[o]
    } else {
        y[..n, o] = sum[i, j] a[..n, i] * weight[o, i, j] * b[..n, j]
    }
}
// a row of a table for each index
layer embedding<I: int>(ids: I[..N], entries: int, width: int, type: type = f32,
        deviation: float = 0.0) -> (y: type[..N, width])
{
    if deviation > 0 {
        param weight: type[entries, width] = random_normal(scale = deviation)
    } else {
        param weight: type[entries, width]
    }
    y[..n, d] = weight[i64(ids[..n]), d]
}

// ---- convolutions; `kernel` is one number or one for each dimension
// a convolution over one dimension, with a bias
layer conv1d<T: float>(x: T[N, groups * C, ..X @ 2..3], channels: int, kernel: int[..X],
        stride: int[..X] = 1, pad: int[..X] = 0, dilation: int[..X] = 1, groups: int = 1,
        biased: bool = true) -> (y)
    require channels % groups == 0 : "{channels} channels do not split into {groups} groups"
{
    param weight: T[channels, C, ..kernel]
    if biased {
        param bias: T[channels]
        y = conv(x, weight, bias, stride = stride, pad = pad, dilation = dilation, groups = groups)
    } else {
        y = conv(x, weight, stride = stride, pad = pad, dilation = dilation, groups = groups)
    }
}
// a convolution over two dimensions, with a bias
layer conv2d<T: float>(x: T[N, groups * C, ..X @ 2..4], channels: int, kernel: int[..X],
        stride: int[..X] = 1, pad: int[..X] = 0, dilation: int[..X] = 1, groups: int = 1,
        biased: bool = true) -> (y)
    require channels % groups == 0 : "{channels} channels do not split into {groups} groups"
{
    param weight: T[channels, C, ..kernel]
    if biased {
        param bias: T[channels]
        y = conv(x, weight, bias, stride = stride, pad = pad, dilation = dilation, groups = groups)
    } else {
        y = conv(x, weight, stride = stride, pad = pad, dilation = dilation, groups = groups)
    }
}
// a convolution over three dimensions, with a bias
layer conv3d<T: float>(x: T[N, groups * C, ..X @ 2..5], channels: int, kernel: int[..X],
        stride: int[..X] = 1, pad: int[..X] = 0, dilation: int[..X] = 1, groups: int = 1,
        biased: bool = true) -> (y)
    require channels % groups == 0 : "{channels} channels do not split into {groups} groups"
{
    param weight: T[channels, C, ..kernel]
    if biased {
        param bias: T[channels]
        y = conv(x, weight, bias, stride = stride, pad = pad, dilation = dilation, groups = groups)
    } else {
        y = conv(x, weight, stride = stride, pad = pad, dilation = dilation, groups = groups)
    }
}
// a transposed convolution over one dimension, with a bias
layer conv_transpose1d<T: float>(x: T[N, groups * C, ..X @ 2..3], channels: int, kernel: int[..X],
        stride: int[..X] = 1, pad: int[..X] = 0, out_pad: int[..X] = 0, dilation: int[..X] = 1,
        groups: int = 1, biased: bool = true) -> (y)
    require channels % groups == 0 : "{channels} channels do not split into {groups} groups"
{
    param weight: T[groups * C, channels / groups, ..kernel]
    if biased {
        param bias: T[channels]
        y = conv_transpose(x, weight, bias, stride = stride, pad = pad, out_pad = out_pad,
            dilation = dilation, groups = groups)
    } else {
        y = conv_transpose(x, weight, stride = stride, pad = pad, out_pad = out_pad,
            dilation = dilation, groups = groups)
    }
}
// a transposed convolution over two dimensions, with a bias
layer conv_transpose2d<T: float>(x: T[N, groups * C, ..X @ 2..4], channels: int, kernel: int[..X],
        stride: int[..X] = 1, pad: int[..X] = 0, out_pad: int[..X] = 0, dilation: int[..X] = 1,
        groups: int = 1, biased: bool = true) -> (y)
    require channels % groups == 0 : "{channels} channels do not split into {groups} groups"
{
    param weight: T[groups * C, channels / groups, ..kernel]
    if biased {
        param bias: T[channels]
        y = conv_transpose(x, weight, bias, stride = stride, pad = pad, out_pad = out_pad,
            dilation = dilation, groups = groups)
    } else {
        y = conv_transpose(x, weight, stride = stride, pad = pad, out_pad = out_pad,
            dilation = dilation, groups = groups)
    }
}
// a transposed convolution over three dimensions, with a bias
layer conv_transpose3d<T: float>(x: T[N, groups * C, ..X @ 2..5], channels: int, kernel: int[..X],
        stride: int[..X] = 1, pad: int[..X] = 0, out_pad: int[..X] = 0, dilation: int[..X] = 1,
        groups: int = 1, biased: bool = true) -> (y)
    require channels % groups == 0 : "{channels} channels do not split into {groups} groups"
{
    param weight: T[groups * C, channels / groups, ..kernel]
    if biased {
        param bias: T[channels]
        y = conv_transpose(x, weight, bias, stride = stride, pad = pad, out_pad = out_pad,
            dilation = dilation, groups = groups)
    } else {
        y = conv_transpose(x, weight, stride = stride, pad = pad, out_pad = out_pad,
            dilation = dilation, groups = groups)
    }
}

// ---- normalisation
// layer normalisation with a learnt scale and shift
layer layer_norm<T: float>(x: T[..N, ..R @ axis..rank(x)], axis: int = -1, eps: float = 1e-5)
    -> (y: T[..N, ..R @ axis..rank(x)])
{
    param weight: T[..R]
    param bias: T[..R]
    y = norm.layer_norm(x, weight, bias, axis = axis, eps = eps)
}
// normalisation by the root mean square, with a learnt scale
layer rms_norm<T: float>(x: T[..N, ..R @ axis..rank(x)], axis: int = -1, eps: float = 1e-5)
    -> (y: T[..N, ..R @ axis..rank(x)])
{
    param weight: T[..R]
    y = norm.rms_norm(x, weight, axis = axis, eps = eps)
}
// batch normalisation by running statistics, or in a training by those of the batch.
// These update the running ones, unless `frozen`.
layer batch_norm<T: float>(x: T[N, C, ..X], eps: float = 1e-5, momentum: float = 0.9,
        frozen: bool = false) -> (y: T[N, C, ..X])
{
    param weight: T[C]
    param bias: T[C]
    buffer running_mean: T[C]
    buffer running_var: T[C]
    if training and not frozen {
        y, mean1, var1 = norm.batch_norm_train(x, weight, bias, running_mean, running_var,
            momentum = momentum, eps = eps)
        next running_mean = mean1, running_var = var1
    } else {
        y = norm.batch_norm(x, running_mean, running_var, weight, bias, eps = eps)
    }
}
// x itself; in a training, x with elements dropped at random and the others scaled up
layer dropout<T: float>(x: T[..S], ratio: float = 0.5) -> (y: T[..S])
    require 0 <= ratio and ratio < 1 : "ratio is {ratio}; expected at least 0 and below 1"
{
    if training {
        r[]: T[] = ratio
        y, kept = random.dropout(x, draw(), r, together = true)
    } else {
        y = x
    }
}
// group normalisation with a learnt scale and shift
layer group_norm<T: float>(x: T[N, groups * C, ..X], groups: int, eps: float = 1e-5)
    -> (y: T[N, groups * C, ..X])
{
    param weight: T[groups * C]
    param bias: T[groups * C]
    y = norm.group_norm(x, weight, bias, groups = groups, eps = eps)
}
// instance normalisation; it has parameters only if `affine`, as in PyTorch
layer instance_norm<T: float>(x: T[N, C, ..X], affine: bool = false, eps: float = 1e-5)
    -> (y: T[N, C, ..X])
{
    if affine {
        param weight: T[C]
        param bias: T[C]
        y = norm.instance_norm(x, weight, bias, eps = eps)
    } else {
        y = norm.instance_norm(x, eps = eps)
    }
}
// relu with a learnt slope for negative values
layer prelu<T: float>(x: T[N, C, ..X]) -> (y: T[N, C, ..X]) {
    param weight: T[C]
    y[n, c, ..i] = where(x[n, c, ..i] >= 0, x[n, c, ..i], weight[c] * x[n, c, ..i])
}

// ---- attention
// attention of several heads; query, key and value may differ, and the mask is added to the scores
layer multi_head_attention<T: float>(query: T[B, S, heads * E], key: T[B, L, heads * E],
        value: T[B, L, heads * E], mask: T[..M]?, heads: int, causal: bool = false)
    -> (y: T[B, S, heads * E])
{
    param in_proj_weight: T[3 * heads * E, heads * E]
    param in_proj_bias: T[3 * heads * E]
    param out_proj: linear(features = heads * E)
    q[b, h, s, e]: T[B, heads, S, E] = (sum[i] query[b, s, i] * in_proj_weight[(0, h, e), i])
        + in_proj_bias[(0, h, e)]
    k[b, h, s, e]: T[B, heads, L, E] = (sum[i] key[b, s, i] * in_proj_weight[(1, h, e), i])
        + in_proj_bias[(1, h, e)]
    v[b, h, s, e]: T[B, heads, L, E] = (sum[i] value[b, s, i] * in_proj_weight[(2, h, e), i])
        + in_proj_bias[(2, h, e)]
    a = attention(q, k, v, mask, causal = causal)
    m[b, s, (h, e)]: T[B, S, heads * E] = a[b, h, s, e]
    y = out_proj(m)
}
// self-attention and a net of two layers, each with a residual.
// The norms come before them if `norm_first`, else after.
layer transformer_block<T: float>(x: T[B, S, D], mask: T[..M]?, heads: int, hidden: int = 4 * D,
        causal: bool = false, norm_first: bool = true, activation: "relu" | "gelu" = "gelu",
        eps: float = 1e-5) -> (y: T[B, S, D])
    require D % heads == 0 : "{D} channels do not split into {heads} heads"
{
    param self_attn: multi_head_attention(heads = heads, causal = causal)
    param linear1: linear(features = hidden)
    param linear2: linear(features = D)
    param norm1: layer_norm(eps = eps)
    param norm2: layer_norm(eps = eps)
    if norm_first {
        u = norm1(x)
        a = add(x, self_attn(u, u, u, mask))
        n = norm2(a)
    } else {
        a = norm1(add(x, self_attn(x, x, x, mask)))
        n = a
    }
    if activation == "gelu" { f = gelu(linear1(n)) } else { f = relu(linear1(n)) }
    if norm_first { y = add(a, linear2(f)) } else { y = norm2(add(a, linear2(f))) }
}

// ---- recurrence over x[S, B, I]
// an LSTM over a sequence; its parameters are named like weight_ih_l1_reverse: level, suffix
layer lstm<T: float>(x: T[S, B, I], h0: T[B, hidden]?, c0: T[B, hidden]?, hidden: int,
        level: int = 0, reverse: bool = false, suffix: str = "")
    -> (y: T[S, B, hidden], h: T[B, hidden], c: T[B, hidden])
{
    param w_ih: T[4 * hidden, I] as "weight_ih_l{level}{suffix}"
    param w_hh: T[4 * hidden, hidden] as "weight_hh_l{level}{suffix}"
    param b_ih: T[4 * hidden] as "bias_ih_l{level}{suffix}"
    param b_hh: T[4 * hidden] as "bias_hh_l{level}{suffix}"
    hs[n, j]: T[B, hidden] = h0[n, j] else 0
    cs[n, j]: T[B, hidden] = c0[n, j] else 0
    y, h, c = recurrent.lstm(x, hs, cs, w_ih, w_hh, b_ih, b_hh, reverse = reverse)
}
// a gated recurrent unit over a sequence
layer gru<T: float>(x: T[S, B, I], h0: T[B, hidden]?, hidden: int, level: int = 0,
        reverse: bool = false, suffix: str = "") -> (y: T[S, B, hidden], h: T[B, hidden])
{
    param w_ih: T[3 * hidden, I] as "weight_ih_l{level}{suffix}"
    param w_hh: T[3 * hidden, hidden] as "weight_hh_l{level}{suffix}"
    param b_ih: T[3 * hidden] as "bias_ih_l{level}{suffix}"
    param b_hh: T[3 * hidden] as "bias_hh_l{level}{suffix}"
    hs[n, j]: T[B, hidden] = h0[n, j] else 0
    y, h = recurrent.gru(x, hs, w_ih, w_hh, b_ih, b_hh, reverse = reverse)
}
// a plain recurrent network over a sequence
layer rnn<T: float>(x: T[S, B, I], h0: T[B, hidden]?, hidden: int, level: int = 0,
        reverse: bool = false, suffix: str = "", nonlinearity: "tanh" | "relu" = "tanh")
    -> (y: T[S, B, hidden], h: T[B, hidden])
{
    param w_ih: T[hidden, I] as "weight_ih_l{level}{suffix}"
    param w_hh: T[hidden, hidden] as "weight_hh_l{level}{suffix}"
    param b_ih: T[hidden] as "bias_ih_l{level}{suffix}"
    param b_hh: T[hidden] as "bias_hh_l{level}{suffix}"
    hs[n, j]: T[B, hidden] = h0[n, j] else 0
    y, h = recurrent.rnn(x, hs, w_ih, w_hh, b_ih, b_hh, nonlinearity = nonlinearity,
        reverse = reverse)
}
// `layers` LSTMs, each over the results of the one before it, all from states of zero.
// If `bidirectional`, the results of both directions lie side by side.
layer lstm_stack<T: float>(x: T[S, B, I], hidden: int, layers: int = 1, bidirectional: bool = false)
    -> (y)
{
    zero = zeros(shape = [B, hidden], type = T)
    y = x
    for l in 0..layers {
        param w_ih: T[4 * hidden, _] as "weight_ih_l{l}"
        param w_hh: T[4 * hidden, hidden] as "weight_hh_l{l}"
        param b_ih: T[4 * hidden] as "bias_ih_l{l}"
        param b_hh: T[4 * hidden] as "bias_hh_l{l}"
        f, h, c = recurrent.lstm(y, zero, zero, w_ih, w_hh, b_ih, b_hh)
        if bidirectional {
            param r_ih: T[4 * hidden, _] as "weight_ih_l{l}_reverse"
            param r_hh: T[4 * hidden, hidden] as "weight_hh_l{l}_reverse"
            param rb_ih: T[4 * hidden] as "bias_ih_l{l}_reverse"
            param rb_hh: T[4 * hidden] as "bias_hh_l{l}_reverse"
            r, hr, cr = recurrent.lstm(y, zero, zero, r_ih, r_hh, rb_ih, rb_hh, reverse = true)
            y = concat(f, r, axis = 2)
        } else {
            y = f
        }
    }
}
// several layers of gated recurrent units
layer gru_stack<T: float>(x: T[S, B, I], hidden: int, layers: int = 1, bidirectional: bool = false)
    -> (y)
{
    zero = zeros(shape = [B, hidden], type = T)
    y = x
    for l in 0..layers {
        param w_ih: T[3 * hidden, _] as "weight_ih_l{l}"
        param w_hh: T[3 * hidden, hidden] as "weight_hh_l{l}"
        param b_ih: T[3 * hidden] as "bias_ih_l{l}"
        param b_hh: T[3 * hidden] as "bias_hh_l{l}"
        f, h = recurrent.gru(y, zero, w_ih, w_hh, b_ih, b_hh)
        if bidirectional {
            param r_ih: T[3 * hidden, _] as "weight_ih_l{l}_reverse"
            param r_hh: T[3 * hidden, hidden] as "weight_hh_l{l}_reverse"
            param rb_ih: T[3 * hidden] as "bias_ih_l{l}_reverse"
            param rb_hh: T[3 * hidden] as "bias_hh_l{l}_reverse"
            r, hr = recurrent.gru(y, zero, r_ih, r_hh, rb_ih, rb_hh, reverse = true)
            y = concat(f, r, axis = 2)
        } else {
            y = f
        }
    }
}
