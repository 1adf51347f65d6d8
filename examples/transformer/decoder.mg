mg 1
import nn

// One block of a decoder with a cache of keys and values. S new tokens stand at places at to
// at + S - 1; each sees itself and everything before it. The cache has P places; `k1` and `v1` are
// `k` and `v` with the new keys and values written into them.
layer decoder_block(x: f32[B, S, D], k: f32[B, H, P, E], v: f32[B, H, P, E], at: i64[])
    -> (y: f32[B, S, D], k1: f32[B, H, P, E], v1: f32[B, H, P, E])
    require D == H * E : "{D} channels do not split into {H} heads of {E}"
{
    param norm1: nn.rms_norm()
    param qkv: nn.linear(features = 3 * D, biased = false)
    param out: nn.linear(features = D, biased = false)
    param norm2: nn.rms_norm()
    param up: nn.linear(features = 8 * D, biased = false)
    param down: nn.linear(features = D, biased = false)

    z = qkv(norm1(x))
    q[b, h, s, e]: f32[B, H, S, E] = z[b, s, h * E + e]
    kn[b, h, s, e]: f32[B, H, S, E] = z[b, s, D + h * E + e]
    vn[b, h, s, e]: f32[B, H, S, E] = z[b, s, 2 * D + h * E + e]
    place[s in 0..S]: f32[S] = f32(at[]) + s
    k1 = cache_update(k, rotary(kn, place), at)
    v1 = cache_update(v, vn, at)
    mask[s in 0..S, j in 0..P]: f32[S, P] = where(j <= at[] + s, 0, -inf)
    a = attention(rotary(q, place), k1, v1, mask)
    m[b, s, (h, e)]: f32[B, S, H * E] = a[b, h, s, e]
    u = add(x, out(m))
    y = add(u, down(swiglu(up(norm2(u)))))
}

// A program calls this for each new token. The outputs k1 and v1 take over the memory of k and v, and
// are the inputs of the next call.
graph step(x: f32[B, S, 16], k: f32[B, 2, 32, 8], v: f32[B, 2, 32, 8], at: i64[])
    -> (y: f32[B, S, 16], k1: f32[B, 2, 32, 8] over k, v1: f32[B, 2, 32, 8] over v)
    weights "decoder.safetensors"
{
    param block: decoder_block()
    y, k1, v1 = block(x, k, v, at)
}

// Runs the same tokens one at a time, in a loop that carries the cache, and all at once. Gives the
// largest difference.
graph compare(x: f32[S, 16]) -> (difference: f32[])
    weights "decoder.safetensors"
    require S <= 32 : "the cache has 32 places, got {S} tokens"
{
    param block: decoder_block()
    empty = zeros(shape = [1, 2, 32, 8])
    k, v, one = loop t in 0..S carry (kt = empty, vt = empty) {
        xt[b in 0..1, s in 0..1, d] = x[t, d]
        at[]: i64[] = t
        yt, kn, vn = block(xt, kt, vt, at)
        row[d] = yt[0, 0, d]
        next kt = kn, vt = vn
        emit row
    }
    zero[]: i64[] = 0
    whole[b in 0..1, s, d] = x[s, d]
    together, ka, va = block(whole, empty, empty, zero)
    difference[] = max[s, d] abs(one[s, d] - together[0, s, d])
}
