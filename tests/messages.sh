#!/usr/bin/env bash
# messages.sh SOURCE_FOLDER: checks that all messages are written in one style. Each begins in lower case, unless with a
# proper name, and ends without a full stop. Only the verifier's messages speak of IR. A number that may be 1 has no
# plural after it: mg_plural makes the noun, or the sentence has none. (A limit is written %d, and is more than 1.)
set -u
cd "$1" || exit 1
failed=0
# wrong WHAT: reports the lines of standard input as wrong
wrong() {
    local lines
    lines=$(cat)
    [ -z "$lines" ] || { echo "FAIL: $1:"; echo "$lines"; failed=1; }
}
# texts: prints every line that has a message, of the table and of files that write their own
texts() {
    grep -n '^MG_DIAG(' lang/diags.def
    grep -rnE '\<(mgc_fail|mg_message_set|mg_message_misuse|mg_onnx_fail|mg_onnx_unsupported)\(' tools runtime frontend/onnx --include='*.c'
}
work=$(mktemp)
trap 'rm -f "$work"' EXIT
texts >"$work"
[ "$(grep -c '' "$work")" -gt 500 ] || { echo "FAIL: messages were not found"; exit 1; }
wrong "a message begins with a capital" \
    < <(grep -E '(\(|, )"[A-Z]' "$work" | grep -vE '"(StableHLO|OpenCL|ONNX|LLVM)\>')
wrong "a message ends with a full stop" < <(grep -E '[^.]\."\)?' "$work")
wrong "a message speaks of IR" \
    < <(grep '^[0-9]*:MG_DIAG' "$work" | grep -v 'MG_DIAG(verify_' | grep -E '\<IR\>' | grep -v 'the pass')
nouns='elements|dimensions|axes|operands|arguments|values|results|types|states|samples|inputs|outputs|letters|threads'
wrong "a number that may be 1 has a plural" \
    < <(grep -rnE "\"[^\"]*%(z|l|ll)?(u|lld) ($nouns)\\>" lang tools runtime frontend formats passes backends \
        --include='*.c' --include='*.def' | grep -vE 'threads were asked for|list_too_long|a row has %lld')
exit $failed
