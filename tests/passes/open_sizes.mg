// Sizes known only at run time take the same schedules.
// RUN: %mgc --emit-kernels -O3 --graph=convolution %s | %FileCheck %s --check-prefix=FAST
// RUN: %mgc --emit-kernels -O2 --graph=convolution %s | %FileCheck %s --check-prefix=PLAIN
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
