mg 1
// RUN: %mgc --emit-ir --passes= --no-annotations %s > %t.mg
// RUN: %FileCheck --strict-whitespace %s < %t.mg
// RUN: %mgc --emit-ir --passes= --no-annotations %t.mg > %t.again.mg
// RUN: cmp %t.mg %t.again.mg
// Loops, conditionals, sizes from data, groups, constants.
op until<T: float>(x: T[S, D], most: T[]) -> (total: T[D], steps: i64[], trace: T[some K <= S, D])
{
    total, steps, trace = loop t in 0..S carry (acc: T[D] = zeros(shape = [D], type = T), n: i64[] = 0)
        while n < 5
    {
        a[d] = acc[d] + x[t, d]
        m = n + 1
        next acc = a, n = m
        emit a
    }
}
graph control(x: f32[S, D], most: f32[], on: bool[], keep: bool[S])
    -> (total: f32[D], steps: i64[], trace: f32[K, D], y: f32[D], z: f32[L, D], p: f32[C, D], c: f32[4])
{
    total, steps, trace = until(x, most)
    y = if on { n = norm2(total)
                u[d] = total[d] / n[]
                yield u }
        else { yield total }
    dim L <= S = count(keep)
    z[l in 0..L, d]: f32[L, D] = y[d]
    p = compress(x, keep)
    const table: f32[4] = [0x1.8p+1, -0.0, inf, nan]
    c = fused { t = relu(table)
                yield t } #anchor("none")
}

// CHECK:{{^}}graph control(x: f32[S, D], most: f32[], on: bool[], keep: bool[S]) -> (total: f32[D], steps: i64[], trace: f32[trips, D], y: f32[D], z: f32[L, D], p: f32[C, D], c: f32[4]){{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    total_acc_init[s in 0..D]: f32[D] = 0.0{{$}}
// CHECK-NEXT:{{^}}    total_n_init[]: i64[] = 0{{$}}
// CHECK-NEXT:{{^}}    total: f32[D], steps: i64[], trace: f32[trips, D] = loop t in 0..S carry (total_acc: f32[D] = total_acc_init, total_n: i64[] = total_n_init) while total_n[] < 5 {{{$}}
// CHECK-NEXT:{{^}}        total_a[d in 0..D]: f32[D] = total_acc[d] + x[t, d]{{$}}
// CHECK-NEXT:{{^}}        total_m[]: i64[] = total_n[] + 1{{$}}
// CHECK-NEXT:{{^}}        next total_acc = total_a, total_n = total_m{{$}}
// CHECK-NEXT:{{^}}        emit total_a{{$}}
// CHECK-NEXT:{{^}}    }{{$}}
// CHECK-NEXT:{{^}}    y: f32[D] = if on {{{$}}
// CHECK-NEXT:{{^}}        n_r_sum[]: f32[] = sum[i in 0..D] total[i] * total[i]{{$}}
// CHECK-NEXT:{{^}}        n_r[]: f32[] = sqrt(n_r_sum[]){{$}}
// CHECK-NEXT:{{^}}        u[d in 0..D]: f32[D] = total[d] / n_r[]{{$}}
// CHECK-NEXT:{{^}}        yield u{{$}}
// CHECK-NEXT:{{^}}    } else {{{$}}
// CHECK-NEXT:{{^}}        yield total{{$}}
// CHECK-NEXT:{{^}}    }{{$}}
// CHECK-NEXT:{{^}}    L_value_r[]: i64[] = sum[i in 0..S] i64(keep[i]){{$}}
// CHECK-NEXT:{{^}}    dim L <= S = L_value_r{{$}}
// CHECK-NEXT:{{^}}    require S >= L{{$}}
// CHECK-NEXT:{{^}}    z[l in 0..L, d in 0..D]: f32[L, D] = y[d]{{$}}
// CHECK-NEXT:{{^}}    p_p: i64[1, C] = nonzero(keep){{$}}
// CHECK-NEXT:{{^}}    p[c in 0..C, n in 0..D]: f32[C, D] = x[p_p[0, c], n]{{$}}
// CHECK-NEXT:{{^}}    const table: f32[4] = [3.0, -0.0, inf, nan]{{$}}
// CHECK-NEXT:{{^}}    c: f32[4] = fused {{{$}}
// CHECK-NEXT:{{^}}        t[s in 0..4]: f32[4] = max(table[s], 0.0){{$}}
// CHECK-NEXT:{{^}}        yield t{{$}}
// CHECK-NEXT:{{^}}    }{{$}}
// CHECK-NEXT:{{^}}}{{$}}
