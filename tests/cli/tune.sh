#!/usr/bin/env bash
# Tests what mgc tune prints and keeps, and which commands read it. An old or hostile file is ignored or refused, and any
# value of any parameter gives the same results.
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own

cat > net.mg <<'END'
mg 1
graph net(x: f32[30, 70], w: f32[70, 90], u: f32[64], z: f32[64, 700], p: f32[1, 3, 20, 21]) -> (y: f32[30, 90], q: f32[700], m)
{
    y = relu(matmul(x, w))
    q[j] = sum[i] u[i] * z[i, j]
    m = max_pool2d(p, kernel = 3)
}
END
run=("$mgc" run net.mg)
for name in x w u z p; do run+=(--input $name=random); done
for name in y q m; do run+=(--output "$name=$name.npy"); done

# In a pipe, mgc tune prints only its findings and the file's path. It leaves no other file.
expect 0 "3 kernels with parameters" "$mgc" tune net.mg
[ ! -s err ] || fail "not silent on standard error"
file=$(echo cache/tuned-*.txt)
[ -f "$file" ] || fail "no file in the cache folder"
grep -qx 'mg tuned 1' "$file" && grep -qE '^machine native [0-9a-f]{16} llvm [0-9.]+ # .' "$file" || fail "the file has another form"
expect 0 "kept in my.txt" "$mgc" tune net.mg -o my.txt --threads=2
head -2 my.txt > machine
# a search of a given time continues after the pass, and ends
begin=$(date +%s%N)
expect 0 "kept in my.txt" "$mgc" tune net.mg -o my.txt --threads=2 --seconds=3
took=$((($(date +%s%N) - begin) / 1000000))
[ $took -ge 3000 ] && [ $took -lt 60000 ] || fail "a search of 3 s took $took ms"
expect 2 "--seconds takes a number from 1 to 1000000, not '0'" "$mgc" tune net.mg --seconds=0
expect 2 "the schedules of the CPU" "$mgc" tune net.mg --target=gpu
expect 2 "name a file with -o" "$mgc" tune net.mg --cache=/dev/null
expect 1 "cannot write '/proc/none/file'" "$mgc" tune absent.mg -o /proc/none/file # before anything is searched
expect 1 "cannot write 'cache'" "$mgc" tune absent.mg -o cache
expect 1 "cannot open 'absent.mg'" "$mgc" tune absent.mg -o absent.txt
[ ! -e absent.txt ] && [ -z "$(ls absent.* 2> /dev/null)" ] || fail "a search that did not begin leaves a file"
printf 'mg 1\ngraph f(x: f32[N, 64], w: f32[64, 48]) -> (y) { y = matmul(x, w) }\n' > open.mg
expect 2 "give --set N=SIZE" "$mgc" tune open.mg
expect 0 "1 kernel with parameters" "$mgc" tune open.mg --set=N=40

# its file is read by name or from the cache folder, or not at all
kernels() { "$mgc" --emit-kernels net.mg "$@" | sha256sum; }
{ cat machine; echo 'every contraction.rows=5 columns.rows=3 window.rows=1'; } > other.txt
plain=$(kernels --tuned=none)
[ "$(kernels --tuned=other.txt)" != "$plain" ] || fail "--tuned is not read"
[ "$(kernels --tuned=other.txt)" = "$(kernels --tuned=other.txt)" ] || fail "not the same kernels twice"
expect 0 "kernel contraction_0" "$mgc" --emit-kernels open.mg --tuned=other.txt # of any N
cp other.txt "$file"
[ "$(kernels)" = "$(kernels --tuned=other.txt)" ] || fail "the cache folder's file is not read"
[ "$(kernels --no-cache)" = "$plain" ] || fail "the cache folder's file is read without the cache"
[ "$(kernels --tuned=none)" = "$plain" ] || fail "--tuned=none reads a file"
expect 0 "" "${run[@]}"
expect 0 "1 compiled object," "$mgc" cache
expect 0 "" "${run[@]}" --tuned=none
expect 0 "2 compiled objects" "$mgc" cache # the tuned parameters are part of the key
expect 0 "" "${run[@]}" --tuned=other.txt
expect 0 "2 compiled objects" "$mgc" cache
expect 0 "" "$mgc" cache clear
[ -f "$file" ] || fail "clearing the cache removes what was found"
rm "$file"

# any value gives correct results
expect 0 "" "${run[@]}" -O0
for name in y q m; do mv $name.npy $name.want.npy; done
cat > compare.py <<'END'
import sys
import numpy as np
for name in "yqm":
    if not np.allclose(np.load(name + ".npy"), np.load(name + ".want.npy"), rtol=1e-4, atol=1e-4):
        sys.exit(name + " differs")
END
python=""
for one in python3 /usr/bin/python3; do
    [ -n "$python" ] || { $one -c 'import numpy' 2> /dev/null && python=$one; }
