#!/usr/bin/env bash
# --remat of loops: of the states that derivatives read, some are kept, and the trips between them are computed again.
# checkpoint.sh MGC
source "$(dirname "$0")/lib.sh"

# graph NAME INPUTS BODY: writes NAME.mg, a graph of S trips that begins with x0[4, 24]; its outputs are the loss and
# the derivatives with respect to every input
graph() {
    local results="" lines="" in
    for in in x0 $(grep -oE '\b[a-z]+:' <<< "$2" | tr -d :); do
        results+=", d_$in: f32[$(grep -oE "\b$in: f32\[[^]]*" <<< "x0: f32[4, 24], $2" | sed 's/.*\[//')]"
        lines+="    d_$in = derivative(loss, $in)"$'\n'
    done
    printf 'mg 1\ngraph step(x0: f32[4, 24], %s) -> (loss: f32[]%s)\n{\n%s\n%s}\n' "$2" "$results" "$3" "$lines" > "$1.mg"
}

graph decay 'x: f32[S, 4, 24], w: f32[4, 24]' '
    h = loop t in 0..S carry (p = x0) {
        y[n, j] = tanh(p[n, j] * w[n, j] + x[t, n, j])
        next p = y
    }
    loss[] = sum[n, j] h[n, j] * h[n, j]'
graph recurrent 'x: f32[S, 4, 8], w: f32[24, 8], u: f32[24, 24]' '
    h = loop t in 0..S carry (p = x0) {
        a[n, j] = sum[i] x[t, n, i] * w[j, i]
        b[n, j] = sum[k] p[n, k] * u[j, k]
        y[n, j] = tanh(a[n, j] + b[n, j])
        next p = y
    }
    loss[] = sum[n, j] h[n, j] * h[n, j]'
graph power 'x: f32[S], a: f32[24, 24]' '
    v = loop t in 0..S carry (q = x0) {
        y[n, i] = x[t] + (sum[j] a[i, j] * q[n, j])
        r[n] = sqrt(sum[i] y[n, i] * y[n, i])
        z[n, i] = y[n, i] / r[n]
        next q = z
    }
    loss[] = sum[n, i] v[n, i] * x0[n, i]'
graph nested 'x: f32[S], a: f32[24, 24]' '
    v, es = loop t in 1..S + 1 carry (u = x0) {
        w = loop k in 0..7 carry (q = u) {
            y[b, i] = tanh(0.2 * (sum[j] a[i, j] * q[b, j]))
            r[b, i] = q[b, i] + 0.1 * y[b, i] * x[t - 1] * f32(k - t)
            next q = r
        }
        e[] = sum[b, i] w[b, i] * w[b, i]
        next u = w
        emit e
    }
    loss[] = (sum[b, i] v[b, i] * x0[b, i]) + (sum[t] es[t])'
# two states, one of which no derivative needs; what is compared must be the same number as in the forward pass
graph choice 'x: f32[S, 4, 24], w: f32[4, 24]' '
    zero[]: f32[] = 0
    h, count = loop t in 0..S carry (p = x0, c = zero) {
        y[n, j] = max(p[n, j] * w[n, j], x[t, n, j]) - (max[k] p[n, k])
        d[] = c[] + 1
        next p = y, c = d
    }
    loss[] = (sum[n, j] h[n, j] * h[n, j]) / max(count[], 1)'
graph lstm 'x: f32[S, 4, 8], w: f32[96, 8], u: f32[96, 24]' '
    h, c, ys = loop t in 0..S carry (hp = x0, cp = x0) {
        xt[n, i] = x[t, n, i]
        h1, c1 = lstm_cell(xt, hp, cp, w, u)
        next hp = h1, cp = c1
        emit h1
    }
    loss[] = (sum[n, j] c[n, j] * h[n, j]) + (sum[t, n, j] ys[t, n, j] * ys[t, n, j])'
graph dropped 'x: f32[S, 4, 24], w: f32[4, 24]' '
    seed[]: u64[] = 7
    ratio[]: f32[] = 0.25
    h = loop t in 0..S carry (p = x0) {
        s[]: u64[] = seed[] + u64(t)
        y[n, j] = tanh(p[n, j] * w[n, j]) + x[t, n, j]
        z, kept = dropout(y, s, ratio)
        next p = z
    }
    loss[] = sum[n, j] h[n, j] * h[n, j]'
nets="decay recurrent power nested choice lstm dropped"

# run NET FILE DIR OPTIONS…: the outputs of the net that FILE holds, as files of a new folder
run() {
    local net=$1 dir=$3 in out flags=()
    rm -rf "$dir" && mkdir "$dir"
    for in in $(sed -n 2p "$net.mg" | sed 's/) ->.*//' | grep -oE '\b[a-z0-9]+:' | tr -d :); do
        flags+=(--input "$in=random")
    done
    for out in loss $(sed -n 2p "$net.mg" | grep -oE '\bd_[a-z0-9]+'); do
        flags+=(--output="$out=$dir/$out.npy")
    done
    "$mgc" run "$2" "${flags[@]}" "${@:4}"
}
arena() { "$mgc" --emit-memplan "$1" "${@:2}" | sed -n 's/^arena: \([0-9]*\) bytes.*/\1/p'; }
same() { diff -r none some > /dev/null || fail "$*: the bits differ"; }

