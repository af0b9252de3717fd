#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schedule/local_program.hpp"

namespace cubefold {

/// Runs the programs of all ranks in one process, in the least favourable way that MPI allows. Every receive is posted
/// as soon as its needs allow, and its places, and the slots in which it may arrive first, are empty from then on. The
/// blocks of a message are read when it is sent and again as late as possible, when it arrives, and so are operands.
/// The caller chooses the order of events.
class ProgramReplay {
 public:
  /// Chooses the next one of `count` possible events.
  using Choice = std::function<std::size_t(std::size_t count)>;

  /// With `in_order`, reductions must also have their operands in the order of the ranks.
  ProgramReplay(std::vector<LocalProgram> programs, const Collective& collective, bool in_order = false)
      : programs_(std::move(programs)),
        collective_(collective),
        in_order_(in_order),
        chunks_(chunks_of(collective)) {
    for (std::uint32_t r = 0; r < programs_.size(); ++r) ranks_.push_back(state_of(programs_[r], Rank{r}));
  }

  /// Returns the first error, or nothing if every chunk ends with all contributions in the slots that want it.
  std::optional<std::string> first_fault(const Choice& choose) {
    while (!fault_) {
      for (std::size_t r = 0; r < ranks_.size(); ++r) post_receives(r);
      const auto actions = possible();
      if (actions.empty()) break;
      const auto [rank, send] = actions.at(choose(actions.size()));
      send == ranks_[rank].sends_begun ? begin_send(rank) : end_message(rank, send);
    }
    if (!fault_) judge_end();
    return fault_;
  }

 private:
  /// A chunk with the ranks whose contributions it contains, in the order of the operands.
  struct Held {
    Block chunk;
    std::vector<std::uint32_t> contributions;

    bool operator==(const Held&) const = default;
  };
  using Place = std::optional<Held>;
  struct Action {
    std::size_t rank;
    std::size_t send;  ///< index of a send; it begins if it is the next, or else arrives
  };

  struct State {
    std::vector<Place> send, receive, scratch;
    std::vector<bool> written;  ///< slots of the receive area that a receive has used
    std::vector<bool> awaited;  ///< slots of scratch with a posted receive
    std::vector<bool> send_over, receive_over;
    std::vector<std::vector<Place>> sent;  ///< blocks of each message when it began
    std::size_t sends_begun = 0;
    std::size_t receives_begun = 0;
  };

  static std::vector<Block> chunks_of(const Collective& collective) {
    std::vector<Block> chunks;
    for (std::uint32_t c = 0; c < collective.chunk_count(); ++c) chunks.push_back(numbered_chunk(c));
    for (std::uint32_t i = 0; i < collective.rank_count() && collective.moves_chunks(); ++i) {
      for (std::uint32_t j = 0; j < collective.rank_count(); ++j) chunks.push_back({Rank{i}, Rank{j}});
    }
    return chunks;
  }

  static Place& at(std::vector<Place>& places, std::size_t slot) {
    if (places.size() <= slot) places.resize(slot + 1);
    return places[slot];
  }

  State state_of(const LocalProgram& program, Rank rank) const {
    State state;
    for (const Block& chunk : chunks_) {
      if (collective_.wants(rank, chunk)) at(state.receive, collective_.receive_slot(chunk));
      if (!collective_.contributes(rank, chunk)) continue;
      at(state.send, collective_.send_slot(chunk)) = Held{chunk, {label(rank)}};
    }
    state.scratch.resize(program.scratch_slots);
    state.written.resize(state.receive.size());
    state.awaited.resize(program.scratch_slots);
    state.send_over.resize(program.sends.size());
    state.receive_over.resize(program.receives.size());
    state.sent.resize(program.sends.size());
    for (const OwnBlock& own : program.own) {
      state.receive.at(own.receive) = state.send.at(own.send);
      state.written.at(own.receive) = true;
    }
    return state;
  }

  static std::size_t over(const std::vector<bool>& is_over) {
    std::size_t count = 0;
    while (count < is_over.size() && is_over[count]) ++count;
    return count;
  }

