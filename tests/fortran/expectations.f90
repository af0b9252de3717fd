! These are expectations of Fortran tests. One that fails is printed and counted.
module expectations
  use, intrinsic :: iso_fortran_env, only: error_unit
  use cubefold, only: CUBEFOLD_ERROR_ARGUMENT, cubefold_last_error
  implicit none
  private
  public :: expect, expect_error, end_test
  integer :: failure_count = 0

contains

  subroutine expect(is_so, sentence)
    logical, intent(in) :: is_so
    character(*), intent(in) :: sentence
    if (is_so) return
    write (error_unit, "(4a)") "not so: ", sentence, "; last error: ", cubefold_last_error()
    failure_count = failure_count + 1
  end subroutine

  ! Expects that a call ended with CUBEFOLD_ERROR_ARGUMENT and with this text.
  subroutine expect_error(ierror, text)
    integer, intent(in) :: ierror
    character(*), intent(in) :: text
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "an argument is refused")
    call expect(cubefold_last_error() == text, "'" // text // "' is the last error")
  end subroutine

  subroutine end_test()
    use mpi_f08, only: MPI_Finalize
    call MPI_Finalize()
    if (failure_count > 0) error stop 1
  end subroutine
end module
