#include "cubefold/simulation/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "text/known_names.hpp"

namespace cubefold {

std::string_view to_string(Queues queues) {
  switch (queues) {
    case Queues::lossless:
      return "lossless";
    case Queues::lossy:
      return "lossy";
    case Queues::unknown:
      break;
  }
  return "unknown";
}

Queues parse_queues(std::string_view text) {
  constexpr std::array all{Queues::unknown, Queues::lossless, Queues::lossy};
  return enumerator_named<Queues>("kind of queues", text, all);
}

namespace {

/// Returns the library's name with its major version: `Open MPI v4` for `Open MPI v4.1.4`.
std::string_view major_version(std::string_view library) {
  return library.substr(0, library.find('.'));
}

/// Returns the part of the way from one size to another.
double part_between(std::size_t below, std::size_t above, std::size_t bytes) {
  return static_cast<double>(bytes - below) / static_cast<double>(above - below);
}

}  // namespace

std::optional<std::string> misfit(const Machine& machine, const MachineUse& use) {
  if (machine.grid != use.grid) {
    return fmt::format("made for {}, not {}", to_string(machine.grid), to_string(use.grid));
  }
  if (machine.host_count != use.host_count) {
    return fmt::format("made on {} host{}, not on {}", machine.host_count, machine.host_count == 1 ? "" : "s",
                       use.host_count);
  }
  if (major_version(machine.mpi_library) != major_version(use.mpi_library)) {
    return fmt::format("made with {}, not {}", machine.mpi_library, use.mpi_library);
  }
  return std::nullopt;
}

void require_fits(const Machine& machine, const MachineUse& use) {
  const auto reason = misfit(machine, use);
  if (!reason) return;
  const std::string name = machine.file.empty() ? "machine" : fmt::format("machine file {}", machine.file);
  throw std::invalid_argument(fmt::format("{}: {}", name, *reason));
}

Machine on_axes(const Machine& machine, const std::vector<int>& axes, std::size_t host_count) {
  Machine part = machine;
  const bool has_own_taus = machine.tau_seconds_per_byte.size() > 1;
  std::vector<Axis> kept;
  part.wraps.clear();
  if (has_own_taus) part.tau_seconds_per_byte.clear();
  for (const int axis : axes) {
    if (axis < 0 || axis >= machine.grid.axis_count())
      throw std::invalid_argument(fmt::format("axis {} is not one of {}", axis, to_string(machine.grid)));
    const auto a = static_cast<std::size_t>(axis);
    kept.push_back(machine.grid.axes()[a]);
    if (a < machine.wraps.size()) part.wraps.push_back(machine.wraps[a]);
    if (has_own_taus) part.tau_seconds_per_byte.push_back(machine.tau_seconds_per_byte[a]);
  }
  if (part.tau_seconds_per_byte.empty()) part.tau_seconds_per_byte = {0};
  std::vector<int> all(machine.grid.axes().size());
  std::iota(all.begin(), all.end(), 0);
  part.grid = axes == all ? machine.grid : Grid(std::move(kept));
  if (axes != all || host_count != machine.host_count) {
    part.plain_exchanges.clear();
    part.plain_allreduces.clear();
  }
  part.host_count = host_count;
  return part;
}

std::optional<PlainExchangeTimes> plain_exchange_times(const Machine& machine, std::size_t block_bytes) {
  const auto& known = machine.plain_exchanges;
  if (known.empty()) return std::nullopt;
  const auto above = std::ranges::lower_bound(known, block_bytes, {}, &PlainExchangeTimes::block_bytes);
  if (above == known.begin())
    return PlainExchangeTimes{block_bytes, above->alltoall_seconds, above->linear_seconds};
  const PlainExchangeTimes& below = *(above - 1);
  if (above == known.end()) {
    const double factor = static_cast<double>(block_bytes) / static_cast<double>(below.block_bytes);
    return PlainExchangeTimes{block_bytes, factor * below.alltoall_seconds, factor * below.linear_seconds};
  }
  const double part = part_between(below.block_bytes, above->block_bytes, block_bytes);
  return PlainExchangeTimes{block_bytes, std::lerp(below.alltoall_seconds, above->alltoall_seconds, part),
                            std::lerp(below.linear_seconds, above->linear_seconds, part)};
}

std::optional<double> plain_allreduce_seconds(const Machine& machine, std::size_t vector_bytes) {
  const auto& known = machine.plain_allreduces;
  const auto above = std::ranges::lower_bound(known, vector_bytes, {}, &PlainAllreduceTime::vector_bytes);
  if (above == known.end()) return std::nullopt;
  if (above->vector_bytes == vector_bytes) return above->seconds;
  if (above == known.begin()) return std::nullopt;
  const PlainAllreduceTime& below = *(above - 1);
  return std::lerp(below.seconds, above->seconds,
                   part_between(below.vector_bytes, above->vector_bytes, vector_bytes));
}

StepModel step_model(const Machine& machine, Tie tie) {
  StepModel model;
  model.alpha_seconds = machine.alpha_seconds;
  model.tau_seconds_per_byte = machine.tau_seconds_per_byte;
  model.ports = machine.ports;
  model.tie = tie;
  return model;
}

}  // namespace cubefold
