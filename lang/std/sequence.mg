mg 1
// Recurrences in the general form: activations by name, peepholes, clipping, sequences of different
// lengths. Gates are in ONNX's order: LSTM input, output, forget, cell; GRU update, reset, new. A
// bias holds that of the input, then that of the state. The part without the state is one product
// over the whole sequence, outside the loop.
//
// `lengths` says how many elements of each sequence count: after them the state stays, and results
// are 0. `reverse` scans each sequence from its last element; results keep the order of x.

// the activation function that `by` names
op activate<T: float>(x: T[..S],
        by: "sigmoid" | "tanh" | "relu" | "affine" | "leaky_relu" | "thresholded_relu"
        | "scaled_tanh" | "hard_sigmoid" | "elu" | "softsign" | "softplus", alpha: float = 0.0,
        beta: float = 0.0) -> (y: T[..S])
{
    if by == "sigmoid" { y = sigmoid(x) }
    if by == "tanh" { y = tanh(x) }
    if by == "relu" { y = relu(x) }
    if by == "affine" { y[..s] = alpha * x[..s] + beta }
    if by == "leaky_relu" { y = leaky_relu(x, slope = alpha) }
    if by == "thresholded_relu" { y[..s] = where(x[..s] >= alpha, x[..s], 0) }
    if by == "scaled_tanh" { y[..s] = alpha * tanh(beta * x[..s]) }
    if by == "hard_sigmoid" { y = hard_sigmoid(x, alpha = alpha, beta = beta) }
    if by == "elu" { y = elu(x, alpha = alpha) }
    if by == "softsign" { y = softsign(x) }
    if by == "softplus" { y = softplus(x) }
}
// the input's part of the gates, with both biases if the state's is outside all products
op sequence_inputs<T: float>(x: T[S, B, I], w: T[G, I], bias: T[2 * G]?, both: bool = true)
    -> (z: T[S, B, G])
{
    if both {
        z[t, n, g] = (sum[i] x[t, n, i] * w[g, i]) + (bias[g] else 0) + (bias[G + g] else 0)
    } else {
        z[t, n, g] = (sum[i] x[t, n, i] * w[g, i]) + (bias[g] else 0)
    }
}
// the elements in the order of the scan
op scan_order<T: any>(x: T[S, B, ..R], lengths: i32[B]?, reverse: bool) -> (y: T[S, B, ..R]) {
    if not reverse { y = x }
    if reverse and given(lengths) { y = reverse_sequence(x, lengths) }
    if reverse and not given(lengths) { y = flip(x, axes = [0]) }
}
// a where sequence n has an element t, else b
op while_lasting<T: any>(t: i64[], a: T[B, ..R], b: T[B, ..R], lengths: i32[B]?) -> (y: T[B, ..R]) {
    if given(lengths) {
        y[n, ..r] = where(t[] < i64(lengths[n]), a[n, ..r], b[n, ..r])
    } else {
        y = a
    }
}

