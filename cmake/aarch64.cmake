# A toolchain for AArch64, on a machine of another kind: gcc-aarch64-linux-gnu, and the libraries of the folder MG_ROOT,
# which packaging/foreign-root fills. What it builds runs here by qemu-aarch64 -L MG_ROOT.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MG_ROOT)
set(triple aarch64-linux-gnu)
set(CMAKE_C_COMPILER ${triple}-gcc)
set(CMAKE_STRIP ${triple}-strip)
set(CMAKE_SYSROOT ${MG_ROOT})
set(CMAKE_LIBRARY_ARCHITECTURE ${triple})
set(MG_ROOT_FLAGS --sysroot=${MG_ROOT} -L=/usr/lib/gcc/${triple}/12) # for links that CMake doesn't write
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${MG_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${MG_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${MG_ROOT}/usr/lib/${triple}/pkgconfig:${MG_ROOT}/usr/share/pkgconfig)