  template <typename Visit>
  void for_each_place(std::size_t rank, const LocalMessage& message, Visit visit) {
    for_each_place(rank, message.first_run, message.run_count, visit);
  }

  template <typename Visit>
  void for_each_place(std::size_t rank, std::size_t first_run, std::size_t run_count, Visit visit) {
    State& state = ranks_[rank];
    for (const Run& run : std::span(programs_[rank].runs).subspan(first_run, run_count)) {
      auto& area = run.area == Area::send      ? state.send
                   : run.area == Area::receive ? state.receive
                                               : state.scratch;
      for (Slot slot = run.first; slot < run.first + run.count; ++slot) visit(run.area, slot, area.at(slot));
    }
  }

  /// Calls visit(slot) for the scratch slots in which a message may arrive on its way to its places.
  template <typename Visit>
  static void for_each_arrival(const LocalMessage& message, Visit visit) {
    for (Slot n = 0; message.arrives_in && n < message.block_count; ++n) visit(*message.arrives_in + n);
  }

  std::vector<Place> places_of(std::size_t rank, const LocalMessage& message) {
    std::vector<Place> places;
    for_each_place(rank, message, [&](Area, Slot, const Place& place) { places.push_back(place); });
    return places;
  }

  void post_receives(std::size_t rank) {
    State& state = ranks_[rank];
    const auto& receives = programs_[rank].receives;
    while (state.receives_begun < receives.size() &&
           receives[state.receives_begun].needs <= over(state.send_over) &&
           receives[state.receives_begun].needs_receives <= over(state.receive_over)) {
      const LocalMessage& message = receives[state.receives_begun++];
      std::set<Slot> own;
      for_each_place(rank, message, [&](Area area, Slot slot, Place& place) {
        if (area == Area::scratch) own.insert(slot);
        if (area == Area::send) fault_ = "a receive writes to what the process sends";
        if (area == Area::receive && state.written[slot]) fault_ = "a place is written to twice";
        if (area == Area::receive) state.written[slot] = true;
        if (area == Area::scratch && state.awaited[slot]) fault_ = "two receives wait for the same place";
        if (area == Area::scratch) state.awaited[slot] = true;
        place.reset();
      });
      for_each_arrival(message, [&](Slot slot) {
        if (own.contains(slot)) return;
        if (state.awaited.at(slot)) fault_ = "two receives wait for the same place";
        state.awaited[slot] = true;
        state.scratch[slot].reset();
      });
    }
  }

  std::vector<Action> possible() {
    std::vector<Action> actions;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const State& state = ranks_[r];
      const auto& sends = programs_[r].sends;
      for (std::size_t k = 0; k < state.sends_begun; ++k) {
        if (!state.send_over[k] && awaited_by(r, k).has_value()) actions.push_back({r, k});
      }
      if (state.sends_begun < sends.size() && sends[state.sends_begun].needs <= over(state.receive_over))
        actions.push_back({r, state.sends_begun});
    }
    return actions;
  }

  /// Returns the index of the posted receive that takes this message. Messages between two processes stay in order.
  std::optional<std::size_t> awaited_by(std::size_t rank, std::size_t send) const {
    const std::size_t peer = label(programs_[rank].sends[send].peer);
    std::size_t before = 0;
    for (std::size_t k = 0; k < send; ++k)
      before += label(programs_[rank].sends[k].peer) == peer ? std::size_t{1} : 0;
    const auto& receives = programs_[peer].receives;
    for (std::size_t k = 0; k < ranks_[peer].receives_begun; ++k) {
      if (label(receives[k].peer) == rank && before-- == 0) return k;
    }
    return std::nullopt;
  }

  void begin_send(std::size_t rank) {
    State& state = ranks_[rank];
    const std::size_t send = state.sends_begun++;
    state.sent[send] = places_of(rank, programs_[rank].sends[send]);
  }

