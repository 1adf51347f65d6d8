mg 1
import nn
import optim
import "digits.mg" as digits

// Scales each pixel's ink to a number from 0 to 1.
op ink(images: u8[N, 8, 8]) -> (x: f32[N, 1, 8, 8]) {
    x[n, c in 0..1, i, j] = f32(images[n, i, j]) / 16
}
op share_of_right(logits: f32[N, 10], labels: u8[N]) -> (accuracy: f32[]) {
    class = argmax(logits, axis = 1)
    accuracy[] = mean[n] where(class[n] == i64(labels[n]), f32(1), 0)
}
// Moves each image by up to one pixel, rotates it by up to 12 degrees and scales it by up to a tenth.
op jitter(x: f32[N, 1, 8, 8], seed: u64[]) -> (y: f32[N, 1, 8, 8]) {
    u = random_uniform(seed, shape = [N, 4], low = -1.0)
    scale[n] = 1 + 0.1 * u[n, 0]
    a[n] = scale[n] * cos(0.21 * u[n, 1])
    b[n] = scale[n] * sin(0.21 * u[n, 1])
    row[n, i in 0..8, j in 0..8] = a[n] * (f32(i) - 3.5) - b[n] * (f32(j) - 3.5) + u[n, 2] + 3.5
    column[n, i in 0..8, j in 0..8] = b[n] * (f32(i) - 3.5) + a[n] * (f32(j) - 3.5) + u[n, 3] + 3.5
    // Each pixel is the sum of its neighbours, weighted by how near they are.
    y[n, c, i, j]: f32[N, 1, 8, 8] = sum[p in 0..8, q in 0..8] x[n, c, p, q]
        * max(0, 1 - abs(row[n, i, j] - f32(p)))
        * max(0, 1 - abs(column[n, i, j] - f32(q)))
}

// Takes one step of AdamW on a batch. The rate rises for 50 steps and falls to 0 like a cosine.
graph step(images: u8[N, 8, 8], labels: u8[N], step: u64[], seed: u64[])
    -> (loss: f32[], accuracy: f32[])
    training seed
{
    param net: digits.digits_net()
    logits = net(jitter(ink(images), draw()))
    loss, logs = cross_entropy(logits, labels)
    accuracy = share_of_right(logits, labels)
    lr = optim.warmup_cosine(step, peak = 0.003, warmup = 50, steps = 2400)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}

// Measures the net on images that it was not trained on.
graph validate(images: u8[N, 8, 8], labels: u8[N]) -> (loss: f32[], accuracy: f32[]) {
    param net: digits.digits_net()
    logits = net(ink(images))
    loss, logs = cross_entropy(logits, labels)
    accuracy = share_of_right(logits, labels)
}
