mg 1
// made by make_cases.py
graph numbers(x0: f32[7],
    x1: f32[])
-> (wrapped: f32[4],
    clamped: f32[11],
    reflected: f32[11],
    halved: f32[4],
    windowed: f32[3],
    hanging: f32[4],
    padding: f32[2],
    resize_source: f32[4],
    cubic_weight: f32[],
    triangle: f32[7],
    pieces: f32[5])
{
    wrapped[i in 0..4] = x0[wrap(i - 2, 7)]
    clamped[i in 0..11] = x0[clamp(i - 2, 7)]
    reflected[i in 0..11] = x0[reflect(i - 2, 7)]
    halved[i in 0..ceildiv(7, 2)] = x0[2 * i]
    windowed[o in 0..windows(7, 3, 2, 1, 0, 0, false)] = sum[k in 0..room(3, 2, 1, false)] x0[2 * o + k]
    hanging[o in 0..windows(7, 2, 2, 1, 0, 0, true)] = sum[k in 0..reach(2, 1)] (x0[2 * o + k] else 0)
    padding[i in 0..same_pad(7, 3, 2, 1)] = x0[i]
    resize_source = resize_source(to = 4, from = 2, scale = 2.0, length = 4.0, coordinates = "half_pixel")
    cubic_weight = cubic_weight(x1, a = -0.5)
    triangle[i in 0..7] = max[j in 0..i + 1] x0[j]
    pieces[i in 0..2] = x0[i]
    pieces[i in 2..5] = 0.0 - x0[i]
}
