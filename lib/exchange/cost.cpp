#include "cubefold/exchange/method.hpp"

namespace cubefold {

namespace {

/// Returns whether the steps of `next` may be counted in the group `last`.
bool continues(const StepGroup& last, const StepGroup& next) {
  if (last.blocks != next.blocks || last.rate != next.rate || last.startups != next.startups) return false;
  return (next.waits == Waits::none && last.waits != Waits::each) ||
         (next.waits == Waits::each && last.waits == Waits::each);
}

}  // namespace

void ExchangeCost::add(const StepGroup& group) {
  if (group.steps == 0) return;
  if (!groups.empty() && continues(groups.back(), group)) {
    groups.back().steps += group.steps;
  } else {
    groups.push_back(group);
  }
}

std::size_t ExchangeCost::step_count() const {
  std::size_t steps = 0;
  for (const StepGroup& group : groups) steps += group.steps;
  return steps;
}

std::uint64_t ExchangeCost::startup_count() const {
  std::uint64_t startups = 0;
  for (const StepGroup& group : groups) startups += group.steps * group.startups;
  return startups;
}

double ExchangeCost::block_times() const {
  double blocks = 0;
  for (const StepGroup& group : groups) blocks += static_cast<double>(group.steps) * group.block_times();
  return blocks;
}

}  // namespace cubefold
