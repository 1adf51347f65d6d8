// A move is not rounded to the type that its elements have, also if it reads 0 outside; and a result is not rounded twice
// to its own type.
// RUN: %mgc --emit-ir -O2 --strict %s | %FileCheck %s
// RUN: %mgc --emit-ir -O2 --strict %s | %mgc --emit-ir -O0 - | %FileCheck %s

// CHECK: line_line[{{.*}}]: f16[4*N + 8] = x[s0 - 1, s1] else 0.0
// CHECK: later[i in 0..N]: f16[N] = i + 1
mg 1
graph g(x: f16[N, 4]) -> (y: f16[4 * (N + 2)], later: f16[N]) {
    padded = pad(x, before = [1, 0], after = [1, 0], mode = "constant")
    line = reshape(padded, shape = [4 * (N + 2)])
    y[i] = sign(line[i])
    count[i in 0..N + 1]: f16[N + 1] = i
    later[i]: f16[N] = count[i + 1]
}
