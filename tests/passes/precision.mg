// RUN: %mgc --emit-kernels --explain=precision --march=znver4 --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=PLAIN
// RUN: %mgc --emit-kernels --explain=precision --march=x86-64-v3 --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=OLD
// RUN: %mgc --emit-kernels --explain=precision --march=znver4 --strict --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=STRICT
// RUN: %mgc --emit-kernels --explain=precision --march=znver4 --precision=bf16 --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=BF16
// RUN: %mgc --emit-kernels --explain=precision --march=znver4 --graph=whole %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=WHOLE
// RUN: %mgc --emit-kernels --explain=precision --march=neoverse-n1 --graph=whole %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=NEOVERSE
// RUN: %mgc --emit-kernels --explain=precision --march=znver4 --precision=bf16 --graph=own %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=OWN
// RUN: %mgc --emit-kernels --explain=precision --march=znver4 --precision=bf16 --graph=row %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=ROW
// RUN: %mgc --emit-kernels --explain=precision --march=znver4 -O3 --winograd=2 --graph=tiles %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=TILES
// RUN: %mgc --emit-opencl --explain=precision --target=gpu --march=cu=132,items=1024,local=49152,ptx=80 --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=UNITS
// RUN: %mgc --emit-opencl --explain=precision --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=APART
// RUN: %mgc --emit-schedule --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --graph=plain %s > %t.mgs && %FileCheck %s --check-prefix=PARTS < %t.mgs
// RUN: %not %mgc --emit-schedule --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --graph=plain --strict --schedule=%t.mgs %s 2>&1 | %FileCheck %s --check-prefix=NOPARTS
// RUN: %not %mgc --emit-schedule --target=gpu --march=cu=132,items=1024,local=49152,ptx=80 --graph=plain --schedule=%t.mgs %s 2>&1 | %FileCheck %s --check-prefix=NOPARTS
// RUN: sed 's/by parts/by turn/' %t.mgs > %t.wrong.mgs; %not %mgc --emit-schedule --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --graph=plain --schedule=%t.wrong.mgs %s 2>&1 | %FileCheck %s --check-prefix=NOWAY
// RUN: %mgc --emit-opencl --explain=precision --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --precision=tf32 --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=TF32
// RUN: %mgc --emit-opencl --explain=precision --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --precision=tf32 --graph=tiny %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=TINY
// RUN: %mgc --emit-opencl --explain=precision --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --graph=large %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=LARGE
// RUN: %mgc --emit-opencl --explain=precision --target=gpu --march=cu=132,items=1024,local=49152,ptx=90 --graph=heads %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=HEADS
// RUN: %mgc --emit-opencl --explain=precision --target=gpu --march=cu=132,items=1024,local=49152 --graph=plain %s 2>&1 >/dev/null | %FileCheck %s --check-prefix=BARE
mg 1
import nn

