! This module has the handles and the error codes that the modules cubefold and cubefold_mpi share.
module cubefold_handles
  use, intrinsic :: iso_c_binding, only: c_int, c_null_ptr, c_ptr
  implicit none
  private

  integer(c_int), parameter, public :: CUBEFOLD_SUCCESS = 0, CUBEFOLD_ERROR_ARGUMENT = 1, CUBEFOLD_ERROR_MPI = 2, &
    CUBEFOLD_ERROR_MEMORY = 3, CUBEFOLD_ERROR_INTERNAL = 4, CUBEFOLD_ERROR_TIMEOUT = 5

  type, bind(C), public :: cubefold_comm
    type(c_ptr), private :: handle = c_null_ptr
  end type
  type, bind(C), public :: cubefold_request
    type(c_ptr), private :: handle = c_null_ptr
  end type
end module
