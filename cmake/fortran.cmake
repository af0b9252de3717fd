# This file finds a Fortran compiler, its descriptors of arrays for C++, and the modules mpi_f08 and mpi. The option is
# off by default if one of them is missing. SimGrid has no mpi_f08, and the standard ABI of MPI 5 no Fortran.
set(fortran_default OFF)
if(CUBEFOLD_MPI AND NOT (CUBEFOLD_SIMGRID OR CUBEFOLD_STANDARD_ABI)
   AND (CUBEFOLD_FORTRAN OR (PROJECT_IS_TOP_LEVEL AND NOT DEFINED CUBEFOLD_FORTRAN)))
  include(CheckLanguage)
  include(CheckIncludeFileCXX)
  check_language(Fortran)
  check_include_file_cxx(ISO_Fortran_binding.h CUBEFOLD_FORTRAN_BINDING)
  if(CMAKE_Fortran_COMPILER AND CUBEFOLD_FORTRAN_BINDING)
    enable_language(Fortran)
    find_package(MPI 3.1 COMPONENTS C Fortran)
    if(MPI_Fortran_FOUND AND MPI_Fortran_HAVE_F08_MODULE AND MPI_Fortran_HAVE_F90_MODULE)
      set(fortran_default ON)
      # MPICH's mpifort has options that a C++ compiler refuses, and the libraries have sources in both languages.
      set_property(TARGET MPI::MPI_Fortran
                   PROPERTY INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:Fortran>:${MPI_Fortran_COMPILE_OPTIONS}>")
    endif()
  endif()
endif()
option(CUBEFOLD_FORTRAN "Build cubefold::fortran" ${fortran_default})
if(CUBEFOLD_FORTRAN AND NOT fortran_default)
  message(FATAL_ERROR "CUBEFOLD_FORTRAN is on, but MPI with mpi_f08, a Fortran compiler or its "
                      "ISO_Fortran_binding.h for this C++ compiler is missing; -DCUBEFOLD_FORTRAN=OFF builds the rest")
endif()
