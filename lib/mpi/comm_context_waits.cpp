// The waits of a communication context that are not for exchanges: for single messages, for all processes, and for
// reductions. They heed notices of failures and the time limit as exchanges do.

#include <algorithm>
#include <array>
#include <variant>

#include "comm_context.hpp"
#include "cubefold/mpi/error.hpp"
#include "request_set.hpp"

namespace cubefold::mpi {

void CommContext::throw_if_peer_failed() {
  if (has_failed()) throw_if_failed();
}

void CommContext::await_notice() {
  bool is_out_of_time = false;
  wait_until([&] { return is_out_of_time || has_failed(); }, [](bool) { return Look{false}; },
             [&] { is_out_of_time = true; });
  if (!is_out_of_time) throw_if_failed();
}

void CommContext::swap(const void* sent, void* received, int bytes, int peer, int tag) {
  RequestSet<std::monostate> requests;
  requests.receive({}, received, bytes, peer, tag, comm());
  requests.send({}, sent, bytes, peer, tag, comm());
  wait_until([&] { return requests.empty(); },
             [&](bool) {
               const bool any = requests.end_some([](std::monostate, const MPI_Status&) {});
               if (!any) throw_if_peer_failed();
               return Look{any};
             },
             [&] {
               throw_timeout(comm(), limit_, {{peer}, " in a swap"});
             });
}

void CommContext::barrier_within_limit() {
  barrier_within_limit(NoticeFilter::all_failures);
}

void CommContext::barrier_within_limit(NoticeFilter filter) {
  if (!limit_.exists()) return;
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(comm(), &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm(), &size), "MPI_Comm_size");
  RequestSet<int> arrivals;
  RequestSet<int> notes;
  for (int distance = 1; distance < size; ++distance) {
    const int above = (rank + distance) % size;
    arrivals.receive(above, nullptr, 0, above, barrier_message_tag(), comm());
    notes.send(above, nullptr, 0, above, barrier_message_tag(), comm());
  }
  const auto ignore = [](int, const MPI_Status&) {};
  wait_until([&] { return arrivals.empty() && notes.empty(); },
             [&](bool) {
               const bool any = arrivals.end_some(ignore) || notes.end_some(ignore);
               if (filter == NoticeFilter::all_failures) throw_if_peer_failed();
               require_all_in_time();
               return Look{any};
             },
             [&] {
               throw_timeout(comm(), limit_, {arrivals.under_way(), " before a collective call of MPI"});
             });
}

void CommContext::wait_for(MPI_Request& request, std::optional<int> peer, MPI_Status* status) {
  unsigned polls = 0;
  const auto is_complete = [&] {
    int is_over = static_cast<int>(request == MPI_REQUEST_NULL);  // SimGrid's MPI_Test does not set it then
    check(MPI_Test(&request, &is_over, status), "MPI_Test");
    return is_over != 0;
  };
  wait_until(
      is_complete,
      [&](bool) {
        if (++polls > idle_polls_before_probing) throw_if_peer_failed();
        return Look{false};
      },
      [&] {
        throw_timeout(comm(), limit_, peer ? Awaited{{*peer}, ""} : Awaited{{}, " in MPI_Iallreduce"});
      });
}

// A process that has failed does not take part in the reduction, which then never ends.
void CommContext::reduce_to_largest(std::span<double> values) {
  drain();
  // A process that knows of a failure must not take part, or the reduction could end on some processes only.
  throw_if_failed();
  barrier_within_limit();
  std::ranges::copy(values, reduced_->begin());
  // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): wait_for() ends the request.
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Iallreduce(MPI_IN_PLACE, reduced_->data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                       comm(), &request),
        "MPI_Iallreduce");
  wait_for(request, std::nullopt);
  std::copy_n(reduced_->begin(), values.size(), values.begin());
  // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
}

}  // namespace cubefold::mpi
