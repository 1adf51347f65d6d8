mg 1
// Causal attention by wide products, whose keys and values the device copies by itself. Items store the rows of q, so a fence stands
// before the first barrier after that, and none before the others if boxes bring the rest. Blocks of keys that all rows see are not
// compared with the rows' numbers.
// RUN: %mgc --emit-opencl --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90 %s | %FileCheck %s
// RUN: %mgc --emit-kernels --target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90 %s | %FileCheck %s --check-prefix=IR

// CHECK: *(__local ushort8 *)(b{{[0-9]+}}_q
// CHECK: #ifdef MG_WIDE
// CHECK-NEXT: fence.proxy.async
// CHECK-NEXT: #endif
// CHECK-NEXT: barrier(
// CHECK: wgmma.mma_async
// CHECK-NOT: #ifdef MG_WIDE{{[[:space:]]+}}asm volatile("fence.proxy.async

// IR: for keys in 1..[[SEEN:[a-z0-9.]+]] {
// IR-NOT: , -inf)
// IR: for keys{{[.0-9]*}} in [[SEEN]]..
// IR: = where({{.*}}, -inf)

graph main(q: bf16[1, 64, 1024, 64], k: bf16[1, 64, 1024, 64], v: bf16[1, 64, 1024, 64]) -> (y) {
    y = attention(q, k, v, causal = true)
}
