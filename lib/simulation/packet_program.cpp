#include "packet_program.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>

namespace cubefold {

std::uint32_t PacketProgram::add(const ProgramMessage& message, const std::vector<std::uint32_t>& waits_for) {
  messages.push_back(message);
  messages.back().wait_count = static_cast<std::uint32_t>(waits_for.size());
  waits.insert(waits.end(), waits_for.begin(), waits_for.end());
  return static_cast<std::uint32_t>(messages.size() - 1);
}

namespace {

constexpr std::uint32_t no_message = 0xFFFFFFFFU;

/// Builds the program of a schedule. Remembers by which message each block came to the node that holds it.
class ByData {
 public:
  ByData(const Placement& placement, std::size_t rank_count, std::uint64_t block_bytes, std::size_t window)
      : node_of_(node_of_rank(placement)),
        block_bytes_(block_bytes),
        window_(window),
        bringer_(rank_count * rank_count, no_message),
        received_(rank_count) {}

  void add(const Step& step) {
    std::vector<std::pair<std::size_t, std::uint32_t>> brought;
    std::vector<std::vector<std::uint32_t>> arrivals(received_.size());
    for (const Message& message : step) {
      if (message.from == message.to) continue;
      const std::uint32_t number = program_.add(
          {node_of_[label(message.from)], node_of_[label(message.to)], message.blocks.size() * block_bytes_},
          waits_of(message));
      for (const Block& block : message.blocks) brought.emplace_back(index(block), number);
      arrivals[label(message.to)].push_back(number);
    }
    for (const auto& [block, number] : brought) bringer_[block] = number;
    if (window_ == 0) return;
    for (std::size_t rank = 0; rank < received_.size(); ++rank)
      received_[rank].push_back(std::move(arrivals[rank]));
    ++step_;
  }

  PacketProgram program() && { return std::move(program_); }

 private:
  std::size_t index(const Block& block) const {
    return label(block.source) * received_.size() + label(block.destination);
  }

  std::vector<std::uint32_t> waits_of(const Message& message) const {
    std::vector<std::uint32_t> waits;
    for (const Block& block : message.blocks)
      if (bringer_[index(block)] != no_message) waits.push_back(bringer_[index(block)]);
    if (window_ > 0 && step_ >= window_) {
      const auto& received = received_[label(message.from)][step_ - window_];
      waits.insert(waits.end(), received.begin(), received.end());
    }
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    return waits;
  }

  std::vector<GridNode> node_of_;
  std::uint64_t block_bytes_;
  std::size_t window_;
  std::vector<std::uint32_t> bringer_;  ///< of each block; no_message at its source
  std::vector<std::vector<std::vector<std::uint32_t>>> received_;  ///< of each rank and step, with a window
  std::size_t step_ = 0;
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
      ProgramMessage message{node_of_[rank], node_of_[(rank + offset) % rank_count()], bytes, 0,
                             copy_seconds};
      program_.add(message, waits_of(rank));
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
                              std::size_t window) {
  if (schedule.rank_count != placement.rank_count()) {
    throw std::invalid_argument(fmt::format("program_by_data: a schedule of {} ranks on the {} nodes of {}",
                                            schedule.rank_count, placement.rank_count(),
                                            to_string(placement.grid())));
  }
  ByData by_data(placement, schedule.rank_count, block_bytes, window);
  for (const Step& step : schedule.steps) by_data.add(step);
  return std::move(by_data).program();
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
