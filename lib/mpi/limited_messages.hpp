#pragma once

#include <mpi.h>

#include "waiting.hpp"

namespace cubefold::mpi {

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

/// Each of the following functions does what MPI_Send, MPI_Recv or MPI_Sendrecv does. It throws Error with
/// Status::timeout if a message is not over within the time limit. A receive is cancelled then. MPI may still read what
/// was to be sent.
void send_within(TimeLimit limit, const SendEnd& sent, MPI_Comm comm);
void receive_within(TimeLimit limit, const ReceiveEnd& received, MPI_Comm comm, MPI_Status* status);
void send_and_receive_within(TimeLimit limit, const SendEnd& sent, const ReceiveEnd& received, MPI_Comm comm,
                             MPI_Status* status);

}  // namespace cubefold::mpi