for net in $nets; do
    for trips in 0 1 2 3 7 19; do
        expect 0 '' run $net $net.mg none --set S=$trips
        for threads in 1 2; do
            expect 0 '' run $net $net.mg some --set S=$trips --remat=all --threads=$threads --share=all
            same $net, $trips trips
        done
    done
    # the same graph as text: nothing is invalid, and the interpreter gives the same numbers
    expect 0 '' "$mgc" --emit-ir $net.mg --set S=19 --passes=default -o $net-none.mg
    expect 0 '' "$mgc" --emit-ir $net.mg --set S=19 --remat=all --passes=default --verify-each -o $net-some.mg
    grep -q 'else none = last' $net-some.mg || fail "$net: nothing is computed again"
    for kind in none some; do
        expect 0 '' run $net $net-$kind.mg $kind --interp
    done
    same $net in the interpreter
    expect 0 '' "$mgc" check-gradients $net.mg --set S=4
done

# a count of trips that is known when the graph runs
for net in decay recurrent nested choice; do
    expect 0 '' "$mgc" $net.mg -o none.mgb
    expect 0 '' "$mgc" $net.mg -o some.mgb --remat=all
    for trips in 0 1 2 5 6 26 100; do
        for kind in none some; do
            expect 0 '' run $net $kind.mgb $kind --set S=$trips
        done
        same $net, $trips trips of an open number
    done
done

# a device
for net in decay recurrent choice; do
    for kind in none all; do
        expect 0 '' run $net $net.mg ${kind/all/some} --set S=19 --target=gpu --remat=$kind
    done
    same $net on a device
done

# agree A B: the numbers of two folders, within a share of 1e-4 of the largest
agree() {
    python3 - "$1" "$2" << 'END' || fail "$3: $(cat err)"
import array, pathlib, sys
def numbers(path):
    data = path.read_bytes()
    return array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])
for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    a, b = numbers(path), numbers(pathlib.Path(sys.argv[2]) / path.name)
    if len(a) != len(b) or max(abs(x - y) for x, y in zip(a, b)) > 1e-4 * max(map(abs, a)):
        sys.exit(f"{path.name} differs")
END
}

# the bytes of four times as many trips are about twice as many; sums over trips are made in the loop if nothing else
# lets the plan fit, and the numbers agree
least() { "$mgc" --emit-memplan "$@" --remat=1 2>&1 | sed -n 's/.*it takes at least \([0-9]*\)$/\1/p'; }
for net in decay recurrent; do
    before=
    sed -E 's/, d_x: f32\[[^]]*\]//; /^ *d_x = /d' $net.mg > parameters.mg # the derivative of x itself grows with S
    for trips in 16 64 256 1024 4096; do
        all=$(arena parameters.mg --set S=$trips)
        some=$(least parameters.mg --set S=$trips)
        [ "$((some * 2))" -le "$all" ] || fail "$net, $trips trips: $some bytes of $all"
        [ -z "$before" ] || [ "$some" -le $((before * 23 / 10)) ] || fail "$net: $before bytes, then $some"
        before=$some
    done
done
few=$(($(least recurrent.mg --set S=64) + 1000))
expect 0 '' run recurrent recurrent.mg none --set S=64
expect 0 '' run recurrent recurrent.mg some --set S=64 --remat=$few
agree none some recurrent
[ "$(arena recurrent.mg --set S=64 --remat=$few)" -le $few ] || fail "the plan takes over $few bytes"

# what --explain=remat says of loops and of sums
"$mgc" --emit-ir recurrent.mg --set S=64 --remat=$few --explain=remat > out 2> err
grep -qF 'h (recurrent.mg:5:5): 13 of 64 states kept, the trips from one to the next computed again, ' err || fail "no states"
grep -qF 'd_u (recurrent.mg:15:11): added up in each of 64 trips, ' err || fail "no sum"
"$mgc" --emit-ir decay.mg --set S=64 --remat=auto --explain=remat > out 2> err
grep -qF 'h (decay.mg:5:5): what derivatives read of its 64 trips is kept, 49152 bytes' err || fail "auto"
# A trip whose states are small and whose other values are large: reading these costs more than computing them again.
cat > wide.mg <<'EOF'
mg 1
graph step(x0: f32[128], x: f32[S, 128], w: f32[512, 128], u: f32[512]) -> (loss: f32[], d_x0: f32[128]) {
    h, es = loop t in 0..S carry (p = x0) {
        r[i, j]: f32[128, 512] = max(p[i] * w[j, i] + x[t, i], 0)
        e[i] = sum[j] r[i, j] * r[i, j] * u[j]
        q[i] = 0.9 * p[i] + x[t, i]
        next p = q
        emit e
    }
    loss[] = sum[t, i] es[t, i]
    d_x0 = derivative(loss, x0)
}
EOF
"$mgc" --emit-ir wide.mg --set S=512 --march=x86-64-v4 --machine=none --remat=auto --explain=remat > out 2> err
grep -qF 'of 512 states kept, the trips from one to the next computed again' err || fail "auto keeps what is cheap to compute again: $(cat err)"
echo "$checks checks"