// PLAIN: y ({{.*}}precision.mg:{{[0-9]+}}:5): a product of matrices, f32 by f32 to sums of f32: contraction by fma of f32, 16 at once
// PLAIN-NEXT: not by products of bf16: factors would be rounded to bf16, which --precision=bf16 allows
// PLAIN-NOT: {{.}}
// OLD: contraction by fma of f32, 8 at once
// OLD-NOT: {{.}}
// STRICT: contraction by * and + of f32, 16 at once
// STRICT-NEXT: not by products of bf16: --strict keeps the order of sums
// BF16: f32 (rounded to bf16 by --precision=bf16) by f32 (rounded to bf16 by --precision=bf16) to sums of f32: contraction by fma
// BF16-NEXT: the result is rounded to bf16 by --precision=bf16
// BF16-NEXT: not by products of bf16: the instruction takes subnormal factors for 0
// UNITS: f32 by f32 to sums of f32: contraction by fma of f32, 4 at once
// UNITS-NEXT: not by products of bf16: factors would be rounded to bf16, which --precision=bf16 allows
// UNITS-NEXT: not by products of f16: factors would be rounded to f16, which --precision=f16 allows
// UNITS-NEXT: not by products of tf32: it rounds factors to 11 bits, which --precision=tf32 allows
// APART: contraction by mma.sync, k8, f32.tf32.tf32, three products of each factor's high and low part
// APART-NEXT: not by products of bf16: factors would be rounded to bf16, which --precision=bf16 allows
// APART-NEXT: not by products of f16: factors would be rounded to f16, which --precision=f16 allows
// PARTS: do y with tf32 by parts
// NOPARTS: error: only products of f32 can be split, not with --strict, and on a target that has matrix units, and whose figure 'parts_faster'
// NOWAY: error: matrix units have no way but 'by parts', 'by wide' and 'by split'
// TF32: contraction by mma.sync, k8, f32.tf32.tf32
// TF32-NEXT: factors are rounded to 11 bits by --precision=tf32
// TF32-NEXT: not by products of bf16: factors
// BARE: contraction by fma of f32, 4 at once
// BARE-NOT: {{.}}
graph plain(x: f32[256, 256], w: f32[256, 256]) -> (y: f32[256, 256]) {
    y[i, j] = sum[k] x[i, k] * w[k, j]
}
// WHOLE: u8 by i8 to sums of i32: contraction by llvm.x86.avx512.vpdpbusd.512, 4 products in each of 16 sums
// WHOLE-NOT: {{.}}
// NEOVERSE: u8 by i8 to sums of i32: contraction by llvm.aarch64.neon.sdot, 4 products in each of 4 sums
graph whole(x: u8[256, 256], w: i8[256, 256]) -> (y: i32[256, 256]) {
    y[i, j] = sum[k] i32(x[i, k]) * i32(w[k, j])
}
// OWN: f32 (rounded to bf16 by the model) by f32 (rounded to bf16 by --precision=bf16) to sums of f32
graph own(x: f32[256, 256], w: f32[256, 256]) -> (y: f32[256, 256]) {
    y[i, j] = sum[k] f32(bf16(x[i, k])) * w[k, j]
}
// ROW: a matrix by vectors, f32 (rounded to bf16 by --precision=bf16) by f32 (rounded to bf16 by --precision=bf16) to sums of f32: reduction by fma
// ROW: not by products of bf16: only products of matrices use it
graph row(x: f32[1, 256]) -> (y: f32[1, 512]) {
    param w: f32[256, 512]
    y[i, j] = sum[k] x[i, k] * w[k, j]
}
// TILES: in transformed tiles, whose rounding errors are larger; --winograd=never forbids it
graph tiles(x: f32[1, 64, 56, 56]) -> (y: f32[1, 64, 56, 56]) {
    y = nn.conv2d(x, channels = 64, kernel = 3, pad = 1, biased = false)
}
// TINY: reduction by fma of f32, 1 at once
// TINY: not by products of tf32: the form 'reduction' has no tile of it that would be faster: there are 16 sums of 3 terms
graph tiny(x: f32[4, 3], w: f32[3, 4]) -> (y: f32[4, 4]) {
    y[i, j] = sum[k] x[i, k] * w[k, j]
}
// LARGE: contraction by wgmma.mma_async, k8, f32.tf32.tf32, three products of each factor's high and low part
graph large(x: f32[4096, 4096], w: f32[4096, 4096]) -> (y: f32[4096, 4096]) {
    y[i, j] = sum[k] x[i, k] * w[k, j]
}
// HEADS: y_s_sum ({{.*}}): a product of matrices, bf16 by bf16 to sums of f32: attention by wgmma.mma_async, k16, f32.bf16.bf16
// HEADS: y_3 ({{.*}}): a product of matrices, bf16 by bf16 to sums of f32: attention by wgmma
// HEADS-NEXT: the result is rounded to bf16 by the model
graph heads(q: bf16[1, 16, 2048, 64], k: bf16[1, 16, 2048, 64], v: bf16[1, 16, 2048, 64])
    -> (y: bf16[1, 16, 2048, 64])
{
    y = attention(q, k, v)
}
