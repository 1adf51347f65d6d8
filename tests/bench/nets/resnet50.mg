mg 1
import nn

// He et al., Deep Residual Learning for Image Recognition (2015): the net of 50 layers.
layer unit(x: f32[N, C, H, W], channels: int, kernel: int, stride: int = 1) -> (y) {
    param conv: nn.conv2d(channels = channels, kernel = kernel, stride = stride, pad = kernel / 2,
            biased = false)
    param norm: nn.batch_norm()
    y = norm(conv(x))
}
layer bottleneck(x: f32[N, C, H, W], width: int, stride: int = 1, project: bool = false) -> (y) {
    param reduce: unit(channels = width, kernel = 1)
    param spread: unit(channels = width, kernel = 3, stride = stride)
    param expand: unit(channels = 4 * width, kernel = 1)
    z = expand(relu(spread(relu(reduce(x)))))
    if project {
        param shortcut: unit(channels = 4 * width, kernel = 1, stride = stride)
        y = relu(add(z, shortcut(x)))
    } else {
        y = relu(add(z, x))
    }
}
graph resnet50(image: f32[1, 3, 224, 224]) -> (logits: f32[1, 1000])
    weights "resnet50.safetensors"
{
    param stem: unit(channels = 64, kernel = 7, stride = 2)
    param first[4]: bottleneck(project = true)
    param more2[2]: bottleneck(width = 64)
    param more3[3]: bottleneck(width = 128)
    param more4[5]: bottleneck(width = 256)
    param more5[2]: bottleneck(width = 512)
    x1 = max_pool2d(relu(stem(image)), kernel = 3, stride = 2, pad = 1)
    x2 = first[0](x1, width = 64)
    for i in 0..2 { x2 = more2[i](x2) }
    x3 = first[1](x2, width = 128, stride = 2)
    for i in 0..3 { x3 = more3[i](x3) }
    x4 = first[2](x3, width = 256, stride = 2)
    for i in 0..5 { x4 = more4[i](x4) }
    x5 = first[3](x4, width = 512, stride = 2)
    for i in 0..2 { x5 = more5[i](x5) }
    logits = nn.linear(flatten(global_avg_pool(x5), from = 1), features = 1000)
}
