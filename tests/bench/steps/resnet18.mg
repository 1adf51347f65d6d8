mg 1
import nn
import optim

// ResNet-18 for images of 32 x 32: He et al., 2016, with a first filter of 3 x 3 and no pooling after it
layer block(x: f32[N, C, H, W], channels: int, stride: int = 1) -> (y) {
    param conv1: nn.conv2d(channels = channels, kernel = 3, stride = stride, pad = 1, biased = false)
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
    y = d2(d1(c2(c1(b2(b1(a2(a1(relu(norm(conv(x)))))))))))
    pooled[n, c] = mean[i, j] y[n, c, i, j]
    logits = head(pooled)
}
graph step(images: f32[N, 3, 32, 32], labels: u8[N], lr: f32[], seed: u64[]) -> (loss: f32[])
    training seed
{
    param net: resnet18()
    loss, logs = cross_entropy(net(images), labels)
    for w in net {
        u = optim.sgd(w, derivative(loss, w), lr, momentum = 0.9)
        next w = u
    }
}
