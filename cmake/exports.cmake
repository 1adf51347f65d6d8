# Lists what libmg.so exports: only the functions that include/mg.h declares with MG_API. Inside the build every function
# is visible, since mgc exports all of them to pass plugins.
file(READ ${CMAKE_SOURCE_DIR}/include/mg.h text)
string(REGEX MATCHALL "MG_API[^;(]*[ *]mg_[a-z0-9_]+\\(" declared "${text}")
set(names "")
foreach(one ${declared})
  string(REGEX REPLACE ".*[ *](mg_[a-z0-9_]+)\\($" "\\1" name "${one}")
  string(APPEND names "    ${name};\n")
endforeach()
set(MG_EXPORTS ${CMAKE_BINARY_DIR}/generated/exports.map)
file(WRITE ${MG_EXPORTS} "{\n  global:\n${names}  local: *;\n};\n")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/include/mg.h)
