mg 1
import nn
import optim

layer mlp(x: f32[N, 784]) -> (logits) {
    param first: nn.linear(features = 512)
    param second: nn.linear(features = 512)
    param third: nn.linear(features = 10)
    logits = third(relu(second(relu(first(x)))))
}
graph step(images: f32[N, 784], labels: u8[N], lr: f32[]) -> (loss: f32[]) {
    param net: mlp()
    loss, logs = cross_entropy(net(images), labels)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}
