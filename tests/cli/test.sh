#!/usr/bin/env bash
# Tests how mgc test finds cases and judges their outputs. A case that dies or hangs fails no other case.
source "$(dirname "$0")/lib.sh"

# case FOLDER: makes a case that doubles x, with the data of ./data
case_of() {
    mkdir -p "$1/test_data_set_0"
    cp data/* "$1/test_data_set_0"
    printf 'mg 1\ngraph double(x: f32[N]) -> (y: f32[N]) {\n    y[i] = x[i] * 2\n}\n' > "$1/net.mg"
}
# pb FILE TYPE VALUES: lets the compiler itself write a tensor
pb() {
    printf 'mg 1\ngraph same(x: %s[N]) -> (y: %s[N]) {\n    y[i] = x[i]\n}\n' "$2" "$2" > same.mg
    "$mgc" run same.mg --input x="$3" --output y="$1" || exit 1
}
# verdict 'LINE' STATUS [FLAG…]: tests the output for the one case `one`
verdict() {
    local line=$1 status=$2
    shift 2
    "$mgc" test one "$@" > out 2> err
    [ $? = "$status" ] || fail "$line: another status than $status"
    checks=$((checks + 1))
    grep -qxF -- "$line" out || fail "expected: $line"
}

mkdir data
pb data/input_0.pb f32 1,2,3
pb data/output_0.pb f32 2,4,6

# judging
case_of one
verdict "PASS        one" 0
pb one/test_data_set_0/output_0.pb f32 2,4,6.0005 # within 1e-3 of itself
verdict "PASS        one" 0
pb one/test_data_set_0/output_0.pb f32 2,4,6.1
verdict "FAIL        one: output 'y' at [2] is 6.0, expected 6.1; 1 of 3 differ" 1
verdict "PASS        one" 0 --tolerance=0.02
echo 0.02 > one/tolerance
verdict "PASS        one" 0
echo 0.001 > one/tolerance # a case's own bound takes precedence over the flag
verdict "FAIL        one: output 'y' at [2] is 6.0, expected 6.1; 1 of 3 differ" 1 --tolerance=1
echo many > one/tolerance
verdict "FAIL        one: its file 'tolerance' is not one number" 1
rm one/tolerance
pb one/test_data_set_0/output_0.pb f32 2,nan,6
verdict "FAIL        one: output 'y' at [1] is 4.0, expected nan; 1 of 3 differ" 1 --tolerance=1
pb one/test_data_set_0/output_0.pb f32 2,inf,6
verdict "FAIL        one: output 'y' at [1] is 4.0, expected inf; 1 of 3 differ" 1 --tolerance=1
pb one/test_data_set_0/output_0.pb f32 2,4,6,8
verdict "FAIL        one: output 'y' is f32[3], expected f32[4]" 1
pb one/test_data_set_0/output_0.pb f64 2,4,6
verdict "FAIL        one: output 'y' is f32[3], expected f64[3]" 1
pb one/test_data_set_0/input_0.pb f32 nan,inf,1e-30
pb one/test_data_set_0/output_0.pb f32 nan,inf,0
verdict "PASS        one" 0

# several data sets, all of which count
cp -r data one/test_data_set_1
pb one/test_data_set_1/output_0.pb f32 2,4,7
verdict "FAIL        one: test_data_set_1: output 'y' at [2] is 6.0, expected 7.0; 1 of 3 differ" 1
rm -r one/test_data_set_1

# folders that are not valid cases
rm one/test_data_set_0/output_0.pb
verdict "FAIL        one: there is no output_0.pb or .npy to compare with" 1
cp data/* one/test_data_set_0
cp data/output_0.pb one/test_data_set_0/output_1.pb
verdict "FAIL        one: output 1 of the set is for no output: the model has 1" 1
rm one/test_data_set_0/output_1.pb
cp data/input_0.pb one/test_data_set_0/input_1.pb
verdict "FAIL        one: input 1 of the set is for no input: the model has 1" 1
rm one/test_data_set_0/input_*.pb
verdict "FAIL        one: input 'x' has no file input_0.pb or .npy" 1
head -c 9 data/input_0.pb > one/test_data_set_0/input_0.pb
verdict "FAIL        one: 'one/test_data_set_0/input_0.pb' is not a valid pb (TensorProto) file: its bytes are damaged or cut off" 1
# a set of .npy files, and one of an .npz
rm one/test_data_set_0/*
pb one/test_data_set_0/input_0.npy f32 1,2,3
pb one/test_data_set_0/output_0.npy f32 2,4,6
verdict "PASS        one" 0
pb one/test_data_set_0/output_0.npy f32 2,4,7
verdict "FAIL        one: output 'y' at [2] is 6.0, expected 7.0; 1 of 3 differ" 1
rm one/test_data_set_0/*
printf 'mg 1\ngraph both(x: f32[N]) -> (input_0: f32[N], output_0: f32[N]) { input_0 = x\n output_0 = x * 2 }\n' > both.mg
set=one/test_data_set_0/data.npz
"$mgc" run both.mg --input x=1,2,3 --output input_0=$set --output output_0=$set || fail "writing an npz"
verdict "PASS        one" 0
rm one/net.mg
verdict "FAIL        one: it has neither model.onnx nor model.mlir nor one .mg file" 1
rm -r one

# searching, sorting, totals, JSON
case_of suite/b
case_of suite/a/deep/er
case_of suite/c
pb suite/c/test_data_set_0/output_0.pb f32 2,4,0
expect 1 "2 passed, 1 failed, 0 unsupported" "$mgc" test suite suite/b --jobs=3
[ "$(grep -c ^PASS out)" = 2 ] || fail "a folder named twice is one case"
[ "$(sed -n 1p out)" = "PASS        suite/a/deep/er" ] || fail "results are sorted"
"$mgc" test suite --json > out
[ "$(jq -r '"\(.passed) \(.failed) \(.cases[2].result) \(.cases[2].why)"' out)" = \
    "2 1 fail output 'y' at [2] is 6.0, expected 0.0; 1 of 3 differ" ] || fail "JSON"
expect 0 "" "$mgc" test suite/a/ -O0 --threads=2
expect 1 "no case in or under 'data'" "$mgc" test data
expect 1 "cannot read 'nowhere': No such file or directory" "$mgc" test nowhere
expect 2 "usage: mgc test DIR..." "$mgc" test
expect 2 "--tolerance takes a number that is not negative, not 'x'" "$mgc" test suite --tolerance=x
expect 2 "--set has no meaning for \`mgc test DIR...\`" "$mgc" test suite --set N=3

# A case dies, hangs or takes all memory: the library below makes the first child of mgc do so.
cat > harm.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static int children;
static void before(void) { children++; }
static void in_child(void) {
    const char *harm = getenv("HARM");
    if (children > 1 || !harm) return;
    while (*harm == 'h') pause();
    raise(*harm == 'a' ? SIGABRT : SIGSEGV);
}
__attribute__((constructor)) static void begin(void) { pthread_atfork(before, NULL, in_child); }
END
cc -shared -fPIC harm.c -o harm.so
rm -r suite/c
harmed() { # HARM 'WHY' 'OTHER CASES' FOLDER FLAG…
    HARM=$1 ASAN_OPTIONS=verify_asan_link_order=0:handle_segv=0:handle_abort=0 LD_PRELOAD=./harm.so "$mgc" test "${@:4}" > out 2> err
    [ $? = 1 ] || fail "a harmed case fails"
    checks=$((checks + 1))
    [ "$(cat out)" = "FAIL        suite/a/deep/er: $2
$3 failed, 0 unsupported" ] || fail "expected: $2"
}
harmed segv "died of SIGSEGV (Segmentation fault)" "PASS        suite/b
1 passed, 1" suite
harmed abrt "died of SIGABRT (Aborted)" "PASS        suite/b
1 passed, 1" suite
harmed hang "timeout: not done after 1 s" "0 passed, 1" suite/a --timeout=1 # alone, since another case might take as long on a busy machine
{
    printf 'mg 1\ngraph large(x0: f32[N]) -> (y: f32[N]) {\n'
    for i in $(seq 3000); do printf '    x%d[n] = x%d[n] * %d\n' "$i" $((i - 1)) "$i"; done
    printf '    y = x3000\n}\n'
} > suite/b/net.mg
expect 1 "FAIL        suite/b: out of memory" "$mgc" test suite/b -O0 --memory-limit=1
finish
