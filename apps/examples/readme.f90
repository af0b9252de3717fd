program sum_of_ranks
  use, intrinsic :: iso_fortran_env, only: error_unit
  use mpi_f08
  use cubefold
  implicit none
  type(cubefold_comm) :: cube
  integer :: rank, process_count, bit, ierror
  double precision :: total, other

  call MPI_Init()
  ! The handle is on the grid that CUBEFOLD_GRID names.
  call cubefold_comm_create(MPI_COMM_WORLD, cube, placement="xor", ierror=ierror)
  if (ierror /= CUBEFOLD_SUCCESS) then
    write (error_unit, "(a)") cubefold_last_error()
    call MPI_Abort(MPI_COMM_WORLD, 2)
  end if
  call cubefold_comm_rank(cube, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, process_count)
  total = rank
  bit = 1
  do while (bit < process_count)  ! recursive doubling: every partner is a cube neighbour
    call cubefold_v_sendrecv(total, 1, MPI_DOUBLE_PRECISION, ieor(rank, bit), 0, &
                       other, 1, MPI_DOUBLE_PRECISION, ieor(rank, bit), 0, cube)
    total = total + other
    bit = 2 * bit
  end do
  if (rank == 0) print "(a, i0, a, i0)", "the ranks of ", process_count, " processes add up to ", nint(total)
  call cubefold_comm_free(cube)
  call MPI_Finalize()
end program
