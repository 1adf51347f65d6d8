mg 1
// made by make_cases.py
graph padding(x0: f32[1, 8, 6, 5],
    x1: f32[8, 1, 3, 3],
    x2: f32[1, 6, 5, 8],
    x3: f32[1, 1, 6, 5])
-> (channels_first: f32[1, 8, 6, 5],
    channels_last: f32[1, 6, 5, 8],
    products: f32[1, 8, 6, 5])
{
    channels_first = conv(x0, x1, groups = 8, pad = 1)
    channels_last = transpose(conv(transpose(x2, perm = [0, 3, 1, 2]), x1, groups = 8, pad = 1), perm = [0, 2, 3, 1])
    products = conv(x3, x1, pad = 1)
}
