// Tests attention in one kernel against the reference interpreter's bounds: masks, rows that are
// masked out, grouped and batched heads, odd lengths and lengths of several blocks, lengths that
// only the run decides, narrow types, and values that are infinite or NaN.
//
//   attention [--levels=0123] [--threads=12] [--target=gpu] [CASE]
//
// Each program is also checked to be one fused op, or to be none. The last line is
// 'N passed, N failed'.
#include "frontend/sema.h"
#include "passes/pass.h"
#include "tests/exec/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Case {
    const char *name;
    bool fused;
    const char *inputs;  // each port's sizes, separated by commas; ports by semicolons
    const char *special; // letters. m: a third of the mask's elements, and whole rows, are -inf;
                         // i, n: the first input has an infinity, a NaN; v, w: so has the third
    const char *text;    // the graph's ports and body
} Case;

static const Case cases[] = {
    {"plain", true, "2,3,40,16;2,3,50,16;2,3,50,24", "",
     "(q: f32[2, 3, 40, 16], k: f32[2, 3, 50, 16], v: f32[2, 3, 50, 24]) -> (y: f32[2, 3, 40, 24]) "
     "{ y = attention(q, k, v) }"},
    {"one head", true, "64,8;48,8;48,8", "",
     "(q: f32[64, 8], k: f32[48, 8], v: f32[48, 8]) -> (y: f32[64, 8]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\ny[i, e] = sum[j] p[i, j] * v[j, e] }"},
    {"blocks", true, "1,2,33,16;1,2,700,16;1,2,700,17", "",
     "(q: f32[1, 2, 33, 16], k: f32[1, 2, 700, 16], v: f32[1, 2, 700, 17]) -> (y: f32[1, 2, 33, "
     "17]) "
     "{ y = attention(q, k, v) }"},
    {"masked", true, "2,4,37,12;2,4,300,12;2,4,300,20;37,300", "m",
     "(q: f32[2, 4, 37, 12], k: f32[2, 4, 300, 12], v: f32[2, 4, 300, 20], m: f32[37, 300]) "
     "-> (y: f32[2, 4, 37, 20]) { y = attention(q, k, v, m) }"},
    {"masked softmax", true, "2,37,12;2,300,12;2,300,20;37,300", "m",
     "(q: f32[2, 37, 12], k: f32[2, 300, 12], v: f32[2, 300, 20], m: f32[37, 300]) "
     "-> (y: f32[2, 37, 20]) {\ns[b, i, j] = (sum[d] q[b, i, d] * k[b, j, d]) + m[i, j]\n"
     "p = softmax(s)\ny[b, i, e] = sum[j] p[b, i, j] * v[b, j, e] }"},
    {"keys masked", true, "2,2,40,8;2,2,290,8;2,2,290,8;290", "m",
     "(q: f32[2, 2, 40, 8], k: f32[2, 2, 290, 8], v: f32[2, 2, 290, 8], m: f32[290]) "
     "-> (y: f32[2, 2, 40, 8]) { y = attention(q, k, v, m) }"},
    {"causal", true, "1,2,270,16;1,2,280,16;1,2,280,16", "",
     "(q: f32[1, 2, 270, 16], k: f32[1, 2, 280, 16], v: f32[1, 2, 280, 16]) "
     "-> (y: f32[1, 2, 270, 16]) { y = attention(q, k, v, causal = true, scale = 0.5) }"},
    {"values that are not seen", true, "1,2,300,8;1,2,300,8;1,2,300,8", "w",
     "(q: f32[1, 2, 300, 8], k: f32[1, 2, 300, 8], v: f32[1, 2, 300, 8]) "
     "-> (y: f32[1, 2, 300, 8]) { y = attention(q, k, v, causal = true) }"},
    {"rows that see nothing", true, "1,1,300,8;1,1,200,8;1,1,200,8", "",
     "(q: f32[1, 1, 300, 8], k: f32[1, 1, 200, 8], v: f32[1, 1, 200, 8]) "
     "-> (y: f32[1, 1, 300, 8]) { y = attention(q, k, v, causal = true) }"},
    {"groups that see two keys more a row", true, "2,6,70,8;2,2,300,8;2,2,300,20", "",
     "(q: f32[2, 6, 70, 8], k: f32[2, 2, 300, 8], v: f32[2, 2, 300, 20]) "
     "-> (y: f32[2, 6, 70, 20]) {\ns = attention_scores(q, k)\n"
     "m[b, h, i, j] = where(j > 2 * i + 3 + 8 * b, -inf, s[b, h, i, j])\np = softmax(m)\n"
     "y = attend_values(p, v) }"},
    {"fewer keys a row", true, "100,8;300,8;300,8", "",
     "(q: f32[100, 8], k: f32[300, 8], v: f32[300, 8]) -> (y: f32[100, 8]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\nm[i, j] = where(j < 300 - i, s[i, j], -inf)\n"
     "p = softmax(m)\ny[i, e] = sum[j] p[i, j] * v[j, e] }"},
    {"grouped heads", true, "2,6,30,16;2,2,45,16;2,2,45,10", "",
     "(q: f32[2, 6, 30, 16], k: f32[2, 2, 45, 16], v: f32[2, 2, 45, 10]) -> (y: f32[2, 6, 30, 10]) "
     "{ y = attention(q, k, v) }"},
    {"one key head, one query", true, "3,16,1,24;3,1,90,24;3,1,90,24", "",
     "(q: f32[3, 16, 1, 24], k: f32[3, 1, 90, 24], v: f32[3, 1, 90, 24]) -> (y: f32[3, 16, 1, 24]) "
     "{ y = attention(q, k, v) }"},
    {"symbolic", true, "2,4,37,16;2,2,301,16;2,2,301,9;37,301", "m",
     "(q: f32[B, 4, S, D], k: f32[B, 2, L, D], v: f32[B, 2, L, E], m: f32[S, L]) "
     "-> (y: f32[B, 4, S, E]) require L >= S "
     "{ y = attention(q, k, v, m, causal = true) }"},
    {"no keys", true, "1,1,20,8;1,1,0,8;1,1,0,8", "",
     "(q: f32[1, 1, S, 8], k: f32[1, 1, L, 8], v: f32[1, 1, L, 8]) -> (y: f32[1, 1, S, 8]) {\n"
     "s[i, j] = sum[d] q[0, 0, i, d] * k[0, 0, j, d]\np = softmax(s)\n"
     "y[b, h, i, e] = sum[j] p[i, j] * v[0, 0, j, e] }"},
    {"gains", true, "2,37,12;2,300,12;2,300,20;37,300;2,37,300", "m",
     "(q: f32[2, 37, 12], k: f32[2, 300, 12], v: f32[2, 300, 20], m: f32[37, 300], "
     "f: f32[2, 37, 300]) -> (y: f32[2, 37, 20]) {\n"
     "s[b, i, j] = (sum[d] q[b, i, d] * k[b, j, d]) + m[i, j]\np = softmax(s)\n"
     "y[b, i, e] = sum[j] f[b, i, j] * p[b, i, j] * v[b, j, e] }"},
    {"dropped, causal", true, "2,4,70,16;2,2,130,16;2,2,130,20;2,4,70,130", "",
     "(q: f32[2, 4, 70, 16], k: f32[2, 2, 130, 16], v: f32[2, 2, 130, 20], f: f32[2, 4, 70, 130]) "
     "-> (y: f32[2, 4, 70, 20]) {\ns = attention_scores(q, k)\n"
     "c[b, h, i, j] = where(j <= i + 1, s[b, h, i, j], -inf)\np = softmax(c)\n"
     "w[b, h, i, j] = where(f[b, h, i, j] > -0.3, p[b, h, i, j] * 1.25, 0)\n"
     "y = attend_values(w, v) }"},
    {"dropped values that are not finite", true, "70,16;130,16;130,20;70,130", "w",
     "(q: f32[70, 16], k: f32[130, 16], v: f32[130, 20], f: f32[70, 130]) -> (y: f32[70, 20]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\n"
     "y[i, e] = sum[j] where(f[i, j] > -0.3, p[i, j], 0) * v[j, e] }"},
    {"masked before and after", true, "2,37,12;2,300,12;2,300,20;37,300", "m",
     "(q: f32[2, 37, 12], k: f32[2, 300, 12], v: f32[2, 300, 20], m: f32[37, 300]) "
     "-> (y: f32[2, 37, 20]) {\n"
     "s[b, i, j] = (sum[d] q[b, i, d] * k[b, j, d]) + m[i, j]\np = softmax(s)\n"
     "w[b, i, j] = where(m[i, j] == -inf, 0, p[b, i, j])\n"
     "y[b, i, e] = sum[j] w[b, i, j] * v[b, j, e] }"},
    {"rows of NaN that are dropped", true, "70,16;130,16;130,20;70,130", "nw",
     "(q: f32[70, 16], k: f32[130, 16], v: f32[130, 20], f: f32[70, 130]) -> (y: f32[70, 20]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\n"
     "w[i, j] = where(f[i, j] > -0.3, f[i, j], 0) * where(130 * i + j > 3000, 0, p[i, j])\n"
     "y[i, e] = sum[j] w[i, j] * v[j, e] }"},
    {"a factor of columns", false, "70,16;130,16;130,20;20", "",
     "(q: f32[70, 16], k: f32[130, 16], v: f32[130, 20], f: f32[20]) -> (y: f32[70, 20]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\n"
     "y[i, e] = sum[j] (p[i, j] * f[e]) * v[j, e] }"},
    {"f16", true, "1,2,40,16;1,2,60,16;1,2,60,16;60", "m",
     "(q: f16[1, 2, 40, 16], k: f16[1, 2, 60, 16], v: f16[1, 2, 60, 16], m: f16[60]) "
     "-> (y: f16[1, 2, 40, 16]) { y = attention(q, k, v, m) }"},
    {"bf16", true, "1,2,40,16;1,2,300,16;1,2,300,16", "",
     "(q: bf16[1, 2, 40, 16], k: bf16[1, 2, 300, 16], v: bf16[1, 2, 300, 16]) "
     "-> (y: bf16[1, 2, 40, 16]) { y = attention(q, k, v, causal = true) }"},
    {"f64", true, "1,2,20,8;1,2,300,8;1,2,300,8", "",
     "(q: f64[1, 2, 20, 8], k: f64[1, 2, 300, 8], v: f64[1, 2, 300, 8]) -> (y: f64[1, 2, 20, 8]) "
     "{ y = attention(q, k, v) }"},
    {"wide heads", true, "1,2,40,150;1,2,50,150;1,2,50,200", "",
     "(q: f16[1, 2, 40, 150], k: f16[1, 2, 50, 150], v: f16[1, 2, 50, 200]) "
     "-> (y: f16[1, 2, 40, 200]) { y = attention(q, k, v) }"},
    {"heads side by side", true, "2,50,48;2,50,48;2,50,48", "",
     "(q: f32[2, 50, 48], k: f32[2, 50, 48], v: f32[2, 50, 48]) -> (y: f32[2, 50, 48]) {\n"
     "a = attention(split_heads(q, heads = 3), split_heads(k, heads = 3), split_heads(v, heads = "
     "3))\n"
     "y = merge_heads(a) }"},
    {"two heads side by side, whose values are read in place", true, "1,70,64;1,70,64;1,70,64", "",
     "(q: f32[1, 70, 64], k: f32[1, 70, 64], v: f32[1, 70, 64]) -> (y: f32[1, 70, 64]) {\n"
     "a = attention(split_heads(q, heads = 2), split_heads(k, heads = 2), split_heads(v, heads = "
     "2))\n"
     "y = merge_heads(a) }"},
    {"keys turned", true, "2,30,16;2,16,44;2,8,44", "",
     "(q: f32[2, 30, 16], k: f32[2, 16, 44], v: f32[2, 8, 44]) -> (y: f32[2, 8, 30]) {\n"
     "s[b, i, j] = tanh(sum[d] q[b, i, d] * k[b, d, j])\np = softmax(s)\n"
     "y[b, e, i] = sum[j] p[b, i, j] * v[b, e, j] }"},
    {"queries turned", true, "2,16,35;2,44,16;2,44,8", "",
     "(q: f32[2, 16, 35], k: f32[2, 44, 16], v: f32[2, 44, 8]) -> (y: f32[2, 35, 8]) {\n"
     "s[b, i, j] = sum[d] q[b, d, i] * k[b, j, d]\np = softmax(s)\n"
     "y[b, i, e] = sum[j] v[b, j, e] * p[b, i, j] }"},
    {"keys of two axes", true, "30,16;7,9,16;7,9,8", "",
     "(q: f32[30, 16], k: f32[7, 9, 16], v: f32[7, 9, 8]) -> (y: f32[30, 8]) {\n"
     "s[i, a, b] = sum[d] q[i, d] * k[a, b, d]\nm[i] = max[a, b] s[i, a, b]\n"
     "e[i, a, b] = exp(s[i, a, b] - m[i])\nz[i] = sum[a, b] e[i, a, b]\n"
     "y[i, c] = sum[a, b] (e[i, a, b] / z[i]) * v[a, b, c] }"},
    {"steps apart", true, "30,16;70,16;70,8;30", "",
     "(q: f32[30, 16], k: f32[70, 16], v: f32[70, 8], g: f32[30]) -> (y: f32[30, 8]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\nc[i, j] = 4 * tanh(s[i, j] / 4)\nm[i] = max[j] c[i, j]\n"
     "h[i] = m[i] + g[i]\nd[i, j] = c[i, j] - h[i]\ne[i, j] = exp(d[i, j])\n"
     "z[i] = sum[j] e[i, j]\nr[i] = 1 / z[i]\nw[i, j] = e[i, j] * r[i]\nx[i, j] = g[i] * w[i, j]\n"
     "y[i, c] = sum[j] x[i, j] * v[j, c] }"},
    {"infinite", true, "1,1,40,8;1,1,300,8;1,1,300,8", "i",
     "(q: f32[1, 1, 40, 8], k: f32[1, 1, 300, 8], v: f32[1, 1, 300, 8]) -> (y: f32[1, 1, 40, 8]) "
     "{ y = attention(q, k, v) }"},
    {"not a number", true, "1,1,40,8;1,1,300,8;1,1,300,8", "nv",
     "(q: f32[1, 1, 40, 8], k: f32[1, 1, 300, 8], v: f32[1, 1, 300, 8]) -> (y: f32[1, 1, 40, 8]) "
     "{ y = attention(q, k, v) }"},
    {"residual", true, "2,3,37,16;2,3,50,16;2,3,50,20;2,3,37,20;20", "",
     "(q: f32[2, 3, 37, 16], k: f32[2, 3, 50, 16], v: f32[2, 3, 50, 20], x: f32[2, 3, 37, 20], "
     "b: f32[20]) -> (y: f32[2, 3, 37, 20]) {\n"
     "o = attention(q, k, v)\ny = gelu(relu(x) + o * 0.5 + b) * sigmoid(o) }"},
    {"residual, masked, causal, of open sizes", true, "2,4,37,16;2,2,301,16;2,2,301,9;37,301;37,9",
     "m",
     "(q: f32[B, 4, S, D], k: f32[B, 2, L, D], v: f32[B, 2, L, E], m: f32[S, L], x: f32[S, E]) "
     "-> (y: f32[B, 4, S, E]) require L >= S "
     "{ o = attention(q, k, v, m, causal = true)\ny = o + x }"},
    {"residual, heads side by side", true, "2,50,48;2,50,48;2,50,48;2,50,48", "",
     "(q: f32[2, 50, 48], k: f32[2, 50, 48], v: f32[2, 50, 48], x: f32[2, 50, 48]) "
     "-> (y: f32[2, 50, 48]) {\n"
     "a = attention(split_heads(q, heads = 3), split_heads(k, heads = 3), split_heads(v, heads = "
     "3))\n"
     "y = merge_heads(a) + x }"},
    {"residual, turned", true, "2,16,35;2,16,44;2,8,44;2,8,35", "",
     "(q: f32[2, 16, 35], k: f32[2, 16, 44], v: f32[2, 8, 44], x: f32[2, 8, 35]) "
     "-> (y: f32[2, 8, 35]) {\ns[b, i, j] = sum[d] q[b, d, i] * k[b, d, j]\np = softmax(s)\n"
     "o[b, e, i] = sum[j] v[b, e, j] * p[b, i, j]\ny = o + x }"},
    {"residual read across", true, "64,8;48,8;48,24;24,64", "",
     "(q: f32[64, 8], k: f32[48, 8], v: f32[48, 24], x: f32[24, 64]) -> (y: f32[64, 24]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\no[i, e] = sum[j] p[i, j] * v[j, e]\n"
     "y[i, e] = o[i, e] + x[e, i] + (x[e + 1, i - 1] else 2) }"},
    {"result and what follows it", true, "1,2,40,16;1,2,300,16;1,2,300,16;1,2,40,16", "",
     "(q: f16[1, 2, 40, 16], k: f16[1, 2, 300, 16], v: f16[1, 2, 300, 16], x: f16[1, 2, 40, 16]) "
     "-> (o: f16[1, 2, 40, 16], y: f32[1, 2, 40, 16], z: f16[1, 2, 40, 16]) {\n"
     "o = attention(q, k, v, causal = true)\ny = f32(o) + f32(x)\nz = relu(o) }"},
    {"queries are the residual", true, "1,2,70,24;1,2,70,24;1,2,70,24", "",
     "(x: f64[1, 2, 70, 24], k: f64[1, 2, 70, 24], v: f64[1, 2, 70, 24]) "
     "-> (y: f64[1, 2, 70, 24]) {\n"
     "o = attention(x, k, v, causal = true)\ny = where(o > 0, o + x, exp(x)) }"},
    {"grouped heads, residual", true, "2,6,30,16;2,2,45,16;2,2,45,10;2,6,30,10", "",
     "(q: f32[2, 6, 30, 16], k: f32[2, 2, 45, 16], v: f32[2, 2, 45, 10], x: f32[2, 6, 30, 10]) "
     "-> (y: f32[2, 6, 30, 10]) { o = attention(q, k, v)\ny = o - x }"},
    {"rows that see nothing, residual", true, "1,1,300,8;1,1,200,8;1,1,200,8;300", "",
     "(q: f32[1, 1, 300, 8], k: f32[1, 1, 200, 8], v: f32[1, 1, 200, 8], g: f32[300]) "
     "-> (y: f32[1, 1, 300, 8]) { o = attention(q, k, v, causal = true)\n"
     "y[b, h, i, e] = o[b, h, i, e] * g[i] + g[i] }"},
    {"rows that see nothing become 0", true, "2,37,12;2,300,12;2,300,20;37,300", "mw",
     "(q: f32[2, 37, 12], k: f32[2, 300, 12], v: f32[2, 300, 20], m: f32[37, 300]) "
     "-> (y: f32[2, 37, 20]) {\ns[b, i, j] = (sum[d] q[b, i, d] * k[b, j, d]) + m[i, j]\n"
     "p = softmax(s)\nn[b, i] = all[j] (s[b, i, j] == -inf)\n"
     "w[b, i, j] = where(n[b, i], 0, p[b, i, j])\ny[b, i, e] = sum[j] w[b, i, j] * v[b, j, e] }"},
    {"rows that see something, of open sizes", true, "4,37,16;4,301,16;4,301,9;37,301", "mn",
     "(q: f32[H, S, D], k: f32[H, L, D], v: f32[H, L, E], m: f32[S, L]) -> (y: f32[H, S, E]) {\n"
     "s[b, i, j] = (sum[d] q[b, i, d] * k[b, j, d]) + m[i, j]\n"
     "p = softmax(s)\nn[b, i] = any[j] (s[b, i, j] != -inf)\n"
     "w[b, i, j] = where(n[b, i], p[b, i, j], 0)\ny[b, i, e] = sum[j] w[b, i, j] * v[b, j, e] }"},
    {"merged batches", true, "2,37,3,16;2,50,3,16;2,50,3,24;2,37,50;2,3,37,24", "m",
     "(q: f32[2, 37, 3, 16], k: f32[2, 50, 3, 16], v: f32[2, 50, 3, 24], m: f32[2, 37, 50], "
     "x: f32[2, 3, 37, 24]) -> (y: f32[2, 3, 37, 24]) {\n"
     "qs = reshape(transpose(q, perm = [0, 2, 1, 3]), shape = [6, 37, 16])\n"
     "ks = reshape(transpose(k, perm = [0, 2, 3, 1]), shape = [6, 16, 50])\n"
     "vs = reshape(transpose(v, perm = [0, 2, 1, 3]), shape = [6, 50, 24])\n"
     "s = add(reshape(matmul(qs, ks), shape = [2, 3, 37, 50]), unsqueeze(m, axes = [1]))\n"
     "p = reshape(softmax(s), shape = [6, 37, 50])\n"
     "y = add(reshape(matmul(p, vs), shape = [2, 3, 37, 24]), x) }"},
    {"merged batches, whose softmax is of three axes", true,
     "2,37,3,16;2,50,3,16;2,50,3,24;2,3,37,24", "",
     "(q: f32[2, 37, 3, 16], k: f32[2, 50, 3, 16], v: f32[2, 50, 3, 24], x: f32[2, 3, 37, 24]) "
     "-> (y: f32[2, 3, 37, 24]) {\n"
     "qs = reshape(transpose(q, perm = [0, 2, 1, 3]), shape = [6, 37, 16])\n"
     "ks = reshape(transpose(k, perm = [0, 2, 3, 1]), shape = [6, 16, 50])\n"
     "vs = reshape(transpose(v, perm = [0, 2, 1, 3]), shape = [6, 50, 24])\n"
     "y = add(reshape(matmul(softmax(matmul(qs, ks)), vs), shape = [2, 3, 37, 24]), x) }"},
    {"scores leave", false, "30,16;44,16;44,8", "",
     "(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[30, 8], p: f32[30, 44]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\ny[i, e] = sum[j] p[i, j] * v[j, e] }"},
    {"weights by key", true, "30,16;44,16;44,8;30,44", "",
     "(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8], g: f32[30, 44]) -> (y: f32[30, 8]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\nw[i, j] = p[i, j] * g[i, j]\n"
     "y[i, e] = sum[j] w[i, j] * v[j, e] }"},
    {"rows of zeros", true, "30,16;44,16;44,8;30", "",
     "(q: f32[30, 16], k: f32[44, 16], v: f32[44, 8], g: f32[30]) -> (y: f32[30, 8]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\n"
     "w[i, j] = where(g[i] > 0, 0, p[i, j])\ny[i, e] = sum[j] w[i, j] * v[j, e] }"},
    {"read across", false, "44,16;44,16;44,8", "",
     "(q: f32[44, 16], k: f32[44, 16], v: f32[44, 8]) -> (y: f32[44, 8]) {\n"
     "s[i, j] = sum[d] q[i, d] * k[j, d]\np = softmax(s)\ny[i, e] = sum[j] p[j, i] * v[j, e] }"},
};

