// Sizes known only at run time take the same schedules.
// RUN: %mgc --emit-kernels -O3 --graph=convolution %s | %FileCheck %s --check-prefix=FAST
// RUN: %mgc --emit-kernels -O2 --graph=convolution %s | %FileCheck %s --check-prefix=PLAIN
// RUN: %mgc --emit-ir -O2 --graph=grouped %s | %FileCheck %s --check-prefix=GROUPED
// RUN: %mgc --emit-kernels -O2 --graph=strided %s | %FileCheck %s --check-prefix=STRIDED
mg 1

// Winograd's algorithm, by blocks with a limit on their tiles.
// FAST: kernel winograd
// At -O2 the ops after the sums are in their kernel, lines of the image are packed in place, and images follow one another, so that
// outputs are whole vectors.
// PLAIN: kernel contraction
// PLAIN: run: i64 = {{.*}}n / 
// PLAIN: f32<{{[0-9]+}}> = max(
// PLAIN: y[((((batch * 48) * H) * W) + ((m * H) * W)) + n0]<
// PLAIN-NOT: kernel elementwise
graph convolution(x: f32[N, 32, H, W]) -> (y: f32[N, 48, H, W]) {
    w[m in 0..48, k in 0..32, i in 0..3, j in 0..3]: f32[48, 32, 3, 3] = sin(f32(7 * m
                    + 3 * k
                    + 11 * i
                    + 5 * j))
    y = relu(conv2d(x, w, pad = 1))
}

// Every other pixel is taken out of whole vectors.
// STRIDED: permute<0 2 4 6
graph strided(x: f32[N, 32, 2 * H, 2 * W]) -> (y: f32[N, 48, H, W]) {
    w[m in 0..48, k in 0..32, i in 0..3, j in 0..3]: f32[48, 32, 3, 3] = sin(f32(7 * m
                    + 3 * k
                    + 11 * i
                    + 5 * j))
    y = conv2d(x, w, pad = 1, stride = 2)
}

// Each of two heads of keys and values serves three of queries. They are expanded after a cache of open length, whose sum is no single
// size, and are read where the cache has them.
// GROUPED: require {{past == before|before == past}}
// GROUPED-NOT: _line
// GROUPED: sum[d in 0..16] q[b, 3*{{[a-z0-9_]+}} + {{[a-z0-9_]+}}, i, d] * keys[b,
// GROUPED-NOT: _line
// GROUPED: #anchor("attention")
graph grouped(q: f32[B, 6, N, 16], k: f32[B, 2, N, 16], v: f32[B, 2, N, 16], k0: f32[B, 2, past, 16], v0: f32[B, 2, before, 16]) -> (y: f32[B, 6, N, 16], keys, values) {
    keys = concat(k0, k, axis = 2)
    values = concat(v0, v, axis = 2)
    every_k = reshape(expand(unsqueeze(keys, axes = [2]), shape = [B, 2, 3, past + N, 16]), shape = [B, 6, past + N, 16])
    every_v = reshape(expand(unsqueeze(values, axes = [2]), shape = [B, 2, 3, before + N, 16]), shape = [B, 6, before + N, 16])
    y = attention(q, every_k, every_v)
}
