#!/usr/bin/env bash
# Tests mgc run --profile=REPORT.html: the page's data, and, in a headless browser, the page itself. Every part must be
# drawn, no script fail, its numbers be those of the JSON profile, no name be markup, and the page fit a narrow window;
# selection, sorting, zoom and search must work. report_check.js looks. Without a browser, that half is skipped.
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own
browser=$(command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || true)

cat > net.mg <<'END'
mg 1
graph net(x: f32[64, 64], w: f32[64, 64]) -> (y: f32[64, 64], z: f32[32])
{
    h = relu(matmul(x, w))
    y = softmax(h, axis = -1)
    z[i in 0..32]: f32[32] = x[i, 2 * i]
}
END
# Every name that a user can give is markup here, which would run, or close the element around it.
bad='</script><img src><b>&amp;"'"'"'{{data}}'
mkdir -p 'a&amp;<b>"'
cat > 'a&amp;<b>"/n.mg' <<END
mg 1
graph \`g $bad\`(\`x $bad\`: f32[64, 64]) -> (\`y $bad\`: f32[64, 64])
{
    \`h $bad\` = matmul(\`x $bad\`, \`x $bad\`)
    \`y $bad\` = softmax(\`h $bad\`, axis = -1)
}
END

# block FILE ID: prints the script element of that id
block() {
    sed -n "/<script type=\"application\/json\" id=\"$2\">/,/<\/script>/p" "$1" | sed '1d;$d'
}

# look NAME WIDTH SCHEME: checks NAME.html in the browser, against the profile in NAME.json that --format=json printed
look() {
    [ -n "$browser" ] || return 0
    { sed '/<\/body>/,$d' "$1.html"; echo '<script type="application/json" id="printed">'
      jq -c .profile "$1.json" | sed 's/</\\u003c/g'; echo '</script><script>'; cat "$here/report_check.js"
      echo '</script></body></html>'; } > "$1-checked.html"
    local dark=""
    [ "$3" = dark ] && dark=--blink-settings=preferredColorScheme=0
    timeout 900 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$work/browser" \
        $dark --window-size="$2,2000" --virtual-time-budget=5000 --dump-dom "file://$work/$1-checked.html" > out 2> err
    checks=$((checks + 1))
    grep -q 'data-checked="right"' out || { grep -o 'data-checked="[^"]*"' out > err; fail "$1 at $2 pixels: the page is wrong"; }
}

# report NAME ARGUMENTS…: runs, and looks at the page's data without a browser
report() {
    local name=$1
    shift
    expect 0 "" "$mgc" run "$@" --profile="$name.html" --format=json
    cp out "$name.json"
    block "$name.html" data | jq -e . > "$name.data" || fail "$name: the page's data are no JSON"
    jq -e -s '.[0].kernels == .[1].profile' "$name.data" "$name.json" > /dev/null || fail "$name: other numbers than the profile's"
    # the header of an SVG names its vocabulary; nothing else may be an address
    grep -oE "https?://[^'\"\` ]*" "$name.html" | grep -v '^http://www.w3.org/2000/svg$' && fail "$name: it needs the network"
    [ "$(grep -c '</script>' "$name.html")" = 2 ] || fail "$name: a name ends the script"
    grep -qE '\{\{(style|script|memory)\}\}' "$name.html" && fail "$name: a part is missing"
    checks=$((checks + 1))
}

report net net.mg --input x=random --input w=random --repeat=5 --threads=2 --share=all
jq -e '.graphs | length == 2' net.data > /dev/null || fail "the graph before and after the passes"
jq -e '.timeline.spans | map(.[0]) | unique == ["run", "worker 0", "worker 1"]' net.data > /dev/null || fail "a lane for each thread"
jq -e '[.graphs[1].ops[] | select(.kind == "kernel")] | length == 2' net.data > /dev/null || fail "groups are kernels after the passes"
jq -e '[.graphs[1].ops[] | .in[], .out[] | select(test("_in$"))] == []' net.data > /dev/null || fail "values have the names that the user gave them"
jq -e '[.graphs[0].ops[].place | select(. == "net.mg:4:14")] | length == 1' net.data > /dev/null || fail "ops have their lines"
look net 1280 light
look net 600 dark
sed 's/"note": "[^"]*"/"note": "the machine was busy: its limits are too low"/' net.html > busy.html && cp net.json busy.json
grep -q '"note": "the machine was busy: its' busy.html || fail "what the probe met is a field of the limits"
look busy 1280 light
report names 'a&amp;<b>"/n.mg' --input "x $bad=random"
look names 1280 light
report steps net.mg --input x=random --input w=random --mode=cached
look steps 1280 light
report interpreted net.mg --input x=random --input w=random --interp
look interpreted 600 light
if "$mgc" devices 2> err | grep -q .; then
    report device net.mg --input x=random --input w=random --target=gpu --repeat=3
    jq -e '.timeline.spans | map(.[0]) | index("device")' device.data > /dev/null || fail "a lane for the device"
    look device 1280 light
fi
# A page of hundreds of ops still works.
{ echo 'mg 1'; echo 'graph deep(h0: f32[8, 8]) -> (h400: f32[8, 8])'; echo '{'
  for i in $(seq 400); do echo "    h$i = softmax(matmul(h$((i - 1)), h$((i * 7 / 8 - (i > 7))) ), axis = -1)"; done; echo '}'; } > deep.mg
report deep deep.mg --input h0=random
look deep 1280 light
expect 1 "cannot write" "$mgc" run net.mg --input x=random --input w=random --profile=nosuch/report.html
[ -n "$browser" ] || { echo "skipped: no chromium, so the pages were not looked at"; exit 77; }
finish
