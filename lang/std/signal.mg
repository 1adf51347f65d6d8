mg 1
// Signals: windows, Fourier transforms as sums (a table of the roots of unity makes each a
// contraction), the mel scale. Angles and frequencies are computed in f64.

// ---- windows of n samples: `periodic` as a spectrum wants them, symmetric otherwise
// a0 - a1 cos(t) + a2 cos(2t), t once round the circle
op cosine_window(n: int, a0: float, a1: float, a2: float = 0.0, periodic: bool = true,
        type: type = f32) -> (y: type[n])
{
    if periodic { t[i in 0..n] = 6.283185307179586 * f64(i) / n }
    if not periodic { t[i in 0..n] = 6.283185307179586 * f64(i) / (n - 1) }
    y[i] = type(where(n > 1, a0 - a1 * cos(t[i]) + a2 * cos(2 * t[i]), 1))
}
// the Hann window
op hann_window(n: int, periodic: bool = true, type: type = f32) -> (y) {
    y = cosine_window(n = n, a0 = 0.5, a1 = 0.5, periodic = periodic, type = type)
}
// the Hamming window: its constants cancel the first side lobe, rounded to fractions
op hamming_window(n: int, periodic: bool = true, type: type = f32) -> (y) {
    y = cosine_window(n = n, a0 = 0.5434782608695652, a1 = 0.45652173913043476, periodic = periodic,
        type = type)
}
// the Blackman window
op blackman_window(n: int, periodic: bool = true, type: type = f32) -> (y) {
    y = cosine_window(n = n, a0 = 0.42, a1 = 0.5, a2 = 0.08, periodic = periodic, type = type)
}

// ---- Fourier. The last dimension holds real and imaginary part, or the real part alone.
// the factor that turns (real, imaginary) by -t / n of a circle, or by t / n. Quarters are exact, so
// that a real signal's fastest frequency has no imaginary part.
op turns(n: int, back: bool, type: type) -> (m: type[n, 2, 2]) {
    a[t in 0..n] = 6.283185307179586 * f64(t) / n
    c[t] = type(where(4 * t == n or 4 * t == 3 * n, 0, cos(a[t])))
    s[t] = type(where(2 * t == n, 0, where(back, -sin(a[t]), sin(a[t]))))
    m[t, q, p] = where(p == q, c[t], where(q == 1, s[t], -s[t]))
}
// the Fourier transform of `length` elements along an axis, where x is cut off or zeros follow it.
// `onesided` keeps what determines the rest: length / 2 + 1 frequencies of a real signal. The
// inverse gives that signal.
op dft<T: float>(x: T[..N, D @ axis, C], axis: int = -2, inverse: bool = false,
        onesided: bool = false, length: int = where(inverse and onesided, 2 * (D - 1), D)) -> (y)
    require axis != -1 and axis != rank(x) - 1 : "axis {axis} holds real and imaginary parts"
    require C == 1 or C == 2 : "the last dimension is {C}; expected 1 (real) or 2 (complex)"
    let L = where(onesided and not inverse, length / 2 + 1, length)
    let J = min(D, where(onesided and inverse, length / 2 + 1, length))
    let P = where(onesided and inverse, 1, 2)
{
    m = turns(n = length, back = inverse, type = T)
    if inverse {
        if onesided {
            h[j in 0..J]: T[J] = where(j == 0 or 2 * j == length, 1, 2)
        } else {
            h[j in 0..J]: T[J] = 1
        }
        u[..n, j @ axis, q]: T[..N, J @ axis, C] = x[..n, j @ axis, q] * h[j] / length
    } else {
        u[..n, j @ axis, q]: T[..N, J @ axis, C] = x[..n, j @ axis, q]
    }
    y[..n, k @ axis, p]: T[..N, L @ axis, P] = sum[j in 0..J, q in 0..C] u[..n, j @ axis, q]
        * m[j * k % length, q, p]
}
// the spectra of frames that begin `step` apart
op stft<T: float>(x: T[B, S, C], window: T[W]?, step: int, length: int = W, onesided: bool = true)
    -> (y)
    require step >= 1 : "step is {step}; expected at least 1"
    let F = (S - length) / step + 1
{
    f[b, i, j, c]: T[B, F, length, C] = x[b, i * step + j, c] * (window[j] else 1)
    y = dft(f, axis = 2, onesided = onesided)
}
// triangular filters over the frequencies of a spectrum of `length` samples: Stevens et al., 1937.
// Their corners are equally spaced on the mel scale.
op mel_weights(bins: int, length: int, rate: int, low: float, high: float, type: type = f32)
    -> (y: type[length / 2 + 1, bins])
{
    a[]: f64[] = 2595 * log1p(f64(low) / 700) / 2.302585092994046
    b[]: f64[] = 2595 * log1p(f64(high) / 700) / 2.302585092994046
    hertz[i in 0..bins + 2] = 700 * (pow(10, (a[] + f64(i) * (b[] - a[]) / (bins + 2)) / 2595) - 1)
    corner[i] = i64(floor((length + 1) * hertz[i] / rate))
    y[j, i] = type(where(j >= corner[i] and j < corner[i + 1],
            f64(j - corner[i]) / f64(corner[i + 1] - corner[i]),
            where(j == corner[i + 1], 1,
                where(j > corner[i + 1] and j < corner[i + 2],
                    f64(corner[i + 2] - j) / f64(corner[i + 2] - corner[i + 1]), 0))))
}
