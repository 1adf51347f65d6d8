#!/usr/bin/env bash
# Tests the examples of a Markdown page (lang/reference.md unless another is named).
#   reference.sh MGC parse [PAGE]   every ```mg block is a program in canonical form
#   reference.sh MGC run [PAGE]     the first line of a ```run block is a command, with the program before it as example.mg.
#                                   It prints the other lines, in the interpreter as well. A program that isn't run
#                                   compiles
set -u
mgc=$1 mode=$2 page=${3:-$(dirname "$0")/../lang/reference.md}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export NO_COLOR=1
failed=0 examples=0 runs=0 unused=0 kind= first=0 number=0

fail() {
    echo "$page:$first: $1"
    failed=$((failed + 1))
}

# A program has just ended. Its lines are in $dir/example.mg.
program() {
    examples=$((examples + 1))
    if [ "$mode" = parse ]; then
        if ! "$mgc" fmt "$dir/example.mg" >"$dir/formatted" 2>"$dir/log"; then
            fail "does not parse"
            cat "$dir/log"
        elif ! diff "$dir/example.mg" "$dir/formatted"; then
            fail "is not in canonical form"
        fi
    else
        unused=$first
    fi
}

# A program must compile if no command has run it.
compile_unused() {
    [ "$unused" = 0 ] && return 0
    first=$unused unused=0
    "$mgc" --emit-ir "$dir/example.mg" >/dev/null 2>"$dir/log" && return
    fail "does not compile"
    cat "$dir/log"
    true
}

# A command and its output have just ended. Their lines are in $dir/run.
command_of() {
    [ "$mode" = run ] || return
    runs=$((runs + 1)) unused=0
    command=$(head -n 1 "$dir/run")
    (cd "$dir" && eval "${command/#mgc/\"\$mgc\"}") >"$dir/got" 2>&1
    status=$?
    if ! diff <(tail -n +2 "$dir/run") "$dir/got"; then
        fail "prints something else: $command"
    elif [ $status != 0 ] && ! grep -q 'error:' "$dir/got"; then
        fail "exit status $status: $command"
    elif [ $status = 0 ] && [[ $command == 'mgc run '* ]]; then
        (cd "$dir" && eval "${command/#mgc/\"\$mgc\"} --interp") >"$dir/got" 2>&1
        diff <(tail -n +2 "$dir/run") "$dir/got" || fail "the interpreter differs: $command"
    fi
}

mgc=$(realpath "$mgc")
while IFS= read -r line; do
    number=$((number + 1))
    case $kind$line in
    '```mg') compile_unused && kind=mg first=$number && : >"$dir/example.mg" ;;
    '```run') kind=run first=$number && : >"$dir/run" ;;
    'mg```') program && kind= ;;
    'run```') command_of && kind= ;;
    *)
        case $kind in
        mg) printf '%s\n' "$line" >>"$dir/example.mg" ;;
        run) printf '%s\n' "$line" >>"$dir/run" ;;
        esac
        ;;
    esac
    [[ $line == '```' ]] && kind=
done <"$page"
compile_unused
echo "$examples examples, $runs runs, $failed failed"
[ "$failed" = 0 ] && [ "$examples" -gt 0 ]
