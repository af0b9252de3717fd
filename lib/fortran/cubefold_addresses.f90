! The C++ side of this library asks here for addresses of mpi_f08 and mpi, which only Fortran knows.
module cubefold_addresses
  implicit none
  private

  interface
    subroutine keep_addresses(is_f08, in_place, bottom, status_ignore) bind(C, name="cubefold_f_keep_addresses")
      use, intrinsic :: iso_c_binding, only: c_int
      integer(c_int), value :: is_f08
      type(*), dimension(..) :: in_place, bottom, status_ignore
    end subroutine
  end interface

contains

  subroutine show_addresses() bind(C, name="cubefold_f_show_addresses")
    call show_those_of_f08()
    call show_those_of_integers()
  end subroutine

  subroutine show_those_of_f08()
    use mpi_f08, only: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
    call keep_addresses(1, MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE)
  end subroutine

  subroutine show_those_of_integers()
    use mpi, only: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE
    call keep_addresses(0, MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE)
  end subroutine
end module
