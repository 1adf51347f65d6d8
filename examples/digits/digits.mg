mg 1
import nn

// Two convolutions and two linear layers for handwritten digits of 8 x 8 pixels, with ink from 0
// to 16. The names of layers and parameters, joined by dots, are the keys in the weights file:
// net.conv1.weight, net.fc2.bias, ….
layer digits_net(image: f32[N, 1, 8, 8]) -> (logits: f32[N, 10]) {
    conv1 = nn.conv2d(image, channels = 16, kernel = 3, pad = 1)
    a1 = relu(conv1)
    conv2 = nn.conv2d(a1, channels = 32, kernel = 3, pad = 1)
    p2 = max_pool2d(relu(conv2), kernel = 2)
    fc1 = nn.linear(flatten(p2, from = 1), features = 64)
    a3 = nn.dropout(relu(fc1), ratio = 0.3)
    fc2 = nn.linear(a3, features = 10)
    logits = fc2
}

graph digits(images: u8[N, 8, 8]) -> (probability: f32[N, 10])
    weights "digits.safetensors"
{
    param net: digits_net()
    x[n, c in 0..1, i, j] = f32(images[n, i, j]) / 16
    probability = softmax(net(x), axis = 1)
}

// Gives the share of the last 500 images that the net puts into the right class.
graph evaluate(images: u8[N, 8, 8], labels: u8[N]) -> (accuracy: f32[])
    weights "digits.safetensors"
    require N >= 500 : "500 images are held out for the test, the file has {N}"
{
    param net: digits_net()
    x[n in 0..500, c in 0..1, i, j] = f32(images[N - 500 + n, i, j]) / 16
    class = argmax(net(x), axis = 1)
    accuracy[] = mean[n] where(class[n] == i64(labels[N - 500 + n]), 1.0, 0.0)
}
