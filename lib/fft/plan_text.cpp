#include "plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::fft {

std::string plan_text(const PlanFacts& facts, std::vector<ProcessAxis>& axes) {
  std::string text =
      fmt::format("{} points, {}\n", fmt::join(facts.lengths, " x "), to_string(facts.options));
  std::size_t number = 0;
  for (const Stage& stage : facts.program.stages) {
    text += fmt::format("{}\n", describe(stage));
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr) continue;
    ProcessAxis& axis = axes[static_cast<std::size_t>(exchange->axis)];
    if (axis.members == 1) continue;
    const std::size_t bytes = facts.block_bytes[number++];
    text += fmt::format("  {} processes, {}: {} blocks of {} bytes each\n  {}", axis.members, axis.name,
                        axis.members - 1, bytes, axis.plans->explain_equal(bytes));
  }
  return text;
}

}  // namespace cubefold::fft
