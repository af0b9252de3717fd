#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cubefold/fft/programs.hpp"
#include "plan_choice.hpp"
#include "process_axes.hpp"
#include "wanted.hpp"

namespace cubefold::fft {

namespace {

Alternative by(Decomposition decomposition, const Wanted& wanted) {
  const auto& [lengths, options, point_bytes, network] = wanted;
  const Grid& grid = network.placement.grid();
  const auto parts = network_parts(grid, decomposition);
  std::vector<std::size_t> members;
  for (const auto& part : parts) members.push_back(grid_of_axes(grid, part).node_count());
  std::vector<AxisNetwork> axes;
  if (model_of(network)) axes = networks_of_axes(network, parts);
  const Program program =
      array_program(lengths, members, {options.kind, options.transform, options.transposed_output});
  Alternative alternative = alternative_of(program, wanted, axes);
  alternative.decomposition = decomposition;
  return alternative;
}

void require_pencils(const Wanted& wanted) {
  if (wanted.lengths.size() < 3)
    throw std::invalid_argument(
        fmt::format("fft::Plan: an array of {} dimensions has no pencils", wanted.lengths.size()));
}

Choice as_asked(const Wanted& wanted, bool has_pencils) {
  const Decomposition asked = wanted.options.decomposition;
  Choice choice{{by(asked, wanted)}, "as asked for"};
  if (asked == Decomposition::pencil || has_pencils)
    choice.alternatives.push_back(
        by(asked == Decomposition::slab ? Decomposition::pencil : Decomposition::slab, wanted));
  return choice;
}

/// On one host what is sent is copied, and that is all that there is to it.
Choice compared(const Wanted& wanted) {
  Choice choice{{by(Decomposition::slab, wanted), by(Decomposition::pencil, wanted)}, {}};
  auto& found = choice.alternatives;
  if (wanted.network.host_count > 1) {
    sort_by_time(found.begin(), found.end());
    choice.why = why_of_times(wanted.network);
  } else {
    if (found[1].sent_bytes < found[0].sent_bytes) std::swap(found[0], found[1]);
    choice.why = "sends no more, on one host";
  }
  return choice;
}

}  // namespace

Choice array_choice(const Wanted& wanted) {
  const bool has_pencils = wanted.lengths.size() > 2 && two_parts(wanted.network.placement.grid()).size() > 1;
  switch (wanted.options.decomposition) {
    case Decomposition::pencil:
      require_pencils(wanted);
      break;
    case Decomposition::slab:
      break;
    case Decomposition::automatic:
      if (has_pencils) return compared(wanted);
      return {{by(Decomposition::slab, wanted)},
              wanted.lengths.size() > 2 ? "pencils need a grid of two axes or more"
                                        : "two dimensions have slabs only"};
  }
  return as_asked(wanted, has_pencils);
}

}  // namespace cubefold::fft
