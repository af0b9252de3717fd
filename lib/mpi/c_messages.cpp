// Messages between virtual ranks in C. Those that wait for other processes heed the time limit.

#include <fmt/format.h>

#include "c_handles.hpp"
#include "cubefold/mpi/error.hpp"
#include "waiting.hpp"

namespace cubefold::mpi {

namespace {

/// The buffer of a message, its other process and its tag.
template <typename Byte>
struct MessageEnd {
  Byte* buffer;
  int count;
  MPI_Datatype type;
  int peer;
  int tag;
};

using SendEnd = MessageEnd<const void>;
using ReceiveEnd = MessageEnd<void>;

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
  int is_over = static_cast<int>(request == MPI_REQUEST_NULL);  // SimGrid's MPI_Test does not set it then
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
  if (received.peer == MPI_PROC_NULL) return;
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Recv_init(received.buffer, received.count, received.type, received.peer, received.tag, comm,
                      &request),
        "MPI_Irecv");
  MPI_Request_free(&request);
}
// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)

/// Does what MPI_Sendrecv does. Throws Error with Status::timeout if a message is not over within the time limit. The
/// receive is cancelled then. MPI may still read what was to be sent.
void exchange_within(TimeLimit limit, const SendEnd& sent, const ReceiveEnd& received, MPI_Comm comm,
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

}  // namespace

}  // namespace cubefold::mpi

using cubefold::mpi::check;
using cubefold::mpi::exchange_within;
using cubefold::mpi::guarded;
using cubefold::mpi::valid;

int cubefold_v_send(const void* buffer, int count, MPI_Datatype type, int dest, int tag, cubefold_comm comm) {
  return guarded("cubefold_v_send", [&] {
    MPI_Comm ranks = valid(comm).virtual_comm();
    if (comm->time_limit.exists()) {
      return exchange_within(comm->time_limit, {buffer, count, type, dest, tag},
                             {nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0}, ranks, MPI_STATUS_IGNORE);
    }
    check(MPI_Send(buffer, count, type, dest, tag, ranks), "MPI_Send");
  });
}

int cubefold_v_recv(void* buffer, int count, MPI_Datatype type, int source, int tag, cubefold_comm comm,
                    MPI_Status* status) {
  return guarded("cubefold_v_recv", [&] {
    MPI_Comm ranks = valid(comm).virtual_comm();
    if (comm->time_limit.exists()) {
      return exchange_within(comm->time_limit, {nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0},
                             {buffer, count, type, source, tag}, ranks, status);
    }
    check(MPI_Recv(buffer, count, type, source, tag, ranks, status), "MPI_Recv");
  });
}

int cubefold_v_isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, cubefold_comm comm,
                     MPI_Request* request) {
  return guarded("cubefold_v_isend", [&] {
    check(MPI_Isend(buffer, count, type, dest, tag, valid(comm).virtual_comm(), request), "MPI_Isend");
  });
}

int cubefold_v_irecv(void* buffer, int count, MPI_Datatype type, int source, int tag, cubefold_comm comm,
                     MPI_Request* request) {
  return guarded("cubefold_v_irecv", [&] {
    check(MPI_Irecv(buffer, count, type, source, tag, valid(comm).virtual_comm(), request), "MPI_Irecv");
  });
}

int cubefold_v_sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type, int dest,
                        int send_tag, void* recv_buffer, int recv_count, MPI_Datatype recv_type, int source,
                        int recv_tag, cubefold_comm comm, MPI_Status* status) {
  return guarded("cubefold_v_sendrecv", [&] {
    MPI_Comm ranks = valid(comm).virtual_comm();
    if (comm->time_limit.exists()) {
      return exchange_within(comm->time_limit, {send_buffer, send_count, send_type, dest, send_tag},
                             {recv_buffer, recv_count, recv_type, source, recv_tag}, ranks, status);
    }
    check(MPI_Sendrecv(send_buffer, send_count, send_type, dest, send_tag, recv_buffer, recv_count, recv_type,
                       source, recv_tag, ranks, status),
          "MPI_Sendrecv");
  });
}

int cubefold_v_receive(void* buffer, int count, MPI_Datatype type, int source, int tag, cubefold_comm comm,
                       MPI_Status* status) {
  return cubefold_v_recv(buffer, count, type, source, tag, comm, status);
}

int cubefold_v_ireceive(void* buffer, int count, MPI_Datatype type, int source, int tag, cubefold_comm comm,
                        MPI_Request* request) {
  return cubefold_v_irecv(buffer, count, type, source, tag, comm, request);
}

int cubefold_v_sendreceive(const void* send_buffer, int send_count, MPI_Datatype send_type, int dest,
                           int send_tag, void* receive_buffer, int receive_count, MPI_Datatype receive_type,
                           int source, int receive_tag, cubefold_comm comm, MPI_Status* status) {
  return cubefold_v_sendrecv(send_buffer, send_count, send_type, dest, send_tag, receive_buffer,
                             receive_count, receive_type, source, receive_tag, comm, status);
}
