mg 1
// made by make_cases.py
graph reductions(x0: f32[2, 3, 4],
    x1: f32[4],
    x2: f32[5, 2],
    x3: f32[2, 0, 3],
    x4: f16[40],
    x5: f32[3, 5])
-> (sum_: f32[],
    sum_one: f32[2, 4],
    sum_two: f32[3],
    sum_kept: f32[2, 1, 4],
    sum_all_kept: f32[1, 1, 1],
    mean_: f32[],
    mean_one: f32[2, 4],
    mean_two: f32[3],
    mean_kept: f32[2, 1, 4],
    mean_all_kept: f32[1, 1, 1],
    max_: f32[],
    max_one: f32[2, 4],
    max_two: f32[3],
    max_kept: f32[2, 1, 4],
    max_all_kept: f32[1, 1, 1],
    min_: f32[],
    min_one: f32[2, 4],
    min_two: f32[3],
    min_kept: f32[2, 1, 4],
    min_all_kept: f32[1, 1, 1],
    prod_: f32[],
    prod_one: f32[2, 4],
    prod_two: f32[3],
    prod_kept: f32[2, 1, 4],
    prod_all_kept: f32[1, 1, 1],
    sum_square: f32[],
    sum_square_one: f32[2, 4],
    sum_square_two: f32[3],
    sum_square_kept: f32[2, 1, 4],
    sum_square_all_kept: f32[1, 1, 1],
    norm1: f32[],
    norm1_one: f32[2, 4],
    norm1_two: f32[3],
    norm1_kept: f32[2, 1, 4],
    norm1_all_kept: f32[1, 1, 1],
    norm2: f32[],
    norm2_one: f32[2, 4],
    norm2_two: f32[3],
    norm2_kept: f32[2, 1, 4],
    norm2_all_kept: f32[1, 1, 1],
    log_sum: f32[],
    log_sum_one: f32[2, 4],
    log_sum_two: f32[3],
    log_sum_kept: f32[2, 1, 4],
    log_sum_all_kept: f32[1, 1, 1],
    log_sum_exp: f32[],
    log_sum_exp_one: f32[2, 4],
    log_sum_exp_two: f32[3],
    log_sum_exp_kept: f32[2, 1, 4],
    log_sum_exp_all_kept: f32[1, 1, 1],
    variance: f32[],
    variance_one: f32[2, 4],
    variance_two: f32[3],
    variance_kept: f32[2, 1, 4],
    variance_all_kept: f32[1, 1, 1],
    no_axes: f32[2, 3, 4],
    variance_unbiased: f32[2],
    variance_far: f32[],
    log_sum_exp_big: f32[5],
    sum_of_nothing: f32[2, 3],
    prod_of_nothing: f32[2, 3],
    max_of_nothing: f32[2, 3],
    min_of_nothing: f32[2, 3],
    mean_of_nothing: f32[2, 3],
    none_of_many: f32[0, 3],
    sum_half: f16[],
    argmax_: i64[3],
    argmin_: i64[5],
    argmax_kept: i64[3, 1],
    argmin_kept: i64[1, 5],
    argmax_last: i64[3],
    argmin_last: i64[3])
{
    sum_ = sum(x0)
    sum_one = sum(x0, axes = [1])
    sum_two = sum(x0, axes = [0, -1])
    sum_kept = sum(x0, axes = [-2], keepdims = true)
    sum_all_kept = sum(x0, keepdims = true)
    mean_ = mean(x0)
    mean_one = mean(x0, axes = [1])
    mean_two = mean(x0, axes = [0, -1])
    mean_kept = mean(x0, axes = [-2], keepdims = true)
    mean_all_kept = mean(x0, keepdims = true)
    max_ = max(x0)
    max_one = max(x0, axes = [1])
    max_two = max(x0, axes = [0, -1])
    max_kept = max(x0, axes = [-2], keepdims = true)
    max_all_kept = max(x0, keepdims = true)
    min_ = min(x0)
    min_one = min(x0, axes = [1])
    min_two = min(x0, axes = [0, -1])
    min_kept = min(x0, axes = [-2], keepdims = true)
    min_all_kept = min(x0, keepdims = true)
    prod_ = prod(x0)
    prod_one = prod(x0, axes = [1])
    prod_two = prod(x0, axes = [0, -1])
    prod_kept = prod(x0, axes = [-2], keepdims = true)
    prod_all_kept = prod(x0, keepdims = true)
    sum_square = sum_square(x0)
    sum_square_one = sum_square(x0, axes = [1])
    sum_square_two = sum_square(x0, axes = [0, -1])
    sum_square_kept = sum_square(x0, axes = [-2], keepdims = true)
    sum_square_all_kept = sum_square(x0, keepdims = true)
    norm1 = norm1(x0)
    norm1_one = norm1(x0, axes = [1])
    norm1_two = norm1(x0, axes = [0, -1])
    norm1_kept = norm1(x0, axes = [-2], keepdims = true)
    norm1_all_kept = norm1(x0, keepdims = true)
    norm2 = norm2(x0)
    norm2_one = norm2(x0, axes = [1])
    norm2_two = norm2(x0, axes = [0, -1])
    norm2_kept = norm2(x0, axes = [-2], keepdims = true)
    norm2_all_kept = norm2(x0, keepdims = true)
    log_sum = log_sum(x0)
    log_sum_one = log_sum(x0, axes = [1])
    log_sum_two = log_sum(x0, axes = [0, -1])
    log_sum_kept = log_sum(x0, axes = [-2], keepdims = true)
    log_sum_all_kept = log_sum(x0, keepdims = true)
    log_sum_exp = log_sum_exp(x0)
    log_sum_exp_one = log_sum_exp(x0, axes = [1])
    log_sum_exp_two = log_sum_exp(x0, axes = [0, -1])
    log_sum_exp_kept = log_sum_exp(x0, axes = [-2], keepdims = true)
    log_sum_exp_all_kept = log_sum_exp(x0, keepdims = true)
    variance = variance(x0)
    variance_one = variance(x0, axes = [1])
    variance_two = variance(x0, axes = [0, -1])
    variance_kept = variance(x0, axes = [-2], keepdims = true)
    variance_all_kept = variance(x0, keepdims = true)
    no_axes = sum(x0, axes = [])
    variance_unbiased = variance(x0, axes = [1, 2], correction = 1)
    variance_far = variance(x1)
    log_sum_exp_big = log_sum_exp(x2, axes = [1])
    sum_of_nothing = sum(x3, axes = [1])
    prod_of_nothing = prod(x3, axes = [1])
    max_of_nothing = max(x3, axes = [1])
    min_of_nothing = min(x3, axes = [1])
    mean_of_nothing = mean(x3, axes = [1])
    none_of_many = sum(x3, axes = [0])
    sum_half = sum(x4)
    argmax_ = argmax(x5)
    argmin_ = argmin(x5, axis = 0)
    argmax_kept = argmax(x5, axis = 1, keepdims = true)
    argmin_kept = argmin(x5, axis = -2, keepdims = true)
    argmax_last = argmax(x5, axis = 1, select_last = true)
    argmin_last = argmin(x5, axis = 1, select_last = true)
}
