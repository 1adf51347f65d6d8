mg 1
// made by make_cases.py
graph general(x0: i8[17],
    x1: i8[17],
    x2: i32[17],
    x3: i32[17],
    x4: i64[17],
    x5: i64[17],
    x6: u8[10],
    x7: u8[10],
    x8: u32[10],
    x9: u32[10],
    x10: i32[3, 1],
    x11: i64[4],
    x12: f32[4, 3, 3],
    x13: f32[3, 3],
    x14: f32[3, 3],
    x15: f32[2, 2, 2],
    x16: f32[3, 5, 4],
    x17: f32[2, 3, 4, 6],
    x18: f32[6],
    x19: f32[3],
    x20: f32[3],
    x21: f32[3],
    x22: f32[3],
    x23: f32[2, 3, 2, 6],
    x24: u8[2, 3, 2, 6],
    x25: u8[2, 3, 4, 6],
    x26: i8[3, 4],
    x27: i8[3, 1],
    x28: i32[2, 4],
    x29: f32[4],
    x30: i8[],
    x31: i64[2, 6],
    x32: i64[4, 2],
    x33: i64[2, 1],
    x34: f32[2, 6],
    x35: f32[2, 2],
    x36: i64[2],
    x37: f32[1, 4, 5],
    x38: f32[4, 3, 3],
    x39: f32[6],
    x40: f32[2, 2, 4, 6],
    x41: i64[1, 3],
    x42: f32[2, 2, 2, 3],
    x43: i64[2, 2, 2, 3],
    x44: bool[3],
    x45: i64[1, 1],
    x46: bool[1],
    x47: i64[1],
    x48: f32[6, 2],
    x49: i64[40, 1])
-> (pow_int8: i8[17],
    pow_int32: i32[17],
    pow_int64: i64[17],
    pow_uint8: u8[10],
    pow_uint32: u32[10],
    pow_broadcast: i32[3, 4],
    ones_bool: bool[2],
    zeros_bool: bool[2],
    eye_bool: bool[2, 3],
    det: f32[4],
    det_one: f32[],
    det_turned: f32[],
    det_singular: f32[2],
    crop: f32[3, 2, 6],
    crop_odd: f32[4, 2, 7],
    standardize: f32[2, 3, 4, 6],
    normalize1: f32[2, 3, 4, 6],
    layer_norm_stats_0: f32[2, 3, 1, 1],
    layer_norm_stats_1: f32[2, 3, 1, 1],
    bias_alone: f32[2, 3, 4, 6],
    batch_norm_train_0: f32[2, 3, 4, 6],
    batch_norm_train_1: f32[3],
    batch_norm_train_2: f32[3],
    quantize_blocks: u8[2, 3, 4, 6],
    dequantize_blocks: f32[2, 3, 4, 6],
    dequantize_blocks_bare: f32[2, 3, 4, 6],
    above_zero: i32[3, 4],
    rescale: i8[2, 4],
    ngrams_0: f32[2, 4],
    ngrams_3: f32[2, 4],
    unigrams: f32[2, 2],
    put_columns: f32[2, 6],
    transpose_to_false: f32[1, 6, 10],
    transpose_to_true: f32[1, 6, 10],
    pool_columns_0: f32[2, 2, 2, 3],
    pool_columns_1: i64[2, 2, 2, 3],
    pool_columns_image_0: f32[2, 2, 2, 3],
    pool_columns_image_1: i64[2, 2, 2, 3],
    column_step_0: i64[1, 3],
    column_step_1: i64[],
    max_unpool: f32[2, 2, 4, 6],
    scatter_bool: bool[3],
    scatter_elements_bool: bool[3],
    unique_sorted_0: f32[some Ksorted <= 6, 2],
    unique_sorted_1: i64[some Ksorted <= 6],
    unique_sorted_2: i64[6],
    unique_sorted_3: i64[some Ksorted <= 6],
    unique_seen_0: f32[some Kseen <= 6, 2],
    unique_seen_1: i64[some Kseen <= 6],
    unique_seen_2: i64[6],
    unique_seen_3: i64[some Kseen <= 6],
    unique_many_0: i64[some KM <= 40, 1],
    unique_many_1: i64[some KM <= 40],
    unique_many_2: i64[40],
    unique_many_3: i64[some KM <= 40])
{
    pow_int8 = pow_int(x0, x1)
    pow_int32 = pow_int(x2, x3)
    pow_int64 = pow_int(x4, x5)
    pow_uint8 = pow_int(x6, x7)
    pow_uint32 = pow_int(x8, x9)
    pow_broadcast = pow_int(x10, x11)
    ones_bool = ones(shape = [2], type = bool)
    zeros_bool = zeros(shape = [2], type = bool)
    eye_bool = eye(rows = 2, columns = 3, k = 1, type = bool)
    det = det(x12)
    det_one = det(x13)
    det_turned = det(x14)
    det_singular = det(x15)
    crop = center_crop_pad(x16, shape = [2, 6], axes = [1, -1])
    crop_odd = center_crop_pad(x16, shape = [4, 2, 7], axes = [0, 1, 2])
    standardize = standardize(x17, axes = [0, 2, 3])
    normalize1 = normalize1(x17, axis = 2)
    layer_norm_stats_0, layer_norm_stats_1 = layer_norm_stats(x17, axis = 2)
    bias_alone = layer_norm(x17, none, x18)
    batch_norm_train_0, batch_norm_train_1, batch_norm_train_2 = batch_norm_train(x17, x19, x20, x21, x22, momentum = 0.7)
    quantize_blocks = quantize_blocks(x17, x23, x24, axis = 2, block = 3)
    dequantize_blocks = dequantize_blocks(x25, x23, x24, axis = 2, block = 3)
    dequantize_blocks_bare = dequantize_blocks(x25, x23, axis = 2, block = 3)
    above_zero = above_zero(x26, x27)
    rescale = rescale(x28, x29, x30)
    ngrams_0 = ngram_counts(x31, x32, skips = 0)
    ngrams_3 = ngram_counts(x31, x32, skips = 3)
    unigrams = ngram_counts(x31, x33, skips = 5)
    put_columns = put_columns(x34, x35, x36)
    transpose_to_false = conv_transpose_to(x37, x38, x39, extent = 10, stride = 2, groups = 2, end_larger = false)
    transpose_to_true = conv_transpose_to(x37, x38, x39, extent = 10, stride = 2, groups = 2, end_larger = true)
    pool_columns_0, pool_columns_1 = max_pool_index(x40, kernel = 2, columns = true)
    pool_columns_image_0, pool_columns_image_1 = max_pool_index(x40, kernel = 2, columns = true, per_channel = true)
    column_step_0, column_step_1 = column_step(x41, 4, axis = 1)
    max_unpool = max_unpool(x42, x43, kernel = 2)
    scatter_bool = scatter_nd(x44, x45, x46)
    scatter_elements_bool = scatter_elements(x44, x47, x46)
    unique_sorted_0, unique_sorted_1, unique_sorted_2, unique_sorted_3 = unique_rows(x48)
    unique_seen_0, unique_seen_1, unique_seen_2, unique_seen_3 = unique_rows(x48, sorted = false)
    unique_many_0, unique_many_1, unique_many_2, unique_many_3 = unique_rows(x49)
}
