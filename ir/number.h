// Divisors of integers.
#ifndef MG_IR_NUMBER_H
#define MG_IR_NUMBER_H

#include <stdint.h>

// The greatest common divisor of |a| and |b|; |a| if b is 0. Neither may be INT64_MIN.
static inline int64_t mg_gcd(int64_t a, int64_t b) {
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// The x in 0..m with a * x = 1 modulo m, for m > 0 and an a without a common divisor (Euclid).
static inline int64_t mg_inverse_modulo(int64_t a, int64_t m) {
    int64_t r = (a % m + m) % m, before = m, x = 1, x_before = 0;
    while (r) {
        int64_t q = before / r, next = before % r, x_next = x_before - q * x;
        before = r;
        r = next;
        x_before = x;
        x = x_next;
    }
    return (x_before % m + m) % m;
}

#endif
