# Embeds lang/std/*.mg as a C table, mg_std_files[] = {name, text, length}, so that an installed mgc needs no data files.
file(GLOB MG_STD CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/lang/std/*.mg)
set(MG_STD_EMBEDDED ${CMAKE_BINARY_DIR}/generated/std_embedded.c)
add_custom_command(OUTPUT ${MG_STD_EMBEDDED}
  COMMAND ${CMAKE_COMMAND} -DOUT=${MG_STD_EMBEDDED} "-DFILES=${MG_STD}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake
  DEPENDS ${MG_STD} ${CMAKE_SOURCE_DIR}/cmake/embed_files.cmake VERBATIM)

# Embeds the machines that --march and --machine know in the same way: mg_machine_files[] = {name, text, length}.
file(GLOB MG_MACHINES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/machines/*.machine)
set(MG_MACHINES_EMBEDDED ${CMAKE_BINARY_DIR}/generated/machines_embedded.c)
add_custom_command(OUTPUT ${MG_MACHINES_EMBEDDED}
  COMMAND ${CMAKE_COMMAND} -DOUT=${MG_MACHINES_EMBEDDED} "-DFILES=${MG_MACHINES}" -P ${CMAKE_SOURCE_DIR}/cmake/embed_machines.cmake
  DEPENDS ${MG_MACHINES} ${CMAKE_SOURCE_DIR}/cmake/embed_machines.cmake VERBATIM)

# Embeds the bytes of FILE as the string NAME, in a source that is added to the list VAR.
function(mg_embed_text var name file)
  set(out ${CMAKE_BINARY_DIR}/generated/${name}.c)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DNAME=${name} -DFILE=${CMAKE_SOURCE_DIR}/${file} -P ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake
    DEPENDS ${CMAKE_SOURCE_DIR}/${file} ${CMAKE_SOURCE_DIR}/cmake/embed_text.cmake VERBATIM)
  set(${var} ${${var}} ${out} PARENT_SCOPE)
endfunction()
mg_embed_text(MG_TEXT_EMBEDDED mg_library_ll backends/cpu/library.ll) # what a library exports
mg_embed_text(MGC_EMBEDDED mgc_report_html tools/report/page.html)    # the page of --profile=FILE.html
mg_embed_text(MGC_EMBEDDED mgc_report_css tools/report/page.css)
mg_embed_text(MGC_EMBEDDED mgc_report_js tools/report/page.js)
