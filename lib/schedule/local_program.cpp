#include "local_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cubefold {

namespace {

/// Returns the blocks of a message in the order in which both its ends pack them.
std::vector<Block> packing_order(const Message& message) {
  const auto key = [&](const Block& block) {
    return label(block.source) ^ label(block.destination) ^ label(message.from);
  };
  std::vector<Block> blocks = message.blocks;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [&](const Block& a, const Block& b) { return key(a) < key(b); });
  return blocks;
}

/// Holds the free scratch slots, as runs by their first slot.
class FreeSlots {
 public:
  /// Takes `count` slots in few runs: from one free run that is long enough, or else from the first free runs and then
  /// from new slots.
  std::vector<std::pair<Slot, Slot>> take(Slot count) {
    std::vector<std::pair<Slot, Slot>> taken;
    const auto fits =
        std::find_if(free_.begin(), free_.end(), [&](const auto& run) { return run.second >= count; });
    auto next = fits == free_.end() ? free_.begin() : fits;
    while (count > 0 && next != free_.end()) {
      const auto [first, length] = *next;
      const Slot used = std::min(length, count);
      taken.emplace_back(first, used);
      count -= used;
      next = free_.erase(next);
      if (used < length) free_[first + used] = length - used;
    }
    if (count > 0) taken.emplace_back(std::exchange(slot_count_, slot_count_ + count), count);
    return taken;
  }

  void give(Slot slot) {
    auto next = free_.lower_bound(slot);
    const bool joins_next = next != free_.end() && next->first == slot + 1;
    const Slot length = 1 + (joins_next ? next->second : 0);
    if (joins_next) next = free_.erase(next);
    if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == slot) {
      std::prev(next)->second += length;
    } else {
      free_[slot] = length;
    }
  }

  Slot slot_count() const { return slot_count_; }

 private:
  std::map<Slot, Slot> free_;
  Slot slot_count_ = 0;
};

struct Location {
  Area area;
  Slot slot;
  std::uint32_t arrives_with = 0;  ///< number of receives up to the one that brings the block
};

/// Follows the blocks that one rank holds through its memory, and assigns slots to those that arrive.
class SlotAllocator {
 public:
  SlotAllocator(std::size_t rank_count, Rank rank) : rank_(rank), program_{rank_count, 0, 0, {}, {}, {}} {}

  void move(const Step& messages) {
    std::vector<Slot> left;
    for (const Message& message : messages) {
      if (message.from == rank_) depart(message, left);
    }
    for (const Message& message : messages) {
      if (message.to == rank_) arrive(message);
    }
    for (const Slot slot : left) {
      free_.give(slot);
      left_with_[slot] = static_cast<std::uint32_t>(program_.sends.size());
    }
    ++program_.step_count;
  }

  LocalProgram finish() {
    if (delivered_ + 1 != program_.rank_count)
      fail(fmt::format("{} of {} blocks arrive", delivered_, program_.rank_count - 1));
    if (sent_ + 1 != program_.rank_count)
      fail(fmt::format("{} of {} blocks are sent", sent_, program_.rank_count - 1));
    program_.scratch_slots = free_.slot_count();
    return std::move(program_);
  }

 private:
  static std::uint64_t key(const Block& block) {
    return (std::uint64_t{label(block.source)} << 32) | label(block.destination);
  }
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("local_program: rank {}: {}", label(rank_), rule));
  }

  LocalMessage begin(Rank peer, std::size_t blocks) const {
    return {static_cast<std::uint32_t>(program_.step_count),  peer, static_cast<std::uint32_t>(blocks),
            static_cast<std::uint32_t>(program_.runs.size()), 0,    0};
  }

  void add_place(LocalMessage& message, Area area, Slot slot) {
    auto& runs = program_.runs;
    if (message.run_count > 0 && runs.back().area == area && runs.back().first + runs.back().count == slot) {
      ++runs.back().count;
    } else {
      runs.push_back({area, slot, 1});
      ++message.run_count;
    }
  }

  void depart(const Message& sent, std::vector<Slot>& left) {
    LocalMessage message = begin(sent.to, sent.blocks.size());
    for (const Block& block : packing_order(sent)) {
      if (block.source == rank_) {
        if (block.destination == rank_ || !own_sent_.insert(label(block.destination)).second) {
          fail(fmt::format("sends block {} -> {}, which is not there", label(block.source),
                           label(block.destination)));
        }
        add_place(message, Area::send, label(block.destination));
        ++sent_;
        continue;
      }
      const auto found = under_way_.find(key(block));
      if (found == under_way_.end()) {
        fail(fmt::format("sends block {} -> {}, which is not there", label(block.source),
                         label(block.destination)));
      }
      const Location location = found->second;
      add_place(message, location.area, location.slot);
      message.needs = std::max(message.needs, location.arrives_with);
      left.push_back(location.slot);
      under_way_.erase(found);
    }
    program_.sends.push_back(message);
  }

  void arrive(const Message& received) {
    LocalMessage message = begin(received.from, received.blocks.size());
    const auto is_home = [&](const Block& block) { return block.destination == rank_; };
    const auto home =
        static_cast<std::size_t>(std::count_if(received.blocks.begin(), received.blocks.end(), is_home));
    auto scratch = scratch_for(received.blocks.size() - home, message);
    auto next = scratch.begin();
    for (const Block& block : packing_order(received)) {
      if (is_home(block)) {
        add_place(message, Area::receive, label(block.source));
        ++delivered_;
        continue;
      }
      add_place(message, Area::scratch, *next);
      under_way_[key(block)] = {Area::scratch, *next++,
                                static_cast<std::uint32_t>(program_.receives.size() + 1)};
    }
    program_.receives.push_back(message);
  }

  std::vector<Slot> scratch_for(std::size_t count, LocalMessage& message) {
    std::vector<Slot> slots;
    for (const auto& [first, length] : free_.take(static_cast<Slot>(count))) {
      for (Slot slot = first; slot < first + length; ++slot) {
        slots.push_back(slot);
        const auto left = left_with_.find(slot);
        if (left != left_with_.end()) message.needs = std::max(message.needs, left->second);
      }
    }
    return slots;
  }

  Rank rank_;
  LocalProgram program_;
  FreeSlots free_;
  std::unordered_map<std::uint64_t, Location> under_way_;
  std::unordered_map<Slot, std::uint32_t> left_with_;
  std::unordered_set<std::uint32_t> own_sent_;
  std::size_t delivered_ = 0;
  std::size_t sent_ = 0;
};

}  // namespace

LocalProgram local_program(const Schedule& part, Rank rank) {
  SlotAllocator allocator(part.rank_count, rank);
  for (const Step& step : part.steps) allocator.move(step);
  return allocator.finish();
}

}  // namespace cubefold
