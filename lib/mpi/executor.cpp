#include "cubefold/mpi/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <thread>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "step_clock.hpp"

namespace cubefold::mpi {

namespace {

/// The communicator is ours and messages between two processes stay in order, so one tag serves.
constexpr int tag = 0;

/// A shorter message would leave old data in its place.
void require_size(const LocalMessage& message, int arrived, std::size_t expected) {
  if (static_cast<std::size_t>(arrived) == expected) return;
  throw Error(Status::mpi, fmt::format("rank {} sent {} bytes where {} were expected: do all processes exchange blocks "
                                       "of one size?",
                                       label(message.peer), arrived, expected));
}

/// The messages of one direction: which are begun, which are over.
struct Progress {
  std::size_t begun = 0;
  std::size_t over = 0;  ///< this many from the first on, without a gap
  std::vector<bool> is_over;

  explicit Progress(std::size_t count) : is_over(count) {}
  void end(std::size_t index) {
    is_over[index] = true;
    while (over < is_over.size() && is_over[over]) ++over;
  }
  bool all_over() const { return over == is_over.size(); }
};

/// Rooms of one size for messages that have to be packed.
class PackingRoom {
 public:
  PackingRoom(std::byte* memory, std::size_t room_bytes) {
    for (std::size_t i = 0; i < room_count; ++i) free_.push_back(memory + i * room_bytes);
  }
  bool is_free() const { return !free_.empty(); }
  std::byte* take() {
    std::byte* room = free_.back();
    free_.pop_back();
    return room;
  }
  void give(std::byte* room) { free_.push_back(room); }

  static constexpr std::size_t room_count = 8;

 private:
  std::vector<std::byte*> free_;
};

/// One round of a program: all its messages once, with one piece of every block.
class Round {
 public:
  /// The rooms have room_bytes each, room_count of them for sends and as many for receives.
  Round(const LocalProgram& program, const RunRules& rules, const RoundMemory& memory, std::byte* rooms,
        std::size_t room_bytes, MPI_Comm comm)
      : program_(program),
        rules_(rules),
        memory_(memory),
        send_room_(rooms, room_bytes),
        receive_room_(rooms + PackingRoom::room_count * room_bytes, room_bytes),
        comm_(comm),
        sends_(program.sends.size()),
        receives_(program.receives.size()) {}

  /// `may_begin(step)` says whether the process may send in a step; `begins(step)` that it does.
  template <typename MayBegin, typename Begins>
  void run(MayBegin may_begin, Begins begins) {
    while (!sends_.all_over() || !receives_.all_over()) {
      while (can_receive()) begin_receive();
      bool idle = true;
      if (can_send() && may_begin(program_.sends[sends_.begun].step)) {
        begins(program_.sends[sends_.begun].step);
        begin_send();
        idle = false;
      }
      if (!end_some() && idle) std::this_thread::yield();
    }
  }

  /// Step of the first message that is not over; all before it are done with, as far as this process goes.
  std::size_t first_open_step() const {
    const std::size_t open_send = sends_.all_over() ? program_.step_count : program_.sends[sends_.over].step;
    const std::size_t open_receive = receives_.all_over() ? program_.step_count : program_.receives[receives_.over].step;
    return std::min(open_send, open_receive);
  }

 private:
  struct Pending {
    bool is_send;
    std::size_t index;
    std::size_t bytes;
    std::byte* room;
  };

  bool can_receive() const {
    if (receives_.begun == receives_.is_over.size()) return false;
    const LocalMessage& next = program_.receives[receives_.begun];
    if (next.needs > sends_.over || (is_packed(next) && !receive_room_.is_free())) return false;
    return next.step <= first_open_step() || bytes_posted_ < rules_.bytes_in_flight;
  }

  bool can_send() const {
    if (sends_.begun == sends_.is_over.size()) return false;
    const LocalMessage& next = program_.sends[sends_.begun];
    if (next.needs > receives_.over || (is_packed(next) && !send_room_.is_free())) return false;
    return next.step < first_open_step() + rules_.steps_behind;
  }

  bool is_packed(const LocalMessage& message) const { return cubefold::is_packed(message, memory_.joins_slots()); }

  void begin_receive() {
    const std::size_t index = receives_.begun++;
    const LocalMessage& message = program_.receives[index];
    const std::size_t bytes = message_size(program_, message, memory_);
    if (bytes == 0) return receives_.end(index);
    std::byte* room = is_packed(message) ? receive_room_.take() : nullptr;
    check(MPI_Irecv(room != nullptr ? room : message_begin(program_, message, memory_), message_bytes(1, bytes), MPI_BYTE,
                    static_cast<int>(label(message.peer)), tag, comm_, &requests_.emplace_back()),
          "MPI_Irecv");
    pending_.push_back({false, index, bytes, room});
    bytes_posted_ += bytes;
  }

