mg 1
// made by make_cases.py
graph control(x0: f32[B, S],
    x1: f32[S])
-> (sizes: i64[],
    places: f32[S],
    filled: f32[8],
    powers: f32[S],
    halvings: i64[],
    larger: f32[S],
    smaller: f32[S],
    unrolled: f32[S],
    nested: f32[],
    none_run: f32[],
    picked: f32[])
{
    sizes[] = S * B + 1
    places[i in 0..S] = f32(i) / S
    start[i]: f32[8] = 0
    filled, all_filled = loop t in 0..S carry (ft = start) {
        at[]: i64[] = t
        one[i in 0..1] = x1[t]
        fn[at[] + i]: f32[8] = last[i] one[i] over ft
        next ft = fn
        emit fn
    }
    unit[]: f32[] = 1
    last_power, powers = loop t in 1..S + 1 carry (p = unit) {
        q[] = p[] * t
        next p = q
        emit q
    }
    first[]: i64[] = 100
    none[]: i64[] = 0
    final, halvings = loop carry (v = first, n = none) while v > 1 {
        next v = v / 2, n = n + 1
    }
    total = sum(x1)
    larger = if total > 0 {
        u = x1
        yield u
    } else {
        u = neg(x1)
        yield u
    }
    smaller = if total > 100 { yield x1 } else {
        w[i] = 2 * x1[i]
        yield w
    }
    unrolled = x1
    for i in 0..3 {
        if i == 1 { unrolled = mul(unrolled, 3) } else { unrolled = add(unrolled, i) }
    }
    zero[]: f32[] = 0
    nested = loop b in 0..B carry (outer_sum = zero) {
        inner = loop t in 0..S carry (inner_sum = outer_sum) {
            r[] = inner_sum[] + x0[b, t]
            next inner_sum = r
        }
        next outer_sum = inner
    }
    start_none[]: f32[] = 7
    none_run = loop t in 0..S - 5 carry (c = start_none) { next c = add(c, 1) }
    keep = greater(x1, 0)
    dim K <= S = count(keep)
    where_kept = nonzero(keep)
    first_kept[i in 0..K]: f32[K] = x1[i]
    picked = sum(first_kept)
}
