# Two MPI libraries in one process break it. This file finds out which MPI this build uses, and which one other
# libraries are linked with. A system may have several, as Debian does.
#
# CUBEFOLD_MPI_LIBRARY is the name and version, as `Open MPI v4.1.4`, or empty where CMake cannot run programs.
# CUBEFOLD_TESTED_MPI is that of the library that tests run with. With the standard ABI the launcher tells its name.
# CUBEFOLD_MPI_SONAMES are the names by which programs of this MPI ask for its libraries, as `libmpich.so.12`.
string(REGEX REPLACE "[,\n].*" "" CUBEFOLD_MPI_LIBRARY "${MPI_C_LIBRARY_VERSION_STRING}")
string(REGEX REPLACE " +Version[ \t]*:[ \t]*" " v" CUBEFOLD_MPI_LIBRARY "${CUBEFOLD_MPI_LIBRARY}")
if(CUBEFOLD_MPI_LIBRARY MATCHES "NOTFOUND")
  set(CUBEFOLD_MPI_LIBRARY "")
endif()

# cubefold_dynamic_entries(KIND FILE VARIABLE) sets the variable to the values of NEEDED or SONAME of a shared library.
# There are none if readelf is missing or if the file is no shared library.
function(cubefold_dynamic_entries kind file variable)
  set(values "")
  if(CMAKE_READELF AND EXISTS "${file}")
    execute_process(COMMAND ${CMAKE_READELF} -d ${file} OUTPUT_VARIABLE entries ERROR_QUIET)
    string(REGEX MATCHALL "\\(${kind}\\)[^\n]*" lines "${entries}")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*\\[(.*)\\].*" "\\1" value "${line}")
      list(APPEND values ${value})
    endforeach()
  endif()
  set(${variable} "${values}" PARENT_SCOPE)
endfunction()

set(CUBEFOLD_MPI_SONAMES "")
foreach(library IN LISTS MPI_C_LIBRARIES)
  cubefold_dynamic_entries(SONAME ${library} soname)
  list(APPEND CUBEFOLD_MPI_SONAMES ${soname})
endforeach()

# cubefold_other_mpi(FILE VARIABLE) sets the variable to the MPI library that a shared library needs, if it is not that
# of this build. Otherwise the variable is empty.
function(cubefold_other_mpi file variable)
  cubefold_dynamic_entries(NEEDED "${file}" needed)
  list(FILTER needed INCLUDE REGEX "^lib(mpi|mpich|mpi_.*)[.]so")
  set(other ${needed})
  list(REMOVE_ITEM other ${CUBEFOLD_MPI_SONAMES})
  if(NOT other STREQUAL needed OR NOT CUBEFOLD_MPI_SONAMES)
    set(other "")
  endif()
  set(${variable} "${other}" PARENT_SCOPE)
endfunction()

# Debian chooses the compiler and the launcher separately, so they may belong to two MPIs. Every process is then alone.
set(launcher "")
if(MPIEXEC_EXECUTABLE)
  execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE launcher ERROR_QUIET)
endif()
if((CUBEFOLD_MPI_LIBRARY MATCHES "^Open MPI" AND launcher MATCHES "HYDRA")
   OR (CUBEFOLD_MPI_LIBRARY MATCHES "^MPICH" AND launcher MATCHES "OpenRTE|Open MPI"))
  message(WARNING "cubefold: the launcher ${MPIEXEC_EXECUTABLE} does not belong to ${CUBEFOLD_MPI_LIBRARY}; "
                  "-DMPIEXEC_EXECUTABLE= names another one, and -DMPI_EXECUTABLE_SUFFIX= another MPI")
endif()

set(CUBEFOLD_TESTED_MPI "${CUBEFOLD_MPI_LIBRARY}")
if(CUBEFOLD_STANDARD_ABI AND launcher MATCHES "HYDRA")
  set(CUBEFOLD_TESTED_MPI "MPICH")
elseif(CUBEFOLD_STANDARD_ABI AND launcher MATCHES "OpenRTE|Open MPI")
  set(CUBEFOLD_TESTED_MPI "Open MPI")
endif()
