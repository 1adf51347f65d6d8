// Slots that are awaited empty, filled twice, filled again before all items have released them or met, or read too late or too early;
// and boxes that no device copies.
// RUN: for i in 1 2 6 7 8 9 a b c d; do grep "^//$i: " %s | cut -c6- | %not %mgc kernels - --run --input a=$(seq -s, 48) 2>&1; done | %FileCheck %s --check-prefix=RUNS
// RUN: for i in 3 4 5; do grep "^//$i: " %s | cut -c6- | %not %mgc kernels - 2>&1; done | %FileCheck %s
//1: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//1:   group g in 0..1 {
//1:     landed 0
//1:     y[0] = 1.0
//1:   }
//1: }
// RUNS: kernel f: a slot is awaited that no boxes fill
//2: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//2:   alloc shared group lines: bf16[512] align 1024
//2:   group g in 0..1 {
//2:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//2:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//2:     y[0] = 1.0
//2:   }
//2: }
// RUNS: kernel f: a box for a slot that is full
//6: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//6:   alloc shared group lines: bf16[512] align 1024
//6:   group g in 0..1 {
//6:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//6:     landed 0
//6:     if local_id < 64 {
//6:       release 0
//6:     }
//6:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//6:   }
//6: }
// RUNS: kernel f: a box for a slot that 64 of 128 items have released
//7: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//7:   alloc shared group lines: bf16[512] align 1024
//7:   group g in 0..1 {
//7:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//7:     landed 0
//7:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//7:   }
//7: }
// RUNS: kernel f: a box for a slot that 0 of 128 items have released
//8: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//8:   alloc shared group lines: bf16[512] align 1024
//8:   group g in 0..1 {
//8:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//8:     landed 0
//8:     release 0
//8:     y[0] = cast<f32>(lines[0])
//8:   }
//8: }
// RUNS: kernel f: element 0 of lines is used after its slot was released
//9: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//9:   alloc shared group lines: bf16[512] align 1024
//9:   group g in 0..1 {
//9:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//9:     y[0] = cast<f32>(lines[0])
//9:   }
//9: }
// RUNS: kernel f: element 0 of lines is loaded, never stored
//a: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//a:   alloc shared group lines: bf16[512] align 1024
//a:   group g in 0..1 {
//a:     if local_id == 1 {
//a:       lines[0] = a[0]
//a:     }
//a:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 2 by 1
//a:   }
//a: }
// RUNS: kernel f: a box for element 0 of lines, which items have used since they met
//b: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//b:   alloc shared group lines: bf16[512] align 1024
//b:   group g in 0..1 {
//b:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 2 by 1
//b:     if local_id == 1 {
//b:       lines[0] = a[0]
//b:     }
//b:     landed 0
//b:   }
//b: }
// RUNS: kernel f: element 0 of lines is stored while a box for it is on its way
//c: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//c:   alloc shared group lines: bf16[512] align 1024
//c:   group g in 0..1 {
//c:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 2 by 1
//c:     landed 0
//c:     release 0
//c:     release 0
//c:   }
//c: }
// RUNS: kernel f: item 0 releases a slot twice
//d: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//d:   alloc shared group lines: bf16[512] align 1024
//d:   group g in 0..1 {
//d:     release 0
//d:   }
//d: }
// RUNS: kernel f: a slot is released that holds no boxes
//3: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//3:   alloc shared group lines: bf16[512] align 64
//3:   group g in 0..1 {
//3:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 1 by 1
//3:   }
//3: }
// CHECK: kernel f is invalid: lines can't have a box of a
//4: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//4:   alloc shared group lines: bf16[512] align 1024
//4:   group g in 0..1 {
//4:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 9 slot 0 of 1 by 1
//4:   }
//4: }
// CHECK: kernel f is invalid: a box of a that the device can't copy
//5: kernel f(a: in bf16[48], y: out f32[1]) items 128 {
//5:   alloc shared group lines: bf16[512] align 1024
//5:   group g in 0..1 {
//5:     box lines[0] = a + 0 at 0: 64 of 8 by 1, 0: 8 of 6 by 8 slot 0 of 9 by 1
//5:   }
//5: }
// CHECK: error: expected a number from 1 to 8, found '9'
