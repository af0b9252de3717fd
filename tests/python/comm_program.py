"""Run by every process: the virtual ranks and exchanges of a Comm, compared with what mpi4py computes."""

import sys

import numpy as np
from mpi4py import MPI

import cubefold

WORLD = MPI.COMM_WORLD
GRID = f"ring:{WORLD.size}"


def refused(call, text):
    """Expects a ValueError with this text on this process."""
    try:
        call()
    except ValueError as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"no error: {text}")


def ranks_and_nodes_are_inverse():
    with cubefold.Comm(WORLD, GRID, "identity") as comm:
        assert (comm.rank, comm.size) == (WORLD.rank, WORLD.size)
    with cubefold.Comm(WORLD, GRID, f"nodes={'-'.join(map(str, reversed(range(WORLD.size))))}") as comm:
        assert comm.rank == WORLD.size - 1 - WORLD.rank
        for node in range(comm.size):
            assert comm.to_physical(comm.to_virtual(node)) == node
        refused(lambda: comm.to_virtual(comm.size), "cubefold_to_virtual: ")
        refused(lambda: comm.to_physical(-1), "cubefold_to_physical: ")


def alltoall_sends_block_j_to_rank_j(dtype, shape):
    with cubefold.Comm(WORLD, GRID) as comm:
        send = np.empty((comm.size, *shape), dtype)
        for to in range(comm.size):
            send[to] = np.array(100 * comm.rank + to).astype(send.dtype)
        receive = np.empty_like(send)
        comm.alltoall(send, receive)
        for source in range(comm.size):
            assert (receive[source] == np.array(100 * source + comm.rank).astype(send.dtype)).all()
        assert comm.explain(8)


def facts_are_those_of_the_handle():
    with cubefold.Comm(WORLD, GRID, "identity") as comm:
        assert (comm.node, comm.grid, comm.placement, comm.is_known) == (WORLD.rank, str(cubefold.Grid(GRID)),
                                                                         "identity", True)
    with cubefold.Comm(WORLD) as comm:
        assert comm.is_known is False


def alltoallv_sends_blocks_of_any_sizes(dtype, gap):
    """Rank i sends (i + j) % 3 elements to rank j. Blocks follow one another, or leave a gap, with displacements."""
    with cubefold.Comm(WORLD, GRID) as comm:
        counts = [(comm.rank + other) % 3 for other in range(comm.size)]
        places = [sum(counts[:other]) + gap * other for other in range(comm.size)]
        send = np.full(sum(counts) + gap * comm.size, -1).astype(dtype)
        receive = send.copy()
        expected = send.copy()
        for other, (place, count) in enumerate(zip(places, counts)):
            send[place:place + count] = np.array(100 * comm.rank + other).astype(dtype)
            expected[place:place + count] = np.array(100 * other + comm.rank).astype(dtype)
        displacements = [places, np.array(places)] if gap else []
        comm.alltoallv(send, counts, receive, np.array(counts), *displacements)
        assert (receive == expected).all()


def alltoallw_redistributes_an_array(form):
    """Rows become columns and come back, by parts of arrays as in mpi4py-fft."""
    with cubefold.Comm(WORLD, GRID) as comm:
        size, rank = comm.size, comm.rank
        shape = (2 * size, 3 * size)
        whole = np.arange(shape[0] * shape[1], dtype=np.float64).reshape(shape)
        rows = np.ascontiguousarray(whole[2 * rank:2 * rank + 2])
        columns = np.ascontiguousarray(whole[:, 3 * rank:3 * rank + 3])
        of_rows = [MPI.DOUBLE.Create_subarray(rows.shape, (2, 3), (0, 3 * to)).Commit() for to in range(size)]
        of_columns = [MPI.DOUBLE.Create_subarray(columns.shape, (2, 3), (2 * to, 0)).Commit() for to in range(size)]

        def message(array, types):
            ones, places = [1] * size, [0] * size
            return [array, *{2: [], 3: [(ones, places)], 4: [np.array(ones), places]}[form], types]

        for _ in range(3):
            there, back = np.zeros_like(columns), np.zeros_like(rows)
            comm.alltoallw(message(rows, of_rows), message(there, of_columns))
            comm.alltoallw(message(there, of_columns), message(back, of_rows))
            assert (there == columns).all() and (back == rows).all()
        comm.alltoallw(MPI.IN_PLACE, message(back, of_rows))
        for other in range(size):
            assert (back[:, 3 * other:3 * other + 3] == whole[2 * other:2 * other + 2, 3 * rank:3 * rank + 3]).all()
        for datatype in of_rows + of_columns:
            datatype.Free()


