#include "cubefold/schedule/local_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace cubefold {

namespace {

/// The blocks of a message as both its ends line them up.
std::vector<Block> packing_order(const Message& message) {
  const auto key = [&](const Block& block) {
    return label(block.source) ^ label(block.destination) ^ label(message.from);
  };
  std::vector<Block> blocks = message.blocks;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [&](const Block& a, const Block& b) { return key(a) < key(b); });
  return blocks;
}

/// Greatest common divisor of the lengths of all runs.
std::size_t run_length(const std::vector<Slot>& slots) {
  std::size_t length = 0;
  std::size_t start = 0;
  for (std::size_t i = 1; i <= slots.size(); ++i) {
    if (i < slots.size() && slots[i] == slots[i - 1] + 1) continue;
    length = std::gcd(length, i - start);
    start = i;
  }
  return std::max<std::size_t>(length, 1);
}

LocalMessage local_message(Rank peer, std::vector<Slot> slots) {
  const std::size_t length = run_length(slots);
  return {peer, std::move(slots), length};
}

/// Follows the blocks that one rank holds through the slots of its memory.
class Residence {
 public:
  Residence(std::size_t rank_count, Rank rank) : rank_(rank) {
    for (Slot slot = 0; slot < rank_count; ++slot) slots_[key({rank, static_cast<Rank>(slot)})] = slot;
  }

  LocalStep move(const Step& messages) {
    LocalStep step;
    std::vector<Slot> free;
    for (const Message& message : messages) {
      if (message.from == rank_) step.sends.push_back(local_message(message.to, depart(message, free)));
    }
    std::size_t taken = 0;
    for (const Message& message : messages) {
      if (message.to == rank_)
        step.receives.push_back(local_message(message.from, arrive(message, free, taken)));
    }
    if (taken != free.size()) fail(fmt::format("a step takes {} blocks and brings {}", free.size(), taken));
    return step;
  }

  void require_all_home(std::size_t rank_count) const {
    for (Slot slot = 0; slot < rank_count; ++slot) {
      const Block block{static_cast<Rank>(slot), rank_};
      const auto found = slots_.find(key(block));
      if (found == slots_.end() || found->second != slot) fail(name_of(block) + " does not end in its slot");
    }
  }

 private:
  static std::uint64_t key(const Block& block) {
    return (std::uint64_t{label(block.source)} << 32) | label(block.destination);
  }
  static std::string name_of(const Block& block) {
    return fmt::format("block {} -> {}", label(block.source), label(block.destination));
  }
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("local_program: rank {}: {}", label(rank_), rule));
  }

  std::vector<Slot> depart(const Message& message, std::vector<Slot>& free) {
    const auto first = static_cast<std::ptrdiff_t>(free.size());
    for (const Block& block : packing_order(message)) {
      const auto found = slots_.find(key(block));
      if (found == slots_.end()) fail("sends " + name_of(block) + ", which is not there");
      free.push_back(found->second);
      slots_.erase(found);
    }
    return {free.begin() + first, free.end()};
  }

  std::vector<Slot> arrive(const Message& message, const std::vector<Slot>& free, std::size_t& taken) {
    std::vector<Slot> slots;
    for (const Block& block : packing_order(message)) {
      if (taken == free.size()) fail(fmt::format("a step takes {} blocks and brings more", free.size()));
      slots.push_back(free[taken++]);
      slots_[key(block)] = slots.back();
    }
    return slots;
  }

  Rank rank_;
  std::unordered_map<std::uint64_t, Slot> slots_;
};

std::size_t block_count(const std::vector<LocalMessage>& messages) {
  std::size_t count = 0;
  for (const LocalMessage& message : messages) count += message.slots.size();
  return count;
}

}  // namespace

LocalProgram local_program(const Schedule& part, Rank rank) {
  Residence residence(part.rank_count, rank);
  LocalProgram program{part.rank_count, {}};
  for (const Step& step : part.steps) program.steps.push_back(residence.move(step));
  residence.require_all_home(part.rank_count);
  return program;
}

std::size_t blocks_in_flight(const LocalProgram& program) {
  std::size_t most = 0;
  for (const LocalStep& step : program.steps) {
    most = std::max(most, block_count(step.sends) + block_count(step.receives));
  }
  return most;
}

}  // namespace cubefold
