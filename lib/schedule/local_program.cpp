#include "local_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace cubefold {

namespace {

/// Returns the blocks of a message in the order in which both its ends have them. Send slots ascend by destination and
/// receive slots by source, so that the blocks of one source or of one destination make few runs.
std::vector<Block> packing_order(const Message& message) {
  std::vector<Block> blocks = message.blocks;
  std::stable_sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
    return std::pair(a.destination, a.source) < std::pair(b.destination, b.source);
  });
  return blocks;
}

/// Holds the free scratch slots, as runs by their first slot.
class FreeSlots {
 public:
  /// Takes `count` consecutive slots from the first free run that is long enough, or else at the end. Returns the first
  /// of them, or nothing if there would be more than `most` slots.
  std::optional<Slot> take_consecutive(Slot count, std::size_t most) {
    auto run =
        std::find_if(free_.begin(), free_.end(), [&](const auto& each) { return each.second >= count; });
    const bool fits = run != free_.end();
    if (!fits && !free_.empty() && std::prev(run)->first + std::prev(run)->second == slot_count_) --run;
    const Slot first = run == free_.end() ? slot_count_ : run->first;
    const Slot length = run == free_.end() ? 0 : run->second;
    if (!fits && std::size_t{first} + count > most) return std::nullopt;
    if (run != free_.end()) free_.erase(run);
    if (count < length) free_[first + count] = length - count;
    slot_count_ = std::max(slot_count_, first + count);
    return first;
  }

