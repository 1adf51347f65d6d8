#!/usr/bin/env bash
# Wrong usage gives status 2 and a message that says what would be right.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph double(x: f32[N, 2]) -> (y: f32[N, 2]) { y = add(x, x) }
graph halve(x: f32[N]) -> (y: f32[N]) { y = mul(x, 0.5) }
END

expect 0 "mgc run FILE.mg|FILE.mgb" "$mgc" --help
expect 0 "--profile[=TRACE.json" "$mgc" run --help
expect 0 "" "$mgc" help
python3 - out <<'END' || fail "a row of the help does not begin where the others do"
import sys
text = open(sys.argv[1], encoding="utf-8").read()
rows = text[text.index("  -O"):text.index("\n\nExit")].split("\n")
starts = [row[30:32] == "  " and row[32] != " " for row in rows]
below = [row.startswith(" " * 32) for row in rows[1:]] + [False]
sys.exit(not all(here or after for here, after in zip(starts, below)))
END
expect 0 "language mg 1" "$mgc" version
expect 0 '"language": 1' "$mgc" version --format=json
expect 0 "mgc run FILE.mg|FILE.mgb" "$mgc"
expect 2 "unknown flag --emit-irr; did you mean --emit-ir?" "$mgc" --emit-irr net.mg
expect 2 "unknown flag --xyzzy; \`mgc --help\` lists them" "$mgc" --xyzzy net.mg
expect 2 "unknown flag -o3; did you mean" "$mgc" -o3 net.mg
expect 2 "unknown command rum; did you mean \`mgc run\`?" "$mgc" rum net.mg
expect 2 "--threads takes a number from 1 to 1024, not '0'" "$mgc" run net.mg --threads=0
expect 2 "--threads takes a number from 1 to 1024, not '99999999999999999999'" "$mgc" run net.mg --threads 99999999999999999999
expect 2 "--repeat takes a number" "$mgc" run net.mg --repeat=ten
expect 2 "-O takes a number from 0 to 3, not '4'" "$mgc" -O4 net.mg
expect 2 "--format is one of text|json, not 'xml'" "$mgc" run net.mg --format=xml
expect 2 "--graph needs NAME" "$mgc" run net.mg --graph
expect 2 "--time takes no value" "$mgc" run net.mg --time=3
expect 2 "--time has no meaning for \`mgc fmt FILE.mg...\`" "$mgc" fmt net.mg --time
expect 2 "--input has no meaning for \`mgc FILE.mg\`" "$mgc" net.mg --input x=1
expect 2 "expected one file, found 'net.mg' and 'other.mg'" "$mgc" run net.mg other.mg
expect 2 "usage: mgc run FILE.mg|FILE.mgb" "$mgc" run
expect 2 "several --emit-… were given; expected one" "$mgc" --emit-ast --emit-ir net.mg
expect 2 "there is no target 'tpu'; the targets are cpu and gpu" "$mgc" net.mg --target=tpu
expect 2 "the extension says what to make: .mgb, .so, .a or .o" "$mgc" net.mg -o net.dll
expect 2 "unknown word 'cler' after mgc cache; did you mean clear?" "$mgc" cache cler

expect 2 "mgc devices takes no file and no other word; found 'net.mg'" "$mgc" devices net.mg
expect 2 "mgc probe takes no file and no other word; found 'cpu'" "$mgc" probe cpu
expect 0 "OpenCL 1.2: libOpenCL.so.1 is " "$mgc" version
cp out version.txt
expect 0 "LLVM " "$mgc" --version
cmp out version.txt || fail "--version is not mgc version"
expect 0 '"opencl": ' "$mgc" --version --format=json
expect 2 "--version has no meaning for \`mgc run" "$mgc" run net.mg --version
expect 2 "--time has no meaning for \`mgc version\`" "$mgc" version --time
expect 0 "mgc run FILE.mg|FILE.mgb" "$mgc" help run
! grep -q "mgc bench graphs" out || fail "help of one command"
expect 2 "unknown command or operator 'rum'; did you mean 'run'?" "$mgc" help rum
expect 1 "has 2 graphs (double, halve): choose one with --graph=NAME" "$mgc" run net.mg --input x=ones
expect 1 "has no graph 'duoble'; did you mean 'double'?" "$mgc" run net.mg --graph=duoble --input x=ones
expect 2 "input 'x' is not given: --input x=SPEC" "$mgc" run net.mg --graph=double
expect 2 "--input takes NAME=SPEC, not 'ones'" "$mgc" run net.mg --graph=double --input ones
expect 2 "double has no input 'zebra'; it has 'x'" "$mgc" run net.mg --graph=double --input zebra=ones
expect 2 "input 'x' is given twice" "$mgc" run net.mg --graph=double --input x=ones --input x=zeros --set N=1
expect 2 "the size of dimension N of input 'x' is not known: give --set N=SIZE" "$mgc" run net.mg --graph=double --input x=ones
expect 2 "double has no dimension 'rows'; it has 'N'" "$mgc" run net.mg --graph=double --input x=ones --set rows=3
expect 2 "double has no dimension 'n'; did you mean 'N'?" "$mgc" run net.mg --graph=double --input x=ones --set n=3
expect 2 "--set gives dimension 'N' two sizes" "$mgc" run net.mg --graph=double --input x=ones --set N=3 --set N=4
expect 2 "--set takes DIM=SIZE, not 'N=-3'" "$mgc" run net.mg --graph=double --input x=ones --set N=-3
for seed in x -1 99999999999999999999; do
    expect 2 "random takes a number as its seed, not '$seed'" "$mgc" run net.mg --graph=double --input x=random:$seed --set N=3
