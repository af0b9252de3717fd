! This is the Fortran interface of cubefold. Procedures have the names of cubefold.h, which describes them. They differ
! from those of C in these points:
!
! - Communicators, datatypes, requests and statuses are those of mpi_f08.
! - Buffers may be of any type and rank, and must be contiguous. MPI_IN_PLACE and MPI_BOTTOM are refused: exchanges in
!   place are separate procedures.
! - `ierror` is optional. It becomes CUBEFOLD_SUCCESS or an error code of C, and cubefold_last_error() returns the text.
!   A failure of a call without `ierror` ends no program.
! - Ranks, nodes and displacements count from 0, and axis 0 of a grid comes first, as in C.
module cubefold
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_ptr, c_ptr, c_size_t
  use cubefold_texts, only: text_at
  use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Request, MPI_Status
  implicit none
  private

  integer(c_int), parameter, public :: CUBEFOLD_SUCCESS = 0, CUBEFOLD_ERROR_ARGUMENT = 1, CUBEFOLD_ERROR_MPI = 2, &
    CUBEFOLD_ERROR_MEMORY = 3, CUBEFOLD_ERROR_INTERNAL = 4, CUBEFOLD_ERROR_TIMEOUT = 5

  type, bind(C), public :: cubefold_comm
    type(c_ptr), private :: handle = c_null_ptr
  end type
  type, bind(C), public :: cubefold_request
    type(c_ptr), private :: handle = c_null_ptr
  end type

  public :: cubefold_comm_create, cubefold_comm_free, cubefold_comm_virtual, cubefold_comm_cart, &
    cubefold_cart_create, cubefold_to_virtual, cubefold_to_physical, v_get_pid, v_send, v_receive, v_isend, &
    v_ireceive, v_sendreceive, cubefold_alltoall, cubefold_alltoall_in_place, cubefold_alltoallv, &
    cubefold_alltoallv_in_place, cubefold_ialltoall, &
    cubefold_ialltoall_in_place, cubefold_test, cubefold_wait, cubefold_alltoall_init, &
    cubefold_alltoall_init_in_place, cubefold_alltoall_start, cubefold_alltoall_free, cubefold_explain, &
    cubefold_error_string, cubefold_last_error, cubefold_version
  interface
    ! An absent grid or placement is NULL of C: the environment names them.
    subroutine cubefold_comm_create(mpi_communicator, comm, grid, placement, ierror) bind(C, name="cubefold_f_create")
      import :: c_char, c_int, cubefold_comm, MPI_Comm
      type(MPI_Comm), intent(in) :: mpi_communicator
      type(cubefold_comm), intent(out) :: comm
      character(*, c_char), optional, intent(in) :: grid, placement
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_comm_free(comm, ierror) bind(C, name="cubefold_f_free")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(inout) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    function cubefold_comm_virtual(comm) bind(C, name="cubefold_f_virtual") result(virtual)
      import :: cubefold_comm, MPI_Comm
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Comm) :: virtual
    end function

    function cubefold_comm_cart(comm) bind(C, name="cubefold_f_cart") result(cart)
      import :: cubefold_comm, MPI_Comm
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Comm) :: cart
    end function

    subroutine cubefold_to_virtual(comm, node, rank, ierror) bind(C, name="cubefold_f_to_virtual")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), value, intent(in) :: node
      integer(c_int), intent(out) :: rank
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_to_physical(comm, rank, node, ierror) bind(C, name="cubefold_f_to_physical")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), value, intent(in) :: rank
      integer(c_int), intent(out) :: node
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine v_get_pid(comm, rank, ierror) bind(C, name="cubefold_f_get_pid")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), intent(out) :: rank
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! These are the messages between virtual ranks. An absent status is MPI_STATUS_IGNORE.
    subroutine v_send(buffer, count, type, dest, tag, comm, ierror) bind(C, name="cubefold_f_send")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: buffer
      integer(c_int), value, intent(in) :: count, dest, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine v_receive(buffer, count, type, source, tag, comm, status, ierror) bind(C, name="cubefold_f_receive")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Status
      type(*), dimension(..) :: buffer
      integer(c_int), value, intent(in) :: count, source, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Status), optional :: status
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine v_isend(buffer, count, type, dest, tag, comm, request, ierror) bind(C, name="cubefold_f_isend")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), intent(in), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count, dest, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine v_ireceive(buffer, count, type, source, tag, comm, request, ierror) bind(C, name="cubefold_f_ireceive")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count, source, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine v_sendreceive(send, send_count, send_type, dest, send_tag, receive, receive_count, receive_type, &
                             source, receive_tag, comm, status, ierror) bind(C, name="cubefold_f_sendreceive")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Status
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: send_count, dest, send_tag, receive_count, source, receive_tag
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Status), optional :: status
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! These are the exchanges. The arrays of counts and displacements have one number for each virtual rank.
    subroutine cubefold_alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, ierror) &
        bind(C, name="cubefold_f_alltoall")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_in_place(buffer, count, type, comm, ierror) &
        bind(C, name="cubefold_f_alltoall_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts, &
                                  receive_displacements, receive_type, comm, ierror) &
        bind(C, name="cubefold_f_alltoallv")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallv_in_place(buffer, counts, displacements, type, comm, ierror) &
        bind(C, name="cubefold_f_alltoallv_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, request, &
                                  ierror) bind(C, name="cubefold_f_ialltoall")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoall_in_place(buffer, count, type, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoall_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_init(send, send_count, send_type, receive, receive_count, receive_type, comm, &
                                      request, ierror) bind(C, name="cubefold_f_alltoall_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_init_in_place(buffer, count, type, comm, request, ierror) &
        bind(C, name="cubefold_f_alltoall_init_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_start(request, ierror) bind(C, name="cubefold_f_alltoall_start")
      import :: c_int, cubefold_request
      type(cubefold_request), intent(in) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_free(request, ierror) bind(C, name="cubefold_f_alltoall_free")
      import :: c_int, cubefold_request
      type(cubefold_request), intent(inout) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_wait(request, ierror) bind(C, name="cubefold_f_wait")
      import :: c_int, cubefold_request
      type(cubefold_request), intent(inout) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine
  end interface
  interface
    integer(c_int) function test_in_c(request, is_over) bind(C, name="cubefold_test")
      import :: c_int, cubefold_request
      type(cubefold_request), intent(inout) :: request
      integer(c_int), intent(out) :: is_over
    end function
    integer(c_int) function cart_create_in_c(comm, ndims, dims, periods, cart) bind(C, name="cubefold_f_cart_create")
      import :: c_int, cubefold_comm, MPI_Comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), value :: ndims
      integer(c_int), intent(in) :: dims(*), periods(*)
      type(MPI_Comm), intent(out) :: cart
    end function
    integer(c_int) function explain_in_c(comm, block_bytes, text) bind(C, name="cubefold_explain")
      import :: c_int, c_ptr, c_size_t, cubefold_comm
      type(cubefold_comm), value :: comm
      integer(c_size_t), value :: block_bytes
      type(c_ptr), intent(out) :: text
    end function
    type(c_ptr) function error_string_in_c(error) bind(C, name="cubefold_error_string")
      import :: c_ptr, c_int
      integer(c_int), value :: error
    end function
    type(c_ptr) function last_error_in_c() bind(C, name="cubefold_last_error")
      import :: c_ptr
    end function
    type(c_ptr) function version_in_c() bind(C, name="cubefold_version")
      import :: c_ptr
    end function
  end interface

contains

  subroutine cubefold_test(request, is_over, ierror)
    type(cubefold_request), intent(inout) :: request
    logical, intent(out) :: is_over
    integer, optional, intent(out) :: ierror
    integer(c_int) :: flag, code
    flag = 0
    code = test_in_c(request, flag)
    is_over = flag /= 0
    if (present(ierror)) ierror = code
  end subroutine

  ! The last axis counts fastest, as in MPI_Cart_create.
  subroutine cubefold_cart_create(comm, dims, periods, cart, ierror)
    type(cubefold_comm), intent(in) :: comm
    integer, intent(in) :: dims(:)
    logical, intent(in) :: periods(size(dims))
    type(MPI_Comm), intent(out) :: cart
    integer, optional, intent(out) :: ierror
    integer(c_int) :: code
    code = cart_create_in_c(comm, int(size(dims), c_int), int(dims, c_int), merge(1_c_int, 0_c_int, periods), cart)
    if (present(ierror)) ierror = code
  end subroutine

  ! The text is empty if the call fails.
  subroutine cubefold_explain(comm, block_bytes, text, ierror)
    type(cubefold_comm), intent(in) :: comm
    integer(c_size_t), intent(in) :: block_bytes
    character(:), allocatable, intent(out) :: text
    integer, optional, intent(out) :: ierror
    type(c_ptr) :: address
    integer(c_int) :: code
    code = explain_in_c(comm, block_bytes, address)
    text = ""
    if (code == CUBEFOLD_SUCCESS) text = text_at(address)
    if (present(ierror)) ierror = code
  end subroutine

  function cubefold_error_string(error) result(text)
    integer, intent(in) :: error
    character(:), allocatable :: text
    text = text_at(error_string_in_c(int(error, c_int)))
  end function

  function cubefold_last_error() result(text)
    character(:), allocatable :: text
    text = text_at(last_error_in_c())
  end function

  function cubefold_version() result(text)
    character(:), allocatable :: text
    text = text_at(version_in_c())
  end function
end module
