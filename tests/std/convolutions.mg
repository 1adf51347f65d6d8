mg 1
// made by make_cases.py
graph convolutions(x0: f32[2, 3, 5, 6],
    x1: f32[4, 3, 3, 2],
    x2: f32[4],
    x3: f32[1, 4, 5, 5],
    x4: f32[6, 2, 3, 3],
    x5: f32[4, 1, 3, 3],
    x6: f32[3, 4, 1, 1],
    x7: f32[2, 2, 7],
    x8: f32[3, 2, 3],
    x9: f32[1, 2, 3, 4, 3],
    x10: f32[2, 2, 2, 2, 2],
    x11: f32[0, 3, 5, 6],
    x12: f32[3, 4, 3, 2],
    x13: f32[4, 3, 2, 2],
    x14: f32[2, 3, 4],
    x15: f32[2, 1, 2, 2, 2],
    x16: f32[2, 2, 4, 4],
    x17: f32[2, 18, 4],
    x18: u8[1, 2, 4, 4],
    x19: i8[3, 2, 3, 3],
    x20: u8[],
    x21: i8[3])
-> (conv: f32[2, 4, 3, 5],
    conv_bare: f32[2, 4, 5, 7],
    conv_stride: f32[2, 4, 3, 2],
    conv_asymmetric: f32[2, 4, 4, 7],
    conv_dilation: f32[2, 4, 1, 3],
    conv_groups: f32[1, 6, 5, 5],
    conv_depthwise: f32[1, 4, 3, 3],
    conv_pointwise: f32[1, 3, 5, 5],
    conv1d: f32[2, 3, 4],
    conv2d: f32[2, 4, 5, 7],
    conv3d: f32[1, 2, 4, 3, 4],
    conv_no_images: f32[0, 4, 3, 5],
    conv_same: f32[2, 4, 3, 3],
    transpose: f32[2, 4, 7, 7],
    transpose_stride: f32[2, 4, 9, 10],
    transpose_out_pad: f32[2, 4, 16, 13],
    transpose_groups: f32[1, 6, 10, 10],
    transpose_1d: f32[2, 3, 22],
    transpose_3d: f32[1, 1, 6, 8, 6],
    unfold: f32[2, 8, 9],
    unfold_dense: f32[2, 18, 4],
    fold: f32[2, 2, 4, 4],
    conv_integer: i32[1, 3, 4, 4],
    conv_integer_zeros: i32[1, 3, 1, 1])
{
    conv = conv(x0, x1, x2)
    conv_bare = conv(x0, x1, pad = 1)
    conv_stride = conv(x0, x1, stride = [2, 3], pad = [1, 0])
    conv_asymmetric = conv(x0, x1, x2, pad = [0, 2], pad_end = [1, 0])
    conv_dilation = conv(x0, x1, dilation = [2, 3])
    conv_groups = conv(x3, x4, groups = 2, pad = 1)
    conv_depthwise = conv(x3, x5, groups = 4, stride = 2, pad = 1)
    conv_pointwise = conv(x3, x6)
    conv1d = conv1d(x7, x8, stride = 2, pad = 1)
    conv2d = conv2d(x0, x1, x2, pad = 1)
    conv3d = conv3d(x9, x10, pad = [1, 0, 1])
    conv_no_images = conv(x11, x1)
    conv_same = conv(x0, x1, pad = [same_pad(5, 3, 2, 1) / 2, same_pad(6, 2, 2, 1) / 2], pad_end = [same_pad(5, 3, 2, 1) - same_pad(5, 3, 2, 1) / 2, same_pad(6, 2, 2, 1) - same_pad(6, 2, 2, 1) / 2], stride = 2)
    transpose = conv_transpose(x0, x12, x2)
    transpose_stride = conv_transpose(x0, x12, stride = 2, pad = 1)
    transpose_out_pad = conv_transpose(x0, x12, x2, stride = [3, 2], pad = [1, 0], pad_end = [0, 1], out_pad = [2, 1], dilation = [1, 2])
    transpose_groups = conv_transpose(x3, x13, groups = 2, stride = 2)
    transpose_1d = conv_transpose(x7, x14, stride = 3)
    transpose_3d = conv_transpose(x9, x15, stride = 2)
    unfold = unfold(x16, kernel = 2, stride = 2, pad = 1)
    unfold_dense = unfold(x16, kernel = 3)
    fold = fold(x17, extent = [4, 4], kernel = 3)
    conv_integer = conv_integer(x18, x19, x20, pad = 1)
    conv_integer_zeros = conv_integer(x18, x19, x20, x21, stride = 2)
}
