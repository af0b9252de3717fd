# cubefold_add_mpi_test(TARGET RANKS 1 2 4 [MORE 8 16] [QUICK 3] [NAME NAME] [SECONDS S] [ARGUMENTS ARGUMENT...]) adds
# one test for each number of processes, which is called NAME.NUMBER, or TARGET.NUMBER. A test fails if any of its
# processes fails. A test on n processes takes about S n seconds, so that the longest tests start first.
# ./dev test runs RANKS, ./dev test --all also MORE, and ./dev test --quick only QUICK: these are labels of the tests. A
# build with sanitizers has no tests on more than 8 processes, which would take most of its time and run no code that 8
# processes do not run. The address sanitizer looks for leaks in these tests. ./dev starts twice as many tests as there
# are cores, since processes that exchange wait for each other half of the time: on two cores that is two tests on four
# processes at a time.
function(cubefold_add_mpi_test target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "NAME;QUICK;SECONDS" "RANKS;MORE;ARGUMENTS")
  if(NOT ARG_NAME)
    set(ARG_NAME ${target})
  endif()
  if(NOT ARG_SECONDS)
    set(ARG_SECONDS 1)
  endif()
  set(environment ${CUBEFOLD_MPI_TEST_ENVIRONMENT})
  if(CMAKE_CXX_FLAGS MATCHES "fsanitize=address")
    list(APPEND environment ASAN_OPTIONS=detect_stack_use_after_return=1
      LSAN_OPTIONS=print_suppressions=0:suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks.supp)
  endif()
  foreach(rank_count IN LISTS ARG_RANKS ARG_MORE)
    if(rank_count GREATER 8 AND CMAKE_CXX_FLAGS MATCHES "fsanitize")
      continue()
    endif()
    set(labels mpi)
    if(rank_count IN_LIST ARG_MORE)
      list(APPEND labels all)
    elseif(rank_count IN_LIST ARG_QUICK)
      list(APPEND labels quick)
    endif()
    set(test ${ARG_NAME}.${rank_count})
    math(EXPR half "(${rank_count} + 1) / 2")
    math(EXPR seconds "${ARG_SECONDS} * ${rank_count}")
    add_test(NAME ${test}
             COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${rank_count} ${MPIEXEC_PREFLAGS}
                     $<TARGET_FILE:${target}> ${MPIEXEC_POSTFLAGS} ${ARG_ARGUMENTS})
    set_tests_properties(${test} PROPERTIES PROCESSORS ${half} COST ${seconds} LABELS "${labels}"
      ENVIRONMENT "${environment}" FAIL_REGULAR_EXPRESSION "${CUBEFOLD_MPI_TEST_FAILURE}")
  endforeach()
endfunction()
