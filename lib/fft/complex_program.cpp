#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "bluestein.hpp"
#include "cubefold/fft/block_cyclic.hpp"
#include "cubefold/fft/layouts.hpp"
#include "cubefold/fft/programs.hpp"
#include "line_programs.hpp"
#include "line_stages.hpp"

namespace cubefold::fft {

namespace {

bool has(const LineOptions& options, Distribution distribution) {
  return options.input == distribution || options.output == distribution;
}

/// Of a forward program the rules as they are; of an inverse one, those of the forward program that it undoes.
FactorRules rules_of(const LineOptions& options) {
  const bool forward = options.transform == Transform::forward;
  const bool input_cyclic = options.input == Distribution::cyclic;
  const bool output_cyclic = options.output == Distribution::cyclic;
  return {.first_divides = forward ? output_cyclic : input_cyclic,
          .second_divides = forward ? input_cyclic : output_cyclic};
}

/// Whether the busiest process has less than twice its share, or no more points than Bluestein's algorithm would give
/// it.
bool suits(const Factors& factors, std::size_t process_count, const FactorRules& rules) {
  const std::size_t point_count = factors.first * factors.second;
  const std::size_t busiest = busiest_count(factors, process_count, rules);
  if (busiest * process_count < 2 * point_count) return true;
  const Factors padded = bluestein_factors(point_count, process_count);
  return busiest <= padded.first * padded.second / process_count;
}

/// Low bits, of the point within a block: N1 where block_cyclic comes in, N2 where only the output is.
Factors block_cyclic_factors(std::size_t point_count, std::size_t process_count, const LineOptions& options) {
  const BlockCyclic points(point_count, process_count);
  const std::size_t block = points.block_point_count();
  const bool both = options.input == options.output;
  if (!both && block < process_count) {
    throw std::invalid_argument(fmt::format(
        "{} points on {} processes: block_cyclic with {} needs at least {}, the cube of the processes",
        point_count, process_count,
        to_string(options.input == Distribution::block_cyclic ? options.output : options.input),
        process_count * process_count * process_count));
  }
  if (options.input == Distribution::block_cyclic) return {block, point_count / block};
  return {point_count / block, block};
}

LineInput input_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::block:
      return {.rows = true};
    case Distribution::cyclic:
      return {.column_spread = Spread::cyclic};
    case Distribution::block_cyclic:
      return {};
    case Distribution::scrambled:
      return {.columns_first = true};
  }
  return {};
}

/// In block_cyclic order the rank's bits are the top ones of k1, unless they are the low ones of k2 (see Factors).
LineOutput output_of(Distribution distribution, bool block_cyclic_in) {
  switch (distribution) {
    case Distribution::block:
      return {.last = Spread::block};
    case Distribution::cyclic:
      return {.row_spread = Spread::cyclic, .last = {}};
    case Distribution::block_cyclic:
      return block_cyclic_in ? LineOutput{.last = Spread::cyclic} : LineOutput{.last = {}};
    case Distribution::scrambled:
      return {.rows_first = true, .last = {}};
  }
  return {};
}

Program direct_program(const Factors& factors, std::size_t process_count, const LineOptions& options) {
  const std::size_t point_count = factors.first * factors.second;
  const double factor = options.transform == Transform::inverse ? 1 / static_cast<double>(point_count) : 1;
  return program_of(line_stages({factors, process_count, options.transform, factor}, input_of(options.input),
                                output_of(options.output, options.input == Distribution::block_cyclic)));
}

}  // namespace

void check_line(std::size_t point_count, std::size_t process_count) {
  if (point_count == 0) throw std::invalid_argument("a transform of 0 points");
  if (process_count == 0) throw std::invalid_argument("a transform by 0 processes");
}

Program one_process_program(std::size_t point_count, Transform transform) {
  const Layout whole({{point_count, 1}}, {1});
  const double factor = transform == Transform::inverse ? 1 / static_cast<double>(point_count) : 1;
  return program_of({TransformStage{.before = whole,
                                    .after = whole,
                                    .digit = 0,
                                    .sources = {0},
                                    .transform = transform,
                                    .twiddle = {},
                                    .factor = factor}});
}

std::optional<Factors> suitable_factors(std::size_t point_count, std::size_t process_count,
                                        const FactorRules& rules) {
  auto factors = line_factors(point_count, process_count, rules);
  if (factors && !suits(*factors, process_count, rules)) factors.reset();
  return factors;
}

Program complex_program(std::size_t point_count, std::size_t process_count, const LineOptions& options) {
  check_line(point_count, process_count);
  const bool block_cyclic = has(options, Distribution::block_cyclic);
  if (options.bluestein && block_cyclic) {
    throw std::invalid_argument("Bluestein's algorithm is not for block_cyclic, whose lengths never need it");
  }
  if (options.bluestein) return bluestein_program(point_count, process_count, options);
  if (process_count == 1) return one_process_program(point_count, options.transform);
  if (block_cyclic) {
    return direct_program(block_cyclic_factors(point_count, process_count, options), process_count, options);
  }
  auto factors = suitable_factors(point_count, process_count, rules_of(options));
  if (!factors) return bluestein_program(point_count, process_count, options);
  if (options.transform == Transform::inverse) std::swap(factors->first, factors->second);
  return direct_program(*factors, process_count, options);
}

}  // namespace cubefold::fft
