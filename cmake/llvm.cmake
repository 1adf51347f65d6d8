# LLVM. MG compiles against its headers and loads the library when it is needed (backends/cpu/llvm.h).
find_program(LLVM_CONFIG NAMES llvm-config-19 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE LLVM_LIBDIR OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --bindir OUTPUT_VARIABLE LLVM_BINDIR OUTPUT_STRIP_TRAILING_WHITESPACE)
set(LLVM_FOLDER ${LLVM_LIBDIR}) # on the machine that MG will run on; its files are here below a root of their own, if any
string(PREPEND LLVM_INCLUDE "${CMAKE_SYSROOT}")
string(PREPEND LLVM_LIBDIR "${CMAKE_SYSROOT}")
file(REAL_PATH ${LLVM_LIBDIR}/libLLVM-19.so LLVM_LIBRARY)
get_filename_component(LLVM_NAME ${LLVM_LIBRARY} NAME)
set(MG_LLVM_OWN libmg-llvm.so)
set_source_files_properties(backends/cpu/llvm.c PROPERTIES COMPILE_DEFINITIONS
  "MG_LLVM_OWN=\"${MG_LLVM_OWN}\";MG_LLVM_NAME=\"${LLVM_NAME}\";MG_LLVM_FOLDER=\"${LLVM_FOLDER}\"")

# llvm_names.h lists every function of llvm.def as an entry of the table.
set(def ${CMAKE_SOURCE_DIR}/backends/cpu/llvm.def)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${def})
file(STRINGS ${def} rows REGEX "^LLVM_FUNCTION")
set(names "")
set(wanted "-Wl,-u,LLVMParseCommandLineOptions\n")
set(shown "LLVMParseCommandLineOptions;\n")
foreach(row ${rows})
  string(REGEX REPLACE "LLVM_FUNCTION\\((.*)\\)" "\\1" name ${row})
  string(APPEND names "#define ${name} (mg_llvm.${name}_)\n")
  string(APPEND wanted "-Wl,-u,${name}\n")
  string(APPEND shown "${name};\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/llvm_names.h CONTENT "${names}" @ONLY)

# libmg-llvm.so is the part of LLVM that these functions need, for MG's targets. It loads in a third of the time of
# libLLVM, which has 20 targets and 22,000 symbols to look up. If LLVM's static libraries are missing, or the option is
# off, libLLVM is loaded instead.
option(MG_OWN_LLVM "link the parts of LLVM that MG needs into ${MG_LLVM_OWN}" ON)
find_library(ZSTD_LIBRARY NAMES zstd libzstd.so.1)
execute_process(COMMAND ${LLVM_CONFIG} --link-static --libs
  x86codegen x86desc x86info aarch64codegen aarch64desc aarch64info nvptxcodegen nvptxdesc nvptxinfo core passes irreader linker target analysis
  OUTPUT_VARIABLE LLVM_PARTS OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
if(status OR NOT EXISTS ${LLVM_LIBDIR}/libLLVMX86CodeGen.a OR NOT ZSTD_LIBRARY)
  message(STATUS "no static libraries of LLVM: libLLVM is loaded")
  set(MG_OWN_LLVM OFF)
endif()
if(MG_OWN_LLVM)
  set(options ${CMAKE_BINARY_DIR}/generated/llvm_wanted.txt)
  set(map ${CMAKE_BINARY_DIR}/generated/llvm.map)
  file(CONFIGURE OUTPUT ${options} CONTENT "${wanted}" @ONLY)
  file(CONFIGURE OUTPUT ${map} CONTENT "{ global:\n${shown}local: *; };\n" @ONLY)
  separate_arguments(LLVM_PARTS)
  set(MG_LLVM_FILES ${options} ${map})
  set(MG_LLVM_LINK ${CMAKE_C_COMPILER} ${MG_ROOT_FLAGS} -shared @${options} -L${LLVM_LIBDIR} ${LLVM_PARTS}
      -Wl,--version-script=${map} -Wl,--gc-sections -Wl,-Bsymbolic -Wl,-O1 -Wl,-s)
  set(MG_LLVM_LIBRARIES -lstdc++ -lm -lz ${ZSTD_LIBRARY})
  set(link ${MG_LLVM_LINK} -o ${MG_LLVM_OWN} -Wl,-z,pack-relative-relocs ${MG_LLVM_LIBRARIES})
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/${MG_LLVM_OWN} DEPENDS ${MG_LLVM_FILES} COMMAND ${link}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMENT "Linking ${MG_LLVM_OWN}" VERBATIM)
  add_custom_target(mg_llvm ALL DEPENDS ${CMAKE_BINARY_DIR}/${MG_LLVM_OWN})
  find_program(LLVM_BOLT llvm-bolt HINTS ${LLVM_BINDIR} NO_DEFAULT_PATH)
  if(LLVM_BOLT) # the target `layout` takes a minute or two, and makes small compilations a seventh faster
    list(REMOVE_ITEM link -Wl,-s)
    add_custom_target(layout COMMAND ${CMAKE_SOURCE_DIR}/cmake/layout-llvm ${LLVM_BOLT} $<TARGET_FILE:mgc> ${MG_LLVM_OWN} ${link}
      DEPENDS mg_llvm WORKING_DIRECTORY ${CMAKE_BINARY_DIR} COMMENT "Laying out ${MG_LLVM_OWN}" VERBATIM)
  endif()
  set(CMAKE_BUILD_RPATH ${CMAKE_BINARY_DIR}) # for every program that has the code that loads it
endif()