  void begin_send() {
    const std::size_t index = sends_.begun++;
    const LocalMessage& message = program_.sends[index];
    const std::size_t bytes = message_size(program_, message, memory_);
    if (bytes == 0) return sends_.end(index);
    std::byte* room = is_packed(message) ? send_room_.take() : nullptr;
    if (room != nullptr) pack(program_, message, memory_, room);
    check(MPI_Isend(room != nullptr ? room : message_begin(program_, message, memory_), message_bytes(1, bytes), MPI_BYTE,
                    static_cast<int>(label(message.peer)), tag, comm_, &requests_.emplace_back()),
          "MPI_Isend");
    pending_.push_back({true, index, bytes, room});
  }

  /// Whether any message is over that was not before.
  bool end_some() {
    if (requests_.empty()) return false;
    int count = 0;
    over_.resize(requests_.size());
    statuses_.resize(requests_.size());
    const int code =
        MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, over_.data(), statuses_.data());
    if (code == MPI_ERR_IN_STATUS) {
      for (int i = 0; i < count; ++i) check(statuses_[static_cast<std::size_t>(i)].MPI_ERROR, "MPI_Testsome");
    }
    check(code, "MPI_Testsome");
    if (count <= 0) return false;
    for (int i = 0; i < count; ++i)
      end(pending_[static_cast<std::size_t>(over_[static_cast<std::size_t>(i)])], statuses_[static_cast<std::size_t>(i)]);
    drop_ended(std::span(over_).first(static_cast<std::size_t>(count)));
    return true;
  }

  void end(const Pending& ended, const MPI_Status& status) {
    if (ended.is_send) {
      sends_.end(ended.index);
    } else {
      const LocalMessage& message = program_.receives[ended.index];
      int arrived = 0;
      check(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count");
      require_size(message, arrived, ended.bytes);
      if (ended.room != nullptr) unpack(program_, message, ended.room, memory_);
      bytes_posted_ -= ended.bytes;
      receives_.end(ended.index);
    }
    if (ended.room != nullptr) (ended.is_send ? send_room_ : receive_room_).give(ended.room);
  }

  void drop_ended(std::span<int> places) {
    std::sort(places.begin(), places.end(), std::greater<>());
    for (const int place : places) {
      const auto i = static_cast<std::size_t>(place);
      requests_[i] = requests_.back();
      pending_[i] = pending_.back();
      requests_.pop_back();
      pending_.pop_back();
    }
  }

  const LocalProgram& program_;
  const RunRules& rules_;
  const RoundMemory& memory_;
  PackingRoom send_room_;
  PackingRoom receive_room_;
  MPI_Comm comm_;
  Progress sends_;
  Progress receives_;
  std::size_t bytes_posted_ = 0;
  std::vector<MPI_Request> requests_;
  std::vector<Pending> pending_;
  std::vector<int> over_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace

Executor::Executor(LocalProgram program, RunRules rules) : program_(std::move(program)), rules_(std::move(rules)) {}

void Executor::require_countable(std::size_t block_bytes) const {
  std::size_t most = 0;
  for (const LocalMessage& message : program_.sends) most = std::max<std::size_t>(most, message.block_count);
  for (const LocalMessage& message : program_.receives) most = std::max<std::size_t>(most, message.block_count);
  message_bytes(most, piece_bytes(block_bytes));
}

std::size_t Executor::piece_bytes(std::size_t block_bytes) const {
  return rules_.piece_bytes == 0 ? block_bytes : std::min(block_bytes, rules_.piece_bytes);
}

std::size_t Executor::room_bytes(std::size_t block_bytes) const {
  const bool joins_slots = piece_bytes(block_bytes) == block_bytes;
  std::size_t blocks = 0;
  for (const auto* messages : {&program_.sends, &program_.receives}) {
    for (const LocalMessage& message : *messages) {
      if (is_packed(message, joins_slots)) blocks = std::max<std::size_t>(blocks, message.block_count);
    }
  }
  return blocks * piece_bytes(block_bytes);
}

std::size_t Executor::scratch_bytes(std::size_t block_bytes) const {
  return program_.scratch_slots * block_bytes + 2 * PackingRoom::room_count * room_bytes(block_bytes);
}

void Executor::run(const ExchangeMemory& memory, Rank rank, MPI_Comm comm) {
  require_countable(memory.block_bytes);
  if (scratch_.size() < scratch_bytes(memory.block_bytes))
    together(comm, [&] { scratch_.resize(scratch_bytes(memory.block_bytes)); });
  const std::size_t piece = piece_bytes(memory.block_bytes);
  if (piece == 0) return;

  const bool by_clock = rules_.pacing == Pacing::clock;
  if (by_clock) check(MPI_Barrier(comm), "MPI_Barrier");
  StepClock clock(rules_.times, piece);
  for (std::size_t round = 0; round * piece < memory.block_bytes; ++round) {
    const RoundMemory pieces(memory, scratch_.data(), piece, round);
    const auto own = pieces.piece(Area::send, label(rank));
    std::copy(own.begin(), own.end(), pieces.piece(Area::receive, label(rank)).begin());
    Round messages(program_, rules_, pieces, scratch_.data() + program_.scratch_slots * memory.block_bytes,
                   room_bytes(memory.block_bytes), comm);
    messages.run([&](std::size_t step) { return !by_clock || clock.is_time_for(round, step); },
                 [&](std::size_t step) {
                   if (by_clock) clock.begins(round, step);
                 });
  }
}

}  // namespace cubefold::mpi