def alltoallw_refuses_what_is_no_message():
    array = np.zeros(WORLD.size)
    types = [MPI.DOUBLE] * WORLD.size
    for send, text in [([array], "the send message has 1 parts, not 2 to 4"),
                       ([array.tolist(), types], "the send buffer is no array"),
                       ([array, types + types], f"datatypes are not {WORLD.size} each"),
                       ([array, [2 * WORLD.size] * WORLD.size, [0] * WORLD.size, types], "the send block 0 of"),
                       (7, "neither a sequence nor MPI.IN_PLACE")]:
        with cubefold.Comm(WORLD, GRID) as comm:
            refused(lambda a=send, c=comm: c.alltoallw(a, [array, types]), text)


def counts_and_displacements_may_be_above_2_31():
    """Blocks of one byte are far apart in memory that nobody touches, and many elements have no bytes."""
    if WORLD.size > 4:
        return
    with cubefold.Comm(WORLD, GRID) as comm:
        far = 2**31 + 5
        send, receive = (np.zeros(far + comm.size, "int8") for _ in range(2))
        send[far:] = 10 * comm.rank + np.arange(comm.size)
        expected = 10 * np.arange(comm.size) + comm.rank
        ones, places = [1] * comm.size, [far + other for other in range(comm.size)]
        comm.alltoallv(send, ones, receive, ones, places, places)
        assert (receive[far:] == expected).all()
        receive[far:] = 0
        bytes_of_all = [MPI.BYTE] * comm.size
        comm.alltoallw([send, ones, places, bytes_of_all], [receive, ones, places, bytes_of_all])
        assert (receive[far:] == expected).all()
        empty = MPI.BYTE.Create_contiguous(0).Commit()
        message = [receive, [far] * comm.size, places, [empty] * comm.size]
        comm.alltoallw(message, message)
        assert (receive[far:] == expected).all()
        empty.Free()


def alltoallw_refuses_counts_that_no_array_has():
    array = np.zeros(WORLD.size)
    types = [MPI.DOUBLE] * WORLD.size
    for count, place in [(2**62, 0), (2**61 + 1, 0), (1, 2**63 - 1), (2**63 - 1, 2**63 - 1)]:
        with cubefold.Comm(WORLD, GRID) as comm:
            refused(lambda c=comm: c.alltoallw([array, [count] * c.size, [place] * c.size, types], [array, types]),
                    f"the send block 0 of {count} elements at {place} is not in the {array.nbytes} bytes of the array")


def alltoallv_refuses_blocks_that_are_not_in_the_array():
    size = WORLD.size
    ones = [1] * size
    numbers = np.zeros(size)
    for arguments, text in [((numbers, ones[1:], np.zeros(size), ones), f"counts or displacements are not {size}"),
                            ((numbers, ones, np.zeros(size), [2] * size), "the receive block "),
                            ((numbers, [-1] * size, np.zeros(size), ones), "the send block 0 of -1 elements at 0"),
                            ((numbers, ones, np.zeros(size), ones, [size] * size), f"elements at {size} is not in"),
                            ((numbers, ones, numbers, ones), "the arrays overlap")]:
        with cubefold.Comm(WORLD, GRID) as comm:
            refused(lambda a=arguments, c=comm: c.alltoallv(*a), text)


def vectors_are_reduced_and_gathered(dtype):
    size = WORLD.size
    with cubefold.Comm(WORLD, GRID) as comm:
        send = (np.arange(3 * size) + comm.rank).astype(dtype)
        total = np.empty_like(send)
        comm.allreduce(send, total)
        every = [(np.arange(3 * size) + other).astype(dtype) for other in range(size)]
        expected = np.sum(every, axis=0).astype(dtype)
        assert (total == expected).all()
        if dtype != "complex128":
            comm.allreduce(send, total, op=MPI.MAX)
            assert (total == np.max(every, axis=0)).all()
        part = np.empty(3, dtype)
        comm.reduce_scatter(send, part)
        assert (part == expected[3 * comm.rank:][:3]).all()
        counts = [3 * size if other == size - 1 else 0 for other in range(size)]
        part = np.empty(counts[comm.rank], dtype)
        comm.reduce_scatter(send, part, counts)
        assert (part == expected[:counts[comm.rank]]).all()
        gathered = np.empty(3 * size * size, dtype)
        comm.allgather(send, gathered)
        assert (gathered == np.concatenate(every)).all()
        counts = [other % 3 for other in range(size)]
        gathered = np.empty(sum(counts), dtype)
        comm.allgather(send[:counts[comm.rank]], gathered, counts)
        assert (gathered == np.concatenate([each[:count] for each, count in zip(every, counts)])).all()


