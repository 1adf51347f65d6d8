mg 1
// made by make_cases.py
graph norms(x0: f32[2, 6, 3, 2],
    x1: f32[3, 2],
    x2: f32[3, 2],
    x3: f32[6],
    x4: f32[6],
    x5: f32[6],
    x6: f32[6],
    x7: f32[4, 6],
    x8: f32[2, 3],
    x9: f32[2, 8])
-> (layer_norm: f32[2, 6, 3, 2],
    layer_norm_bare: f32[2, 6, 3, 2],
    layer_norm_weight: f32[2, 6, 3, 2],
    rms_norm: f32[2, 6, 3, 2],
    rms_norm_bare: f32[2, 6, 3, 2],
    batch_norm: f32[2, 6, 3, 2],
    batch_norm_bare: f32[2, 6, 3, 2],
    batch_norm_flat: f32[4, 6],
    group_norm: f32[2, 6, 3, 2],
    group_norm_one: f32[2, 6, 3, 2],
    instance_norm: f32[2, 6, 3, 2],
    instance_norm_bare: f32[2, 6, 3, 2],
    lrn: f32[2, 6, 3, 2],
    lrn_even: f32[2, 6, 3, 2],
    normalize: f32[2, 6, 3, 2],
    normalize_zero: f32[2, 3],
    layer_norm_far: f32[2, 8])
{
    layer_norm = layer_norm(x0, x1, x2, axis = 2)
    layer_norm_bare = layer_norm(x0)
    layer_norm_weight = layer_norm(x0, x1, axis = -2, eps = 0.1)
    rms_norm = rms_norm(x0, x1, axis = 2)
    rms_norm_bare = rms_norm(x0, eps = 0.01)
    batch_norm = batch_norm(x0, x3, x4, x5, x6)
    batch_norm_bare = batch_norm(x0, x3, x4, eps = 0.5)
    batch_norm_flat = batch_norm(x7, x3, x4)
    group_norm = group_norm(x0, x5, x6, groups = 3)
    group_norm_one = group_norm(x0, groups = 1)
    instance_norm = instance_norm(x0, x5, x6)
    instance_norm_bare = instance_norm(x0)
    lrn = lrn(x0, span = 3)
    lrn_even = lrn(x0, span = 4, alpha = 0.5, beta = 0.5, bias = 2.0)
    normalize = normalize(x0)
    normalize_zero = normalize(x8, axis = -1)
    layer_norm_far = layer_norm(x9)
}
