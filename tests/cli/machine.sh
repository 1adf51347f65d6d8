#!/usr/bin/env bash
# Tests machines: mgc reads back what mgc machine prints, refuses a wrong file and names its line, and decides by the
# figures whatever the host is. Figures are part of an object's key.
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own

# Every machine is printed, with all figures, and what is printed is the same machine.
expect 1 "expected a file (with a '/' or '.machine'), 'none', or one of" "$mgc" machine nothing-like-it
for name in $(sed 's/.*one of //' err | tr -d ,); do
    expect 0 "isa " "$mgc" machine $name
    cp out $name.machine
    "$mgc" machine $name.machine | sed 's/ # .*//' > again
    sed 's/ # .*//' $name.machine | cmp -s - again || fail "$name does not read back"
done
expect 1 "unknown --machine 'znver44'; did you mean 'znver4'?" "$mgc" machine znver44
expect 0 "# znver4: second-level cache" "$mgc" machine znver4   # a figure of its own
expect 0 "# x86-64-v4: size of a vector register" "$mgc" machine znver4 # one of the machine that it is like
expect 0 "barrier" "$mgc" machine
# a virtual machine's CPU may report a cache that its host's other cores fill
[ "$(awk -v n="$(nproc --all)" '$1 == "l3_size" {l3 = $2 * ($3 == "KiB" ? 1 : 1024)} $1 == "l3_core" {core = $2 * 1024} END {print l3 <= n * core}' out)" = 1 ] || fail "the last-level cache is too large"

# A file may hold anything: each error names its line.
refused() { # LINE TEXT CONTENT
    printf "$3" > bad.machine
    expect 1 "bad.machine:$1: not a machine: $2" "$mgc" machine bad.machine
}
head='mg machine 1\n'
refused 1 "its first line is not 'mg machine 1'" ''
refused 1 "its first line is not 'mg machine 1'" 'mg machine 10\n'
refused 2 "no figure has this name" "${head}l4_size 3 B\n"
refused 2 "a figure is a decimal number" "${head}barrier\n"
refused 2 "a figure is a decimal number" "${head}barrier -1 ns\n"
refused 2 "a figure is a decimal number" "${head}barrier nan ns\n"
refused 2 "a figure is a decimal number" "${head}barrier 1. ns\n"
refused 2 "a figure is a decimal number" "${head}barrier 1e3 ns\n"
refused 2 "a figure is a decimal number" "${head}barrier 1234567890123456 ns\n"
refused 2 "the number lacks its figure's unit or has another's" "${head}barrier 5\n"
refused 2 "the number lacks its figure's unit or has another's" "${head}barrier 5 KiB\n"
refused 3 "the number is outside the range of its figure" "$head# a word\nl1_size 3 B\n"
refused 3 "the number is outside the range of its figure" "$head\nl1_size 5 GiB\n"
refused 3 "'like' comes first" "${head}barrier 1 ns\nlike znver4\n"
refused 2 "'like' takes the name of a machine" "${head}like bad.machine\n"
refused 2 "a name has 1 to 31 characters" "${head}isa $(printf 'x%.0s' {1..40})\n"
refused 2 "a name has printable characters" "${head}isa \\x80\n"
refused 2 "something follows what the line says" "${head}barrier 1 ns and more\n"
refused 2 "no figure has this name" "${head}\\0\\0\n"
expect 1 "cannot open 'absent.machine'" "$mgc" machine absent.machine

# Figures decide, whatever the host is. Those of a file count as much as those of the machine of that name.
cat > net.mg <<'EOF'
mg 1
graph net(x: f32[300, 512], w: f32[512, 384]) -> (y: f32[300, 384]) { y = softmax(matmul(x, w)) }
EOF
printf "${head}like x86-64-v3\nl1_size 8 KiB\nl2_size 64 KiB\n" > small.machine
kernels() { "$mgc" --emit-kernels net.mg -O2 --march=x86-64-v3 "$@" | sha256sum; }
plain=$(kernels)
[ "$(kernels --machine=x86-64-v3)" = "$plain" ] || fail "--machine=NAME is not --march=NAME's"
[ "$(kernels --machine=small.machine)" != "$plain" ] || fail "small caches change no block"
[ "$(kernels --machine=none)" = "$plain" ] || fail "--machine=none has figures"
expect 1 "bad.machine:2: not a machine" "$mgc" --emit-kernels net.mg --machine=bad.machine
expect 1 "bad.machine:2: not a machine" "$mgc" run net.mg --input x=ones --input w=ones --machine=bad.machine

# Passes use figures, too. Two products of 72 columns leave some of 16 lanes idle, but none of 8, so they become one
# product only on a machine with 16. Where packing takes long, they become one as well.
cat > two.mg <<'EOF'
mg 1
graph two(x: f32[4096, 64]) -> (y: f32[4096, 72]) {
    param v: f32[64, 72]
    param w: f32[64, 72]
    a[i, j] = sum[k] x[i, k] * v[k, j]
    b[i, j] = sum[k] x[i, k] * w[k, j]
    y[i, j] = a[i, j] * b[i, j]
}
EOF
joins() { # yes|no FLAGS
    "$mgc" --emit-ir --passes=siblings two.mg "${@:2}" > ir || fail "--emit-ir"
    local found=no
    ! grep -q 'a_all' ir || found=yes
    [ $found = $1 ] || fail "joined: $found, with ${*:2}"
    checks=$((checks + 1))
}
printf "${head}like x86-64-v3\npack 1 ns\n" > slow.machine
joins yes --march=znver4
joins no --march=x86-64-v3
joins no --march=znver4 --machine=x86-64-v3
joins yes --march=x86-64-v3 --machine=slow.machine

# Figures are part of an object's key.
run=("$mgc" run net.mg --input x=ones --input w=ones --output y=y.npy)
expect 0 "" "${run[@]}"
expect 0 "1 compiled object," "$mgc" cache
expect 0 "" "${run[@]}" --machine=small.machine
expect 0 "2 compiled objects" "$mgc" cache
expect 0 "" "${run[@]}" --machine=small.machine
expect 0 "2 compiled objects" "$mgc" cache

# A file in the cache folder is this machine's. A damaged one is ignored.
expect 2 "--save needs a cache folder" "$mgc" probe --save --no-cache
expect 2 "--save is for a CPU" "$mgc" probe --save --target=gpu
"$mgc" probe --save > out 2> err # 1: another program disturbed it
case $? in
0) kept=$(sed -n 's/^saved as //p' out)
   expect 0 "# $kept: a barrier of the grid" "$mgc" machine
   cp small.machine "$kept"
   expect 0 "l1_size 8 KiB" "$mgc" machine
   expect 0 "" "${run[@]}"
   expect 0 "2 compiled objects" "$mgc" cache # the same figures as --machine=small.machine
   expect 0 "" "$mgc" run net.mg --input x=ones --input w=ones --machine=none
   cp bad.machine "$kept"
   expect 0 "barrier" "$mgc" machine
   expect 0 "" "${run[@]}" ;;
1) grep -q "the machine was busy" err || fail "no reason" ;;
*) fail "mgc probe --save" ;;
esac

# A device starts with a machine's figures; its own take precedence.
march() { "$mgc" --emit-opencl net.mg --target=gpu --march=$1; }
[ "$(march h200 | sha256sum)" = "$(march cu=132,items=1024,local=49152,warp=32,ptx=90 | sha256sum)" ] || fail "h200"
expect 1 "unknown --march 'znver4'" "$mgc" --emit-opencl net.mg --target=gpu --march=znver4
finish
