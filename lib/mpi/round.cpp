#include "round.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// A shorter message would leave old data in its place.
void require_size(const LocalMessage& message, int arrived, std::size_t expected) {
  if (static_cast<std::size_t>(arrived) == expected) return;
  throw Error(Status::mpi,
              fmt::format("rank {} sent {} bytes where {} were expected: do all processes exchange blocks "
                          "of one size?",
                          label(message.peer), arrived, expected));
}

int peer_of(const LocalMessage& message) {
  return static_cast<int>(label(message.peer));
}

}  // namespace

Round::Round(const Executor& executor, const RoundMemory& memory, std::byte* rooms, std::size_t room_bytes,
             const RunSpace& space)
    : executor_(executor),
      memory_(memory),
      space_(space),
      send_room_(rooms, room_bytes),
      receive_room_(rooms + PackingRoom::room_count * room_bytes, room_bytes),
      sends_(executor.program().sends.size()),
      receives_(executor.program().receives.size()) {
  if (executor.rules().pacing == Pacing::tokens) tokens_.emplace(executor.tokens(), space);
}

std::size_t Round::first_open_step() const {
  const std::size_t end = program().step_count;
  const std::size_t open_send = sends_.all_over() ? end : program().sends[sends_.over()].step;
  const std::size_t open_receive = receives_.all_over() ? end : program().receives[receives_.over()].step;
  return std::min(open_send, open_receive);
}

bool Round::can_receive() const {
  if (receives_.all_begun()) return false;
  const LocalMessage& next = program().receives[receives_.begun()];
  if (next.needs > sends_.over() || (is_packed(next, memory_) && !receive_room_.is_free())) return false;
  return next.step <= first_open_step() || bytes_posted_ < executor_.rules().bytes_in_flight;
}

bool Round::can_send() const {
  if (sends_.all_begun()) return false;
  const LocalMessage& next = program().sends[sends_.begun()];
  if (next.needs > receives_.over() || (is_packed(next, memory_) && !send_room_.is_free())) return false;
  if (tokens_ && !tokens_->may_begin(sends_.begun())) return false;
  return next.step < first_open_step() + executor_.rules().steps_behind;
}

bool Round::advance(Pace& pace, std::size_t round) {
  bool any = advance_tokens();
  while (can_receive()) begin_receive();
  if (can_send()) {
    const std::size_t step = program().sends[sends_.begun()].step;
    if (pace.may_begin(round, step)) {
      pace.begins(round, step);
      begin_send();
      any = true;
    }
  }
  return requests_.end_some([&](const Part& part, const MPI_Status& status) { end(part, status); }) || any;
}

bool Round::advance_tokens() {
  if (!tokens_) return false;
  tokens_->expect(sends_.begun() + executor_.rules().steps_behind);
  tokens_->give(receives_.over());
  return tokens_->advance();
}

void Round::begin_receive() {
  const std::size_t index = receives_.begin();
  const LocalMessage& message = program().receives[index];
  const std::size_t bytes = message_size(program(), message, memory_);
  if (!travels(bytes)) return receives_.end(index);
  std::byte* room = is_packed(message, memory_) ? receive_room_.take() : nullptr;
  requests_.receive({false, index, bytes, room},
                    room != nullptr ? room : message_begin(program(), message, memory_),
                    message_bytes(1, bytes), peer_of(message), space_.data_tag(), space_.comm);
  bytes_posted_ += bytes;
}

void Round::begin_send() {
  const std::size_t index = sends_.begin();
  const LocalMessage& message = program().sends[index];
  const std::size_t bytes = message_size(program(), message, memory_);
  if (!travels(bytes)) return sends_.end(index);
  std::byte* room = is_packed(message, memory_) ? send_room_.take() : nullptr;
  if (room != nullptr) pack(program(), message, memory_, room);
  requests_.send({true, index, bytes, room},
                 room != nullptr ? room : message_begin(program(), message, memory_), message_bytes(1, bytes),
                 peer_of(message), space_.data_tag(), space_.comm);
}

void Round::end(const Part& part, const MPI_Status& status) {
  if (!part.is_send) end_receive(part, status);
  (part.is_send ? sends_ : receives_).end(part.index);
  if (part.room != nullptr) (part.is_send ? send_room_ : receive_room_).give(part.room);
}

void Round::end_receive(const Part& part, const MPI_Status& status) {
  const LocalMessage& message = program().receives[part.index];
  int arrived = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count");
  require_size(message, arrived, part.bytes);
  if (part.room != nullptr) unpack(program(), message, part.room, memory_);
  bytes_posted_ -= part.bytes;
}

}  // namespace cubefold::mpi
