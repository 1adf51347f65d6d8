mg 1
// made by make_cases.py
graph symbolic(x0: f32[B, S, D],
    x1: f32[D],
    x2: f32[S, 1],
    x3: f32[B, D, 2*H],
    x4: f32[2*H, D],
    x5: f32[B, 2, 2*H, W],
    x6: f32[4, 2, 3, 3],
    x7: f32[2, 4, 2, 2],
    x8: f32[2],
    x9: f32[2],
    x10: i64[2],
    x11: f32[1, 2, S, 4],
    x12: f32[1, 2, D, 4],
    x13: f32[S, B, D],
    x14: f32[B, 4],
    x15: f32[16, D],
    x16: f32[16, 4],
    x17: f32[16],
    x18: f32[16])
-> (add: f32[B, S, D],
    stretched: f32[B, S, D],
    total: f32[],
    middle: f32[B, D],
    kept: f32[1, S, 1],
    soft: f32[B, S, D],
    normed: f32[B, S, D],
    largest: i64[B, S],
    running: f32[B, S, D],
    product: f32[B, S, 2*H],
    linear: f32[B, S, 2*H],
    turned: f32[D, B, S],
    joined: f32[B, 2*S, D],
    flat: f32[B, S*D],
    merged: f32[B*S, D],
    reversed: f32[B, S, D],
    tail: f32[B, S - min(S, 1), D],
    last_eight: f32[B, S - max(0, S - 8), D],
    none_of_it: f32[B, min(S, 30) - min(S, 20), D],
    inner: f32[B, max(0, max(0, S - 1) - min(S, 1)), D],
    back_from_beyond: f32[B, min(S - 1, 20) - (min(S - 1, 1) + min(S - 1, 20)) / 2, D],
    odd: f32[B, S, (D + 1) / 2],
    padded: f32[B, S + 1, D + 3],
    tiled: f32[B, 2*S, D],
    image: f32[B, 4, 2*H, W],
    strided: f32[B, 4, H, (W + 1) / 2],
    pooled: f32[B, 2, H, W / 2],
    grown: f32[B, 4, 4*H, 2*W],
    channels: f32[B, 2, 2*H, W],
    picked: f32[B, 2, D],
    attended: f32[1, 2, S, 4],
    sorted: f32[B, S, D],
    scanned_0: f32[S, B, 4],
    scanned_1: f32[B, 4],
    scanned_2: f32[B, 4])
{
    add = add(x0, x1)
    stretched = mul(x0, x2)
    total = sum(x0)
    middle = mean(x0, axes = [1])
    kept = max(x0, axes = [0, 2], keepdims = true)
    soft = softmax(x0, axis = 1)
    normed = layer_norm(x0, x1)
    largest = argmax(x0, axis = -1)
    running = cumsum(x0, axis = 1, reverse = true)
    product = matmul(x0, x3)
    linear = linear(x0, x4)
    turned = transpose(x0, perm = [2, 0, 1])
    joined = concat(x0, x0, axis = 1)
    flat = flatten(x0)
    merged[(b, s), d] = x0[b, s, d]
    reversed = flip(x0, axes = [1])
    tail = slice(x0, axis = 1, start = 1)
    last_eight = slice(x0, axis = 1, start = -8)
    none_of_it = slice(x0, axis = 1, start = 20, stop = 30)
    inner = slice(x0, axis = 1, start = 1, stop = -1)
    back_from_beyond = slice(x0, axis = 1, start = 20, stop = 1, step = -2)
    odd = slice(x0, axis = 2, step = 2)
    padded = pad(x0, before = [0, 1, 2], after = [0, 0, 1])
    tiled = tile(x0, times = [1, 2, 1])
    image = conv(x5, x6, pad = 1)
    strided = conv(x5, x6, pad = 1, stride = 2)
    pooled = max_pool(x5, kernel = 2)
    grown = conv_transpose(x5, x7, stride = 2)
    channels = batch_norm(x5, x8, x9)
    picked = gather(x0, x10, axis = 1)
    attended = attention(x11, x12, x12)
    sorted = sort(x0)
    scanned_0, scanned_1, scanned_2 = lstm(x13, x14, x14, x15, x16, x17, x18)
}
