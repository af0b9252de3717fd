! These are operations of a program on integers.
module own_operations
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
  use mpi_f08
  implicit none
contains

  subroutine add_modulo_97(given, reduced, length, type)
    type(c_ptr), value :: given, reduced
    integer :: length
    type(MPI_Datatype) :: type
    integer, pointer :: left(:), right(:)
    if (type /= MPI_INTEGER) error stop "add_modulo_97 adds integers"
    call c_f_pointer(given, left, [length])
    call c_f_pointer(reduced, right, [length])
    right = modulo(left + right, 97)
  end subroutine

  subroutine take_left(given, reduced, length, type)
    type(c_ptr), value :: given, reduced
    integer :: length
    type(MPI_Datatype) :: type
    integer, pointer :: left(:), right(:)
    if (type /= MPI_INTEGER) error stop "take_left takes integers"
    call c_f_pointer(given, left, [length])
    call c_f_pointer(reduced, right, [length])
    right = left
  end subroutine
end module

! This program reduces and gathers vectors by a schedule of cubefold and by MPI.
program fortran_vectors_test
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  use mpi_f08
  use cubefold
  use expectations
  use own_operations
  implicit none
  interface
    integer(c_int) function set_variable(name, value, overwrites) bind(C, name="setenv")
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: overwrites
    end function
  end interface
  character(8), parameter :: methods(2) = [character(8) :: "bucket:2", "mpi"]
  type(cubefold_comm) :: comm
  integer :: rank, process_count, ierror, i

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, process_count)
  do i = 1, size(methods)
    call use_method(trim(methods(i)))
    call handle_is_made()
    call vectors_are_reduced_and_gathered()
    call reals_and_complex_numbers_of_any_rank_are_summed()
    call other_operations_of_mpi_reduce()
    call operations_of_the_program_reduce()
    call derived_types_are_gathered_as_other_types()
    call empty_vectors_change_nothing()
    call several_requests_end_in_any_order()
    call unusable_arguments_are_refused()
    call cubefold_comm_free(comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the handle is freed")
  end do
  call end_test()

contains

  subroutine use_method(name)
    character(*), intent(in) :: name
    call expect(set_variable("CUBEFOLD_ALLREDUCE" // c_null_char, name // c_null_char, 1) == 0, "a method is named")
  end subroutine

  subroutine handle_is_made()
    character(20) :: ring
    write (ring, "(a, i0)") "ring:", process_count
    call cubefold_comm_create(MPI_COMM_WORLD, comm, ring, ierror=ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a handle is made")
    call cubefold_comm_rank(comm, rank)
  end subroutine

  include "vector_calls.inc"

  subroutine reals_and_complex_numbers_of_any_rank_are_summed()
    double precision :: reals(2, 3), sums(2, 3), scalar
    complex, allocatable :: numbers(:, :, :)
    reals = rank
    call cubefold_allreduce(reals, sums, 6, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
    call expect(all(nint(sums) == sum_of_element(0) / 100), "reals are summed")
    scalar = rank
    call cubefold_allreduce_in_place(scalar, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm)
    call expect(nint(scalar) == sum_of_element(0) / 100, "a scalar is summed")
    allocate (numbers(2, 2, 3))
    numbers = cmplx(rank, 1)
    call cubefold_allreduce_in_place(numbers, 12, MPI_COMPLEX, MPI_SUM, comm)
    call expect(all(nint(real(numbers)) == sum_of_element(0) / 100), "real parts are summed")
    call expect(all(nint(aimag(numbers)) == process_count), "imaginary parts are summed")
  end subroutine

  subroutine other_operations_of_mpi_reduce()
    integer :: pairs(2, 3), least(2, 3)
    logical :: facts(2), some(2)
    pairs(1, :) = -rank
    pairs(2, :) = rank + [0, 10, 20]
    call cubefold_allreduce(pairs, least, 3, MPI_2INTEGER, MPI_MINLOC, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(least(1, :) == 1 - process_count), "the least is found")
    call expect(all(least(2, :) == process_count - 1 + [0, 10, 20]), "the place of the least is found")
    facts = [rank == process_count - 1, .false.]
    call cubefold_allreduce(facts, some, 2, MPI_LOGICAL, MPI_LOR, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. some(1) .and. .not. some(2), "truth values are reduced")
  end subroutine

  subroutine operations_of_the_program_reduce()
    type(MPI_Op) :: addition, left
    integer :: numbers(4), reduced(4), own(1)
    call MPI_Op_create(add_modulo_97, .true., addition)
    call MPI_Op_create(take_left, .false., left)
    numbers = element(rank, [1, 2, 3, 4])
    call cubefold_allreduce(numbers, reduced, 4, MPI_INTEGER, addition, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(modulo(reduced - sum_of_element([1, 2, 3, 4]), 97) == 0), &
                "numbers are added modulo 97")
    if (process_count > 1) call expect(all(reduced < 97), "the operation is that of the program")
    call cubefold_allreduce_in_place(numbers, 4, MPI_INTEGER, left, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(numbers == element(0, [1, 2, 3, 4])), "rank 0 is leftmost")
    call cubefold_reduce_scatter_block([(rank, i=1, process_count)], own, 1, MPI_INTEGER, left, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. own(1) == 0, "rank 0 is leftmost in all blocks")
    call MPI_Op_free(addition)
    call MPI_Op_free(left)
  end subroutine

  subroutine derived_types_are_gathered_as_other_types()
    integer :: sent(4), received(2, 0:process_count - 1), j
    type(MPI_Datatype) :: every_second
    sent = element(rank, [1, 2, 3, 4])
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, every_second)
    call MPI_Type_commit(every_second)
    call cubefold_allgather(sent, 1, every_second, received, 2, MPI_INTEGER, comm, ierror)
    call MPI_Type_free(every_second)
    call expect(ierror == CUBEFOLD_SUCCESS, "a derived type is gathered")
    do j = 0, process_count - 1
      call expect(all(received(:, j) == element(j, [1, 3])), "elements 1 and 3 arrive")
    end do
  end subroutine

  subroutine empty_vectors_change_nothing()
    integer :: nothing(0), kept(2), zeros(process_count)
    zeros = 0
    kept = 7
    call cubefold_allreduce(nothing, kept, 0, MPI_INTEGER, MPI_SUM, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(kept == 7), "an empty vector is reduced")
    call cubefold_reduce_scatter_block(nothing, kept, 0, MPI_INTEGER, MPI_SUM, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(kept == 7), "empty blocks are scattered")
    call cubefold_reduce_scatter(nothing, kept, zeros, MPI_INTEGER, MPI_SUM, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(kept == 7), "blocks with counts of 0 are scattered")
    call cubefold_allgather(nothing, 0, MPI_INTEGER, kept, 0, MPI_INTEGER, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(kept == 7), "empty blocks are gathered")
    call cubefold_allgatherv(nothing, 0, MPI_INTEGER, kept, zeros, zeros, MPI_INTEGER, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(kept == 7), "blocks with counts of 0 are gathered")
    call cubefold_allreduce_in_place(nothing, 0, MPI_INTEGER, MPI_SUM, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "an empty vector is reduced in place")
  end subroutine

  subroutine several_requests_end_in_any_order()
    integer, asynchronous :: sums(3), blocks(0:process_count - 1)
    type(cubefold_request) :: requests(2)
    logical :: is_over
    sums = element(rank, [1, 2, 3])
    blocks(rank) = rank
    call cubefold_iallreduce_in_place(sums, 3, MPI_INTEGER, MPI_SUM, comm, requests(1))
    call cubefold_iallgather_in_place(blocks, 1, MPI_INTEGER, comm, requests(2))
    call cubefold_wait(requests(2))
    is_over = .false.
    do while (.not. is_over)
      call cubefold_test(requests(1), is_over)
    end do
    call expect(all(sums == sum_of_element([1, 2, 3])), "the first request sums")
    call expect(all(blocks == [(i, i=0, process_count - 1)]), "the second one gathers")
  end subroutine

  ! Expects that the last call has failed on all processes, and makes another handle.
  subroutine expect_refusal(function, rule)
    character(*), intent(in) :: function, rule
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, function // " refuses an argument")
    call expect(index(cubefold_last_error(), function // ": ") == 1, "the text names " // function)
    call expect(index(cubefold_last_error(), rule) > 0, "the text says that " // rule)
    call cubefold_comm_free(comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the handle is freed after a refusal")
    call handle_is_made()
  end subroutine

  ! All processes make the same mistake, which ends all exchanges of a handle.
  subroutine unusable_arguments_are_refused()
    integer, asynchronous :: table(4, 2 * process_count), vector(4 * process_count)
    integer :: counts(process_count), places(process_count)
    type(cubefold_request) :: request
    table = 0
    vector = 0
    counts = 1
    places = 0
    call cubefold_allreduce(table(1, :), vector, 2, MPI_INTEGER, MPI_SUM, comm, ierror)
    call expect_refusal("cubefold_allreduce", "send is not contiguous")
    call cubefold_reduce_scatter_block(vector, table(::2, 1), 1, MPI_INTEGER, MPI_SUM, comm, ierror)
    call expect_refusal("cubefold_reduce_scatter_block", "receive is not contiguous")
    call cubefold_ireduce_scatter_in_place(table(1, :), counts, MPI_INTEGER, MPI_SUM, comm, request, ierror)
    call expect_refusal("cubefold_ireduce_scatter", "buffer is not contiguous")
    call cubefold_wait(request, ierror)
    call expect_error(ierror, "cubefold_wait: the cubefold_request is NULL")
    call cubefold_allgather_init(MPI_IN_PLACE, 1, MPI_INTEGER, vector, 1, MPI_INTEGER, comm, request, ierror)
    call expect_refusal("cubefold_allgather_init", &
                        "send is MPI_IN_PLACE; calls in place are separate procedures")
    call cubefold_allgatherv(MPI_BOTTOM, 1, MPI_INTEGER, vector, counts, places, MPI_INTEGER, comm, ierror)
    call expect_refusal("cubefold_allgatherv", "send is MPI_BOTTOM, which only C may pass")
    call cubefold_iallreduce_in_place(vector, -1, MPI_INTEGER, MPI_SUM, comm, request, ierror)
    call expect_refusal("cubefold_iallreduce", "count -1 is negative")
    call cubefold_reduce_scatter(vector, table, counts, MPI_INTEGER, MPI_OP_NULL, comm, ierror)
    call expect_refusal("cubefold_reduce_scatter", "the operation is MPI_OP_NULL")
    call cubefold_reduce_scatter_block_init(vector, table, 1, MPI_REAL, MPI_BAND, comm, request, ierror)
    call expect_refusal("cubefold_reduce_scatter_block_init", "the operation is not one for elements of the datatype")
    call cubefold_iallgatherv(vector, 2, MPI_INTEGER, table, counts, places, MPI_INTEGER, comm, request, ierror)
    call expect_refusal("cubefold_iallgatherv", "the process sends 8 bytes where all receive 4")
  end subroutine
end program
