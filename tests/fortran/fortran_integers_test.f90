! This program uses the module mpi, whose handles are integers, and calls all procedures that take such handles.
program fortran_integers_test
  use, intrinsic :: iso_c_binding, only: c_size_t
  use mpi
  use cubefold_mpi
  use expectations
  implicit none
  type(cubefold_comm) :: comm
  integer :: rank, process_count, ierror
  integer, asynchronous, allocatable :: sent(:), received(:)
  integer, allocatable :: ones(:), places(:)

  call MPI_Init(ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, process_count, ierror)
  call cubefold_comm_create(MPI_COMM_WORLD, comm, ierror=ierror)
  call expect(ierror == CUBEFOLD_SUCCESS, "a handle is made")
  call cubefold_comm_rank(comm, rank)
  call blocks_are_made()
  call communicators_and_hints_are_integers()
  call exchanges_take_datatypes()
  call requests_take_datatypes()
  call neighbours_take_datatypes()
  call vectors_are_reduced_and_gathered()
  call messages_fill_a_status()
  call addresses_of_the_module_are_known()
  call cubefold_comm_free(comm, ierror)
  call expect(ierror == CUBEFOLD_SUCCESS, "the handle is freed")
  call end_test()

contains

  include "vector_calls.inc"

  subroutine blocks_are_made()
    integer :: i
    allocate (sent(process_count), received(process_count), ones(process_count), places(process_count))
    sent = [(1000 * rank + i, i=0, process_count - 1)]
    ones = 1
    places = [(i, i=0, process_count - 1)]
  end subroutine

  subroutine expect_blocks(sentence)
    character(*), intent(in) :: sentence
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == 1000 * places + rank), sentence)
    received = -1
  end subroutine

  subroutine communicators_and_hints_are_integers()
    type(cubefold_comm) :: hinted
    integer :: number, info, cart
    character(:), allocatable :: text
    call MPI_Comm_rank(cubefold_comm_virtual(comm), number, ierror)
    call expect(number == rank, "the communicator has virtual ranks")
    call MPI_Comm_size(cubefold_comm_cart(comm), number, ierror)
    call expect(number == process_count, "the Cartesian communicator has all processes")
    call cubefold_cart_create(comm, [process_count], [.false.], cart, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a Cartesian grid is made")
    call MPI_Comm_free(cart, ierror)
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, "trials", "1", ierror)
    call cubefold_comm_create_with_info(MPI_COMM_WORLD, info, hinted, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a handle is made by hints")
    call MPI_Info_free(info, ierror)
    call cubefold_explain(hinted, 64_c_size_t, text)
    call cubefold_comm_free(hinted)
  end subroutine

  subroutine exchanges_take_datatypes()
    integer :: types(process_count)
    types = MPI_INTEGER
    call cubefold_alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm, ierror)
    call expect_blocks("blocks arrive")
    received = sent
    call cubefold_alltoall_in_place(received, 1, MPI_INTEGER, comm, ierror)
    call expect_blocks("blocks arrive in place")
    call cubefold_alltoallv(sent, ones, places, MPI_INTEGER, received, ones, places, MPI_INTEGER, comm, ierror)
    call expect_blocks("blocks of any sizes arrive")
    received = sent
    call cubefold_alltoallv_in_place(received, ones, places, MPI_INTEGER, comm, ierror)
    call expect_blocks("blocks of any sizes arrive in place")
    call cubefold_alltoallw(sent, ones, 4 * places, types, received, ones, 4 * places, types, comm, ierror)
    call expect_blocks("blocks of several types arrive")
    received = sent
    call cubefold_alltoallw_in_place(received, ones, 4 * places, types, comm, ierror)
    call expect_blocks("blocks of several types arrive in place")
    call cubefold_alltoall_c(sent, 1_MPI_COUNT_KIND, MPI_INTEGER, received, 1_MPI_COUNT_KIND, MPI_INTEGER, comm, ierror)
    call expect_blocks("blocks with large counts arrive")
  end subroutine

  subroutine requests_take_datatypes()
    type(cubefold_request) :: request
    call cubefold_ialltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm, request)
    call cubefold_wait(request, ierror)
    call expect_blocks("a request exchanges")
    received = sent
    call cubefold_ialltoall_in_place(received, 1, MPI_INTEGER, comm, request)
    call cubefold_wait(request, ierror)
    call expect_blocks("a request exchanges in place")
    call cubefold_alltoall_init(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm, request)
    call cubefold_alltoall_start(request)
    call cubefold_wait(request, ierror)
    call expect_blocks("a persistent request exchanges")
    call cubefold_alltoall_free(request)
    call cubefold_alltoall_init_in_place(received, 1, MPI_INTEGER, comm, request)
    received = sent
    call cubefold_alltoall_start(request)
    call cubefold_wait(request, ierror)
    call expect_blocks("a persistent request exchanges in place")
    call cubefold_alltoall_free(request)
  end subroutine

  ! Every process has itself as its neighbour, twice.
  subroutine neighbours_take_datatypes()
    integer, parameter :: counts(2) = [1, 2]
    integer(MPI_ADDRESS_KIND), parameter :: far(2) = [0, 8]
    integer :: graph, numbers(4), arrived(4)
    type(cubefold_comm) :: neighbours
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, [rank, rank], MPI_UNWEIGHTED, 2, [rank, rank], &
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierror)
    call cubefold_comm_create(graph, neighbours)
    numbers = [1, 2, 3, 4] + rank
    arrived = 0
    call cubefold_neighbor_alltoallw(numbers, counts, far, [MPI_INTEGER, MPI_INTEGER], arrived, counts, far, &
                                     [MPI_INTEGER, MPI_INTEGER], neighbours, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(arrived([1, 3, 4]) == numbers([1, 3, 4])) .and. arrived(2) == 0, &
                "blocks of neighbours arrive")
    call cubefold_comm_free(neighbours)
    call MPI_Comm_free(graph, ierror)
  end subroutine

  subroutine messages_fill_a_status()
    integer :: next, previous, request, status(MPI_STATUS_SIZE)
    integer, asynchronous :: from
    next = modulo(rank + 1, process_count)
    previous = modulo(rank - 1, process_count)
    call cubefold_v_sendrecv(rank, 1, MPI_INTEGER, next, 7, from, 1, MPI_INTEGER, MPI_ANY_SOURCE, 7, comm, status, &
                             ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. from == previous, "a message arrives")
    call expect(status(MPI_SOURCE) == previous .and. status(MPI_TAG) == 7, "the status describes it")
    call cubefold_v_irecv(from, 1, MPI_INTEGER, previous, 8, comm, request)
    call cubefold_v_send(next, 1, MPI_INTEGER, next, 8, comm)
    call MPI_Wait(request, status, ierror)
    call expect(from == rank, "a request receives")
    call cubefold_v_isend(rank, 1, MPI_INTEGER, next, 9, comm, request)
    call cubefold_v_recv(from, 1, MPI_INTEGER, previous, 9, comm, MPI_STATUS_IGNORE, ierror)
    call MPI_Wait(request, status, ierror)
    call expect(from == previous, "a message arrives without a status")
  end subroutine

  subroutine addresses_of_the_module_are_known()
    call cubefold_v_send(MPI_BOTTOM, 1, MPI_INTEGER, rank, 0, comm, ierror)
    call expect_error(ierror, "cubefold_v_send: buffer is MPI_BOTTOM, which only C may pass")
    call cubefold_v_send(MPI_IN_PLACE, 1, MPI_INTEGER, rank, 0, comm, ierror)
    call expect_error(ierror, "cubefold_v_send: buffer is MPI_IN_PLACE; calls in place are separate procedures")
  end subroutine
end program
