mg 1
import optim
import "../../../examples/digits/digits.mg" as digits

// examples/digits without its random moves
graph step(images: u8[N, 8, 8], labels: u8[N], lr: f32[], seed: u64[]) -> (loss: f32[])
    training seed
{
    param net: digits.digits_net()
    x[n, c in 0..1, i, j] = f32(images[n, i, j]) / 16
    loss, logs = cross_entropy(net(x), labels)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}
