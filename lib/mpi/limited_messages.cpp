#include "limited_messages.hpp"

#include <fmt/format.h>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the process of a message, and what this process waits for.
template <typename Byte>
Awaited awaited(const MessageEnd<Byte>& message, const char* action) {
  Awaited result{{}, fmt::format(" to {} a message", action)};
  if (message.tag != MPI_ANY_TAG) result.step += fmt::format(" with tag {}", message.tag);
  if (message.peer != MPI_ANY_SOURCE) result.ranks = {message.peer};
  return result;
}

/// Returns whether the request is over within the limit.
bool ends_within(LimitedWait& limited, MPI_Request& request, MPI_Status* status) {
  int is_over = 0;
  bool is_out_of_time = false;
  const auto has_ended = [&] {
    check(MPI_Test(&request, &is_over, status), "MPI_Test");
    return is_over != 0 || is_out_of_time;
  };
  wait_until(
      limited, has_ended, [](bool) { return 1U; }, [&] { is_out_of_time = true; });
  return is_over != 0;
}

// The static analyser expects the wait in the function that posts the message.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)

/// Cancels a receive, and returns whether its message arrived before that.
bool has_come_before_cancelling(MPI_Request& request, MPI_Status* status) {
  MPI_Status end;
  int is_cancelled = 0;
  check(MPI_Cancel(&request), "MPI_Cancel");
  check(MPI_Wait(&request, &end), "MPI_Wait");
  check(MPI_Test_cancelled(&end, &is_cancelled), "MPI_Test_cancelled");
  if (is_cancelled == 0 && status != MPI_STATUS_IGNORE) *status = end;
  return is_cancelled == 0;
}

/// Ends a receive after another error, so that no message arrives in the caller's memory later.
void withdraw(MPI_Request& request) noexcept {
  if (request == MPI_REQUEST_NULL) return;
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (request != MPI_REQUEST_NULL)
    MPI_Request_free(&request);  // Open MPI keeps a request that ends with an error
}

/// Waits for a send after another error, and leaves it to MPI when the limit is over.
void finish_within(LimitedWait& limited, MPI_Request& request) noexcept {
  try {
    if (request == MPI_REQUEST_NULL || ends_within(limited, request, MPI_STATUS_IGNORE)) return;
  } catch (const Error&) {
  }
  if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

MPI_Request begin(const SendEnd& sent, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(sent.buffer, sent.count, sent.type, sent.peer, sent.tag, comm, &request), "MPI_Isend");
  return request;
}

MPI_Request begin(const ReceiveEnd& received, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(
      MPI_Irecv(received.buffer, received.count, received.type, received.peer, received.tag, comm, &request),
      "MPI_Irecv");
  return request;
}

/// Throws if MPI refuses the arguments of a receive. Does not receive.
void require_valid(const ReceiveEnd& received, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Recv_init(received.buffer, received.count, received.type, received.peer, received.tag, comm,
                      &request),
        "MPI_Irecv");
  MPI_Request_free(&request);
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

}  // namespace

void send_within(TimeLimit limit, const SendEnd& sent, MPI_Comm comm) {
  LimitedWait limited(limit);
  MPI_Request request = begin(sent, comm);
  if (ends_within(limited, request, MPI_STATUS_IGNORE)) return;
  MPI_Request_free(&request);
  throw_timeout(comm, limit, awaited(sent, "receive"));
}

void receive_within(TimeLimit limit, const ReceiveEnd& received, MPI_Comm comm, MPI_Status* status) {
  LimitedWait limited(limit);
  MPI_Request request = begin(received, comm);
  if (ends_within(limited, request, status) || has_come_before_cancelling(request, status)) return;
  throw_timeout(comm, limit, awaited(received, "send"));
}

void send_and_receive_within(TimeLimit limit, const SendEnd& sent, const ReceiveEnd& received, MPI_Comm comm,
                             MPI_Status* status) {
  LimitedWait limited(limit);
  // A receive that is posted before a send that MPI refuses could take the message that is meant for the next receive.
  require_valid(received, comm);
  MPI_Request sending = begin(sent, comm);
  MPI_Request receiving = MPI_REQUEST_NULL;
  bool has_come = false;
  try {
    receiving = begin(received, comm);
    has_come = ends_within(limited, receiving, status) || has_come_before_cancelling(receiving, status);
    if (has_come && ends_within(limited, sending, MPI_STATUS_IGNORE)) return;
  } catch (...) {
    withdraw(receiving);
    finish_within(limited, sending);
    throw;
  }
  if (sending != MPI_REQUEST_NULL) MPI_Request_free(&sending);
  throw_timeout(comm, limit, has_come ? awaited(sent, "receive") : awaited(received, "send"));
}

}  // namespace cubefold::mpi
