mg 1
// RUN: %mgc --emit-ir --passes= --no-annotations %s > %t.mg
// RUN: %FileCheck --strict-whitespace %s < %t.mg
// RUN: %mgc --emit-ir --passes= --no-annotations %t.mg > %t.again.mg
// RUN: cmp %t.mg %t.again.mg
// Instances applied often, arrays of layers, tied weights, keys, loops that number.
import nn
layer block<T: float>(x: T[..N, D], hidden: int) -> (y: T[..N, D])
    require D % 4 == 0 : "{D} channels"
{
    param ln: nn.layer_norm()
    c_fc = nn.linear(ln(x), features = hidden, biased = false)
    z = x + nn_linear(c_fc)
    param w: T[D, _] as "c_proj.weight"
    y = z + linear(c_fc, w)
}
op nn_linear<T: float>(x: T[..N, D]) -> (y: T[..N, 1]) { y[..n, i in 0..1] = sum[d] x[..n, d] }
graph tied(tokens: i64[S]) -> (logits: f32[S, 100])
    weights "tied.safetensors"
    require S <= 1024 : "at most 1024 positions, got {S}"
{
    param wte: nn.embedding(entries = 100, width = 8)
    param h[2]: block(hidden = 16)
    x = wte(tokens)
    for i in 0..2 { x = h[i](x) }
    logits[s, v] = sum[d] x[s, d] * wte.weight[v, d]
}
graph numbered(x: f32[B, 4]) -> (y: f32[B, 4]) {
    y = x
    for i in 0..2 {
        param w: f32[4, 4] as "w_{i}"
        fc = nn.linear(y, features = 4, biased = false)
        y = matmul(fc, w)
    }
}

