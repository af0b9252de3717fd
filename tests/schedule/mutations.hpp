#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <utility>

#include "cubefold/schedule/schedule.hpp"

/// Provides functions that break a schedule at positions that are drawn at random.
namespace cubefold::mutations {

/// Returns a random number, uniform in [0, count).
inline std::size_t any_below(std::size_t count, std::mt19937& chance) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(chance);
}

/// Returns a random number other than `but`, uniform in [0, count). Requires count > 1.
inline std::size_t any_other(std::size_t count, std::size_t but, std::mt19937& chance) {
  return (but + 1 + any_below(count - 1, chance)) % count;
}

inline Rank any_rank_but(std::initializer_list<Rank> not_these, std::size_t rank_count,
                         std::mt19937& chance) {
  for (;;) {
    const auto rank = static_cast<Rank>(any_below(rank_count, chance));
    if (std::find(not_these.begin(), not_these.end(), rank) == not_these.end()) return rank;
  }
}

/// Locates a message by its step and its index in that step.
struct Place {
  std::size_t step;
  std::size_t message;
};

inline Place any_place(const Schedule& schedule, std::mt19937& chance) {
  const std::size_t step = any_below(schedule.steps.size(), chance);
  return {step, any_below(schedule.steps[step].size(), chance)};
}

inline Message& at(Schedule& schedule, Place place) {
  return schedule.steps[place.step][place.message];
}

/// Removes a message from the schedule and returns it.
inline Message taken_out(Schedule& schedule, Place place) {
  Step& step = schedule.steps[place.step];
  Message message = step[place.message];
  step.erase(step.begin() + static_cast<std::ptrdiff_t>(place.message));
  return message;
}

/// Removes a block from the message and returns it.
inline Block taken_out(Message& message, std::size_t index) {
  const Block block = message.blocks[index];
  message.blocks.erase(message.blocks.begin() + static_cast<std::ptrdiff_t>(index));
  return block;
}

inline bool carries(const Message& message, const Block& block) {
  return std::find(message.blocks.begin(), message.blocks.end(), block) != message.blocks.end();
}

/// Returns whether a message of the step brings the block to the rank.
inline bool is_received(const Step& step, Rank rank, const Block& block) {
  return std::any_of(step.begin(), step.end(),
                     [&](const Message& message) { return message.to == rank && carries(message, block); });
}

/// Returns whether a message of `first_step` or of a later step carries the block.
inline bool is_sent_from(std::size_t first_step, const Schedule& schedule, const Block& block) {
  return std::any_of(schedule.steps.begin() + static_cast<std::ptrdiff_t>(first_step), schedule.steps.end(),
                     [&](const Step& step) {
                       return std::any_of(step.begin(), step.end(),
                                          [&](const Message& message) { return carries(message, block); });
                     });
}

/// Moves a random message to another random step. Returns the step that it leaves and the step that it comes to.
inline std::pair<std::size_t, std::size_t> move_any_message(Schedule& schedule, std::mt19937& chance) {
  const Place place = any_place(schedule, chance);
  const std::size_t to = any_other(schedule.steps.size(), place.step, chance);
  schedule.steps[to].push_back(taken_out(schedule, place));
  return {place.step, to};
}

/// Merges two successive steps, drawn at random, into one. Returns the number of the merged step.
inline std::size_t merge_any_steps(Schedule& schedule, std::mt19937& chance) {
  auto& steps = schedule.steps;
  const std::size_t first = any_below(steps.size() - 1, chance);
  steps[first].insert(steps[first].end(), steps[first + 1].begin(), steps[first + 1].end());
  steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(first) + 1);
  return first;
}

}  // namespace cubefold::mutations
