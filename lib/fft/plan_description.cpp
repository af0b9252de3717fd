#include "plan_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "cubefold/plan/exchange_plan.hpp"
#include "mpi/agreement.hpp"
#include "transform/alternatives.hpp"

namespace cubefold::fft {

namespace {

std::optional<ExchangeSeconds> predicted(const ProcessAxis& axis, std::size_t block_bytes) {
  if (!axis.machine) return std::nullopt;
  const auto plan =
      plan_exchange(axis.comm->placement(), block_bytes, exchange_model(*axis.machine, Tie::balanced));
  return ExchangeSeconds{plan.choice().seconds, plan.bound.seconds()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

/// Returns lines on the method and the time of an exchange. The prediction replaces or precedes that of
/// PlanCache::text_for(), so that the time appears once and in the form of all times here. If a method was asked
/// for, its own prediction may differ from that of the best plan; then it stays.
std::vector<std::string> exchange_lines(const ProcessAxis& axis, const mpi::Exchange& exchange) {
  const std::size_t block_bytes = exchange.block_bytes().value();
  const bool is_measured = exchange.trials(CallKind::blocking) != nullptr;
  auto lines = is_measured
                   ? std::vector{fmt::format(
                         "blocks of {} bytes: transforms measure the candidates, see the end", block_bytes)}
                   : lines_of(axis.plans->text_for(exchange));
  const auto seconds = predicted(axis, block_bytes);
  if (!seconds) return lines;
  const auto said = std::find_if(lines.begin(), lines.end(),
                                 [](const std::string& line) { return line.starts_with("predicted "); });
  if (said == lines.end()) {
    lines.insert(lines.begin(), to_string(*seconds));
  } else if (said->starts_with(fmt::format("predicted {:.4g} ms;", seconds->predicted * 1e3))) {
    *said = to_string(*seconds);
  }
  return lines;
}

std::string exchange_text(const ProcessAxis& axis, const mpi::Exchange& exchange) {
  const std::size_t block_bytes = exchange.block_bytes().value();
  std::string text =
      fmt::format("  {} processes, {}: blocks of {} bytes to {} others, {} bytes sent by each\n",
                  axis.members, axis.name, block_bytes, axis.members - 1, block_bytes * (axis.members - 1));
  for (const std::string& line : exchange_lines(axis, exchange)) text += fmt::format("  {}\n", line);
  return text;
}

}  // namespace

std::string stages_text(const Program& program, const std::vector<std::size_t>& block_bytes,
                        const ProcessAxes& axes, MPI_Comm comm) {
  std::string text;
  std::size_t number = 0;
  for (const Stage& stage : program.stages) {
    const auto* blocks = std::get_if<ExchangeStage>(&stage);
    ProcessAxis* axis = blocks == nullptr ? nullptr : axes[static_cast<std::size_t>(blocks->axis)].get();
    std::shared_ptr<mpi::Exchange> exchange;
    // A text may need memory that a process lacks, so processes have communicated before they make it.
    const bool has_members = axis != nullptr && axis->members > 1;
    const std::size_t bytes = has_members ? block_bytes[number++] : 0;
    if (bytes > 0) mpi::agree_on_outcome_of_parts(comm, [&] { exchange = axis->plans->for_blocks(bytes); });
    mpi::agree_on_outcome(comm, [&] {
      text += fmt::format("{}\n", describe(stage));
      if (has_members && bytes == 0) {
        text += fmt::format("  {} processes, {}: in tiles through memory that they share\n", axis->members,
                            axis->name);
      }
      if (exchange) text += exchange_text(*axis, *exchange);
    });
  }
  return text;
}

namespace {

/// Returns the only run of consecutive values that a process has of a dimension. Throws std::invalid_argument if there
/// are several runs or the values are not consecutive.
ValueRun run_of(const Layout& layout, std::size_t dimension, const Layout::Members& members) {
  const auto runs = layout.runs(dimension, members);
  if (runs.empty()) return {0, 1, 0};
  if (runs.size() > 1 || (runs[0].step != 1 && runs[0].count > 1))
    throw std::invalid_argument(fmt::format("{}: the points of a process are no box", to_string(layout)));
  return runs[0];
}

}  // namespace

LocalBox row_box(const Layout& layout, const Layout::Members& members) {
  const auto& dimensions = layout.dimensions();
  for (std::size_t d = 1; d < dimensions.size(); ++d) {
    if (dimensions[d].weight > dimensions[d - 1].weight ||
        run_of(layout, d, members).count != dimensions[d].extent)
      throw std::invalid_argument(fmt::format("{}: the points of a process are no box", to_string(layout)));
  }
  if (dimensions.empty()) return {{1}, {0}};
  const ValueRun run = run_of(layout, 0, members);
  const std::size_t first = std::min(run.first * dimensions[0].weight, layout.point_count());
  const std::size_t end = std::min((run.first + run.count) * dimensions[0].weight, layout.point_count());
  return run.count == 0 ? LocalBox{{0}, {0}} : LocalBox{{end - first}, {first}};
}

namespace {

/// Returns the dimensions of the layout in the order of the array. Of dimensions with the same weight, all but the
/// first have one value.
std::vector<std::size_t> array_order(const Layout& layout) {
  const auto place = [&](std::size_t d) {
    return std::pair(layout.dimensions()[d].weight, layout.dimensions()[d].extent);
  };
  std::vector<std::size_t> order(layout.dimensions().size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return place(a) > place(b); });
  return order;
}

}  // namespace

LocalBox array_box(const Layout& layout, const Layout::Members& members) {
  LocalBox box;
  for (const std::size_t d : array_order(layout)) {
    const ValueRun run = run_of(layout, d, members);
    box.extents.push_back(run.count);
    box.offsets.push_back(run.count == 0 ? 0 : run.first);
  }
  return box;
}

std::vector<std::size_t> memory_order(const Layout& layout) {
  const std::vector<std::size_t> dimension_of = array_order(layout);
  std::vector<std::size_t> order(dimension_of.size());
  for (std::size_t d = 0; d < order.size(); ++d) order[dimension_of[d]] = d;
  return order;
}

std::vector<std::size_t> array_lengths(const Layout& layout) {
  std::vector<std::size_t> lengths;
  for (const std::size_t d : array_order(layout)) lengths.push_back(layout.dimensions()[d].extent);
  return lengths;
}

std::vector<std::size_t> array_strides(const Layout& layout, const Layout::Members& members) {
  std::vector<std::size_t> strides;
  for (const std::size_t d : array_order(layout)) {
    run_of(layout, d, members);
    strides.push_back(layout.stride(d, members));
  }
  return strides;
}

}  // namespace cubefold::fft
