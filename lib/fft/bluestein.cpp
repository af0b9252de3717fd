#include "bluestein.hpp"

#include "cubefold/fft/layouts.hpp"
#include "line_stages.hpp"

namespace cubefold::fft {

namespace {

void append(std::vector<Stage>& stages, std::vector<Stage> more) {
  stages.insert(stages.end(), more.begin(), more.end());
}

std::vector<Stage> cyclic_line(const Factors& factors, std::size_t process_count, Transform transform) {
  if (process_count == 1) {
    const std::size_t count = factors.first * factors.second;
    const Layout whole({{count, 1}}, {1});
    return {TransformStage{
        .before = whole, .after = whole, .digit = 0, .sources = {0}, .transform = transform, .twiddle = {}}};
  }
  return line_stages({factors, process_count, transform, 1}, {.column_spread = Spread::cyclic},
                     {.row_spread = Spread::cyclic, .last = {}});
}

}  // namespace

Factors bluestein_factors(std::size_t point_count, std::size_t process_count) {
  return convolution_factors(2 * point_count - 1, process_count);
}

// jk = (j^2 + k^2 - (k - j)^2) / 2: a convolution of the points times a chirp with the conjugate chirp. Point j is at
// place j / processes whatever the length, so padding moves nothing.
Program bluestein_program(std::size_t point_count, std::size_t process_count, const LineOptions& options) {
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
  const double scale = transform == Transform::inverse ? static_cast<double>(point_count) : 1;
  const double factor = 1 / (static_cast<double>(padded_count) * scale);
  stages.emplace_back(ChirpStage{padded, points, point_count, transform, factor});
  if (several && options.output == Distribution::block) stages.emplace_back(ExchangeStage{points, block});
  return program_of(std::move(stages));
}

}  // namespace cubefold::fft
