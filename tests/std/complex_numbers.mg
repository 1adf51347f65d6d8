mg 1
// made by make_cases.py
import complex
graph complex_numbers(x0: f32[15],
    x1: f32[15],
    x2: f32[15],
    x3: f32[15],
    x4: f32[15],
    x5: f32[15],
    x6: f32[5],
    x7: f32[5],
    x8: f32[8],
    x9: f32[8])
-> (quotient: f32[15],
    exp_re: f32[15],
    exp_im: f32[15],
    sqrt_re: f32[15],
    sqrt_im: f32[15],
    tanh_re: f32[15],
    tanh_im: f32[15],
    log_re: f32[15],
    power_re: f32[15],
    power_im: f32[15],
    asin_re: f32[15],
    asin_im: f32[15],
    acosh_re: f32[15],
    acosh_im: f32[15],
    atanh_re: f32[15],
    atanh_im: f32[15],
    acos_re: f32[15],
    log1p_re: f32[5],
    poles: f32[8],
    turns: f32[8],
    far: f32[8],
    up: f32[8])
{
    quotient = quotient(x0, x1, x2, x3)
    exp_re = exp_re(x4, x5)
    exp_im = exp_im(x4, x5)
    sqrt_re = sqrt_re(x4, x5)
    sqrt_im = sqrt_im(x4, x5)
    tanh_re = tanh_re(x4, x5)
    tanh_im = tanh_im(x4, x5)
    log_re = log_re(x0, x1)
    power_re = power_re(x0, x1, x2, x3)
    power_im = power_im(x0, x1, x2, x3)
    asin_re = asin_re(x0, x1)
    asin_im = asin_im(x0, x1)
    acosh_re = acosh_re(x0, x1)
    acosh_im = acosh_im(x0, x1)
    atanh_re = atanh_re(x0, x1)
    atanh_im = atanh_im(x0, x1)
    acos_re = acos_re(x0, x1)
    log1p_re = log1p_re(x6, x7)
    poles = atanh_re(x8, x9)
    turns = atanh_im(x8, x9)
    far = sqrt_re(x8, x9)
    up = sqrt_im(x8, x9)
}
