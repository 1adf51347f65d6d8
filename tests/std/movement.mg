mg 1
// made by make_cases.py
graph movement(x0: f32[2, 3, 4],
    x1: f32[1],
    x2: f32[3, 0],
    x3: f32[1, 3, 1, 2],
    x4: f32[4],
    x5: f32[2, 2, 4],
    x6: f32[0, 3, 4],
    x7: f32[2, 3, 4],
    x8: f32[3, 7],
    x9: f32[],
    x10: f32[2, 8, 2, 3],
    x11: f32[1, 2, 4, 6],
    x12: i64[3, 3],
    x13: f32[],
    x14: f32[],
    x15: f32[],
    x16: i32[],
    x17: i32[],
    x18: f32[],
    x19: f32[],
    x20: bool[2, 2])
-> (reshape: f32[4, 6],
    reshape_rest: f32[3, 4, 2],
    reshape_flat: f32[24],
    reshape_scalar: f32[],
    reshape_empty: f32[0, 5],
    flatten: f32[2, 12],
    flatten_all: f32[24],
    flatten_last: f32[2, 3, 4],
    flatten2d: f32[6, 4],
    flatten2d_0: f32[1, 24],
    squeeze: f32[3, 2],
    unsqueeze: f32[1, 2, 1, 3, 4, 1],
    expand: f32[2, 3, 5, 2],
    expand_new: f32[2, 3, 4],
    transpose: f32[4, 2, 3],
    transpose_same: f32[2, 3, 4],
    swap_axes: f32[2, 4, 3],
    swap_axes_0: f32[4, 3, 2],
    flip: f32[2, 3, 4],
    roll: f32[2, 3, 4],
    roll_back: f32[2, 3, 4],
    concat: f32[2, 5, 4],
    concat_three: f32[2, 8, 4],
    concat_one: f32[2, 3, 4],
    concat_empty: f32[2, 3, 4],
    stack: f32[2, 2, 3, 4],
    stack_last: f32[2, 3, 4, 2],
    split_0: f32[2, 1, 4],
    split_1: f32[2, 2, 4],
    chunk2_0: f32[2, 3, 2],
    chunk2_1: f32[2, 3, 2],
    chunk3_0: f32[2, 1, 4],
    chunk3_1: f32[2, 1, 4],
    chunk3_2: f32[2, 1, 4],
    chunk4_0: f32[2, 3, 1],
    chunk4_1: f32[2, 3, 1],
    chunk4_2: f32[2, 3, 1],
    chunk4_3: f32[2, 3, 1],
    slice: f32[3, 3],
    slice_step: f32[3, 2],
    slice_ends: f32[3, 3],
    slice_reverse: f32[3, 7],
    slice_back: f32[3, 3],
    slice_back_all: f32[3, 2],
    slice_empty: f32[0, 7],
    slice_below: f32[3, 3],
    slice_beyond: f32[3, 2],
    slice_crossed: f32[3, 0],
    slice_back_beyond: f32[3, 3],
    slice_back_below: f32[3, 0],
    part: f32[3, 3],
    select: f32[3, 4],
    select_last: f32[2, 3],
    tile: f32[6, 21],
    repeat: f32[6, 7],
    repeat_last: f32[3, 21],
    pad: f32[4, 9],
    pad_value: f32[7, 9],
    pad_crop: f32[2, 6],
    pad_reflect: f32[6, 10],
    pad_edge: f32[6, 10],
    pad_wrap: f32[6, 10],
    depth_to_space: f32[2, 2, 4, 6],
    depth_to_space_crd: f32[2, 2, 4, 6],
    space_to_depth_crd: f32[1, 8, 2, 3],
    space_to_depth: f32[1, 8, 2, 3],
    upsample2d: f32[1, 2, 8, 12],
    channel_shuffle: f32[2, 8, 2, 3],
    triu_m1: f32[2, 3, 4],
    tril_m1: f32[2, 3, 4],
    triu_0: f32[2, 3, 4],
    tril_0: f32[2, 3, 4],
    triu_2: f32[2, 3, 4],
    tril_2: f32[2, 3, 4],
    trilu: f32[2, 3, 4],
    triu_int: i64[3, 3],
    zeros: f32[2, 3],
    ones: i8[2],
    full: f32[2, 2],
    zeros_like: f32[2, 3, 4],
    ones_like: f32[2, 3, 4],
    eye: f32[3, 3],
    eye_wide: f64[2, 4],
    iota: i64[5],
    iota_float: f32[3],
    range: f32[4],
    range_down: i32[3],
    linspace: f32[5],
    bool_moved: bool[2, 2])
{
    reshape = reshape(x0, shape = [4, 6])
    reshape_rest = reshape(x0, shape = [3, -1, 2])
    reshape_flat = reshape(x0, shape = [-1])
    reshape_scalar = reshape(x1, shape = [])
    reshape_empty = reshape(x2, shape = [0, 5])
    flatten = flatten(x0)
    flatten_all = flatten(x0, from = 0)
    flatten_last = flatten(x0, from = 2)
    flatten2d = flatten2d(x0, axis = 2)
    flatten2d_0 = flatten2d(x0, axis = 0)
    squeeze = squeeze(x3, axes = [0, -2])
    unsqueeze = unsqueeze(x0, axes = [0, -1, 2])
    expand = expand(x3, shape = [2, 3, 5, 2])
    expand_new = expand(x4, shape = [2, 3, 4])
    transpose = transpose(x0, perm = [2, 0, 1])
    transpose_same = transpose(x0, perm = [0, 1, 2])
    swap_axes = swap_axes(x0)
    swap_axes_0 = swap_axes(x0, a = 0, b = 2)
    flip = flip(x0, axes = [0, -1])
    roll = roll(x0, shift = 1)
    roll_back = roll(x0, shift = -5, axis = 1)
    concat = concat(x0, x5, axis = 1)
    concat_three = concat(x0, x5, x0, axis = -2)
    concat_one = concat(x0, axis = 0)
    concat_empty = concat(x0, x6, axis = 0)
    stack = stack(x0, x7)
    stack_last = stack(x0, x7, axis = -1)
    split_0, split_1 = split(x0, at = 1, axis = 1)
    chunk2_0, chunk2_1 = chunk2(x0)
    chunk3_0, chunk3_1, chunk3_2 = chunk3(x0, axis = 1)
    chunk4_0, chunk4_1, chunk4_2, chunk4_3 = chunk4(x0, axis = 2)
    slice = slice(x8, axis = 1, start = 2, stop = 5)
    slice_step = slice(x8, axis = 1, start = 1, step = 3)
    slice_ends = slice(x8, axis = -1, start = -4, stop = -1)
    slice_reverse = slice(x8, axis = 1, step = -1)
    slice_back = slice(x8, axis = 1, start = 5, stop = 0, step = -2)
    slice_back_all = slice(x8, axis = 1, start = 5, step = -3)
    slice_empty = slice(x8, axis = 0, start = 1, stop = 1)
    slice_below = slice(x8, axis = 1, start = -9, stop = 3)
    slice_beyond = slice(x8, axis = 1, start = 5, stop = 20)
    slice_crossed = slice(x8, axis = 1, start = 3, stop = 1)
    slice_back_beyond = slice(x8, axis = 1, start = 20, stop = -20, step = -3)
    slice_back_below = slice(x8, axis = 1, start = -8, step = -1)
    part = part(x8, start = 2, length = 3, axis = 1)
    select = select(x0, index = 1)
    select_last = select(x0, index = -1, axis = 2)
    tile = tile(x8, times = [2, 3])
    repeat = repeat(x8, times = 2, axis = 0)
    repeat_last = repeat(x8, times = 3)
    pad = pad(x8, before = [1, 0], after = [0, 2])
    pad_value = pad(x8, x9, before = [2, 1])
    pad_crop = pad(x8, before = [-1, 1], after = [0, -2])
    pad_reflect = pad(x8, before = [2, 3], after = [1, 0], mode = "reflect")
    pad_edge = pad(x8, before = [2, 3], after = [1, 0], mode = "edge")
    pad_wrap = pad(x8, before = [2, 3], after = [1, 0], mode = "wrap")
    depth_to_space = depth_to_space(x10, block = 2)
    depth_to_space_crd = depth_to_space(x10, block = 2, mode = "crd")
    space_to_depth_crd = space_to_depth(x11, block = 2, mode = "crd")
    space_to_depth = space_to_depth(x11, block = 2)
    upsample2d = upsample2d(x11, scale = 2)
    channel_shuffle = channel_shuffle(x10, groups = 4)
    triu_m1 = triu(x0, k = -1)
    tril_m1 = tril(x0, k = -1)
    triu_0 = triu(x0, k = 0)
    tril_0 = tril(x0, k = 0)
    triu_2 = triu(x0, k = 2)
    tril_2 = tril(x0, k = 2)
    trilu = trilu(x0, upper = false)
    triu_int = triu(x12)
    zeros = zeros(shape = [2, 3])
    ones = ones(shape = [2], type = i8)
    full = full(x13, shape = [2, 2])
    zeros_like = zeros_like(x0)
    ones_like = ones_like(x0)
    eye = eye(rows = 3)
    eye_wide = eye(rows = 2, columns = 4, k = 1, type = f64)
    iota = iota(n = 5)
    iota_float = iota(n = 3, type = f32)
    range = range(x14, x15, n = 4)
    range_down = range(x16, x17, n = 3)
    linspace = linspace(x18, x19, n = 5)
    bool_moved = transpose(x20, perm = [1, 0])
}
