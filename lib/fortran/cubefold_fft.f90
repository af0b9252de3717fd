! This is the Fortran interface of cubefold's distributed Fourier transforms. Procedures, options and constants have the
! names of cubefold_fft.h, which describes them. They use FFTW, so the GPL applies to programs that link them.
!
! As in FFTW's interface for Fortran 2003, lengths, boxes and points are those of C: the last length is counted fastest,
! so an array of the lengths [n0, n1] on one process is an array(n1, n0) of Fortran. Points, places and offsets count
! from 0. Transforms in place are a separate procedure. The module cubefold explains `ierror` and buffers.
module cubefold_fft
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_null_ptr, c_ptr, c_size_t
  use cubefold_handles, only: cubefold_comm, CUBEFOLD_SUCCESS
  use cubefold_texts, only: text_at
  implicit none
  private

  integer(c_int), parameter, public :: CUBEFOLD_FFT_FORWARD = 0, CUBEFOLD_FFT_INVERSE = 1, &
    CUBEFOLD_FFT_COMPLEX = 0, CUBEFOLD_FFT_REAL = 1, &
    CUBEFOLD_FFT_DOUBLE = 0, CUBEFOLD_FFT_FLOAT = 1, &
    CUBEFOLD_FFT_BLOCK = 0, CUBEFOLD_FFT_CYCLIC = 1, CUBEFOLD_FFT_BLOCK_CYCLIC = 2, CUBEFOLD_FFT_SCRAMBLED = 3, &
    CUBEFOLD_FFT_AUTOMATIC_DECOMPOSITION = 0, CUBEFOLD_FFT_SLAB = 1, CUBEFOLD_FFT_PENCIL = 2, &
    CUBEFOLD_FFT_AUTOMATIC_ALGORITHM = 0, CUBEFOLD_FFT_TRANSPOSED = 1, CUBEFOLD_FFT_BLUESTEIN = 2, &
    CUBEFOLD_FFT_BINARY_EXCHANGE = 3, CUBEFOLD_FFT_HALF_EXCHANGE = 4, &
    CUBEFOLD_FFT_ESTIMATE = 0, CUBEFOLD_FFT_MEASURE = 1, CUBEFOLD_FFT_PATIENT = 2, CUBEFOLD_FFT_EXHAUSTIVE = 3, &
    CUBEFOLD_FFT_UNSCALED = 0, CUBEFOLD_FFT_BY_COUNT = 1, CUBEFOLD_FFT_BY_ROOT = 2, &
    CUBEFOLD_FFT_FOURIER = 0, CUBEFOLD_FFT_REDFT00 = 1, CUBEFOLD_FFT_REDFT01 = 2, CUBEFOLD_FFT_REDFT10 = 3, &
    CUBEFOLD_FFT_REDFT11 = 4, CUBEFOLD_FFT_RODFT00 = 5, CUBEFOLD_FFT_RODFT01 = 6, CUBEFOLD_FFT_RODFT10 = 7, &
    CUBEFOLD_FFT_RODFT11 = 8, &
    CUBEFOLD_FFT_INPUT = 0, CUBEFOLD_FFT_OUTPUT = 1
  integer(c_size_t), parameter, public :: CUBEFOLD_FFT_NO_POINT = -1

  ! The options of a plan, with the defaults of C. The library compares their size with that of C when it is compiled.
  integer(c_size_t), parameter :: options_bytes = (5 * storage_size(1_c_size_t) + 18 * storage_size(1_c_int)) / 8
  type, bind(C), public :: cubefold_fft_options
    integer(c_size_t), private :: size = options_bytes
    integer(c_int) :: transform = CUBEFOLD_FFT_FORWARD
    integer(c_int) :: kind = CUBEFOLD_FFT_COMPLEX
    integer(c_int) :: precision = CUBEFOLD_FFT_DOUBLE
    integer(c_int) :: input = CUBEFOLD_FFT_BLOCK
    integer(c_int) :: output = CUBEFOLD_FFT_BLOCK
    integer(c_int) :: transposed_output = 0
    integer(c_size_t) :: batch = 1
    integer(c_int) :: decomposition = CUBEFOLD_FFT_AUTOMATIC_DECOMPOSITION
    integer(c_int) :: algorithm = CUBEFOLD_FFT_AUTOMATIC_ALGORITHM
    integer(c_int) :: rigor = CUBEFOLD_FFT_ESTIMATE
    integer(c_int), private :: reserved = 0
    integer(c_int) :: forward_scaling = CUBEFOLD_FFT_UNSCALED
    integer(c_int) :: inverse_scaling = CUBEFOLD_FFT_BY_COUNT
    integer(c_int) :: interleaved_batch = 0
    integer(c_int) :: padded_rows = 0
    integer(c_int) :: both_directions = 0
    integer(c_int) :: process_grid(2) = 0
    integer(c_int) :: threads = 0
    type(c_ptr) :: line_transforms = c_null_ptr  ! c_loc of an array of integer(c_int), one for each dimension
    type(c_ptr) :: input_box = c_null_ptr, output_box = c_null_ptr  ! c_loc of extents and offsets, integer(c_size_t)
  end type

  type, bind(C), public :: cubefold_fft_plan
    type(c_ptr), private :: handle = c_null_ptr
  end type

  type, bind(C), public :: cubefold_fft_times
    real(c_double) :: transform_seconds, exchange_seconds, overlap_seconds
  end type

  public :: cubefold_fft_create, cubefold_fft_free, cubefold_fft_local_count, cubefold_fft_local_box, &
    cubefold_fft_local_strides, cubefold_fft_owner, cubefold_fft_point_at, cubefold_fft_execute, &
    cubefold_fft_execute_in_place, cubefold_fft_execute_direction, cubefold_fft_execute_direction_in_place, &
    cubefold_fft_alloc, cubefold_fft_free_memory, &
    cubefold_fft_last_times, cubefold_fft_explain, cubefold_fft_export_wisdom, cubefold_fft_import_wisdom

  interface
    ! The number of dimensions is the number of lengths.
    subroutine cubefold_fft_create(comm, lengths, plan, options, ierror) bind(C, name="cubefold_f_fft_create")
      import :: c_int, c_size_t, cubefold_comm, cubefold_fft_options, cubefold_fft_plan
      type(cubefold_comm), intent(in) :: comm
      integer(c_size_t), contiguous, intent(in) :: lengths(:)
      type(cubefold_fft_plan), intent(out) :: plan
      type(cubefold_fft_options), optional, intent(in) :: options
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_free(plan, ierror) bind(C, name="cubefold_f_fft_free")
      import :: c_int, cubefold_fft_plan
      type(cubefold_fft_plan), intent(inout) :: plan
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_local_count(plan, plan_end, count, ierror) bind(C, name="cubefold_f_fft_local_count")
      import :: c_int, c_size_t, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      integer(c_int), value, intent(in) :: plan_end
      integer(c_size_t), intent(out) :: count
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! The arrays have one number for each dimension.
    subroutine cubefold_fft_local_box(plan, plan_end, extents, offsets, ierror) bind(C, name="cubefold_f_fft_local_box")
      import :: c_int, c_size_t, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      integer(c_int), value, intent(in) :: plan_end
      integer(c_size_t), intent(inout) :: extents(*), offsets(*)
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! The strides are one number for each dimension.
    subroutine cubefold_fft_local_strides(plan, plan_end, strides, batch_stride, ierror) &
        bind(C, name="cubefold_f_fft_local_strides")
      import :: c_int, c_size_t, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      integer(c_int), value, intent(in) :: plan_end
      integer(c_size_t), intent(inout) :: strides(*)
      integer(c_size_t), intent(out) :: batch_stride
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_owner(plan, plan_end, point, rank, place, ierror) bind(C, name="cubefold_f_fft_owner")
      import :: c_int, c_size_t, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      integer(c_int), value, intent(in) :: plan_end
      integer(c_size_t), value, intent(in) :: point
      integer(c_int), intent(out) :: rank
      integer(c_size_t), intent(out) :: place
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_point_at(plan, plan_end, place, point, ierror) bind(C, name="cubefold_f_fft_point_at")
      import :: c_int, c_size_t, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      integer(c_int), value, intent(in) :: plan_end
      integer(c_size_t), value, intent(in) :: place
      integer(c_size_t), intent(out) :: point
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_execute(plan, input, output, ierror) bind(C, name="cubefold_f_fft_execute")
      import :: c_int, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      type(*), dimension(..), intent(in) :: input
      type(*), dimension(..) :: output
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_execute_in_place(plan, buffer, ierror) bind(C, name="cubefold_f_fft_execute_in_place")
      import :: c_int, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      type(*), dimension(..) :: buffer
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_execute_direction(plan, transform, input, output, ierror) &
        bind(C, name="cubefold_f_fft_execute_direction")
      import :: c_int, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      integer(c_int), value, intent(in) :: transform
      type(*), dimension(..), intent(in) :: input
      type(*), dimension(..) :: output
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_execute_direction_in_place(plan, transform, buffer, ierror) &
        bind(C, name="cubefold_f_fft_execute_direction_in_place")
      import :: c_int, cubefold_fft_plan
      type(cubefold_fft_plan), intent(in) :: plan
      integer(c_int), value, intent(in) :: transform
      type(*), dimension(..) :: buffer
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! c_f_pointer makes an array of the memory.
    subroutine cubefold_fft_alloc(comm, bytes, memory, ierror) bind(C, name="cubefold_f_fft_alloc")
      import :: c_int, c_ptr, c_size_t, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_size_t), value, intent(in) :: bytes
      type(c_ptr), intent(out) :: memory
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_free_memory(memory, ierror) bind(C, name="cubefold_f_fft_free_memory")
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: memory
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_last_times(plan, times, ierror) bind(C, name="cubefold_f_fft_last_times")
      import :: c_int, cubefold_fft_plan, cubefold_fft_times
      type(cubefold_fft_plan), intent(in) :: plan
      type(cubefold_fft_times), intent(out) :: times
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_export_wisdom(comm, file, ierror) bind(C, name="cubefold_f_fft_export_wisdom")
      import :: c_char, c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      character(*, c_char), intent(in) :: file
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_fft_import_wisdom(comm, file, ierror) bind(C, name="cubefold_f_fft_import_wisdom")
      import :: c_char, c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      character(*, c_char), intent(in) :: file
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine report(code, ierror) bind(C, name="cubefold_f_report")
      import :: c_int
      integer(c_int), value :: code
      integer(c_int), optional, intent(out) :: ierror
    end subroutine
    integer(c_int) function explain_in_c(plan, text) bind(C, name="cubefold_fft_explain")
      import :: c_int, c_ptr, cubefold_fft_plan
      type(cubefold_fft_plan), value :: plan
      type(c_ptr), intent(out) :: text
    end function
  end interface

contains

  ! The text is empty if the call fails.
  subroutine cubefold_fft_explain(plan, text, ierror)
    type(cubefold_fft_plan), intent(in) :: plan
    character(:), allocatable, intent(out) :: text
    integer, optional, intent(out) :: ierror
    type(c_ptr) :: address
    integer(c_int) :: code
    code = explain_in_c(plan, address)
    text = ""
    if (code == CUBEFOLD_SUCCESS) text = text_at(address)
    call report(code, ierror)
  end subroutine
end module
