#include "cubefold/mpi/executor.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cubefold/mpi/agreement.hpp"
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

/// A shorter message would leave old data in the scratch.
void require_size(const LocalMessage& message, const MPI_Status& status, std::size_t block_bytes) {
  int arrived = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count");
  const std::size_t expected = message.slots.size() * block_bytes;
  if (static_cast<std::size_t>(arrived) == expected) return;
  throw Error(Status::mpi,
              fmt::format("rank {} sent {} bytes where {} were expected: do all processes exchange blocks "
                          "of one size?",
                          peer(message), arrived, expected));
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
  reserve(program, block_bytes, comm);
  for (const LocalStep& step : program.steps) run_step(step, slots, block_bytes, comm);
}

void Executor::reserve(const LocalProgram& program, std::size_t block_bytes, MPI_Comm comm) {
  if (block_bytes <= reserved_block_bytes_) return;
  together(comm,
           [&] { scratch_.resize(std::max(scratch_.size(), blocks_in_flight(program) * block_bytes)); });
  reserved_block_bytes_ = block_bytes;
}

void Executor::wait_for(const LocalStep& step, std::size_t block_bytes) {
  statuses_.resize(requests_.size());
  const int code = MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses_.data());
  if (code == MPI_ERR_IN_STATUS) {
    for (const MPI_Status& status : statuses_) check(status.MPI_ERROR, "MPI_Waitall");
  }
  check(code, "MPI_Waitall");
  for (std::size_t i = 0; i < step.receives.size(); ++i)
    require_size(step.receives[i], statuses_[i], block_bytes);
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
    gather_blocks(slots, block_bytes, message, room);
    check(MPI_Isend(room, bytes, MPI_BYTE, peer(message), tag, comm, &requests_.emplace_back()), "MPI_Isend");
    room += bytes;
  }
  wait_for(step, block_bytes);

  const std::byte* arrived = scratch_.data();
  for (const LocalMessage& message : step.receives) {
    scatter_blocks(arrived, block_bytes, message, slots);
    arrived += message.slots.size() * block_bytes;
  }
}

}  // namespace cubefold::mpi
