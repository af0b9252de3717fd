#pragma once

#include <functional>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "schedule/local_program.hpp"

namespace cubefold {

/// Runs the programs of all ranks in one process, in the least favourable way that MPI allows. Every receive is posted
/// as soon as its `needs` allows, and its places are empty from then on. The blocks of a message are read when it is
/// sent and again as late as possible, when it arrives. The caller chooses the order of events.
class ProgramReplay {
 public:
  /// Chooses the next one of `count` possible events.
  using Choice = std::function<std::size_t(std::size_t count)>;

  explicit ProgramReplay(std::vector<LocalProgram> programs) : programs_(std::move(programs)) {
    for (std::uint32_t r = 0; r < programs_.size(); ++r) ranks_.emplace_back(programs_[r], Rank{r});
  }

  /// Returns the first error, or nothing if every block ends in the slot of its source.
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
  using Place = std::optional<Block>;
  struct Action {
    std::size_t rank;
    std::size_t send;  ///< index of a send; it begins if it is the next, or else arrives
  };

  struct State {
    State(const LocalProgram& program, Rank rank)
        : receive(program.rank_count),
          scratch(program.scratch_slots),
          written(program.rank_count),
          awaited(program.scratch_slots),
          send_over(program.sends.size()),
          receive_over(program.receives.size()),
          sent(program.sends.size()) {
      for (std::uint32_t j = 0; j < program.rank_count; ++j) send.emplace_back(Block{rank, Rank{j}});
    }
    std::vector<Place> send, receive, scratch;
    std::vector<bool> written;  ///< slots of the receive area that a receive has used
    std::vector<bool> awaited;  ///< slots of scratch with a posted receive
    std::vector<bool> send_over, receive_over;
    std::vector<std::vector<Place>> sent;  ///< blocks of each message when it began
    std::size_t sends_begun = 0;
    std::size_t receives_begun = 0;
  };

  static std::size_t over(const std::vector<bool>& is_over) {
    std::size_t count = 0;
    while (count < is_over.size() && is_over[count]) ++count;
    return count;
  }

  template <typename Visit>
  void for_each_place(std::size_t rank, const LocalMessage& message, Visit visit) {
    State& state = ranks_[rank];
    for (const Run& run : std::span(programs_[rank].runs).subspan(message.first_run, message.run_count)) {
      auto& area = run.area == Area::send      ? state.send
                   : run.area == Area::receive ? state.receive
                                               : state.scratch;
      for (Slot slot = run.first; slot < run.first + run.count; ++slot) visit(run.area, slot, area.at(slot));
    }
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
           receives[state.receives_begun].needs <= over(state.send_over)) {
      for_each_place(rank, receives[state.receives_begun++], [&](Area area, Slot slot, Place& place) {
        if (area == Area::send) fault_ = "a receive writes to what the process sends";
        if (area == Area::receive && state.written[slot]) fault_ = "a place is written to twice";
        if (area == Area::receive) state.written[slot] = true;
        if (area == Area::scratch && state.awaited[slot]) fault_ = "two receives wait for the same place";
        if (area == Area::scratch) state.awaited[slot] = true;
        place.reset();
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
    std::size_t next = 0;
    for_each_place(peer, programs_[peer].receives[receive], [&](Area area, Slot slot, Place& place) {
      place = blocks.at(next++);
      if (area == Area::scratch) ranks_[peer].awaited[slot] = false;
    });
    ranks_[rank].send_over[send] = true;
    ranks_[peer].receive_over[receive] = true;
  }

  void judge_end() {
    for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
      const State& state = ranks_[r];
      if (over(state.send_over) < state.send_over.size() ||
          over(state.receive_over) < state.receive_over.size())
        fault_ = "processes wait for one another";
    }
    for (std::uint32_t r = 0; r < ranks_.size() && !fault_; ++r) {
      for (std::uint32_t i = 0; i < ranks_.size(); ++i) {
        if (i != r && ranks_[r].receive[i] != Block{Rank{i}, Rank{r}})
          fault_ = "a block is not where it belongs";
      }
    }
  }

  std::vector<LocalProgram> programs_;
  std::vector<State> ranks_;
  std::optional<std::string> fault_;
};

/// Returns the programs of all ranks of a schedule.
inline std::vector<LocalProgram> local_programs(const Schedule& schedule) {
  std::vector<LocalProgram> programs;
  for (std::uint32_t r = 0; r < schedule.rank_count; ++r) {
    programs.push_back(local_program(part_of(schedule, Rank{r}), Rank{r}));
  }
  return programs;
}

/// Returns the first error of four runs, or nothing. One run sends messages as early and delivers them as late as
/// possible, one delivers them as early as possible, and two have random orders.
inline std::optional<std::string> first_replay_fault(const std::vector<LocalProgram>& programs) {
  std::mt19937 random(1);
  const ProgramReplay::Choice choices[] = {
      [](std::size_t) { return std::size_t{0}; },
      [](std::size_t count) { return count - 1; },
      [&](std::size_t count) { return random() % count; },
      [&](std::size_t count) { return random() % count; },
  };
  for (const auto& choose : choices) {
    if (auto fault = ProgramReplay(programs).first_fault(choose)) return fault;
  }
  return std::nullopt;
}

}  // namespace cubefold
