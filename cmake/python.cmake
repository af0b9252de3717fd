# This file looks for the interpreter of programs and for what the Python package needs. The system's Python is looked
# for first, because Debian's packages of NumPy, SciPy, pybind11 and mpi4py belong to it.
if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  execute_process(COMMAND /usr/bin/python3 -c "import sys; sys.exit(sys.version_info < (3, 8))"
                  RESULT_VARIABLE is_old)
  if(is_old EQUAL 0)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
endif()
set(PYBIND11_FINDPYTHON ON)
find_package(Python 3.8 QUIET COMPONENTS Interpreter Development.Module)
set(CUBEFOLD_INTERPRETER "/usr/bin/env python3")
if(Python_EXECUTABLE)
  set(CUBEFOLD_INTERPRETER ${Python_EXECUTABLE})
endif()
set(python_default OFF)
if(Python_FOUND)
  find_package(pybind11 2.10 QUIET)
  if(pybind11_FOUND AND PROJECT_IS_TOP_LEVEL AND NOT CUBEFOLD_SIMGRID)
    set(python_default ON)
  endif()
endif()
option(CUBEFOLD_PYTHON "Build the Python package" ${python_default})
if(CUBEFOLD_PYTHON AND NOT pybind11_FOUND)
  message(FATAL_ERROR "CUBEFOLD_PYTHON is on, but pybind11 2.10 or the development files of Python are missing; "
                      "-DCUBEFOLD_PYTHON=OFF builds the rest")
endif()

# This is the C interface of mpi4py, with which the extensions for MPI are built. Without them the package only plans.
if(CUBEFOLD_PYTHON AND CUBEFOLD_MPI AND NOT CUBEFOLD_MPI4PY_INCLUDE)
  execute_process(COMMAND ${Python_EXECUTABLE} -c "import importlib.util, mpi4py
print(mpi4py.get_include(), importlib.util.find_spec('mpi4py.MPI').origin, sep=';')"
                  OUTPUT_VARIABLE mpi4py OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  list(POP_FRONT mpi4py mpi4py_include mpi4py_library)
  cubefold_other_mpi("${mpi4py_library}" other_mpi)
  if(other_mpi)
    message(STATUS "cubefold: no MPI in the Python package, because mpi4py needs ${other_mpi}")
    set(mpi4py_include "")
  endif()
  set(CUBEFOLD_MPI4PY_INCLUDE "${mpi4py_include}" CACHE PATH "Folder of mpi4py/mpi4py.h")
endif()
