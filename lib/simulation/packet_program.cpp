#include "packet_program.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "cubefold/embedding/rank.hpp"
#include "schedule/local_program.hpp"
#include "schedule/packing.hpp"

namespace cubefold {

std::uint32_t PacketProgram::add(const ProgramMessage& message, const std::vector<std::uint32_t>& waits_for) {
  messages.push_back(message);
  messages.back().wait_count = static_cast<std::uint32_t>(waits_for.size());
  waits.insert(waits.end(), waits_for.begin(), waits_for.end());
  return static_cast<std::uint32_t>(messages.size() - 1);
}

namespace {

/// Builds the program of an exchange from the programs of all its ranks. The messages of rank 0 come first.
class ByData {
 public:
  ByData(const Placement& placement, std::vector<LocalProgram> ranks, std::uint64_t block_bytes,
         const DataRun& run)
      : node_of_(node_of_rank(placement)),
        ranks_(std::move(ranks)),
        block_bytes_(block_bytes),
        run_(run),
        received_(ranks_.size()) {
    number_messages();
  }

  PacketProgram program() && {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) add_sends(rank);
    return std::move(program_);
  }

 private:
  /// Finds the number of the message of each receive: messages from one rank to another arrive in the order in which
  /// they are sent.
  void number_messages() {
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint32_t>> sent;
    std::uint32_t number = 0;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank)
      for (const LocalMessage& send : ranks_[rank].sends) sent[{rank, label(send.peer)}].push_back(number++);
    unpacking_.resize(number);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      std::map<std::size_t, std::size_t> next;
      for (const LocalMessage& receive : ranks_[rank].receives) {
        const std::size_t peer = label(receive.peer);
        received_[rank].push_back(sent.at({peer, rank}).at(next[peer]++));
        unpacking_[received_[rank].back()] = copy_seconds(ranks_[rank], receive);
      }
    }
  }

  double copy_seconds(const LocalProgram& program, const LocalMessage& message) const {
    return static_cast<double>(copied_blocks(program, message, true)) * static_cast<double>(block_bytes_) *
           run_.copy_seconds_per_byte;
  }

  void add_sends(std::size_t rank) {
    const LocalProgram& program = ranks_[rank];
    std::size_t awaited = 0;  // receives that earlier messages wait for
    for (const LocalMessage& send : program.sends) {
      std::vector<std::uint32_t> waits;
      const auto is_behind = [&](const LocalMessage& receive) {
        return run_.window > 0 && receive.step + run_.window <= send.step;
      };
      for (; awaited < program.receives.size() &&
             (awaited < send.needs || is_behind(program.receives[awaited]));
           ++awaited)
        waits.push_back(received_[rank][awaited]);
      const auto number = static_cast<std::uint32_t>(program_.messages.size());
      program_.add({.from = node_of_[rank],
                    .to = node_of_[label(send.peer)],
                    .bytes = send.block_count * block_bytes_,
                    .pack_seconds = copy_seconds(program, send),
                    .unpack_seconds = unpacking_[number]},
                   waits);
    }
  }

  std::vector<GridNode> node_of_;
  std::vector<LocalProgram> ranks_;
  std::uint64_t block_bytes_;
  DataRun run_;
  std::vector<std::vector<std::uint32_t>> received_;  ///< of each rank, the numbers of its receives
  std::vector<double> unpacking_;                     ///< of each message, in seconds
  PacketProgram program_;
};

/// Builds the program of an all-to-all whose ranks all send to the rank `offset` above, modulo p.
class Shifts {
 public:
  explicit Shifts(const std::vector<GridNode>& node_of_rank) : node_of_(node_of_rank) {}

  std::size_t rank_count() const { return node_of_.size(); }

  /// Adds one message of every rank. Message r of a shift has the number first + r.
  std::uint32_t add(std::size_t offset, std::uint64_t bytes, double copy_seconds) {
    const auto first = static_cast<std::uint32_t>(program_.messages.size());
    for (std::size_t rank = 0; rank < rank_count(); ++rank) {
      const GridNode to = node_of_[(rank + offset) % rank_count()];
      program_.add({node_of_[rank], to, bytes, 0, copy_seconds, copy_seconds}, waits_of(rank));
    }
    shifts_.push_back({first, offset});
    return first;
  }

  /// Lets the messages from now on wait until their rank has sent and received those of the shift `behind` shifts back.
  void wait_for(std::size_t behind) { behind_ = behind; }

  PacketProgram program() && { return std::move(program_); }

 private:
  struct Shift {
    std::uint32_t first;
    std::size_t offset;
  };

  std::vector<std::uint32_t> waits_of(std::size_t rank) const {
    if (behind_ == 0 || shifts_.size() < behind_) return {};
    const Shift& shift = shifts_[shifts_.size() - behind_];
    const std::size_t sender = (rank + rank_count() - shift.offset) % rank_count();
    return {shift.first + static_cast<std::uint32_t>(rank), shift.first + static_cast<std::uint32_t>(sender)};
  }

  const std::vector<GridNode>& node_of_;
  std::vector<Shift> shifts_;
  std::size_t behind_ = 0;
  PacketProgram program_;
};

/// Returns how many numbers below `count` have this bit.
std::uint64_t numbers_with(std::size_t bit, std::size_t count) {
  const std::size_t rest = count % (2 * bit);
  return count / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

}  // namespace

PacketProgram program_by_data(const Placement& placement, const Schedule& schedule, std::uint64_t block_bytes,
                              const DataRun& run) {
  if (schedule.rank_count != placement.rank_count()) {
    throw std::invalid_argument(fmt::format("program_by_data: a schedule of {} ranks on the {} nodes of {}",
                                            schedule.rank_count, placement.rank_count(),
                                            to_string(placement.grid())));
  }
  std::vector<LocalProgram> ranks;
  for (std::size_t r = 0; r < schedule.rank_count; ++r) {
    const auto rank = static_cast<Rank>(r);
    const Schedule part = part_of(schedule, rank);
    ranks.push_back(local_program(run.in_single_blocks ? in_single_blocks(part) : part, rank));
  }
  return ByData(placement, std::move(ranks), block_bytes, run).program();
}

PacketProgram mpi_program(const std::vector<GridNode>& node_of_rank, MpiAlltoall algorithm,
                          std::uint64_t block_bytes, double copy_seconds_per_byte) {
  constexpr std::size_t scattered_messages = 32;
  Shifts shifts(node_of_rank);
  const std::size_t count = node_of_rank.size();
  switch (algorithm) {
    case MpiAlltoall::linear:
    case MpiAlltoall::scattered:
      if (algorithm == MpiAlltoall::scattered) shifts.wait_for(scattered_messages);
      for (std::size_t offset = 1; offset < count; ++offset) shifts.add(offset, block_bytes, 0);
      break;
    case MpiAlltoall::pairwise:
      shifts.wait_for(1);
      for (std::size_t offset = 1; offset < count; ++offset) shifts.add(offset, block_bytes, 0);
      break;
    case MpiAlltoall::bruck:
      shifts.wait_for(1);
      for (std::size_t distance = 1; distance < count; distance *= 2) {
        const std::uint64_t bytes = numbers_with(distance, count) * block_bytes;
        shifts.add(distance, bytes, static_cast<double>(bytes) * copy_seconds_per_byte);
      }
      break;
  }
  return std::move(shifts).program();
}

}  // namespace cubefold
