mg 1
// made by make_cases.py
graph sequence_losses(x0: f32[5, 6, 4],
    x1: i64[6, 4],
    x2: i32[6],
    x3: i32[6],
    x4: i64[6, 2],
    x5: i32[6],
    x6: i64[6, 0],
    x7: i32[6],
    x8: f32[4],
    x9: f32[4],
    x10: f32[4])
-> (ctc_none: f32[6],
    ctc_sum: f32[],
    ctc_mean: f32[],
    ctc_infinite: f32[6],
    ctc_blank: f32[6],
    ctc_slope: f32[5, 6, 4],
    ctc_no_labels: f32[6],
    log_add: f32[4])
{
    ctc_none = ctc_loss(x0, x1, x2, x3, reduction = "none", zero_infinity = true)
    ctc_sum = ctc_loss(x0, x1, x2, x3, reduction = "sum", zero_infinity = true)
    ctc_mean = ctc_loss(x0, x1, x2, x3, reduction = "mean", zero_infinity = true)
    ctc_infinite = ctc_loss(x0, x1, x2, x3, reduction = "none")
    ctc_blank = ctc_loss(x0, x4, x2, x5, blank = 3, reduction = "none")
    ctc_total = ctc_loss(x0, x1, x2, x3, reduction = "sum", zero_infinity = true)
    ctc_slope = derivative(ctc_total, x0)
    ctc_no_labels = ctc_loss(x0, x6, x2, x7, reduction = "none")
    log_add = log_add(x8, x9, x10)
}
