#!/usr/bin/env bash
# Tests that the compile cache is used, counted and cleared. A damaged, truncated or unwritable cache is a miss, never a
# failure.
source "$(dirname "$0")/lib.sh"

printf 'mg 1\ngraph f(x: f32[3]) -> (y: f32[3]) { y = relu(x) }\n' > net.mg
run=("$mgc" run net.mg --input x=-1,2,3)
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
expect 0 "1 compiled object, 0 measurements" "$mgc" cache
expect 0 '"entries": 1' "$mgc" cache --format=json
for file in cache/*.mgo; do head -c 50 "$file" > t && mv t "$file"; done
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
for file in cache/*.mgo; do printf '\xa5' | dd of="$file" bs=1 seek=300 conv=notrunc 2> /dev/null; done
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
expect 0 "" "$mgc" cache clear
expect 0 "0 compiled objects" "$mgc" cache
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}" --no-cache
expect 0 "0 compiled objects" "$mgc" cache
expect 0 "warning: the cache folder '/proc/none' cannot be made: " "${run[@]}" --cache=/proc/none
expect 0 "warning: the cache folder '/dev/null' cannot be read: " "$mgc" net.mg -o net.mgb --cache=/dev/null
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}" --cache=
[ ! -s "$work/err" ] || fail "no folder was asked for"
expect 1 "the cache folder" "$mgc" cache --cache=/dev/null

# Entries are executed, so a folder that others could have written to is not read, and one message says so.
chmod g+w cache
for command in "run net.mg --input x=-1,2,3" "net.mg -o net.mgb" "run net.mg --input x=-1,2,3 --cache=$work/cache"; do
    expect 0 "warning: the cache folder '$work/cache' is not used: its group can write to it" "$mgc" $command
    [ "$(grep -c warning "$work/err")" = 1 ] || fail "told more than once"
done
expect 0 "" "$mgc" run net.mg --input x=-1,2,3 --no-cache --output y=y.npy
expect 1 "is not used: its group can write to it" "$mgc" cache
chmod g-w cache
mkdir -m 777 open
expect 0 "is not used: the folder $work/open can be written by others" "${run[@]}" --cache=open/cache
chmod +t open
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}" --cache=open/cache
[ ! -s "$work/err" ] || fail "a sticky folder is refused"

# Only the user may write the file of mgc tune, whatever the umask. A file that others may write is ignored.
umask 0
expect 0 "kept in" "$mgc" tune net.mg
[ "$(stat -c %a cache/tuned-*.txt)" = 600 ] || fail "others may write what mgc tune keeps"
finish
