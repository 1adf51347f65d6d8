mg 1
// made by make_cases.py
graph pooling(x0: f32[2, 3, 6, 7],
    x1: i8[1, 1, 4, 4],
    x2: f32[1, 1, 6, 7],
    x3: f32[2, 2, 9],
    x4: f32[1, 2, 4, 3, 4])
-> (max_pool: f32[2, 3, 3, 3],
    max_pool_pad: f32[2, 3, 3, 7],
    max_pool_ceil: f32[2, 3, 3, 3],
    max_pool_ceil_pad: f32[2, 3, 3, 3],
    max_pool_dilated: f32[2, 3, 4, 4],
    max_pool_int: i8[1, 1, 4, 4],
    max_pool_nan: f32[1, 1, 4, 5],
    max_pool1d: f32[2, 2, 4],
    avg_pool1d: f32[2, 2, 10],
    max_pool2d: f32[2, 3, 3, 3],
    avg_pool2d: f32[2, 3, 7, 8],
    max_pool3d: f32[1, 2, 2, 1, 2],
    avg_pool3d: f32[1, 2, 5, 4, 5],
    avg_pool: f32[2, 3, 3, 3],
    avg_pool_uncounted: f32[2, 3, 3, 4],
    avg_pool_counted: f32[2, 3, 3, 4],
    avg_pool_ceil: f32[2, 3, 3, 3],
    avg_pool_ceil_counted: f32[2, 3, 3, 4],
    avg_pool_dilated: f32[2, 3, 6, 7],
    lp_pool: f32[2, 3, 3, 3],
    lp_pool_3: f32[2, 3, 7, 7],
    global_max_pool: f32[2, 3, 1, 1],
    global_avg_pool: f32[1, 2, 1, 1, 1],
    global_lp_pool: f32[2, 3, 1, 1],
    max_pool_index_0: f32[2, 3, 3, 4],
    max_pool_index_1: i64[2, 3, 3, 4],
    max_pool_index_image_0: f32[2, 3, 3, 3],
    max_pool_index_image_1: i64[2, 3, 3, 3])
{
    max_pool = max_pool(x0, kernel = 2)
    max_pool_pad = max_pool(x0, kernel = [3, 2], stride = [2, 1], pad = [1, 0], pad_end = [0, 1])
    max_pool_ceil = max_pool(x0, kernel = 3, stride = 2, ceil_mode = true)
    max_pool_ceil_pad = max_pool(x0, kernel = 2, stride = 3, pad = 1, ceil_mode = true)
    max_pool_dilated = max_pool(x0, kernel = 2, stride = 1, dilation = [2, 3])
    max_pool_int = max_pool(x1, kernel = 3, stride = 1, pad = 1)
    max_pool_nan = max_pool(x2, kernel = 3, stride = 1)
    max_pool1d = max_pool1d(x3, kernel = 2)
    avg_pool1d = avg_pool1d(x3, kernel = 2, stride = 1, pad = 1)
    max_pool2d = max_pool2d(x0, kernel = 2)
    avg_pool2d = avg_pool2d(x0, kernel = 2, stride = 1, pad = 1)
    max_pool3d = max_pool3d(x4, kernel = 2)
    avg_pool3d = avg_pool3d(x4, kernel = 2, stride = 1, pad = 1)
    avg_pool = avg_pool(x0, kernel = 2)
    avg_pool_uncounted = avg_pool(x0, kernel = 3, stride = 2, pad = 1)
    avg_pool_counted = avg_pool(x0, kernel = 3, stride = 2, pad = 1, count_pad = true)
    avg_pool_ceil = avg_pool(x0, kernel = 3, stride = 2, ceil_mode = true)
    avg_pool_ceil_counted = avg_pool(x0, kernel = 3, stride = 2, pad = 1, pad_end = [0, 1], ceil_mode = true, count_pad = true)
    avg_pool_dilated = avg_pool(x0, kernel = 2, stride = 1, dilation = 2, pad = 1)
    lp_pool = lp_pool(x0, kernel = 2)
    lp_pool_3 = lp_pool(x0, kernel = [2, 3], p = 3.0, stride = 1, pad = 1)
    global_max_pool = global_max_pool(x0)
    global_avg_pool = global_avg_pool(x4)
    global_lp_pool = global_lp_pool(x0)
    max_pool_index_0, max_pool_index_1 = max_pool_index(x0, kernel = 3, stride = 2, pad = 1)
    max_pool_index_image_0, max_pool_index_image_1 = max_pool_index(x0, kernel = 2, stride = 2, per_channel = true)
}
