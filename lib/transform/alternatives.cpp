#include "alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "axis_network.hpp"
#include "binary_exchange_cost.hpp"
#include "block_geometry.hpp"
#include "plan_choice.hpp"
#include "program.hpp"
#include "programs.hpp"

namespace cubefold::fft {

bool is_of_several_axes(const Grid& grid) {
  int count = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) count += grid.extent(axis) > 1 ? 1 : 0;
  return count > 1;
}

namespace {

/// The arguments of choose().
struct Requested {
  const std::vector<std::size_t>& lengths;
  const PlanOptions& options;
  std::size_t point_bytes;
  const Network& network;
};

/// Returns the messages and bytes of a program, and its time if `axes` describes its process axes.
Alternative alternative_of(const Program& program, const Requested& requested,
                           const std::vector<AxisNetwork>& axes) {
  const std::size_t bytes = requested.point_bytes * requested.options.batch;
  const Volume volume = volume_of(program);
  Alternative alternative;
  alternative.message_count = volume.message_count;
  alternative.sent_bytes = volume.padded_count * bytes;
  if (!axes.empty()) alternative.seconds = exchange_seconds(program, bytes, axes);
  return alternative;
}

/// Sorts alternatives by predicted time. Those without a time follow in their old order.
void sort_by_time(std::vector<Alternative>::iterator first, std::vector<Alternative>::iterator last) {
  std::stable_sort(first, last, [](const Alternative& a, const Alternative& b) {
    return a.seconds && (!b.seconds || a.seconds->predicted < b.seconds->predicted);
  });
}

/// Returns the reason for taking the first alternative after sort_by_time().
std::string why_of_times(const Network& network) {
  return network.machine ? "predicted to take least"
                         : "takes least on a typical network; cubefold-calibrate measures this one";
}

std::size_t processes_of(const Requested& requested) {
  return requested.network.placement.rank_count();
}

Program program_by(Algorithm algorithm, const Requested& requested) {
  return line_program(requested.lengths[0], processes_of(requested), requested.options, algorithm);
}

Alternative by_program(const Program& program, const Requested& requested) {
  std::vector<AxisNetwork> axes;
  if (model_of(requested.network)) axes.push_back(network_of_all(requested.network));
  Alternative alternative = alternative_of(program, requested, axes);
  alternative.algorithm = is_bluestein(program) ? Algorithm::bluestein : Algorithm::transposed;
  return alternative;
}

/// Returns the alternative of a binary exchange. A half exchange has the lower bound of the transposed algorithm,
/// because it replaces one exchange of that.
Alternative by_butterflies(const BinaryExchange& exchange, const Requested& requested,
                           const Alternative& transposed) {
  const auto& [lengths, options, point_bytes, network] = requested;
  const bool of_halves = exchange.shape().exchanged == Exchanged::half;
  const auto model = exchange.stage_count() > 0 ? model_of(network) : std::nullopt;
  Alternative result;
  result.algorithm = of_halves ? Algorithm::half_exchange : Algorithm::binary_exchange;
  result.packet_count = model ? best_packet_count(exchange, network.placement, point_bytes, *model)
                              : least_packet_count(exchange, point_bytes);
  const auto cost = model ? cost_of(exchange, network.placement, point_bytes, result.packet_count, *model)
                          : traffic_of(exchange, result.packet_count);
  result.message_count = cost.startups * options.batch;
  result.sent_bytes = cost.sent_points * point_bytes * options.batch;
  if (model) {
    result.seconds = ExchangeSeconds{cost.seconds * static_cast<double>(options.batch),
                                     of_halves && transposed.seconds ? transposed.seconds->bound : 0};
  }
  return result;
}

/// Returns the alternative of exchanges and after it those of butterflies. Butterflies must leave points in the same
/// places as the exchanges do, unless the options ask for them.
std::vector<Alternative> fitting(const Requested& requested) {
  const Program program = program_by(Algorithm::automatic, requested);
  std::vector<Alternative> found{by_program(program, requested)};
  for (const Algorithm algorithm : {Algorithm::half_exchange, Algorithm::binary_exchange}) {
    const auto exchange =
        fitting_butterflies(requested.lengths[0], processes_of(requested), requested.options, algorithm);
    if (!exchange) continue;
    const bool same =
        same_places(exchange->input(), program.input) && same_places(exchange->output(), program.output);
    if (same || algorithm == requested.options.algorithm)
      found.push_back(by_butterflies(*exchange, requested, found.front()));
  }
  return found;
}

/// Adds Bluestein's algorithm after the comparison. It computes and sends more than the algorithms that it could
/// replace, so it is never taken instead of them.
void add_bluestein(std::vector<Alternative>& found, const Requested& requested) {
  const auto is = [&](Distribution distribution) {
    return requested.options.input == distribution || requested.options.output == distribution;
  };
  const bool has_it = std::any_of(found.begin(), found.end(), [](const Alternative& alternative) {
    return alternative.algorithm == Algorithm::bluestein;
  });
  if (!is(Distribution::block_cyclic) && !has_it)
    found.push_back(by_program(program_by(Algorithm::bluestein, requested), requested));
}

std::string why_of_program(const Alternative& program, std::size_t found_count, const Requested& requested) {
  if (processes_of(requested) == 1) return "one process exchanges nothing";
  if (program.algorithm == Algorithm::bluestein && found_count == 1)
    return "the length has no two factors that suit the processes";
  if (found_count == 1) return "no butterflies go between these distributions";
  if (requested.network.host_count == 1) return "all processes share the memory of one host";
  return {};
}

Choice line_compared(const Requested& requested) {
  Choice choice{fitting(requested), {}};
  choice.why = why_of_program(choice.taken(), choice.alternatives.size(), requested);
  if (choice.why.empty()) {
    sort_by_time(choice.alternatives.begin(), choice.alternatives.end());
    choice.why = why_of_times(requested.network);
  }
  add_bluestein(choice.alternatives, requested);
  return choice;
}

Choice line_as_asked(const Requested& requested) {
  const Algorithm algorithm = requested.options.algorithm;
  Choice choice{fitting(requested), "as asked for"};
  auto& found = choice.alternatives;
  add_bluestein(found, requested);
  const auto asked = std::find_if(found.begin(), found.end(),
                                  [&](const Alternative& each) { return each.algorithm == algorithm; });
  std::rotate(found.begin(), asked, asked + 1);
  sort_by_time(found.begin() + 1, found.end());
  return choice;
}

Choice line_choice(const Requested& requested) {
  switch (requested.options.algorithm) {
    case Algorithm::automatic:
      return line_compared(requested);
    case Algorithm::transposed:
    case Algorithm::bluestein:
      program_by(requested.options.algorithm, requested);
      break;
    case Algorithm::binary_exchange:
    case Algorithm::half_exchange:
      required_butterflies(requested.lengths[0], processes_of(requested), requested.options,
                           requested.options.algorithm);
      break;
  }
  return line_as_asked(requested);
}

Alternative by(Decomposition decomposition, const Requested& requested) {
  const auto& [lengths, options, point_bytes, network] = requested;
  const ProcessParts parts = process_parts(network, decomposition, options.process_grid);
  std::vector<AxisNetwork> axes;
  if (model_of(network)) axes = networks_of_axes(network, parts);
  const Program program = array_program(lengths, parts.extents, options);
  Alternative alternative = alternative_of(program, requested, axes);
  alternative.decomposition = decomposition;
  return alternative;
}

void require_three_dimensions(const Requested& requested) {
  if (requested.lengths.size() >= 3) return;
  throw std::invalid_argument(
      fmt::format("fft::Plan: an array of {} dimensions has no pencils", requested.lengths.size()));
}

void require_pencils(const Requested& requested) {
  require_three_dimensions(requested);
  if (processes_of(requested) == 1 || has_pencils(requested.network.placement.grid())) return;
  throw std::invalid_argument(fmt::format(
      "fft::Plan: decomposition pencil needs a network with two axes of several nodes, but the {} "
      "processes are on: {}",
      processes_of(requested), requested.network.name));
}

Choice array_as_asked(const Requested& requested, bool compares_pencils) {
  const Decomposition asked = requested.options.decomposition;
  Choice choice{{by(asked, requested)}, "as asked for"};
  if (asked == Decomposition::pencil || compares_pencils) {
    choice.alternatives.push_back(
        by(asked == Decomposition::slab ? Decomposition::pencil : Decomposition::slab, requested));
  }
  return choice;
}

/// Compares slabs and pencils. On one host every message is a copy in memory, so the bytes alone decide.
Choice array_compared(const Requested& requested) {
  Choice choice{{by(Decomposition::slab, requested), by(Decomposition::pencil, requested)}, {}};
  auto& found = choice.alternatives;
  if (requested.network.host_count > 1) {
    sort_by_time(found.begin(), found.end());
    choice.why = why_of_times(requested.network);
  } else {
    if (found[1].sent_bytes < found[0].sent_bytes) std::swap(found[0], found[1]);
    choice.why = "sends no more, on one host";
  }
  return choice;
}

/// Returns the decomposition that has a process grid.
Choice array_on_process_grid(const Requested& requested) {
  const auto [rows, columns] = whole_process_grid(requested.options.process_grid, processes_of(requested));
  Decomposition decomposition = requested.options.decomposition;
  if (decomposition == Decomposition::slab && columns > 1) {
    throw std::invalid_argument(
        fmt::format("fft::Plan: process_grid {}x{} has no slabs, whose second number is 1", rows, columns));
  }
  if (decomposition == Decomposition::automatic)
    decomposition = columns == 1 ? Decomposition::slab : Decomposition::pencil;
  if (decomposition == Decomposition::pencil) require_three_dimensions(requested);
  return {{by(decomposition, requested)}, "as asked for"};
}

Choice array_choice(const Requested& requested) {
  if (requested.options.process_grid != std::array<std::size_t, 2>{}) return array_on_process_grid(requested);
  const bool compares_pencils =
      requested.lengths.size() > 2 && has_pencils(requested.network.placement.grid());
  switch (requested.options.decomposition) {
    case Decomposition::pencil:
      require_pencils(requested);
      break;
    case Decomposition::slab:
      break;
    case Decomposition::automatic:
      if (compares_pencils) return array_compared(requested);
      return {{by(Decomposition::slab, requested)},
              requested.lengths.size() > 2 ? "pencils need a grid of two axes or more"
                                           : "the only decomposition of 2-D arrays"};
  }
  return array_as_asked(requested, compares_pencils);
}

}  // namespace

