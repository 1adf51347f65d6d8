#!/usr/bin/env bash
# foreign.sh MGC SOURCE_FOLDER: builds MG for AArch64, runs the cases of the library in its code, makes the wheel and uses it, all
# by emulation. It fetches Debian's packages of that architecture and takes ten minutes.
source "$(dirname "$0")/../cli/lib.sh"
source=$2
skip() {
    echo "SKIPPED: $1"
    exit 77
}
for tool in aarch64-linux-gnu-gcc qemu-aarch64 apt-get dpkg-deb patchelf; do
    command -v $tool > out || skip "needs $tool"
done
python3 -m pip --version > out 2>&1 || skip "needs pip"

expect 0 "" "$source/packaging/foreign-root" root
expect 0 "" cmake -G Ninja -S "$source" -B build -DCMAKE_TOOLCHAIN_FILE="$source/cmake/aarch64.cmake" -DMG_ROOT="$work/root" -DMG_WERROR=ON
expect 0 "" ninja -C build mgc mg mg_llvm run_cases
expect 0 "100% tests passed" ctest --test-dir build -R '^std\.(as_written|fused)$' # which CMake runs by the emulator

expect 0 "_aarch64.whl" "$source/packaging/build-wheel" build wheels
wheel=$(cat out)
platform=${wheel##*-}
    --only-binary=:all: --platform "${platform%.whl}" "$wheel"
cp "$source"/examples/digits/digits.{mg,npz,safetensors} "$here/use_wheel.py" .
libraries=/usr/lib/aarch64-linux-gnu
expect 0 "the wheel works" env -i PATH=/usr/bin HOME="$work" PYTHONPATH="$work/site" qemu-aarch64 -L root \
    -E LD_LIBRARY_PATH=$libraries/blas:$libraries/lapack root/usr/bin/python3 use_wheel.py 60
finish
