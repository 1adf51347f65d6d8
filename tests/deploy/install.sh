#!/usr/bin/env bash
# install.sh MGC BUILD_FOLDER SOURCE_FOLDER: tests that CMake and pkg-config find an MG installed into an empty folder, and
# that the example that links a network builds with it. The Debian package, unpacked, must have all that it needs.
source "$(dirname "$0")/../cli/lib.sh"
build=$2 source=$3
unset CPATH LIBRARY_PATH
expect 0 "" bash -c "cmake --install '$build' --prefix '$work/prefix' > install.log"

# a network in a C program, static and shared
for shared in OFF ON; do
    expect 0 "Generating done" cmake -S "$source/examples/deploy" -B "example$shared" -DCMAKE_PREFIX_PATH="$work/prefix" \
        -DNETWORK_SHARED=$shared -DCMAKE_C_COMPILER="${CC:-cc}"
    expect 0 "Built target classify" cmake --build "example$shared"
    expect 0 "image 1: 6" "example$shared/classify"
    grep -q "image 0: 3" out || fail "the other digit"
    ldd "example$shared/classify" | grep -E 'LLVM|libmg' && fail "the program needs more than its network"
done

# the library, by pkg-config
export PKG_CONFIG_PATH=$(dirname "$(find prefix -name mg.pc)")
cat > use.c <<'EOF'
#include <mg.h>
#include <stdio.h>
int main(void) {
    static const char text[] = "mg 1\ngraph f(x: f32[N]) -> (y: f32[N]) { y = relu(x) }\n";
    MgContext *context;
    MgModel *model;
    MgInstance *instance;
    float x[] = {-1, 2};
    const int64_t two = 2, *dims;
    const void *y;
    if (mg_context_new(NULL, &context) || mg_model_compile(context, "f.mg", text, sizeof text - 1, NULL, &model) ||
        mg_instance_new(model, context, &instance) || mg_bind_input(instance, 0, x, 1, &two) || mg_run(instance) ||
        mg_output(instance, 0, &y, &dims))
        return 1;
    printf("%g %g\n", ((const float *)y)[0], ((const float *)y)[1]);
    mg_instance_free(instance);
    mg_model_release(model);
    mg_context_free(context);
    return 0;
}
EOF
flags=""
grep -q 'MG_SANITIZE:BOOL=ON' "$build/CMakeCache.txt" && flags="-fsanitize=address,undefined"
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
libdir=$(pkg-config --variable=libdir mg)
expect 0 "" bash -c "$compiler $flags use.c \$(pkg-config --cflags --libs mg) -o shared"
expect 0 "0 2" env LD_LIBRARY_PATH="$libdir" ./shared
readelf -d shared | grep 'NEEDED.*libmg.so.0' > out || fail "the name of libmg.so"
expect 0 "" bash -c "$compiler $flags use.c \$(pkg-config --cflags --libs mg-static) -o static"
expect 0 "0 2" ./static
expect 0 "" bash -c "$compiler $flags -Wall -Wextra -Werror '$source'/examples/capture/*.c \$(pkg-config --cflags --libs mg) -lm -o capture"
expect 0 "call by call and as one graph: the same" env LD_LIBRARY_PATH="$libdir" ./capture
grep -qF "graph net(x: f32[N, 4], w: f32[4, 2], b: f32[2])" out && grep -qF "K is 2 from 'x0'" out || fail "what is captured"
cat > cl.c <<'EOF'
#define CL_TARGET_OPENCL_VERSION 120
#include <mg/opencl.h>
int main(void) {
    cl_context none = mg_opencl_context(NULL);
    return none || mg_opencl_device(NULL) || mg_buffer_cl_mem(NULL) || !mg_buffer_wrap(NULL, NULL, NULL, NULL);
}
EOF
expect 0 "" bash -c "$compiler $flags -Wall -Wextra -Werror cl.c \$(pkg-config --cflags --libs mg) -o with-opencl"
expect 0 "" env LD_LIBRARY_PATH="$libdir" ./with-opencl
nm -D --defined-only "$libdir/libmg.so" | grep ' T ' | grep -v ' mg_' && fail "libmg.so shows more than mg.h"

# the package
if [ -n "$flags" ]; then
    echo "SKIPPED: a package of a sanitized build"
elif ! command -v dpkg-deb dpkg-shlibdeps > out || [ "$(wc -l < out)" != 2 ]; then
    echo "SKIPPED: the Debian package: needs dpkg-deb and dpkg-shlibdeps"
else
    expect 0 "mg_" "$source/packaging/build-deb" "$build" deb
    deb=$(cat out)
    needed=libllvm19
    [ -e "$build/libmg-llvm.so" ] && needed='libstdc++6'
    expect 0 "$needed" dpkg-deb -f "$deb" Depends
    dpkg-deb -x "$deb" root || fail "unpacking"
    ldd root/usr/bin/mgc | grep 'not found' && fail "mgc lacks a library"
    expect 0 "language mg 1" root/usr/bin/mgc version
    [ -e root/usr/include/mg.h ] && [ -e root/usr/include/mg/opencl.h ] && [ -e root/usr/share/doc/mg/deploy.md ] || fail "the package lacks a file"
    printf 'mg 1\ngraph f(x: f32[N]) -> (y: f32[N]) { y = relu(x) }\n' > net.mg
    expect 0 "y: f32[2] = [0.0, 2.0]" root/usr/bin/mgc run net.mg --input x=-1,2
fi
finish
