# LLVM: its headers are compiled against, the library is loaded when it is needed (backends/cpu/llvm.h).
find_program(LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE LLVM_LIBDIR OUTPUT_STRIP_TRAILING_WHITESPACE)
file(REAL_PATH ${LLVM_LIBDIR}/libLLVM-19.so LLVM_LIBRARY)
get_filename_component(LLVM_NAME ${LLVM_LIBRARY} NAME)
set_source_files_properties(backends/cpu/llvm.c PROPERTIES COMPILE_DEFINITIONS
  "MG_LLVM_NAME=\"${LLVM_NAME}\";MG_LLVM_FOLDER=\"${LLVM_LIBDIR}\"")

# llvm_names.h: every function of llvm.def as the table's entry.
set(def ${CMAKE_SOURCE_DIR}/backends/cpu/llvm.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${def})
file(STRINGS ${def} rows REGEX "^LLVM_FUNCTION")
set(names "")
foreach(row ${rows})
  string(REGEX REPLACE "LLVM_FUNCTION\\((.*)\\)" "#define \\1 (mg_llvm.\\1_)\n" name ${row})
  string(APPEND names ${name})
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/llvm_names.h CONTENT "${names}" @ONLY)
