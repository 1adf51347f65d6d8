#!/usr/bin/env python3
"""Minimax polynomials of ir/kernel_math.c: writes ir/kernel_polynomials.h. Needs mpmath and numpy.

    python3 ir/fit_polynomials.py > ir/kernel_polynomials.h

Each entry approximates g(t) on [a, b] by p(t) of a degree so that |w(t) (p(t) - g(t))| is least, by
the exchange algorithm of Remez (a linear solve on alternating points, then a new reference from the
error's extrema). Coefficients are then rounded one by one, lowest degree first. After each, the
others are fitted again (by least squares, reweighted towards the maximum), so that the higher ones
compensate for the rounding (Brisebarre and Chevillard, "Efficient polynomial L-infinity
approximations", 2007, explain why this matters). The weight makes w (p - g) the relative error of the
function that the formula in kernel_math computes.
"""
from mpmath import mp, mpf, exp, log, sin, cos, asin, atan, sinh, tanh, erf, erfc, sqrt, pi, lu_solve, matrix, expm1, log1p, nstr
import struct, sys
import numpy as np
mp.dps = 80  # 2 / pi needs 224 bits

def f32(x):
    return mpf(struct.unpack('f', struct.pack('f', float(x)))[0])
def f64(x):
    return mpf(float(x))

def remez(g, w, a, b, powers):
    """Coefficients for the given powers of t, minimising max |w(t) (sum c t^power - g(t))|."""
    n = len(powers)
    if n == 0:
        return [], max(abs(w(a + (b - a) * i / 200) * g(a + (b - a) * i / 200)) for i in range(201))
    a, b = mpf(a), mpf(b)
    nodes = [(a + b) / 2 - (b - a) / 2 * mp.cos(pi * (2 * i + 1) / (2 * n + 2)) for i in range(n + 1)]
    grid = [(a + b) / 2 - (b - a) / 2 * mp.cos(pi * i / (40 * n)) for i in range(40 * n + 1)]
    samples = [(t, abs(w(t)), g(t)) for t in grid]
    best = None
    for _ in range(12):
        m, r = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for i, t in enumerate(nodes):
            weight = abs(w(t))  # a weight that changes sign would count its own zero as an alternation
            for j, p in enumerate(powers):
                m[i, j] = weight * t ** p
            m[i, n] = (-1) ** i
            r[i] = weight * g(t)
        s = lu_solve(m, r)
        c = [s[j] for j in range(n)]
        err = [weight * (sum(cj * t ** p for cj, p in zip(c, powers)) - value) for t, weight, value in samples]
        worst = max(abs(e) for e in err)
        if best is None or worst < best[1]:
            best = (c, worst)
        if worst <= abs(s[n]) * mpf('1.01'):
            break
        # the largest error of each run of equal sign, then the best n + 1 neighbouring runs
        runs = []
        for i, e in enumerate(err):
            if runs and (e > 0) == (err[runs[-1]] > 0):
                if abs(e) > abs(err[runs[-1]]):
                    runs[-1] = i
            else:
                runs.append(i)
        while len(runs) > n + 1:
            runs.pop(0 if abs(err[runs[0]]) < abs(err[runs[-1]]) else -1)
        if len(runs) < n + 1:
            break
        nodes = [grid[i] for i in runs]
    return best

def lawson(residual, weight, t, powers, rounds=150):
    """The same for the remaining powers, with the lower ones fixed. Without the constant the basis may vanish
    inside the interval, where Remez has no alternation. So this uses least squares in f64, reweighted by
    the error until the maximum stops falling (Lawson, 1961)."""
    basis = np.stack([t ** p for p in powers], 1) * weight[:, None]
    scale = np.abs(basis).max(0)
    target, share = residual * weight, np.full(len(t), 1 / len(t))
    best = None
    for _ in range(rounds):
        root = np.sqrt(share)
        c = np.linalg.lstsq(basis / scale * root[:, None], target * root, rcond=None)[0] / scale
        e = np.abs(basis @ c - target)
        if best is None or e.max() < best[1]:
            best = (c, e.max())
        share = share * (e + 1e-3 * e.max())
        share /= share.sum()
    return best[0]