static uint64_t state = 1;

static double random_number(void) { // in [-1, 1)
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(INT64_C(1) << 52) - 1;
}

static void put(const MgInterpTensor *t, size_t at, double v) {
    MgBits bits = mg_bits_from_double(t->dtype, v);
    memcpy((char *)t->data + at * mg_dtype_size(t->dtype), &bits, mg_dtype_size(t->dtype));
}

static void fill(const Case *c, MgInterpTensor *t, uint32_t number) {
    bool mask = strchr(c->special, 'm') && number == 3;
    size_t row = t->rank ? (size_t)t->shape[t->rank - 1] : 1;
    for (size_t i = 0; i < t->n; i++) {
        bool off = mask && (random_number() < -0.3 || (t->rank > 1 && i / row % 5 == 2));
        put(t, i, off ? -INFINITY : random_number() * 2);
    }
    if (number == 0 && strchr(c->special, 'i'))
        put(t, t->n / 2, INFINITY);
    if (number == 0 && strchr(c->special, 'n'))
        put(t, t->n / 3, NAN);
    if (number == 2 && strchr(c->special, 'v'))
        put(t, t->n / 4, INFINITY);
    if (number == 2 && strchr(c->special, 'w'))
        put(t, t->n / 4, NAN);
}

static MgInterpTensor *inputs_of(MgSession *session, const Case *c, MgGraph *g) {
    MgInterpTensor *inputs = MG_NEW_N(session->arena, MgInterpTensor, g->inputs.len + 1);
    const char *at = c->inputs;
    for (uint32_t k = 0; k < g->inputs.len; k++) {
        MgInterpTensor *t = &inputs[k];
        *t = (MgInterpTensor){.dtype = mg_value(g, g->inputs.at[k].value)->dtype, .n = 1};
        t->shape = MG_NEW_N(session->arena, int64_t, 8);
        for (; *at && *at != ';'; at += *at == ',') {
            char *end;
            t->shape[t->rank] = strtoll(at, &end, 10);
            t->n *= (size_t)t->shape[t->rank++];
            at = end;
        }
        at += *at == ';';
        t->data = mg_arena_alloc(session->arena, t->n + 1, mg_dtype_size(t->dtype));
        fill(c, t, k);
    }
    return inputs;
}

