#!/usr/bin/env bash
# Passes from outside the tree, debug counters and statistics: tests/cli/plugins.sh MGC PLUGIN.so
source "$(dirname "$0")/lib.sh"
plugin=$2
cp "$here/../../examples/pass_plugin/once.mg" .

expect 0 "once           -O1  what changes nothing again is done once" "$mgc" --list-passes --pass-plugin="$plugin"
expect 0 "y[s in 0..N]: f32[N] = floor(x[s])" "$mgc" --emit-ir once.mg --pass-plugin="$plugin" --passes=canonicalise,once,dce
expect 0 "y: f32[2] = [1.0, -2.0]" "$mgc" run once.mg --pass-plugin="$plugin" --passes=once --verify-each --input x=1,-2
expect 2 "there is no pass 'once'" "$mgc" --emit-ir once.mg --passes=once
for near in oncee onec; do
    expect 2 "there is no pass '$near'; did you mean 'once'?" "$mgc" --emit-ir once.mg --pass-plugin="$plugin" --passes=$near
    expect 2 "there is no pass or rule '$near'; did you mean 'once'?" "$mgc" --emit-ir once.mg --pass-plugin="$plugin" --debug-counter=$near=1
done
expect 1 "nosuch.so" "$mgc" --emit-ir once.mg --pass-plugin=nosuch.so
cc -shared -fPIC -x c - -o empty.so <<< 'int nothing;'
expect 1 "exports no mg_pass_plugin" "$mgc" --emit-ir once.mg --pass-plugin=empty.so
cc -shared -fPIC -x c - -o other.so <<< 'const unsigned long mg_pass_plugin[3] = {1, 0, 0};'
expect 1 "compiled for another build of mgc" "$mgc" --emit-ir once.mg --pass-plugin=other.so

# What a counter holds back stays unchanged in every pass.
cat > net.mg <<'END'
mg 1
graph f(x: f32[N, 4]) -> (y: f32[N, 4]) {
    dead = exp(x)
    y = softmax(relu(add(x, x)), axis = -1) * add(x, x) * 1
}
END
"$mgc" run net.mg --input x=0.5,1,-2,4 > want
for pass in canonicalise fold cse dce squeeze inline fuse; do
    for range in ..0 1 2..; do
        expect 0 "y: f32[1, 4]" "$mgc" run net.mg --input x=0.5,1,-2,4 --debug-counter=$pass=$range
        cmp -s out want || fail "$pass=$range gives other values"
    done
done
"$mgc" --emit-ir net.mg > all
"$mgc" --emit-ir net.mg --debug-counter=dce=..0 > kept
cmp -s all kept && fail "a counter of dce changes nothing"
expect 0 "rewrites" "$mgc" --emit-ir net.mg --pass-stats
grep -qE '^ +1 +1 +[0-9]+ +[0-9]+  cse$' err || fail "--pass-stats does not count cse's rewrite"
expect 2 "--debug-counter takes PASS=A..B, not 'fuse='" "$mgc" --emit-ir net.mg --debug-counter=fuse=
expect 2 "--debug-counter takes PASS=A..B, not 'fuse=1..x'" "$mgc" --emit-ir net.mg --debug-counter=fuse=1..x
expect 2 "there is no pass or rule 'fus'; did you mean 'fuse'?" "$mgc" --emit-ir net.mg --debug-counter=fus=1
expect 2 "there is no pass or rule 'sub_neh'; did you mean 'sub_neg'?" "$mgc" --emit-ir net.mg --debug-counter=sub_neh=1
expect 2 "there is no pass or rule 'xyzzy'; \`mgc --list-passes\` lists them" "$mgc" --emit-ir net.mg --debug-counter=xyzzy=1
for wrong in fuse fuse=.. fuse=..-1 fuse=+1 fuse=1..2..3 fuse=1...2 fuse=18446744073709551616; do
    expect 2 "--debug-counter takes PASS=A..B, not '$wrong'" "$mgc" --emit-ir net.mg --debug-counter=$wrong
done
for wrong in fuse=3..1 fuse=0 fuse=0..3; do
    expect 2 "--debug-counter=$wrong: in A..B, A is from 1 to B; fuse=..0 makes no rewrite" "$mgc" --emit-ir net.mg --debug-counter=$wrong
done
finish
