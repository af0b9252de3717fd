#include "plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <utility>
#include <variant>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/fft/programs.hpp"
#include "cubefold/fft/volume.hpp"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::fft {

namespace {

/// What the machine file makes of an exchange, beside the bound that none goes below.
std::optional<std::pair<double, double>> predicted(const ProcessAxis& axis, std::size_t block_bytes) {
  if (!axis.machine) return std::nullopt;
  const auto plan =
      plan_exchange(axis.comm->placement(), block_bytes, exchange_model(*axis.machine, Tie::balanced));
  return std::pair(plan.choice().seconds, plan.bound.seconds());
}

std::string exchange_text(ProcessAxis& axis, std::size_t block_bytes, std::pair<double, double>& total) {
  std::string text =
      fmt::format("  {} processes, {}: blocks of {} bytes to {} others, {} bytes sent by each\n",
                  axis.members, axis.name, block_bytes, axis.members - 1, block_bytes * (axis.members - 1));
  if (const auto times = predicted(axis, block_bytes)) {
    text += fmt::format("  predicted {:.4g} ms, the bound {:.4g} ms, {:.3g} times that\n", times->first * 1e3,
                        times->second * 1e3, times->second > 0 ? times->first / times->second : 1);
    total.first += times->first;
    total.second += times->second;
  }
  return text + fmt::format("  {}", axis.plans->explain_equal(block_bytes));
}

std::string volume_text(const std::string& name, const Program& program, std::size_t point_bytes) {
  const Volume volume = volume_of(program);
  return fmt::format("{}: {} exchange{}, {} messages and {} bytes sent by each process, {} with padding\n",
                     name, volume.exchange_count, volume.exchange_count == 1 ? "" : "s", volume.message_count,
                     volume.sent_count * point_bytes, volume.padded_count * point_bytes);
}

/// Other ways to the same points.
std::string alternatives_of_line(const PlanFacts& facts, std::size_t processes) {
  const auto& options = facts.options;
  if (options.input == Distribution::block_cyclic || options.output == Distribution::block_cyclic) return {};
  const LineOptions other{options.input, options.output, options.transform, true};
  if (options.algorithm == Algorithm::bluestein)
    return "alternatives: none; the length has no two factors that suit the processes\n";
  const Program program = options.kind == Kind::complex ? complex_program(facts.lengths[0], processes, other)
                                                        : real_program(facts.lengths[0], processes, other);
  return "alternative, which sends more: " + volume_text("bluestein", program, facts.point_bytes);
}

std::string alternatives_of_array(const PlanFacts& facts, const std::vector<ProcessAxis>& axes) {
  std::size_t processes = 1;
  for (const ProcessAxis& axis : axes) processes *= axis.members;
  if (axes.size() == 1 || facts.lengths.size() < 2) return {};
  const Program slab =
      array_program(facts.lengths, {processes},
                    {facts.options.kind, facts.options.transform, facts.options.transposed_output});
  return "alternative, whose exchanges are among all processes and not along axes: " +
         volume_text("slab", slab, facts.point_bytes);
}

}  // namespace

std::string plan_text(const PlanFacts& facts, std::vector<ProcessAxis>& axes) {
  std::string text = fmt::format("{} points, {}\n", fmt::join(facts.lengths, "x"), to_string(facts.options));
  std::pair<double, double> total{0, 0};
  std::size_t number = 0;
  for (const Stage& stage : facts.program.stages) {
    text += fmt::format("{}\n", describe(stage));
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr) continue;
    ProcessAxis& axis = axes[static_cast<std::size_t>(exchange->axis)];
    if (axis.members > 1) text += exchange_text(axis, facts.block_bytes[number++], total);
  }
  text += volume_text("all", facts.program, facts.point_bytes);
  if (total.second > 0)
    text += fmt::format("all exchanges: predicted {:.4g} ms, the bound {:.4g} ms, {:.3g} times that\n",
                        total.first * 1e3, total.second * 1e3, total.first / total.second);
  if (facts.lengths.size() == 1) return text + alternatives_of_line(facts, axes[0].members);
  return text + alternatives_of_array(facts, axes);
}

}  // namespace cubefold::fft
