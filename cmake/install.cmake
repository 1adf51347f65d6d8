# What `cmake --install` installs: mgc, libmg (shared and static), mg.h with those in mg/, and the files that CMake and
# pkg-config look for.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set_target_properties(mg PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
if(MG_OWN_LLVM) # goes into a folder of its own, which the run paths name
  install(PROGRAMS ${CMAKE_BINARY_DIR}/${MG_LLVM_OWN} DESTINATION ${CMAKE_INSTALL_LIBDIR}/mg)
  file(RELATIVE_PATH MG_BIN_TO_LIB /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR}/mg)
  set_target_properties(mg PROPERTIES INSTALL_RPATH "$ORIGIN/mg")
  set_target_properties(mgc PROPERTIES INSTALL_RPATH "$ORIGIN/${MG_BIN_TO_LIB}")
  add_dependencies(mg mg_llvm)
  add_dependencies(mgc mg_llvm)
endif()
install(TARGETS mg EXPORT MGTargets)
install(TARGETS mgc EXPORT MGTargets)
install(FILES $<TARGET_FILE:mgcore> DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME libmg.a)
install(FILES include/mg.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES include/mg/cuda.h include/mg/dlpack.h include/mg/opencl.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mg)

# The man page and the shell completions, which mgc writes from its own tables.
set(MGC_TEXTS ${CMAKE_BINARY_DIR}/texts)
add_custom_command(OUTPUT ${MGC_TEXTS}/mgc.1
  COMMAND ${CMAKE_COMMAND} -E make_directory ${MGC_TEXTS}
  COMMAND mgc help --man > ${MGC_TEXTS}/mgc.1
  COMMAND mgc help --completion=bash > ${MGC_TEXTS}/mgc
  COMMAND mgc help --completion=zsh > ${MGC_TEXTS}/_mgc
  COMMAND mgc help --completion=fish > ${MGC_TEXTS}/mgc.fish
  DEPENDS mgc VERBATIM)
add_custom_target(texts ALL DEPENDS ${MGC_TEXTS}/mgc.1)
install(FILES ${MGC_TEXTS}/mgc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${MGC_TEXTS}/mgc DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${MGC_TEXTS}/_mgc DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${MGC_TEXTS}/mgc.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# find_package(MG): the targets MG::mg and MG::mgc, and mg_add_network().
set(MG_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/MG)
install(EXPORT MGTargets NAMESPACE MG:: DESTINATION ${MG_CMAKE_DIR})
configure_package_config_file(cmake/MGConfig.cmake.in ${CMAKE_BINARY_DIR}/MGConfig.cmake
  INSTALL_DESTINATION ${MG_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/MGConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/MGConfig.cmake ${CMAKE_BINARY_DIR}/MGConfigVersion.cmake cmake/MGNetwork.cmake
  DESTINATION ${MG_CMAKE_DIR})

# pkg-config: mg, and mg-static, which names what libmg.a needs.
file(RELATIVE_PATH MG_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/mg.pc.in ${CMAKE_BINARY_DIR}/mg.pc @ONLY)
configure_file(cmake/mg-static.pc.in ${CMAKE_BINARY_DIR}/mg-static.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/mg.pc ${CMAKE_BINARY_DIR}/mg-static.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