def vectors_of_wrong_lengths_and_types_are_refused():
    size = WORLD.size
    numbers = np.zeros(size)
    for call, text in [(lambda c: c.allreduce(numbers, np.zeros(size + 1)),
                        f"the receive array has {size + 1} elements, not {size}"),
                       (lambda c: c.reduce_scatter(numbers, np.zeros(2)),
                        f"the send array has {size} elements, not {2 * size}"),
                       (lambda c: c.allgather(numbers, np.zeros(1)), "the receive array has 1 elements, not"),
                       (lambda c: c.allreduce(np.zeros(1, "S5"), np.zeros(1, "S5")),
                        "elements of dtype |S5 are not reduced"),
                       (lambda c: c.allreduce(numbers, np.zeros(size), op=max),
                        "the operation is no mpi4py.MPI.Op")]:
        with cubefold.Comm(WORLD, GRID) as comm:
            if size > 1 or "has 1 elements" not in text:
                refused(lambda c=comm, f=call: f(c), text)


def ring_of_neighbours():
    """Returns a graph in which every process has itself and both processes beside it, in this order."""
    sources = [(WORLD.rank - distance) % WORLD.size for distance in (0, 1, -1)]
    destinations = [(WORLD.rank + distance) % WORLD.size for distance in (0, 1, -1)]
    return WORLD.Create_dist_graph_adjacent(sources, destinations), sources


def neighbours_exchange_what_mpi4py_exchanges():
    graph, sources = ring_of_neighbours()
    with cubefold.Comm(graph) as comm:
        send = 100.0 * WORLD.rank + np.arange(6)
        received, expected = np.zeros(6), np.zeros(6)
        comm.neighbor_alltoall(send, received)
        graph.Neighbor_alltoall(send, expected)
        assert (received == expected).all()
        counts, places = [1, 0, 2], [0, 2, 4]
        received, expected = np.zeros(6), np.zeros(6)
        comm.neighbor_alltoallv(send, counts, received, np.array(counts), places, places)
        graph.Neighbor_alltoallv([send, (counts, places), MPI.DOUBLE], [expected, (counts, places), MPI.DOUBLE])
        assert (received == expected).all()
        packed = np.zeros(3)
        comm.neighbor_alltoallv(send[[0, 4, 5]], counts, packed, counts)
        assert (packed == expected[[0, 4, 5]]).all()
        pair = MPI.DOUBLE.Create_contiguous(2).Commit()
        types, far = [MPI.DOUBLE, pair, MPI.DOUBLE], [0, 16, 32]
        received, expected = np.zeros(6), np.zeros(6)
        comm.neighbor_alltoallw([send, ([1, 1, 2], far), types], [received, [1, 1, 2], far, types])
        graph.Neighbor_alltoallw([send, ([1, 1, 2], far), types], [expected, ([1, 1, 2], far), types])
        assert (received == expected).all()
        pair.Free()
        gathered, expected = np.zeros(6), np.zeros(6)
        comm.neighbor_allgather(send[:2], gathered)
        graph.Neighbor_allgather(send[:2], expected)
        assert (gathered == expected).all()
        of_sources = [source % 3 for source in sources]
        gathered = np.zeros(sum(of_sources))
        comm.neighbor_allgather(send[:WORLD.rank % 3], gathered, of_sources)
        assert (gathered == np.concatenate([100.0 * r + np.arange(r % 3) for r in sources])).all()
    graph.Free()


def neighbours_refuse_what_does_not_fit():
    graph, _ = ring_of_neighbours()
    numbers = np.zeros(3)
    for call, text in [(lambda c: c.neighbor_alltoall(np.zeros(4), np.zeros(6)),
                        "the send array has 4 elements, not 6"),
                       (lambda c: c.neighbor_alltoallv(numbers, [1, 1], np.zeros(3), [1] * 3),
                        "the send counts or displacements are not 3 numbers"),
                       (lambda c: c.neighbor_alltoallw([numbers, [MPI.DOUBLE]], [numbers, [MPI.DOUBLE] * 3]),
                        "the send counts, displacements or datatypes are not 3 each"),
                       (lambda c: c.neighbor_allgather(numbers, np.zeros(3)),
                        "the receive array has 3 elements, not 9")]:
        with cubefold.Comm(graph) as comm:
            refused(lambda c=comm, f=call: f(c), text)
    graph.Free()
    with cubefold.Comm(WORLD, GRID) as comm:
        refused(lambda: comm.neighbor_alltoall(numbers, np.zeros(3)), "a communicator without a topology")


