#include "local_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cubefold::fft {

namespace {

/// The one run of consecutive values that a process has of a dimension.
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

LocalBox array_box(const Layout& layout, const Layout::Members& members) {
  std::vector<std::pair<std::size_t, std::size_t>> by_weight;
  for (std::size_t d = 0; d < layout.dimensions().size(); ++d)
    by_weight.emplace_back(layout.dimensions()[d].weight, d);
  // Dimensions of one value share their weight with the next; those of arrays are in order then.
  std::stable_sort(by_weight.begin(), by_weight.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  LocalBox box;
  for (const auto& [weight, d] : by_weight) {
    const ValueRun run = run_of(layout, d, members);
    box.extents.push_back(run.count);
    box.offsets.push_back(run.count == 0 ? 0 : run.first);
  }
  return box;
}

}  // namespace cubefold::fft
