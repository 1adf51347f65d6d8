mg 1
// made by make_cases.py
graph gathering(x0: f32[4, 3, 5],
    x1: i64[2, 2],
    x2: i64[],
    x3: i32[2],
    x4: i64[0],
    x5: i64[5],
    x6: i64[2],
    x7: i64[2, 2],
    x8: f32[6, 3],
    x9: i64[4, 2, 5],
    x10: i64[2, 3, 5],
    x11: i64[3, 2],
    x12: i64[2, 1, 3],
    x13: i64[4, 1],
    x14: f32[3, 4],
    x15: i64[2, 4],
    x16: f32[2, 4],
    x17: i64[3, 2],
    x18: f32[3, 2],
    x19: i64[3, 1],
    x20: f32[3, 4],
    x21: i64[2, 2],
    x22: f32[2],
    x23: i64[4],
    x24: f32[],
    x25: f32[],
    x26: i64[],
    x27: i64[],
    x28: i64[5],
    x29: f32[2, 5],
    x30: f32[3],
    x31: i32[3])
-> (gather_0: f32[2, 2, 3, 5],
    gather_1: f32[4, 2, 2, 5],
    gather_2: f32[4, 3, 2, 2],
    gather_2m: f32[4, 3, 2, 2],
    gather_scalar: f32[4, 5],
    gather_i32: f32[2, 3, 5],
    gather_none: f32[0, 3, 5],
    gather_int: i64[2],
    embedding: f32[2, 2, 3],
    gather_elements: f32[4, 2, 5],
    gather_elements_0: f32[2, 3, 5],
    gather_nd: f32[3, 5],
    gather_nd_full: f32[2, 1],
    gather_nd_batch: f32[4, 5],
    scatter_elements_none: f32[3, 4],
    scatter_elements_add: f32[3, 4],
    scatter_elements_mul: f32[3, 4],
    scatter_elements_max: f32[3, 4],
    scatter_elements_min: f32[3, 4],
    scatter_elements_axis: f32[3, 4],
    scatter_nd_none: f32[3, 4],
    scatter_nd_add: f32[3, 4],
    scatter_nd_mul: f32[3, 4],
    scatter_nd_max: f32[3, 4],
    scatter_nd_min: f32[3, 4],
    scatter_nd_full: f32[3, 4],
    one_hot: f32[4, 3],
    one_hot_first: i64[3, 4],
    bincount: i64[4],
    argsort: i64[2, 5],
    argsort_descending: i64[2, 5],
    argsort_0: i64[2, 5],
    argsort_nan: i64[3],
    argsort_nan_descending: i64[3],
    sort: f32[2, 5],
    sort_descending: f32[2, 5],
    sort_int: i32[3],
    topk_0: f32[2, 2],
    topk_1: i64[2, 2],
    topk_smallest_0: f32[1, 5],
    topk_smallest_1: i64[1, 5])
{
    gather_0 = gather(x0, x1, axis = 0)
    gather_1 = gather(x0, x1, axis = 1)
    gather_2 = gather(x0, x1, axis = 2)
    gather_2m = gather(x0, x1, axis = -1)
    gather_scalar = gather(x0, x2, axis = 1)
    gather_i32 = gather(x0, x3)
    gather_none = gather(x0, x4)
    gather_int = gather(x5, x6)
    embedding = embedding(x7, x8)
    gather_elements = gather_elements(x0, x9, axis = 1)
    gather_elements_0 = gather_elements(x0, x10)
    gather_nd = gather_nd(x0, x11)
    gather_nd_full = gather_nd(x0, x12)
    gather_nd_batch = gather_nd(x0, x13, batch = 1)
    scatter_elements_none = scatter_elements(x14, x15, x16, reduction = "none")
    scatter_elements_add = scatter_elements(x14, x15, x16, reduction = "add")
    scatter_elements_mul = scatter_elements(x14, x15, x16, reduction = "mul")
    scatter_elements_max = scatter_elements(x14, x15, x16, reduction = "max")
    scatter_elements_min = scatter_elements(x14, x15, x16, reduction = "min")
    scatter_elements_axis = scatter_elements(x14, x17, x18, axis = 1)
    scatter_nd_none = scatter_nd(x14, x19, x20, reduction = "none")
    scatter_nd_add = scatter_nd(x14, x19, x20, reduction = "add")
    scatter_nd_mul = scatter_nd(x14, x19, x20, reduction = "mul")
    scatter_nd_max = scatter_nd(x14, x19, x20, reduction = "max")
    scatter_nd_min = scatter_nd(x14, x19, x20, reduction = "min")
    scatter_nd_full = scatter_nd(x14, x21, x22)
    one_hot = one_hot(x23, x24, x25, depth = 3)
    one_hot_first = one_hot(x23, x26, x27, depth = 3, axis = 0)
    bincount = bincount(x28, bins = 4)
    argsort = argsort(x29)
    argsort_descending = argsort(x29, descending = true)
    argsort_0 = argsort(x29, axis = 0)
    argsort_nan = argsort(x30)
    argsort_nan_descending = argsort(x30, descending = true)
    sort = sort(x29)
    sort_descending = sort(x29, axis = 0, descending = true)
    sort_int = sort(x31)
    topk_0, topk_1 = topk(x29, k = 2)
    topk_smallest_0, topk_smallest_1 = topk(x29, k = 1, axis = 0, largest = false)
}
