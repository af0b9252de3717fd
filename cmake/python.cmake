# This file looks for what the Python package needs. The Python of Debian is looked for first, because the packages of
# NumPy, pybind11 and mpi4py belong to it.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
set(python_default OFF)
if(Python_FOUND)
  find_package(pybind11 2.10 QUIET)
  if(pybind11_FOUND AND NOT CUBEFOLD_SIMGRID)
    set(python_default ON)
  endif()
endif()
option(CUBEFOLD_PYTHON "Build the Python package" ${python_default})
if(CUBEFOLD_PYTHON AND NOT pybind11_FOUND)
  message(FATAL_ERROR "CUBEFOLD_PYTHON is on, but pybind11 2.10 or the development files of Python are missing; "
                      "-DCUBEFOLD_PYTHON=OFF builds the rest")
endif()

# This is the C interface of mpi4py, with which the extensions for MPI are built.
if(CUBEFOLD_PYTHON AND CUBEFOLD_MPI AND NOT CUBEFOLD_MPI4PY_INCLUDE)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import mpi4py; print(mpi4py.get_include())"
                  OUTPUT_VARIABLE mpi4py_include OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(CUBEFOLD_MPI4PY_INCLUDE "${mpi4py_include}" CACHE PATH "Folder of mpi4py/mpi4py.h")
endif()
