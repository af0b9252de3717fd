#pragma once

#include <cstddef>
#include <optional>

#include "cubefold/mpi/executor.hpp"
#include "cubefold/schedule/packing.hpp"
#include "message_progress.hpp"
#include "pace.hpp"
#include "packing_room.hpp"
#include "request_set.hpp"
#include "run_space.hpp"
#include "token_traffic.hpp"

namespace cubefold::mpi {

/// One round of a program: all its messages once, with one piece of every block. It knows slots and no algorithm.
class Round {
 public:
  /// `rooms` has 2 * PackingRoom::room_count rooms of room_bytes.
  Round(const Executor& executor, const RoundMemory& memory, std::byte* rooms, std::size_t room_bytes,
        const RunSpace& space);

  /// Posts receives, begins one send at most if the pace lets it, and sees what is over; whether that was anything.
  bool advance(Pace& pace, std::size_t round);

  bool is_over() const {
    return sends_.all_over() && receives_.all_over() && (!tokens_ || tokens_->is_over());
  }

  /// Step of the first message that is not over; all before it are done with, as far as this process goes.
  std::size_t first_open_step() const;

 private:
  struct Part {
    bool is_send;
    std::size_t index;
    std::size_t bytes;
    std::byte* room;
  };

  const LocalProgram& program() const { return executor_.program(); }
  bool can_receive() const;
  bool can_send() const;
  bool travels(std::size_t bytes) const { return bytes > 0 || tokens_; }
  void begin_receive();
  void begin_send();
  bool advance_tokens();
  void end(const Part& part, const MPI_Status& status);
  void end_receive(const Part& part, const MPI_Status& status);

  const Executor& executor_;
  RoundMemory memory_;
  RunSpace space_;
  PackingRoom send_room_;
  PackingRoom receive_room_;
  MessageProgress sends_;
  MessageProgress receives_;
  std::optional<TokenTraffic> tokens_;
  std::size_t bytes_posted_ = 0;
  RequestSet<Part> requests_;
};

}  // namespace cubefold::mpi
