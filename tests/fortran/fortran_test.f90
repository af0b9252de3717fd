! This program uses the Fortran interface in all the ways in which a Fortran program would.
program fortran_test
  use, intrinsic :: iso_c_binding, only: c_size_t
  use mpi_f08
  use cubefold
  use expectations
  implicit none
  type(cubefold_comm) :: comm
  integer :: rank, process_count, ierror

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, process_count)
  call creation_fails_with_the_text_of_c()
  call cubefold_comm_create(MPI_COMM_WORLD, comm, ring(process_count), "xor   ", ierror)
  call expect(ierror == CUBEFOLD_SUCCESS, "a ring with blanks behind the placement is made")
  call cubefold_comm_rank(comm, rank)
  call ranks_and_nodes_are_those_of_the_communicators()
  call facts_are_those_of_the_handle()
  call hints_replace_arguments()
  call names_of_the_papers_are_those_of_mpi()
  call several_requests_are_waited_for()
  call a_cartesian_grid_has_the_shape_that_was_asked_for()
  call integers_are_exchanged()
  call reals_and_complex_numbers_are_exchanged()
  call derived_types_are_exchanged_as_other_types()
  call blocks_of_unequal_sizes_are_exchanged()
  call blocks_of_several_types_are_exchanged()
  call blocks_with_large_counts_are_exchanged()
  call requests_are_started_and_end()
  call messages_reach_the_next_rank()
  call messages_from_unusable_buffers_are_refused()
  call texts_are_fortran_strings()
  call cubefold_comm_free(comm, ierror)
  call expect(ierror == CUBEFOLD_SUCCESS, "the handle is freed")
  call cubefold_comm_rank(comm, rank, ierror)
  call expect_error(ierror, "cubefold_comm_rank: the cubefold_comm is NULL")
  call expect(cubefold_error_string(ierror) == "an argument breaks a rule", "the code has a text")
  call exchanges_of_unusable_buffers_are_refused()
  call end_test()

