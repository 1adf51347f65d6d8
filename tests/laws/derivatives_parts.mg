mg 1
// Equations and loops for derivatives.sh that read parts of values: with steps, by slices, trip by
// trip.
graph parts(image: f32[2, 2, 7, 8], filter: f32[3, 2, 3, 4], row: f32[1, 2, 19], taps: f32[2, 2, 3],
        x: f32[2, 12], seq: f32[5, 2, 3], w_ih: f32[8, 3], w_hh: f32[8, 2], b: f32[8],
        h0: f32[2, 2], v: f32[8, 3], w: f32[3, 3], s: f32[5], kernel: f32[2, 2, 4])
    -> (stepped, thirds, apart, pooled, averaged, turned, halves, overlapping, joined, reverse,
        states, reset, trips, batches, nested, shared)
{
    stepped = conv2d(image, filter, pad = 1, stride = 2)
    thirds = conv(row, taps, pad = 2, stride = 3, dilation = 2)
    apart = conv(row, taps, pad = 1, stride = 4, dilation = 2)
    pooled = max_pool(image, kernel = 3, stride = 2, pad = 1)
    averaged = avg_pool(image, kernel = 3, stride = 2, pad = 1)
    turned = conv_transpose(row, kernel, stride = 2, pad = 1)
    halves[i, j in 0..6] = x[i, j] * sigmoid(x[i, j + 6]) + x[i, 11 - j] * x[i, 3]
    overlapping[i, j in 0..4] = tanh(x[i, j + 1]) * x[i, j + 5] * x[i, 2 * j + 1]
    front[i, j in 0..3] = x[i, j + 1]
    back[i, j in 0..4] = x[i, j + 5]
    joined = concat(back, x, front, axis = 1)
    reverse, last_h, last_c = lstm(seq, h0, h0, w_ih, w_hh, b, b, reverse = true)
    w3[g in 0..6, k] = w_hh[g, k]
    v3[g in 0..6, k] = v[g, k]
    b3[g in 0..6] = b[g]
    states, final = gru(seq, h0, v3, w3, b3, b3)
    reset, final_reset = gru(seq, h0, v3, w3, b3, b3, reset_after = false)
    start[j in 0..3]: f32[3] = 0.5
    end, trips = loop t in 1..5 carry (h = start) {
        a[j] = tanh(v[t, j] + (sum[k] w[j, k] * h[k]) * s[4 - t] + v[t + 2, j] * s[0])
        n[j] = a[j] * w[j, j] + h[2 - j]
        next h = n
        emit a
    }
    zero[]: f32[] = 0
    batches = loop i in 0..4 carry (sum_so_far = zero) {
        l[] = sum[r in 0..2, k] tanh(sum[j] v[i * 2 + r, j] * w[j, k])
        next sum_so_far = add(sum_so_far, l)
    }
    nested = loop t in 0..4 carry (h = start) {
        g = loop k in 0..2 carry (q = h) {
            a[j] = tanh(v[t, j] + (sum[i] w[j, i] * q[i]) + v[k, j])
            next q = a
        }
        next h = g
    }
    shared = loop t in 0..3 carry (h = start) {
        wide[j in 0..6] = where(j < 3, h[j % 3], 1) * v[t, j % 3]
        a[j in 0..3] = wide[j] * wide[j + 3] + h[0]
        next h = a
    }
}
