#!/usr/bin/env bash
# Tests libraries: a C program links a .o, .a and .so of four graphs and checks every value and code. Also tested are the
# symbols that the objects need, two libraries in one program, other CPUs, a missing linker, and that errors leave no file.
source "$(dirname "$0")/../cli/lib.sh"
cc=${CC:-cc}
mkdir tmp
export TMPDIR=$work/tmp # a private one, since other compilers use the shared one
strict="-std=c11 -Wall -Wextra -Wpedantic -Werror -g -I. -pthread"
cp "$here/net.mg" .
safetensors w.safetensors '{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' 0
printf '\x00\x00\x00\x40\x00\x00\x40\x40' >> w.safetensors # 2, 3

# build EXTENSION FLAG…: builds the library, then compiles and runs the program with it
use() {
    local kind=$1 more=""
    shift
    expect 0 "" "$mgc" net.mg -o "net.$kind" --threads=2 --share=all "$@"
    [ ! -e net.weights ] || more="-DWEIGHTS=\"net.weights\""
    expect 0 "" $cc $strict $more "$here/use.c" "./net.$kind" -lm -o use
    expect 0 "all of it holds" env LD_LIBRARY_PATH=. ./use
    rm -f net.weights
}
for level in 0 1 2 3; do use o -O$level; done
use a --set N=4 --set N=1 --set B=96
use so --set N=4 --strict
use so --march=x86-64-v2
use a --weights-place=beside --set N=4
[ "$(ar t net.a)" = net.o ] || fail "the archive's member"
nm -s net.a | grep "affine_run in net.o" > out || fail "the archive's index"

# It needs only libc and libm, and exports only the functions of the header.
printf 'mg 1\ngraph f(x: f64[N], h: f16[N]) -> (y: f64[N], r: f16[N]) { y = pow(tanh(x), x) r = softmax(mul(h, h), axis = 0) }\n' > wide.mg
expect 0 "" "$mgc" wide.mg -o wide.so --threads=4 --share=all --march=x86-64-v2
for net in net wide; do
    readelf -d $net.so | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^lib[cm]\.so\.6$' && fail "$net.so needs more"
    nm -D --undefined-only $net.so | grep -vE '@GLIBC_' | grep -v ' w ' && fail "$net.so needs a symbol of no known library"
    nm -D --defined-only $net.so | grep -vE ' T [a-z]+_(arena|bind|close|hash|message|open_checked|run|shapes|timing)$' &&
        fail "$net.so shows more than its functions"
done
readelf -d net.so | grep "SONAME" > out && fail "net.so has a name, so a program that links ./net.so cannot start"
expect 0 "" "$mgc" wide.mg -o wide.so --soname=libwide.so.1
readelf -d wide.so | grep "SONAME.*\[libwide.so.1\]" > out || fail "--soname"
# README's way, as typed
printf '#include "net.h"\nint main(void) { return AFFINE_OK; }\n' > main.c
expect 0 "" cc main.c ./net.so
expect 0 "" ./a.out

# two libraries in one program; the header is C++ too
printf 'mg 1\ngraph other(x: f32[4]) -> (y: f32[4]) { y = relu(x) }\n' > other.mg
expect 0 "" "$mgc" other.mg -o other.o
expect 0 "" "$mgc" net.mg -o net.o
cat > both.c <<'EOF'
#include "net.h"
#include "other.h"
#include <stdio.h>
int main(void) {
    other_instance net;
    float x[4] = {-1, 2, -3, 4}, y[4];
    int code = other_open(&net);
    if (!code) code = other_bind(&net, NULL, NULL, 0);
    if (!code) code = other_run(&net, &(other_inputs){x}, &(other_outputs){y});
    printf("%d %g %g %s\n", code, y[0], y[3], affine_message(AFFINE_ARENA));
    other_close(&net);
    return 0;
}
EOF
expect 0 "0 0 4 the arena is too small" bash -c "$cc $strict both.c net.o other.o -lm -o both && ./both"
# a tensor too large for any memory is reported before its place is computed: 2^66 elements are 0 mod 2^64
cat > cubes.mg <<'EOF'
mg 1
graph cubes(x: f32[N]) -> (y: f32[N]) {
    z[i, j, k] = x[i] * x[j] + x[k]
    y[i] = z[i, 0, 0] + sum[j, k] z[i, j, k] * z[i, k, j]
}
EOF
cat > cubes.c <<'EOF'
#include "cubes.h"
#include <stdio.h>
int main(void) {
    cubes_instance net;
    cubes_sizes few = {3}, many = {(int64_t)1 << 22};
    uint64_t bytes;
    int good = cubes_open(&net) | cubes_bind(&net, &few, NULL, 0);
    printf("%d %s %s\n", good, cubes_message(cubes_arena(&many, &bytes)),
           cubes_message(cubes_bind(&net, &many, NULL, 0)));
    cubes_close(&net);
}
EOF
expect 0 "" "$mgc" cubes.mg -o cubes.o -O0
large="cubes.mg:3:5: z, of shape [N, N, N], would have more elements than memory has addresses"
expect 0 "0 $large $large" bash -c "$cc $strict cubes.c cubes.o -lm -o cubes && ./cubes"
if command -v c++ > /dev/null; then
    expect 0 "" c++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only net.h
