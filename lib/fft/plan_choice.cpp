#include "plan_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "cubefold/fft/programs.hpp"

namespace cubefold::fft {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 62;

void require_lengths(const std::vector<std::size_t>& lengths) {
  if (lengths.empty()) throw std::invalid_argument("fft::Plan: no lengths");
  std::size_t points = 1;
  for (const std::size_t length : lengths) {
    if (length == 0)
      throw std::invalid_argument(fmt::format("fft::Plan: length 0 in {}", fmt::join(lengths, "x")));
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

bool is_bluestein(const Program& program) {
  return std::any_of(program.stages.begin(), program.stages.end(),
                     [](const Stage& stage) { return std::holds_alternative<ChirpStage>(stage); });
}

Program line_program(std::size_t length, PlanOptions& options, std::size_t processes) {
  if (options.algorithm == Algorithm::binary_exchange || options.algorithm == Algorithm::half_exchange)
    throw std::invalid_argument("fft::Plan: butterfly exchanges are to come");
  const LineOptions line{options.input, options.output, options.transform,
                         options.algorithm == Algorithm::bluestein};
  Program program = options.kind == Kind::complex ? complex_program(length, processes, line)
                                                  : real_program(length, processes, line);
  const Algorithm found = is_bluestein(program) ? Algorithm::bluestein : Algorithm::transposed;
  if (options.algorithm == Algorithm::transposed && found != Algorithm::transposed)
    throw std::invalid_argument(
        fmt::format("fft::Plan: {} points on {} processes have no factors for the transposed algorithm",
                    length, processes));
  options.algorithm = found;
  return program;
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

std::vector<std::vector<int>> network_parts(const Grid& grid, const std::vector<std::size_t>& lengths,
                                            PlanOptions& options) {
  auto parts = two_parts(grid);
  if (options.decomposition == Decomposition::pencil && lengths.size() < 3)
    throw std::invalid_argument(
        fmt::format("fft::Plan: an array of {} dimensions has no pencils", lengths.size()));
  if (options.decomposition == Decomposition::automatic)
    options.decomposition =
        lengths.size() < 3 || parts.size() == 1 ? Decomposition::slab : Decomposition::pencil;
  if (options.decomposition == Decomposition::pencil) {
    if (parts.size() == 1) parts.emplace_back();
    return parts;
  }
  std::vector<int> all;
  for (int axis = 0; axis < grid.axis_count(); ++axis) all.push_back(axis);
  return {all};
}

Program program_of(const std::vector<std::size_t>& lengths, PlanOptions& options,
                   const std::vector<ProcessAxis>& axes) {
  if (lengths.size() == 1) return line_program(lengths[0], options, axes[0].members);
  options.algorithm = Algorithm::transposed;
  std::vector<std::size_t> members;
  for (const ProcessAxis& axis : axes) members.push_back(axis.members);
  return array_program(lengths, members, {options.kind, options.transform, options.transposed_output});
}

}  // namespace cubefold::fft
