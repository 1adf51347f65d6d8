// The graphs of `tests/bench/run symbolic`. It runs each with open dimensions, and compiled for the
// sizes in the table of symbolic.c. Weights are made once, in the first run.
mg 1

op made(rows: int, columns: int) -> (w: f32[rows, columns]) {
    w[i, j] = sin(f32(7 * i + 3 * j)) / sqrt(f32(columns))
}
op filters(outputs: int, inputs: int, size: int) -> (w: f32[outputs, inputs, size, size]) {
    w[f, c, r, s] = sin(f32(7 * f + 5 * c + 3 * r + 2 * s)) / sqrt(f32(inputs * size * size))
}
op line(n: int) -> (b: f32[n]) { b[i] = cos(f32(i)) }

// one operand kept
graph matmul_kept(x: f32[M, 512]) -> (y: f32[M, 512]) {
    y = linear(x, made(rows = 512, columns = 512), line(n = 512))
}

// all sizes open
graph matmul_open(a: f32[M, K], b: f32[K, N]) -> (y: f32[M, N]) { y = matmul(a, b) }

graph matmul_batch(a: f32[B, M, 64], b: f32[B, 64, N]) -> (y: f32[B, M, N]) { y = matmul(a, b) }

graph linear_softmax(x: f32[B, 64]) -> (y: f32[B, 1000]) {
    y = softmax(linear(x, made(rows = 1000, columns = 64), line(n = 1000)))
}

graph layers(x: f32[B, 128]) -> (y: f32[B, 10]) {
    a = relu(linear(x, made(rows = 256, columns = 128), line(n = 256)))
    b = relu(linear(a, made(rows = 256, columns = 256), line(n = 256)))
    y = softmax(linear(b, made(rows = 10, columns = 256), line(n = 10)))
}

graph convolutions_batch(x: f32[B, 3, 32, 32]) -> (y: f32[B, 64, 8, 8]) {
    a = max_pool2d(relu(conv2d(x, filters(outputs = 32, inputs = 3, size = 3), line(n = 32),
                pad = 1)), kernel = 2)
    b = relu(conv2d(a, filters(outputs = 64, inputs = 32, size = 3), line(n = 64), pad = 1))
    y = max_pool2d(relu(conv2d(b, filters(outputs = 64, inputs = 64, size = 1), line(n = 64))),
        kernel = 2)
}

graph convolutions_size(x: f32[1, 3, H, W]) -> (y: f32[1, 64, H, W]) {
    a = relu(conv2d(x, filters(outputs = 32, inputs = 3, size = 3), line(n = 32), pad = 1))
    b = relu(conv2d(a, filters(outputs = 64, inputs = 32, size = 3), line(n = 64), pad = 1))
    y = relu(conv2d(b, filters(outputs = 64, inputs = 64, size = 1), line(n = 64)))
}

graph strided_size(x: f32[1, 32, 2 * H, 2 * W]) -> (y: f32[1, 64, H, W]) {
    y = relu(conv2d(x, filters(outputs = 64, inputs = 32, size = 3), line(n = 64), pad = 1,
            stride = 2))
}

graph depthwise_size(x: f32[1, 64, H, W]) -> (y: f32[1, 64, H, W]) {
    a = relu(conv2d(x, filters(outputs = 64, inputs = 1, size = 3), line(n = 64), pad = 1,
            groups = 64))
    y = conv2d(a, filters(outputs = 64, inputs = 64, size = 1), line(n = 64))
}

graph pool_size(x: f32[1, 64, 2 * H, 2 * W]) -> (y: f32[1, 64, H, W]) {
    y = max_pool2d(x, kernel = 2)
}

// windows that share elements
graph pool_over(x: f32[1, 64, 2 * H, 2 * W]) -> (y: f32[1, 64, H, W]) {
    y = max_pool2d(x, kernel = 3, stride = 2, pad = 1)
}

// at -O3 by Winograd's algorithm
graph winograd_batch(x: f32[B, 64, 28, 28]) -> (y: f32[B, 64, 28, 28]) {
    y = relu(conv2d(x, filters(outputs = 64, inputs = 64, size = 3), line(n = 64), pad = 1))
}

graph winograd_size(x: f32[1, 64, H, W]) -> (y: f32[1, 64, H, W]) {
    y = relu(conv2d(x, filters(outputs = 64, inputs = 64, size = 3), line(n = 64), pad = 1))
}

graph attention_length(q: f32[1, 4, S, 64], k: f32[1, 4, S, 64], v: f32[1, 4, S, 64])
    -> (y: f32[1, 4, S, 64])
{
    y = attention(q, k, v)
}

graph transformer(x: f32[1, S, 256]) -> (y: f32[1, S, 256]) {
    u = layer_norm(x, line(n = 256), line(n = 256))
    q = split_heads(linear(u, made(rows = 256, columns = 256)), heads = 4)
    k = split_heads(linear(u, made(rows = 256, columns = 256)), heads = 4)
    v = split_heads(linear(u, made(rows = 256, columns = 256)), heads = 4)
    a = add(x,
        linear(merge_heads(attention(q, k, v, causal = true)), made(rows = 256, columns = 256)))
    n = layer_norm(a, line(n = 256), line(n = 256))
    h = gelu(linear(n, made(rows = 1024, columns = 256), line(n = 1024)))
    y = add(a, linear(h, made(rows = 256, columns = 1024), line(n = 256)))
}

graph softmax_rows(x: f32[B, D]) -> (y: f32[B, D]) { y = softmax(x) }

graph layer_norm_rows(x: f32[B, 512], w: f32[512], b: f32[512]) -> (y: f32[B, 512]) {
    y = layer_norm(x, w, b)
}

graph layer_norm_width(x: f32[B, D], w: f32[D], b: f32[D]) -> (y: f32[B, D]) {
    y = layer_norm(x, w, b)
}

graph chain(x: f32[N]) -> (y: f32[N]) { y = gelu(x * 1.5 + 0.25) * sigmoid(x) }

graph chain_image(x: f32[B, C, H, W], s: f32[C]) -> (y: f32[B, C, H, W]) {
    y[b, c, i, j] = max(x[b, c, i, j] * s[c] + 1, 0)
}

graph sums(x: f32[B, D]) -> (y: f32[B]) { y[i] = sum[j] x[i, j] * x[i, j] }

graph columns(x: f32[B, D]) -> (y: f32[D]) { y[j] = sum[i] x[i, j] }

// one row
graph softmax_one(x: f32[N]) -> (y: f32[N]) { y = softmax(x) }

graph variance_one(x: f32[N]) -> (y: f32[]) { y = variance(x, axes = [0]) }

graph sum_one(x: f32[N]) -> (y: f32[]) { y[] = sum[i] x[i] * x[i] }

graph transposed(x: f32[M, N]) -> (y: f32[N, M]) { y[j, i] = x[i, j] }

graph heads(x: f32[B, S, 256]) -> (y: f32[B, 4, S, 64]) { y = split_heads(x, heads = 4) }

graph gathered(x: f32[N, 256], ids: i64[S]) -> (y: f32[S, 256]) {
    require N > 0
    y[s, j] = x[ids[s], j] else 0
}
