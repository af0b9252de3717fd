#include "cubefold/mpi/executor.hpp"

#include <algorithm>

#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/schedule/packing.hpp"

namespace cubefold::mpi {

namespace {

/// The communicator is ours and messages between two processes stay in order, so one tag serves.
constexpr int tag = 0;

int peer(const LocalMessage& message) {
  return static_cast<int>(label(message.peer));
}

}  // namespace

void require_countable(const LocalProgram& program, std::size_t block_bytes) {
  for (const LocalStep& step : program.steps) {
    for (const LocalMessage& message : step.sends) message_bytes(message.slots.size(), block_bytes);
    for (const LocalMessage& message : step.receives) message_bytes(message.slots.size(), block_bytes);
  }
}

void Executor::run(const LocalProgram& program, std::byte* slots, std::size_t block_bytes, MPI_Comm comm) {
  require_countable(program, block_bytes);
  scratch_.resize(std::max(scratch_.size(), blocks_in_flight(program) * block_bytes));
  for (const LocalStep& step : program.steps) run_step(step, slots, block_bytes, comm);
}

void Executor::run_step(const LocalStep& step, std::byte* slots, std::size_t block_bytes, MPI_Comm comm) {
  std::byte* room = scratch_.data();
  requests_.clear();
  for (const LocalMessage& message : step.receives) {
    const int bytes = message_bytes(message.slots.size(), block_bytes);
    check(MPI_Irecv(room, bytes, MPI_BYTE, peer(message), tag, comm, &requests_.emplace_back()), "MPI_Irecv");
    room += bytes;
  }
  for (const LocalMessage& message : step.sends) {
    const int bytes = message_bytes(message.slots.size(), block_bytes);
    gather_blocks(slots, block_bytes, message.slots, room);
    check(MPI_Isend(room, bytes, MPI_BYTE, peer(message), tag, comm, &requests_.emplace_back()), "MPI_Isend");
    room += bytes;
  }
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
        "MPI_Waitall");

  const std::byte* arrived = scratch_.data();
  for (const LocalMessage& message : step.receives) {
    scatter_blocks(arrived, block_bytes, message.slots, slots);
    arrived += message.slots.size() * block_bytes;
  }
}

}  // namespace cubefold::mpi
