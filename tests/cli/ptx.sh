#!/usr/bin/env bash
# Tests PTX by LLVM for a device that CUDA drives: it has every kernel of the OpenCL C, with the same arguments, but for those
# with functions that LLVM lacks. FileCheck isn't enough here: the two texts are compared.
source "$(dirname "$0")/lib.sh"
examples=$here/../../examples
cat > net.mg <<'END'
mg 1
graph product(a: bf16[2048, 2048], b: bf16[2048, 2048]) -> (y: bf16[2048, 2048]) { y = matmul(a, b) }
graph split(a: f32[128, 512], b: f32[512, 512]) -> (y: f32[128, 512]) { y[m, n] = sum[k] a[m, k] * b[k, n] }
graph rows(x: f32[64, 1000]) -> (y: f32[64, 1000]) { y = softmax(x) }
graph sums(x: f32[8, 100000]) -> (y: f32[8, 100000]) { y = cumsum(x) }
graph ends(x: f32[100], i: i64[7]) -> (y: f32[7]) { y[k] = x[i[k]] / sqrt(x[k]) }
graph own(x: f64[100]) -> (y: f64[100]) { y = exp(x) }
END
cat > compare.py <<'END'
import re, sys
c, ptx, missing = open(sys.argv[1]).read(), open(sys.argv[2]).read(), sys.argv[3:]
kernels = dict(re.findall(r"__kernel void (\w+)\(([^{]*)\) \{", c))
entries = dict(re.findall(r"\.entry (\w+)\(([^)]*)\)", ptx))
assert kernels and set(kernels) - set(entries) == set(missing), (sorted(kernels), sorted(entries))
for name, arguments in entries.items():
    n = len(re.sub(r"#.*", "", kernels[name]).split(","))
    assert arguments.count(".param") == n, (name, kernels[name], arguments)
    assert not re.search(r"//MG: |\.extern|call\b", ptx)
assert ptx.count("//MG module\n") == len(entries) == ptx.count(".target sm_90a")
END
same() { # MISSING FILE ARGUMENT...: compares both texts of a net
    local missing=$1
    shift
    "$mgc" --emit-opencl --target=gpu --march=h200 "$@" > net.cl || fail "$*"
    "$mgc" --emit-asm --target=gpu --march=h200 "$@" > net.ptx || fail "$*"
    python3 compare.py net.cl net.ptx $missing || fail "$*"
    checks=$((checks + 1))
}
has() { grep -q "$1" net.ptx || fail "no $1"; }
same "" net.mg --graph=product
has wgmma.mma_async
has cp.async.bulk.tensor
has mbarrier.try_wait
has 'reqntid\|maxntid'
same "" net.mg --graph=split
has mma
same "" net.mg --graph=rows
has bar.sync
same "" net.mg --graph=sums
same "" net.mg --graph=ends
has atom.*cas
has rsqrt.approx
same mg_elementwise_0 net.mg --graph=own
same "" "$examples/digits/digits.mg" --graph=digits --set=N=4
same "" "$examples/gpt2/tiny.mg" --graph=step --precision=bf16
"$mgc" --emit-llvm --target=gpu --march=h200 net.mg --graph=rows > net.ll
grep -q 'target triple = "nvptx64-nvidia-cuda"' net.ll || fail "no LLVM IR"
# Other devices have OpenCL C alone.
"$mgc" --emit-asm --target=gpu --march=cu=8,items=256,local=49152,warp=32 net.mg --graph=rows > net.cl
grep -q __kernel net.cl || fail "OpenCL C"
finish
