! This program exchanges blocks with the neighbours of a ring, which are the processes at distances -1, 0 and 1.
program fortran_neighbours_test
  use mpi_f08
  use cubefold
  use expectations
  implicit none
  integer, parameter :: degree = 3
  type(MPI_Comm) :: graph
  type(cubefold_comm) :: comm
  integer :: rank, process_count, ierror, way, to(degree), from(degree)
  character(10), parameter :: ways(3) = [character(10) :: "blocking", "request", "persistent"]

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, process_count)
  to = modulo(rank + [-1, 0, 1], process_count)
  from = modulo(rank - [-1, 0, 1], process_count)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, from, MPI_UNWEIGHTED, degree, to, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., graph)
  call cubefold_comm_create(graph, comm, ierror=ierror)
  call expect(ierror == CUBEFOLD_SUCCESS, "a handle is made of a graph")
  do way = 1, 3
    call blocks_of_one_size_arrive()
    call blocks_of_several_sizes_arrive()
    call blocks_of_several_types_arrive()
    call own_blocks_are_gathered()
    call own_blocks_of_several_sizes_are_gathered()
  end do
  call unusable_arguments_are_refused()
  call cubefold_comm_free(comm, ierror)
  call MPI_Comm_free(graph)
  call end_test()

contains

  ! The k-th number that a process sends by its n-th edge.
  elemental integer function number(process, edge, k)
    integer, intent(in) :: process, edge, k
    number = 100 * process + 10 * edge + k
  end function

  ! The blocks of two numbers that this process sends, or those that arrive.
  function blocks(arrive)
    logical, intent(in) :: arrive
    integer :: blocks(2, degree), edge
    do edge = 1, degree
      blocks(:, edge) = number(merge(from(edge), rank, arrive), edge, [1, 2])
    end do
  end function

  ! Ends what the way has begun.
  subroutine end_exchange(request)
    type(cubefold_request), intent(inout) :: request
    if (way == 3) call cubefold_alltoall_start(request)
    if (way > 1) call cubefold_wait(request, ierror)
    if (way == 3) call cubefold_alltoall_free(request)
  end subroutine

  subroutine blocks_of_one_size_arrive()
    integer, asynchronous :: sent(2, degree), received(2, degree)
    type(cubefold_request) :: request
    sent = blocks(.false.)
    received = -1
    select case (way)
    case (1)
      call cubefold_neighbor_alltoall(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, ierror)
    case (2)
      call cubefold_ineighbor_alltoall(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, request)
    case (3)
      call cubefold_neighbor_alltoall_init(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, request)
    end select
    call end_exchange(request)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == blocks(.true.)), "blocks arrive: " // ways(way))
  end subroutine

  ! The n-th edge has n - 1 numbers.
  subroutine blocks_of_several_sizes_arrive()
    integer, parameter :: counts(degree) = [0, 1, 2], places(degree) = [0, 2, 4]
    integer, asynchronous :: sent(2, degree), received(2, degree)
    integer :: expected(2, degree)
    type(cubefold_request) :: request
    sent = blocks(.false.)
    received = -1
    select case (way)
    case (1)
      call cubefold_neighbor_alltoallv(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, comm, &
                                       ierror)
    case (2)
      call cubefold_ineighbor_alltoallv(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, &
                                        comm, request)
    case (3)
      call cubefold_neighbor_alltoallv_init(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, &
                                            comm, request)
    end select
    call end_exchange(request)
    expected = blocks(.true.)
    expected(:, 1) = -1
    expected(2, 2) = -1
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == expected), "unequal blocks arrive: " // ways(way))
  end subroutine

  subroutine blocks_of_several_types_arrive()
    integer, parameter :: ones(degree) = [1, 1, 1], counts(degree) = [2, 1, 2]
    integer(MPI_ADDRESS_KIND), parameter :: places(degree) = [0, 8, 16]
    integer, asynchronous :: sent(2, degree), received(2, degree)
    integer :: expected(2, degree)
    type(MPI_Datatype) :: pair, types(degree), integers(degree)
    type(cubefold_request) :: request
    call MPI_Type_contiguous(2, MPI_INTEGER, pair)
    call MPI_Type_commit(pair)
    types = [pair, MPI_INTEGER, pair]
    integers = MPI_INTEGER
    sent = blocks(.false.)
    received = -1
    select case (way)
    case (1)
      call cubefold_neighbor_alltoallw(sent, ones, places, types, received, counts, places, integers, comm, ierror)
    case (2)
      call cubefold_ineighbor_alltoallw(sent, ones, places, types, received, counts, places, integers, comm, request)
    case (3)
      call cubefold_neighbor_alltoallw_init(sent, ones, places, types, received, counts, places, integers, comm, &
                                            request)
    end select
    call MPI_Type_free(pair)
    call end_exchange(request)
    expected = blocks(.true.)
    expected(2, 2) = -1
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == expected), &
                "blocks of several types arrive: " // ways(way))
  end subroutine

  subroutine own_blocks_are_gathered()
    integer, asynchronous :: sent(2), received(2, degree)
    type(cubefold_request) :: request
    sent = number(rank, 0, [1, 2])
    received = -1
    select case (way)
    case (1)
      call cubefold_neighbor_allgather(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, ierror)
    case (2)
      call cubefold_ineighbor_allgather(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, request)
    case (3)
      call cubefold_neighbor_allgather_init(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, request)
    end select
    call end_exchange(request)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received(1, :) == number(from, 0, 1)) .and. &
                all(received(2, :) == number(from, 0, 2)), "blocks are gathered: " // ways(way))
  end subroutine

  ! Process r sends 1 + mod(r, 2) numbers.
  subroutine own_blocks_of_several_sizes_are_gathered()
    integer, parameter :: places(degree) = [0, 2, 4]
    integer, asynchronous :: sent(2), received(2, degree)
    integer :: own, counts(degree), edge
    type(cubefold_request) :: request
    own = 1 + mod(rank, 2)
    counts = 1 + mod(from, 2)
    sent = number(rank, 0, [1, 2])
    received = -1
    select case (way)
    case (1)
      call cubefold_neighbor_allgatherv(sent, own, MPI_INTEGER, received, counts, places, MPI_INTEGER, comm, ierror)
    case (2)
      call cubefold_ineighbor_allgatherv(sent, own, MPI_INTEGER, received, counts, places, MPI_INTEGER, comm, request)
    case (3)
      call cubefold_neighbor_allgatherv_init(sent, own, MPI_INTEGER, received, counts, places, MPI_INTEGER, comm, &
                                             request)
    end select
    call end_exchange(request)
    do edge = 1, degree
      call expect(ierror == CUBEFOLD_SUCCESS .and. received(1, edge) == number(from(edge), 0, 1) .and. &
                  received(2, edge) == merge(number(from(edge), 0, 2), -1, counts(edge) == 2), &
                  "unequal blocks are gathered: " // ways(way))
    end do
  end subroutine

  subroutine unusable_arguments_are_refused()
    type(cubefold_comm) :: without_topology
    integer :: numbers(2, degree)
    call cubefold_comm_create(MPI_COMM_WORLD, without_topology)
    call cubefold_neighbor_alltoall(numbers, 2, MPI_INTEGER, numbers, 2, MPI_INTEGER, without_topology, ierror)
    call expect_error(ierror, "cubefold_neighbor_alltoall: the handle was made of a communicator without a " // &
                              "topology, so it has no neighbours")
    call cubefold_comm_free(without_topology)
  end subroutine
end program