Choice choose(const std::vector<std::size_t>& lengths, const PlanOptions& options, std::size_t point_bytes,
              const Network& network) {
  const Requested requested{lengths, options, point_bytes, network};
  return lengths.size() == 1 ? line_choice(requested) : array_choice(requested);
}

std::string name_of(const Alternative& alternative) {
  return std::string(alternative.decomposition == Decomposition::automatic
                         ? to_string(alternative.algorithm)
                         : to_string(alternative.decomposition));
}

std::string to_string(const ExchangeSeconds& seconds) {
  std::string text = fmt::format("predicted {:.4g} ms", seconds.predicted * 1e3);
  if (seconds.bound > 0) {
    text += fmt::format(", the bound {:.4g} ms, {:.3g} times that", seconds.bound * 1e3,
                        seconds.predicted / seconds.bound);
  }
  return text;
}

namespace {

std::string messages_text(const Alternative& alternative) {
  return fmt::format("{} message{} and {} bytes sent by each process", alternative.message_count,
                     alternative.message_count == 1 ? "" : "s", alternative.sent_bytes);
}

std::string alternative_text(const Alternative& alternative) {
  std::string text = fmt::format("alternative {}: ", name_of(alternative));
  if (alternative.seconds) text += fmt::format("{}, ", to_string(*alternative.seconds));
  return text + messages_text(alternative) + "\n";
}

}  // namespace

std::string choice_text(const Choice& choice) {
  const Alternative& taken = choice.taken();
  std::string text = fmt::format("all: {}\n", messages_text(taken));
  if (taken.seconds && taken.message_count > 0)
    text += fmt::format("all exchanges: {}\n", to_string(*taken.seconds));
  text += fmt::format("taken: {}, {}\n", name_of(taken), choice.why);
  for (std::size_t i = 1; i < choice.alternatives.size(); ++i)
    text += alternative_text(choice.alternatives[i]);
  return text;
}

}  // namespace cubefold::fft