def fit(name, note, g, a, b, degree, w, rounding=f32):
    powers = list(range(degree + 1))
    a, b = mpf(a), mpf(b)
    grid = [(a + b) / 2 - (b - a) / 2 * mp.cos(pi * i / 1000) for i in range(1001)]
    exact, weight = [g(t) for t in grid], [abs(w(t)) for t in grid]
    c, error = remez(g, w, a, b, powers)
    coefficients = [rounding(c[0])]
    while len(coefficients) <= degree:
        n = len(coefficients)
        residual = [x - sum(k * t ** p for p, k in enumerate(coefficients)) for t, x in zip(grid, exact)]
        if rounding is f64:
            rest = c[n:]
        else:
            rest = lawson(np.array(residual, float), np.array(weight, float), np.array(grid, float), powers[n:])
        coefficients.append(rounding(rest[0]))
    worst = max(abs(k * (sum(x * t ** p for p, x in enumerate(coefficients)) - y)) for t, y, k in zip(grid, exact, weight))
    bits = lambda e: nstr(log(e) / log(2), 4)
    print(f'\n// {note}; relative error 2^{bits(worst)} (2^{bits(error)} before rounding)')
    print(f'__attribute__((unused)) static const double {name}[] = {{{", ".join(float(x).hex() for x in coefficients)}}};')
    sys.stdout.flush()
    return [float(x) for x in coefficients]

def erfcx_quotient(scale, first, b, unit=1, rounds=25):
    """exp(a^2) erfc(a) for a = unit x, x on [0, b], as first (1 + x p(x)) / (scale x (1 + x p(x)) + r(x)) with r(0) = first: p and
    r, of degrees 3 and 3, rounded to f32 one by one, the highest first. The error in 1 + x p nearly cancels where x is large. Given
    what is fixed, the rest is linear up to a weight, 1 over the divisor of the step before (Sanathanan and Koerner, 1963), and a
    second one towards the largest error (Lawson)."""
    x = np.array([float(b) * ((1 - np.cos(np.pi * (i + 0.5) / 400)) / 2) ** 1.5 for i in range(400)])
    f = np.array([float(exp((unit * mpf(t)) ** 2) * erfc(unit * mpf(t))) for t in x])
    column = lambda i: (first - f * scale * x) * x ** (i + 1) if i < 4 else -f * x ** (i - 3)
    def solve(fixed, rounds):
        free = [i for i in range(7) if i not in fixed]
        base = (first - f * scale * x) - f * first + sum(v * column(i) for i, v in fixed.items())
        under, share, best = np.ones(len(x)), np.ones(len(x)), None
        for _ in range(rounds if free else 1):
            c = dict(fixed)
            if free:
                basis, root = np.stack([column(i) for i in free], 1), np.sqrt(share) / (abs(under) * f)
                size = abs(basis * root[:, None]).max(0)
                c.update(zip(free, np.linalg.lstsq(basis * root[:, None] / size, -base * root, rcond=None)[0] / size))
            over = 1 + sum(c[i] * x ** (i + 1) for i in range(4))
            under = scale * x * over + first + sum(c[4 + i] * x ** (i + 1) for i in range(3))
            e = abs(first * over / under / f - 1)
            if best is None or e.max() < best[1]:
                best = (c, e.max())
            share = share * (e + 1e-2 * e.max())
            share /= share.sum()
        return best
    fixed, before = {}, solve({}, 60)[1]
    for i in (4, 0, 5, 1, 6, 2, 3):
        fixed[i] = float(f32(solve(fixed, rounds)[0][i]))
    return [fixed[i] for i in range(4)], [first] + [fixed[4 + i] for i in range(3)], before, solve(fixed, 1)[1]

