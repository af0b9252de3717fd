! This program fails in a call without `ierror` before MPI runs.
program fortran_end_before
  use cubefold
  implicit none
  type(cubefold_request) :: request
  call cubefold_wait(request)
  print "(a)", "still here"
end program
