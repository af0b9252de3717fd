program exchange_fortran
  use mpi_f08
  use cubefold
  implicit none
  type(cubefold_comm) :: comm
  integer :: rank, blocks(0:3), i, ierror

  call MPI_Init()
  call cubefold_comm_create(MPI_COMM_WORLD, comm, "torus:2x2", "xor", ierror)
  if (ierror /= CUBEFOLD_SUCCESS) error stop cubefold_last_error()
  call cubefold_comm_rank(comm, rank)
  blocks = [(10 * rank + i, i=0, 3)]
  call cubefold_alltoall_in_place(blocks, 1, MPI_INTEGER, comm)
  if (any(blocks /= [(10 * i + rank, i=0, 3)])) error stop "wrong"
  if (rank == 0) print "(a)", "right"
  call cubefold_comm_free(comm)
  call MPI_Finalize()
end program
