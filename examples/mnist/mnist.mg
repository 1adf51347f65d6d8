mg 1
import nn
import optim

// Two convolutions and two linear layers for handwritten digits of 28 x 28 pixels.
layer mnist_net(images: u8[N, 28, 28]) -> (logits: f32[N, 10]) {
    ink[n, c in 0..1, i, j] = f32(images[n, i, j]) / 255
    conv1 = nn.conv2d(ink, channels = 16, kernel = 5, pad = 2)
    p1 = max_pool2d(relu(conv1), kernel = 2)
    conv2 = nn.conv2d(p1, channels = 32, kernel = 5, pad = 2)
    p2 = max_pool2d(relu(conv2), kernel = 2)
    fc1 = nn.linear(flatten(p2, from = 1), features = 128)
    a3 = nn.dropout(relu(fc1), ratio = 0.4)
    fc2 = nn.linear(a3, features = 10)
    logits = fc2
}
op share_of_right(logits: f32[N, 10], labels: u8[N]) -> (accuracy: f32[]) {
    class = argmax(logits, axis = 1)
    accuracy[] = mean[n] where(class[n] == i64(labels[n]), f32(1), 0)
}

// Takes one step of AdamW on a batch.
graph step(images: u8[N, 28, 28], labels: u8[N], step: i64[], seed: u64[])
    -> (loss: f32[], accuracy: f32[])
    training seed
{
    param net: mnist_net()
    logits = net(images)
    loss, logs = cross_entropy(logits, labels)
    accuracy = share_of_right(logits, labels)
    lr = optim.warmup_cosine(step, peak = 0.002, warmup = 50, steps = 1400)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}

// Measures the net on images that it was not trained on.
graph validate(images: u8[N, 28, 28], labels: u8[N]) -> (loss: f32[], accuracy: f32[]) {
    param net: mnist_net()
    logits = net(images)
    loss, logs = cross_entropy(logits, labels)
    accuracy = share_of_right(logits, labels)
}
