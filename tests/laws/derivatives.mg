mg 1
// Equations for derivatives.sh that no operator of the library has.
graph derivatives(x: f32[5], w: f32[4, 5], v: f32[3, 4, 5], n: i64[3], c: bool[], v1: f32[1])
    -> (running, triangle, products, running_product, largest_pair, diagonal, strided, mirrored,
        tuple, picked, scattered, greatest, latest, multiplied, averaged, chosen, guarded, nested,
        states, branch, jacobian, second, through_loop, of_outer, nothing_after)
{
    running[i in 0..5] = sum[j in 0..i + 1] x[j] * x[j]
    triangle[] = sum[i in 0..4, j in i..5] w[i, j] * x[i] * x[j]
    products[k] = prod[i, j] v[k, i, j]
    running_product[i in 0..5] = prod[j in 0..i + 1] x[j]
    largest_pair[] = max[i in 0..5, j in 0..i + 1] x[i] * x[j]
    diagonal[i in 0..4] = w[i, i] * w[i, i]
    strided[o in 0..2] = sum[k in 0..2] x[2 * o + k] * x[4 - k - o]
    mirrored[i in 0..5] = x[4 - i] * x[i]
    tuple[(i in 0..4, j in 0..5)] = w[i, j] * x[j]
    nothing_after = cumsum(v1, axis = 0, exclusive = true, reverse = true)
    picked[a, j] = v[n[a], 1, j] * x[n[a] + 1]
    scattered[n[a]]: f32[4] else none = sum[a] v[a, 0, 1] * x[a + 1]
    base[i in 0..4]: f32[4] = w[i, 0]
    greatest[n[a]]: f32[4] = max[a, j in 0..5] v[a, 2, j] over base
    latest[n[a]]: f32[4] = last[a] v[a, 1, 1] * 2 over base
    multiplied[n[a]]: f32[4] = prod[a] v[a, 0, 2] over base
    averaged[i in 0..4] = mean[j in i..5] w[i, j]
    chosen[i] = where(x[i] > 0.5, sqrt(x[i] - 0.5), x[i] * x[i])
    guarded[i in 0..7] = ((x[i - 1] else x[0]) * 2) * (x[i] else 1)
    nested = loop t in 0..3 carry (a = x) {
        inner = loop s in 0..2 carry (b = a) {
            next b = tanh(add(b, x))
        }
        next a = mul(inner, a)
    }
    last_state, states = loop t in 0..4 carry (h = x) {
        step[j] = tanh((sum[k] w[t, k] * h[k]) + x[j])
        next h = step
        emit step
    }
    branch = if c {
        a[i] = x[i] * w[0, i]
        yield a
    } else {
        b[i] = exp(x[i])
        yield b
    }
    pair[k in 0..2] = x[k] * x[k + 1] * x[k + 2]
    jacobian = derivative(pair, x)
    total[] = sum[i] x[i] * x[i] * x[i] * x[i]
    once = derivative(total, x)
    second = derivative(once, x)
    through_loop = derivative(last_state, w, along = x)
    of_outer = derivative(running, x, along = mirrored)
}
