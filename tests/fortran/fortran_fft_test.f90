! This program uses the Fortran interface of the FFT. Inputs depend on points only, not on their distribution.
program fortran_fft_test
  use, intrinsic :: iso_c_binding, only: c_associated, c_double, c_double_complex, c_f_pointer, c_float, c_int, c_loc, &
    c_ptr, c_size_t
  use mpi_f08
  use cubefold
  use cubefold_fft
  use expectations
  implicit none
  real(c_double), parameter :: two_pi = 6.28318530717958647692d0
  type(cubefold_comm) :: comm
  integer :: ierror

  call MPI_Init()
  call cubefold_comm_create(MPI_COMM_WORLD, comm)
  call a_line_is_its_direct_sum([integer(c_size_t) :: 30], CUBEFOLD_FFT_BLOCK)
  call a_line_is_its_direct_sum([integer(c_size_t) :: 64], CUBEFOLD_FFT_CYCLIC)
  call a_plane_is_its_direct_sum()
  call one_plan_goes_both_ways()
  call cosines_go_between_boxes_of_the_program()
  call mistakes_have_the_text_of_c()
  call cubefold_comm_free(comm, ierror)
  call expect(ierror == CUBEFOLD_SUCCESS, "the handle is freed")
  call end_test()

contains

  elemental complex(c_double_complex) function value_at(point)
    integer(c_size_t), intent(in) :: point
    value_at = cmplx(mod(point * 7919, 1000_c_size_t) / 1000d0 - 0.5d0, mod(point * 31, 17_c_size_t) / 17d0, c_double)
  end function

  ! Returns the points of this process at an end of a plan.
  function points_at(plan, plan_end) result(points)
    type(cubefold_fft_plan), intent(in) :: plan
    integer, intent(in) :: plan_end
    integer(c_size_t), allocatable :: points(:)
    integer(c_size_t) :: count, place
    call cubefold_fft_local_count(plan, plan_end, count)
    allocate (points(count))
    do place = 0, count - 1
      call cubefold_fft_point_at(plan, plan_end, place, points(place + 1))
    end do
  end function

  ! Returns element (k0, k1) of the spectrum of lengths [n0, n1], by the sum that defines it.
  complex(c_double_complex) function direct_sum(lengths, point) result(total)
    integer(c_size_t), intent(in) :: lengths(2), point
    integer(c_size_t) :: j0, j1
    real(c_double) :: turns
    total = 0
    do j0 = 0, lengths(1) - 1
      do j1 = 0, lengths(2) - 1
        turns = real(j0 * (point / lengths(2)), c_double) / real(lengths(1), c_double) + &
                real(j1 * mod(point, lengths(2)), c_double) / real(lengths(2), c_double)
        total = total + value_at(j0 * lengths(2) + j1) * exp(cmplx(0, -two_pi * turns, c_double))
      end do
    end do
  end function

  ! Transforms forward and back, and compares the spectrum with direct sums. The distribution is that of both ends.
  subroutine transform_is_direct_sum(lengths, rows_and_columns, distribution)
    integer(c_size_t), intent(in) :: lengths(:), rows_and_columns(2)
    integer, intent(in) :: distribution
    type(cubefold_fft_plan) :: forward, inverse
    type(cubefold_fft_options) :: options
    complex(c_double_complex), allocatable :: input(:), output(:)
    integer(c_size_t), allocatable :: points(:)
    real(c_double) :: error
    integer :: i
    options%input = distribution
    options%output = distribution
    call cubefold_fft_create(comm, lengths, forward, options, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the forward plan is made")
    options%transform = CUBEFOLD_FFT_INVERSE
    call cubefold_fft_create(comm, lengths, inverse, options)
    allocate (input, source=value_at(points_at(forward, CUBEFOLD_FFT_INPUT)))
    allocate (points, source=points_at(forward, CUBEFOLD_FFT_OUTPUT))
    allocate (output(max(size(points), size(input))))
    call cubefold_fft_execute(forward, input, output, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the forward transform runs")
    error = 0
    do i = 1, size(points)
      if (points(i) == CUBEFOLD_FFT_NO_POINT) cycle
      error = max(error, abs(output(i) - direct_sum(rows_and_columns, points(i))))
    end do
    call expect(error < 1d-11, "the spectrum is the direct sum")
    call cubefold_fft_execute_in_place(inverse, output, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the inverse transform runs")
    call expect(all(abs(output(:size(input)) - input) < 1d-13), "the inverse returns the input")
    call owners_have_the_points(forward, points)
    call cubefold_fft_free(forward)
    call cubefold_fft_free(inverse, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the plan is freed")
  end subroutine

  ! One plan transforms both ways, in memory of the library, with two threads.
  subroutine one_plan_goes_both_ways()
    integer(c_size_t), parameter :: lengths(3) = [6, 5, 4]
    type(cubefold_fft_plan) :: plan
    type(cubefold_fft_options) :: options
    type(c_ptr) :: memory
    complex(c_double_complex), pointer :: points(:)
    complex(c_double_complex), allocatable :: expected(:)
    integer(c_size_t) :: count, output_count, strides(3), batch_stride
    options%both_directions = 1
    options%threads = 2
    options%forward_scaling = CUBEFOLD_FFT_BY_ROOT
    options%inverse_scaling = CUBEFOLD_FFT_BY_ROOT
    options%transposed_output = 1
    call cubefold_fft_create(comm, lengths, plan, options, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a plan of both directions is made")
    allocate (expected, source=value_at(points_at(plan, CUBEFOLD_FFT_INPUT)))
    call cubefold_fft_local_count(plan, CUBEFOLD_FFT_INPUT, count)
    call cubefold_fft_local_count(plan, CUBEFOLD_FFT_OUTPUT, output_count)
    call cubefold_fft_alloc(comm, (max(count, output_count) + 1) * 16_c_size_t, memory, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "memory is allocated")
    call c_f_pointer(memory, points, [max(count, output_count)])
    points(:count) = expected
    call cubefold_fft_execute_direction_in_place(plan, CUBEFOLD_FFT_FORWARD, points, ierror)
    call cubefold_fft_execute_direction_in_place(plan, CUBEFOLD_FFT_INVERSE, points, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the plan runs in both directions")
    call expect(all(abs(points(:count) - expected) < 1d-13), "the way back returns the input")
    call cubefold_fft_local_strides(plan, CUBEFOLD_FFT_OUTPUT, strides, batch_stride, ierror)
    call expect(strides(3) == 1 .and. strides(1) == 4 .and. strides(2) == 24, "dimension 1 is slowest")
    call cubefold_fft_free_memory(memory, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. .not. c_associated(memory), "the memory is freed")
    call cubefold_fft_free(plan)
  end subroutine

  ! The first cosine sum of ones in single precision counts each dimension twice. The ones come from columns of the
  ! array, and the first process gets the whole spectrum.
  subroutine cosines_go_between_boxes_of_the_program()
    type(cubefold_fft_plan) :: plan
    type(cubefold_fft_options) :: options
    integer(c_int), target :: lines(2)
    integer(c_size_t), target :: columns(4), all(4)
    integer(c_size_t) :: lengths(2), count
    real(c_float), allocatable :: ones(:), spectrum(:)
    integer :: rank, ranks
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    lengths = [integer(c_size_t) :: 6, 2 * ranks]
    lines = CUBEFOLD_FFT_REDFT10
    columns = [integer(c_size_t) :: 6, 2, 0, 2 * rank]
    all = [integer(c_size_t) :: merge(6, 0, rank == 0), lengths(2), 0, 0]
    options%kind = CUBEFOLD_FFT_REAL
    options%precision = CUBEFOLD_FFT_FLOAT
    options%both_directions = 1
    options%line_transforms = c_loc(lines)
    options%input_box = c_loc(columns)
    options%output_box = c_loc(all)
    call cubefold_fft_create(comm, lengths, plan, options, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a plan of cosines between boxes is made")
    call cubefold_fft_local_count(plan, CUBEFOLD_FFT_OUTPUT, count)
    call expect(count == all(1) * all(2), "the output has the points of the box")
    allocate (ones(12), spectrum(count + 1))
    ones = 1
    call cubefold_fft_execute_direction(plan, CUBEFOLD_FFT_FORWARD, ones, spectrum, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the cosines are computed")
    if (rank == 0) then
      call expect(abs(spectrum(1) - 24 * real(lengths(2))) < 1e-4 * real(lengths(2)), "the sum of ones")
      call expect(all_small(spectrum(2:count)), "ones have no other cosines")
    end if
    ones = 0
    call cubefold_fft_execute_direction(plan, CUBEFOLD_FFT_INVERSE, spectrum, ones, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. maxval(abs(ones - 1)) < 1e-5, "the way back returns the ones")
    call cubefold_fft_free(plan)
    columns = [integer(c_size_t) :: 7, 2, 0, 2 * rank]
    call cubefold_fft_create(comm, lengths, plan, options, ierror)
    call expect_error(ierror, "cubefold_fft_create: fft::Plan: input boxes have every point of the array once, but the &
      &box of rank 0, 7x2 points from (0, 0) on, is not inside the array of " // plane_text(lengths))
  end subroutine

  logical function all_small(numbers)
    real(c_float), intent(in) :: numbers(:)
    all_small = all(abs(numbers) < 1e-3)
  end function

  ! Returns a text such as 6x8.
  function plane_text(lengths) result(text)
    integer(c_size_t), intent(in) :: lengths(2)
    character(:), allocatable :: text
    character(40) :: buffer
    write (buffer, "(i0, 'x', i0)") lengths
    text = trim(buffer)
  end function

  subroutine owners_have_the_points(plan, points)
    type(cubefold_fft_plan), intent(in) :: plan
    integer(c_size_t), intent(in) :: points(:)
    integer(c_size_t) :: place
    integer :: i, rank, own_rank
    call cubefold_comm_rank(comm, own_rank)
    do i = 1, size(points)
      call cubefold_fft_owner(plan, CUBEFOLD_FFT_OUTPUT, points(i), rank, place)
      call expect(rank == own_rank .and. place == i - 1, "this process owns its points")
    end do
  end subroutine

  subroutine a_line_is_its_direct_sum(lengths, distribution)
    integer(c_size_t), intent(in) :: lengths(1)
    integer, intent(in) :: distribution
    call transform_is_direct_sum(lengths, [1_c_size_t, lengths(1)], distribution)
  end subroutine

  subroutine a_plane_is_its_direct_sum()
    integer(c_size_t), parameter :: lengths(2) = [8, 6]
    call transform_is_direct_sum(lengths, lengths, CUBEFOLD_FFT_BLOCK)
  end subroutine

  subroutine mistakes_have_the_text_of_c()
    type(cubefold_fft_plan) :: plan
    integer(c_size_t) :: count, extents(2), offsets(2)
    complex(c_double_complex) :: table(2, 64)
    character(:), allocatable :: text
    type(cubefold_fft_times) :: times
    call cubefold_fft_create(comm, [integer(c_size_t) :: 8, 0], plan, ierror=ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "a length of 0 is refused")
    call expect(index(cubefold_last_error(), "cubefold_fft_create: ") == 1, "the text names the function")
    call cubefold_fft_local_count(plan, CUBEFOLD_FFT_INPUT, count, ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "a plan that was not made has no points")
    call cubefold_fft_create(comm, [integer(c_size_t) :: 8, 6], plan)
    call cubefold_fft_execute_in_place(plan, table(1, :), ierror)
    call expect_error(ierror, "cubefold_fft_execute: buffer is not contiguous")
    call cubefold_fft_local_box(plan, CUBEFOLD_FFT_INPUT, extents, offsets, ierror)
    call cubefold_fft_local_count(plan, CUBEFOLD_FFT_INPUT, count)
    call expect(ierror == CUBEFOLD_SUCCESS .and. product(extents) == count, "the box has the points")
    table = 0
    call cubefold_fft_execute_in_place(plan, table)
    call cubefold_fft_last_times(plan, times, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. times%transform_seconds >= 0, "the transform takes time")
    call cubefold_fft_explain(plan, text, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. len(text) > 0, "the plan is explained")
    call cubefold_fft_free(plan)
    call cubefold_fft_import_wisdom(comm, "no such file  ", ierror)
    call expect(ierror /= CUBEFOLD_SUCCESS, "a file that is not there has no wisdom")
    call expect(index(cubefold_last_error(), "no such file: ") > 0, "the text names the file without its blanks")
  end subroutine
end program
