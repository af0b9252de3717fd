# This file uses SMPI, the MPI of SimGrid, instead of a real MPI. SMPI runs all processes of a job inside one process of
# the system. smpirun loads a copy of the program for each, so programs are loadable modules. Libraries are linked
# statically, so that each copy has its own variables.
find_path(SMPI_INCLUDE_DIR smpi/mpi.h)
find_library(SIMGRID_LIBRARY simgrid)
find_program(CUBEFOLD_SMPIRUN smpirun)
if(NOT (SMPI_INCLUDE_DIR AND SIMGRID_LIBRARY AND CUBEFOLD_SMPIRUN))
  message(FATAL_ERROR "CUBEFOLD_SIMGRID is on, but there is no SimGrid (Debian: libsimgrid-dev)")
endif()

add_library(SimGrid::SimGrid INTERFACE IMPORTED)
target_include_directories(SimGrid::SimGrid INTERFACE ${SMPI_INCLUDE_DIR})
target_link_libraries(SimGrid::SimGrid INTERFACE ${SIMGRID_LIBRARY})
add_compile_definitions(_DEFAULT_SOURCE)  # mpi.h of SMPI needs POSIX functions, which strict C99 hides

# smpicc of SimGrid is not used. It would redefine malloc, exit and getopt as macros, also where they are members of C++
# classes.
add_library(MPI::MPI_C INTERFACE IMPORTED)
target_include_directories(MPI::MPI_C INTERFACE ${SMPI_INCLUDE_DIR}/smpi)
target_link_libraries(MPI::MPI_C INTERFACE SimGrid::SimGrid)
set(MPI_C_FOUND TRUE)

# The tests run on a ring of 16 nodes. Tests are left out for these reasons: SMPI has no inter-communicators and no
# MPI_Type_create_f90_real. It differs from other MPI libraries in truncated messages, in the status of an exchange with
# oneself, and in the types that a derived type is made of. It ends a program that waits for a receive that was
# cancelled. All processes have the same environment and working folder, and each counts as a separate host. The
# all-to-all that SMPI takes for long blocks needs a power of two of processes, so another is asked for.
file(WRITE ${PROJECT_BINARY_DIR}/test_platform.json
     [[{"grid": "ring:16", "tie": "positive", "ports": "all", "bits_per_second": 1e9, "latency_seconds": 1e-6}]])
string(CONCAT without_smpi "-*no_intra_communicator*:*fortran_asks*:*cut_short*:*of_another_size*:"
              "*another_environment*:*swapped_by_one_call*:*exchange_looks_into*:*leaves_memory_alone*:"
              "MachineFromEnvironment*:HostCount*:JobNodes*slurm*:JobNodes*address*:*files_of_one_name*")
set(CUBEFOLD_MPI_TEST_ENVIRONMENT CUBEFOLD_PLATFORM=${PROJECT_BINARY_DIR}/test_platform.json
    GTEST_FILTER=${without_smpi})
set(CUBEFOLD_MPI_TEST_FAILURE "/CRITICAL")  # smpirun returns 0 after a deadlock
set(MPIEXEC_EXECUTABLE ${CUBEFOLD_SMPIRUN})
set(MPIEXEC_NUMPROC_FLAG -np)
set(MPIEXEC_PREFLAGS -platform $<TARGET_FILE:cubefold_platform> --cfg=smpi/simulate-computation:no
                     --cfg=smpi/alltoall:ring --log=root.threshold:error)

# smpirun looks main up by its name, so main must be visible. Without -fno-gnu-unique all copies would share the static
# variables of inline functions.
add_compile_options(-fvisibility=default $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-gnu-unique>)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(library_type STATIC)
