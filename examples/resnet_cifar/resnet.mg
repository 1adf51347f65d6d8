mg 1
import nn
import optim

// ResNet-18 for images of 32 x 32: He et al., 2016, with a first filter of 3 x 3 and no pooling
// after it.
layer block(x: f32[N, C, H, W], channels: int, stride: int = 1) -> (y) {
    param conv1: nn.conv2d(channels = channels, kernel = 3, stride = stride, pad = 1,
        biased = false)
    param norm1: nn.batch_norm()
    param conv2: nn.conv2d(channels = channels, kernel = 3, pad = 1, biased = false)
    param norm2: nn.batch_norm()
    r = norm2(conv2(relu(norm1(conv1(x)))))
    if stride == 1 {
        y = relu(add(x, r))
    } else {
        param across: nn.conv2d(channels = channels, kernel = 1, stride = stride, biased = false)
        param norm: nn.batch_norm()
        y = relu(add(norm(across(x)), r))
    }
}
layer resnet18(x: f32[N, 3, 32, 32]) -> (logits) {
    param conv: nn.conv2d(channels = 64, kernel = 3, pad = 1, biased = false)
    param norm: nn.batch_norm()
    param a1: block(channels = 64)
    param a2: block(channels = 64)
    param b1: block(channels = 128, stride = 2)
    param b2: block(channels = 128)
    param c1: block(channels = 256, stride = 2)
    param c2: block(channels = 256)
    param d1: block(channels = 512, stride = 2)
    param d2: block(channels = 512)
    param head: nn.linear(features = 10)
    a = a2(a1(relu(norm(conv(x)))))
    y = d2(d1(c2(c1(b2(b1(a))))))
    pooled[n, c] = mean[i, j] y[n, c, i, j]
    logits = head(pooled)
}

// Scales colours to mean 0 and deviation 1 over all images of CIFAR-10.
op colours(images: u8[N, 3, 32, 32]) -> (x: f32[N, 3, 32, 32]) {
    x[n, c, i, j] = (f32(images[n, c, i, j]) / 255 - 0.473) / 0.251
}
// Moves each image by up to four pixels along both axes, and mirrors half of the images.
op jitter(x: f32[N, 3, 32, 32], seed: u64[]) -> (y: f32[N, 3, 32, 32]) {
    u = random_uniform(seed, shape = [N, 3])
    down[n] = i64(floor(9 * u[n, 0])) - 4
    right[n] = i64(floor(9 * u[n, 1])) - 4
    y[n, c, i in 0..32, j in 0..32] = x[n, c, i + down[n],
        where(u[n, 2] < 0.5, j, 31 - j) + right[n]] else 0
}
op share_of_right(logits: f32[N, 10], labels: u8[N]) -> (accuracy: f32[]) {
    class = argmax(logits, axis = 1)
    accuracy[] = mean[n] where(class[n] == i64(labels[n]), f32(1), 0)
}

// Takes one step of SGD with momentum. Weights decay, but not biases and the norms' parameters.
graph step(images: u8[N, 3, 32, 32], labels: u8[N], lr: f32[], seed: u64[])
    -> (loss: f32[], accuracy: f32[])
    training seed
{
    param net: resnet18()
    logits = net(jitter(colours(images), draw()))
    loss, logs = cross_entropy(logits, labels)
    accuracy = share_of_right(logits, labels)
    for w in net {
        if rank(w) > 1 {
            u = optim.sgd(w, derivative(loss, w), lr, momentum = 0.9, nesterov = true, decay = 5e-4)
        } else {
            u = optim.sgd(w, derivative(loss, w), lr, momentum = 0.9, nesterov = true)
        }
        next w = u
    }
}

// Measures the net on images that it was not trained on.
graph validate(images: u8[N, 3, 32, 32], labels: u8[N]) -> (loss: f32[], accuracy: f32[]) {
    param net: resnet18()
    logits = net(colours(images))
    loss, logs = cross_entropy(logits, labels)
    accuracy = share_of_right(logits, labels)
}
