mg 1
// RUN: %mgc --emit-ast --places %s | %FileCheck %s
op f<T: float>(x: T[..N, D @ axis], b: T[D]?, axis: int = -1) -> (y: T[..N]) {
    y[..n] = (sum[d in 0..D] x[..n, d @ axis] * 2.0) + (b[0] else -1) #at("a", 1)
}
//      CHECK: file version 1
// CHECK-NEXT: op `f` @3:1
// CHECK-NEXT: type parameter `T` float @3:6
// CHECK-NEXT: operand `x` tensor @3:16
// CHECK-NEXT: type `T` @3:19
// CHECK-NEXT: shape
// CHECK-NEXT: pack `N` @3:21
// CHECK-NEXT: name `D` @3:26
// CHECK-NEXT: @ name `axis` @3:30
// CHECK-NEXT: operand `b` tensor optional @3:37
//      CHECK: attribute `axis` int @3:47
// CHECK-NEXT: default unary - @3:59
// CHECK-NEXT: int 1 @3:60
// CHECK-NEXT: result `y` @3:67
//      CHECK: body @3:78
// CHECK-NEXT: equation `y` @4:5
// CHECK-NEXT: at
// CHECK-NEXT: pack `n` @4:7
// CHECK-NEXT: binary + @4:15
// CHECK-NEXT: reduce `sum` @4:15
// CHECK-NEXT: index `d` @4:19
// CHECK-NEXT: in .. @4:24
// CHECK-NEXT: int 0 @4:24
// CHECK-NEXT: name `D` @4:27
// CHECK-NEXT: binary * @4:30
// CHECK-NEXT: read `x` @4:30
//      CHECK: float 2.0 @4:49
// CHECK-NEXT: read `b` @4:57
// CHECK-NEXT: at
// CHECK-NEXT: int 0 @4:59
// CHECK-NEXT: else unary - @4:67
// CHECK-NEXT: int 1 @4:68
// CHECK-NEXT: annotation `at` @4:71
// CHECK-NEXT: string "a" @4:75
// CHECK-NEXT: int 1 @4:80
