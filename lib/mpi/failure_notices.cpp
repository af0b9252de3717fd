#include "failure_notices.hpp"

#include <fmt/format.h>

#include <utility>

namespace cubefold::mpi {

FailureNotices::~FailureNotices() {
  if (has_failed_) leak_to_mpi(std::move(first_));
}

void FailureNotices::record(std::uint64_t number, const Failure& failure) noexcept {
  has_failed_ = true;
  first_->number = number;
  first_->status = failure.status;
  *fmt::format_to_n(first_->text.data(), first_->text.size() - 1, "{}", failure.text).out = '\0';
}

void FailureNotices::announce(MPI_Comm comm, std::uint64_t number, const Failure& failure) noexcept {
  if (has_failed_) return;
  record(number, failure);
  int rank = 0;
  int size = 0;
  if (MPI_Comm_rank(comm, &rank) != MPI_SUCCESS || MPI_Comm_size(comm, &size) != MPI_SUCCESS) return;
  // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): nobody waits for a notice; its requests are freed.
  for (int distance = 1; distance < size; ++distance) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (MPI_Isend(first_.get(), sizeof *first_, MPI_BYTE, (rank + distance) % size, tag_, comm, &request) ==
        MPI_SUCCESS)
      MPI_Request_free(&request);
  }
  // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
}

std::optional<FailureNotice> FailureNotices::receive(MPI_Comm comm) noexcept {
  int is_there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, tag_, comm, &is_there, &status) != MPI_SUCCESS || is_there == 0)
    return std::nullopt;
  FailureNotice heard{};
  if (MPI_Recv(&heard, sizeof heard, MPI_BYTE, status.MPI_SOURCE, tag_, comm, MPI_STATUS_IGNORE) !=
      MPI_SUCCESS)
    return std::nullopt;
  int size = 0;
  MPI_Comm_size(comm, &size);
  FailureNotice named = heard;
  if (heard.status != Status::timeout) {  // the text of a timeout names the process
    *fmt::format_to_n(named.text.data(), named.text.size() - 1, "process {} of {}: {}", status.MPI_SOURCE,
                      size, heard.text.data())
         .out = '\0';
  }
  if (!std::exchange(has_failed_, true)) *first_ = named;
  return named;
}

int FailureNotices::agree_on_failures(MPI_Comm comm) noexcept {
  if (has_timed_out()) return MPI_SUCCESS;
  int has_failed = has_failed_ ? 1 : 0;
  const int code = MPI_Allreduce(MPI_IN_PLACE, &has_failed, 1, MPI_INT, MPI_MAX, comm);
  has_failed_ = code != MPI_SUCCESS || has_failed != 0;
  return code;
}

}  // namespace cubefold::mpi
