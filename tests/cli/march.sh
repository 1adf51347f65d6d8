#!/usr/bin/env bash
# Tests that --march=NAME doesn't depend on the host: a library has the same bytes on a CPU with other caches and features,
# which qemu-user shows to mgc. Only `native` differs, and so does its name in the cache's key.
source "$(dirname "$0")/lib.sh"
command -v qemu-x86_64 > /dev/null && [ "$(uname -m)" = x86_64 ] || exit 77

cat > net.mg <<'EOF'
mg 1
graph net(x: f32[256, 512], w: f32[512, 384]) -> (y: f32[256, 384]) { y = softmax(matmul(x, w)) }
EOF
same() { # MARCH CPU
    expect 0 "" "$mgc" net.mg --march=$1 -o here.o
    qemu-x86_64 -cpu $2 "$mgc" net.mg --march=$1 -o there.o > qemu.log 2>&1 || fail "mgc under qemu ended with $?"
    cmp -s here.o there.o || fail "--march=$1 gives other code on a $2"
    checks=$((checks + 1))
}
same x86-64-v3 Haswell # which has 256 KiB of L2
same aarch64 Nehalem   # which has no AVX

# The key of `native` covers the caches, so a package made here has no code for a Haswell.
expect 0 "" "$mgc" net.mg -o here.mgb
qemu-x86_64 -cpu Haswell "$mgc" net.mg -o there.mgb > qemu.log 2>&1 || fail "mgc under qemu ended with $?"
names() { grep -ao 'object cpu[^,]*[^"]*native [0-9a-f]*' "$1"; }
[ -n "$(names here.mgb)" ] && [ "$(names here.mgb)" != "$(names there.mgb)" ] || fail "one name for two CPUs"
finish