// Does one fused op hold all equations of the graph, except those that only move data?
static bool is_fused(MgGraph *g) {
    MgPassOptions options = {.level = 2};
    if (!mg_passes_run(g, &options))
        return false;
    bool found = false;
    for (MgOpId id = 1; id < g->ops.len; id++) {
        const MgOp *op = mg_op(g, id);
        for (uint32_t i = 0; op->kind == MG_OP_FUSED && i < op->annotations.len; i++)
            found |= strcmp(mg_name(g->module->session->names, op->annotations.at[i].text),
                            "\"attention\"") == 0;
        if (op->kind == MG_OP_EQUATION && op->region == 0 && !mg_traits(g, id).view)
            return false;
    }
    return found;
}

static bool run(const Case *c, const MgExecOptions *options) {
    MgSession *session = mg_session_new(0);
    const char *text = mg_arena_printf(session->arena, "mg 1\ngraph g%s\n", c->text);
    MgModule *module = mg_load_module_text(session, c->name, text, strlen(text));
    bool ok = module && module->graphs.len;
    if (!ok) {
        printf("%s: does not compile\n", c->name);
    } else {
        MgInterpTensor *inputs = inputs_of(session, c, module->graphs.at[0]);
        MgExecResult r = mg_exec_compare(session, c->name, text, strlen(text), NULL, inputs,
                                         module->graphs.at[0]->inputs.len, options);
        bool fused = is_fused(module->graphs.at[0]);
        ok = r.ok && fused == c->fused;
        printf("%s: %s: %zu elements, %zu exempt, worst %.2f of 8%s%s\n", c->name,
               !r.ok   ? "FAILED"
               : ok    ? "passed"
               : fused ? "FUSED"
                       : "NOT FUSED",
               r.elements, r.exempt, r.worst, r.ok ? "" : "\n", r.ok ? "" : r.what);
    }
    mg_session_free(session);
    return ok;
}

int main(int argc, char **argv) {
    MgExecOptions options = {.levels = "0123", .threads = "12"};
    const char *only = NULL;
    unsigned passed = 0, failed = 0;
    for (int k = 1; k < argc; k++) {
        if (!mg_exec_option(&options, argv[k]))
            only = argv[k];
    }
    if (!mg_exec_has_target(&options))
        return 77;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (only && strcmp(only, cases[i].name) != 0)
            continue;
        if (run(&cases[i], &options))
            passed++;
        else
            failed++;
    }
    printf("%u passed, %u failed\n", passed, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