// CHECK:{{^}}graph tied(tokens: i64[S]) -> (logits: f32[S, 100]){{$}}
// CHECK-NEXT:{{^}}    weights "tied.safetensors"{{$}}
// CHECK-NEXT:{{^}}    require 1024 >= S : "at most 1024 positions, got {S}"{{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    param wte.weight: f32[100, 8]{{$}}
// CHECK-NEXT:{{^}}    param h.0.ln.weight: f32[8]{{$}}
// CHECK-NEXT:{{^}}    param h.0.ln.bias: f32[8]{{$}}
// CHECK-NEXT:{{^}}    param h.0.c_fc.weight: f32[16, 8]{{$}}
// CHECK-NEXT:{{^}}    param h.0.w: f32[8, 16] as "h.0.c_proj.weight"{{$}}
// CHECK-NEXT:{{^}}    param h.1.ln.weight: f32[8]{{$}}
// CHECK-NEXT:{{^}}    param h.1.ln.bias: f32[8]{{$}}
// CHECK-NEXT:{{^}}    param h.1.c_fc.weight: f32[16, 8]{{$}}
// CHECK-NEXT:{{^}}    param h.1.w: f32[8, 16] as "h.1.c_proj.weight"{{$}}
// CHECK-NEXT:{{^}}    x[n in 0..S, d in 0..8]: f32[S, 8] = wte.weight[tokens[n], d]{{$}}
// CHECK-NEXT:{{^}}    x_c_fc_ln_mu[n in 0..S]: f32[S] = mean[r in 0..8] x[n, r]{{$}}
// CHECK-NEXT:{{^}}    x_c_fc_ln_v[n in 0..S]: f32[S] = mean[r in 0..8] (x[n, r] - x_c_fc_ln_mu[n]) * (x[n, r] - x_c_fc_ln_mu[n]){{$}}
// CHECK-NEXT:{{^}}    x_c_fc_ln[n in 0..S, r in 0..8]: f32[S, 8] = (x[n, r] - x_c_fc_ln_mu[n]) / sqrt(x_c_fc_ln_v[n] + 1e-05) * h.0.ln.weight[r] + h.0.ln.bias[r]{{$}}
// CHECK-NEXT:{{^}}    x_c_fc[n in 0..S, o in 0..16]: f32[S, 16] = sum[i in 0..8] x_c_fc_ln[n, i] * h.0.c_fc.weight[o, i]{{$}}
// CHECK-NEXT:{{^}}    x_z_right[n in 0..S, i in 0..1]: f32[S, 1] = sum[d in 0..16] x_c_fc[n, d]{{$}}
// CHECK-NEXT:{{^}}    x_z[s0 in 0..S, s1 in 0..8]: f32[S, 8] = x[s0, s1] + x_z_right[s0, 0]{{$}}
// CHECK-NEXT:{{^}}    x_right[n in 0..S, o in 0..8]: f32[S, 8] = sum[i in 0..16] x_c_fc[n, i] * h.0.w[o, i]{{$}}
// CHECK-NEXT:{{^}}    x_2[s0 in 0..S, s1 in 0..8]: f32[S, 8] = x_z[s0, s1] + x_right[s0, s1]{{$}}
// CHECK-NEXT:{{^}}    x_c_fc_ln_mu_2[n in 0..S]: f32[S] = mean[r in 0..8] x_2[n, r]{{$}}
// CHECK-NEXT:{{^}}    x_c_fc_ln_v_2[n in 0..S]: f32[S] = mean[r in 0..8] (x_2[n, r] - x_c_fc_ln_mu_2[n]) * (x_2[n, r] - x_c_fc_ln_mu_2[n]){{$}}
// CHECK-NEXT:{{^}}    x_c_fc_ln_2[n in 0..S, r in 0..8]: f32[S, 8] = (x_2[n, r] - x_c_fc_ln_mu_2[n]) / sqrt(x_c_fc_ln_v_2[n] + 1e-05) * h.1.ln.weight[r] + h.1.ln.bias[r]{{$}}
// CHECK-NEXT:{{^}}    x_c_fc_2[n in 0..S, o in 0..16]: f32[S, 16] = sum[i in 0..8] x_c_fc_ln_2[n, i] * h.1.c_fc.weight[o, i]{{$}}
// CHECK-NEXT:{{^}}    x_z_right_2[n in 0..S, i in 0..1]: f32[S, 1] = sum[d in 0..16] x_c_fc_2[n, d]{{$}}
// CHECK-NEXT:{{^}}    x_z_2[s0 in 0..S, s1 in 0..8]: f32[S, 8] = x_2[s0, s1] + x_z_right_2[s0, 0]{{$}}
// CHECK-NEXT:{{^}}    x_right_2[n in 0..S, o in 0..8]: f32[S, 8] = sum[i in 0..16] x_c_fc_2[n, i] * h.1.w[o, i]{{$}}
// CHECK-NEXT:{{^}}    x_3[s0 in 0..S, s1 in 0..8]: f32[S, 8] = x_z_2[s0, s1] + x_right_2[s0, s1]{{$}}
// CHECK-NEXT:{{^}}    logits[s in 0..S, v in 0..100]: f32[S, 100] = sum[d in 0..8] x_3[s, d] * wte.weight[v, d]{{$}}
// CHECK-NEXT:{{^}}}{{$}}
// CHECK:{{^}}graph numbered(x: f32[B, 4]) -> (y: f32[B, 4]){{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    param w: f32[4, 4] as "w_0"{{$}}
// CHECK-NEXT:{{^}}    param fc.0.weight: f32[4, 4]{{$}}
// CHECK-NEXT:{{^}}    param w_2: f32[4, 4] as "w_1"{{$}}
// CHECK-NEXT:{{^}}    param fc.1.weight: f32[4, 4]{{$}}
// CHECK-NEXT:{{^}}    fc[n in 0..B, o in 0..4]: f32[B, 4] = sum[i in 0..4] x[n, i] * fc.0.weight[o, i]{{$}}
// CHECK-NEXT:{{^}}    y_3[i in 0..B, j in 0..4]: f32[B, 4] = sum[k in 0..4] fc[i, k] * w[k, j]{{$}}
// CHECK-NEXT:{{^}}    fc_2[n in 0..B, o in 0..4]: f32[B, 4] = sum[i in 0..4] y_3[n, i] * fc.1.weight[o, i]{{$}}
// CHECK-NEXT:{{^}}    y[i in 0..B, j in 0..4]: f32[B, 4] = sum[k in 0..4] fc_2[i, k] * w_2[k, j]{{$}}
// CHECK-NEXT:{{^}}}{{$}}
