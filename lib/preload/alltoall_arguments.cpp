#include "alltoall_arguments.hpp"

#include <cstddef>
#include <stdexcept>

#include "interception.hpp"
#include "mpi/processes.hpp"

namespace cubefold::preload {

std::size_t array_size(MPI_Comm comm) noexcept {
  int size = 0;
  const bool is_known = may_replace() && comm != MPI_COMM_NULL && MPI_Comm_size(comm, &size) == MPI_SUCCESS;
  return is_known ? static_cast<std::size_t>(size) : 0;
}

// Only functions that send or receive tell, MPICH's only of elements, which nobody reads here. A failure of another
// class says nothing of the type, and passing the call on because of it would leave the other processes waiting.
bool is_committed(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return false;
  static const std::byte nothing{};
  const int code = MPI_Send(&nothing, 1, type, MPI_PROC_NULL, 0, mpi::checking_comm());
  if (code == MPI_SUCCESS) return true;
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class != MPI_ERR_TYPE;
}

bool is_valid(mpi::Sides& sides, std::size_t rank_count, std::size_t rank) try {
  const auto& [sent, received] = sides;
  if (received.are_in_place() || !received.all_types(is_committed)) return false;
  if (!sent.are_in_place() && !sent.all_types(is_committed)) return false;
  sides.require_valid(rank_count, rank);
  if (sent.are_in_place()) return true;
  // MPI_BOTTOM, for types that contain absolute addresses, is a null pointer in most MPIs.
  const bool may_be_one_buffer =
      !received.are_equal() || received.count() == 0 || received.memory() == MPI_BOTTOM;
  return sent.memory() != received.memory() || may_be_one_buffer;
} catch (const std::invalid_argument&) {
  return false;
}

void prepare_checks() noexcept try { mpi::checking_comm(); } catch (...) {
  return;  // the first call that needs it reports the failure
}

}  // namespace cubefold::preload