def table_exp2(steps, degree, rounds, drawn=150):
    """2^(r + j / steps) as T[j] p(r), |r| <= 1 / (2 steps): a polynomial whose leading coefficient is 1. Its constant C0 may be any
    f32 near degree! / ln(2)^degree, as the leading term hardly counts: of those for which the T[j] = 2^(j / steps) / C0 are nearest
    to f32 the one is taken with which f32 arithmetic errs least."""
    ideal, powers = float(mp.factorial(degree) / ln2 ** degree), 2.0 ** (np.arange(steps) / steps)
    c0 = np.float32(np.arange(0.98 * ideal, 1.02 * ideal, rounds)).astype(float)
    exact = powers[None, :] / c0[:, None]
    r = np.float32(1.001 / (2 * steps) * np.cos(np.pi * (np.arange(400) + 0.5) / 400)).astype(float)
    once = lambda x: np.float32(x).astype(float)
    best = None
    for i in np.argsort((np.abs(np.float32(exact) / exact - 1) * powers[None, :]).max(1))[:drawn]:
        target, c, table = np.exp2(r) * c0[i], [float(c0[i])], once(exact[i])
        for n in range(1, degree):
            residual = target - r ** degree - sum(x * r ** i for i, x in enumerate(c))
            c.append(float(f32(lawson(residual, 1 / target, r, list(range(n, degree)), 40)[0])))
        p = once(r + c[-1])
        for x in c[-2::-1]:
            p = once(p * r + x)
        want = np.exp2(r)[None, :] * powers[:, None]
        worst = (np.abs(once(table[:, None] * p[None, :]) - want) / np.spacing(np.float32(want))).max()
        if best is None or worst < best[0]:
            error = np.abs((sum(x * r ** i for i, x in enumerate(c)) + r ** degree) / target - 1).max()
            best = (worst, c, error, list(map(float, table)))
    return best[1:]

def erfc_pieces(offset=0.90625, steps=4, end=12.2, degree=4):
    """2^(-b^2) / erfc(b sqrt(ln 2)) piecewise in powers of b: pieces are those of the mantissa of b + offset, `steps` to a power
    of two; a table's place is the number of the piece modulo 16. Coefficients are rounded highest degree first, so that what is
    left is in the constants, which are finest. The offset is the one of eight that were tried with which erfc errs least."""
    under = lambda b: mpf(2) ** -mpf(b) ** 2 / erfc(mpf(b) * sqrt(ln2))
    rows, worst, v = [[0.0] * 16 for _ in range(degree + 1)], 0, offset
    while v < offset + end:
        step = 2.0 ** np.floor(np.log2(v)) / steps
        low, high, place = v - offset, min(np.floor(v / step) * step + step - offset, end), struct.unpack('I', struct.pack('f', v))[0] >> 21 & 15
        t = (low + high) / 2 - (high - low) / 2 * 1.0005 * np.cos(np.pi * (np.arange(120) + 0.5) / 120)
        f, c = np.array([float(under(x)) for x in t]), {}
        for n in range(degree, -1, -1):
            residual = f - sum(x * t ** i for i, x in c.items())
            c[n] = float(f32(lawson(residual, 1 / f, t, list(range(n + 1)), 60)[n]))
        worst = max(worst, np.abs(sum(x * t ** i for i, x in c.items()) / f - 1).max())
        for i in range(degree + 1):
            rows[i][place] = c[i]
        v += high - low
    return rows, worst

def near(t, f, limit):
    """f(t) away from 0, its limit there."""
    return limit if abs(t) < mpf(10) ** -12 else f(t)

ln2 = log(2)

print('// Written by ir/fit_polynomials.py. Lowest degree first.')
print('// Each table is included where it is used, so a file may leave some unused.')
print('#ifndef MG_IR_KERNEL_POLYNOMIALS_H\n#define MG_IR_KERNEL_POLYNOMIALS_H\n\n#include <stdint.h>\n')

h = ln2 / 2 + mpf('1e-4')
exp_poly = fit('exp_poly', 'exp(r) = 1 + r p(r), |r| <= ln 2 / 2',
    lambda r: near(r, lambda r: expm1(r) / r, mpf(1)), -h, h, 5, lambda r: r / exp(r))
fit('expm1_poly', 'expm1(r) = r + r^2 p(r), |r| <= ln 2 / 2',
    lambda r: near(r, lambda r: (expm1(r) - r) / r ** 2, mpf('0.5')), -h, h, 5,
    lambda r: near(r, lambda r: r ** 2 / expm1(r), mpf(0)))
fit('exp2_poly', 'exp2(r) = 1 + r p(r), |r| <= 1/2',
    lambda r: near(r, lambda r: expm1(r * ln2) / r, ln2), mpf('-0.5'), mpf('0.5'), 6, lambda r: r / exp(r * ln2))
