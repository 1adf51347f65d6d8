mg 1
// Pools of images larger than caches: tiles prefetch what later tiles read and write.
graph pools(x: f32[3, 5, 57, 60], y: f32[2, 7, 30, 38])
    -> (a, b, c, d)
{
    a = max_pool2d(x, kernel = 3, stride = 2, pad = 1)
    b = relu(avg_pool2d(x, kernel = 3, stride = 1, pad = 1))
    c = max_pool2d(y, kernel = 3, stride = 2)
    d = max_pool2d(x, kernel = 2)
}
