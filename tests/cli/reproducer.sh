#!/usr/bin/env bash
# Tests that every command reports a pass that leaves invalid IR or crashes, and writes a file that replays it:
# tests/cli/reproducer.sh MGC WRONG.so
source "$(dirname "$0")/lib.sh"
mkdir 'some plugins'
cp "$2" 'some plugins/wrong.so'
flags="--pass-plugin=some plugins/wrong.so"
cat > net.mg <<'END'
mg 1
graph f(x: f32[4, 8]) -> (y: f32[4, 8]) {
    bad = exp(x)
    y = x + bad
}
END

# replay FAULT: checks that the command that the reproducer names shows the same fault as it stands
replay() {
    local line
    line=$(sed -n 's,^// mgc ,,p' mgc-reproducer.mg)
    [ -n "$line" ] || fail "$1: the reproducer has no command"
    eval "\"$mgc\" $line" > out 2> err
    grep -qF "$2" err || fail "$1: $line does not show it"
}

for command in "run net.mg --input x=ones" "net.mg -o net.so" "net.mg -o net.mgb" "--emit-ir net.mg" "--emit-plan net.mg"; do
    for passes in breaks default,breaks canonicalise,breaks,fuse; do
        rm -f mgc-reproducer.mg
        expect 1 "net.mg:4:9: error: the pass 'breaks' left invalid IR: y" "$mgc" $command "$flags" --passes=$passes
        replay breaks "the pass 'breaks' left invalid IR"
        [ ! -e net.so ] && [ ! -e net.mgb ] || fail "$command: something is written"
    done
    rm -f mgc-reproducer.mg
    "$mgc" $command "$flags" --passes=canonicalise,crashes > out 2> err
    [ $? -gt 128 ] || fail "$command: no crash"
    grep -qF "the pass 'crashes' crashed; the IR before it, and how to replay it, is in mgc-reproducer.mg" err ||
        fail "$command: the crash is not told as a pass's"
    replay crashes "the pass 'crashes' crashed"
done
# standard input can't be read twice, but the pass is still named
"$mgc" --emit-ir - "$flags" --passes=crashes < net.mg > out 2> err
grep -qF "the pass 'crashes' crashed" err || fail "standard input: the pass is not named"
# A level's own passes use the cache as usual.
"$mgc" run net.mg --input x=ones > out 2> err || fail "a run"
expect 0 " 1 compiled object" "$mgc" cache
expect 0 "" "$mgc" run net.mg --input x=ones --verify-each --no-cache
finish
