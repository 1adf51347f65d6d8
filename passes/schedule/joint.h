// Two reductions of a row in one reading, where the second depends on the result of the first:
//
//   m = max[j] a(j);   s = sum[j] exp(a(j) - b(m))        b of the row only, any function
//   u = mean[j] a(j);  v = sum[j] (a(j) - b(u))^2         sum or mean, each of both
//
// Every part of a row first computes its own sums, relative to a shift of its own: the largest a
// that it saw, or its mean. Two of these are combined by
//
//   s = s1 exp(m1 - m) + s2 exp(m2 - m),    v = v1 + n1 (u1 - b)^2 + v2 + n2 (u2 - b)^2
//
// (Milakov and Gimelshein, 2018; Chan, Golub and LeVeque, "Algorithms for computing the sample
// variance", 1983), and the definition's own shift b comes last: so rows that are masked out, or
// hold infinities, give what the definition gives.
#ifndef MG_PASSES_SCHEDULE_JOINT_H
#define MG_PASSES_SCHEDULE_JOINT_H

#include "passes/schedule/group.h"

typedef struct MgJoint {
    uint32_t follower;    // the nest that is reduced together with the first; 0: none
    const MgSx *shift[2]; // what it takes from each element; twice where it is squared
} MgJoint;

// Is the group's first nest a reduction, and a single other one that goes with it?
bool mg_joint_find(MgGroup *gr, MgJoint *j);

// The shift of exponentials if x is the largest: a finite number unless x is NaN.
const MgKx *mg_joint_about(MgKernel *k, MgKBlock *b, const MgKx *x);
const MgKx *mg_joint_exp(MgKernel *k, const MgKx *a, const MgKx *b); // exp(a - b)
// acc + n (u - b)^2
const MgKx *mg_joint_moved(MgKernel *k, const MgKx *acc, const MgKx *n, const MgKx *u,
                           const MgKx *b);
const MgKx *mg_joint_average(MgKernel *k, const MgKx *sum, const MgKx *n); // sum / max(n, 1)

// joint_parts.c: the whole body of such a group for workers where its rows are longer than caches;
// false if it is none.
bool mg_group_joint_parts(MgGroup *gr);

#endif
