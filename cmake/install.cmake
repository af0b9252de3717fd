# This file installs the headers, the libraries, the CMake package and the pkg-config files.
include(CMakePackageConfigHelpers)

set(modules topology hosts gf2 embedding lcc schedule exchange simulation plan)
set(components core)
set(pkgconfig_files cubefold-core)
if(CUBEFOLD_MPI)
  list(APPEND modules mpi)
  list(APPEND components mpi)
  list(APPEND pkgconfig_files cubefold)
  install(FILES include/cubefold/cubefold.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cubefold)
endif()
if(CUBEFOLD_FFT)
  list(APPEND modules transform fft)
  list(APPEND components fft)
  list(APPEND pkgconfig_files cubefold-fft)
  install(FILES include/cubefold/cubefold_fft.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cubefold)
endif()
if(CUBEFOLD_FORTRAN)
  list(APPEND components fortran)
  if(CUBEFOLD_FFT)
    list(APPEND components fft_fortran)
  endif()
endif()

foreach(module IN LISTS modules)
  install(DIRECTORY include/cubefold/${module} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cubefold)
endforeach()
install(FILES include/cubefold/export.h ${PROJECT_BINARY_DIR}/include/cubefold/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cubefold)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cubefold)
foreach(component IN LISTS components)
  install(TARGETS cubefold_${component} EXPORT cubefold-${component}-targets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT cubefold-${component}-targets NAMESPACE cubefold:: DESTINATION ${package_dir})
endforeach()
if(CUBEFOLD_MPI)
  install(TARGETS cubefold_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
configure_package_config_file(cmake/cubefold-config.cmake.in ${PROJECT_BINARY_DIR}/cubefold-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cubefold-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cubefold-config.cmake ${PROJECT_BINARY_DIR}/cubefold-config-version.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(name IN LISTS pkgconfig_files)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
