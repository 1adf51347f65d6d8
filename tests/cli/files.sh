#!/usr/bin/env bash
# Tests that files that are missing, wrong, damaged or malicious give status 1 and a message, and leave nothing
# half-written.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph affine(x: f32[2]) -> (y: f32[2]) weights "w.safetensors" {
    param weight: f32[2]
    param bias: f32[2]
    y[i] = x[i] * weight[i] + bias[i]
}
END
run=("$mgc" run net.mg --input x=1,2)
good='{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"bias":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}'

# weights
expect 1 "net.mg:2:48: error: cannot open 'w.safetensors': No such file or directory" "${run[@]}"
safetensors w.safetensors "$good" 16
expect 0 "y: f32[2] = [0.0, 0.0]" "${run[@]}"
safetensors w.safetensors "$good" 17
expect 1 "bytes 16 to 17 of its data belong to no tensor" "${run[@]}"
safetensors w.safetensors "${good/8,16/12,20}" 20
expect 1 "bytes 8 to 12 of its data belong to no tensor" "${run[@]}"
safetensors w.safetensors "$good" 16
head -c 100 w.safetensors > t && mv t w.safetensors
expect 1 "its header would have" "${run[@]}"
safetensors w.safetensors "$good" 12
expect 1 "'bias' lies at 8..16, but the file has 12 bytes of data (is it truncated?)" "${run[@]}"
: > w.safetensors
expect 1 "less than the 8 of a header's length" "${run[@]}"
safetensors w.safetensors "${good/\"bias\"/\"biass\"}" 16
expect 1 "net.mg:4:11: error: 'w.safetensors' has no tensor 'bias' (f32[2]); did you mean 'biass'?" "${run[@]}"
# Nothing else uses a suggested name.
safetensors w.safetensors "${good/\"bias\"/\"weights\"}" 16
expect 1 "has no tensor 'bias' (f32[2])" "${run[@]}"
! grep -q "did you mean 'weight'" err || fail "a tensor that another parameter takes is offered"
safetensors w.safetensors '{}' 0
expect 1 "has no tensor 'weight' (f32[2])" "${run[@]}"
grep -q "has no tensor 'bias' (f32\[2\])" err || fail "every missing key is reported"
safetensors w.safetensors "${good/'[2]'/'[1,2]'}" 16
expect 1 "'weight' is f32[1, 2] in 'w.safetensors', but the graph needs f32[2]" "${run[@]}"
safetensors w.safetensors "${good/F32/I32}" 16
expect 1 "'weight' is i32[2] in 'w.safetensors', but the graph needs f32[2]" "${run[@]}"
safetensors w.safetensors "$(sed 's/F32/F8_E4M3/; s/0,8/0,2/; s/8,16/2,10/' <<< "$good")" 10
expect 1 "'weight' is f8e4m3[2] in 'w.safetensors', but the graph needs f32[2]" "${run[@]}"
safetensors w.safetensors "$(sed 's/F32/F8_E8M0/; s/0,8/0,2/; s/8,16/2,10/' <<< "$good")" 10
expect 1 "'weight' is F8_E8M0[2] in 'w.safetensors', but the graph needs f32[2]" "${run[@]}"
safetensors w.safetensors "${good/'[2]'/'[4294967296,4294967296]'}" 16
expect 1 "the shape of 'weight' overflows" "${run[@]}"
safetensors w.safetensors "${good/8,16/4,12}" 16
expect 1 "'weight' and 'bias' overlap" "${run[@]}"
{ u64 9223372036854775807; printf '{}'; } > w.safetensors
expect 1 "its header would have 9223372036854775807 bytes" "${run[@]}"
safetensors w.safetensors "${good/bias/weight}" 16
expect 1 "the key 'weight' occurs twice" "${run[@]}"
rm w.safetensors; mkdir w.safetensors
expect 1 "Is a directory" "${run[@]}"
rmdir w.safetensors
safetensors w.safetensors "$good" 16

# tensors of ONNX: written, read back, damaged
expect 0 "" "$mgc" run net.mg --input x=1,2 --output y=y.pb
expect 0 "y: f32[2] = [0.0, 0.0]" "$mgc" run net.mg --input x=y.pb
head -c 10 y.pb > cut.pb
expect 1 "'cut.pb' is not a valid pb (TensorProto) file: its bytes are damaged or cut off" "$mgc" run net.mg --input x=cut.pb
printf '\x08\x02\x10\x08\x32\x01a\x32\x01b' > text.pb
expect 1 "MG has no counterpart of elements of type string" "$mgc" run net.mg --input x=text.pb