contains

  function ring(node_count) result(text)
    integer, intent(in) :: node_count
    character(20) :: text
    write (text, "(a, i0)") "ring:", node_count
  end function

  ! Returns the number that rank i sends to rank j as element k of a block.
  elemental integer function number(i, j, k)
    integer, intent(in) :: i, j, k
    number = 1000 * i + 10 * j + k
  end function

  ! Returns all blocks that this rank sends, or all blocks that it receives.
  function blocks(element_count, are_received) result(numbers)
    integer, intent(in) :: element_count
    logical, intent(in) :: are_received
    integer :: numbers(element_count, 0:process_count - 1)
    integer :: j, k
    do j = 0, process_count - 1
      do k = 1, element_count
        numbers(k, j) = merge(number(j, rank, k), number(rank, j, k), are_received)
      end do
    end do
  end function

  subroutine creation_fails_with_the_text_of_c()
    type(cubefold_comm) :: refused
    call cubefold_comm_create(MPI_COMM_WORLD, refused, "ring:x", ierror=ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "a ring of x nodes is refused")
    call expect(index(cubefold_last_error(), "cubefold_comm_create: ") == 1, "the text names the function")
    call expect(index(cubefold_last_error(), "ring:x") > 0, "the text names the value")
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call cubefold_comm_create(MPI_COMM_WORLD, refused, "ring:y")
    call expect(index(cubefold_last_error(), "ring:y") > 0, "without ierror the error handler returns")
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
    call cubefold_comm_free(refused, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a handle that was not made is freed without effect")
  end subroutine

  subroutine ranks_and_nodes_are_those_of_the_communicators()
    integer :: node, other, cart_rank
    type(MPI_Comm) :: communicator
    communicator = cubefold_comm_virtual(comm)
    call MPI_Comm_rank(communicator, other)
    call expect(other == rank, "the communicator has virtual ranks")
    call cubefold_to_physical(comm, rank, node)
    communicator = cubefold_comm_cart(comm)
    call MPI_Comm_rank(communicator, cart_rank)
    call expect(node == cart_rank, "the Cartesian communicator has nodes")
    call cubefold_to_virtual(comm, node, other)
    call expect(other == rank, "the rank on the node of a rank is that rank")
    call cubefold_to_virtual(comm, -1, other, ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "there is no node -1")
  end subroutine

  subroutine facts_are_those_of_the_handle()
    integer :: number, node
    logical :: is_known
    character(:), allocatable :: text
    call cubefold_comm_size(comm, number, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. number == process_count, "all processes have ranks")
    call cubefold_to_physical(comm, rank, node)
    call cubefold_comm_node(comm, number, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. number == node, "the node is that of the rank")
    call cubefold_comm_grid(comm, text, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. text == ring(process_count), "the grid is the ring")
    call cubefold_comm_placement(comm, text, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. text == "xor", "the placement is xor")
    call cubefold_comm_is_known(comm, is_known, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. is_known, "a named network is known")
  end subroutine

  subroutine hints_replace_arguments()
    type(cubefold_comm) :: hinted
    type(MPI_Info) :: info
    character(:), allocatable :: text
    call MPI_Info_create(info)
    call MPI_Info_set(info, "grid", trim(ring(process_count)))
    call MPI_Info_set(info, "trials", "0")
    call cubefold_comm_create_with_info(MPI_COMM_WORLD, info, hinted, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a handle is made by hints")
    call cubefold_comm_grid(hinted, text)
    call expect(text == ring(process_count), "the grid is that of the hint")
    call cubefold_comm_free(hinted)
    call MPI_Info_set(info, "trials", "many")
    call cubefold_comm_create_with_info(MPI_COMM_WORLD, info, hinted, ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "a wrong hint is refused")
    call MPI_Info_free(info)
  end subroutine

  subroutine names_of_the_papers_are_those_of_mpi()
    use cubefold_short_names
    integer :: own, next, previous
    integer, asynchronous :: received
    type(MPI_Request) :: request
    call v_get_pid(comm, own)
    next = modulo(own + 1, process_count)
    previous = modulo(own - 1, process_count)
    call v_ireceive(received, 1, MPI_INTEGER, previous, 1, comm, request)
    call v_send(own, 1, MPI_INTEGER, next, 1, comm)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call v_isend(received, 1, MPI_INTEGER, previous, 2, comm, request)
    call v_receive(own, 1, MPI_INTEGER, next, 2, comm)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call expect(own == rank, "what the next rank has received returns")
    call v_sendreceive(own, 1, MPI_INTEGER, next, 3, received, 1, MPI_INTEGER, previous, 3, comm)
    call expect(received == previous, "the rank of the one before arrives")
  end subroutine

  subroutine several_requests_are_waited_for()
    integer, asynchronous :: sent(0:process_count - 1), received(0:process_count - 1, 2)
    type(cubefold_request) :: requests(2)
    integer :: place, run
    logical :: are_over
    sent = reshape(blocks(1, .false.), [process_count])
    do run = 1, 3
      received = -1
      call cubefold_ialltoall(sent, 1, MPI_INTEGER, received(:, 1), 1, MPI_INTEGER, comm, requests(1))
      call cubefold_ialltoall(sent, 1, MPI_INTEGER, received(:, 2), 1, MPI_INTEGER, comm, requests(2))
      are_over = run /= 2
      do while (.not. are_over)
        call cubefold_testall(2, requests, are_over, ierror)
      end do
      if (run == 1) then
        call cubefold_waitany(2, requests, place)
        call expect(place == 1 .or. place == 2, "one of the two is over")
        call cubefold_waitany(2, requests, place)
        call cubefold_waitany(2, requests, place, ierror)
        call expect(place == MPI_UNDEFINED, "none is under way")
      end if
      if (run == 3) call cubefold_waitall(2, requests, ierror)
      call expect(ierror == CUBEFOLD_SUCCESS, "they are over")
      call expect(all(received == spread(reshape(blocks(1, .true.), [process_count]), 2, 2)), "all blocks are there")
    end do
  end subroutine

  subroutine a_cartesian_grid_has_the_shape_that_was_asked_for()
    integer :: dims(2), coordinates(2)
    logical :: periods(2)
    type(MPI_Comm) :: cart
    call cubefold_cart_create(comm, [process_count, 1], [.true., .false.], cart, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a Cartesian grid is made")
    call MPI_Cart_get(cart, 2, dims, periods, coordinates)
    call expect(all(dims == [process_count, 1]) .and. periods(1) .and. .not. periods(2), "it has the shape")
    call MPI_Comm_free(cart)
    call cubefold_cart_create(comm, [process_count + 1], [.false.], cart, ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "a grid of another size is refused")
    call cubefold_comm_split(comm, "axis/0", cart, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a line of the network is a communicator")
    call MPI_Comm_free(cart)
    call cubefold_comm_split(comm, "axis/9", cart, ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "an axis that is not there is refused")
  end subroutine

  subroutine integers_are_exchanged()
    integer :: sent(2, 0:process_count - 1), received(2, 0:process_count - 1)
    sent = blocks(2, .false.)
    received = -1
    call cubefold_alltoall(sent, 2, MPI_INTEGER, received, 2, MPI_INTEGER, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == blocks(2, .true.)), "integers arrive")
    call cubefold_alltoall_in_place(sent, 2, MPI_INTEGER, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(sent == received), "integers arrive in place")
  end subroutine

  subroutine reals_and_complex_numbers_are_exchanged()
    double precision :: reals(3, 0:process_count - 1)
    complex, allocatable :: sent(:, :, :), received(:, :, :)
    reals = blocks(3, .false.)
    call cubefold_alltoall_in_place(reals, 3, MPI_DOUBLE_PRECISION, comm)
    call expect(all(nint(reals) == blocks(3, .true.)), "reals arrive")
    allocate (sent(2, 2, process_count), received(2, 2, process_count))
    sent = reshape(cmplx(blocks(4, .false.), 0.5), shape(sent))
    call cubefold_alltoall(sent, 4, MPI_COMPLEX, received, 4, MPI_COMPLEX, comm)
    call expect(all(nint(real(received)) == reshape(blocks(4, .true.), shape(received))), "real parts arrive")
    call expect(all(nint(2 * aimag(received)) == 1), "imaginary parts arrive")
  end subroutine

  subroutine derived_types_are_exchanged_as_other_types()
    integer :: sent(4, 0:process_count - 1), received(2, 0:process_count - 1), all_numbers(4, 0:process_count - 1)
    type(MPI_Datatype) :: every_second, spaced
    sent = blocks(4, .false.)
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, every_second)
    call MPI_Type_create_resized(every_second, 0_MPI_ADDRESS_KIND, 4_MPI_ADDRESS_KIND * storage_size(1) / 8, spaced)
    call MPI_Type_commit(spaced)
    call cubefold_alltoall(sent, 1, spaced, received, 2, MPI_INTEGER, comm, ierror)
    all_numbers = blocks(4, .true.)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == all_numbers(1:3:2, :)), "elements 1 and 3 arrive")
    call MPI_Type_free(spaced)
    call MPI_Type_free(every_second)
  end subroutine

  ! Rank i sends mod(i + j, 3) numbers to rank j.
  subroutine blocks_of_unequal_sizes_are_exchanged()
    integer :: counts(0:process_count - 1), places(0:process_count - 1), sent(0:2, 0:process_count - 1)
    integer :: received(0:2, 0:process_count - 1), expected(3, 0:process_count - 1), j
    do j = 0, process_count - 1
      counts(j) = mod(rank + j, 3)
      places(j) = 3 * j
    end do
    sent = blocks(3, .false.)
    received = -1
    call cubefold_alltoallv(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, comm, ierror)
    expected = blocks(3, .true.)
    do j = 0, process_count - 1
      expected(counts(j) + 1:, j) = -1
    end do
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == expected), "unequal blocks arrive")
    call cubefold_alltoallv_in_place(received, counts, places, MPI_INTEGER, comm, ierror)
    do j = 0, process_count - 1
      call expect(all(received(:counts(j) - 1, j) == sent(:counts(j) - 1, j)), "unequal blocks return in place")
    end do
  end subroutine

  ! Each rank sends two numbers to each rank. The displacement of typed blocks is in bytes.
  subroutine blocks_with_large_counts_are_exchanged()
    integer(MPI_COUNT_KIND) :: two, counts(0:process_count - 1)
    integer(MPI_ADDRESS_KIND) :: places(0:process_count - 1)
    integer, asynchronous :: sent(2, 0:process_count - 1), received(2, 0:process_count - 1)
    type(MPI_Datatype) :: types(0:process_count - 1)
    type(cubefold_request) :: request
    integer :: way, j
    two = 2
    counts = two
    types = MPI_INTEGER
    sent = blocks(2, .false.)
    do way = 1, 16
      received = -1
      if (way > 8) received = sent
      do j = 0, process_count - 1
        places(j) = 2 * j
        if (any(mod(way, 8) == [0, 3, 6])) places(j) = 8 * j
      end do
      select case (way)
      case (1)
        call cubefold_alltoall_c(sent, two, MPI_INTEGER, received, two, MPI_INTEGER, comm, ierror)
      case (2)
        call cubefold_alltoallv_c(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, comm, &
                                  ierror)
      case (3)
        call cubefold_alltoallw_c(sent, counts, places, types, received, counts, places, types, comm, ierror)
      case (4)
        call cubefold_ialltoall_c(sent, two, MPI_INTEGER, received, two, MPI_INTEGER, comm, request)
      case (5)
        call cubefold_ialltoallv_c(sent, counts, places, MPI_INTEGER, received, counts, places, MPI_INTEGER, comm, &
                                   request)
      case (6)
        call cubefold_ialltoallw_c(sent, counts, places, types, received, counts, places, types, comm, request)
      case (7)
        call cubefold_alltoall_init_c(sent, two, MPI_INTEGER, received, two, MPI_INTEGER, comm, request)
      case (8)
        call cubefold_alltoallw_init_c(sent, counts, places, types, received, counts, places, types, comm, request)
      case (9)
        call cubefold_alltoall_c_in_place(received, two, MPI_INTEGER, comm, ierror)
      case (10)
        call cubefold_alltoallv_c_in_place(received, counts, places, MPI_INTEGER, comm, ierror)
      case (11)
        call cubefold_alltoallw_c_in_place(received, counts, places, types, comm, ierror)
      case (12)
        call cubefold_ialltoall_c_in_place(received, two, MPI_INTEGER, comm, request)
      case (13)
        call cubefold_ialltoallv_c_in_place(received, counts, places, MPI_INTEGER, comm, request)
      case (14)
        call cubefold_ialltoallw_c_in_place(received, counts, places, types, comm, request)
      case (15)
        call cubefold_alltoall_init_c_in_place(received, two, MPI_INTEGER, comm, request)
      case (16)
        call cubefold_alltoallw_init_c_in_place(received, counts, places, types, comm, request)
      end select
      if (mod(way - 1, 8) >= 6) call cubefold_alltoall_start(request)
      if (mod(way - 1, 8) >= 3) call cubefold_wait(request, ierror)
      if (mod(way - 1, 8) >= 6) call cubefold_alltoall_free(request)
      call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == blocks(2, .true.)), "large counts are taken")
    end do
  end subroutine

  ! Rank i sends mod(i + j, 3) numbers to rank j, two of them with a gap between them.
  subroutine blocks_of_several_types_are_exchanged()
    integer :: counts(0:process_count - 1), ones(0:process_count - 1), places(0:process_count - 1), way, j
    integer, asynchronous :: sent(0:2, 0:process_count - 1), received(0:2, 0:process_count - 1)
    integer :: expected(0:2, 0:process_count - 1)
    type(MPI_Datatype) :: spread, types(0:process_count - 1), integers(0:process_count - 1)
    type(cubefold_request) :: request
    call MPI_Type_vector(2, 1, 2, MPI_INTEGER, spread)
    call MPI_Type_commit(spread)
    integers = MPI_INTEGER
    types = MPI_INTEGER
    do j = 0, process_count - 1
      counts(j) = mod(rank + j, 3)
      ones(j) = min(counts(j), 1)
      places(j) = 12 * j
      if (counts(j) == 2) types(j) = spread
    end do
    sent = blocks(3, .false.)
    expected = -1
    do j = 0, process_count - 1
      if (counts(j) > 0) expected(0, j) = number(j, rank, 1)
      if (counts(j) == 2) expected(1, j) = number(j, rank, 3)
    end do
    do way = 1, 3
      received = -1
      if (way == 1) call cubefold_alltoallw(sent, ones, places, types, received, counts, places, integers, comm, ierror)
      if (way == 2) then
        call cubefold_ialltoallw(sent, ones, places, types, received, counts, places, integers, comm, request)
      end if
      if (way == 3) then
        call cubefold_alltoallw_init(sent, ones, places, types, received, counts, places, integers, comm, request)
        call cubefold_alltoall_start(request)
      end if
      if (way > 1) call cubefold_wait(request, ierror)
      if (way == 3) call cubefold_alltoall_free(request)
      call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == expected), "blocks of several types arrive")
    end do
    do way = 1, 3
      received = sent
      if (way == 1) call cubefold_alltoallw_in_place(received, ones, places, types, comm, ierror)
      if (way == 2) call cubefold_ialltoallw_in_place(received, ones, places, types, comm, request)
      if (way == 3) then
        call cubefold_alltoallw_init_in_place(received, ones, places, types, comm, request)
        call cubefold_alltoall_start(request)
      end if
      if (way > 1) call cubefold_wait(request, ierror)
      if (way == 3) call cubefold_alltoall_free(request)
      do j = 0, process_count - 1
        call expect(ierror == CUBEFOLD_SUCCESS .and. (counts(j) == 0 .or. received(0, j) == number(j, rank, 1)), &
                    "blocks of several types arrive in place")
        call expect(received(1, j) == sent(1, j), "the gap of a type stays")
      end do
    end do
    call MPI_Type_free(spread)
  end subroutine

  subroutine requests_are_started_and_end()
    integer, asynchronous :: sent(0:process_count - 1), received(0:process_count - 1), placed(0:process_count - 1)
    integer :: ones(0:process_count - 1), places(0:process_count - 1)
    type(cubefold_request) :: requests(2)
    integer :: run
    logical :: is_over
    sent = reshape(blocks(1, .false.), [process_count])
    placed = sent
    call cubefold_ialltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm, requests(1))
    call cubefold_ialltoall_in_place(placed, 1, MPI_INTEGER, comm, requests(2))
    call cubefold_wait(requests(2))
    is_over = .false.
    do while (.not. is_over)
      call cubefold_test(requests(1), is_over)
    end do
    call expect(all(received == reshape(blocks(1, .true.), [process_count])), "a request exchanges")
    call expect(all(placed == received), "a request exchanges in place")
    placed = sent
    ones = 1
    places = [(run, run = 0, process_count - 1)]
    received = 0
    call cubefold_ialltoallv(sent, ones, places, MPI_INTEGER, received, ones, places, MPI_INTEGER, comm, requests(1))
    call cubefold_ialltoallv_in_place(placed, ones, places, MPI_INTEGER, comm, requests(2))
    ones = -1
    call cubefold_wait(requests(2))
    call cubefold_wait(requests(1))
    call expect(all(received == reshape(blocks(1, .true.), [process_count])), "a request exchanges unequal blocks")
    call expect(all(placed == received), "a request exchanges unequal blocks in place")
    call cubefold_wait(requests(1), ierror)
    call expect_error(ierror, "cubefold_wait: the cubefold_request is NULL")
    call cubefold_test(requests(1), is_over, ierror)
    call expect_error(ierror, "cubefold_test: the cubefold_request is NULL")

    call cubefold_alltoall_init(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm, requests(1))
    call cubefold_alltoall_init_in_place(placed, 1, MPI_INTEGER, comm, requests(2))
    do run = 1, 2
      call cubefold_alltoall_start(requests(1))
      call cubefold_alltoall_start(requests(2))
      call cubefold_wait(requests(1))
      call cubefold_wait(requests(2), ierror)
    end do
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(placed == received), "two exchanges in place are none")
    call cubefold_comm_free(comm, ierror)
    call expect_error(ierror, "cubefold_comm_free: requests of the cubefold_comm are not freed yet: 2")
    call cubefold_alltoall_free(requests(1))
    call cubefold_alltoall_free(requests(2), ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "a request is freed")
  end subroutine

  subroutine messages_reach_the_next_rank()
    integer :: next, previous, from, count
    integer, asynchronous :: sent(3), received(4)
    type(MPI_Status) :: status
    type(MPI_Request) :: requests(2)
    next = modulo(rank + 1, process_count)
    previous = modulo(rank - 1, process_count)
    sent = rank
    received = -1
    call cubefold_v_sendrecv(sent, 3, MPI_INTEGER, next, 7, received, 4, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, &
                             comm, status, ierror)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call expect(ierror == CUBEFOLD_SUCCESS .and. all(received == [previous, previous, previous, -1]), &
                "3 numbers arrive")
    call expect(status%MPI_SOURCE == previous .and. status%MPI_TAG == 7 .and. count == 3, "the status describes them")
    call cubefold_v_irecv(from, 1, MPI_INTEGER, previous, 8, comm, requests(1))
    call cubefold_v_isend(rank, 1, MPI_INTEGER, next, 8, comm, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call expect(from == previous, "a request receives a scalar")
    if (modulo(rank, 2) == 0 .and. next /= rank) call cubefold_v_send(sent, 3, MPI_INTEGER, next, 9, comm)
    if (modulo(rank, 2) == 1) then
      call cubefold_v_recv(received, 3, MPI_INTEGER, previous, 9, comm, MPI_STATUS_IGNORE, ierror)
      call expect(ierror == CUBEFOLD_SUCCESS .and. all(received(:3) == previous), "a message arrives without a status")
    end if
    call cubefold_v_send(sent, 3, MPI_INTEGER, process_count, 0, comm, ierror)
    call expect(ierror == CUBEFOLD_ERROR_MPI, "there is no rank behind the last one")
    call expect(index(cubefold_last_error(), "cubefold_v_send: MPI_Send: MPI_ERR_RANK") == 1, "the text is that of C")
  end subroutine

  subroutine messages_from_unusable_buffers_are_refused()
    integer :: table(4, 4)
    type(MPI_Request) :: request
    table = 0
    call cubefold_v_send(table(1, :), 4, MPI_INTEGER, rank, 0, comm, ierror)
    call expect_error(ierror, "cubefold_v_send: buffer is not contiguous")
    call cubefold_v_irecv(table(::2, 1), 2, MPI_INTEGER, rank, 0, comm, request, ierror)
    call expect_error(ierror, "cubefold_v_irecv: buffer is not contiguous")
    call cubefold_v_send(table(:, 2:3), 0, MPI_INTEGER, MPI_PROC_NULL, 0, comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "whole columns are contiguous")
    call cubefold_v_send(MPI_BOTTOM, 1, MPI_INTEGER, rank, 0, comm, ierror)
    call expect_error(ierror, "cubefold_v_send: buffer is MPI_BOTTOM, which only C may pass")
  end subroutine

  subroutine texts_are_fortran_strings()
    character(:), allocatable :: text
    call cubefold_explain(comm, 1024_c_size_t, text, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS .and. index(text, "1024") > 0, "the text names the size of blocks")
    call expect(cubefold_version() == "0.1.0", "the version is 0.1.0")
  end subroutine

  ! All processes make the same mistake, which ends all exchanges of a handle.
  subroutine exchanges_of_unusable_buffers_are_refused()
    integer :: sent(2, 0:process_count - 1), received(0:process_count - 1)
    sent = 0
    call cubefold_comm_create(MPI_COMM_WORLD, comm)
    call cubefold_alltoall(sent(:1, :), 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm, ierror)
    if (process_count > 1) then
      call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "a section of rows is refused")
      call expect(index(cubefold_last_error(), "cubefold_alltoall: ") == 1, "the text names the function")
      call expect(index(cubefold_last_error(), "send is not contiguous") > 0, "the text names the buffer")
    end if
    call cubefold_comm_free(comm)
    call cubefold_comm_create(MPI_COMM_WORLD, comm)
    call cubefold_alltoall(MPI_IN_PLACE, 1, MPI_INTEGER, received, 1, MPI_INTEGER, comm, ierror)
    call expect(ierror == CUBEFOLD_ERROR_ARGUMENT, "MPI_IN_PLACE is refused")
    call expect(index(cubefold_last_error(), "send is MPI_IN_PLACE; calls in place are separate procedures") > 0, &
                "the text says that there are other procedures")
    call cubefold_comm_free(comm, ierror)
    call expect(ierror == CUBEFOLD_SUCCESS, "the handle is freed after a refusal")
  end subroutine
end program
