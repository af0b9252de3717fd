#include "algorithm.hpp"
#include "step_load.hpp"

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

ExchangeCost cost_of_schedule(const Placement& placement, const Schedule& schedule,
                              const NetworkRules& rules) {
  const std::size_t rank_count = schedule.rank_count;
  std::vector<std::uint32_t> last_moves(rank_count * rank_count);  // of each block: 1 + the step, or 0
  const auto last_move = [&](const Block& block) -> std::uint32_t& {
    return last_moves[label(block.source) * rank_count + label(block.destination)];
  };
  ExchangeCost cost;
  std::size_t steps_over =
      0;  // steps that are over when the present one begins, as far as earlier waits tell
  for (std::size_t index = 0; index < schedule.steps.size(); ++index) {
    StepLoad load(placement, rules.ports, rules.tie);
    bool waits = index == 0;
    for (const Message& message : schedule.steps[index]) {
      load.add(message.from, message.to, message.blocks.size());
      cost.sent_blocks += static_cast<double>(message.blocks.size());
      for (const Block& block : message.blocks) {
        waits = waits || last_move(block) > steps_over;
        last_move(block) = static_cast<std::uint32_t>(index + 1);
      }
    }
    if (waits) steps_over = index;
    StepGroup group = load.group();
    if (waits) group.waits = Waits::first;
    cost.add(group);
  }
  cost.sent_blocks /= static_cast<double>(rank_count);
  return cost;
}

ExchangeCost cost_of(const ExchangeDescriptor& algorithm, const ExchangeInputs& inputs) {
  if (algorithm.cost != nullptr) return algorithm.cost(inputs);
  return cost_of_schedule(inputs.placement, algorithm.parts(inputs).whole(), {inputs.ports, inputs.tie});
}

}  // namespace cubefold