fi

# Other CPUs. Code for one without fma calls no function for it.
for march in x86-64-v2 x86-64-v3 x86-64-v4 znver5 aarch64 neoverse-n1; do
    expect 0 "" "$mgc" wide.mg -o wide.o --march=$march
    machine='X86-64'
    [[ $march = x86* || $march = znver* ]] || machine=AArch64
    readelf -h wide.o | grep "Machine:.*$machine" > out || fail "--march=$march: not for $machine"
done
printf 'mg 1\ngraph f(x: f32[N, 64], w: f32[64, 64]) -> (y: f32[N, 64]) { y = softmax(gelu(matmul(x, w)), axis = 1) }\n' > dense.mg
expect 0 "" "$mgc" dense.mg -o dense.so --march=x86-64-v2
nm -D dense.so | grep -i fma && fail "x86-64-v2: fma is called"
expect 1 "code for aarch64 does not run on this machine" "$mgc" run other.mg --input x=ones --march=aarch64
expect 1 "unknown --march 'znver55'; did you mean 'znver5'?" "$mgc" other.mg -o other.o --march=znver55
if command -v qemu-aarch64 aarch64-linux-gnu-gcc > out && [ "$(wc -l < out)" = 2 ]; then
    cc=aarch64-linux-gnu-gcc
    for flags in "o -O0" "a -O2 --set N=4" "so -O2 --march=cortex-a72"; do
        set -- $flags
        expect 0 "" "$mgc" net.mg -o net.$1 --threads=2 --share=all --march=aarch64 ${@:2}
        expect 0 "" $cc $strict "$here/use.c" ./net.$1 -lm -o use
        expect 0 "all of it holds" qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=. ./use
    done
    # Every form of schedules computes on those CPUs what plain loops compute here.
    cp "$here/forms.mg" .
    expect 0 "" "$mgc" forms.mg -o forms.a -O0
    expect 0 "" ${CC:-cc} $strict "$here/forms.c" ./forms.a -lm -o forms
    ./forms > forms.here
    for flags in "1 aarch64" "2 neoverse-n1"; do
        set -- $flags
        expect 0 "" "$mgc" forms.mg -o forms.a -O2 --threads=$1 --share=all --march=$2
        expect 0 "" $cc $strict "$here/forms.c" ./forms.a -lm -o forms
        qemu-aarch64 -L /usr/aarch64-linux-gnu ./forms > forms.there
        paste forms.here forms.there | awk '{ d = $1 - $2; e = 1e-4 * (1 + ($1 < 0 ? -$1 : $1)); if (NF != 2 || d > e || d < -e) bad++ }
            END { exit bad > 0 || NR < 200000 }' || fail "--march=$2, $1 threads: other values"
    done
else
    echo "SKIPPED: running AArch64 code: needs qemu-user and gcc-aarch64-linux-gnu"
    expect 1 "no linker was found" env PATH=/nonexistent "$mgc" net.mg -o net.so --march=aarch64
fi

# the same source gives the same bytes
for kind in o a so; do
    expect 0 "" "$mgc" net.mg -o "net.$kind" && cp "net.$kind" "first.$kind" && cp net.h first.h
    expect 0 "" "$mgc" net.mg -o "net.$kind"
    cmp "net.$kind" "first.$kind" && cmp net.h first.h || fail "two compilations to .$kind differ"
done

# impossible requests leave no file
rm -f net.so net.h
expect 2 "no graph of the file has a dimension 'Q'" "$mgc" net.mg -o net.so --set Q=3
expect 1 "N must be at most 64" "$mgc" net.mg -o net.so --set N=65
expect 2 "the extension says what to make: .mgb, .so, .a or .o" "$mgc" net.mg -o net.dll
expect 1 "has no graph 'nosuch'" "$mgc" net.mg -o net.so --graph=nosuch
expect 1 "no linker was found" env PATH=/nonexistent CC= "$mgc" net.mg -o net.so
expect 1 "cannot write" "$mgc" net.mg -o nowhere/net.so
mv w.safetensors w
expect 1 "cannot open 'w.safetensors'" "$mgc" net.mg -o net.so
mv w w.safetensors
[ ! -e net.so ] && [ ! -e net.h ] || fail "an error leaves a file"
[ -z "$(ls tmp)" ] || fail "a folder is left: $(ls tmp)"
expect 0 "" "$mgc" net.mg -o pick.so --graph=pick
expect 0 "" "$mgc" net.mg -o first.a --graph=pick --prefix=a-net && grep -q "int a_net_run(a_net_instance" first.h || fail "--prefix"
expect 0 "" "$mgc" net.mg -o first.a --prefix=all && grep -q "int all_pick_run(all_pick_instance" first.h || fail "--prefix"
grep -q affine pick.h && fail "a graph that was not asked for"
finish
