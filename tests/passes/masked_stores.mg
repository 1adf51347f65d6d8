// Without masks that cost nothing, lanes of a packed vector are mixed with those stored before, a
// vector whose lanes are known is stored in parts, and one that has all lanes without a mask.
// RUN: %mgc --emit-kernels --march=x86-64-v3 --graph=packed %s | %FileCheck %s --check-prefix=MIXED
// RUN: %mgc --emit-kernels --march=x86-64-v4 --graph=packed %s | %FileCheck %s --check-prefix=MASKED
// RUN: %mgc --emit-llvm --march=x86-64-v3 --graph=fixed %s | %FileCheck %s --check-prefix=PARTS
// RUN: %mgc --emit-llvm --march=x86-64-v4 --graph=fixed %s | %FileCheck %s --check-prefix=WHOLE
// RUN: %mgc --emit-llvm --march=x86-64-v3 --graph=open %s | %FileCheck %s --check-prefix=ALL
mg 1

// MIXED: columns[{{.*}}]<8> = where(mask{{.*}}, columns[
// MIXED-NOT: columns[{{.*}} if mask
// MASKED: columns[{{.*}} if mask
graph packed(x: f32[1, 3, 19, 19], w: f32[16, 3, 3, 3]) -> (y: f32[1, 16, 9, 9]) {
    y = conv2d(x, w, stride = 2)
}

// PARTS-NOT: masked.store
// PARTS: store <4 x float>
// PARTS: store <2 x float>
// PARTS: store <1 x float>
// PARTS-NOT: masked.store
// WHOLE: masked.store
graph fixed(x: f32[1, 40, 7, 7]) -> (y: f32[1, 40, 7, 7]) {
    y = max_pool2d(x, kernel = 3, stride = 1, pad = 1)
}

// ALL: icmp eq i{{[0-9]+}} {{.*}}, -1
// ALL: masked.store
graph open(x: f32[N, 100]) -> (y: f32[100]) {
    y = sum(x, axes = [0])
}
