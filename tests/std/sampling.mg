mg 1
// made by make_cases.py
graph sampling(x0: f32[2, 3, 4, 5],
    x1: f32[2, 3, 4, 2],
    x2: f32[2, 2, 3, 2],
    x3: f32[1, 2, 7],
    x4: f32[1, 5, 1],
    x5: f32[1, 2, 3, 4, 3],
    x6: f32[1, 2, 2, 3, 3],
    x7: f32[3],
    x8: f32[2, 3],
    x9: f32[2],
    x10: f32[1, 2],
    x11: f32[2, 2, 3],
    x12: f32[1, 3, 4],
    x13: f32[2, 2, 6, 8],
    x14: f32[3, 4],
    x15: i64[3],
    x16: f32[],
    x17: f32[],
    x18: f32[],
    x19: i64[1],
    x20: f32[1, 2],
    x21: f32[1, 2],
    x22: i64[1, 2],
    x23: f32[],
    x24: f32[4, 5],
    x25: f32[1, 4, 5, 6],
    x26: f32[2, 4, 3, 2],
    x27: f32[1, 12, 3, 5],
    x28: f32[2],
    x29: f32[1, 6, 3, 5],
    x30: f32[4, 2, 2, 2],
    x31: f32[1, 16, 3, 3],
    x32: f32[3, 4, 2, 2],
    x33: f32[1, 16, 4, 5],
    x34: f32[2, 2, 6],
    x35: f32[1, 2, 3],
    x36: f32[2, 3, 4])
