# cubefold_mpi_executable(NAME SOURCE...): a program that mpirun starts; smpirun loads it instead (simgrid.cmake).
function(cubefold_mpi_executable name)
  if(CUBEFOLD_SIMGRID)
    add_library(${name} MODULE ${ARGN})
    set_target_properties(${name} PROPERTIES
      PREFIX "" SUFFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
    target_link_options(${name} PRIVATE -Wl,--undefined=main)  # main may be in a library
  else()
    add_executable(${name} ${ARGN})
  endif()
endfunction()
