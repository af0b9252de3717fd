# cubefold_mpi_executable(NAME SOURCE...) adds a program for mpirun. In a build for SimGrid it is a module that smpirun
# loads; see simgrid.cmake.
function(cubefold_mpi_executable name)
  if(CUBEFOLD_SIMGRID)
    add_library(${name} MODULE ${ARGN})
    set_target_properties(${name} PROPERTIES
      PREFIX "" SUFFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    target_link_options(${name} PRIVATE -Wl,--undefined=main)  # takes main from a library if it is there
  else()
    add_executable(${name} ${ARGN})
  endif()
endfunction()
