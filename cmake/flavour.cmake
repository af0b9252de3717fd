# A flavour is the name of an MPI, as `mpich`. It ends the names of the installed files that need this MPI, except those
# of programs and of the Python package. Libraries for several MPIs therefore fit into one prefix, as Debian has them.
set(CUBEFOLD_FLAVOUR "" CACHE STRING "Name of an MPI that ends the names of libraries, as mpich: libcubefold_mpi_mpich")
if(NOT CUBEFOLD_FLAVOUR MATCHES "^[a-z0-9]*$")
  message(FATAL_ERROR "CUBEFOLD_FLAVOUR is '${CUBEFOLD_FLAVOUR}', but a flavour has only small letters and digits")
endif()
set(flavour_of_libraries "")
set(flavour_of_files "")
if(CUBEFOLD_FLAVOUR)
  set(flavour_of_libraries _${CUBEFOLD_FLAVOUR})
  set(flavour_of_files -${CUBEFOLD_FLAVOUR})
endif()
