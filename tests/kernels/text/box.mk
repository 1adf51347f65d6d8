// Boxes: of a matrix, whose rows before the first and after the last are zeros; of the windows of a signal in two images; of
// numbers that are rounded; and one after another in a slot that items release.
// RUN: %mgc kernels %s --run --input a=$(seq -s, 48) --input x=$(seq -s, 96) --input w=1.00048828125,1.00146484375,-0.1,3.4028235e38$(printf ,0%.0s $(seq 28)) | %FileCheck %s
// RUN: %mgc kernels %s --run --passes=legalise --input a=$(seq -s, 48) --input x=$(seq -s, 96) --input w=1.00048828125,1.00146484375,-0.1,3.4028235e38$(printf ,0%.0s $(seq 28)) | %FileCheck %s
// RUN: %mgc kernels %s -o %t.mk && grep . %t.mk > %t.lines && grep -v '^//' %s | grep . | diff - %t.lines

// Lines 0, 1, 6 and 7 are rows -1, 0, 5 and 6 of six. The first piece of a line is at the place of its number.
// CHECK: y: f32[4] = [0.0, 1.0, 41.0, 0.0]
kernel rows(a: in bf16[48], y: out f32[4]) items 128 {
  alloc shared group lines: bf16[512] align 1024
  group g in 0..1 {
    box lines[0] = a + 0 at 0: 64 of 8 by 1, -1: 8 of 6 by 8 slot 1 of 2 by 1
    landed 1
    if local_id < 4 {
      y[local_id] = cast<f32>(lines[(and(local_id, 1) * 72) + (shr(local_id, 1) * 432)])
    }
  }
}

// The windows of an image begin at pixels -1 to 4. These are the last two of one image and all of the next.
// CHECK: z: f32[8] = [25.0, 33.0, 0.0, 49.0, 57.0, 65.0, 73.0, 81.0]
kernel windows(x: in bf16[96], z: out f32[8]) items 128 {
  alloc shared group lines: bf16[512] align 1024
  group g in 0..1 {
    box lines[0] = x + 0 at 0: 64 of 8 by 1, 3: 1 of 6 by 8, 0: 1 of 2 by 48 walk 8 0: -1..-1 step 1 slot 0 of 1 by 1
    landed 0
    if local_id < 8 {
      z[local_id] = cast<f32>(lines[local_id * 72])
    }
  }
}

// Elements are rounded to the nearest tf32, and to the even one of two.
// CHECK: y: f32[4] = [1.0, 1.0019531, -0.099975586, inf]
kernel rounded(w: in f32[32], y: out f32[4]) items 128 {
  alloc shared group lines: f32[256] align 1024
  group g in 0..1 {
    box lines[0] = w + 0 to tf32 at 0: 32 of 32 by 1, 0: 8 of 1 by 32 slot 0 of 1 by 1
    landed 0
    if local_id < 4 {
      y[local_id] = lines[local_id]
    }
  }
}

// A slot is filled again when all items have released it. No barrier is needed.
// CHECK: s: f32[128] = [114.0, 114.0,
kernel again(a: in bf16[48], s: out f32[128]) items 128 {
  alloc shared group lines: bf16[512] align 1024
  alloc private thread sum: f32[1]
  group g in 0..1 {
    sum[0] = 0.0
    for i in 0..6 step 2 {
      box lines[0] = a + 0 at 0: 64 of 8 by 1, i: 8 of 6 by 8 slot 0 of 1 by 1
      landed 0
      sum[0] = sum[0] + (cast<f32>(lines[0]) + cast<f32>(lines[4]))
      release 0
    }
    s[local_id] = sum[0]
  }
}