third = mpf(1) / 3 + mpf('1e-4')
fit('log_poly', 'log(1 + f) = f - f^2 / 2 + f^3 p(f), |f| <= 1/3',
    lambda f: near(f, lambda f: (log1p(f) - f + f * f / 2) / f ** 3, mpf(1) / 3), -third, third, 7,
    lambda f: near(f, lambda f: f ** 3 / log1p(f), mpf(0)))
log2_high = f32(1 / ln2)
print(f'// log2(e) to f32, and what is left')
print(f'__attribute__((unused)) static const double log2e[] = {{{float(log2_high).hex()}, {float(f32(1 / ln2 - log2_high)).hex()}}};')
fit('log2_poly', 'log2(1 + f) = f log2(e) + f^2 p(f), |f| <= 1/3',
    lambda f: near(f, lambda f: (log1p(f) - f) / ln2 / f ** 2, -1 / (2 * ln2)), -third, third, 8,
    lambda f: near(f, lambda f: f ** 2 / (log1p(f) / ln2), mpf(0)))
fit('tanh_poly', 'tanh(x) = x + x^3 p(x^2), |x| <= 0.625',
    lambda t: near(t, lambda t: (tanh(sqrt(t)) / sqrt(t) - 1) / t, mpf(-1) / 3), 0, mpf('0.625') ** 2, 5,
    lambda t: near(t, lambda t: t * sqrt(t) / tanh(sqrt(t)), mpf(0)))
fit('erf_poly', 'erf(x) = x + x p(x^2), |x| <= 0.93',
    lambda t: near(t, lambda t: erf(sqrt(t)) / sqrt(t) - 1, 2 / sqrt(pi) - 1), 0, mpf('0.93') ** 2, 6,
    lambda t: near(t, lambda t: sqrt(t) / erf(sqrt(t)), sqrt(pi) / 2))
fit('erf_tail_poly', 'log(erfc(x)) = p(x), 0.92 <= x <= 4', lambda x: log(erfc(x)), mpf('0.92'), 4, 7,
    lambda x: erfc(x) / erf(x))
# first / scale is 1 / sqrt(pi), the limit for large x; how large both are decides where between two powers of 2 values lie,
# and so how finely they are rounded: of 1,400 pairs that were drawn this one gave the least error of the whole formula.
scale, first = float.fromhex('0x1.88944cp+0'), float.fromhex('0x1.bafa38p-1')
over, under, before, after = erfcx_quotient(scale, first, 10.13)
bits = lambda e: f'2^{np.log2(e):.2f}'
print(f'\n// exp(x^2) erfc(x) = c d / (s x d + r(x)), d = 1 + x p(x), 0 <= x <= 10.13; relative error {bits(after)}')
print(f'// ({bits(before)} before rounding): p; s and r, times 2^24; and c exp(t), |t| <= ln 2 / 2')
for name, values in (('erfc_over_poly', over), ('erfc_under_scale', [scale * 2.0 ** 24]),
                     ('erfc_under_poly', [v * 2.0 ** 24 for v in under]),
                     ('erfc_exp_poly', [float(f32(first * v)) for v in [1.0] + exp_poly])):
    print(f'__attribute__((unused)) static const double {name}[] = {{{", ".join(float(v).hex() for v in values)}}};')
def array(values):
    return '{' + ', '.join(float(x).hex() for x in values) + '}'
# In units of sqrt(ln 2); the scale is the best of 470 that were drawn.
scale = float.fromhex('0x1.79c530p+0')
over, under, before, after = erfcx_quotient(scale, 1.0, 12.19, sqrt(ln2))
print(f'\n// 2^(b^2) erfc(b sqrt(ln 2)) = d / (s b d + r(b)), d = 1 + b p(b), 0 <= b <= 12.19; relative error {bits(after)}')
print(f'// ({bits(before)} before rounding): p; s and r, times 2^32')
for name, values in (('erfc2_over_poly', over), ('erfc2_under_scale', [scale * 2.0 ** 32]),
                     ('erfc2_under_poly', [v * 2.0 ** 32 for v in under])):
    print(f'__attribute__((unused)) static const double {name}[] = {array(values)};')
