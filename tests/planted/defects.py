"""The defects that ./dev plant puts into the library one after the other, each with a test that has to fail."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Defect:
    name: str
    file: str
    text: str  # it is in the file once
    replacement: str
    program: str  # the target of a program of tests, or the path of a file of tests in Python below tests/
    tests: str  # a filter of GoogleTest, or an expression for pytest -k; empty for all tests
    ranks: int = 0  # processes of MPI, or 0 for a program that runs alone
    arguments: tuple = ()  # names of files for a program of MPI tests
    needs: tuple = ()  # the targets that tests in Python start
    commit: str = ""  # the fix in the log that this defect takes back

    @property
    def is_in_python(self):
        return self.program.endswith(".py")

    @property
    def targets(self):
        return self.needs if self.is_in_python else (self.program,)

    @property
    def test(self):
        """The words for the test in a table."""
        words = " ".join([self.program, *self.arguments, *([self.tests] if self.tests else [])])
        return f"`{words}`" + (f" on {self.ranks} processes" if self.ranks > 1 else "")


def core(name, file, text, replacement, tests):
    return Defect(name, f"lib/{file}", text, replacement, "core_tests", tests)


def transform(name, file, text, replacement, tests):
    return Defect(name, f"lib/transform/{file}", text, replacement, "fft_value_tests", tests)


def fft(name, file, text, replacement, tests):
    return Defect(name, f"lib/fft/{file}", text, replacement, "fft_value_tests", tests)


def mpi(name, file, text, replacement, tests, ranks, program="mpi_tests"):
    return Defect(name, f"lib/mpi/{file}", text, replacement, program, tests, ranks)


def fftw_mpi(name, file, text, replacement, tests):
    return Defect(name, f"lib/fftw_mpi/{file}", text, replacement, "fftw_mpi_value_tests", tests)


def verify(name, file, text, replacement):
    return Defect(name, f"apps/planner/verification/{file}", text, replacement, "program_value_tests",
                  "MutatedCertificates.*")


DEFECTS = [
    core("a link may carry one message too many", "schedule/conflict.cpp", "if (others >= capacity)",
         "if (others > capacity)", "FirstConflict.*"),
    core("a bucket goes to the node from which it came", "collective/channel_steps.cpp",
         "rank_moved(from, step_of(step).axis_number, 1)", "rank_moved(from, step_of(step).axis_number, -1)",
         "VectorMethods.deliver*"),
    core("direct sends all chunks of a line to the next node", "collective/channel_steps.cpp",
         "(1 + (s + first_place_) % (extent(number) - 1))", "(1 + 0 * (s + first_place_))", "VectorMethods.deliver*"),
    core("a table of routes is taken to load as many links backwards", "collective/reduction.cpp",
         "placement.grid().route_table() == nullptr && ", "", "VectorMethods.cost*"),
    core("a rank that leaves takes no chunks of those that left to it", "collective/channel_steps.cpp",
         "folding_.members(folding_.outer_rank(each), fold_count())", "folding_.members(folding_.outer_rank(each), 0)",
         "VectorMethods.deliver*"),
    core("loads are taken to be equal backwards where ranks have left", "collective/reduction.cpp",
         " && channels.front()->fold_count() == 0;", ";", "VectorMethods.cost*"),
    core("a folded axis leaves one node too many", "collective/folding.cpp", "c % 2 == 1 && c < 2 * excess(axis)",
         "c % 2 == 1", "Folding.*"),
    core("a measured time of MPI_Allreduce is not used", "plan/vector_choice.cpp",
         "return measured ? *measured :", "return false ? *measured :", "VectorChoice.compares*"),
    core("swing goes on in one direction", "exchange/pairing.cpp", "distance = 1 - 2 * distance;",
         "distance = 1 + 2 * distance;", "Swing.*"),
    core("nobody looks at the receiver's port", "schedule/conflict.cpp",
         "receivers_.claim(static_cast<std::size_t>(to)", "receivers_.claim(static_cast<std::size_t>(from)",
         "FirstConflict.finds_a_node_that_receives_twice_through_one_port"),
    core("a rank may send a block that it does not hold", "schedule/delivery.cpp",
         "    if (holder != message.from) return fault(Kind::block_not_held, block);\n", "", "FirstDeliveryFault.*"),
    core("a contribution may come twice", "schedule/delivery.cpp",
         "reduced_.common(held.value, arrived.value)", "std::optional<Rank>()", "DeliveryOfCollectives.*"),
    core("operands may have any order", "schedule/delivery.cpp",
         "left.is_in_order && right.is_in_order && reduced_.are_in_order(left.value, right.value)", "true",
         "OrderOfCollectives.*"),
    core("a value that arrives left becomes the right operand", "schedule/packing.cpp",
         "    if (message.arrives_left) {\n", "    if (false) {\n", "Reduce.*"),
    core("the value of the lower rank becomes the right operand", "collective/reduction.cpp",
         "keeps_order(method.algorithm) && message.from < message.to",
         "keeps_order(method.algorithm) && message.from > message.to",
         "VectorMethods.keep_the_order_*"),
    core("a reduction does not wait for its operand", "schedule/local_program.cpp",
         "      message.needs_receives = std::max(message.needs_receives, operand.arrives_with);\n", "",
         "LocalPrograms.of_collectives_*"),
    core("a block arrives in the slot of another", "schedule/local_program.cpp",
         "collective_.receive_slot(block), receives}",
         "collective_.send_slot(block), receives}", "LocalProgram.*"),
    core("a block is sent on before it has arrived", "schedule/local_program.cpp",
         "      message.needs = std::max(message.needs, location.arrives_with);\n", "", "LocalProgram.*"),
    core("the last piece of a block is too long", "schedule/packing.cpp",
         "return std::min(piece_bytes_, size - std::min(skipped_, size));",
         "return std::min(piece_bytes_, size - std::min<std::size_t>(skipped_ / 2, size));", "*Packing*"),
    core("the last piece of an equal block is too long", "schedule/packing.hpp",
         "equal_size_(std::min(piece_bytes, distance() - std::min(skipped_, distance()))),",
         "equal_size_(std::min(piece_bytes, distance() - std::min<std::size_t>(skipped_ / 2, distance()))),",
         "*Packing*"),
    core("the last value of a digit has no step", "exchange/bruck.cpp", "value < radix && value * weight < rank_count",
         "value < radix && (value + 1) * weight < rank_count", "BruckExchange.delivers_every_block_once"),
    core("the pipeline lacks an iteration of its kernel", "schedule/pipelining.cpp", "packet_count - all + 1 : 1",
         "packet_count - all : 1", "PipelineTasks.*"),
    core("the inverse of a matrix takes the wrong columns", "gf2/bit_matrix.cpp", "right[j] ^= right[row];",
         "right[j] ^= left[row];", "BitMatrix.inverse_*"),
    core("a Gray code lacks its top bit", "embedding/placement.cpp", "map.set(row, column);",
         "if (column < top || row == top) map.set(row, column);",
         "Placement.gray_puts_rank_m_xor_half_m_at_coordinate_m"),
    core("xor turns the wrong bit", "embedding/placement.cpp", "map.set(top - 1, top);", "map.set(top, top - 1);",
         "ConstantDistances.of_xor*"),
    core("contention counts the pivot of the dimension itself", "lcc/contention.cpp", "return row > i;",
         "return row >= i;", "Contention.is_what_counting_routes_gives_for_every*"),
    core("a ring is cut through one link", "simulation/bounds.cpp", "grid.has_wrap_link(axis) ? 2 : 1",
         "grid.has_wrap_link(axis) ? 1 : 1", "BisectionBlocks.*"),
    core("the bound of start-ups counts a port too many", "simulation/bounds.cpp", "reached *= port_count + 1",
         "reached *= port_count + 2", "StartupBound.*"),
    core("a step carries the loads of ports of the step before", "simulation/steps.cpp",
         "{&links_, &send_ports_, &receive_ports_}) workload->clear()", "{&links_}) workload->clear()",
         "SimulateSteps.*"),
    core("the fastest call decides in place of the median", "plan/exchange_tuning.cpp",
         "return times[times.size() / 2];", "return times.front();",
         "ExchangeTuning.chooses_by_medians_and_not_by_single_calls"),
    core("a candidate that is slow is called on", "plan/exchange_tuning.cpp",
         "most_longer) * least) is_left_[i] = false;", "most_longer) * least) is_left_[i] = true;",
         "ExchangeTuning.calls_no_candidate_again_that_took_more_than_twice_as_long"),
    core("every call is a trial", "plan/tuner.cpp", "* trial_share > call_count_) return false;",
         "* trial_share > call_count_) return true;",
         "Tuner.measures_the_first_ten_calls_and_then_at_most_a_tenth_of_all_calls"),
    core("a choice is never changed", "plan/exchange_tuning.cpp", "  chosen_ = other;\n", "",
         "Tuner.takes_another_candidate_after_three_calls_in_a_row_that_are_slower_than_it"),
    core("an item shares a resource with another one", "schedule/item_placing.cpp",
         "if (other != nobody) take_out(other);", "if (other == item) take_out(other);",
         "*ItemPlacing.fills_steps_without_room_to_spare"),
    core("messages within a node count as traffic", "plan/evaluate.cpp", "if (from != to) visit(",
         "visit(", "Evaluate.counts_nothing_within_a_node"),
    core("bricks are counted like the ranks in a brick", "plan/bricks.cpp", "number_at(brick, bricks_on_axis)",
         "number_at(brick, bricks.brick)", "Bricks.*"),
    core("a range of hosts lacks its last one", "hosts/host_list.cpp", "number <= *last;", "number < *last;",
         "ExpandHostList.*"),
    core("a file that is not complete stays", "text/whole_file.cpp",
         "  if (!temporary_.empty()) unlink(temporary_.c_str());\n", "", "WholeFileTest.*"),
    core("a file is written through a symbolic link", "text/whole_file.cpp",
         "open(temporary_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC)",
         "open(temporary_.c_str(), O_WRONLY | O_CLOEXEC)",
         "WholeFileTest.*"),
    transform("a twiddle has the exponent of another rank", "binary_exchange.cpp", "return input_label(rank) & left;",
              "return label(rank) & left;", "BinaryExchange.is_the_transform_by_definition_in_every_small_shape"),
    transform("a quarter of the roots of unity is mirrored", "roots.cpp", "root = {sine, -cosine};",
              "root = {-sine, -cosine};", "ComplexProgram.transforms_block_cyclic_lines_whatever_their_blocks"),
    transform("squares of transforms that come first begin with the first tile", "square_exchange.cpp",
              "transforms_first ? tile_count() - 1 - number : number", "number",
              "LoweredProgram.gives_the_same_through_windows_for_matrices"),
    transform("two blocks of a square share a place in the window", "square_exchange.cpp",
              "to - (to > from ? 1 : 0)", "to - (to > 0 ? 1 : 0)",
              "LoweredProgram.gives_the_same_through_windows_for_matrices"),
    transform("a part of a window goes to the places of the taker's own values", "window_exchange.cpp",
              "values_at(before_, gathered_, with_member(other))", "values_at(before_, gathered_, members_)",
              "LoweredProgram.gives_the_same_through_windows_for_*"),
    fft("the twiddles of every tile are those of the first", "window_plan.cpp",
        "transform_.twiddle_values[tile.first_inner + column % tile.inner]",
        "transform_.twiddle_values[column % tile.inner]",
        "LoweredProgram.gives_the_same_through_windows_for_a_line"),
    fft("a process takes only the rows of a square", "square_exchange_plan.cpp",
        "{window, left * inner}, {corner, row_}, left, width, inner",
        "{window, left * inner}, {corner, row_}, width, width, inner",
        "LoweredProgram.gives_the_same_through_windows_for_matrices"),
    transform("the values of a block lie too close", "block_geometry.cpp", "counts[member]++ * stride",
              "counts[member]++ * std::min<std::size_t>(stride, 1)", "ExchangeBlocks.*"),
    mpi("the last two bytes of the last packet are swapped", "alltoall_run.cpp",
        "  require_size(message, arrived, transfer.bytes);\n",
        "  if (receives_.over() + 1 == receives_.count() && transfer.bytes > 1 && transfer.staging == nullptr) {\n"
        "    std::byte* const end = message_begin(program_, message, memory_) + transfer.bytes;\n"
        "    std::swap(end[-1], end[-2]);\n"
        "  }\n"
        "  require_size(message, arrived, transfer.bytes);\n",
        "AlltoallRunTest.brings_every_block_by_every_method_on_every_grid", 4),
    mpi("the clock starts without a barrier", "alltoall_run.cpp",
        "if (setup_.sync == StepSync::clock &&", "if (setup_.sync > StepSync::clock &&",
        "Methods/Timeouts.*direct_clock*", 2),
    mpi("exchanges share tags", "comm_context.cpp", "static_cast<int>(number % runs_with_tags()) * TagRange::tag_count",
        "static_cast<int>(number % runs_with_tags() / 2) * TagRange::tag_count", "CommContext.*", 4),
    mpi("an exchange begins while another has its tags", "comm_context.cpp",
        "if (first_tag(earlier->number()) == tag) return false;",
        "if (first_tag(earlier->number()) == tag) return true;", "CommContext.*", 4),
    mpi("what arrives is not reduced", "alltoall_run.cpp",
        "  if (message.operand_run_count > 0) reduce(program_, message, memory_);\n", "", "CollectiveRunTest.*", 2),
    mpi("a message that is too short is accepted", "alltoall_run.cpp",
        "if (static_cast<std::size_t>(arrived) == expected)",
        "if (static_cast<std::size_t>(arrived) <= expected)",
        "AlltoallPlanTest.says_that_another_process_sends_blocks_of_another_size", 2),
    mpi("blocks of unequal sizes count as equal", "alltoall_run.cpp",
        "if (sizes.number_of(rank) == sizes.number_of(0)) continue;",
        "if (sizes.number_of(rank) >= sizes.number_of(0)) continue;", "CheckedMode.*", 2),
    mpi("a plan of another block size is used", "plan_cache.cpp", "return exchange->block_bytes() == block_bytes;",
        "return exchange->block_bytes() >= block_bytes;", "MeasuredExchange.*", 2),
    mpi("a part of an array is sent from the beginning of the array", "blocks.cpp",
        "return first_element(block) + layout_of_block(block).begin_bytes;", "return first_element(block);",
        "Candidates/TypedExchangeTest.redistributes_arrays/*", 2),
    core("an axis of the network has the number of another one", "topology/network_resource.cpp",
         "return network.coordinate(node, axis) * network.stride(axis);",
         "return network.coordinate(node, 0) * network.stride(axis);", "NetworkResource.is_shared*"),
    mpi("ranks of a line are not in the order of its nodes", "comm_split.cpp",
        "key = static_cast<int>(place.node);", "key = -static_cast<int>(place.node);", "CommSplit.makes*", 4),
    mpi("a part of a network has the numbers of its own nodes", "comm_split.cpp",
        "return whole.node_of_vertex[static_cast<std::size_t>(node)];", "return node;", "CommSplit.has_the_axes*", 3),
    Defect("a program that splits by a line of the network has its own order of ranks left out",
           "lib/preload/network_resources.cpp", "MPI_Comm_split(comm, *color, key, made)",
           "MPI_Comm_split(comm, *color, 0, made)", "preload_tests", "OnATorus.processes_are_split*", 4),
    Defect("a quotation mark ends a text of the summary", "lib/preload/summary.cpp",
           "if (each == '\"' || each == '\\\\') quoted += '\\\\';", "if (each == '\\\\') quoted += '\\\\';",
           "apps/preload_test.py", "json_says_why", needs=("cubefold_preload", "unchanged_program")),
    mpi("a displacement of 8 bytes is cut to an int", "blocks.cpp",
        "static_cast<MPI_Count>(block) * count_ : displacements_[block]);",
        "static_cast<MPI_Count>(block) * count_ : static_cast<int>(displacements_[block]));",
        "Candidates/LargeCountsTest.of_bytes_that_are_a_gib_apart_arrive/*", 2),
    mpi("a count of 8 bytes is read as an int", "blocks.hpp", "are_large_(sizeof(Integer) > sizeof(int)) {",
        "are_large_(sizeof(Integer) < sizeof(int)) {", "Candidates/LargeCountsTest.of_unequal*", 2),
    mpi("the rest of a long block comes first", "blocks.cpp", "add(count % most, count - count % most, type);",
        "add(count % most, 0, type);", "BlockType.has_as_many*", 1),
    mpi("the next part of a block with gaps follows without them", "blocks.cpp",
        "next += static_cast<MPI_Aint>(now) * layout.extent_bytes;",
        "next += static_cast<MPI_Aint>(now) * static_cast<MPI_Aint>(layout.size_bytes);",
        "Candidates/LargeCountsTest.of_unequal*", 2),
    mpi("MPI's own function gets an int where a displacement is longer", "mover_mpi.cpp",
        "const bool is_own = count > 0 && !(is_int(count) && is_int(displacement));", "const bool is_own = false;",
        "Candidates/LargeCountsTest.of_bytes_that_are_a_gib_apart_arrive/*", 2),
    mpi("messages are longer than the largest", "alltoall_run.cpp",
        "const std::size_t longest = plan.setup().largest_message_bytes;",
        "const std::size_t longest = std::numeric_limits<int>::max();",
        "Candidates/LargeCountsTest.of_equal*", 2),
    mpi("a block of the datatype before has its size", "blocks.cpp",
        "if (has_elements && (last == MPI_DATATYPE_NULL || types_[block] != last)) {",
        "if (has_elements && last == MPI_DATATYPE_NULL) {", "Candidates/TypedExchangeTest.brings_blocks_of_types*", 2),
    mpi("calls with several datatypes never agree again", "exchange.cpp",
        "return std::has_single_bit(++rare_calls_);", "return ++rare_calls_ == 1;",
        "Candidates/TypedExchangeTest.agrees*", 2),
    mpi("mostly empty blocks wait for the window of the steps", "alltoall_run.cpp",
        "return is_posted_at_once_ || next.step < setup_", "return next.step < setup_",
        "MostlyEmptyBlocks.are_posted_at_once", 8),
    mpi("sizes of the call before decide when blocks travel", "mover_by_size.cpp",
        "if (sizes_[rank] != sent.bytes(rank)) return true;", "if (sizes_[rank] > sent.bytes(rank)) return true;",
        "ExchangeBySize.*", 2),
    Defect("an empty block is a message", "lib/mpi/alltoall_run.cpp",
           "  if (bytes == 0) return sends_.end(index);\n", "", "apps/preload_test.py", "mostly_empty",
           needs=("cubefold_preload", "preload_calling_mpi", "fail_mpi", "sparse_program")),
    mpi("a request with large counts for several datatypes starts once", "c_exchange.cpp",
        'guarded("cubefold_alltoallw_init_c", [&] {\n    if (request != nullptr) *request = nullptr;\n'
        "    make(comm, request, true,",
        'guarded("cubefold_alltoallw_init_c", [&] {\n    if (request != nullptr) *request = nullptr;\n'
        "    make(comm, request, false,", "", 2, "c_api_test"),
    Defect("a large count of Python times an extent is cut", "lib/python/mpi.cpp",
           "const Wide last = Wide{count - 1} * extent;",
           "const Wide last = static_cast<MPI_Aint>(static_cast<std::size_t>(count - 1) * "
           "static_cast<std::size_t>(extent));",
           "python/mpi_test.py", "any_number", needs=("cubefold_python_mpi",)),
    Defect("processes that know nothing take part in a world of others", "lib/preload/world.cpp",
           "&is_first, 1, MPI_INT, MPI_MIN, comm)", "&is_first, 1, MPI_INT, MPI_MAX, comm)",
           "preload_tests", "WorldOfSession.is_none*", 4),
    Defect("a process that could not agree on a world never has one", "lib/preload/world.cpp",
           "    if (is_first_here) all.has_session = false;\n", "", "preload_tests",
           "WorldOfSession.is_made_again*", 4),
    Defect("the sessions after the last one know nothing", "lib/preload/world.cpp",
           "  knowledge().has_session = false;\n", "", "preload_tests", "WorldOfSession.ends_with*", 2),
    Defect("a failed call does not call the error handler of the program", "lib/preload/report_line.cpp",
           "  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);\n", "", "apps/preload_test.py",
           "calls_the_error_handler", needs=("cubefold_preload", "failing_program")),
    mpi("a request is never taken off its handle", "c_requests.hpp", "~cubefold_request_s() { --comm->request_count; }",
        "~cubefold_request_s() {}", "", 2, "c_api_test"),
    mpi("a communicator is not freed", "comm_context.cpp",
        "  if (finalized != 0 || !has_failed()) return;\n  comm_.release();",
        "  comm_.release();\n  if (finalized != 0 || !has_failed()) return;", "Communicators.*", 1),
    mpi("no notice tells of a failure", "comm_context.cpp",
        "  if (const auto failure = own_failure(run)) notices_.announce(comm(), run.number(), *failure);",
        "  if (const auto failure = own_failure(run)) notices_.record(run.number(), *failure);",
        "Methods/ExchangeFailures.of_mpi*/direct_data", 2),
    mpi("a later notice replaces the first failure", "failure_notices.cpp",
        "if (!std::exchange(has_failed_, true)) *first_",
        "has_failed_ = true;\n  *first_", "HandleFailures.are_known_by_the_first*", 3),
    mpi("blocks of ranks on a node change places", "mover_slots.cpp",
        "rank % size * rank_count + rank / size * size + groups_->slot()",
        "rank / size * rank_count + rank % size * size + groups_->slot()", "*NodeExchange.brings*", 4),
    mpi("a packet is waited for in the wrong step", "cc_cube_run.cpp",
        "(swap.incoming_step < *step_ && swap.awaited_packets > 0)",
        "(swap.incoming_step > *step_ && swap.awaited_packets > 0)", "CcCubeAlgorithmTest.*", 4),
    mpi("the axes of a Cartesian communicator are not reversed", "virtual_comm.cpp",
        "    std::reverse(extents.begin(), extents.end());\n", "", "VirtualComm.*", 8),
    mpi("a wait never ends at the time limit", "waiting.hpp",
        "    if (limited.is_over()) out_of_time();\n", "", "Methods/Timeouts.*direct_data*", 2),
    core("the other direction for half way round a ring", "topology/route_segments.hpp", "from % 2 == 1 ? -down : up",
         "from % 2 == 0 ? -down : up", "Route.breaks_a_tie_upwards_or_by_parity"),
    fftw_mpi("a transposed array in the time domain keeps the order of its lengths", "request.cpp",
             "  if (are_exchanged(request)) std::swap(lengths[0], lengths[1]);\n", "",
             "SamePlan.of_a_transposed_array_in_time_has_its_first_lengths_exchanged"),
    fftw_mpi("a transform back in place of FFTW's is scaled", "request.cpp",
             "  options.inverse_scaling = fft::Scaling::none;\n", "", "SamePlan.is_not_scaled_*"),
    verify("the first compared order counts as the best", "check.cpp",
           "!best_compared_ || values.exact_value < best_compared_->exact_value", "!best_compared_"),
    verify("nobody compares the mean number of hops", "check.cpp",
           '    faults_.compare(order.where + "average_hops", order.average_hops, right.average_hops);\n', ""),
    Defect("texts of Fortran keep the blanks at their end", "lib/fortran/arguments.cpp",
           "all.substr(0, all.find_last_not_of(' ') + 1)", "all", "fortran_test", "", 1),
    Defect("a link of Python ends where it begins", "lib/python/arrays.hpp",
           "*next++ = static_cast<std::int64_t>(second);", "*next++ = static_cast<std::int64_t>(first);",
           "python/planner_test.py", "routes", needs=("cubefold_python_core",)),
    Defect("the greatest load has no colour", "apps/drawing/scale.cpp",
           "place_of(load) - rounding)) - 1, 0)", "place_of(load) - rounding)), 0)",
           "apps/cubefold_test.py", "draw", needs=("cubefold",)),
]