# inputs
expect 1 "cannot open 'x.npy': No such file or directory" "$mgc" run net.mg --input x=x.npy
npy x.npy "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" 8
expect 0 "y: f32[2] = [0.0, 0.0]" "$mgc" run net.mg --input x=x.npy
npy x.npy "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }" 7
expect 1 "asks for 8 bytes, but it has 7" "$mgc" run net.mg --input x=x.npy
npy x.npy "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 16), }" 8
expect 1 "its shape overflows" "$mgc" run net.mg --input x=x.npy
npy x.npy "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }" 16
expect 1 "input 'x' is f32 with 1 dimension, but 'x.npy' holds f64 with 1" "$mgc" run net.mg --input x=x.npy
npy x.npy "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }" 12
expect 1 "x" "$mgc" run net.mg --input x=x.npy
printf 'garbage' > x.npy
expect 1 "it does not begin as one" "$mgc" run net.mg --input x=x.npy
printf 'garbage' > x.npz
expect 1 "it is not a zip archive" "$mgc" run net.mg --input x=x.npz:a
expect 1 "does not name a tensor" "$mgc" run net.mg --input x=x.npz
expect 0 "" "$mgc" run net.mg --input x=3,4 --output y=y.npz
expect 1 "'y.npz' has no array 'yy'; did you mean 'y'?" "$mgc" run net.mg --input x=y.npz:yy
expect 0 "y: f32[2] = [0.0, 0.0]" "$mgc" run net.mg --input x=y.npz:y

# outputs; root may write where others may not, but not into /proc
blocked=$work/blocked
mkdir "$blocked" && chmod a-w "$blocked"
[ "$(id -u)" = 0 ] && blocked=/sys
expect 1 "cannot write '$blocked/y.npy'" "$mgc" run net.mg --input x=3,4 --output y="$blocked/y.npy"
expect 1 "cannot write '$blocked/net.mgb'" "$mgc" net.mg -o "$blocked/net.mgb"
expect 1 "cannot write 'absent/y.npy': No such file or directory" "$mgc" run net.mg --input x=3,4 --output y=absent/y.npy
expect 1 "cannot write '/dev/full'" "$mgc" --emit-ast net.mg -o /dev/full
echo before > full.mgb
(ulimit -f 1; expect 1 "cannot write 'full.mgb': File too large" "$mgc" net.mg --no-cache -o full.mgb) || exit 1
[ "$(cat full.mgb)" = before ] || fail "a failed write changed the file"
[ -z "$(find . -name '*tmp*')" ] || fail "a failed write left $(find . -name '*tmp*')"

# Whenever a signal comes, the file is whole or absent. timeout sends it: if the shell's child were killed before it has
# become mgc, it would run the trap of lib.sh and remove the folder.
rm -f full.mgb
for delay in 0.001 0.005 0.01 0.02 0.03 0.04 0.06 0.08; do
    rm -f net.mgb
    timeout --signal=TERM $delay "$mgc" net.mg --no-cache > /dev/null 2>&1
    [ ! -e net.mgb ] || expect 0 "y: f32[2]" "$mgc" run net.mgb --input x=1,2
    [ -z "$(find . -name '*tmp*')" ] || fail "an interrupted run left $(find . -name '*tmp*')"
done

# source files
expect 1 "cannot open 'absent.mg'" "$mgc" run absent.mg
expect 1 "this is not text: control byte 0x00" "$mgc" run w.safetensors
: > empty.mg
expect 1 "a file begins with the version of its language" "$mgc" run empty.mg
expect 1 "a file begins with the version of its language" "$mgc" run -
printf 'mg 1\n/*/*' > comment.mg
expect 1 "expected 'import', 'graph'" "$mgc" comment.mg
[ "$(grep -c error: err)" = 1 ] || fail "what is no graph for an error is told of as missing"
printf 'mg 1\ngraph g(x: f32[4]) -> (y: f32[4]) { y[i] = %s }' "$(printf 'x[i] + %.0s' {1..3000}; echo 'é')" > long.mg
expect 1 "long.mg:2:" "$mgc" long.mg
[ "$(wc -c < err)" -lt 2000 ] || fail "a line of 20 KB is shown whole"
cat > power.mg <<'END'
mg 1
graph power(x: f32[N]) -> (y: f32[N * N * N * N]) { y[i in 0..N*N*N*N] = 1.0 + cast(i, to = f32) }
graph reshaped(x: f32[N]) -> (y: f32[N * N * N * N]) { y = reshape(x, shape = [N * N * N * N]) }
END
expect 1 "N*N*N*N: a size does not fit 64 bits (N = 100000 from x)" "$mgc" run power.mg --graph=power --input x=zeros --set N=100000
expect 1 "N == N*N*N*N: a size does not fit 64 bits (N = 100000 from x)" \
    "$mgc" run power.mg --graph=reshaped --input x=zeros --set N=100000
mkdir folder.mg
expect 1 "Is a directory" "$mgc" run folder.mg
finish
