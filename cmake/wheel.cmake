# The libraries of a Python wheel (packaging/build-wheel), in BUILD/wheel. They lie beside one another, name no folder of
# the build, and have no relocations that only a newer glibc reads. They are built for the wheel alone.
set(MG_WHEEL ${CMAKE_BINARY_DIR}/wheel)
file(MAKE_DIRECTORY ${MG_WHEEL})
add_library(wheel_mg SHARED EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/generated/empty.c)
target_link_libraries(wheel_mg PRIVATE -Wl,--whole-archive mgcore -Wl,--no-whole-archive -Wl,--version-script=${MG_EXPORTS}
  -Wl,--build-id=none)
set_target_properties(wheel_mg PROPERTIES OUTPUT_NAME mg SOVERSION ${PROJECT_VERSION_MAJOR}
  LIBRARY_OUTPUT_DIRECTORY ${MG_WHEEL} BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
add_custom_target(wheel DEPENDS wheel_mg)
set(MG_WHEEL_COMPILER ${CMAKE_C_COMPILER} ${MG_ROOT_FLAGS} CACHE INTERNAL "knows where libraries lie")
set(MG_WHEEL_STRIP ${CMAKE_STRIP} CACHE INTERNAL "for the wheel's machine")
if(MG_OWN_LLVM)
  add_library(wheel_random OBJECT EXCLUDE_FROM_ALL packaging/arc4random.c)
  add_custom_command(OUTPUT ${MG_WHEEL}/${MG_LLVM_OWN} DEPENDS ${MG_LLVM_FILES} wheel_random $<TARGET_OBJECTS:wheel_random>
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR}
    COMMAND ${MG_LLVM_LINK} $<TARGET_OBJECTS:wheel_random> -o ${MG_WHEEL}/${MG_LLVM_OWN} -Wl,--build-id=none -Wl,-rpath,$ORIGIN
    ${MG_LLVM_LIBRARIES}
    COMMENT "Linking wheel/${MG_LLVM_OWN}" VERBATIM)
  add_custom_target(wheel_llvm DEPENDS ${MG_WHEEL}/${MG_LLVM_OWN})
  add_dependencies(wheel wheel_llvm)
endif()
