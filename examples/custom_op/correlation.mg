mg 1

// Compares two feature maps under every displacement of up to `radius` (Dosovitskiy et al.,
// FlowNet, 2015): channel (p, q) of the result compares each place of a with the place of b that
// lies p - radius below and q - radius to the right.
op correlation<T: float>(a: T[N, C, H, W], b: T[N, C, H, W], radius: int)
    -> (y: T[N, (2 * radius + 1) * (2 * radius + 1), H, W])
{
    y[n, (p, q), i, j] = mean[c] a[n, c, i, j] * (b[n, c, i + p - radius, j + q - radius] else 0)
}

// Moves every image one pixel down and two to the left, and finds that displacement by correlation.
graph find_shift(images: u8[N, 8, 8]) -> (down: i64[], right: i64[]) {
    a[n, c in 0..1, i, j] = f32(images[n, i, j]) / 16
    b[n, c in 0..1, i in 0..8, j in 0..8]: f32[N, 1, 8, 8] = a[n, c, i - 1, j + 2] else 0
    v = correlation(a, b, radius = 2)
    total[k] = sum[n, i, j] v[n, k, i, j]
    best[] = argmax[k] total[k]
    down[] = best[] / 5 - 2
    right[] = best[] % 5 - 2
}
