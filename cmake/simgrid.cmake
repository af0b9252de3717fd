# SMPI, SimGrid's MPI, in the place of a real one. It runs all processes in one: each is a copy of the program that
# smpirun loads, so a program is a loadable module, and what it does not share with the others is linked into it.
find_path(SMPI_INCLUDE_DIR smpi/mpi.h)
find_library(SIMGRID_LIBRARY simgrid)
find_program(CUBEFOLD_SMPIRUN smpirun)
if(NOT (SMPI_INCLUDE_DIR AND SIMGRID_LIBRARY AND CUBEFOLD_SMPIRUN))
  message(FATAL_ERROR "CUBEFOLD_SIMGRID is on, but there is no SimGrid (Debian: libsimgrid-dev)")
endif()

add_library(SimGrid::SimGrid INTERFACE IMPORTED)
target_include_directories(SimGrid::SimGrid INTERFACE ${SMPI_INCLUDE_DIR})
target_link_libraries(SimGrid::SimGrid INTERFACE ${SIMGRID_LIBRARY})
add_compile_definitions(_DEFAULT_SOURCE)  # SMPI's mpi.h declares functions of POSIX, which strict C99 hides

# SimGrid's own smpicc would also redefine malloc, exit and getopt, which a C++ program has as members too.
add_library(MPI::MPI_C INTERFACE IMPORTED)
target_include_directories(MPI::MPI_C INTERFACE ${SMPI_INCLUDE_DIR}/smpi)
target_link_libraries(MPI::MPI_C INTERFACE SimGrid::SimGrid)
set(MPI_C_FOUND TRUE)

# The tests run on a ring of 16 nodes. Some are left out, because SMPI has no inter-communicators and no types by
# precision, and differs in messages that are cut short, in the status of an exchange with oneself, and in types that
# are looked into. All processes have the same environment, and each has a host of its own.
file(WRITE ${CMAKE_BINARY_DIR}/test_platform.json
     [[{"grid": "ring:16", "tie": "positive", "ports": "all", "bits_per_second": 1e9, "latency_seconds": 1e-6}]])
string(CONCAT without_smpi "-*no_intra_communicator*:*fortran_asks*:*cut_short*:*of_another_size*:"
              "*another_environment*:*swapped_by_one_call*:*exchange_looks_into*:MachineFromEnvironment*:HostCount*")
set(CUBEFOLD_MPI_TEST_ENVIRONMENT CUBEFOLD_PLATFORM=${CMAKE_BINARY_DIR}/test_platform.json
    GTEST_FILTER=${without_smpi})
set(CUBEFOLD_MPI_TEST_FAILURE "/CRITICAL")  # smpirun ends with 0 after a deadlock
set(MPIEXEC_EXECUTABLE ${CUBEFOLD_SMPIRUN})
set(MPIEXEC_NUMPROC_FLAG -np)
set(MPIEXEC_PREFLAGS -platform $<TARGET_FILE:cubefold_platform> --cfg=smpi/simulate-computation:no
                     --log=root.threshold:error)

# smpirun finds main by its name. Variables of inline functions would be one for all copies.
add_compile_options(-fvisibility=default $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-fno-gnu-unique>)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CUBEFOLD_LIBRARY_TYPE STATIC)
