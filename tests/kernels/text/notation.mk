// A kernel with all of the notation prints as it was written.
// RUN: %mgc kernels %s -o %t.mk && grep -v '^//' %s | diff - %t.mk
kernel `two words`(a: in f32[n * 2] align 64 noalias, b: out bf16[], c: inout u8[], d: unused i64[], far: out f32[]; n: i64, `worker`: i64 signed) items 32 groups (n + 1) meets 3 at d one_worker {
  alloc private thread sums: f32<4>[16]
  alloc shared group rows: f32[256] at byte 0
  alloc shared group columns: in f32[256] align 16 alias at byte 1024
  alloc global worker panel: f32[n + 64]
  alloc global call parts: f64[8]
  x: f32 = a[n]
  x.2: f32<8> = a[n]<8>{a[n]<8> < 0.5<8> else -inf<8>}
  _1 = exp(x) + 1e-10
  _2 = _1 ~/ (_1 * x)
  far[`worker`] = ~exp(_2 - _2) if true
  b[0] = cast<bf16>(where(isnan(x), nan, -0.0))
  b[1] = nan(0x7f81)bf16
  c[0]<4> = nontemporal 255u8<4>
  c[ramp<4>(n, 2)] = cast<u8>(lookup<4>[1.0, 2.5](cast<u32>(ramp<4>(0, 1))))
  v: f32 = lane<3>(permute<0 1 8 9>(x.2, x.2))
  w: f32 = fold<max>(splat<8>(v))
  m: i64 = -9223372036854775808
  t: f64 = 0.1f64
  for i in 0..n step 2 rolled {
    prefetch far a[i]
    prefetch far[i]
    product sums[16, 8] += rows[0]<8, 1> * columns[i]<1, -8>, 8 deep by tf32
  }
  parallel j in (n - 1)..n dealt {
    while x < v {
      barrier group
    }
  }
  if n == 3 {
    barrier grid
    trap 4294967295 of m
  } else {
    item k in 0..local_size {
      panel[worker * workers] = fma(v, w, neg(v))
    }
  }
}

kernel plan(in0: in u8[], arena: inout u8[]; B: i64) {
  call #2 site 0(in0 + 0, arena + (B * 4); B, 7)
  call #3 site 1 alone untimed(; B)
  call #4 site 2()
}
