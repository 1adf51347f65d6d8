mg 1
// RUN: %not %mgc %s 2>&1 >/dev/null | %FileCheck %s
// Attributes of windows that make no sense, and lists compared at every position.
op same<T: float>(x: T[..X], k: int[..X], l: int[]) -> (y: T[..X])
    require k == l : "{k} and {l}"
{
    y[..i] = x[..i]
}
graph g(x: f32[1, 4, 8, 8], w: f32[4, 4, 3, 3], r: f32[4, 4, 3]) -> (y: f32[1]) {
    a = conv2d(x, w, stride = 0)
    b = conv2d(x, w, stride = [1, -2])
    c = conv2d(x, w, dilation = -1)
    d = conv2d(x, w, pad = -1)
    e = conv2d(x, r)
    f = max_pool2d(x, kernel = 0)
    h = avg_pool2d(x, kernel = 2, stride = [2, 0])
    i = conv_transpose(x, w, stride = 0)
    j = same(w, k = 1, l = [1, 1, 1, 1])
    k = same(w, k = 1, l = [1, 1, 1, 2])
    m = same(w, k = 1, l = [1, 1])
}

// CHECK: :5:13: error: a requirement does not hold: [1, 1, 1, 1] and [1, 1, 1, 2]
// CHECK: :5:13: error: '==' between lists of lengths 4 and 2
// CHECK: :10:9: error: a requirement does not hold: stride [0, 0], dilation [1, 1]: both begin at 1
// CHECK: :11:9: error: a requirement does not hold: stride [1, -2], dilation [1, 1]: both begin at 1
// CHECK: :12:9: error: a requirement does not hold: stride [1, 1], dilation [-1, -1]: both begin at 1
// CHECK: :13:9: error: a requirement does not hold: pad [-1, -1], pad_end [-1, -1]: both begin at 0
// CHECK: :14:9: error: a requirement does not hold: weight has rank 3, x 4
// CHECK: :15:9: error: a requirement does not hold: kernel [0, 0]: it begins at 1
// CHECK: :16:9: error: a requirement does not hold: stride [2, 0], dilation [1, 1]: both begin at 1
// CHECK: :17:9: error: a requirement does not hold: stride [0, 0], dilation [1, 1]: both begin at 1
