# Tests of programs, installation and layout. Debian's own interpreter first: its NumPy and pytest are what ./dev installs.
find_program(CUBEFOLD_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(CUBEFOLD_PYTHON NAMES python3 REQUIRED)

function(cubefold_python_test file)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TIMEOUT" "")
  string(REPLACE "/" "." name ${file})
  add_test(NAME ${name}
           COMMAND ${CUBEFOLD_PYTHON} -B -m pytest -q -rs -p no:cacheprovider ${CMAKE_CURRENT_SOURCE_DIR}/${file}.py)
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${ARG_TIMEOUT} PROCESSORS 2
    ENVIRONMENT "CUBEFOLD_SOURCE=${PROJECT_SOURCE_DIR};CUBEFOLD_BUILD=${PROJECT_BINARY_DIR};CUBEFOLD_MPIEXEC=${MPIEXEC_EXECUTABLE};CUBEFOLD_COMPILERS=${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER}")
endfunction()

if(CUBEFOLD_SIMGRID)
  cubefold_python_test(apps/simgrid_test TIMEOUT 300)
  return()
endif()

cubefold_python_test(house/layout_test TIMEOUT 60)
if(CUBEFOLD_PROGRAMS)
  cubefold_python_test(apps/cubefold_test TIMEOUT 120)
  cubefold_python_test(apps/signal_test TIMEOUT 60)
endif()
if(CUBEFOLD_MPI)
  cubefold_python_test(apps/examples_test TIMEOUT 120)
endif()
if(CUBEFOLD_MPI AND CUBEFOLD_PROGRAMS)
  foreach(preloaded IN ITEMS corrupt_messages report_alltoall)
    add_library(${preloaded} SHARED support/${preloaded}.c)
    target_link_libraries(${preloaded} PRIVATE MPI::MPI_C ${CMAKE_DL_LIBS})
    target_compile_options(${preloaded} PRIVATE -fno-sanitize=all)
    target_link_options(${preloaded} PRIVATE -fno-sanitize=all)
  endforeach()

  cubefold_python_test(apps/exchange_test TIMEOUT 300)
endif()
if(CUBEFOLD_FFT AND CUBEFOLD_PROGRAMS)
  cubefold_python_test(apps/fft_test TIMEOUT 600)
  cubefold_python_test(house/install_test TIMEOUT 600)
  cubefold_python_test(house/core_alone_test TIMEOUT 900)
endif()
