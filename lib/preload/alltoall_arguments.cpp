#include "alltoall_arguments.hpp"

#include <algorithm>
#include <span>

#include "cubefold/mpi/owned_comm.hpp"
#include "mpi/typed_blocks.hpp"

namespace cubefold::preload {

namespace {

using mpi::AlltoallBuffers;
using mpi::AlltoallvBuffers;

/// Returns a communicator of this process whose errors do not go to a handler of the program.
MPI_Comm checking_comm() {
  static const mpi::OwnedComm comm = mpi::OwnedComm::duplicate(MPI_COMM_SELF);
  return comm.get();
}

/// Returns whether a type is committed. Only functions that send or receive tell. A failure of another class says
/// nothing of the type, and passing the call on because of it would leave the other processes waiting. Costs about
/// 10 ns.
bool is_committed(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return false;
  const int code = MPI_Send(nullptr, 0, type, MPI_PROC_NULL, 0, checking_comm());
  if (code == MPI_SUCCESS) return true;
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class != MPI_ERR_TYPE;
}

bool has_data(std::span<const int> counts) {
  return std::ranges::any_of(counts, [](int count) { return count > 0; });
}

/// Returns whether a buffer can have blocks with these counts. MPI_BOTTOM, for types that contain absolute addresses,
/// is a null pointer in most MPIs.
bool are_valid_blocks(const void* memory, std::span<const int> counts, MPI_Datatype type) {
  if (memory == MPI_IN_PLACE || counts.data() == nullptr || !is_committed(type)) return false;
  if (std::ranges::any_of(counts, [](int count) { return count < 0; })) return false;
  return memory != nullptr || !has_data(counts) || !mpi::layout_of(type).dense;
}

/// Returns whether so many elements that are sent have the size of those that are received.
bool are_of_one_size(int sent, MPI_Datatype sent_type, int received, MPI_Datatype received_type) {
  if (sent_type == received_type) return sent == received;
  return static_cast<std::size_t>(sent) * mpi::size_of(sent_type) ==
         static_cast<std::size_t>(received) * mpi::size_of(received_type);
}

}  // namespace

AlltoallvBuffers buffers_of(const AlltoallvArguments& a, std::size_t p) {
  AlltoallvBuffers buffers{a.send, {}, {}, a.send_type, a.receive, {}, {}, a.receive_type};
  buffers.receive_counts = {a.receive_counts, p};
  buffers.receive_displacements = {a.receive_displacements, p};
  if (a.send == MPI_IN_PLACE) return buffers;
  buffers.send_counts = {a.send_counts, p};
  buffers.send_displacements = {a.send_displacements, p};
  return buffers;
}

bool is_valid(const AlltoallBuffers& b) {
  if (!are_valid_blocks(b.receive, {&b.receive_count, 1}, b.receive_type)) return false;
  if (b.send == MPI_IN_PLACE) return true;
  return are_valid_blocks(b.send, {&b.send_count, 1}, b.send_type) &&
         are_of_one_size(b.send_count, b.send_type, b.receive_count, b.receive_type) &&
         (b.send != b.receive || b.receive == MPI_BOTTOM || b.receive_count == 0);
}

bool is_valid(const AlltoallvBuffers& b, std::size_t rank) {
  if (b.receive_displacements.data() == nullptr) return false;
  if (!are_valid_blocks(b.receive, b.receive_counts, b.receive_type)) return false;
  if (b.send == MPI_IN_PLACE) return true;
  return b.send_displacements.data() != nullptr && are_valid_blocks(b.send, b.send_counts, b.send_type) &&
         are_of_one_size(b.send_counts[rank], b.send_type, b.receive_counts[rank], b.receive_type);
}

void prepare_checks() noexcept try { checking_comm(); } catch (...) {
  return;  // the first call that needs it reports the failure
}

}  // namespace cubefold::preload
