# The lexer and the parser, generated into the build tree.
set(MG_GEN ${CMAKE_BINARY_DIR}/generated/frontend)
file(MAKE_DIRECTORY ${MG_GEN})
set(MG_FRONTEND_GENERATED "")
if(EXISTS ${CMAKE_SOURCE_DIR}/frontend/parser.y)
  bison_target(mg_parser ${CMAKE_SOURCE_DIR}/frontend/parser.y ${MG_GEN}/parser.c
    DEFINES_FILE ${MG_GEN}/parser.h COMPILE_FLAGS "-Wall ${MG_STRICT} -Wno-yacc")
  flex_target(mg_lexer ${CMAKE_SOURCE_DIR}/frontend/lexer.l ${MG_GEN}/lexer.c
    DEFINES_FILE ${MG_GEN}/lexer.h)
  add_flex_bison_dependency(mg_lexer mg_parser)
  set(MG_FRONTEND_GENERATED ${BISON_mg_parser_OUTPUTS} ${FLEX_mg_lexer_OUTPUTS})
  set_source_files_properties(${MG_GEN}/lexer.c ${MG_GEN}/parser.c PROPERTIES COMPILE_OPTIONS
    "-Wno-unused-function;-Wno-unused-but-set-variable;-Wno-sign-compare")
endif()
