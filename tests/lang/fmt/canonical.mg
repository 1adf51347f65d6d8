mg 1
// The canonical form of every construct is pinned, and formatting it again changes nothing.
// RUN: %mgc fmt %S/../inputs/constructs.mg | diff %S/../inputs/canonical.mg -
// RUN: %mgc fmt %S/../inputs/canonical.mg | diff %S/../inputs/canonical.mg -
// RUN: %mgc --emit-ast %S/../inputs/constructs.mg >%t.ast
// RUN: %mgc --emit-ast %S/../inputs/canonical.mg | diff %t.ast -
