! The C++ side of this library asks here for addresses of mpi_f08, which only Fortran knows.
module cubefold_addresses
  use mpi_f08, only: MPI_BOTTOM, MPI_IN_PLACE, MPI_Status, MPI_STATUS_IGNORE
  implicit none
  private

  interface
    subroutine keep_addresses(in_place, bottom, status_ignore) bind(C, name="cubefold_f_keep_addresses")
      import :: MPI_Status
      type(*), dimension(..) :: in_place, bottom
      type(MPI_Status) :: status_ignore
    end subroutine
  end interface

contains

  subroutine show_addresses() bind(C, name="cubefold_f_show_addresses")
    call keep_addresses(MPI_IN_PLACE, MPI_BOTTOM, MPI_STATUS_IGNORE)
  end subroutine
end module
