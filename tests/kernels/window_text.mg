// Schedules of windows and of reductions down columns are printed as text, for workers.
// RUN: %mgc --emit-schedule %s --graph=lies --target=cpu --march=x86-64-v3 --threads=2 | %FileCheck %s --check-prefix=LIES
// RUN: %mgc --emit-schedule %s --graph=staged --target=cpu --march=x86-64-v3 --threads=2 | %FileCheck %s --check-prefix=STAGED
// RUN: %mgc --emit-schedule %s --graph=open --target=cpu --march=x86-64-v3 --threads=2 | %FileCheck %s --check-prefix=OPEN
// RUN: %mgc --emit-schedule %s --graph=apart --target=cpu --march=x86-64-v3 --threads=2 | %FileCheck %s --check-prefix=APART
// RUN: %mgc --emit-schedule %s --graph=line --target=cpu --march=x86-64-v3 --threads=2 | %FileCheck %s --check-prefix=LINE
// RUN: %mgc --emit-schedule %s --graph=channels --target=cpu --march=x86-64-v3 --threads=2 | %FileCheck %s --check-prefix=CHANNELS
// RUN: %mgc --emit-schedule %s --graph=columns --target=cpu --march=x86-64-v3 --threads=2 | %FileCheck %s --check-prefix=COLUMNS
mg 1
// Windows are read in place: vectors at the ends of a line have code of their own.
graph lies(x: f32[2, 8, 56, 56], f: f32[8, 3, 3]) -> (r: f32[2, 8, 56, 56]) {
    y[b, c, h in 0..56, w in 0..56] = sum[s, t] (x[b, c, h + s - 1, w + t - 1] else 0) * f[c, s, t]
    r = relu(y)
}
// LIES: {{^}}schedule y, r on cpu{{$}}
// LIES-NEXT: {{^}}  for b, c, h by 8 on core{{$}}
// LIES-NEXT: {{^}}    for w = time(*) lane(8) edges{{$}}
// LIES-NEXT: {{^}}      for h on reg{{$}}
// LIES-NEXT: {{^}}        for s, t on reg{{$}}
// LIES-NEXT: {{^}}          do y{{$}}
// LIES-NEXT: {{^}}        do r{{$}}

// A computed operand has a stage, in which the phases of a stride lie side by side.
graph staged(x: f32[2, 8, 57, 57]) -> (y: f32[2, 8, 28, 28]) {
    y[b, c, h in 0..28, w in 0..28] = max[s in 0..3, t in 0..3] exp(x[b, c, 2 * h + s, 2 * w + t])
}
// STAGED: {{^}}schedule y on cpu{{$}}
// STAGED-NEXT: {{^}}  for b, c, h by 7 on core{{$}}
// STAGED-NEXT: {{^}}    stage x as [h + s, w + t] in local by phases{{$}}
// STAGED-NEXT: {{^}}    for w = time(*) lane(8) tail mask{{$}}
// STAGED-NEXT: {{^}}      for h on reg{{$}}
// STAGED-NEXT: {{^}}        for s, t on reg{{$}}
// STAGED-NEXT: {{^}}          do y{{$}}

// A row of open width has a stage for each block of its columns, and tiles a loop of their own.
graph open(x: f32[64, 8, H, W]) -> (y: f32[64, 8, H, W]) {
    y[b, c, h in 0..H, w in 0..W] = max[s in 0..3, t in 0..3] sin(x[b, c, h + s - 1, w + t - 1] else -inf)
}
// OPEN: {{^}}schedule y on cpu{{$}}
// OPEN-NEXT: {{^}}  for b, c on core{{$}}
// OPEN-NEXT: {{^}}    for h by 8{{$}}
// OPEN-NEXT: {{^}}      for w by 256{{$}}
// OPEN-NEXT: {{^}}        stage x as [h + s, w + t] in local{{$}}
// OPEN-NEXT: {{^}}        for w = time(*) lane(8) tail mask{{$}}
// OPEN-NEXT: {{^}}          for h on reg{{$}}
// OPEN-NEXT: {{^}}            for s, t on reg{{$}}
// OPEN-NEXT: {{^}}              do y{{$}}

// Windows that share no element are reduced a vector at a time, columns last.
graph apart(x: f32[2, 8, 56, 56]) -> (y: f32[2, 8, 28, 28]) {
    y[b, c, h in 0..28, w in 0..28] = max[s in 0..2, t in 0..2] x[b, c, 2 * h + s, 2 * w + t]
}
// APART: {{^}}schedule y on cpu{{$}}
// APART-NEXT: {{^}}  for b, c, h by 7 on core{{$}}
// APART-NEXT: {{^}}    for h{{$}}
// APART-NEXT: {{^}}      for w = time(*) lane(8) edges tail mask{{$}}
// APART-NEXT: {{^}}        for s, t on reg{{$}}
// APART-NEXT: {{^}}          do y by phases{{$}}

// One dimension has no tiles; a small kernel has no cores.
graph line(x: f32[200]) -> (y: f32[198]) { y[w in 0..198] = max[t in 0..3] x[w + t] }
// LINE: {{^}}schedule y on cpu{{$}}
// LINE-NEXT: {{^}}  for w = time(*) lane(8) edges tail mask{{$}}
// LINE-NEXT: {{^}}    for t on reg{{$}}
// LINE-NEXT: {{^}}      do y{{$}}

// Lanes along the channels, a tile of pixels in registers.
graph channels(x: f32[2, 56, 56, 40], f: f32[3, 3, 40]) -> (r: f32[2, 56, 56, 40]) {
    y[b, h in 0..56, w in 0..56, c] = sum[s, t] (x[b, h + s - 1, w + t - 1, c] else 0) * f[s, t, c]
    r = relu(y)
}
// CHANNELS: {{^}}schedule y, r on cpu{{$}}
// CHANNELS-NEXT: {{^}}  for b, h on core{{$}}
// CHANNELS-NEXT: {{^}}    for w = time(*) reg(10) edges{{$}}
// CHANNELS-NEXT: {{^}}      for c = time(*) lane(8){{$}}
// CHANNELS-NEXT: {{^}}        for s{{$}}
// CHANNELS-NEXT: {{^}}          for t on reg{{$}}
// CHANNELS-NEXT: {{^}}            do y{{$}}
// CHANNELS-NEXT: {{^}}        do r{{$}}

// Sums of a block of columns are kept while rows stream by.
graph columns(x: f32[4, 1000, 3000]) -> (r: f32[4, 3000]) {
    y[b, j] = sum[i] x[b, i, j]
    r = relu(y)
}
// COLUMNS: {{^}}schedule y, r on cpu{{$}}
// COLUMNS-NEXT: {{^}}  for b, j by 3008 on core{{$}}
// COLUMNS-NEXT: {{^}}    keep y in local{{$}}
// COLUMNS-NEXT: {{^}}    for i by 8{{$}}
// COLUMNS-NEXT: {{^}}      for j = time(*) lane(8){{$}}
// COLUMNS-NEXT: {{^}}        for i on reg{{$}}
// COLUMNS-NEXT: {{^}}          do y{{$}}
// COLUMNS-NEXT: {{^}}    for j = time(*) lane(8){{$}}
// COLUMNS-NEXT: {{^}}      do r{{$}}
