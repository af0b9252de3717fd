! This program fails in a call without `ierror`.
program fortran_end_inside
  use mpi_f08
  use cubefold
  implicit none
  type(cubefold_comm) :: comm
  call MPI_Init()
  call cubefold_comm_create(MPI_COMM_WORLD, comm, "ring:x")
  print "(a)", "still here"
  call MPI_Finalize()
end program
