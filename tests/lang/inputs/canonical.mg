mg 1
// Every construct of the grammar, for tests of the parser and the formatter. It means nothing.
import nn
import "blocks.mg" as blocks

builtin op concat<T: any>(xs: T[..N, D @ axis]..., axis: int) -> (y: T[..N, D @ axis]...)
builtin op nonzero<T: any>(x: T[..S]) -> (y: i64[rank(x), some C <= size(S)])

op max<T: number>(a: T[..S], b: T[..S]) -> (y: T[..S]) broadcast S { y[..s] = max(a[..s], b[..s]) }

op conv<T: number>(x: T[N, groups * C, ..X], w: T[groups * M, C, ..K], bias: T[groups * M]?,
        stride: int[..X] = 1, in: int[] = [1, 2, 0..=rank(x)], mode: "reflect" | "edge" = "edge",
        to: type = f32, scale: float = 1e-5, name: str = "a\\b", on: bool = true)
    -> (y: T[N, groups * M, ..O], z)
    let ..O = windows(X, K, stride)
    let L = max(0, -((start - stop) / step))
    require D % groups == 0 : "{D} channels do not split into {groups}"
    require N > 0
{
    y[n, (g, m), ..o]: T[N, groups * M, ..O] = (sum[c, ..k in 0..K] (x[n, (g, c),
        ..(o * stride + k - pad)] else 0)
        * w[(g, m), c, ..k])
        + (bias[(g, m)] else -1)
    y[n in 0..N, (..b), ..(i * stride) @ axes, d @ 0..2] else none = last[..q, r in 0..i + 1] u[..q,
        r @ -1] over base
    z[..i in 0..X] = --a.b.c[i] + input.1 * 0x1.8p+1 - inf / nan % 2
    if not on and rank(x) <= 3 or given(bias) {
        z = x
    } else if mode != "edge" {
        z = y
    } else {
        z = w
    }
}

layer stack(x: T[S, B, I], hidden: int) -> (y: T[S, B, hidden]) {
    param w_ih: T[4 * hidden, _] as "weight_ih_l{l}" #at("a.mg", 1, 2) #erased
    param h[12]: gpt_block(heads = 12)
    param fc: nn.linear(features = 10) as "classifier"
    buffer mean.0: T[]
    buffer stats[3]: nn.stats()
    const table: f32[4] = [0x1.8p+1, -0.0, inf, nan]
    for i in 0..12 { x = h[i](x) }
    a, b: T[S, some P <= 1024] = nn.lstm(x, blocks.f(x))
    h, ys: T[S] = loop t in 0..S carry (ht: T[B] = h0, ct = c0) while norm(ht) < limit {
        next ht = step(ht), ct = ct
        emit ht, ct
    }
    n = loop carry (k = 0) while k[] < 10 { next k = k + 1 }
    y = if on { yield a } else { yield b }
    p: f32[B, 16] = fused {
        m[i in 0..B]: f32[B] = max[r in 0..2] x[i, r]
        yield m
    } #anchor("window") #buf(0, 802816)
    dim K <= B * S = count(mask)
    dim J = count(mask)
    require K == J : "sizes differ"
}

graph digits(image: f32[B <= 64, 1, 28, 28], cache: f16[B, P])
    -> (probability: f32[B, 10], cache_out: f16[B, P] over cache)
    weights "digits.safetensors"
{
    probability = softmax(nn.linear(image), axis = -1)
}
