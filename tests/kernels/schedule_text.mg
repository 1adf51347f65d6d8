// Schedules of groups are printed as text, for workers and for a GPU's items.
// RUN: %mgc --emit-schedule %s --graph=rows --target=cpu --march=x86-64-v3 | %FileCheck %s --check-prefix=ROWS
// RUN: %mgc --emit-schedule %s --graph=points --target=cpu --march=x86-64-v3 | %FileCheck %s --check-prefix=POINTS
// RUN: %mgc --emit-schedule %s --graph=points --target=gpu --march=cu=2,items=64 | %FileCheck %s --check-prefix=ITEMS
// RUN: %mgc --emit-schedule %s --graph=rows --target=gpu --march=cu=2,items=64 | %FileCheck %s --check-prefix=SHARED
// RUN: %mgc --emit-schedule %s --graph=narrow --target=gpu --march=h200 | %FileCheck %s --check-prefix=NARROW
// RUN: %mgc --emit-schedule %s --graph=points --target=cpu -O0 | %FileCheck %s --check-prefix=PLAIN
mg 1
graph rows(x: f32[64, 1000], b: f32[1000]) -> (y: f32[64, 1000], z: f32[64]) {
    h[i, j] = x[i, j] + b[j]
    y = relu(h)
    z = sum(h, axes = [1])
}
// Equations are printed with the names of indices that their schedule uses. z's own name for j is another one.
// ROWS: // h[i in 0..64, j in 0..1000]: f32[64, 1000] = x[i, j] + b[j]
// ROWS-NEXT: // y[i in 0..64, j in 0..1000]: f32[64, 1000] = max(h[i, j], 0.0)
// ROWS-NEXT: // z[i in 0..64]: f32[64] = sum[j in 0..1000] h[i, j]
// ROWS-NEXT: // 192000 operations on 516256 bytes
// ROWS-NEXT: {{^}}schedule h, y, z on cpu{{$}}
// ROWS-NEXT: {{^}}  for i on core{{$}}
// ROWS-NEXT: {{^}}    keep h in local{{$}}
// ROWS-NEXT: {{^}}    for j = time(*) lane(8){{$}}
// ROWS-NEXT: {{^}}      do h{{$}}
// ROWS-NEXT: {{^}}    for j = time(*) lane(8){{$}}
// ROWS-NEXT: {{^}}      do y{{$}}
// ROWS-NEXT: {{^}}    for j = time(*) reg(4) lane(8) tail mask{{$}}
// ROWS-NEXT: {{^}}      do z{{$}}

// Items share the row and keep it in registers.
// SHARED: schedule h, y, z on gpu
// SHARED-NEXT: {{^}}  for i = core(*) warp(2){{$}}
// SHARED-NEXT: {{^}}    keep h in reg{{$}}
// SHARED-NEXT: {{^}}    for j = reg(*) lane(32) vec(4) tail mask{{$}}
// SHARED-NEXT: {{^}}      do h{{$}}

// Two pieces are two kernels; a product has a tile of registers.
graph points(x: f32[4, 2048, 16], m: f32[64, 64]) -> (y: f32[4, 2048, 16], z: f32[8192], p: f32[64, 64]) {
    y[b, i, j] = exp(x[b, i, j])
    z[i in 0..8191] = x[0, i / 16, i % 16]
    z[8191] = 0
    p = matmul(m, m)
}
// POINTS: schedule y on cpu
// POINTS-NEXT:   index p = b * i * j
// POINTS-NEXT:   for p by 4096 on core
// POINTS-NEXT:     for p = time(*) reg(2) lane(8)
// POINTS-NEXT:       do y
// POINTS: schedule z (piece 1 of 2) on cpu
// POINTS: schedule z (piece 2 of 2) on cpu
// POINTS-NEXT:   do z
// POINTS: // 524288 operations on 32768 bytes: 4.52 µs by the machine's figures, arithmetic 100%, the near caches 11%
// POINTS-NEXT: schedule p on cpu
// POINTS-NEXT:   for j by 16
// POINTS-NEXT:     for i by 6
// POINTS-NEXT:       for k
// POINTS-NEXT:         for i = reg(6), j = reg(2) lane(8)
// POINTS-NEXT:           do p

// ITEMS: schedule y on gpu
// ITEMS-NEXT:   index p = b * i * j
// ITEMS-NEXT:   for p = core(*) lane(64) vec(4)
// ITEMS-NEXT:     do y

// PLAIN: schedule y on cpu
// PLAIN-NEXT:   for b, i on core
// PLAIN-NEXT:     for j
// PLAIN-NEXT:       do y

// The time of a product is that of its instruction: matrix units multiply bf16 16 times as fast as f32, and three products of tf32
// take the time of 8/3 times fewer in f32.
graph narrow(x: bf16[4096, 4096], w: f32[4096, 4096]) -> (y: bf16[4096, 4096], z: f32[4096, 4096]) {
    y = matmul(x, x)
    z = matmul(w, w)
}
// NARROW: // 137438953472 operations on 67108864 bytes: 150 µs by the machine's figures, arithmetic 100%, memory 15%
// NARROW-NEXT: schedule y on gpu
// NARROW: do y with bf16 by wide
// NARROW: // 137438953472 operations on 134217728 bytes: 897 µs by the machine's figures, arithmetic 100%, memory 5%
// NARROW-NEXT: schedule z on gpu
// NARROW: do z with tf32 by split
