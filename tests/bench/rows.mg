mg 1
// Memory-bound graphs, each of which rows.c times against memcpy of the same bytes. Integer inputs are places in the
// first axis of the input before them.

// ---------------------------------------------------------------- rows
graph chain(x: f32[67108864], a: f32[], b: f32[]) -> (y: f32[67108864]) {
    y = gelu(x * a + b) * sigmoid(x)
}
graph softmax_rows(x: f32[65536, 1024]) -> (y: f32[65536, 1024]) { y = softmax(x) }
graph layer_norm_rows(x: f32[65536, 1024], w: f32[1024], b: f32[1024]) -> (y: f32[65536, 1024]) {
    y = layer_norm(x, w, b)
}

// ---------------------------------------------------------------- moves
graph add_two(x: f32[16777216], y: f32[16777216]) -> (z: f32[16777216]) { z = x + y }
graph bias_relu(x: f32[16384, 1024], b: f32[1024]) -> (y: f32[16384, 1024]) { y = relu(x + b) }
graph to_half(x: f32[33554432]) -> (y: f16[33554432]) { y = cast(x, to = f16) }
graph sum_all(x: f32[33554432]) -> (y: f32[]) { y = sum(x) }
graph max_all(x: f32[33554432]) -> (y: f32[]) { y = max(x) }
graph argmax_all(x: f32[33554432]) -> (y: i64[]) { y = argmax(x) }
graph norm_all(x: f32[4096, 8192]) -> (y: f32[]) { y = norm2(x) }
graph sum_rows(x: f32[32768, 1024]) -> (y: f32[32768]) { y = sum(x, axes = [1]) }
graph argmax_rows(x: f32[32768, 1024]) -> (y: i64[32768]) { y = argmax(x) }
graph sum_columns(x: f32[32768, 1024]) -> (y: f32[1024]) { y = sum(x, axes = [0]) }
graph softmax_long(x: f32[4, 8388608]) -> (y: f32[4, 8388608]) { y = softmax(x) }
graph softmax_one(x: f32[33554432]) -> (y: f32[33554432]) { y = softmax(x) }
graph norm_long(x: f32[64, 524288]) -> (y: f32[64, 524288]) { y = layer_norm(x) }
graph batch_norms(x: f32[64, 64, 56, 56], m: f32[64], v: f32[64]) -> (y: f32[64, 64, 56, 56]) {
    y = batch_norm(x, m, v)
}
graph transpose_even(x: f32[4096, 4096]) -> (y: f32[4096, 4096]) { y = transpose(x, perm = [1, 0]) }
graph transpose_odd(x: f32[4001, 4003]) -> (y: f32[4003, 4001]) {
    y = transpose(x, perm = [1, 0])
}
graph channels_last(x: f32[32, 64, 56, 56]) -> (y: f32[32, 56, 56, 64]) {
    y = transpose(x, perm = [0, 2, 3, 1])
}
graph channels_first(x: f32[32, 56, 56, 64]) -> (y: f32[32, 64, 56, 56]) {
    y = transpose(x, perm = [0, 3, 1, 2])
}
graph heads(x: f32[32, 512, 768]) -> (y: f32[32, 12, 512, 64]) { y = split_heads(x, heads = 12) }
graph keys(x: f32[32, 512, 768]) -> (y: f32[32, 12, 64, 512]) {
    y = swap_axes(split_heads(x, heads = 12))
}
graph max_pool_2(x: f32[32, 64, 112, 112]) -> (y: f32[32, 64, 56, 56]) {
    y = max_pool(x, kernel = [2, 2], stride = [2, 2])
}
graph max_pool_3(x: f32[32, 64, 112, 112]) -> (y: f32[32, 64, 56, 56]) {
    y = max_pool(x, kernel = [3, 3], stride = [2, 2], pad = [1, 1])
}
graph average_pool_3(x: f32[32, 64, 56, 56]) -> (y: f32[32, 64, 56, 56]) {
    y = avg_pool(x, kernel = [3, 3], stride = [1, 1], pad = [1, 1])
}
graph global_pool(x: f32[256, 2048, 7, 7]) -> (y: f32[256, 2048]) { y = mean(x, axes = [2, 3]) }
graph gather_rows(x: f32[32000, 768], ids: i64[32768]) -> (y: f32[32768, 768]) {
    y = gather(x, ids)
}
graph gather_columns(x: f32[4096, 4096], ids: i64[2048]) -> (y: f32[4096, 2048]) {
    y = gather(x, ids, axis = 1)
}
graph join(x: f32[64, 128, 28, 28], y: f32[64, 128, 28, 28]) -> (z: f32[64, 256, 28, 28]) {
    z = concat(x, y, axis = 1)
}
graph padded(x: f32[32, 64, 56, 56]) -> (y: f32[32, 64, 58, 58]) {
    y = pad(x, before = [0, 0, 1, 1])
}
graph upsample(x: f32[32, 64, 56, 56]) -> (y: f32[32, 64, 112, 112]) {
    y = upsample2d(x, scale = 2)
}
graph shuffle(x: f32[64, 240, 28, 28]) -> (y: f32[64, 240, 28, 28]) {
    y = channel_shuffle(x, groups = 3)
}
graph running_sum(x: f32[16384, 1024]) -> (y: f32[16384, 1024]) { y = cumsum(x) }
