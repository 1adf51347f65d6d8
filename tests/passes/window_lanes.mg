// In a window of few elements, folding lanes at its end costs too much, so lanes run along the results,
// though these don't lie together. Along a row of many elements, lanes pay.
// RUN: %mgc --emit-kernels %s --graph small --march=x86-64-v4 --threads=1 | %FileCheck %s --check-prefix=SMALL
// RUN: %mgc --emit-kernels %s --graph long --march=x86-64-v4 --threads=1 | %FileCheck %s --check-prefix=LONG
mg 1

// SMALL: // reduction: y
// SMALL-NOT: lane<0>
// SMALL: y[{{.*}}ramp<{{[0-9]+}}>(0, 1){{.*}}] = r
// SMALL-NOT: lane<0>
graph small(x: f32[32, 14, 14]) -> (y: i64[32, 7, 7]) {
    y[n, o, p] = argmax[k in 0..2, l in 0..2] x[n, 2 * o + k, 2 * p + l]
}

// LONG: // reduction: y
// LONG: lane<0>
graph long(x: f32[32, 7, 1000]) -> (y: i64[32, 7]) { y[n, o] = argmax[k] x[n, o, k] }
