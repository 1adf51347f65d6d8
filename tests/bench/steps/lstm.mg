mg 1
import nn
import optim

layer reader(x: f32[S, B, I]) -> (logits) {
    param lstm: nn.lstm(hidden = 256)
    param head: nn.linear(features = 10)
    y, h, c = lstm(x)
    logits = head(h)
}
// A sample is a sequence of 100 vectors.
graph step(sequences: f32[B, 100, 64], labels: u8[B], lr: f32[]) -> (loss: f32[]) {
    param net: reader()
    x = transpose(sequences, perm = [1, 0, 2])
    loss, logs = cross_entropy(net(x), labels)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}