def cart_create_makes_a_communicator_of_mpi4py():
    with cubefold.Comm(WORLD, GRID) as comm:
        cart = comm.cart_create([WORLD.size, 1], [True, False])
        assert isinstance(cart, MPI.Cartcomm)
        assert (cart.dims, [bool(ring) for ring in cart.periods]) == ([WORLD.size, 1], [True, False])
        assert sorted(cart.allgather(cart.rank)) == list(range(WORLD.size))
        cart.Free()
        refused(lambda: comm.cart_create([WORLD.size + 1], [True]), "cubefold_cart_create: a grid of ")
        refused(lambda: comm.cart_create([WORLD.size], []), "cubefold_cart_create: ndims is below 1, or dims")


def split_makes_the_communicator_of_a_resource():
    with cubefold.Comm(WORLD, GRID) as comm:
        line = comm.split("axis/0")
        assert WORLD.size % line.size == 0
        line.Free()
        refused(lambda: comm.split("axis/9"), "cubefold_comm_split: resource 'axis/9' of ")


def exchange_fails_on_all_processes_if_it_fails_on_all(send, receive, text):
    with cubefold.Comm(WORLD, GRID) as comm:
        refused(lambda: comm.alltoall(send, receive), text)


def exchange_fails_on_all_processes_if_it_fails_on_one():
    comm = cubefold.Comm(WORLD, GRID)
    own = WORLD.size if comm.rank else WORLD.size + 1
    try:
        comm.alltoall(np.zeros(own), np.zeros(own))
    except (ValueError, RuntimeError) as error:
        assert f"{WORLD.size + 1} elements are not equal blocks of {WORLD.size} ranks" in str(error), error
    else:
        raise AssertionError("no error")
    comm.free()


def comm_that_is_freed_says_so():
    comm = cubefold.Comm(WORLD, GRID)
    comm.free()
    comm.free()
    for call in [lambda: comm.rank, lambda: comm.size, lambda: comm.to_virtual(0), lambda: comm.explain(8),
                 lambda: comm.alltoall(np.zeros(0), np.zeros(0))]:
        refused(call, "the cubefold_comm is NULL")


def main():
    ranks_and_nodes_are_inverse()
    for dtype in ["int8", "float64", "complex64", "datetime64[s]", "S5"]:
        for shape in [(), (3,), (0,), (2, 2)]:
            alltoall_sends_block_j_to_rank_j(dtype, shape)
    facts_are_those_of_the_handle()
    for dtype in ["int8", "float64", "datetime64[s]"]:
        alltoallv_sends_blocks_of_any_sizes(dtype, 0)
        alltoallv_sends_blocks_of_any_sizes(dtype, 2)
    alltoallv_refuses_blocks_that_are_not_in_the_array()
    for form in (2, 3, 4):
        alltoallw_redistributes_an_array(form)
    alltoallw_refuses_what_is_no_message()
    counts_and_displacements_may_be_above_2_31()
    alltoallw_refuses_counts_that_no_array_has()
    for dtype in ["int8", "uint16", "int64", "float32", "float64", "complex128"]:
        vectors_are_reduced_and_gathered(dtype)
    vectors_of_wrong_lengths_and_types_are_refused()
    neighbours_exchange_what_mpi4py_exchanges()
    neighbours_refuse_what_does_not_fit()
    cart_create_makes_a_communicator_of_mpi4py()
    split_makes_the_communicator_of_a_resource()
    size = WORLD.size
    numbers = np.zeros(2 * size)
    read_only = np.zeros(size)
    read_only.flags.writeable = False
    for send, receive, text in [(np.zeros(4 * size)[::2], np.zeros(size), "the send array is not contiguous"),
                                (np.zeros(size), np.zeros(4 * size)[::2], "the receive array is not contiguous"),
                                (np.zeros(size), read_only, "the receive array is read-only"),
                                (np.zeros(size), np.zeros(size, "f"), "the arrays have different dtypes"),
                                (np.zeros(size), numbers, f"{size} elements to send are not {2 * size} to receive"),
                                (np.zeros(size, object), np.zeros(size, object), "the send array holds Python objects"),
                                (numbers[:size], numbers[:size], "the arrays overlap")]:
        exchange_fails_on_all_processes_if_it_fails_on_all(send, receive, text)
    if size > 1:
        exchange_fails_on_all_processes_if_it_fails_on_one()
    comm_that_is_freed_says_so()
    refused(lambda: cubefold.Comm(WORLD, f"ring:{size + 1}"), "cubefold_comm_create: ")
    refused(lambda: cubefold.Comm(WORLD, GRID, "xorr"), "xorr")
    try:
        cubefold.Comm(MPI)
    except TypeError as error:
        assert "no mpi4py.MPI.Comm" in str(error)
    kept = cubefold.Comm(WORLD, GRID)  # mpi4py finalises MPI while this object exists
    sys.kept = kept
    if WORLD.allreduce(1) == size and WORLD.rank == 0:
        print("right")


main()
