mg 1
// RUN: %not %mgc --emit-ast %s 2>&1 >/dev/null | %FileCheck --strict-whitespace %s
op f() {
    z = 12abc + 1. + .5
    a = 0x + 1e + 1.5e
    s = "abc\q\u{d800}\u{110000}"
    t = "abc
    u = 99999999999999999999
    v = 1e999
    w = `abc
    é = 3
    k = a $ b; c
    m = a.b. + x..y
}

// CHECK:{{.*}}tokens.mg:4:9: error: this is neither a number nor a name: a name begins with a letter{{$}}
// CHECK-NEXT:{{^}}    4 |     z = 12abc + 1. + .5{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:4:17: error: a number needs digits on both sides of its point{{$}}
// CHECK-NEXT:{{^}}    4 |     z = 12abc + 1. + .5{{$}}
// CHECK-NEXT:{{^}}      |                 ^~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:4:22: error: a number needs digits on both sides of its point{{$}}
// CHECK-NEXT:{{^}}    4 |     z = 12abc + 1. + .5{{$}}
// CHECK-NEXT:{{^}}      |                      ^~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:5:9: error: this is neither a number nor a name: a name begins with a letter{{$}}
// CHECK-NEXT:{{^}}    5 |     a = 0x + 1e + 1.5e{{$}}
// CHECK-NEXT:{{^}}      |         ^~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:5:14: error: this is neither a number nor a name: a name begins with a letter{{$}}
// CHECK-NEXT:{{^}}    5 |     a = 0x + 1e + 1.5e{{$}}
// CHECK-NEXT:{{^}}      |              ^~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:5:19: error: this is neither a number nor a name: a name begins with a letter{{$}}
// CHECK-NEXT:{{^}}    5 |     a = 0x + 1e + 1.5e{{$}}
// CHECK-NEXT:{{^}}      |                   ^~~~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:6:13: error: unknown escape '\q' in a string: the escapes are \n \t \r \" \\ and \u{hex}{{$}}
// CHECK-NEXT:{{^}}    6 |     s = "abc\q\u{d800}\u{110000}"{{$}}
// CHECK-NEXT:{{^}}      |             ^~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:6:15: error: unknown escape '\u' in a string: the escapes are \n \t \r \" \\ and \u{hex}{{$}}
// CHECK-NEXT:{{^}}    6 |     s = "abc\q\u{d800}\u{110000}"{{$}}
// CHECK-NEXT:{{^}}      |               ^~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:6:23: error: unknown escape '\u' in a string: the escapes are \n \t \r \" \\ and \u{hex}{{$}}
// CHECK-NEXT:{{^}}    6 |     s = "abc\q\u{d800}\u{110000}"{{$}}
// CHECK-NEXT:{{^}}      |                       ^~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:7:9: error: this string has no closing '"' on its line{{$}}
// CHECK-NEXT:{{^}}    7 |     t = "abc{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:8:9: error: this number is too large: the largest is 18446744073709551615{{$}}
// CHECK-NEXT:{{^}}    8 |     u = 99999999999999999999{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:9:9: error: this number is too large: the largest is 1.7976931348623157e308{{$}}
// CHECK-NEXT:{{^}}    9 |     v = 1e999{{$}}
// CHECK-NEXT:{{^}}      |         ^~~~~{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:10:9: error: this backtick has no partner on its line{{$}}
// CHECK-NEXT:{{^}}   10 |     w = `abc{{$}}
// CHECK-NEXT:{{^}}      |         ^{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:11:5: error: unexpected character 'é'{{$}}
// CHECK-NEXT:{{^}}   11 |     é = 3{{$}}
// CHECK-NEXT:{{^}}      |     ^{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:12:11: error: unexpected character '$'{{$}}
// CHECK-NEXT:{{^}}   12 |     k = a $ b; c{{$}}
// CHECK-NEXT:{{^}}      |           ^{{$}}
// CHECK-NEXT:{{.*}}tokens.mg:13:12: error: unexpected character '.'{{$}}
// CHECK-NEXT:{{^}}   13 |     m = a.b. + x..y{{$}}
// CHECK-NEXT:{{^}}      |            ^{{$}}
// CHECK-NOT:{{.}}
