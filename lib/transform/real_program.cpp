#include <utility>

#include "layouts.hpp"
#include "programs.hpp"

namespace cubefold::fft {

namespace {

std::size_t half_count(std::size_t point_count) {
  return point_count / 2 + 1;
}

Program as_real(Program program, Transform transform) {
  (transform == Transform::forward ? program.input_kind : program.output_kind) = Kind::real;
  return program;
}

Program real_program_of_one(std::size_t point_count, const PlanOptions& options) {
  const Layout time({{point_count, 1}}, {1});
  const Layout frequency({{half_count(point_count), 1}}, {1});
  const Transform transform = options.transform;
  const bool forward = transform == Transform::forward;
  return as_real(program_of({TransformStage{.before = forward ? time : frequency,
                                            .after = forward ? frequency : time,
                                            .dimension = 0,
                                            .sources = {0},
                                            .transform = transform,
                                            .kind = Kind::real,
                                            .twiddle = {},
                                            .factor = scale_of(options, point_count)}}),
                 transform);
}

/// Returns the layout in which only the first `count` indices are points and the rest is padding.
Layout first_points(const Layout& layout, std::size_t count) {
  return {layout.dimensions(), layout.axis_members(), count};
}

void put_first(std::vector<Stage>& stages, const RealStage& first) {
  stages.insert(stages.begin(), first);
  for (Stage& stage : stages) {
    if (auto* kernel = std::get_if<KernelStage>(&stage)) ++kernel->first_stage;
  }
}

/// Builds the complex transform of real points that are widened to complex ones.
Program widened_program(std::size_t point_count, std::size_t process_count, const PlanOptions& options) {
  Program program = complex_program(point_count, process_count, options);
  auto& stages = program.stages;
  if (options.transform == Transform::forward) {
    put_first(stages, {program.input, program.input, RealStep::widened});
    program.output = first_points(program.output, half_count(point_count));
  } else {
    const Layout half = first_points(program.input, half_count(point_count));
    put_first(stages, {half, program.input, RealStep::doubled});
    stages.emplace_back(RealStage{program.output, program.output, RealStep::narrowed});
    program.input = half;
  }
  return as_real(std::move(program), options.transform);
}

/// The layouts of a transform of 2 N1 N2 real points by N1 N2 complex ones. Post-processing takes the complex spectrum,
/// k = k1 + N1 k2, in rows of k1, which are spread in conjugate pairs. The real spectrum X has one value of k2 more in
/// these rows. Only one of its points, k = N1 N2, is not padding.
struct PairedLine {
  Factors factors;
  std::size_t process_count;
  bool scrambled;
  double scale;  ///< factor of the transform of the real points

  IndexDimension low() const { return {factors.first, 1, Spread::conjugate_pairs}; }
  IndexDimension high(std::size_t more) const { return {factors.second + more, factors.first}; }
  std::size_t spectrum_count() const { return factors.first * factors.second + 1; }

  Layout rows(std::size_t more) const {
    const Layout layout = scrambled ? line_layout(low(), high(more), process_count)
                                    : line_layout(high(more), low(), process_count);
    return first_points(layout, more == 0 ? layout.index_count() : spectrum_count());
  }
  Layout block_spectrum() const {
    return first_points(block_layout(factors.second + 1, factors.first, process_count), spectrum_count());
  }
  Layout time(std::size_t points_per_index) const {
    return block_layout(factors.first, factors.second * points_per_index, process_count);
  }
  RealPostprocessingStage postprocessing(Transform transform) const {
    const bool forward = transform == Transform::forward;
    return {.before = rows(forward ? 0 : 1),
            .after = rows(forward ? 1 : 0),
            .transform = transform,
            .low = scrambled ? 0U : 1U,
            .high = scrambled ? 1U : 0U};
  }
};

Program paired_forward(const PairedLine& line) {
  std::vector<Stage> stages{RealStage{line.time(2), line.time(1), RealStep::paired}};
  const auto transforms = line_stages({.factors = line.factors,
                                       .process_count = line.process_count,
                                       .factor = line.scale,
                                       .comes_in_rows = true,
                                       .row_spread = Spread::conjugate_pairs,
                                       .rows_first = line.scrambled});
  stages.insert(stages.end(), transforms.begin(), transforms.end());
  stages.emplace_back(line.postprocessing(Transform::forward));
  if (!line.scrambled) stages.emplace_back(ExchangeStage{line.rows(1), line.block_spectrum()});
  return as_real(program_of(std::move(stages)), Transform::forward);
}

Program paired_inverse(const PairedLine& line) {
  std::vector<Stage> stages;
  if (!line.scrambled) stages.emplace_back(ExchangeStage{line.block_spectrum(), line.rows(1)});
  stages.emplace_back(line.postprocessing(Transform::inverse));
  const auto [n1, n2] = line.factors;
  const auto transforms = line_stages({.factors = {n2, n1},
                                       .process_count = line.process_count,
                                       .transform = Transform::inverse,
                                       .factor = 2 * line.scale,  // of half as many complex points
                                       .columns_first = line.scrambled,
                                       .column_spread = Spread::conjugate_pairs,
                                       .last = Spread::block});
  stages.insert(stages.end(), transforms.begin(), transforms.end());
  stages.emplace_back(RealStage{line.time(1), line.time(2), RealStep::unpaired});
  return as_real(program_of(std::move(stages)), Transform::inverse);
}

bool in_pairs(std::size_t point_count, const PlanOptions& options) {
  const bool forward = options.transform == Transform::forward;
  const Distribution time = forward ? options.input : options.output;
  const Distribution frequency = forward ? options.output : options.input;
  return point_count % 2 == 0 && time == Distribution::block && options.algorithm != Algorithm::bluestein &&
         (frequency == Distribution::block || frequency == Distribution::scrambled);
}

}  // namespace

Program real_program(std::size_t point_count, std::size_t process_count, const PlanOptions& options) {
  check_line(point_count, process_count);
  if (process_count == 1 && options.algorithm != Algorithm::bluestein)
    return real_program_of_one(point_count, options);
  if (!in_pairs(point_count, options)) return widened_program(point_count, process_count, options);
  const auto factors = suitable_factors(point_count / 2, process_count, {.first_in_pairs = true});
  if (!factors) return widened_program(point_count, process_count, options);
  const bool forward = options.transform == Transform::forward;
  const bool scrambled = (forward ? options.output : options.input) == Distribution::scrambled;
  const PairedLine line{*factors, process_count, scrambled, scale_of(options, point_count)};
  return forward ? paired_forward(line) : paired_inverse(line);
}

}  // namespace cubefold::fft
