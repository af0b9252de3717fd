#include "plan_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "cubefold/fft/programs.hpp"
#include "process_axes.hpp"

namespace cubefold::fft {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 62;

void require_lengths(const std::vector<std::size_t>& lengths) {
  if (lengths.empty()) throw std::invalid_argument("fft::Plan: no lengths");
  std::size_t points = 1;
  for (const std::size_t length : lengths) {
    if (length == 0)
      throw std::invalid_argument(
          fmt::format("fft::Plan: length 0 in {}: lengths are at least 1", fmt::join(lengths, "x")));
    if (length > most_points / points)
      throw std::invalid_argument(
          fmt::format("fft::Plan: {} is more than 2^62 points", fmt::join(lengths, "x")));
    points *= length;
  }
}

void require_of_array(const PlanOptions& options) {
  if (options.input != Distribution::block || options.output != Distribution::block)
    throw std::invalid_argument(
        fmt::format("fft::Plan: arrays of more than one dimension are spread in blocks, not {}",
                    to_string(options.input == Distribution::block ? options.output : options.input)));
  if (options.algorithm != Algorithm::automatic && options.algorithm != Algorithm::transposed)
    throw std::invalid_argument("fft::Plan: the algorithm is chosen for one dimension only");
}

void require_of_line(const PlanOptions& options) {
  if (options.transposed_output)
    throw std::invalid_argument(
        "fft::Plan: one dimension has no transposed output; scrambled is what it has");
  if (options.decomposition != Decomposition::automatic)
    throw std::invalid_argument("fft::Plan: one dimension has no slabs or pencils");
}

}  // namespace

void require_fit(const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  require_lengths(lengths);
  if (options.batch == 0) throw std::invalid_argument("fft::Plan: batch 0 is no array");
  if (lengths.size() == 1) {
    require_of_line(options);
  } else {
    require_of_array(options);
  }
}

bool is_bluestein(const Program& program) {
  return std::any_of(program.stages.begin(), program.stages.end(),
                     [](const Stage& stage) { return std::holds_alternative<ChirpStage>(stage); });
}

Program line_program(std::size_t length, std::size_t process_count, const PlanOptions& options,
                     Algorithm algorithm) {
  const LineOptions line{options.input, options.output, options.transform, algorithm == Algorithm::bluestein};
  Program program = options.kind == Kind::complex ? complex_program(length, process_count, line)
                                                  : real_program(length, process_count, line);
  if (algorithm == Algorithm::transposed && is_bluestein(program))
    throw std::invalid_argument(
        fmt::format("fft::Plan: {} points on {} processes have no factors for the transposed algorithm",
                    length, process_count));
  return program;
}

std::vector<std::vector<int>> network_parts(const Grid& grid, Decomposition decomposition) {
  if (decomposition == Decomposition::pencil) {
    auto parts = two_parts(grid);
    parts.resize(2);
    return parts;
  }
  std::vector<int> all;
  for (int axis = 0; axis < grid.axis_count(); ++axis) all.push_back(axis);
  return {all};
}

}  // namespace cubefold::fft