done
for values in contraction.vectors={1,3,6} contraction.rows={1,7,64} contraction.depth={8,17,65536} contraction.block={1,9,1048576} \
    contraction.columns={1,40,1048576} contraction.sharing={1,2,3,4,5,6} contraction.pack_rows={1,2} contraction.pack_columns={1,2} columns.chunk={64,100,65536} columns.rows={1,5,16} window.rows={1,5,16} \
    'contraction.vectors=6 contraction.rows=64 contraction.depth=8 contraction.block=1 contraction.columns=1' \
    'contraction.vectors=1 contraction.rows=5 contraction.depth=17 contraction.sharing=6 contraction.pack_rows=2 contraction.pack_columns=1'; do
    { cat machine; echo "every $values"; } > values.txt
    for threads in 1 2; do
        expect 0 "" "${run[@]}" --tuned=values.txt --threads=$threads --share=all
        [ -z "$python" ] || expect 0 "" $python compare.py
    done
done

# blocks of depth consist of whole windows: if one block is the whole depth, nothing is kept between blocks
cat > taps.mg <<'END'
mg 1
graph taps(x: f32[34, 34], w: f32[32, 3, 3]) -> (y: f16[32, 32, 32]) {
    y[o, i, j] = f16(sum[a in 0..3, b in 0..3] x[i + a, j + b] * w[o, a, b])
}
END
{ cat machine; echo 'every contraction.depth=8'; } > values.txt
expect 0 "kernel contraction_0" "$mgc" --emit-kernels taps.mg --tuned=values.txt
grep -q partials out && fail "sums between blocks have a buffer where there is one block"

# A file that mgc tune would not write is refused if it is named, and ignored in the cache folder.
bad() { # MESSAGE TEXT
    printf "$2" > bad.txt
    expect 1 "$1" "${run[@]}" --tuned=bad.txt
    cp bad.txt "$file"
    expect 0 "" "${run[@]}"
    rm "$file"
}
m=$(tail -1 machine)
bad "its first line is not" ''
bad "bad.txt:1: " 'mg tuned 2\n'
bad "bad.txt:1: " '\x00\xff\x7fELF\n'
bad "bad.txt:3: not what mgc tune writes: a line begins with" "mg tuned 1\n$m\nlayer 1\n"
bad "bad.txt:3: not what mgc tune writes: a unit has 16 digits" "mg tuned 1\n$m\nunit 12 contraction.rows=3\n"
bad "a unit has 16 digits" "mg tuned 1\n$m\nunit 00000000000000gg contraction.rows=3\n"
bad "a unit has 16 digits" "mg tuned 1\n$m\nunit"
bad "a parameter is NAME=NUMBER" "mg tuned 1\n$m\nevery contraction.rows\n"
bad "a parameter is NAME=NUMBER" "mg tuned 1\n$m\nevery contraction.rows=\n"
bad "a parameter is NAME=NUMBER" "mg tuned 1\n$m\nevery contraction.rows=-3\n"
bad "a parameter is NAME=NUMBER" "mg tuned 1\n$m\nevery contraction.rows=3x\n"
bad "a parameter is NAME=NUMBER" "mg tuned 1\n$m\nevery contraction.rows=99999999999999999999999999\n"
bad "outside the range of its parameter" "mg tuned 1\n$m\nevery contraction.rows=0\n"
bad "outside the range of its parameter" "mg tuned 1\n$m\nevery contraction.rows=9999999999999999999\n"
expect 1 "cannot" "${run[@]}" --tuned=absent.txt
expect 1 "cannot" "$mgc" bench graphs --sizes=4 --depths= --modes=fused --samples=1 --seeds=1 --tuned=absent.txt
expect 0 "cpu" "$mgc" bench graphs --sizes=4 --depths= --modes=fused --samples=1 --seeds=1 --tuned=values.txt
printf 'mg 1\ngraph f(x: f32[40, 64], w: f32[64, 48]) -> (y) { y = matmul(x, w) }\n' > fixed.mg
expect 1 "cannot open 'absent.txt'" "$mgc" bisect fixed.mg --tuned=absent.txt
expect 0 "every pass gives what the interpreter gives" "$mgc" bisect fixed.mg --tuned=values.txt
mkdir -p case/test_data_set_0
cp fixed.mg case/net.mg
expect 0 "" "$mgc" run fixed.mg --input x=ones --input w=ones --output y=case/test_data_set_0/output_0.pb
printf 'mg 1\ngraph f(n: i64[]) -> (x: f32[40, 64], w: f32[64, 48]) {\n    x[i in 0..40, j in 0..64] = 1\n    w[i in 0..64, j in 0..48] = 1\n}\n' > ones.mg
expect 0 "" "$mgc" run ones.mg --input n=1 --output x=case/test_data_set_0/input_0.pb --output w=case/test_data_set_0/input_1.pb
expect 0 "1 passed" "$mgc" test case --tuned=values.txt
expect 1 "cannot open 'absent.txt'" "$mgc" test case --tuned=absent.txt
head -c 5000000 /dev/zero | tr '\0' 'x' > bad.txt
expect 1 "larger than 4 MiB" "${run[@]}" --tuned=bad.txt
# parameters of another machine, and of another version
printf 'mg tuned 1\nmachine native 0000000000000000 llvm 1.0\nevery contraction.rows=3\n' > bad.txt
expect 0 "is not used: it was measured on another machine" "${run[@]}" --tuned=bad.txt
printf "mg tuned 1\n$m\nevery contraction.colour=3 contraction.rows=3 # no end" > old.txt
expect 0 "" "${run[@]}" --tuned=old.txt
finish
