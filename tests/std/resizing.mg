mg 1
// made by make_cases.py
graph resizing(x0: f32[2, 3, 11])
-> (antialias_linear_4: f32[2, 3, 4],
    antialias_linear_7: f32[2, 3, 7],
    antialias_linear_19: f32[2, 3, 19],
    antialias_linear_inside: f32[2, 3, 5],
    antialias_linear_scale: f32[2, 3, 6],
    crop_linear: f32[2, 3, 8],
    axis_linear: f32[2, 3, 8],
    axis_linear_stretched: f32[2, 3, 5],
    antialias_cubic_4: f32[2, 3, 4],
    antialias_cubic_7: f32[2, 3, 7],
    antialias_cubic_19: f32[2, 3, 19],
    antialias_cubic_inside: f32[2, 3, 5],
    antialias_cubic_scale: f32[2, 3, 6],
    crop_cubic: f32[2, 3, 8],
    axis_cubic: f32[2, 3, 8],
    axis_cubic_stretched: f32[2, 3, 5],
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
    antialias_cubic_4 = resize_antialias(x0, to = 4, mode = "cubic")
    antialias_cubic_7 = resize_antialias(x0, to = 7, mode = "cubic")
    antialias_cubic_19 = resize_antialias(x0, to = 19, mode = "cubic")
    antialias_cubic_inside = resize_antialias(x0, to = 5, mode = "cubic", exclude_outside = true, a = -0.5)
    antialias_cubic_scale = resize_antialias(x0, to = 6, mode = "cubic", scale = 0.6, coordinates = "align_corners")
    crop_cubic = resize_axis(x0, to = 8, mode = "cubic", coordinates = "tf_crop_and_resize", begin = 0.3, end = 1.2, outside = 7)
    axis_cubic = resize_axis(x0, to = 8, mode = "cubic", coordinates = "asymmetric")
    axis_cubic_stretched = resize_axis(x0, to = 5, mode = "cubic", antialias = true)
    axis_first = resize_axis(x0, to = 3, axis = 0)
    axis_nearest = resize_axis(x0, to = 22, mode = "nearest", coordinates = "asymmetric", rounding = "floor")
    crop_nearest = resize_nearest(x0, to = 5, coordinates = "tf_crop_and_resize", begin = 0.2, end = 0.6)
}
