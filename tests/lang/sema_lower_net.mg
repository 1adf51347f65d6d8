mg 1
// RUN: %mgc --emit-ir --passes= --no-annotations %s > %t.mg
// RUN: %FileCheck --strict-whitespace %s < %t.mg
// RUN: %mgc --emit-ir --passes= --no-annotations %t.mg > %t.again.mg
// RUN: cmp %t.mg %t.again.mg
// A net: parameters under their keys, packs, places, zips, optional operands, sugar.
import nn
graph digits(image: f32[B <= 64, 1, 28, 28]) -> (probability: f32[B, 10])
    weights "digits.safetensors"
{
    c1 = nn.conv2d(image, channels = 16, kernel = 3, pad = 1)
    p1 = max_pool2d(relu(c1), kernel = 2)
    fc = nn.linear(flatten(p1, from = 1), features = 10)
    probability = softmax(fc, axis = -1)
}

// CHECK:{{^}}graph digits(image: f32[B <= 64, 1, 28, 28]) -> (probability: f32[B, 10]){{$}}
// CHECK-NEXT:{{^}}    weights "digits.safetensors"{{$}}
// CHECK-NEXT:{{^}}{{{$}}
// CHECK-NEXT:{{^}}    param c1.weight: f32[16, 1, 3, 3]{{$}}
// CHECK-NEXT:{{^}}    param c1.bias: f32[16]{{$}}
// CHECK-NEXT:{{^}}    param fc.weight: f32[10, 3136]{{$}}
// CHECK-NEXT:{{^}}    param fc.bias: f32[10]{{$}}
// CHECK-NEXT:{{^}}    c1_sum[n in 0..B, g in 0..1, m in 0..16, o0 in 0..28, o1 in 0..28]: f32[B, 1, 16, 28, 28] = sum[c in 0..1, k0 in 0..3, k1 in 0..3] image[n, g + c, o0 + k0 - 1, o1 + k1 - 1] else 0.0 * c1.weight[16*g + m, c, k0, k1]{{$}}
// CHECK-NEXT:{{^}}    c1[n in 0..B, (g in 0..1, m in 0..16), o0 in 0..28, o1 in 0..28]: f32[B, 16, 28, 28] = c1_sum[n, g, m, o0, o1] + c1.bias[16*g + m]{{$}}
// CHECK-NEXT:{{^}}    p1_relu[s0 in 0..B, s1 in 0..16, s2 in 0..28, s3 in 0..28]: f32[B, 16, 28, 28] = max(c1[s0, s1, s2, s3], 0.0){{$}}
// CHECK-NEXT:{{^}}    p1[n in 0..B, c in 0..16, o0 in 0..14, o1 in 0..14]: f32[B, 16, 14, 14] = max[k0 in 0..2, k1 in 0..2] p1_relu[n, c, 2*o0 + k0, 2*o1 + k1]{{$}}
// CHECK-NEXT:{{^}}    fc_flatten[a in 0..B, (b0 in 0..16, b1 in 0..14, b2 in 0..14)]: f32[B, 3136] = p1[a, b0, b1, b2]{{$}}
// CHECK-NEXT:{{^}}    fc_sum[n in 0..B, o in 0..10]: f32[B, 10] = sum[i in 0..3136] fc_flatten[n, i] * fc.weight[o, i]{{$}}
// CHECK-NEXT:{{^}}    fc[n in 0..B, o in 0..10]: f32[B, 10] = fc_sum[n, o] + fc.bias[o]{{$}}
// CHECK-NEXT:{{^}}    probability_m[n in 0..B]: f32[B] = max[d in 0..10] fc[n, d]{{$}}
// CHECK-NEXT:{{^}}    probability_e[n in 0..B, d in 0..10]: f32[B, 10] = exp(fc[n, d] - probability_m[n]){{$}}
// CHECK-NEXT:{{^}}    probability_sum[n in 0..B]: f32[B] = sum[j in 0..10] probability_e[n, j]{{$}}
// CHECK-NEXT:{{^}}    probability[n in 0..B, d in 0..10]: f32[B, 10] = probability_e[n, d] / probability_sum[n]{{$}}
// CHECK-NEXT:{{^}}}{{$}}
