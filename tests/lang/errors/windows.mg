mg 1
// RUN: %not %mgc %s 2>&1 >/dev/null | %FileCheck %s
// Attributes of windows that make no sense, and lists that are compared at every position.
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
graph larger(x: f32[1, 4, 8, 8], w: f32[4, 4, 9, 3], u: f32[1, 36, 4], i: i64[1, 4, 8, 8], s: i8[1, 4, 8, 8],
        v: i8[4, 4, 9, 3], o: f32[1, 54, 1, 6]) -> (y: f32[1])
{
    a = conv2d(x, w)
    b = conv2d(x, w, dilation = 2, pad = 4)
    c = max_pool2d(x, kernel = 9)
    d = max_pool2d(x, kernel = [3, 12], ceil_mode = true, stride = 3)
    e = avg_pool2d(x, kernel = [9, 1])
    f = lp_pool(x, kernel = 9)
    g, h = max_pool_index(x, kernel = 9)
    j = unfold(x, kernel = [9, 3])
    k = fold(u, extent = [2, 8], kernel = 3)
    l = conv_integer(s, v)
    m = deform_conv(x, w, o)
    n = conv_transpose(x, w, pad = 9)
    p = max_unpool(x, i, kernel = 2, pad = 9)
    q = max_pool2d(x, kernel = [3, 9], ceil_mode = true, stride = 3)
}

// CHECK: :5:13: error: a requirement does not hold: [1, 1, 1, 1] and [1, 1, 1, 2]
// CHECK: :5:13: error: '==' between lists of lengths 4 and 2
// CHECK: :10:9: error: a requirement does not hold: stride [0, 0], dilation [1, 1]: expected >= 1
// CHECK: :11:9: error: a requirement does not hold: stride [1, -2], dilation [1, 1]: expected >= 1
// CHECK: :12:9: error: a requirement does not hold: stride [1, 1], dilation [-1, -1]: expected >= 1
// CHECK: :13:9: error: a requirement does not hold: pad [-1, -1], pad_end [-1, -1]: expected >= 0
// CHECK: :14:9: error: a requirement does not hold: weight has rank 3, but x has rank 4
// CHECK: :15:9: error: a requirement does not hold: kernel [0, 0]: expected >= 1
// CHECK: :16:9: error: a requirement does not hold: stride [2, 0], dilation [1, 1]: expected >= 1
// CHECK: :17:9: error: a requirement does not hold: stride [0, 0], dilation [1, 1]: expected >= 1
// CHECK: :23:53: error: the result 'y' of 'larger' is never defined
// CHECK: :25:9: error: a requirement does not hold: the window covers [9, 3], but the input with its padding is only [8, 8]
// CHECK: :26:9: error: a requirement does not hold: the window covers [17, 5], but the input with its padding is only [16, 16]
// CHECK: :27:9: error: a requirement does not hold: the window covers [9, 9], but the input with its padding is only [8, 8]
// CHECK: :28:9: error: a requirement does not hold: the window covers [3, 12], but the input with its padding is only [8, 8]
// CHECK: :29:9: error: a requirement does not hold: the window covers [9, 1], but the input with its padding is only [8, 8]
// CHECK: :30:9: error: a requirement does not hold: the window covers [9, 9], but the input with its padding is only [8, 8]
// CHECK: :31:12: error: a requirement does not hold: the window covers [9, 9], but the input with its padding is only [8, 8]
// CHECK: :32:9: error: a requirement does not hold: the window covers [9, 3], but the input with its padding is only [8, 8]
// CHECK: :33:9: error: a requirement does not hold: the window covers [3, 3], but the result with its padding is only [2, 8]
// CHECK: :34:9: error: a requirement does not hold: the window covers [9, 3], but the input with its padding is only [8, 8]
// CHECK: :35:9: error: a requirement does not hold: the window covers [9, 3], but the input with its padding is only [8, 8]
// CHECK: :36:9: error: a requirement does not hold: the windows cover [16, 10], but the padding takes [18, 18] off
// CHECK: :37:9: error: a requirement does not hold: the windows cover [16, 16], but the padding takes [18, 18] off
