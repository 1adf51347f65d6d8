mg 1
// made by make_cases.py
graph resizing(x0: f32[2, 3, 11],
    x1: f32[],
    x2: f32[],
    x3: f32[],
    x4: f32[2],
    x5: f32[],
    x6: f32[],
    x7: f32[4],
    x8: f32[3],
    x9: f32[2],
    x10: f32[2, 2])
-> (antialias_linear_4: f32[2, 3, 4],
    antialias_linear_7: f32[2, 3, 7],
    antialias_linear_19: f32[2, 3, 19],
    antialias_linear_inside: f32[2, 3, 5],
    antialias_linear_scale: f32[2, 3, 6],
    crop_linear: f32[2, 3, 8],
    axis_linear: f32[2, 3, 8],
    axis_linear_stretched: f32[2, 3, 5],
    at_linear: f32[2, 3, 14],
    at_linear_stretched: f32[2, 3, 6],
    at_linear_region: f32[2, 3, 8],
    antialias_cubic_4: f32[2, 3, 4],
    antialias_cubic_7: f32[2, 3, 7],
    antialias_cubic_19: f32[2, 3, 19],
    antialias_cubic_inside: f32[2, 3, 5],
    antialias_cubic_scale: f32[2, 3, 6],
    crop_cubic: f32[2, 3, 8],
    axis_cubic: f32[2, 3, 8],
    axis_cubic_stretched: f32[2, 3, 5],
    at_cubic: f32[2, 3, 14],
    at_cubic_stretched: f32[2, 3, 6],
    at_cubic_region: f32[2, 3, 8],
    at_half_pixel_symmetric: f32[2, 3, 14],
    at_pytorch_half_pixel: f32[2, 3, 14],
    at_asymmetric: f32[2, 3, 14],
    at_shrinking: f32[2, 3, 5],
    at_growing: f32[2, 3, 22],
    source_at: f32[4],
    nearest_at: f32[2, 3, 4],
    linear_at: f32[2, 3, 4],
    cubic_at: f32[2, 3, 3],
    window_at: f32[2, 3, 2],
    axis_first: f32[3, 3, 11],
    axis_nearest: f32[2, 3, 22],
    crop_nearest: f32[2, 3, 5])
{
    antialias_linear_4 = resize_antialias(x0, to = 4, mode = "linear")
    antialias_linear_7 = resize_antialias(x0, to = 7, mode = "linear")
    antialias_linear_19 = resize_antialias(x0, to = 19, mode = "linear")
    antialias_linear_inside = resize_antialias(x0, to = 5, mode = "linear", exclude_outside = true, a = -0.5)
    antialias_linear_scale = resize_antialias(x0, to = 6, mode = "linear", scale = 0.6, coordinates = "align_corners")
    crop_linear = resize_axis(x0, to = 8, mode = "linear", coordinates = "tf_crop_and_resize", begin = 0.3, end = 1.2, outside = 7)
    axis_linear = resize_axis(x0, to = 8, mode = "linear", coordinates = "asymmetric")
    axis_linear_stretched = resize_axis(x0, to = 5, mode = "linear", antialias = true)
    at_linear = resize_at(x0, x1, to = 14, mode = "linear")
    at_linear_stretched = resize_at(x0, x2, to = 6, mode = "linear", antialias = true, coordinates = "align_corners", exclude_outside = true)
    at_linear_region = resize_at(x0, x3, x4, to = 8, mode = "linear", coordinates = "tf_crop_and_resize", outside = 7)
    antialias_cubic_4 = resize_antialias(x0, to = 4, mode = "cubic")
    antialias_cubic_7 = resize_antialias(x0, to = 7, mode = "cubic")
    antialias_cubic_19 = resize_antialias(x0, to = 19, mode = "cubic")
    antialias_cubic_inside = resize_antialias(x0, to = 5, mode = "cubic", exclude_outside = true, a = -0.5)
    antialias_cubic_scale = resize_antialias(x0, to = 6, mode = "cubic", scale = 0.6, coordinates = "align_corners")
    crop_cubic = resize_axis(x0, to = 8, mode = "cubic", coordinates = "tf_crop_and_resize", begin = 0.3, end = 1.2, outside = 7)
    axis_cubic = resize_axis(x0, to = 8, mode = "cubic", coordinates = "asymmetric")
    axis_cubic_stretched = resize_axis(x0, to = 5, mode = "cubic", antialias = true)
    at_cubic = resize_at(x0, x1, to = 14, mode = "cubic")
    at_cubic_stretched = resize_at(x0, x2, to = 6, mode = "cubic", antialias = true, coordinates = "align_corners", exclude_outside = true)
    at_cubic_region = resize_at(x0, x3, x4, to = 8, mode = "cubic", coordinates = "tf_crop_and_resize", outside = 7)
    at_half_pixel_symmetric = resize_at(x0, x1, to = 14, coordinates = "half_pixel_symmetric")
    at_pytorch_half_pixel = resize_at(x0, x1, to = 14, coordinates = "pytorch_half_pixel")
    at_asymmetric = resize_at(x0, x1, to = 14, coordinates = "asymmetric")
    at_shrinking = resize_at(x0, x5, to = 5, mode = "nearest", coordinates = "asymmetric", rounding = "shrinking")
    at_growing = resize_at(x0, x6, to = 22, mode = "nearest", coordinates = "asymmetric", rounding = "shrinking")
    source_at = resize_source_at(x6, none, to = 4, from = 2, coordinates = "half_pixel")
    nearest_at = nearest_at(x0, x7)
    linear_at = linear_at(x0, x7)
    cubic_at = cubic_at(x0, x8)
    window_at = window_at(x0, x9, x10)
    axis_first = resize_axis(x0, to = 3, axis = 0)
    axis_nearest = resize_axis(x0, to = 22, mode = "nearest", coordinates = "asymmetric", rounding = "floor")
    crop_nearest = resize_nearest(x0, to = 5, coordinates = "tf_crop_and_resize", begin = 0.2, end = 0.6)
}
