// What a later requirement proves to be inside loses its else too, as when the text is read again.
// RUN: %mgc --emit-ir -O0 --no-annotations %s | %FileCheck %s
// RUN: %mgc --emit-ir -O0 --no-annotations %s | %mgc --emit-ir -O0 --no-annotations - | %FileCheck %s
mg 1
// CHECK: require N >= 2
graph main(x: f32[N]) -> (first: f32[1], kept: f32[1], best: f32[2])
{
    // CHECK: first[i in 0..1]: f32[1] = x[i + 1] * 2.0
    first[i]: f32[1] = (x[i + 1] else 0) * 2
    // CHECK: kept[i in 0..1]: f32[1] = x[i + 2] else 0.0 * 2.0
    kept[i]: f32[1] = (x[i + 2] else 0) * 2
    best, where_ = topk(x, k = 2, axis = 0)
}