done
expect 2 "--output takes NAME=FILE, not 'y'" "$mgc" run net.mg --graph=double --input x=ones --set N=3 --output y
expect 2 "double has no output 'zebra'; it has 'y'" "$mgc" run net.mg --graph=double --input x=ones --set N=3 --output zebra=z.npy
expect 2 "outputs are written to .npy, .npz or .pb files, not to 'y.txt'" "$mgc" run net.mg --graph=double --input x=ones --set N=3 --output y=y.txt
expect 0 "" "$mgc" run net.mg --graph=double --input x=ones --set N=2 --output y=two.npy
expect 1 "mgc: --set says N = 3, but input 'x' has N = 2 in 'two.npy'" "$mgc" run net.mg --graph=double --input x=two.npy --set N=3
expect 0 "" "$mgc" net.mg --graph=double -o sized.mgb --set N=2
expect 0 "f32[2, 2]" "$mgc" run sized.mgb --input x=ones
expect 0 "f32[3, 2]" "$mgc" run sized.mgb --input x=ones --set N=3
expect 1 "input 'x' has 4 elements, but '1,2,3' has 3" "$mgc" run net.mg --graph=double --input x=1,2,3 --set N=2
printf 'mg 1\ngraph odd(x: f32[2 * N + 1]) -> (y: f32[N]) { y[i] = x[2 * i] }\n' > odd.mg
expect 1 "dimension 0 of input 'x' is 2*N + 1, which cannot be 4" "$mgc" run odd.mg --input x=1,2,3,4
grep -qF '()' err && fail "nothing in brackets"
expect 1 "input 'x': 3 elements don't fill f32[N, 2]" "$mgc" run net.mg --graph=double --input x=1,2,3
expect 1 "input 'x': 'photo.png' is not a value of type f32, random, zeros, ones or a file (.npy" "$mgc" run net.mg --graph=double --input x=photo.png
expect 1 "input 'x': 'photo.png' is not a value of type f32" "$mgc" run net.mg --graph=double --input x=photo.png --set N=0
expect 1 "input 'x': '' is not a value of type f32" "$mgc" run net.mg --graph=double --input x=1,2,3,
expect 1 "input 'x': 'a' is not a value of type f32" "$mgc" run net.mg --graph=double --input x=1,2,a,4

expect 1 "the size of input 'x' overflows" "$mgc" run net.mg --graph=double --input x=ones --set N=9223372036854775807
expect 1 "out of memory: input 'x' has 800000000 bytes, the limit is 64 MiB (--memory-limit)" "$mgc" run net.mg --graph=double \
    --input x=ones --set N=100000000 --memory-limit=64

expect 0 "y: f32[2, 2] =" "$mgc" run net.mg --graph=double --input x=1,2,3,4
grep -qF '[[2.0, 4.0],' out || fail "the values of y"
expect 0 '"data": [2.0, 4.0, 6.0, 8.0]' "$mgc" run net.mg --graph=double --input x=1,2,3,4 --format=json
expect 0 "y: f32[3] = [0.5, 0.5, 0.5]" "$mgc" run net.mg --graph=halve --input x=ones --set N=3
expect 0 "y: f32[3] = [0.5, 0.5, 0.5]" bash -c "'$mgc' run --graph halve --input x=ones --set N=3 - < net.mg"
expect 2 "--precision is one of f32|tf32|bf16|f16, not 'f8'" "$mgc" run net.mg --precision=f8
finish
