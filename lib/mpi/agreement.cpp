#include "cubefold/mpi/agreement.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "broadcast.hpp"

namespace cubefold::mpi {

namespace {

/// The root's failure, on every process.
Failure broadcast(MPI_Comm comm, const Failure& failure, int root) {
  int status = static_cast<int>(failure.status);
  check(MPI_Bcast(&status, 1, MPI_INT, root, comm), "MPI_Bcast");
  return {static_cast<Status>(status), broadcast_text(comm, failure.text, root)};
}

[[noreturn]] void throw_agreed(const Failure& failure) {
  if (failure.status == Status::argument) throw AgreedArgument(failure.text);
  throw AgreedError(failure.status, failure.text);
}

}  // namespace

void agree(MPI_Comm comm, const std::optional<Failure>& failure) {
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");

  std::array<int, 2> least{failure ? rank : size, failure ? 1 : 0};
  check(MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  const auto [first_failed, all_failed] = least;
  if (first_failed == size) return;

  Failure first = broadcast(comm, failure.value_or(Failure{}), first_failed);
  if (all_failed == 0) first.text = fmt::format("process {} of {}: {}", first_failed, size, first.text);
  throw_agreed(first);
}

void agree_with_first(MPI_Comm comm, const std::optional<Failure>& failure) {
  const Failure first = broadcast(comm, failure.value_or(Failure{}), 0);
  if (first.status != Status::success) throw_agreed(first);
}

void require_equal_everywhere(MPI_Comm comm, const std::string& what, const std::string& text) {
  const std::string first = broadcast_text(comm, text, 0);
  together(comm, [&] {
    if (text != first) {
      throw std::invalid_argument(fmt::format("{} '{}' differs from '{}' of process 0", what, text, first));
    }
  });
}

}  // namespace cubefold::mpi
