#pragma once

#include <fmt/format.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Runs the parts of all ranks together, each rank by its own part alone. parts[r] is the part of rank r. Each rank has
/// a set of blocks, sends by its own part, and takes the messages that its own part expects. first_fault() returns the
/// first error as a text, or nothing. Every message must be expected by its receiver in the same step, with the same
/// blocks in the same order. Several messages of one sender must be in the same order. At the end every rank must have
/// the blocks for it and no others. This checker is slow and simple, and shares no code with DeliveryCheck.
class PartsRun {
 public:
  explicit PartsRun(const std::vector<Schedule>& parts) : parts_(parts), held_(parts.size()) {
    for (std::uint32_t r = 0; r < parts.size(); ++r) {
      for (std::uint32_t j = 0; j < parts.size(); ++j) held_[r].insert({r, j});
    }
  }

  std::optional<std::string> first_fault() {
    for (std::size_t r = 0; r < parts_.size(); ++r) {
      if (parts_[r].rank_count != parts_.size()) return fmt::format("rank {} counts other ranks", r);
      if (parts_[r].steps.size() != parts_[0].steps.size()) {
        return fmt::format("ranks 0 and {} have different numbers of steps", r);
      }
    }
    for (std::size_t step = 0; step < parts_[0].steps.size(); ++step) {
      if (auto fault = run(step)) return fmt::format("step {}: {}", step, *fault);
    }
    return left_over();
  }

 private:
  using BlockLabels = std::pair<std::uint32_t, std::uint32_t>;

  std::optional<std::string> run(std::size_t step) {
    for (std::uint32_t from = 0; from < parts_.size(); ++from) {
      if (auto fault = stranger_in(step, from)) return fault;
      for (std::uint32_t to = 0; to < parts_.size(); ++to) {
        if (between(step, from, from, to) == between(step, to, from, to)) continue;
        return fmt::format("rank {} sends rank {} other messages than that expects", from, to);
      }
    }
    for (std::uint32_t r = 0; r < parts_.size(); ++r) {
      if (auto fault = send(step, r)) return fault;
    }
    for (std::uint32_t r = 0; r < parts_.size(); ++r) receive(step, r);
    return std::nullopt;
  }

  std::optional<std::string> stranger_in(std::size_t step, std::uint32_t owner) const {
    for (const Message& message : parts_[owner].steps[step]) {
      if (label(message.from) >= parts_.size() || label(message.to) >= parts_.size() ||
          (label(message.from) == owner) == (label(message.to) == owner)) {
        return fmt::format("rank {} has a message from {} to {}", owner, label(message.from),
                           label(message.to));
      }
    }
    return std::nullopt;
  }

  std::vector<Message> between(std::size_t step, std::uint32_t owner, std::uint32_t from,
                               std::uint32_t to) const {
    std::vector<Message> messages;
    for (const Message& message : parts_[owner].steps[step]) {
      if (label(message.from) == from && label(message.to) == to) messages.push_back(message);
    }
    return messages;
  }

  std::optional<std::string> send(std::size_t step, std::uint32_t owner) {
    for (const Message& message : parts_[owner].steps[step]) {
      if (label(message.from) != owner) continue;
      for (const Block& block : message.blocks) {
        if (held_[owner].erase({label(block.source), label(block.destination)}) == 1) continue;
        return fmt::format("rank {} sends block {} -> {}, which it does not have", owner, label(block.source),
                           label(block.destination));
      }
    }
    return std::nullopt;
  }

  void receive(std::size_t step, std::uint32_t owner) {
    for (const Message& message : parts_[owner].steps[step]) {
      if (label(message.to) != owner) continue;
      for (const Block& block : message.blocks) {
        held_[owner].insert({label(block.source), label(block.destination)});
      }
    }
  }

  std::optional<std::string> left_over() const {
    for (std::uint32_t r = 0; r < parts_.size(); ++r) {
      std::set<BlockLabels> wanted;
      for (std::uint32_t source = 0; source < parts_.size(); ++source) wanted.insert({source, r});
      if (held_[r] != wanted) return fmt::format("rank {} ends with other blocks than those for it", r);
    }
    return std::nullopt;
  }

  const std::vector<Schedule>& parts_;
  std::vector<std::set<BlockLabels>> held_;
};

/// Returns the first error of the parts of all ranks, or nothing.
inline std::optional<std::string> fault_of_parts(const std::vector<Schedule>& parts) {
  return PartsRun(parts).first_fault();
}

/// Returns the parts that part_of_rank(Rank) makes for every rank.
template <typename PartOfRank>
std::vector<Schedule> parts_of_all(std::size_t rank_count, PartOfRank&& part_of_rank) {
  std::vector<Schedule> parts;
  for (std::uint32_t r = 0; r < rank_count; ++r) parts.push_back(part_of_rank(Rank{r}));
  return parts;
}

}  // namespace cubefold
