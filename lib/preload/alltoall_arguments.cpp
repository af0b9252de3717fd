#include "alltoall_arguments.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::preload {

namespace {

using mpi::Blocks;

/// Returns a communicator of this process whose errors do not go to a handler of the program.
MPI_Comm checking_comm() {
  static const mpi::OwnedComm comm = mpi::OwnedComm::duplicate(MPI_COMM_SELF);
  return comm.get();
}

/// Returns whether a type is committed. Only functions that send or receive tell, MPICH's only of elements, which
/// nobody reads here. A failure of another class says nothing of the type, and passing the call on because of it would
/// leave the other processes waiting. Costs a few nanoseconds.
bool is_committed(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return false;
  static const std::byte nothing{};
  const int code = MPI_Send(&nothing, 1, type, MPI_PROC_NULL, 0, checking_comm());
  if (code == MPI_SUCCESS) return true;
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class != MPI_ERR_TYPE;
}

std::span<const int> counts_of(const Blocks& blocks, const int& count) {
  return blocks.are_equal() ? std::span(&count, 1) : blocks.counts();
}

/// Returns whether MPI takes the arguments of one side. MPI_BOTTOM, for types that contain absolute addresses, is a
/// null pointer in most MPIs.
bool are_valid(const Blocks& blocks) {
  const int count = blocks.count();
  const auto counts = counts_of(blocks, count);
  const bool has_arrays =
      blocks.are_equal() || (counts.data() != nullptr && blocks.displacements().data() != nullptr);
  if (blocks.are_in_place() || !has_arrays || !is_committed(blocks.type())) return false;
  if (std::ranges::any_of(counts, [](int each) { return each < 0; })) return false;
  const bool has_data = std::ranges::any_of(counts, [](int each) { return each > 0; });
  return blocks.memory() != nullptr || !has_data || !mpi::layout_of(blocks.type()).dense;
}

/// Returns whether so many elements that are sent have the size of those that are received.
bool are_of_one_size(int sent, MPI_Datatype sent_type, int received, MPI_Datatype received_type) {
  if (sent_type == received_type) return sent == received;
  return static_cast<std::size_t>(sent) * mpi::size_of(sent_type) ==
         static_cast<std::size_t>(received) * mpi::size_of(received_type);
}

}  // namespace

bool is_valid(const mpi::Sides& sides, std::size_t rank) {
  const auto& [sent, received] = sides;
  if (!are_valid(received)) return false;
  if (sent.are_in_place()) return true;
  if (!are_valid(sent)) return false;
  const auto count_of = [rank](const Blocks& blocks) {
    return blocks.are_equal() ? blocks.count() : blocks.counts()[rank];
  };
  if (!are_of_one_size(count_of(sent), sent.type(), count_of(received), received.type())) return false;
  const bool may_be_one_buffer =
      !received.are_equal() || received.count() == 0 || received.memory() == MPI_BOTTOM;
  return sent.memory() != received.memory() || may_be_one_buffer;
}

void prepare_checks() noexcept try { checking_comm(); } catch (...) {
  return;  // the first call that needs it reports the failure
}

}  // namespace cubefold::preload