// an LSTM over a sequence, with the options of ONNX
op lstm_sequence<T: float>(x: T[S, B, I], w: T[4 * H, I], r: T[4 * H, H], bias: T[8 * H]?,
        lengths: i32[B]?, h0: T[B, H]?, c0: T[B, H]?, peepholes: T[3 * H]?,
        f: "sigmoid" | "tanh" | "relu" | "affine" | "leaky_relu" | "thresholded_relu"
        | "scaled_tanh" | "hard_sigmoid" | "elu" | "softsign" | "softplus" = "sigmoid",
        g: "sigmoid" | "tanh" | "relu" | "affine" | "leaky_relu" | "thresholded_relu"
        | "scaled_tanh" | "hard_sigmoid" | "elu" | "softsign" | "softplus" = "tanh",
        h: "sigmoid" | "tanh" | "relu" | "affine" | "leaky_relu" | "thresholded_relu"
        | "scaled_tanh" | "hard_sigmoid" | "elu" | "softsign" | "softplus" = "tanh",
        f_alpha: float = 0.0, f_beta: float = 0.0, g_alpha: float = 0.0, g_beta: float = 0.0,
        h_alpha: float = 0.0, h_beta: float = 0.0, clip: float = inf, coupled: bool = false,
        reverse: bool = false) -> (y: T[S, B, H], last_h: T[B, H], last_c: T[B, H])
{
    z = scan_order(sequence_inputs(x, w, bias), lengths, reverse = reverse)
    hs[n, j]: T[B, H] = h0[n, j] else 0
    cs[n, j]: T[B, H] = c0[n, j] else 0
    none[n, j]: T[B, H] = 0
    last_h, last_c, ys = loop t in 0..S carry (hp = hs, cp = cs) {
        at[]: i64[] = t
        a[n, q]: T[B, 4 * H] = z[t, n, q] + (sum[k] hp[n, k] * r[q, k])
        ai[n, j]: T[B, H] = a[n, (0, j)] + (peepholes[(0, j)] else 0) * cp[n, j]
        af[n, j]: T[B, H] = a[n, (2, j)] + (peepholes[(2, j)] else 0) * cp[n, j]
        ac[n, j]: T[B, H] = a[n, (3, j)]
        i = activate(hard_tanh(ai, lo = -clip, hi = clip), by = f, alpha = f_alpha, beta = f_beta)
        if coupled {
            o[n, j] = 1 - i[n, j]
        } else {
            o = activate(hard_tanh(af, lo = -clip, hi = clip), by = f, alpha = f_alpha,
                beta = f_beta)
        }
        u = activate(hard_tanh(ac, lo = -clip, hi = clip), by = g, alpha = g_alpha, beta = g_beta)
        c1[n, j] = o[n, j] * cp[n, j] + i[n, j] * u[n, j]
        ao[n, j]: T[B, H] = a[n, (1, j)] + (peepholes[(1, j)] else 0) * c1[n, j]
        out = activate(hard_tanh(ao, lo = -clip, hi = clip), by = f, alpha = f_alpha, beta = f_beta)
        e = activate(c1, by = h, alpha = h_alpha, beta = h_beta)
        h1[n, j] = out[n, j] * e[n, j]
        hn = while_lasting(at, h1, hp, lengths)
        cn = while_lasting(at, c1, cp, lengths)
        yn = while_lasting(at, h1, none, lengths)
        next hp = hn, cp = cn
        emit yn
    }
    y = scan_order(ys, lengths, reverse = reverse)
}
// a gated recurrent unit over a sequence, with the options of ONNX
op gru_sequence<T: float>(x: T[S, B, I], w: T[3 * H, I], r: T[3 * H, H], bias: T[6 * H]?,
        lengths: i32[B]?, h0: T[B, H]?,
        f: "sigmoid" | "tanh" | "relu" | "affine" | "leaky_relu" | "thresholded_relu"
        | "scaled_tanh" | "hard_sigmoid" | "elu" | "softsign" | "softplus" = "sigmoid",
        g: "sigmoid" | "tanh" | "relu" | "affine" | "leaky_relu" | "thresholded_relu"
        | "scaled_tanh" | "hard_sigmoid" | "elu" | "softsign" | "softplus" = "tanh",
        f_alpha: float = 0.0, f_beta: float = 0.0, g_alpha: float = 0.0, g_beta: float = 0.0,
        clip: float = inf, reset_after: bool = false, reverse: bool = false)
    -> (y: T[S, B, H], last_h: T[B, H])
{
    z = scan_order(sequence_inputs(x, w, bias, both = false), lengths, reverse = reverse)
    hs[n, j]: T[B, H] = h0[n, j] else 0
    none[n, j]: T[B, H] = 0
    last_h, ys = loop t in 0..S carry (hp = hs) {
        at[]: i64[] = t
        a[n, (q, j)]: T[B, 3 * H] = (sum[k] hp[n, k] * r[(q, j), k]) + (bias[(3 + q, j)] else 0)
        au[n, j]: T[B, H] = z[t, n, j] + a[n, (0, j)]
        ar[n, j]: T[B, H] = z[t, n, H + j] + a[n, (1, j)]
        u = activate(hard_tanh(au, lo = -clip, hi = clip), by = f, alpha = f_alpha, beta = f_beta)
        s = activate(hard_tanh(ar, lo = -clip, hi = clip), by = f, alpha = f_alpha, beta = f_beta)
        if reset_after {
            ah[n, j]: T[B, H] = z[t, n, 2 * H + j] + s[n, j] * a[n, (2, j)]
        } else {
            ah[n, j]: T[B, H] = z[t, n, 2 * H + j]
                + (sum[k] s[n, k] * hp[n, k] * r[(2, j), k])
                + (bias[(5, j)] else 0)
        }
        m = activate(hard_tanh(ah, lo = -clip, hi = clip), by = g, alpha = g_alpha, beta = g_beta)
        h1[n, j] = (1 - u[n, j]) * m[n, j] + u[n, j] * hp[n, j]
        hn = while_lasting(at, h1, hp, lengths)
        yn = while_lasting(at, h1, none, lengths)
        next hp = hn
        emit yn
    }
    y = scan_order(ys, lengths, reverse = reverse)
}
// a plain recurrent network over a sequence, with the options of ONNX
op rnn_sequence<T: float>(x: T[S, B, I], w: T[H, I], r: T[H, H], bias: T[2 * H]?, lengths: i32[B]?,
        h0: T[B, H]?,
        f: "sigmoid" | "tanh" | "relu" | "affine" | "leaky_relu" | "thresholded_relu"
        | "scaled_tanh" | "hard_sigmoid" | "elu" | "softsign" | "softplus" = "tanh",
        f_alpha: float = 0.0, f_beta: float = 0.0, clip: float = inf, reverse: bool = false)
    -> (y: T[S, B, H], last_h: T[B, H])
{
    z = scan_order(sequence_inputs(x, w, bias), lengths, reverse = reverse)
    hs[n, j]: T[B, H] = h0[n, j] else 0
    none[n, j]: T[B, H] = 0
    last_h, ys = loop t in 0..S carry (hp = hs) {
        at[]: i64[] = t
        a[n, j]: T[B, H] = z[t, n, j] + (sum[k] hp[n, k] * r[j, k])
        h1 = activate(hard_tanh(a, lo = -clip, hi = clip), by = f, alpha = f_alpha, beta = f_beta)
        hn = while_lasting(at, h1, hp, lengths)
        yn = while_lasting(at, h1, none, lengths)
        next hp = hn
        emit yn
    }
    y = scan_order(ys, lengths, reverse = reverse)
}
