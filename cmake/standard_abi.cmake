# MPI 5 defines a binary interface: a program that is compiled with its mpi.h runs with the libmpi_abi.so.1 of any MPI
# library that has one. This file makes MPI::MPI_C stand for that interface, in place of one MPI library. An installed
# cubefold that was built so has a copy of this file.
#
# CUBEFOLD_ABI_PROBLEM says why the interface cannot be used, and is empty if it can.
find_library(CUBEFOLD_ABI_LIBRARY mpi_abi)
find_path(CUBEFOLD_ABI_INCLUDE_DIR mpi.h NO_DEFAULT_PATH
          PATHS ${CMAKE_PREFIX_PATH} ${CMAKE_SYSTEM_PREFIX_PATH}
          PATH_SUFFIXES include/standard_abi
                        lib/${CMAKE_LIBRARY_ARCHITECTURE}/openmpi/include/standard_abi
                        lib/${CMAKE_LIBRARY_ARCHITECTURE}/mpi_abi_mpich/include)

set(CUBEFOLD_ABI_PROBLEM "")
set(abi_versions "")
set(abi_linked "${CUBEFOLD_ABI_LIBRARY}")
if(CUBEFOLD_ABI_INCLUDE_DIR AND EXISTS ${CUBEFOLD_ABI_INCLUDE_DIR}/mpi.h)
  file(STRINGS ${CUBEFOLD_ABI_INCLUDE_DIR}/mpi.h abi_versions REGEX "^#define +MPI_ABI_(SUB)?VERSION +[0-9]+")
  list(TRANSFORM abi_versions REPLACE "[^0-9]*([0-9]+).*" "\\1")
endif()
list(JOIN abi_versions "." CUBEFOLD_ABI_VERSION)
if(TARGET MPI::MPI_C)
  get_target_property(abi_linked MPI::MPI_C INTERFACE_LINK_LIBRARIES)
endif()
if(NOT CUBEFOLD_ABI_INCLUDE_DIR OR NOT CUBEFOLD_ABI_LIBRARY)
  string(CONCAT CUBEFOLD_ABI_PROBLEM "there is no mpi.h or no libmpi_abi of the standard ABI of MPI 5; "
                "-DCUBEFOLD_ABI_INCLUDE_DIR= and -DCUBEFOLD_ABI_LIBRARY= name them")
elseif(NOT CUBEFOLD_ABI_VERSION MATCHES "^1[.]")
  set(CUBEFOLD_ABI_PROBLEM "${CUBEFOLD_ABI_INCLUDE_DIR}/mpi.h is not that of version 1 of the standard ABI of MPI")
elseif(NOT abi_linked STREQUAL CUBEFOLD_ABI_LIBRARY)
  set(CUBEFOLD_ABI_PROBLEM "MPI::MPI_C stands for another MPI already, ${abi_linked}")
endif()

set(MPI_C_FOUND FALSE)
if(NOT CUBEFOLD_ABI_PROBLEM)
  if(NOT TARGET MPI::MPI_C)
    add_library(MPI::MPI_C INTERFACE IMPORTED)
    target_include_directories(MPI::MPI_C INTERFACE ${CUBEFOLD_ABI_INCLUDE_DIR})
    target_link_libraries(MPI::MPI_C INTERFACE ${CUBEFOLD_ABI_LIBRARY})
  endif()
  set(MPI_C_FOUND TRUE)
  set(MPI_C_LIBRARIES ${CUBEFOLD_ABI_LIBRARY})
  set(MPI_C_LIBRARY_VERSION_STRING "standard ABI ${CUBEFOLD_ABI_VERSION} of MPI")
endif()
