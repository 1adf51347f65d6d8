mg 1
// made by make_cases.py
graph resampling(x0: f32[1, 2, 4, 5])
-> (linear_half_pixel: f32[1, 2, 7, 5],
    cubic_half_pixel: f32[1, 2, 4, 3],
    linear_half_pixel_symmetric: f32[1, 2, 7, 5],
    cubic_half_pixel_symmetric: f32[1, 2, 4, 3],
    linear_pytorch_half_pixel: f32[1, 2, 7, 5],
    cubic_pytorch_half_pixel: f32[1, 2, 4, 3],
    linear_asymmetric: f32[1, 2, 7, 5],
    cubic_asymmetric: f32[1, 2, 4, 3],
    linear_align_corners: f32[1, 2, 7, 5],
    cubic_align_corners: f32[1, 2, 4, 3],
    linear_down: f32[1, 2, 4, 2],
    linear_one: f32[1, 2, 1, 5],
    linear_scaled: f32[1, 2, 5, 5],
    cubic_excluded: f32[1, 2, 9, 5],
    nearest_round_prefer_floor_half_pixel_2: f32[1, 2, 2, 5],
    nearest_round_prefer_floor_half_pixel_8: f32[1, 2, 8, 5],
    nearest_round_prefer_floor_asymmetric_2: f32[1, 2, 2, 5],
    nearest_round_prefer_floor_asymmetric_8: f32[1, 2, 8, 5],
    nearest_round_prefer_floor_align_corners_2: f32[1, 2, 2, 5],
    nearest_round_prefer_floor_align_corners_8: f32[1, 2, 8, 5],
    nearest_round_prefer_ceil_half_pixel_2: f32[1, 2, 2, 5],
    nearest_round_prefer_ceil_half_pixel_8: f32[1, 2, 8, 5],
    nearest_round_prefer_ceil_asymmetric_2: f32[1, 2, 2, 5],
    nearest_round_prefer_ceil_asymmetric_8: f32[1, 2, 8, 5],
    nearest_round_prefer_ceil_align_corners_2: f32[1, 2, 2, 5],
    nearest_round_prefer_ceil_align_corners_8: f32[1, 2, 8, 5],
    nearest_floor_half_pixel_2: f32[1, 2, 2, 5],
    nearest_floor_half_pixel_8: f32[1, 2, 8, 5],
    nearest_floor_asymmetric_2: f32[1, 2, 2, 5],
    nearest_floor_asymmetric_8: f32[1, 2, 8, 5],
    nearest_floor_align_corners_2: f32[1, 2, 2, 5],
    nearest_floor_align_corners_8: f32[1, 2, 8, 5],
    nearest_ceil_half_pixel_2: f32[1, 2, 2, 5],
    nearest_ceil_half_pixel_8: f32[1, 2, 8, 5],
    nearest_ceil_asymmetric_2: f32[1, 2, 2, 5],
    nearest_ceil_asymmetric_8: f32[1, 2, 8, 5],
    nearest_ceil_align_corners_2: f32[1, 2, 2, 5],
    nearest_ceil_align_corners_8: f32[1, 2, 8, 5],
    resize2d: f32[1, 2, 6, 3],
    resize2d_cubic: f32[1, 2, 6, 3],
    resize2d_nearest: f32[1, 2, 8, 10])
{
    linear_half_pixel = resize_linear(x0, to = 7, axis = 2, coordinates = "half_pixel")
    cubic_half_pixel = resize_cubic(x0, to = 3, coordinates = "half_pixel")
    linear_half_pixel_symmetric = resize_linear(x0, to = 7, axis = 2, coordinates = "half_pixel_symmetric")
    cubic_half_pixel_symmetric = resize_cubic(x0, to = 3, coordinates = "half_pixel_symmetric")
    linear_pytorch_half_pixel = resize_linear(x0, to = 7, axis = 2, coordinates = "pytorch_half_pixel")
    cubic_pytorch_half_pixel = resize_cubic(x0, to = 3, coordinates = "pytorch_half_pixel")
    linear_asymmetric = resize_linear(x0, to = 7, axis = 2, coordinates = "asymmetric")
    cubic_asymmetric = resize_cubic(x0, to = 3, coordinates = "asymmetric")
    linear_align_corners = resize_linear(x0, to = 7, axis = 2, coordinates = "align_corners")
    cubic_align_corners = resize_cubic(x0, to = 3, coordinates = "align_corners")
    linear_down = resize_linear(x0, to = 2)
    linear_one = resize_linear(x0, to = 1, axis = 2, coordinates = "pytorch_half_pixel")
    linear_scaled = resize_linear(x0, to = 5, axis = 2, scale = 1.3)
    cubic_excluded = resize_cubic(x0, to = 9, axis = 2, a = -0.5, exclude_outside = true)
    nearest_round_prefer_floor_half_pixel_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "half_pixel", rounding = "round_prefer_floor")
    nearest_round_prefer_floor_half_pixel_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "half_pixel", rounding = "round_prefer_floor")
    nearest_round_prefer_floor_asymmetric_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "asymmetric", rounding = "round_prefer_floor")
    nearest_round_prefer_floor_asymmetric_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "asymmetric", rounding = "round_prefer_floor")
    nearest_round_prefer_floor_align_corners_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "align_corners", rounding = "round_prefer_floor")
    nearest_round_prefer_floor_align_corners_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "align_corners", rounding = "round_prefer_floor")
    nearest_round_prefer_ceil_half_pixel_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "half_pixel", rounding = "round_prefer_ceil")
    nearest_round_prefer_ceil_half_pixel_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "half_pixel", rounding = "round_prefer_ceil")
    nearest_round_prefer_ceil_asymmetric_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "asymmetric", rounding = "round_prefer_ceil")
    nearest_round_prefer_ceil_asymmetric_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "asymmetric", rounding = "round_prefer_ceil")
    nearest_round_prefer_ceil_align_corners_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "align_corners", rounding = "round_prefer_ceil")
    nearest_round_prefer_ceil_align_corners_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "align_corners", rounding = "round_prefer_ceil")
    nearest_floor_half_pixel_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "half_pixel", rounding = "floor")
    nearest_floor_half_pixel_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "half_pixel", rounding = "floor")
    nearest_floor_asymmetric_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "asymmetric", rounding = "floor")
    nearest_floor_asymmetric_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "asymmetric", rounding = "floor")
    nearest_floor_align_corners_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "align_corners", rounding = "floor")
    nearest_floor_align_corners_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "align_corners", rounding = "floor")
    nearest_ceil_half_pixel_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "half_pixel", rounding = "ceil")
    nearest_ceil_half_pixel_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "half_pixel", rounding = "ceil")
    nearest_ceil_asymmetric_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "asymmetric", rounding = "ceil")
    nearest_ceil_asymmetric_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "asymmetric", rounding = "ceil")
    nearest_ceil_align_corners_2 = resize_nearest(x0, to = 2, axis = 2, coordinates = "align_corners", rounding = "ceil")
    nearest_ceil_align_corners_8 = resize_nearest(x0, to = 8, axis = 2, coordinates = "align_corners", rounding = "ceil")
    resize2d = resize2d(x0, height = 6, width = 3)
    resize2d_cubic = resize2d(x0, height = 6, width = 3, mode = "cubic")
    resize2d_nearest = resize2d(x0, height = 8, width = 10, mode = "nearest", coordinates = "asymmetric")
}
