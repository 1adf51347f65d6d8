mg 1
// Recurrent cells and their scans over a sequence x[S, B, I]; S may be known only when the graph is
// bound. Weights and gates are in PyTorch's order: LSTM input, forget, cell, output; GRU reset,
// update, new. The part that doesn't depend on the state is one product over the whole sequence,
// outside the loop. `reverse` scans from the last element; results keep the order of x.

// the input's part of a cell's gates
op gate_inputs<T: float>(x: T[..N, I], w_ih: T[G, I], b_ih: T[G]?) -> (y: T[..N, G]) {
    y[..n, g] = (sum[i] x[..n, i] * w_ih[g, i]) + (b_ih[g] else 0)
}

// ---- Hochreiter and Schmidhuber, 1997, with the forget gate of Gers et al., 2000
// one step of an LSTM; z is what the input adds to the gates
op lstm_step<T: float>(z: T[B, 4 * H], h: T[B, H], c: T[B, H], w_hh: T[4 * H, H], b_hh: T[4 * H]?)
    -> (h1: T[B, H], c1: T[B, H])
{
    a[n, (g, j)]: T[B, 4 * H] = z[n, (g, j)]
        + (sum[k] h[n, k] * w_hh[(g, j), k])
        + (b_hh[(g, j)] else 0)
    c1[n, j] = sigmoid(a[n, (1, j)]) * c[n, j] + sigmoid(a[n, (0, j)]) * tanh(a[n, (2, j)])
    h1[n, j] = sigmoid(a[n, (3, j)]) * tanh(c1[n, j])
}
// one step of an LSTM
op lstm_cell<T: float>(x: T[B, I], h: T[B, H], c: T[B, H], w_ih: T[4 * H, I], w_hh: T[4 * H, H],
        b_ih: T[4 * H]?, b_hh: T[4 * H]?) -> (h1: T[B, H], c1: T[B, H])
{
    z = gate_inputs(x, w_ih, b_ih)
    h1, c1 = lstm_step(z, h, c, w_hh, b_hh)
}
// an LSTM over a sequence
op lstm<T: float>(x: T[S, B, I], h0: T[B, H], c0: T[B, H], w_ih: T[4 * H, I], w_hh: T[4 * H, H],
        b_ih: T[4 * H]?, b_hh: T[4 * H]?, reverse: bool = false)
    -> (y: T[S, B, H], h: T[B, H], c: T[B, H])
{
    z = gate_inputs(x, w_ih, b_ih)
    if reverse { u = flip(z, axes = [0]) } else { u = z }
    h, c, ys = loop t in 0..S carry (ht = h0, ct = c0) {
        ut[n, g] = u[t, n, g]
        h1, c1 = lstm_step(ut, ht, ct, w_hh, b_hh)
        next ht = h1, ct = c1
        emit h1
    }
    if reverse { y = flip(ys, axes = [0]) } else { y = ys }
}

// ---- Cho et al., 2014
// one step of a gated recurrent unit; z is what the input adds to the gates.
// The reset gate acts on the state's product if `reset_after`, as in PyTorch, else on the state.
op gru_step<T: float>(z: T[B, 3 * H], h: T[B, H], w_hh: T[3 * H, H], b_hh: T[3 * H]?,
        reset_after: bool = true) -> (h1: T[B, H])
{
    a[n, (g, j)]: T[B, 3 * H] = (sum[k] h[n, k] * w_hh[(g, j), k]) + (b_hh[(g, j)] else 0)
    r[n, j] = sigmoid(z[n, (0, j)] + a[n, (0, j)])
    u[n, j] = sigmoid(z[n, (1, j)] + a[n, (1, j)])
    if reset_after {
        m[n, j] = tanh(z[n, (2, j)] + r[n, j] * a[n, (2, j)])
    } else {
        m[n, j] = tanh(z[n, (2, j)]
                + (sum[k] r[n, k] * h[n, k] * w_hh[(2, j), k])
                + (b_hh[(2, j)] else 0))
    }
    h1[n, j] = (1 - u[n, j]) * m[n, j] + u[n, j] * h[n, j]
}
// one step of a gated recurrent unit
op gru_cell<T: float>(x: T[B, I], h: T[B, H], w_ih: T[3 * H, I], w_hh: T[3 * H, H], b_ih: T[3 * H]?,
        b_hh: T[3 * H]?, reset_after: bool = true) -> (h1: T[B, H])
{
    z = gate_inputs(x, w_ih, b_ih)
    h1 = gru_step(z, h, w_hh, b_hh, reset_after = reset_after)
}
// a gated recurrent unit over a sequence
op gru<T: float>(x: T[S, B, I], h0: T[B, H], w_ih: T[3 * H, I], w_hh: T[3 * H, H], b_ih: T[3 * H]?,
        b_hh: T[3 * H]?, reset_after: bool = true, reverse: bool = false)
    -> (y: T[S, B, H], h: T[B, H])
{
    z = gate_inputs(x, w_ih, b_ih)
    if reverse { u = flip(z, axes = [0]) } else { u = z }
    h, ys = loop t in 0..S carry (ht = h0) {
        ut[n, g] = u[t, n, g]
        h1 = gru_step(ut, ht, w_hh, b_hh, reset_after = reset_after)
        next ht = h1
        emit h1
    }
    if reverse { y = flip(ys, axes = [0]) } else { y = ys }
}

// ---- Elman, 1990
// one step of a plain recurrent network; z is what the input adds
op rnn_step<T: float>(z: T[B, H], h: T[B, H], w_hh: T[H, H], b_hh: T[H]?,
        nonlinearity: "tanh" | "relu" = "tanh") -> (h1: T[B, H])
{
    a[n, j] = z[n, j] + (sum[k] h[n, k] * w_hh[j, k]) + (b_hh[j] else 0)
    if nonlinearity == "tanh" { h1[n, j] = tanh(a[n, j]) } else { h1[n, j] = max(a[n, j], 0) }
}
// one step of a plain recurrent network
op rnn_cell<T: float>(x: T[B, I], h: T[B, H], w_ih: T[H, I], w_hh: T[H, H], b_ih: T[H]?,
        b_hh: T[H]?, nonlinearity: "tanh" | "relu" = "tanh") -> (h1: T[B, H])
{
    z = gate_inputs(x, w_ih, b_ih)
    h1 = rnn_step(z, h, w_hh, b_hh, nonlinearity = nonlinearity)
}
// a plain recurrent network over a sequence
op rnn<T: float>(x: T[S, B, I], h0: T[B, H], w_ih: T[H, I], w_hh: T[H, H], b_ih: T[H]?, b_hh: T[H]?,
        nonlinearity: "tanh" | "relu" = "tanh", reverse: bool = false)
    -> (y: T[S, B, H], h: T[B, H])
{
    z = gate_inputs(x, w_ih, b_ih)
    if reverse { u = flip(z, axes = [0]) } else { u = z }
    h, ys = loop t in 0..S carry (ht = h0) {
        ut[n, g] = u[t, n, g]
        h1 = rnn_step(ut, ht, w_hh, b_hh, nonlinearity = nonlinearity)
        next ht = h1
        emit h1
    }
    if reverse { y = flip(ys, axes = [0]) } else { y = ys }
}
