// Weights are packed once for all runs, so tiles pay for two rows, too; and lanes run along the
// weights if the other factor has few columns. Factors that change are packed in each run.
// RUN: %mgc --emit-schedule --march=x86-64-v4 --graph=rows --weights=random %s | %FileCheck %s --check-prefix=ROWS
// RUN: %mgc --emit-schedule --march=x86-64-v4 --graph=columns --weights=random %s | %FileCheck %s --check-prefix=COLUMNS
// RUN: %mgc --emit-schedule --march=x86-64-v4 --graph=changing %s | %FileCheck %s --check-prefix=CHANGING
// RUN: %mgc --emit-schedule --target=gpu --march=h200 --graph=decoded %s | %FileCheck %s --check-prefix=DECODED
// RUN: %mgc --emit-schedule --target=gpu --march=h200,boxes --graph=sixteen %s | %FileCheck %s --check-prefix=SIXTEEN
mg 1
import nn

// ROWS: stage w as [o / {{[0-9]+}}, i, {{[0-9]+}}] in kept
// ROWS: for n = reg(2), o = reg({{[0-9]}}) lane(16)
graph rows(x: f32[2, 128]) -> (y: f32[2, 512])
    weights "few_rows.safetensors"
{
    param w: f32[512, 128]
    y = linear(x, w)
}

// COLUMNS: stage v as {{.*}} in kept
// COLUMNS: for p = reg(3), m = reg({{[0-9]}}) lane(16)
graph columns(x: f32[1, 64, 5]) -> (y: f32[1, 96, 3])
    weights "few_rows.safetensors"
{
    param v: f32[96, 64, 3]
    y = conv1d(x, v)
}

// CHANGING: for i = time(*)
graph changing(x: f32[2, 128], w: f32[512, 128]) -> (y: f32[2, 512]) {
    y = linear(x, w)
}

// On a GPU, few rows by weights that no cache holds take a low tile, so that many copies are on their way.
// DECODED: for o by 128, n by 64 on core
graph decoded(x: bf16[32, 4096], w: bf16[4096, 4096]) -> (y: bf16[32, 4096]) {
    y = linear(x, w)
}

// Sixteen rows do so, too, where the device copies boxes: the matrix takes longer than the rows that the tile lacks.
// SIXTEEN: for j by 128, i by 64 on core
// SIXTEEN: do y with bf16 by wide
graph sixteen(x: bf16[16, 4096], w: bf16[4096, 4096]) -> (y: bf16[16, 4096]) {
    y = matmul(x, w)
}
