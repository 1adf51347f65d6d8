#!/usr/bin/env bash
# Tests --remat, which decides whether the values that derivatives need are kept or recomputed. remat.sh MGC
source "$(dirname "$0")/lib.sh"

# draw N: draws a number below N
state=7
draw() {
    state=$(((state * 1103515245 + 12345) % 2147483648))
    drawn=$((state / 65536 % $1))
}

# net FILE: writes a graph of drawn layers; its outputs are the loss and the square of each gradient
net() {
    local words=(gelu tanh silu sigmoid relu softplus elu mish) file=$1 depth i chain=x
    local params="" squares="" results="loss: f32[]"
    draw 3
    depth=$((3 + drawn))
    for ((i = 0; i < depth; i++)); do
        draw 4
        if [ "$drawn" = 0 ] && [ $i -gt 0 ]; then
            params+="    param w$i: nn.layer_norm()"$'\n'
            chain="w$i($chain)"
        else
            params+="    param w$i: nn.linear(features = 64)"$'\n'
            draw 8
            chain="${words[$drawn]}(w$i($chain))"
        fi
        results+=", n$i: f32[]"
        squares+="    n$i[]: f32[] = 0"$'\n'"    for w in w$i { n$i = add(n$i, squares(derivative(loss, w))) }"$'\n'
    done
    cat > "$file" << END
mg 1
import nn
op squares<T: float>(x: T[..S]) -> (y: T[]) {
    y[] = sum[..s] x[..s] * x[..s]
}
graph step(x: f32[128, 64]) -> ($results) {
$params
    y = $chain
    loss[] = mean[n, c] y[n, c] * y[n, c] * y[n, c]
$squares
}
END
}

run() { "$mgc" run "$1" --weights=random --input x=random "${@:2}"; }
arena() { "$mgc" --emit-memplan "$1" "${@:2}" | sed -n 's/^arena: \([0-9]*\) bytes.*/\1/p'; }

# agree A B: checks that names are the same, and that numbers differ by at most 1e-4 of themselves
agree() {
    paste -d' ' "$1" "$2" | awk '{
        if ($1 != $5 || NF != 8) exit 1
        d = $4 - $8; a = $4 < 0 ? -$4 : $4
        if (d > 1e-4 * a + 1e-9 || -d > 1e-4 * a + 1e-9) exit 1
    }'
}

fell=0
for ((k = 0; k < 10; k++)); do
    net net.mg
    expect 0 '' run net.mg
    cp out none
    most=$(arena net.mg)
    all=$(arena net.mg --remat=all)
    for kind in auto all; do
        expect 0 '' run net.mg --remat=$kind
        agree none out || fail "net $k: --remat=$kind differs: $(cat net.mg none)"
    done
    "$mgc" --emit-memplan net.mg --remat=1 > out 2> err && fail "net $k fits into one byte"
    least=$(sed -n 's/.*it takes at least \([0-9]*\)$/\1/p' err)
    [ "${least:-0}" -gt 1 ] && [ "$least" -le "$most" ] && [ "$least" -le "$all" ] ||
        fail "net $k: at least $least of $most, though --remat=all takes $all"
    for bytes in "$least" $(((least + most) / 2)); do
        planned=$(arena net.mg --remat=$bytes)
        [ "$planned" -le "$bytes" ] || fail "net $k: $planned bytes, $bytes allowed"
        expect 0 '' run net.mg --remat=$bytes
        agree none out || fail "net $k: --remat=$bytes differs"
    done
    [ "$least" -ge "$most" ] || fell=$((fell + 1))
done
[ $fell -ge 5 ] || fail "only $fell of 10 nets take less memory"

# a net of layers: what is computed again is computed for one layer after another
cat > layers.mg << 'END'
mg 1
import nn
op squares<T: float>(x: T[..S]) -> (y: T[]) {
    y[] = sum[..s] x[..s] * x[..s]
}
layer block(x: f32[B, D]) -> (y: f32[B, D]) {
    param wide: nn.linear(features = 8 * D)
    param back: nn.linear(features = D)
    y = add(x, back(gelu(wide(x))))
}
layer blocks(x: f32[B, D]) -> (x: f32[B, D]) {
    param h[8]: block()
    for i in 0..8 { x = h[i](x) }
}
graph step(x: f32[256, 32]) -> (loss: f32[], n: f32[]) {
    param net: blocks()
    y = net(x)
    loss[] = mean[b, d] y[b, d] * y[b, d]
    n[]: f32[] = 0
    for w in net { n = add(n, squares(derivative(loss, w))) }
}
END
expect 0 '' run layers.mg
cp out none
half=$(($(arena layers.mg) / 2))
for kind in $half all; do
    planned=$(arena layers.mg --remat=$kind)
    [ "$planned" -le "$half" ] || fail "layers: $planned bytes with --remat=$kind, not $half"
    expect 0 '' run layers.mg --remat=$kind
    agree none out || fail "layers: --remat=$kind differs"
done

# a limit is met if --remat=all meets it, also where that recomputes what seems not to raise the peak
cat > seeming.mg << 'END'
mg 1
graph step(x: f32[36]) -> (loss: f32[], d: f32[6, 6]) {
    a[i in 0..36] = tanh(x[35 - i])
    m[] = max[i] a[i]
    r[i in 0..36]: f32[36] = m[]
    e[i in 0..6, j in 0..6] = 0.5 * a[6 * i + j]
    f[i, j] = e[i, j]
    loss[] = mean[i, j] f[i, j]
    q[i / 18, i % 18]: f32[2, 18] = sum[i in 0..36] r[i] #backward
    d[3 * i + j / 6, j % 6]: f32[6, 6] = sum[i in 0..2, j in 0..18] q[i, j] #backward
}
END
most=$(arena seeming.mg)
all=$(arena seeming.mg --remat=all)
[ "$all" -lt "$most" ] || fail "seeming: --remat=all takes $all bytes of $most"
planned=$(arena seeming.mg --remat=$all)
[ "${planned:-$most}" -le "$all" ] || fail "seeming: ${planned:-no plan}, not $all bytes"

# the kept and the recomputed values, in the user's names
cat > small.mg << 'END'
mg 1
graph step(x: f32[4096], w: f32[4096]) -> (loss: f32[], d: f32[4096]) {
    y[i] = x[i] * w[i]
    z[i] = tanh(y[i])
    loss[] = sum[i] z[i] * z[i]
    d = derivative(loss, w)
}
END
expect 0 'y (small.mg:3:5): computed again, 16384 bytes' "$mgc" --emit-ir small.mg --passes=remat --remat=all --explain=remat
grep -qF 'd_z[i in 0..4096]: f32[4096] = d_loss[] * z_again[i] + d_loss[] * z_again[i]' out || fail "no copy is read"
expect 0 'z (small.mg:4:5): kept, 16384 bytes' "$mgc" --emit-ir small.mg --passes=remat --remat=auto --explain=remat
expect 0 '' "$mgc" --emit-ir small.mg --passes=remat --explain=remat

# bad input
expect 2 "--remat takes none, auto, all or a number of bytes, such as 64MiB, not '12 cows'" "$mgc" run small.mg --remat='12 cows'
expect 2 "not '-5'" "$mgc" run small.mg --remat=-5
expect 2 "not '99999999999999GiB'" "$mgc" run small.mg --remat=99999999999999GiB
sed 's/4096/N/g' small.mg > open.mg
expect 1 "depend on open dimensions" "$mgc" --emit-ir open.mg --remat=1MiB
echo "$checks checks"
