#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "layouts.hpp"
#include "programs.hpp"

namespace cubefold::fft {

namespace {

void append(std::vector<Stage>& stages, std::vector<Stage> more) {
  stages.insert(stages.end(), more.begin(), more.end());
}

std::vector<Stage> cyclic_line(const Factors& factors, std::size_t process_count, Transform transform) {
  if (process_count == 1) {
    const std::size_t count = factors.first * factors.second;
    const Layout whole({{count, 1}}, {1});
    return {TransformStage{.before = whole,
                           .after = whole,
                           .dimension = 0,
                           .sources = {0},
                           .transform = transform,
                           .twiddle = {}}};
  }
  return line_stages({.factors = factors,
                      .process_count = process_count,
                      .transform = transform,
                      .column_spread = Spread::cyclic,
                      .row_spread = Spread::cyclic});
}

}  // namespace

Factors bluestein_factors(std::size_t point_count, std::size_t process_count) {
  return convolution_factors(2 * point_count - 1, process_count);
}

// From jk = (j^2 + k^2 - (k - j)^2) / 2 follows that the transform is a convolution of the points times a chirp with
// the conjugate chirp. In cyclic order point j is at place j / processes for any length, so padding moves no points.
Program bluestein_program(std::size_t point_count, std::size_t process_count, const PlanOptions& options) {
  const Factors factors = bluestein_factors(point_count, process_count);
  const std::size_t padded_count = factors.first * factors.second;
  const Layout block({{point_count, 1, Spread::block}}, {process_count});
  const Layout points = cyclic_layout(point_count, process_count);
  const Layout padded = cyclic_layout(padded_count, process_count);
  const Transform transform = options.transform;

  std::vector<Stage> stages;
  const bool several = process_count > 1;
  if (several && options.input == Distribution::block) stages.emplace_back(ExchangeStage{block, points});
  stages.emplace_back(ChirpStage{points, padded, point_count, transform});
  const std::size_t first = stages.size();
  append(stages, cyclic_line(factors, process_count, Transform::forward));
  stages.emplace_back(KernelStage{padded, padded, point_count, transform, first});
  append(stages, cyclic_line(factors, process_count, Transform::inverse));
  const double factor = scale_of(options, point_count) / static_cast<double>(padded_count);
  stages.emplace_back(ChirpStage{padded, points, point_count, transform, factor});
  if (several && options.output == Distribution::block) stages.emplace_back(ExchangeStage{points, block});
  return program_of(std::move(stages));
}

namespace {

bool has(const PlanOptions& options, Distribution distribution) {
  return options.input == distribution || options.output == distribution;
}

/// Returns the rules for the factors of a forward program. For an inverse program, returns those of the forward program
/// that it undoes.
FactorRules rules_of(const PlanOptions& options) {
  const bool forward = options.transform == Transform::forward;
  const bool input_cyclic = options.input == Distribution::cyclic;
  const bool output_cyclic = options.output == Distribution::cyclic;
  return {.first_divides = forward ? output_cyclic : input_cyclic,
          .second_divides = forward ? input_cyclic : output_cyclic};
}

/// Returns whether the busiest process has less than twice its share, or no more points than with Bluestein's
/// algorithm.
bool suits(const Factors& factors, std::size_t process_count, const FactorRules& rules) {
  const std::size_t point_count = factors.first * factors.second;
  const std::size_t busiest = busiest_count(factors, process_count, rules);
  if (busiest * process_count < 2 * point_count) return true;
  const Factors padded = bluestein_factors(point_count, process_count);
  return busiest <= padded.first * padded.second / process_count;
}

/// Returns the factors for block_cyclic order. One of them is the number of points in a block: N1 if the input is
/// block_cyclic, and N2 if only the output is.
Factors block_cyclic_factors(std::size_t point_count, std::size_t process_count, const PlanOptions& options) {
  const std::size_t block = block_cyclic_block(point_count, process_count);
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

/// Returns the program without a convolution. In a block_cyclic input, the bits of the rank are the highest bits of j2.
/// In a block_cyclic output, they are the highest bits of k1, or the lowest bits of k2 if the input is block_cyclic too
/// (see block_cyclic_factors()).
Program direct_program(const Factors& factors, std::size_t process_count, const PlanOptions& options) {
  SplitLine line{.factors = factors,
                 .process_count = process_count,
                 .transform = options.transform,
                 .factor = scale_of(options, factors.first * factors.second)};
  line.comes_in_rows = options.input == Distribution::block;
  line.columns_first = options.input == Distribution::scrambled;
  if (options.input == Distribution::cyclic) line.column_spread = Spread::cyclic;
  line.rows_first = options.output == Distribution::scrambled;
  if (options.output == Distribution::cyclic) line.row_spread = Spread::cyclic;
  if (options.output == Distribution::block) line.last = Spread::block;
  if (options.output == Distribution::block_cyclic && options.input == Distribution::block_cyclic)
    line.last = Spread::cyclic;
  return program_of(line_stages(line));
}

}  // namespace

void check_line(std::size_t point_count, std::size_t process_count) {
  if (point_count == 0) throw std::invalid_argument("a transform of 0 points");
  if (process_count == 0) throw std::invalid_argument("a transform by 0 processes");
}

Program one_process_program(std::size_t point_count, const PlanOptions& options) {
  const Layout whole({{point_count, 1}}, {1});
  return program_of({TransformStage{.before = whole,
                                    .after = whole,
                                    .dimension = 0,
                                    .sources = {0},
                                    .transform = options.transform,
                                    .twiddle = {},
                                    .factor = scale_of(options, point_count)}});
}

std::optional<Program> split_line_program(std::size_t point_count, const PlanOptions& options,
                                          std::size_t fewest_lines) {
  const auto factors = line_factors(point_count, 1, {});
  if (!factors || std::min(factors->first, factors->second) < fewest_lines) return std::nullopt;
  return program_of(line_stages(
      {.factors = *factors, .transform = options.transform, .factor = scale_of(options, point_count)}));
}

std::optional<Factors> suitable_factors(std::size_t point_count, std::size_t process_count,
                                        const FactorRules& rules) {
  auto factors = line_factors(point_count, process_count, rules);
  if (factors && !suits(*factors, process_count, rules)) factors.reset();
  return factors;
}

Program complex_program(std::size_t point_count, std::size_t process_count, const PlanOptions& options) {
  check_line(point_count, process_count);
  const bool block_cyclic = has(options, Distribution::block_cyclic);
  if (options.algorithm == Algorithm::bluestein && block_cyclic) {
    throw std::invalid_argument("Bluestein's algorithm is not for block_cyclic, whose lengths never need it");
  }
  if (options.algorithm == Algorithm::bluestein)
    return bluestein_program(point_count, process_count, options);
  if (process_count == 1) return one_process_program(point_count, options);
  if (block_cyclic) {
    return direct_program(block_cyclic_factors(point_count, process_count, options), process_count, options);
  }
  auto factors = suitable_factors(point_count, process_count, rules_of(options));
  if (!factors) return bluestein_program(point_count, process_count, options);
  if (options.transform == Transform::inverse) std::swap(factors->first, factors->second);
  return direct_program(*factors, process_count, options);
}

}  // namespace cubefold::fft
