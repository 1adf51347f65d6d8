#!/usr/bin/env bash
# Tests the texts made from the tables of commands and flags (help, the man page, completion) and from the library's
# comments (mgc ops, mgc help OP).
. "$(dirname "$0")/lib.sh"
root=$here/../..

# The man page has every command and flag of --help, and man accepts it without a warning.
"$mgc" help --man > mgc.1
for word in $("$mgc" --help | grep -oE '^  (mgc [a-z]+|--?[a-zO-][a-z-]*)' | sed 's/^  //; s/mgc //'); do
    grep -qF -- "${word//-/\\-}" mgc.1 || fail "the manual's page lacks $word"
done
if command -v man > /dev/null && command -v groff > /dev/null; then
    said=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -E UTF-8 -l mgc.1 2>&1 > page.txt)
    [ -z "$said" ] || fail "man warns: $said"
fi

# Lines break between words before they get too wide for a terminal.
"$mgc" --help > help.txt
wide=$(LC_ALL=C.UTF-8 awk 'length > 112' help.txt) # awk may count bytes, of which "…" has three
[ -z "$wide" ] || fail "--help has wide lines: $wide"
grep -qE '^ {32}path that was linked\)$' help.txt || fail "--help does not break a long line"

# complete TEXT: prints the completions that bash offers
complete() {
    bash -c '. ./mgc.bash; COMP_LINE=$1; COMP_POINT=${#COMP_LINE}; read -ra COMP_WORDS <<< "$1"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mgc; printf "%s " "${COMPREPLY[@]}"' - "$1"
}
"$mgc" help --completion=bash > mgc.bash
touch net.mg
[ "$(complete 'mgc run --mo')" = "--mode= " ] || fail "run --mo: $(complete 'mgc run --mo')"
[ "$(complete 'mgc run --mode=l')" = "loop " ] || fail "run --mode=l: $(complete 'mgc run --mode=l')"
[ "$(complete 'mgc fm')" = "fmt " ] || fail "fm: $(complete 'mgc fm')"
[ "$(complete 'mgc fmt --ch')" = "--check " ] || fail "fmt --ch: $(complete 'mgc fmt --ch')"
[ "$(complete 'mgc fmt --mo')" = " " ] || [ -z "$(complete 'mgc fmt --mo')" ] || fail "fmt has no --mode"
[ "$(complete 'mgc fmt ne')" = "net.mg " ] || fail "fmt ne: $(complete 'mgc fmt ne')"
[ "$(complete 'mgc --vers')" = "--version " ] || fail "--vers: $(complete 'mgc --vers')"
for shell in zsh fish; do
    "$mgc" help --completion=$shell > "mgc.$shell"
    grep -q -- mode "mgc.$shell" || fail "$shell: no --mode"
    reader=$shell
    command -v $shell > /dev/null || reader=bash # reads quotes and lists as they do
    $reader -n "mgc.$shell" || fail "$reader does not read mgc.$shell"
done
! grep -v '^complete -c mgc ' mgc.fish || fail "fish: a line that completes nothing"
for flag in $(grep -oE '^  --[a-z-]+' help.txt | sed 's/^  --//'); do
    grep -qE -- " -l $flag( |\$)" mgc.fish || fail "fish: no --$flag"
done

# fmt --check
printf 'mg 1\n\ngraph g(x: f32[2]) -> (y) { y = x }\n' > right.mg
printf 'mg 1\ngraph g(x:f32[2])->(y){y=x}\n' > wrong.mg
expect 0 '' "$mgc" fmt --check right.mg
expect 1 'wrong.mg' "$mgc" fmt --check right.mg wrong.mg
[ "$(cat out)" = wrong.mg ] || fail "names another file"
"$mgc" fmt --check - < wrong.mg > out && fail "standard input is not canonical"
"$mgc" fmt --check - < right.mg || fail "standard input is canonical"
expect 2 'so it does not go with -i' "$mgc" fmt --check -i right.mg
expect 2 'several files' "$mgc" fmt right.mg wrong.mg
expect 0 '' "$mgc" fmt -i right.mg wrong.mg
expect 0 '' "$mgc" fmt --check right.mg wrong.mg

# The library: every item has a line and an example; the page is up to date.
[ "$("$mgc" ops | grep -cE '^  [a-z][^ ]* *$')" = 0 ] || fail "an operator without a line: $("$mgc" ops | grep -E '^  [^ ]+ *$')"
# The line is a whole sentence, broken between words, and says more than where the operator comes from.
"$mgc" ops | tr '\n' ' ' | tr -s ' ' > ops.txt
for text in 'huber_loss half the squared error up to a distance of `delta`, and linear beyond it: Huber, 1964 ' \
    'glu the first half of an axis, gated by the sigmoid of the second half: Dauphin et al., 2016 '; do
    grep -q "$text" ops.txt || fail "mgc ops: no '$text'"
done
[ "$("$mgc" ops | wc -L)" -le 110 ] || fail "mgc ops: lines are too long"
for command in help version ops "help relu" machine cache; do
    "$mgc" $command > /dev/full 2> err.txt && fail "mgc $command succeeds though nothing could be written"
    [ "$(cat err.txt)" = "mgc: cannot write to standard output" ] || fail "mgc $command > /dev/full: $(cat err.txt)"
done
for op in relu nn.linear conv2d concat attention; do
    expect 0 'example: y = ' "$mgc" ops $op
    expect 0 "${op#nn.}<" "$mgc" help $op
done
expect 0 'y[..s] = max(x[..s], 0)' "$mgc" help relu
expect 2 "did you mean 'relu'?" "$mgc" ops rellu
expect 2 'unknown command or operator' "$mgc" help qqqqqqqq
"$mgc" ops --markdown | diff - "$root/docs/ops.md" > diff.txt || fail "docs/ops.md: run mgc ops --markdown > docs/ops.md"
"$root/scripts/op-examples" --check || fail "examples"
finish
