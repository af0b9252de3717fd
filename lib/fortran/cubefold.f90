! This is the Fortran interface of cubefold. Procedures have the names of cubefold.h, which describes them. They differ
! from those of C in these points:
!
! - Communicators, datatypes, operations, requests, hints and statuses are those of mpi_f08. The module cubefold_mpi,
!   which is made from this file, has the same procedures for the integers of the module mpi.
! - Buffers may be of any type and rank, and must be contiguous. MPI_IN_PLACE and MPI_BOTTOM are refused: calls in place
!   are separate procedures.
! - `ierror` is optional. It becomes CUBEFOLD_SUCCESS or an error code of C, and cubefold_last_error() returns the text.
!   A failure of a call without `ierror` calls the error handler of MPI_COMM_WORLD, which ends the program with the text
!   by default.
! - Ranks, nodes and displacements count from 0, and axis 0 of a grid comes first, as in C. The index of
!   cubefold_waitany counts from 1, as in MPI.
module cubefold
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_int64_t, c_intptr_t, c_null_ptr, c_ptr, c_size_t
  use cubefold_handles
  use cubefold_texts, only: text_at
  use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request, MPI_Status
  implicit none
  private

  public :: CUBEFOLD_SUCCESS, CUBEFOLD_ERROR_ARGUMENT, CUBEFOLD_ERROR_MPI, CUBEFOLD_ERROR_MEMORY, &
    CUBEFOLD_ERROR_INTERNAL, CUBEFOLD_ERROR_TIMEOUT, cubefold_comm, cubefold_request, &
    cubefold_comm_create, cubefold_comm_create_with_info, cubefold_comm_free, cubefold_comm_virtual, &
    cubefold_comm_cart, cubefold_comm_size, cubefold_comm_rank, cubefold_comm_node, cubefold_comm_grid, &
    cubefold_comm_placement, cubefold_comm_is_known, cubefold_cart_create, cubefold_comm_split, &
    cubefold_to_virtual, &
    cubefold_to_physical, cubefold_v_send, cubefold_v_recv, cubefold_v_isend, cubefold_v_irecv, &
    cubefold_v_sendrecv, cubefold_alltoall, cubefold_alltoall_in_place, cubefold_alltoallv, &
    cubefold_alltoallv_in_place, cubefold_ialltoall, cubefold_ialltoall_in_place, cubefold_ialltoallv, &
    cubefold_ialltoallv_in_place, cubefold_alltoallw, cubefold_alltoallw_in_place, cubefold_ialltoallw, &
    cubefold_ialltoallw_in_place, cubefold_alltoallw_init, cubefold_alltoallw_init_in_place, cubefold_test, &
    cubefold_wait, &
    cubefold_waitall, cubefold_waitany, cubefold_testall, cubefold_alltoall_init, &
    cubefold_alltoall_init_in_place, cubefold_alltoall_start, cubefold_alltoall_free, &
    cubefold_alltoall_c, cubefold_alltoall_c_in_place, cubefold_alltoallv_c, cubefold_alltoallv_c_in_place, &
    cubefold_alltoallw_c, cubefold_alltoallw_c_in_place, cubefold_ialltoall_c, cubefold_ialltoall_c_in_place, &
    cubefold_ialltoallv_c, cubefold_ialltoallv_c_in_place, cubefold_ialltoallw_c, cubefold_ialltoallw_c_in_place, &
    cubefold_alltoall_init_c, cubefold_alltoall_init_c_in_place, cubefold_alltoallw_init_c, &
    cubefold_alltoallw_init_c_in_place, &
    cubefold_allreduce, cubefold_allreduce_in_place, cubefold_reduce_scatter_block, &
    cubefold_reduce_scatter_block_in_place, cubefold_reduce_scatter, cubefold_reduce_scatter_in_place, &
    cubefold_allgather, cubefold_allgather_in_place, cubefold_allgatherv, cubefold_allgatherv_in_place, &
    cubefold_iallreduce, cubefold_iallreduce_in_place, cubefold_ireduce_scatter_block, &
    cubefold_ireduce_scatter_block_in_place, cubefold_ireduce_scatter, cubefold_ireduce_scatter_in_place, &
    cubefold_iallgather, cubefold_iallgather_in_place, cubefold_iallgatherv, cubefold_iallgatherv_in_place, &
    cubefold_allreduce_init, cubefold_allreduce_init_in_place, cubefold_reduce_scatter_block_init, &
    cubefold_reduce_scatter_block_init_in_place, cubefold_reduce_scatter_init, cubefold_reduce_scatter_init_in_place, &
    cubefold_allgather_init, cubefold_allgather_init_in_place, cubefold_allgatherv_init, &
    cubefold_allgatherv_init_in_place, &
    cubefold_neighbor_alltoall, cubefold_neighbor_alltoallv, cubefold_neighbor_alltoallw, &
    cubefold_neighbor_allgather, cubefold_neighbor_allgatherv, cubefold_ineighbor_alltoall, &
    cubefold_ineighbor_alltoallv, cubefold_ineighbor_alltoallw, cubefold_ineighbor_allgather, &
    cubefold_ineighbor_allgatherv, cubefold_neighbor_alltoall_init, cubefold_neighbor_alltoallv_init, &
    cubefold_neighbor_alltoallw_init, cubefold_neighbor_allgather_init, cubefold_neighbor_allgatherv_init, &
    cubefold_explain, cubefold_error_string, cubefold_last_error, cubefold_version
  interface
    ! An absent grid or placement is NULL of C: the environment names them.
    subroutine cubefold_comm_create(mpi_communicator, comm, grid, placement, ierror) bind(C, name="cubefold_f_create")
      import :: c_char, c_int, cubefold_comm, MPI_Comm
      type(MPI_Comm), intent(in) :: mpi_communicator
      type(cubefold_comm), intent(out) :: comm
      character(*, c_char), optional, intent(in) :: grid, placement
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_comm_split(comm, resource, part, ierror) bind(C, name="cubefold_f_comm_split")
      import :: c_char, c_int, cubefold_comm, MPI_Comm
      type(cubefold_comm), intent(in) :: comm
      character(*, c_char), intent(in) :: resource
      type(MPI_Comm), intent(out) :: part
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_comm_create_with_info(mpi_communicator, info, comm, ierror) &
        bind(C, name="cubefold_f_create_with_info")
      import :: c_int, cubefold_comm, MPI_Comm, MPI_Info
      type(MPI_Comm), intent(in) :: mpi_communicator
      type(MPI_Info), intent(in) :: info
      type(cubefold_comm), intent(out) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_comm_free(comm, ierror) bind(C, name="cubefold_f_free")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(inout) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_comm_size(comm, size, ierror) bind(C, name="cubefold_f_size")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), intent(out) :: size
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_comm_node(comm, node, ierror) bind(C, name="cubefold_f_node")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), intent(out) :: node
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

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

    subroutine cubefold_comm_rank(comm, rank, ierror) bind(C, name="cubefold_f_rank")
      import :: c_int, cubefold_comm
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), intent(out) :: rank
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! These are the messages between virtual ranks. An absent status is MPI_STATUS_IGNORE.
    subroutine cubefold_v_send(buffer, count, type, dest, tag, comm, ierror) bind(C, name="cubefold_f_send")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: buffer
      integer(c_int), value, intent(in) :: count, dest, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_v_recv(buffer, count, type, source, tag, comm, status, ierror) bind(C, name="cubefold_f_recv")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Status
      type(*), dimension(..) :: buffer
      integer(c_int), value, intent(in) :: count, source, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Status), optional :: status
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_v_isend(buffer, count, type, dest, tag, comm, request, ierror) bind(C, name="cubefold_f_isend")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), intent(in), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count, dest, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_v_irecv(buffer, count, type, source, tag, comm, request, ierror) &
        bind(C, name="cubefold_f_irecv")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Request
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count, source, tag
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_v_sendrecv(send, send_count, send_type, dest, send_tag, receive, receive_count, receive_type, &
                             source, receive_tag, comm, status, ierror) bind(C, name="cubefold_f_sendrecv")
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

    subroutine cubefold_alltoallw(send, send_counts, send_displacements, send_types, receive, receive_counts, &
                                  receive_displacements, receive_types, comm, ierror) &
        bind(C, name="cubefold_f_alltoallw")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallw_in_place(buffer, counts, displacements, types, comm, ierror) &
        bind(C, name="cubefold_f_alltoallw_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: types(*)
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

    subroutine cubefold_ialltoallv(send, send_counts, send_displacements, send_type, receive, receive_counts, &
                                   receive_displacements, receive_type, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallv")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoallv_in_place(buffer, counts, displacements, type, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallv_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoallw(send, send_counts, send_displacements, send_types, receive, receive_counts, &
                                   receive_displacements, receive_types, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallw")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoallw_in_place(buffer, counts, displacements, types, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallw_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: types(*)
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

    ! These are exchanges with large counts. MPI_COUNT_KIND and MPI_ADDRESS_KIND are integers of 64 bits.
    subroutine cubefold_alltoall_c(send, send_count, send_type, receive, receive_count, receive_type, comm, &
        ierror) &
        bind(C, name="cubefold_f_alltoall_c")
      import :: c_int, c_int64_t, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int64_t), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_c_in_place(buffer, count, type, comm, ierror) &
        bind(C, name="cubefold_f_alltoall_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int64_t), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallv_c(send, send_counts, send_displacements, send_type, receive, receive_counts, &
        receive_displacements, receive_type, comm, ierror) &
        bind(C, name="cubefold_f_alltoallv_c")
      import :: c_int, c_int64_t, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int64_t), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), &
        receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallv_c_in_place(buffer, counts, displacements, type, comm, ierror) &
        bind(C, name="cubefold_f_alltoallv_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int64_t), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallw_c(send, send_counts, send_displacements, send_types, receive, receive_counts, &
        receive_displacements, receive_types, comm, ierror) &
        bind(C, name="cubefold_f_alltoallw_c")
      import :: c_int, c_int64_t, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int64_t), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), &
        receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallw_c_in_place(buffer, counts, displacements, types, comm, ierror) &
        bind(C, name="cubefold_f_alltoallw_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int64_t), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: types(*)
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoall_c(send, send_count, send_type, receive, receive_count, receive_type, comm, &
        request, ierror) &
        bind(C, name="cubefold_f_ialltoall_c")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int64_t), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoall_c_in_place(buffer, count, type, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoall_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int64_t), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoallv_c(send, send_counts, send_displacements, send_type, receive, receive_counts, &
        receive_displacements, receive_type, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallv_c")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int64_t), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), &
        receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoallv_c_in_place(buffer, counts, displacements, type, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallv_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int64_t), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoallw_c(send, send_counts, send_displacements, send_types, receive, receive_counts, &
        receive_displacements, receive_types, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallw_c")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int64_t), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), &
        receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ialltoallw_c_in_place(buffer, counts, displacements, types, comm, request, ierror) &
        bind(C, name="cubefold_f_ialltoallw_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int64_t), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_init_c(send, send_count, send_type, receive, receive_count, receive_type, comm, &
        request, ierror) &
        bind(C, name="cubefold_f_alltoall_init_c")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int64_t), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoall_init_c_in_place(buffer, count, type, comm, request, ierror) &
        bind(C, name="cubefold_f_alltoall_init_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int64_t), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallw_init_c(send, send_counts, send_displacements, send_types, receive, &
        receive_counts, receive_displacements, receive_types, comm, request, ierror) &
        bind(C, name="cubefold_f_alltoallw_init_c")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int64_t), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), &
        receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallw_init_c_in_place(buffer, counts, displacements, types, comm, request, ierror) &
        bind(C, name="cubefold_f_alltoallw_init_c_in_place")
      import :: c_int, c_int64_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int64_t), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! These reduce and gather vectors. The arrays have one number for each virtual rank. `buffer` of a form in place has
    ! the own part of the vector when the call starts, and all that is received when it ends: the whole vector, or at
    ! its beginning the block that a reduce-scatter leaves on this rank.
    subroutine cubefold_allreduce(send, receive, count, type, op, comm, ierror) bind(C, name="cubefold_f_allreduce")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allreduce_in_place(buffer, count, type, op, comm, ierror) &
        bind(C, name="cubefold_f_allreduce_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Op
      type(*), dimension(..) :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter_block(send, receive, receive_count, type, op, comm, ierror) &
        bind(C, name="cubefold_f_reduce_scatter_block")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: receive_count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter_block_in_place(buffer, count, type, op, comm, ierror) &
        bind(C, name="cubefold_f_reduce_scatter_block_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Op
      type(*), dimension(..) :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter(send, receive, receive_counts, type, op, comm, ierror) &
        bind(C, name="cubefold_f_reduce_scatter")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), intent(in) :: receive_counts(*)
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter_in_place(buffer, counts, type, op, comm, ierror) &
        bind(C, name="cubefold_f_reduce_scatter_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype, MPI_Op
      type(*), dimension(..) :: buffer
      integer(c_int), intent(in) :: counts(*)
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgather(send, send_count, send_type, receive, receive_count, receive_type, comm, ierror) &
        bind(C, name="cubefold_f_allgather")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgather_in_place(buffer, count, type, comm, ierror) &
        bind(C, name="cubefold_f_allgather_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgatherv(send, send_count, send_type, receive, receive_counts, receive_displacements, &
                                   receive_type, comm, ierror) bind(C, name="cubefold_f_allgatherv")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: send_count
      integer(c_int), intent(in) :: receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgatherv_in_place(buffer, counts, displacements, type, comm, ierror) &
        bind(C, name="cubefold_f_allgatherv_in_place")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..) :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_iallreduce(send, receive, count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_iallreduce")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_iallreduce_in_place(buffer, count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_iallreduce_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ireduce_scatter_block(send, receive, receive_count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_ireduce_scatter_block")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: receive_count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ireduce_scatter_block_in_place(buffer, count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_ireduce_scatter_block_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ireduce_scatter(send, receive, receive_counts, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_ireduce_scatter")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: receive_counts(*)
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ireduce_scatter_in_place(buffer, counts, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_ireduce_scatter_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), intent(in) :: counts(*)
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_iallgather(send, send_count, send_type, receive, receive_count, receive_type, comm, request, &
                                   ierror) bind(C, name="cubefold_f_iallgather")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_iallgather_in_place(buffer, count, type, comm, request, ierror) &
        bind(C, name="cubefold_f_iallgather_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_iallgatherv(send, send_count, send_type, receive, receive_counts, receive_displacements, &
                                    receive_type, comm, request, ierror) bind(C, name="cubefold_f_iallgatherv")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count
      integer(c_int), intent(in) :: receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_iallgatherv_in_place(buffer, counts, displacements, type, comm, request, ierror) &
        bind(C, name="cubefold_f_iallgatherv_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allreduce_init(send, receive, count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_allreduce_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allreduce_init_in_place(buffer, count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_allreduce_init_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter_block_init(send, receive, receive_count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_reduce_scatter_block_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: receive_count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter_block_init_in_place(buffer, count, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_reduce_scatter_block_init_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter_init(send, receive, receive_counts, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_reduce_scatter_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: receive_counts(*)
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_reduce_scatter_init_in_place(buffer, counts, type, op, comm, request, ierror) &
        bind(C, name="cubefold_f_reduce_scatter_init_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype, MPI_Op
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), intent(in) :: counts(*)
      type(MPI_Datatype), intent(in) :: type
      type(MPI_Op), intent(in) :: op
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgather_init(send, send_count, send_type, receive, receive_count, receive_type, comm, &
                                       request, ierror) bind(C, name="cubefold_f_allgather_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgather_init_in_place(buffer, count, type, comm, request, ierror) &
        bind(C, name="cubefold_f_allgather_init_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), value, intent(in) :: count
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgatherv_init(send, send_count, send_type, receive, receive_counts, receive_displacements, &
                                        receive_type, comm, request, ierror) bind(C, name="cubefold_f_allgatherv_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count
      integer(c_int), intent(in) :: receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_allgatherv_init_in_place(buffer, counts, displacements, type, comm, request, ierror) &
        bind(C, name="cubefold_f_allgatherv_init_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallw_init(send, send_counts, send_displacements, send_types, receive, receive_counts, &
                                       receive_displacements, receive_types, comm, request, ierror) &
        bind(C, name="cubefold_f_alltoallw_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_alltoallw_init_in_place(buffer, counts, displacements, types, comm, request, ierror) &
        bind(C, name="cubefold_f_alltoallw_init_in_place")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), asynchronous :: buffer
      integer(c_int), intent(in) :: counts(*), displacements(*)
      type(MPI_Datatype), intent(in) :: types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    ! These exchange blocks with the neighbours of a topology. The arrays have one number for each neighbour, and
    ! displacements of blocks of several types are of the kind MPI_ADDRESS_KIND.
    subroutine cubefold_neighbor_alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm, &
                                          ierror) &
        bind(C, name="cubefold_f_neighbor_alltoall")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_alltoallv(send, send_counts, send_displacements, send_type, receive, &
                                           receive_counts, receive_displacements, receive_type, comm, ierror) &
        bind(C, name="cubefold_f_neighbor_alltoallv")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_alltoallw(send, send_counts, send_displacements, send_types, receive, &
                                           receive_counts, receive_displacements, receive_types, comm, ierror) &
        bind(C, name="cubefold_f_neighbor_alltoallw")
      import :: c_int, c_intptr_t, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), intent(in) :: send_counts(*), receive_counts(*)
      integer(c_intptr_t), intent(in) :: send_displacements(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_allgather(send, send_count, send_type, receive, receive_count, receive_type, &
                                           comm, ierror) &
        bind(C, name="cubefold_f_neighbor_allgather")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_allgatherv(send, send_count, send_type, receive, receive_counts, &
                                            receive_displacements, receive_type, comm, ierror) &
        bind(C, name="cubefold_f_neighbor_allgatherv")
      import :: c_int, cubefold_comm, MPI_Datatype
      type(*), dimension(..), intent(in) :: send
      type(*), dimension(..) :: receive
      integer(c_int), value, intent(in) :: send_count
      integer(c_int), intent(in) :: receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ineighbor_alltoall(send, send_count, send_type, receive, receive_count, receive_type, &
                                           comm, request, ierror) &
        bind(C, name="cubefold_f_ineighbor_alltoall")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ineighbor_alltoallv(send, send_counts, send_displacements, send_type, receive, &
                                            receive_counts, receive_displacements, receive_type, comm, request, &
                                            ierror) &
        bind(C, name="cubefold_f_ineighbor_alltoallv")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ineighbor_alltoallw(send, send_counts, send_displacements, send_types, receive, &
                                            receive_counts, receive_displacements, receive_types, comm, request, &
                                            ierror) &
        bind(C, name="cubefold_f_ineighbor_alltoallw")
      import :: c_int, c_intptr_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: send_counts(*), receive_counts(*)
      integer(c_intptr_t), intent(in) :: send_displacements(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ineighbor_allgather(send, send_count, send_type, receive, receive_count, receive_type, &
                                            comm, request, ierror) &
        bind(C, name="cubefold_f_ineighbor_allgather")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_ineighbor_allgatherv(send, send_count, send_type, receive, receive_counts, &
                                             receive_displacements, receive_type, comm, request, ierror) &
        bind(C, name="cubefold_f_ineighbor_allgatherv")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count
      integer(c_int), intent(in) :: receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_alltoall_init(send, send_count, send_type, receive, receive_count, receive_type, &
                                               comm, request, ierror) &
        bind(C, name="cubefold_f_neighbor_alltoall_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_alltoallv_init(send, send_counts, send_displacements, send_type, receive, &
                                                receive_counts, receive_displacements, receive_type, comm, &
                                                request, ierror) &
        bind(C, name="cubefold_f_neighbor_alltoallv_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: send_counts(*), send_displacements(*), receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_alltoallw_init(send, send_counts, send_displacements, send_types, receive, &
                                                receive_counts, receive_displacements, receive_types, comm, &
                                                request, ierror) &
        bind(C, name="cubefold_f_neighbor_alltoallw_init")
      import :: c_int, c_intptr_t, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), intent(in) :: send_counts(*), receive_counts(*)
      integer(c_intptr_t), intent(in) :: send_displacements(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_types(*), receive_types(*)
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_allgather_init(send, send_count, send_type, receive, receive_count, receive_type, &
                                                comm, request, ierror) &
        bind(C, name="cubefold_f_neighbor_allgather_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count, receive_count
      type(MPI_Datatype), intent(in) :: send_type, receive_type
      type(cubefold_comm), intent(in) :: comm
      type(cubefold_request), intent(out) :: request
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_neighbor_allgatherv_init(send, send_count, send_type, receive, receive_counts, &
                                                 receive_displacements, receive_type, comm, request, ierror) &
        bind(C, name="cubefold_f_neighbor_allgatherv_init")
      import :: c_int, cubefold_comm, cubefold_request, MPI_Datatype
      type(*), dimension(..), intent(in), asynchronous :: send
      type(*), dimension(..), asynchronous :: receive
      integer(c_int), value, intent(in) :: send_count
      integer(c_int), intent(in) :: receive_counts(*), receive_displacements(*)
      type(MPI_Datatype), intent(in) :: send_type, receive_type
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

    subroutine cubefold_waitall(count, requests, ierror) bind(C, name="cubefold_f_waitall")
      import :: c_int, cubefold_request
      integer(c_int), value, intent(in) :: count
      type(cubefold_request), intent(inout) :: requests(*)
      integer(c_int), optional, intent(out) :: ierror
    end subroutine

    subroutine cubefold_waitany(count, requests, index, ierror) bind(C, name="cubefold_f_waitany")
      import :: c_int, cubefold_request
      integer(c_int), value, intent(in) :: count
      type(cubefold_request), intent(inout) :: requests(*)
      integer(c_int), intent(out) :: index
      integer(c_int), optional, intent(out) :: ierror
    end subroutine
  end interface
  interface
    ! Stores the code of a call of C, or calls the error handler.
    subroutine report(code, ierror) bind(C, name="cubefold_f_report")
      import :: c_int
      integer(c_int), value :: code
      integer(c_int), optional, intent(out) :: ierror
    end subroutine
    subroutine virtual_in_c(comm, virtual) bind(C, name="cubefold_f_virtual")
      import :: c_int, cubefold_comm, MPI_Comm
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Comm), intent(out) :: virtual
    end subroutine
    subroutine cart_in_c(comm, cart) bind(C, name="cubefold_f_cart")
      import :: c_int, cubefold_comm, MPI_Comm
      type(cubefold_comm), intent(in) :: comm
      type(MPI_Comm), intent(out) :: cart
    end subroutine
    integer(c_int) function grid_in_c(comm, text) bind(C, name="cubefold_comm_grid")
      import :: c_int, c_ptr, cubefold_comm
      type(cubefold_comm), value :: comm
      type(c_ptr), intent(out) :: text
    end function
    integer(c_int) function placement_in_c(comm, text) bind(C, name="cubefold_comm_placement")
      import :: c_int, c_ptr, cubefold_comm
      type(cubefold_comm), value :: comm
      type(c_ptr), intent(out) :: text
    end function
    integer(c_int) function is_known_in_c(comm, is_known) bind(C, name="cubefold_comm_is_known")
      import :: c_int, cubefold_comm
      type(cubefold_comm), value :: comm
      integer(c_int), intent(out) :: is_known
    end function
    integer(c_int) function testall_in_c(count, requests, are_over) bind(C, name="cubefold_testall")
      import :: c_int, cubefold_request
      integer(c_int), value :: count
      type(cubefold_request), intent(inout) :: requests(*)
      integer(c_int), intent(out) :: are_over
    end function
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

  function cubefold_comm_virtual(comm) result(virtual)
    type(cubefold_comm), intent(in) :: comm
    type(MPI_Comm) :: virtual
    call virtual_in_c(comm, virtual)
  end function

  function cubefold_comm_cart(comm) result(cart)
    type(cubefold_comm), intent(in) :: comm
    type(MPI_Comm) :: cart
    call cart_in_c(comm, cart)
  end function

  ! A text is empty if its call fails.
  subroutine cubefold_comm_grid(comm, grid, ierror)
    type(cubefold_comm), intent(in) :: comm
    character(:), allocatable, intent(out) :: grid
    integer, optional, intent(out) :: ierror
    type(c_ptr) :: address
    integer(c_int) :: code
    code = grid_in_c(comm, address)
    grid = ""
    if (code == CUBEFOLD_SUCCESS) grid = text_at(address)
    call report(code, ierror)
  end subroutine

  subroutine cubefold_comm_placement(comm, placement, ierror)
    type(cubefold_comm), intent(in) :: comm
    character(:), allocatable, intent(out) :: placement
    integer, optional, intent(out) :: ierror
    type(c_ptr) :: address
    integer(c_int) :: code
    code = placement_in_c(comm, address)
    placement = ""
    if (code == CUBEFOLD_SUCCESS) placement = text_at(address)
    call report(code, ierror)
  end subroutine

  subroutine cubefold_comm_is_known(comm, is_known, ierror)
    type(cubefold_comm), intent(in) :: comm
    logical, intent(out) :: is_known
    integer, optional, intent(out) :: ierror
    integer(c_int) :: flag, code
    flag = 0
    code = is_known_in_c(comm, flag)
    is_known = flag /= 0
    call report(code, ierror)
  end subroutine

  subroutine cubefold_testall(count, requests, are_over, ierror)
    integer, intent(in) :: count
    type(cubefold_request), intent(inout) :: requests(*)
    logical, intent(out) :: are_over
    integer, optional, intent(out) :: ierror
    integer(c_int) :: flag, code
    flag = 0
    code = testall_in_c(count, requests, flag)
    are_over = flag /= 0
    call report(code, ierror)
  end subroutine

  subroutine cubefold_test(request, is_over, ierror)
    type(cubefold_request), intent(inout) :: request
    logical, intent(out) :: is_over
    integer, optional, intent(out) :: ierror
    integer(c_int) :: flag, code
    flag = 0
    code = test_in_c(request, flag)
    is_over = flag /= 0
    call report(code, ierror)
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
    call report(code, ierror)
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
    call report(code, ierror)
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
