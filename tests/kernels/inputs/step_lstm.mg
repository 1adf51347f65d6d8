mg 1
import nn
import optim
// A step of training a small LSTM, whose trips have many short calls.
layer reader(x: f32[S, B, I]) -> (logits) {
    param lstm: nn.lstm(hidden = 10)
    param head: nn.linear(features = 4)
    y, h, c = lstm(x)
    logits = head(h)
}
graph step(sequences: f32[5, 3, 6], lr: f32[]) -> (loss: f32[]) {
    param net: reader()
    labels[b in 0..3]: i64[3] = b
    loss, logs = cross_entropy(net(sequences), labels)
    total[]: f32[] = 0
    for w in net { total = add(total, optim.squares(derivative(loss, w))) }
    factor = optim.clip_factor(total, limit = 1.0)
    for w in net {
        u = optim.adamw(w, mul(derivative(loss, w), factor), lr)
        next w = u
    }
}
