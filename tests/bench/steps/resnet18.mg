mg 1
import optim
import "../../../examples/resnet_cifar/resnet.mg" as resnet

// examples/resnet_cifar without its random moves
graph step(images: f32[N, 3, 32, 32], labels: u8[N], lr: f32[], seed: u64[]) -> (loss: f32[])
    training seed
{
    param net: resnet.resnet18()
    loss, logs = cross_entropy(net(images), labels)
    for w in net {
        u = optim.sgd(w, derivative(loss, w), lr, momentum = 0.9)
        next w = u
    }
}
