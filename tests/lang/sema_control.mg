mg 1
// RUN: %not %mgc --emit-ir %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
// Run-time and compile-time control.
graph control(x: f32[N, 8], on: bool[], c: i64[]) -> (y: f32[N, 8])
    require N > 3 : "N is {N}"
{
    if on { k = x } else { k = relu(x) }
    for i in 0..N { l = x }
    m = if on { yield x } else { yield c }
    n = if x { yield x } else { yield x }
    o = loop t in 0..N carry (s = c) { next s = x }
    p = loop carry (s = c) while s < 3 { q = s + 1   next r = q }
    q, r = loop carry (s = c) while s < 3 { t = s + 1   next s = t   emit t }
    s = loop t in 0..3 carry (u = c) { emit u }
    dim K = c
    dim L <= N = x
    yield x
    v = if on { yield x } else { w = x }
    require 2 > 3 : "two is not more than {N}"
    y = x
}

// CHECK:{{.*}}sema_control.mg:7:8: error: the condition of this 'if' is known only when the graph runs: write 'y = if … { yield … } else { yield … }'{{$}}
// CHECK-NEXT:{{^}}    7 |     if on { k = x } else { k = relu(x) }{{$}}
// CHECK-NEXT:{{^}}      |        ^~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:8:17: error: the range of 'for' must be known at compile time, but is N{{$}}
// CHECK-NEXT:{{^}}    8 |     for i in 0..N { l = x }{{$}}
// CHECK-NEXT:{{^}}      |                 ^{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:9:5: error: 'm' is f32[N, 8] here and i64[] there: its type must stay the same{{$}}
// CHECK-NEXT:{{^}}    9 |     m = if on { yield x } else { yield c }{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:10:12: error: expected a condition, found f32[N, 8]{{$}}
// CHECK-NEXT:{{^}}   10 |     n = if x { yield x } else { yield x }{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:11:45: error: 's' is i64[] here and f32[N, 8] there: its type must stay the same{{$}}
// CHECK-NEXT:{{^}}   11 |     o = loop t in 0..N carry (s = c) { next s = x }{{$}}
// CHECK-NEXT:{{^}}      |                                             ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:12:59: error: 'r' is not carried by this loop{{$}}
// CHECK-NEXT:{{^}}   12 |     p = loop carry (s = c) while s < 3 { q = s + 1   next r = q }{{$}}
// CHECK-NEXT:{{^}}      |                                                           ^~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:13:5: error: a loop that emits needs a range, which bounds the memory of its results{{$}}
// CHECK-NEXT:{{^}}   13 |     q, r = loop carry (s = c) while s < 3 { t = s + 1   next s = t   emit t }{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:14:5: error: the loop gives 1 carried and 1 emitted values, but 1 name is bound here{{$}}
// CHECK-NEXT:{{^}}   14 |     s = loop t in 0..3 carry (u = c) { emit u }{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:15:5: error: 'dim K' needs a bound, 'dim K <= … = …': memory is planned for it{{$}}
// CHECK-NEXT:{{^}}   15 |     dim K = c{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:16:18: error: a dimension is computed by an i64[], not by f32[N, 8]{{$}}
// CHECK-NEXT:{{^}}   16 |     dim L <= N = x{{$}}
// CHECK-NEXT:{{^}}      |                  ^{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:17:5: error: 'yield' ends the body of a run-time 'if' or a 'fused' group; 'emit' belongs in the body of a 'loop'{{$}}
// CHECK-NEXT:{{^}}   17 |     yield x{{$}}
// CHECK-NEXT:{{^}}      |     ^~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:18:32: error: the body must end with a 'yield' of 1 value{{$}}
// CHECK-NEXT:{{^}}   18 |     v = if on { yield x } else { w = x }{{$}}
// CHECK-NEXT:{{^}}      |                                ^~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}sema_control.mg:19:13: error: a requirement does not hold: two is not more than N{{$}}
// CHECK-NEXT:{{^}}   19 |     require 2 > 3 : "two is not more than {N}"{{$}}
// CHECK-NEXT:{{^}}      |             ^~~~~{{$}}
// CHECK-NOT:{{.}}
