mg 1
// The flags of the pass manager.
// RUN: %mgc --list-passes | %FileCheck --check-prefix=LIST %s
// RUN: { %mgc --emit-ir --passes=canonicalise,dec %s 2>&1; test $? = 2; } | %FileCheck --check-prefix=UNKNOWN %s
// RUN: %mgc --emit-ir --passes=cse,dce --print-before=dce --print-after=cse --no-annotations %s 2>&1 >/dev/null | %FileCheck --check-prefix=PRINT %s
// RUN: %mgc --emit-ir --passes=cse,dce --print-changed --no-annotations %s 2>&1 >/dev/null | %FileCheck --check-prefix=CHANGED %s
// RUN: %mgc --emit-ir --passes=dce,cse --time-passes %s 2>&1 >/dev/null | %FileCheck --check-prefix=TIME %s
// RUN: %mgc --emit-ir -O2 --no-annotations %s >%t.once && %mgc --emit-ir --passes= --no-annotations %t.once >%t.twice && cmp %t.once %t.twice
// LIST: canonicalise   -O1
// LIST: -O0: none
// LIST: -O2: canonicalise,fold
// UNKNOWN: there is no pass 'dec'; did you mean 'dce'?
// PRINT: // {{(after|unchanged by)}} cse
// PRINT: graph main
// PRINT: // before dce
// PRINT: unused[
// CHANGED-NOT: cse
// CHANGED: --- before dce
// CHANGED-NEXT: +++ after dce
// CHANGED-NEXT: @@ -1,5 +1,4 @@
// CHANGED-NEXT: {{^}} graph main(
// CHANGED-NEXT: {{^}} {
// CHANGED-NEXT: {{^}}-    unused[
// CHANGED-NEXT: {{^}}     y[
// CHANGED-NEXT: {{^}} }
// CHANGED-NOT: {{.}}
// TIME: µs  dce
// TIME-NEXT: µs  cse
// TIME-NEXT: µs  all passes of main
graph main(x: f32[N]) -> (y: f32[N]) {
    unused[i] = x[i] + 1
    y[i] = x[i] * 2
}