  /// Takes `count` slots: from the first free runs, and then new ones.
  std::vector<Slot> take_anywhere(Slot count) {
    std::vector<Slot> taken;
    while (taken.size() < count && !free_.empty()) {
      const auto [first, length] = *free_.begin();
      free_.erase(free_.begin());
      const Slot used = std::min<Slot>(length, count - static_cast<Slot>(taken.size()));
      for (Slot slot = first; slot < first + used; ++slot) taken.push_back(slot);
      if (used < length) free_[first + used] = length - used;
    }
    while (taken.size() < count) taken.push_back(slot_count_++);
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

std::uint64_t key_of(const Block& block) {
  return (std::uint64_t{label(block.source)} << 32) | label(block.destination);
}

/// Tells when a rank has no further use for a block that it holds. Blocks that move leave with their only message.
class BlockUses {
 public:
  BlockUses(const Schedule& part, Rank rank, const Collective& collective) {
    if (collective.moves_chunks()) return;
    for (std::size_t s = 0; s < part.steps.size(); ++s) {
      for (const Message& message : part.steps[s]) {
        for (const Block& block : message.blocks) {
          Last& last = last_[key_of(block)];
          if (message.to == rank) last.arrival = s;
          if (message.from == rank || message.reduces) last.use = s;
        }
      }
    }
  }

  /// Returns whether a later step brings the block.
  bool arrives_after(std::size_t step, const Block& block) const {
    const auto found = last_.find(key_of(block));
    return found != last_.end() && found->second.arrival > step;
  }

  /// Returns whether a later step sends the block or reduces something with it.
  bool is_used_after(std::size_t step, const Block& block) const {
    const auto found = last_.find(key_of(block));
    return found != last_.end() && found->second.use > step;
  }

 private:
  struct Last {
    std::size_t arrival = 0;
    std::size_t use = 0;
  };

  std::unordered_map<std::uint64_t, Last> last_;
};

/// Follows the blocks that one rank holds through its memory, and assigns slots to those that arrive.
class SlotAllocator {
 public:
  SlotAllocator(const Schedule& part, Rank rank, const Collective& collective, ScratchSlots scratch)
      : rank_(rank),
        collective_(collective),
        scratch_(scratch),
        moves_(collective.moves_chunks()),
        uses_(part, rank, collective),
        program_{part.rank_count, 0, 0, {}, {}, {}, {}, {}} {
    if (moves_) keep_own({rank, rank});
  }

  void move(const Step& messages) {
    for (const Message& message : messages) {
      if (message.from == rank_) depart(message);
    }
    for (const Message& message : messages) {
      if (message.to == rank_) arrive(message);
    }
    for (std::size_t m = 0; m < messages.size() && !moves_; ++m) {
      if (messages[m].from == rank_) leave_unused(messages[m]);
    }
    free_slots_that_sends_show_to_be_unused();
    ++program_.step_count;
  }

  LocalProgram finish() {
    if (moves_) {
      if (delivered_ + 1 != program_.rank_count)
        fail(fmt::format("{} of {} blocks arrive", delivered_, program_.rank_count - 1));
      if (own_gone_.size() != program_.rank_count)
        fail(fmt::format("{} of {} blocks are sent", own_gone_.size() - 1, program_.rank_count - 1));
    }
    for (std::uint32_t c = 0; c < collective_.chunk_count(); ++c) {
      const Block chunk = numbered_chunk(c);
      if (!collective_.wants(rank_, chunk) || held_.contains(key_of(chunk))) continue;
      if (!collective_.contributes(rank_, chunk)) fail("wants", chunk, "does not arrive");
      keep_own(chunk);
    }
    program_.scratch_slots = free_.slot_count();
    return std::move(program_);
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("local_program: rank {}: {}", label(rank_), rule));
  }
  [[noreturn]] void fail(const char* verb, const Block& block, const char* rule) const {
    fail(fmt::format("{} block {} -> {}, which {}", verb, label(block.source), label(block.destination),
                     rule));
  }

  void keep_own(const Block& block) {
    program_.own.push_back({collective_.send_slot(block), collective_.receive_slot(block)});
    own_gone_.insert(key_of(block));
  }

  LocalMessage begin(Rank peer, std::size_t blocks) const {
    return {static_cast<std::uint32_t>(program_.step_count),  peer, static_cast<std::uint32_t>(blocks),
            static_cast<std::uint32_t>(program_.runs.size()), 0,    0};
  }

  /// Appends a slot to the last `run_count` runs, or a run to them.
  void add_place(std::uint32_t& run_count, Area area, Slot slot) {
    auto& runs = program_.runs;
    if (run_count > 0 && runs.back().area == area && runs.back().first + runs.back().count == slot) {
      ++runs.back().count;
    } else {
      runs.push_back({area, slot, 1});
      ++run_count;
    }
  }

  /// Returns whether the block has neither moved nor been replaced.
  bool is_own(const Block& block) const {
    return collective_.contributes(rank_, block) && !own_gone_.contains(key_of(block));
  }

  /// Returns the location of a block that is there.
  Location locate(const char* verb, const Block& block) const {
    if (is_own(block)) return {Area::send, collective_.send_slot(block)};
    const auto found = held_.find(key_of(block));
    if (found == held_.end()) fail(verb, block, "is not there");
    return found->second;
  }

  /// Forgets where a block is. Its slot of scratch is unused after the sends so far and `receives` receives.
  void leave(const Block& block, const Location& location, std::uint32_t receives) {
    if (location.area == Area::send) {
      own_gone_.insert(key_of(block));
    } else {
      unused_.push_back({location.slot, receives});
      held_.erase(key_of(block));
    }
  }

  void depart(const Message& sent) {
    LocalMessage message = begin(sent.to, sent.blocks.size());
    for (const Block& block : packing_order(sent)) {
      const Location location = locate("sends", block);
      add_place(message.run_count, location.area, location.slot);
      message.needs = std::max(message.needs, location.arrives_with);
      if (moves_) leave(block, location, location.arrives_with);
    }
    receives_before_sends_ = std::max(receives_before_sends_, message.needs);
    program_.sends.push_back(message);
  }

  void arrive(const Message& received) {
    LocalMessage message = begin(received.from, received.blocks.size());
    const std::vector<Block> blocks = packing_order(received);
    const auto receives = static_cast<std::uint32_t>(program_.receives.size() + 1);
    std::vector<Location> operands;
    for (const Block& block : blocks) {
      if (received.reduces) operands.push_back(locate("reduces", block));
    }
    const std::vector<Slot> scratch = scratch_for(blocks, message);
    auto next = scratch.begin();
    for (const Block& block : blocks) {
      if (!moves_) leave_replaced(block, received.reduces ? receives : 0);
      const bool home = is_home(block);
      const Location location = home ? Location{Area::receive, collective_.receive_slot(block), receives}
                                     : Location{Area::scratch, *next, receives};
      if (home && message.arrives_in) unused_.push_back({*next, receives});
      if (!home || message.arrives_in) ++next;
      add_place(message.run_count, location.area, location.slot);
      hold(block, location);
    }
    if (message.run_count == 1) message.arrives_in.reset();
    message.arrives_left = received.reduces && received.arrives_left;
    for (const Location& operand : operands) {
      add_place(message.operand_run_count, operand.area, operand.slot);
      message.needs_receives = std::max(message.needs_receives, operand.arrives_with);
    }
    program_.receives.push_back(message);
  }

  bool is_home(const Block& block) const {
    return collective_.wants(rank_, block) && (moves_ || !uses_.arrives_after(program_.step_count, block));
  }

  void hold(const Block& block, const Location& location) {
    if (moves_ && location.area == Area::receive) {
      ++delivered_;
      return;
    }
    const bool is_used =
        location.area == Area::receive || moves_ || uses_.is_used_after(program_.step_count, block);
    if (!is_used) fail("receives", block, "it neither keeps nor sends on");
    held_[key_of(block)] = location;
  }

  /// Takes the next slots of scratch for the blocks that are not at home here.
  std::vector<Slot> next_slots_for(const std::vector<Block>& blocks) {
    for (const Block& block : blocks)
      if (!is_home(block)) program_.scratch_chunks.push_back(label(block.source));
    return free_.take_anywhere(static_cast<Slot>(program_.scratch_chunks.size() - free_.slot_count()));
  }

  /// Takes slots of scratch for a message, which waits until they are free: one for each block, consecutive, in which
  /// it arrives as a whole. If too little memory is free for that, takes one for each block that is not at home here.
  std::vector<Slot> scratch_for(const std::vector<Block>& blocks, LocalMessage& message) {
    if (scratch_ == ScratchSlots::of_one_chunk) return next_slots_for(blocks);
    const auto home =
        std::count_if(blocks.begin(), blocks.end(), [&](const Block& block) { return is_home(block); });
    const auto passed_on = static_cast<Slot>(blocks.size() - static_cast<std::size_t>(home));
    if (passed_on == 0) return {};
    std::vector<Slot> slots;
    message.arrives_in = free_.take_consecutive(message.block_count, 2 * program_.rank_count);
    if (message.arrives_in) {
      slots.resize(message.block_count);
      std::iota(slots.begin(), slots.end(), *message.arrives_in);
    } else {
      slots = free_.take_anywhere(passed_on);
    }
    for (const Slot slot : slots) {
      const auto left = left_with_.find(slot);
      if (left != left_with_.end()) message.needs = std::max(message.needs, left->second);
    }
    return slots;
  }

  /// Forgets the value of a block, if the rank has one, which another value replaces. It is an operand of the first
  /// `receives` receives.
  void leave_replaced(const Block& block, std::uint32_t receives) {
    const auto old = held_.find(key_of(block));
    const bool is_there = old != held_.end() || is_own(block);
    if (!is_there) return;
    const Location location = locate("replaces", block);
    leave(block, location, std::max(receives, location.arrives_with));
  }

  void leave_unused(const Message& sent) {
    for (const Block& block : sent.blocks) {
      const auto found = held_.find(key_of(block));
      const bool is_unused = found != held_.end() && found->second.area == Area::scratch &&
                             !uses_.is_used_after(program_.step_count, block);
      if (is_unused) leave_replaced(block, 0);
    }
  }

  /// Frees the slots that are unused after receives for which a send has waited. Whatever waits for that send may write
  /// to them.
  void free_slots_that_sends_show_to_be_unused() {
    if (scratch_ == ScratchSlots::of_one_chunk) return;
    const auto waits = std::partition(unused_.begin(), unused_.end(), [&](const Unused& unused) {
      return unused.receives > receives_before_sends_;
    });
    std::for_each(waits, unused_.end(), [&](const Unused& unused) {
      free_.give(unused.slot);
      left_with_[unused.slot] = static_cast<std::uint32_t>(program_.sends.size());
    });
    unused_.erase(waits, unused_.end());
  }

  /// A slot of scratch that is unused after the sends so far and a number of receives.
  struct Unused {
    Slot slot;
    std::uint32_t receives;
  };

  Rank rank_;
  Collective collective_;
  ScratchSlots scratch_;
  bool moves_;  ///< whether a message takes its blocks from the sender
  BlockUses uses_;
  LocalProgram program_;
  FreeSlots free_;
  std::unordered_map<std::uint64_t, Location> held_;  ///< blocks that are not in the send buffer
  std::unordered_set<std::uint64_t> own_gone_;        ///< blocks that are not in the send buffer any more
  std::unordered_map<Slot, std::uint32_t> left_with_;
  std::vector<Unused> unused_;
  std::uint32_t receives_before_sends_ = 0;  ///< most receives that a send so far waits for
  std::size_t delivered_ = 0;
};

}  // namespace

LocalProgram local_program(const Schedule& part, Rank rank, const Collective& collective,
                           ScratchSlots scratch) {
  SlotAllocator allocator(part, rank, collective, scratch);
  for (const Step& step : part.steps) allocator.move(step);
  return allocator.finish();
}

Schedule in_single_blocks(const Schedule& part) {
  Schedule single{part.rank_count, {}};
  for (const Step& step : part.steps) {
    std::size_t most = 0;
    for (const Message& message : step) most = std::max(most, message.blocks.size());
    Step& cut = single.steps.emplace_back();
    for (std::size_t n = 0; n < most; ++n) {
      for (const Message& each : step) {
        if (n < each.blocks.size())
          cut.push_back({each.from, each.to, {each.blocks[n]}, each.reduces, each.arrives_left});
      }
    }
  }
  return single;
}

LocalProgram local_program(const Schedule& part, Rank rank) {
  return local_program(part, rank, Collective::complete_exchange(part.rank_count));
}

}  // namespace cubefold
