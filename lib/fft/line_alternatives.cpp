#include <algorithm>
#include <utility>

#include "cubefold/fft/binary_exchange_cost.hpp"
#include "fitting_butterflies.hpp"
#include "plan_choice.hpp"
#include "wanted.hpp"

namespace cubefold::fft {

namespace {

std::size_t processes_of(const Wanted& wanted) {
  return wanted.network.placement.rank_count();
}

Program program_by(Algorithm algorithm, const Wanted& wanted) {
  return line_program(wanted.lengths[0], processes_of(wanted), wanted.options, algorithm);
}

Alternative by_program(const Program& program, const Wanted& wanted) {
  std::vector<AxisNetwork> axes;
  if (model_of(wanted.network)) axes.push_back(network_of_all(wanted.network));
  Alternative alternative = alternative_of(program, wanted, axes);
  alternative.algorithm = is_bluestein(program) ? Algorithm::bluestein : Algorithm::transposed;
  return alternative;
}

/// A half exchange does what one exchange of the transposed algorithm does, and has its bound.
Alternative by_butterflies(const BinaryExchange& exchange, const Wanted& wanted,
                           const Alternative& transposed) {
  const auto& [lengths, options, point_bytes, network] = wanted;
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
  if (model)
    result.seconds = ExchangeSeconds{cost.seconds * static_cast<double>(options.batch),
                                     of_halves && transposed.seconds ? transposed.seconds->bound : 0};
  return result;
}

/// Exchanges first; then butterflies that leave points where these do, or are asked for.
std::vector<Alternative> fitting(const Wanted& wanted) {
  const Program program = program_by(Algorithm::automatic, wanted);
  std::vector<Alternative> found{by_program(program, wanted)};
  for (const Algorithm algorithm : {Algorithm::half_exchange, Algorithm::binary_exchange}) {
    const auto exchange =
        fitting_butterflies(wanted.lengths[0], processes_of(wanted), wanted.options, algorithm);
    if (!exchange) continue;
    const bool same =
        same_places(exchange->input(), program.input) && same_places(exchange->output(), program.output);
    if (same || algorithm == wanted.options.algorithm)
      found.push_back(by_butterflies(*exchange, wanted, found.front()));
  }
  return found;
}

/// Bluestein's algorithm is more work, and sends more, than what it could stand in for: it is never compared.
void add_bluestein(std::vector<Alternative>& found, const Wanted& wanted) {
  const auto is = [&](Distribution distribution) {
    return wanted.options.input == distribution || wanted.options.output == distribution;
  };
  const bool has_it = std::any_of(found.begin(), found.end(), [](const Alternative& alternative) {
    return alternative.algorithm == Algorithm::bluestein;
  });
  if (!is(Distribution::block_cyclic) && !has_it)
    found.push_back(by_program(program_by(Algorithm::bluestein, wanted), wanted));
}

std::string why_of_program(const Alternative& program, std::size_t found_count, const Wanted& wanted) {
  if (processes_of(wanted) == 1) return "one process exchanges nothing";
  if (program.algorithm == Algorithm::bluestein && found_count == 1)
    return "the length has no two factors that suit the processes";
  if (found_count == 1) return "no butterflies go between these distributions";
  if (wanted.network.host_count == 1) return "all processes share the memory of one host";
  return {};
}

Choice compared(const Wanted& wanted) {
  Choice choice{fitting(wanted), {}};
  choice.why = why_of_program(choice.taken(), choice.alternatives.size(), wanted);
  if (choice.why.empty()) {
    sort_by_time(choice.alternatives.begin(), choice.alternatives.end());
    choice.why = why_of_times(wanted.network);
  }
  add_bluestein(choice.alternatives, wanted);
  return choice;
}

Choice as_asked(const Wanted& wanted) {
  const Algorithm algorithm = wanted.options.algorithm;
  Choice choice{fitting(wanted), "as asked for"};
  auto& found = choice.alternatives;
  add_bluestein(found, wanted);
  const auto asked = std::find_if(found.begin(), found.end(),
                                  [&](const Alternative& each) { return each.algorithm == algorithm; });
  std::rotate(found.begin(), asked, asked + 1);
  sort_by_time(found.begin() + 1, found.end());
  return choice;
}

}  // namespace

Choice line_choice(const Wanted& wanted) {
  switch (wanted.options.algorithm) {
    case Algorithm::automatic:
      return compared(wanted);
    case Algorithm::transposed:
    case Algorithm::bluestein:
      program_by(wanted.options.algorithm, wanted);
      break;
    case Algorithm::binary_exchange:
    case Algorithm::half_exchange:
      required_butterflies(wanted.lengths[0], processes_of(wanted), wanted.options, wanted.options.algorithm);
      break;
  }
  return as_asked(wanted);
}

}  // namespace cubefold::fft
