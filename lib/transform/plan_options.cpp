#include "cubefold/transform/plan_options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "text/known_names.hpp"

namespace cubefold::fft {

std::string_view to_string(Distribution distribution) {
  switch (distribution) {
    case Distribution::block:
      return "block";
    case Distribution::cyclic:
      return "cyclic";
    case Distribution::block_cyclic:
      return "block_cyclic";
    case Distribution::scrambled:
      break;
  }
  return "scrambled";
}

Distribution parse_distribution(std::string_view text) {
  constexpr std::array all{Distribution::block, Distribution::cyclic, Distribution::block_cyclic,
                           Distribution::scrambled};
  return enumerator_named<Distribution>("distribution", text, all);
}

namespace {

const char* name(Rigor rigor) {
  switch (rigor) {
    case Rigor::estimate:
      return "estimate";
    case Rigor::measure:
      return "measure";
    case Rigor::patient:
      return "patient";
    case Rigor::exhaustive:
      break;
  }
  return "exhaustive";
}

}  // namespace

std::string_view to_string(Decomposition decomposition) {
  switch (decomposition) {
    case Decomposition::automatic:
      return "automatic";
    case Decomposition::slab:
      return "slab";
    case Decomposition::pencil:
      break;
  }
  return "pencil";
}

std::string_view to_string(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic:
      return "automatic";
    case Algorithm::transposed:
      return "transposed";
    case Algorithm::bluestein:
      return "bluestein";
    case Algorithm::binary_exchange:
      return "binary-exchange";
    case Algorithm::half_exchange:
      break;
  }
  return "half-exchange";
}

std::string_view to_string(Scaling scaling) {
  switch (scaling) {
    case Scaling::none:
      return "none";
    case Scaling::by_count:
      return "1/n";
    case Scaling::by_root:
      break;
  }
  return "1/sqrt(n)";
}

double scale_of(const PlanOptions& options, std::size_t point_count) {
  const auto n = static_cast<double>(point_count);
  switch (options.transform == Transform::forward ? options.forward_scaling : options.inverse_scaling) {
    case Scaling::none:
      return 1;
    case Scaling::by_count:
      return 1 / n;
    case Scaling::by_root:
      break;
  }
  return 1 / std::sqrt(n);
}

namespace {

/// Returns the options that seldom differ from their defaults, where they do.
std::string seldom_text(const PlanOptions& options) {
  const PlanOptions defaults;
  std::string text;
  if (options.forward_scaling != defaults.forward_scaling ||
      options.inverse_scaling != defaults.inverse_scaling) {
    text += fmt::format(", scaling forward {} and inverse {}", to_string(options.forward_scaling),
                        to_string(options.inverse_scaling));
  }
  if (options.interleaved_batch) text += ", interleaved batch";
  if (options.padded_rows) text += ", padded rows";
  if (options.both_directions) text += ", both directions";
  if (options.process_grid != defaults.process_grid)
    text += fmt::format(", process_grid {}x{}", options.process_grid[0], options.process_grid[1]);
  if (options.blocks_by_rank) text += ", blocks by rank";
  if (options.threads != defaults.threads) text += fmt::format(", {} threads", options.threads);
  for (std::size_t d = 0; d < options.line_transforms.size(); ++d)
    text += fmt::format("{}{}", d == 0 ? ", lines " : " x ", to_string(options.line_transforms[d]));
  if (options.input_box) text += ", input boxes";
  if (options.output_box) text += ", output boxes";
  return text;
}

}  // namespace

std::string_view to_string(LineTransform line) {
  constexpr std::array<std::string_view, 9> names{"fourier", "redft00", "redft01", "redft10", "redft11",
                                                  "rodft00", "rodft01", "rodft10", "rodft11"};
  return names[static_cast<std::size_t>(line)];
}

LineTransform parse_line_transform(std::string_view text) {
  constexpr std::array all{LineTransform::fourier, LineTransform::redft00, LineTransform::redft01,
                           LineTransform::redft10, LineTransform::redft11, LineTransform::rodft00,
                           LineTransform::rodft01, LineTransform::rodft10, LineTransform::rodft11};
  return enumerator_named<LineTransform>("line transform", text, all);
}

bool has_real_spectrum(const PlanOptions& options) {
  return options.kind == Kind::real && !options.line_transforms.empty() &&
         options.line_transforms.back() != LineTransform::fourier;
}

LineTransform line_transform_of(const PlanOptions& options, std::size_t dimension) {
  if (options.line_transforms.empty()) return LineTransform::fourier;
  const LineTransform line = options.line_transforms[dimension];
  if (options.transform == Transform::forward) return line;
  switch (line) {
    case LineTransform::redft01:
      return LineTransform::redft10;
    case LineTransform::redft10:
      return LineTransform::redft01;
    case LineTransform::rodft01:
      return LineTransform::rodft10;
    case LineTransform::rodft10:
      return LineTransform::rodft01;
    case LineTransform::fourier:
    case LineTransform::redft00:
    case LineTransform::redft11:
    case LineTransform::rodft00:
    case LineTransform::rodft11:
      break;
  }
  return line;
}

std::size_t scaled_count(const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  std::size_t count = 1;
  for (std::size_t d = 0; d < lengths.size(); ++d) {
    const LineTransform line = line_transform_of(options, d);
    if (line == LineTransform::fourier) {
      count *= lengths[d];
    } else if (line == LineTransform::redft00) {
      count *= 2 * (lengths[d] - 1);
    } else {
      count *= 2 * (lengths[d] + (line == LineTransform::rodft00 ? 1 : 0));
    }
  }
  return count;
}

std::string to_string(const PlanOptions& options) {
  return fmt::format("{} {}, {} to {}{}, batch {}, decomposition {}, algorithm {}, rigor {}{}",
                     options.kind == Kind::complex ? "complex" : "real",
                     options.transform == Transform::forward ? "forward" : "inverse",
                     to_string(options.input), to_string(options.output),
                     options.transposed_output ? " transposed" : "", options.batch,
                     to_string(options.decomposition), to_string(options.algorithm), name(options.rigor),
                     seldom_text(options));
}

PlanOptions reversed(PlanOptions options) {
  options.transform = options.transform == Transform::forward ? Transform::inverse : Transform::forward;
  std::swap(options.input, options.output);
  std::swap(options.input_box, options.output_box);
  return options;
}

}  // namespace cubefold::fft