cubic, error, sixteenths = table_exp2(16, 3, 2.0 ** -19)
print(f'\n// 2^(r + j / 16) = T[j] (C[0] + C[1] r + C[2] r^2 + r^3), |r| <= 1 / 32; relative error {bits(error)}: C, T')
print(f'__attribute__((unused)) static const double exp2_cubic[] = {array(cubic)};')
print(f'__attribute__((unused)) static const double exp2_sixteenths[16] = {array(sixteenths)};')
quartic, error, quarters = table_exp2(4, 4, 2.0 ** -17)
print(f'\n// 2^(r + j / 4) = T[j] (C[0] + C[1] r + C[2] r^2 + C[3] r^3 + r^4), |r| <= 1 / 8; relative error {bits(error)}: C, T')
print(f'__attribute__((unused)) static const double exp2_quartic[] = {array(quartic)};')
print(f'__attribute__((unused)) static const double exp2_quarters[4] = {array(quarters)};')
quartics, error = erfc_pieces()
print(f'\n// 2^(-b^2) / erfc(b sqrt(ln 2)) = sum Q[i][j] b^i, j the bits of b + 0.90625 from 2^21 on, modulo 16; relative error {bits(error)}: Q')
print(f'__attribute__((unused)) static const double erfc_quartics[5][16] = {{{", ".join(map(array, quartics))}}};')
q = pi / 4 + mpf('1e-4')
fit('sin_poly', 'sin(r) = r + r^3 p(r^2), |r| <= pi / 4',
    lambda t: near(t, lambda t: (sin(sqrt(t)) / sqrt(t) - 1) / t, mpf(-1) / 6), 0, q * q, 3,
    lambda t: near(t, lambda t: t * sqrt(t) / sin(sqrt(t)), mpf(0)))
fit('cos_poly', 'cos(r) = 1 - r^2 / 2 + r^4 p(r^2), |r| <= pi / 4',
    lambda t: near(t, lambda t: (cos(sqrt(t)) - 1 + t / 2) / t ** 2, mpf(1) / 24), 0, q * q, 2,
    lambda t: t ** 2 / cos(sqrt(t)))
fit('asin_poly', 'asin(x) = x + x^3 p(x^2), |x| <= 1/2',
    lambda t: near(t, lambda t: (asin(sqrt(t)) / sqrt(t) - 1) / t, mpf(1) / 6), 0, mpf('0.2501'), 5,
    lambda t: near(t, lambda t: t * sqrt(t) / asin(sqrt(t)), mpf(0)))
fit('atan_poly', 'atan(x) = x + x^3 p(x^2), |x| <= 1',
    lambda t: near(t, lambda t: (atan(sqrt(t)) / sqrt(t) - 1) / t, mpf(-1) / 3), 0, 1, 8,
    lambda t: near(t, lambda t: t * sqrt(t) / atan(sqrt(t)), mpf(0)))
fit('sinh_poly', 'sinh(x) = x + x^3 p(x^2), |x| <= 1',
    lambda t: near(t, lambda t: (sinh(sqrt(t)) / sqrt(t) - 1) / t, mpf(1) / 6), 0, mpf('1.001'), 3,
    lambda t: near(t, lambda t: t * sqrt(t) / sinh(sqrt(t)), mpf(0)))
s = (sqrt(2) - 1) / (sqrt(2) + 1) + mpf('1e-4')
fit('log2_f64_poly', 'log2((1 + s) / (1 - s)) = s p(s^2), |s| <= (sqrt 2 - 1) / (sqrt 2 + 1), in f64',
    lambda t: near(t, lambda t: (lambda s: 2 * mp.atanh(s) / ln2 / s)(sqrt(t)), 2 / ln2), 0, s * s, 5,
    lambda t: near(t, lambda t: (lambda s: s / (2 * mp.atanh(s) / ln2))(sqrt(t)), ln2 / 2), rounding=f64)
print('\n// 2 / pi in words of 32 bits: 0.A2F9836E...')
digits = int(mp.floor(2 / pi * mpf(2) ** 224))
words = ['0x%08x' % (digits >> 32 * (6 - i) & 0xffffffff) for i in range(7)]
print(f'__attribute__((unused)) static const uint32_t two_over_pi[] = {{{", ".join(words)}}};')
print('\n#endif')
