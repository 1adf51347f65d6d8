mg 1
// made by make_cases.py
graph signals(x0: f32[2, 10, 3, 1],
    x1: f32[2, 9, 2],
    x2: f32[2, 40, 1],
    x3: f32[16])
-> (hann_periodic: f32[9],
    hann_symmetric: f32[9],
    blackman_periodic: f32[9],
    blackman_symmetric: f32[9],
    hamming: f32[8],
    hamming_symmetric: f64[8],
    cosine: f32[1],
    turns: f64[4, 2, 2],
    dft: f32[2, 10, 3, 2],
    dft_last: f32[2, 10, 3, 2],
    dft_first: f32[2, 10, 3, 2],
    dft_onesided: f32[2, 6, 3, 2],
    dft_padded: f32[2, 13, 3, 2],
    dft_cut: f32[2, 4, 3, 2],
    dft_complex: f32[2, 9, 2],
    dft_inverse: f32[2, 9, 2],
    dft_inverse_padded: f32[2, 12, 2],
    dft_real: f32[2, 16, 1],
    dft_real_odd: f32[2, 17, 1],
    stft: f32[2, 4, 9, 2],
    stft_bare: f32[2, 4, 16, 2],
    mel: f32[33, 8],
    mel_zero: f32[17, 5])
{
    hann_periodic = hann_window(n = 9)
    hann_symmetric = hann_window(n = 9, periodic = false)
    blackman_periodic = blackman_window(n = 9)
    blackman_symmetric = blackman_window(n = 9, periodic = false)
    hamming = hamming_window(n = 8)
    hamming_symmetric = hamming_window(n = 8, periodic = false, type = f64)
    cosine = cosine_window(n = 1, a0 = 0.3, a1 = 0.7, periodic = false)
    turns = turns(n = 4, back = true, type = f64)
    dft = dft(x0, axis = 1)
    dft_last = dft(x0)
    dft_first = dft(x0, axis = 0, onesided = true)
    dft_onesided = dft(x0, axis = 1, onesided = true)
    dft_padded = dft(x0, axis = 1, length = 13)
    dft_cut = dft(x0, axis = 1, length = 7, onesided = true)
    dft_complex = dft(x1)
    dft_inverse = dft(x1, inverse = true)
    dft_inverse_padded = dft(x1, inverse = true, length = 12)
    dft_real = dft(x1, inverse = true, onesided = true)
    dft_real_odd = dft(x1, inverse = true, onesided = true, length = 17)
    stft = stft(x2, x3, step = 8)
    stft_bare = stft(x2, step = 8, length = 16, onesided = false)
    mel = mel_weights(bins = 8, length = 64, rate = 8192, low = 100, high = 4000)
    mel_zero = mel_weights(bins = 5, length = 33, rate = 16000, low = 0, high = 8000)
}
