# The tests of the command line source this file. It makes a scratch folder, and checks how commands end. A
# test is `NAME.sh MGC`. It fails at the first expectation that does not hold, and names it.
set -uo pipefail
mgc=$1
here=$(cd "$(dirname "$0")" && pwd)
own=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work"
export MG_CACHE_DIR=$work/cache
export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable # PoCL then compiles three times as fast; tests/exec runs optimised code
export LSAN_OPTIONS=suppressions=$own/drivers.supp:print_suppressions=0
checks=0

fail() {
    echo "FAILED: $*"
    echo "--- standard output"; head -c 2000 "$work/out"
    echo "--- standard error"; head -c 2000 "$work/err"
    exit 1
}

# expect STATUS 'TEXT' COMMAND…: checks that the command ends with STATUS, and that its standard error has TEXT, or, if
# that is empty, its standard output. '' asks for an empty one. A status over 3 is a crash, and always a failure.
expect() {
    local want=$1 text=$2
    shift 2
    "$@" > "$work/out" 2> "$work/err" < /dev/null
    local got=$?
    checks=$((checks + 1))
    [ "$got" = "$want" ] || fail "$* ended with $got, not $want"
    if [ -z "$text" ]; then
        [ ! -s "$work/err" ] || fail "$*: is not silent"
    elif [ -s "$work/err" ]; then
        grep -qF -- "$text" "$work/err" || fail "$*: standard error does not say: $text"
    else
        grep -qF -- "$text" "$work/out" || fail "$*: does not say: $text"
    fi
}

# u64 N: prints N as 8 little-endian bytes, the form of the header's length in safetensors
u64() {
    local n=$1 i
    for i in 0 1 2 3 4 5 6 7; do
        printf "\\x$(printf %02x $((n >> (8 * i) & 255)))"
    done
}

# safetensors FILE HEADER BYTES: writes a file with this header and BYTES zero bytes of data
safetensors() {
    { u64 ${#2}; printf %s "$2"; head -c "$3" /dev/zero; } > "$1"
}

# npy FILE DICTIONARY BYTES: writes a file of version 1 with BYTES zero bytes of data
npy() {
    { printf '\x93NUMPY\x01\x00'; printf "\\x$(printf %02x $((${#2} & 255)))\\x$(printf %02x $((${#2} >> 8)))"
      printf %s "$2"; head -c "$3" /dev/zero; } > "$1"
}

finish() {
    echo "$checks expectations hold"
}
