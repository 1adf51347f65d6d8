mg 1
// made by make_cases.py
graph functions(x0: f32[22],
    x1: f32[19],
    x2: f32[14],
    x3: f32[15],
    x4: f32[10],
    x5: f32[2],
    x6: f32[2],
    x7: f32[8],
    x8: f64[5])
-> (exp: f32[22],
    exp2: f32[22],
    expm1: f32[22],
    erf: f32[22],
    erfc: f32[22],
    atan: f32[22],
    tanh: f32[22],
    sinh: f32[22],
    cosh: f32[22],
    asinh: f32[22],
    floor: f32[22],
    ceil: f32[22],
    round: f32[22],
    trunc: f32[22],
    sin: f32[19],
    cos: f32[19],
    tan: f32[19],
    asin: f32[14],
    acos: f32[14],
    atanh: f32[14],
    sqrt: f32[15],
    log: f32[15],
    log2: f32[15],
    log1p: f32[15],
    rsqrt: f32[15],
    acosh: f32[10],
    domain: f32[2],
    domain_log: f32[2],
    domain_asin: f32[2],
    round_ties: f32[8],
    double: f64[5])
{
    exp = exp(x0)
    exp2 = exp2(x0)
    expm1 = expm1(x0)
    erf = erf(x0)
    erfc = erfc(x0)
    atan = atan(x0)
    tanh = tanh(x0)
    sinh = sinh(x0)
    cosh = cosh(x0)
    asinh = asinh(x0)
    floor = floor(x0)
    ceil = ceil(x0)
    round = round(x0)
    trunc = trunc(x0)
    sin = sin(x1)
    cos = cos(x1)
    tan = tan(x1)
    asin = asin(x2)
    acos = acos(x2)
    atanh = atanh(x2)
    sqrt = sqrt(x3)
    log = log(x3)
    log2 = log2(x3)
    log1p = log1p(x3)
    rsqrt = rsqrt(x3)
    acosh = acosh(x4)
    domain = sqrt(x5)
    domain_log = log(x5)
    domain_asin = asin(x6)
    round_ties = round(x7)
    double = exp(x8)
}
