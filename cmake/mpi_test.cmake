# cubefold_add_mpi_test(TARGET RANKS 1 2 4 [ARGUMENTS ARGUMENT...]) adds one test for each number of processes. A test
# fails if any of its processes fails.
function(cubefold_add_mpi_test target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "RANKS;ARGUMENTS")
  foreach(rank_count IN LISTS ARG_RANKS)
    set(test ${target}.${rank_count})
    add_test(NAME ${test}
             COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${rank_count} ${MPIEXEC_PREFLAGS}
                     $<TARGET_FILE:${target}> ${MPIEXEC_POSTFLAGS} ${ARG_ARGUMENTS})
    set_tests_properties(${test} PROPERTIES PROCESSORS ${rank_count} COST ${rank_count} LABELS mpi
      ENVIRONMENT "${CUBEFOLD_MPI_TEST_ENVIRONMENT}" FAIL_REGULAR_EXPRESSION "${CUBEFOLD_MPI_TEST_FAILURE}")
  endforeach()
endfunction()
