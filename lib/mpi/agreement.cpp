#include "agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace cubefold::mpi {

namespace {

/// A failure of bounded length, which takes no memory.
struct FailureMessage {
  Status status = Status::success;
  std::array<char, 1001> text{};

  FailureMessage() = default;
  explicit FailureMessage(const Failure& failure) : status(failure.status) {
    std::copy_n(failure.text.begin(), std::min(failure.text.size(), text.size() - 1), text.begin());
  }
};

/// Returns the root's failure on every process.
FailureMessage broadcast(MPI_Comm comm, const std::optional<Failure>& failure, int root) {
  FailureMessage message = failure ? FailureMessage(*failure) : FailureMessage();
  check(MPI_Bcast(&message, sizeof message, MPI_BYTE, root, comm), "MPI_Bcast");
  return message;
}

/// Collective: returns whether this process has the text of rank 0, and puts the beginning of rank 0's text into
/// `first`.
bool equals_first(MPI_Comm comm, std::string_view text, std::array<char, 256>& first) {
  auto length = static_cast<std::uint64_t>(text.size());
  check(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, comm), "MPI_Bcast");
  bool equal = length == text.size();
  std::array<char, 256> piece{};
  for (std::size_t begin = 0; begin < length; begin += piece.size()) {
    const std::size_t count = std::min<std::size_t>(piece.size(), length - begin);
    const std::string_view own = text.substr(std::min(begin, text.size()), count);
    std::copy(own.begin(), own.end(), piece.begin());
    check(MPI_Bcast(piece.data(), static_cast<int>(count), MPI_CHAR, 0, comm), "MPI_Bcast");
    equal = equal && own == std::string_view(piece.data(), count);
    if (begin == 0) first = piece;
  }
  return equal;
}

}  // namespace

void agree(MPI_Comm comm, const std::optional<Failure>& failure) {
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");

  std::array<int, 2> least{failure ? rank : size, failure ? 1 : 0};
  check(MPI_Allreduce(MPI_IN_PLACE, least.data(), 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  const int first_failed = least[0];
  const bool all_failed = least[1] != 0;
  if (first_failed == size) return;

  const FailureMessage first = broadcast(comm, failure, first_failed);
  throw_agreed(first.status, [&] {
    const std::string process = all_failed ? "" : fmt::format("process {} of {}: ", first_failed, size);
    return process + first.text.data();
  });
}

void agree_with_root(MPI_Comm comm, const std::optional<Failure>& failure) {
  int failed = failure ? 1 : 0;
  check(MPI_Bcast(&failed, 1, MPI_INT, 0, comm), "MPI_Bcast");
  if (failed == 0) return;
  const FailureMessage of_root = broadcast(comm, failure, 0);
  throw_agreed(of_root.status, [&] { return std::string(of_root.text.data()); });
}

void require_equal_everywhere(MPI_Comm comm, std::string_view what, std::string_view text) {
  std::array<char, 256> first{};
  const bool equal = equals_first(comm, text, first);
  agree_on_outcome(comm, [&] {
    if (equal) return;
    const std::string_view quoted(first.begin(), std::find(first.begin(), first.end(), '\0'));
    throw std::invalid_argument(fmt::format("{} '{}' differs from '{}' of process 0", what, text, quoted));
  });
}

void share_text_of_root(MPI_Comm comm, std::string& text) {
  auto length = static_cast<std::uint64_t>(text.size());
  check(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, comm), "MPI_Bcast");
  agree_on_outcome(comm, [&] { text.resize(length); });
  check(MPI_Bcast(text.data(), message_bytes(length, 1), MPI_CHAR, 0, comm), "MPI_Bcast");
}

}  // namespace cubefold::mpi
