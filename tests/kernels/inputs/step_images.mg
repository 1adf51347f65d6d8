mg 1
import nn
import optim
// A step of training a small convolutional net, with a strided convolution, batch normalisation and dropout.
layer net(x: f32[B, 2, H, W]) -> (logits) {
    param conv1: nn.conv2d(channels = 8, kernel = 3, pad = 1, biased = false)
    param norm1: nn.batch_norm()
    param conv2: nn.conv2d(channels = 12, kernel = 3, stride = 2, pad = 1)
    param drop: nn.dropout(ratio = 0.3)
    param head: nn.linear(features = 4)
    y = relu(norm1(conv1(x)))
    z = max_pool2d(relu(conv2(y)), kernel = [2, 2])
    logits = head(drop(flatten(z)))
}
graph step(images: f32[3, 2, 12, 12], lr: f32[], seed: u64[]) -> (loss: f32[])
    training seed
{
    param net: net()
    labels[b in 0..3]: i64[3] = b
    loss, logs = cross_entropy(net(images), labels)
    for w in net {
        u = optim.sgd(w, derivative(loss, w), lr, momentum = 0.9)
        next w = u
    }
}