-> (grid_nearest_zeros: f32[2, 3, 3, 4],
    grid_nearest_zeros_aligned: f32[2, 3, 3, 4],
    grid_nearest_border: f32[2, 3, 3, 4],
    grid_nearest_border_aligned: f32[2, 3, 3, 4],
    grid_nearest_reflection: f32[2, 3, 3, 4],
    grid_nearest_reflection_aligned: f32[2, 3, 3, 4],
    grid_linear_zeros: f32[2, 3, 3, 4],
    grid_linear_zeros_aligned: f32[2, 3, 3, 4],
    grid_linear_border: f32[2, 3, 3, 4],
    grid_linear_border_aligned: f32[2, 3, 3, 4],
    grid_linear_reflection: f32[2, 3, 3, 4],
    grid_linear_reflection_aligned: f32[2, 3, 3, 4],
    grid_cubic_zeros: f32[2, 3, 3, 4],
    grid_cubic_zeros_aligned: f32[2, 3, 3, 4],
    grid_cubic_border: f32[2, 3, 3, 4],
    grid_cubic_border_aligned: f32[2, 3, 3, 4],
    grid_cubic_reflection: f32[2, 3, 3, 4],
    grid_cubic_reflection_aligned: f32[2, 3, 3, 4],
    grid_far: f32[2, 3, 2, 3],
    grid_far_aligned: f32[2, 3, 2, 3],
    grid_1d: f32[1, 2, 5],
    grid_3d: f32[1, 2, 2, 2, 3],
    grid_3d_nearest: f32[1, 2, 2, 2, 3],
    bounced: f32[15],
    mirrored: f32[14],
    shape: i64[5],
    extent: i64[],
    scale_axis: f32[2, 3, 4, 5],
    replace: f32[2, 3, 4, 5],
    even_places: f32[5],
    neighbours_0: i64[1, 2],
    neighbours_1: f32[1, 2, 2],
    affine_false: f32[2, 3, 4, 2],
    affine_3d_false: f32[1, 2, 3, 2, 3],
    affine_true: f32[2, 3, 4, 2],
    affine_3d_true: f32[1, 2, 3, 2, 3],
    roi_avg_0: f32[3, 2, 2, 3],
    roi_avg_0_half: f32[3, 2, 2, 3],
    roi_avg_2: f32[3, 2, 2, 3],
    roi_avg_2_half: f32[3, 2, 2, 3],
    roi_max_0: f32[3, 2, 2, 3],
    roi_max_0_half: f32[3, 2, 2, 3],
    roi_max_2: f32[3, 2, 2, 3],
    roi_max_2_half: f32[3, 2, 2, 3],
    side_weight: f32[],
    side_place: i64[],
    sample_place: f32[],
    roi_sample: f32[1, 2, 1, 1],
    round_away: f32[],
    max_roi_pool: f32[4, 2, 2, 3],
    deform: f32[1, 2, 3, 5],
    deform_mask: f32[1, 2, 3, 5],
    deform_groups: f32[1, 4, 3, 3],
    deform_offset_groups: f32[1, 3, 4, 5],
    deform_1d: f32[2, 1, 4])
{
    grid_nearest_zeros = grid_sample(x0, x1, mode = "nearest", padding = "zeros", align_corners = false)
    grid_nearest_zeros_aligned = grid_sample(x0, x1, mode = "nearest", padding = "zeros", align_corners = true)
    grid_nearest_border = grid_sample(x0, x1, mode = "nearest", padding = "border", align_corners = false)
    grid_nearest_border_aligned = grid_sample(x0, x1, mode = "nearest", padding = "border", align_corners = true)
    grid_nearest_reflection = grid_sample(x0, x1, mode = "nearest", padding = "reflection", align_corners = false)
    grid_nearest_reflection_aligned = grid_sample(x0, x1, mode = "nearest", padding = "reflection", align_corners = true)
    grid_linear_zeros = grid_sample(x0, x1, mode = "linear", padding = "zeros", align_corners = false)
    grid_linear_zeros_aligned = grid_sample(x0, x1, mode = "linear", padding = "zeros", align_corners = true)
    grid_linear_border = grid_sample(x0, x1, mode = "linear", padding = "border", align_corners = false)
    grid_linear_border_aligned = grid_sample(x0, x1, mode = "linear", padding = "border", align_corners = true)
    grid_linear_reflection = grid_sample(x0, x1, mode = "linear", padding = "reflection", align_corners = false)
    grid_linear_reflection_aligned = grid_sample(x0, x1, mode = "linear", padding = "reflection", align_corners = true)
    grid_cubic_zeros = grid_sample(x0, x1, mode = "cubic", padding = "zeros", align_corners = false)
    grid_cubic_zeros_aligned = grid_sample(x0, x1, mode = "cubic", padding = "zeros", align_corners = true)
    grid_cubic_border = grid_sample(x0, x1, mode = "cubic", padding = "border", align_corners = false)
    grid_cubic_border_aligned = grid_sample(x0, x1, mode = "cubic", padding = "border", align_corners = true)
    grid_cubic_reflection = grid_sample(x0, x1, mode = "cubic", padding = "reflection", align_corners = false)
    grid_cubic_reflection_aligned = grid_sample(x0, x1, mode = "cubic", padding = "reflection", align_corners = true)
    grid_far = grid_sample(x0, x2, padding = "reflection")
    grid_far_aligned = grid_sample(x0, x2, padding = "reflection", align_corners = true)
    grid_1d = grid_sample(x3, x4)
    grid_3d = grid_sample(x5, x6)
    grid_3d_nearest = grid_sample(x5, x6, mode = "nearest", padding = "border")
    bounced[i in 0..15] = x7[bounce(i - 6, 3)]
    mirrored[i in 0..14] = x7[mirror(i - 5, 3)]
    shape = shape(x5)
    extent = extent(x5, axis = -2)
    scale_axis = scale_axis(x0, x8, axis = 1)
    replace = replace(x0, x9, axis = 0, at = 2)
    even_places = even_places(x0, axis = 3, align_corners = false)
    neighbours_0, neighbours_1 = neighbours(x10, taps = [2, 2], mode = "linear")
    affine_false = affine_grid(x11, shape = [3, 4], align_corners = false)
    affine_3d_false = affine_grid(x12, shape = [2, 3, 2], align_corners = false)
    affine_true = affine_grid(x11, shape = [3, 4], align_corners = true)
    affine_3d_true = affine_grid(x12, shape = [2, 3, 2], align_corners = true)
    roi_avg_0 = roi_align(x13, x14, x15, height = 2, width = 3, mode = "avg", samples = 0, scale = 0.5, half_pixel = false)
    roi_avg_0_half = roi_align(x13, x14, x15, height = 2, width = 3, mode = "avg", samples = 0, scale = 0.5, half_pixel = true)
    roi_avg_2 = roi_align(x13, x14, x15, height = 2, width = 3, mode = "avg", samples = 2, scale = 0.5, half_pixel = false)
    roi_avg_2_half = roi_align(x13, x14, x15, height = 2, width = 3, mode = "avg", samples = 2, scale = 0.5, half_pixel = true)
    roi_max_0 = roi_align(x13, x14, x15, height = 2, width = 3, mode = "max", samples = 0, scale = 0.5, half_pixel = false)
    roi_max_0_half = roi_align(x13, x14, x15, height = 2, width = 3, mode = "max", samples = 0, scale = 0.5, half_pixel = true)
    roi_max_2 = roi_align(x13, x14, x15, height = 2, width = 3, mode = "max", samples = 2, scale = 0.5, half_pixel = false)
    roi_max_2_half = roi_align(x13, x14, x15, height = 2, width = 3, mode = "max", samples = 2, scale = 0.5, half_pixel = true)
    side_weight = side_weight(x16, 1, n = 4)
    side_place = side_place(x17, 1, n = 4)
    sample_place = sample_place(x18, 2, 4, 1, 3)
    roi_sample = roi_sample(x13, x19, x20, x21, x22, height = 1, width = 1, mode = "avg", most = 1)
    round_away = round_away(x23)
    max_roi_pool = max_roi_pool(x13, x24, height = 2, width = 3, scale = 0.5)
    deform = deform_conv(x25, x26, x27)
    deform_mask = deform_conv(x25, x26, x27, x28, x29)
    deform_groups = deform_conv(x25, x30, x31, stride = 2, pad = 1, dilation = 2, groups = 2, offset_groups = 2)
    deform_offset_groups = deform_conv(x25, x32, x33, offset_groups = 2)
    deform_1d = deform_conv(x34, x35, x36)
}
