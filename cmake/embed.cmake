# lang/std/*.mg becomes one C table: mg_std_files[] = {name, text, length}, so that an installed mgc needs no data files.
file(GLOB MG_STD CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lang/std/*.mg)
set(MG_STD_EMBEDDED ${CMAKE_BINARY_DIR}/generated/std_embedded.c)
add_custom_command(OUTPUT ${MG_STD_EMBEDDED}
  COMMAND ${CMAKE_COMMAND} -DOUT=${MG_STD_EMBEDDED} "-DFILES=${MG_STD}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
  DEPENDS ${MG_STD} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)

# backends/cpu/library.ll, what a library exports, as a string: mg_library_ll.
set(MG_TEXT_EMBEDDED ${CMAKE_BINARY_DIR}/generated/library_ll.c)
add_custom_command(OUTPUT ${MG_TEXT_EMBEDDED}
  COMMAND ${CMAKE_COMMAND} -DOUT=${MG_TEXT_EMBEDDED} -DNAME=mg_library_ll -DFILE=${CMAKE_SOURCE_DIR}/backends/cpu/library.ll
    -P ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/backends/cpu/library.ll ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake VERBATIM)
