#!/usr/bin/env bash
# wheel.sh MGC BUILD_FOLDER SOURCE_FOLDER: builds the wheel twice and compares the bytes, installs it into an empty environment
# without a network, and uses it there, with only its own libraries of MG.
source "$(dirname "$0")/../cli/lib.sh"
build=$2 source=$3
python=/usr/bin/python3
unset MG_LIBRARY PYTHONPATH LD_LIBRARY_PATH
skip() {
    echo "SKIPPED: $1"
    exit 77
}
command -v patchelf > out || skip "needs patchelf"
$python -c 'import numpy, tomllib, ensurepip' 2> err || skip "needs Python 3.11 with numpy and venv"
[ -e "$build/libmg-llvm.so" ] || skip "the build has no code generator of its own"

expect 0 "manylinux_2_" $python "$source/packaging/build-wheel" "$build" first
expect 0 "manylinux_2_" $python "$source/packaging/build-wheel" "$build" second
wheel=$(cat out)
cmp first/*.whl "$wheel" || fail "two builds differ"
[[ $wheel =~ /mg-[0-9.]+-py3-none-manylinux_2_[0-9]+_(x86_64|aarch64)\.whl$ ]] || fail "the wheel's name"
[ "$(stat -c %s "$wheel")" -lt 30000000 ] || fail "the wheel has $(stat -c %s "$wheel") bytes"

expect 0 "" $python -m venv --system-site-packages env # numpy is the system's
expect 0 "Successfully installed mg" env/bin/pip install --no-index --disable-pip-version-check "$wheel"
cp "$source"/examples/digits/digits.{mg,npz,safetensors} "$here/use_wheel.py" .
expect 0 "the wheel works" env -i PATH=/usr/bin HOME="$work" env/bin/python use_wheel.py 5
expect 0 "Successfully uninstalled mg" env/bin/pip uninstall -y mg
find env -path '*site-packages/mg*' | grep . && fail "files stay"
finish