  void end_message(std::size_t rank, std::size_t send) {
    const std::size_t peer = label(programs_[rank].sends[send].peer);
    const std::size_t receive = *awaited_by(rank, send);
    const auto blocks = places_of(rank, programs_[rank].sends[send]);
    if (blocks != ranks_[rank].sent[send]) fault_ = "a message changes while it is under way";
    if (blocks.size() != programs_[peer].receives[receive].block_count) {
      fault_ = "a message has not the blocks that are expected";
      return;
    }
    const LocalMessage& received = programs_[peer].receives[receive];
    std::vector<Place> operands;
    for_each_place(peer, received.first_run + received.run_count, received.operand_run_count,
                   [&](Area, Slot, const Place& place) { operands.push_back(place); });
    std::size_t next = 0;
    for_each_place(peer, received, [&](Area area, Slot slot, Place& place) {
      place = blocks.at(next);
      if (!operands.empty()) reduce(place, operands.at(next), received.arrives_left);
      ++next;
      if (area == Area::scratch) ranks_[peer].awaited[slot] = false;
    });
    for_each_arrival(received, [&](Slot slot) { ranks_[peer].awaited[slot] = false; });
    ranks_[rank].send_over[send] = true;
    ranks_[peer].receive_over[receive] = true;
  }

  void reduce(Place& place, const Place& operand, bool arrives_left) {
    if (!place || !operand || place->chunk != operand->chunk) {
      fault_ = "a chunk is reduced with another one";
      return;
    }
    auto& arrived = place->contributions;
    arrived.insert(arrives_left ? arrived.end() : arrived.begin(), operand->contributions.begin(),
                   operand->contributions.end());
  }

  void judge_end() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      const State& state = ranks_[r];
      if (over(state.send_over) < state.send_over.size() ||
          over(state.receive_over) < state.receive_over.size())
        fault_ = "processes wait for one another";
    }
    for (std::uint32_t r = 0; r < ranks_.size() && !fault_; ++r) {
      for (const Block& chunk : chunks_) {
        if (!collective_.wants(Rank{r}, chunk)) continue;
        Held whole{chunk, {}};
        for (std::uint32_t i = 0; i < ranks_.size(); ++i)
          if (collective_.contributes(Rank{i}, chunk)) whole.contributions.push_back(i);
        Place held = ranks_[r].receive.at(collective_.receive_slot(chunk));
        if (held && !in_order_) std::ranges::sort(held->contributions);
        if (held != whole) fault_ = "a block is not where it belongs";
      }
    }
  }

  std::vector<LocalProgram> programs_;
  Collective collective_;
  bool in_order_;
  std::vector<Block> chunks_;
  std::vector<State> ranks_;
  std::optional<std::string> fault_;
};

/// Returns the programs of all ranks of a schedule.
inline std::vector<LocalProgram> local_programs(const Schedule& schedule, const Collective& collective) {
  std::vector<LocalProgram> programs;
  for (std::uint32_t r = 0; r < schedule.rank_count; ++r) {
    programs.push_back(local_program(part_of(schedule, Rank{r}), Rank{r}, collective));
  }
  return programs;
}
inline std::vector<LocalProgram> local_programs(const Schedule& schedule) {
  return local_programs(schedule, Collective::complete_exchange(schedule.rank_count));
}

/// Returns the first error of four runs, or nothing. One run sends messages as early and delivers them as late as
/// possible, one delivers them as early as possible, and two have random orders. With `in_order`, reductions must have
/// their operands in the order of the ranks.
inline std::optional<std::string> first_replay_fault(const std::vector<LocalProgram>& programs,
                                                     const Collective& collective, bool in_order = false) {
  std::mt19937 random(1);
  const ProgramReplay::Choice choices[] = {
      [](std::size_t) { return std::size_t{0}; },
      [](std::size_t count) { return count - 1; },
      [&](std::size_t count) { return random() % count; },
      [&](std::size_t count) { return random() % count; },
  };
  for (const auto& choose : choices) {
    if (auto fault = ProgramReplay(programs, collective, in_order).first_fault(choose)) return fault;
  }
  return std::nullopt;
}
inline std::optional<std::string> first_replay_fault(const std::vector<LocalProgram>& programs) {
  return first_replay_fault(programs, Collective::complete_exchange(programs.size()));
}

}  // namespace cubefold
