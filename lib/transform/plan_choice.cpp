#include "plan_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "layouts.hpp"
#include "programs.hpp"

namespace cubefold::fft {

namespace {

constexpr std::size_t most_points = std::size_t{1} << 62;

void require_lengths(const std::vector<std::size_t>& lengths) {
  if (lengths.empty()) throw std::invalid_argument("fft::Plan: no lengths");
  std::size_t points = 1;
  for (const std::size_t length : lengths) {
    if (length == 0) {
      throw std::invalid_argument(
          fmt::format("fft::Plan: length 0 in {}: lengths are at least 1", fmt::join(lengths, "x")));
    }
    if (length > most_points / points) {
      throw std::invalid_argument(
          fmt::format("fft::Plan: {} is more than 2^62 points", fmt::join(lengths, "x")));
    }
    points *= length;
  }
}

void require_of_array(const PlanOptions& options) {
  if (options.input != Distribution::block || options.output != Distribution::block) {
    throw std::invalid_argument(
        fmt::format("fft::Plan: arrays of more than one dimension are spread in blocks, not {}",
                    to_string(options.input == Distribution::block ? options.output : options.input)));
  }
  if (options.algorithm != Algorithm::automatic && options.algorithm != Algorithm::transposed)
    throw std::invalid_argument("fft::Plan: the algorithm is chosen for one dimension only");
  if (options.padded_rows && options.kind == Kind::complex)
    throw std::invalid_argument("fft::Plan: only rows of real numbers are padded");
}

void require_line_transforms(const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  const auto& lines = options.line_transforms;
  if (lines.empty()) return;
  if (lines.size() != lengths.size()) {
    throw std::invalid_argument(
        fmt::format("fft::Plan: {} line transforms for {} dimensions", lines.size(), lengths.size()));
  }
  const auto fourier_count = std::ranges::count(lines, LineTransform::fourier);
  if (has_real_spectrum(options) && fourier_count > 0) {
    throw std::invalid_argument(
        fmt::format("fft::Plan: real points with {} in the last dimension have no fourier dimension",
                    to_string(lines.back())));
  }
  if (has_real_spectrum(options) && options.padded_rows)
    throw std::invalid_argument("fft::Plan: rows that stay real are not padded");
  for (std::size_t d = 0; d < lines.size(); ++d) {
    if (lines[d] == LineTransform::redft00 && lengths[d] < 2)
      throw std::invalid_argument("fft::Plan: redft00 needs 2 points");
  }
}

void require_boxes(const PlanOptions& options) {
  const auto require = [&](const char* end, Distribution distribution, bool is_padded) {
    if (distribution != Distribution::block) {
      throw std::invalid_argument(fmt::format(
          "fft::Plan: {} boxes and the distribution {} exclude each other", end, to_string(distribution)));
    }
    if (is_padded) throw std::invalid_argument(fmt::format("fft::Plan: {} boxes have no padded rows", end));
  };
  const bool is_forward = options.transform == Transform::forward;
  if (options.input_box) require("input", options.input, options.padded_rows && is_forward);
  if (options.output_box) require("output", options.output, options.padded_rows && !is_forward);
}

void require_of_line(const PlanOptions& options) {
  if (options.transposed_output) {
    throw std::invalid_argument(
        "fft::Plan: one dimension has no transposed output; scrambled is what it has");
  }
  if (options.decomposition != Decomposition::automatic)
    throw std::invalid_argument("fft::Plan: one dimension has no slabs or pencils");
  if (options.padded_rows) throw std::invalid_argument("fft::Plan: one dimension has no padded rows");
  if (options.process_grid != PlanOptions{}.process_grid)
    throw std::invalid_argument("fft::Plan: one dimension has no process_grid");
  if (std::ranges::any_of(options.line_transforms,
                          [](LineTransform line) { return line != LineTransform::fourier; })) {
    throw std::invalid_argument(
        "fft::Plan: one dimension has no sines and cosines; two dimensions, of which the second has length "
        "1, have");
  }
}

}  // namespace

void require_fit(const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  require_lengths(lengths);
  if (options.batch == 0) throw std::invalid_argument("fft::Plan: batch 0 is no array");
  if (options.blocks_by_rank && options.decomposition != Decomposition::slab)
    throw std::invalid_argument("fft::Plan: only slabs have blocks_by_rank");
  if (options.threads == 0) throw std::invalid_argument("fft::Plan: 0 threads compute nothing");
  require_line_transforms(lengths, options);
  require_boxes(options);
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
  PlanOptions line = options;
  line.algorithm = algorithm;
  Program program = options.kind == Kind::complex ? complex_program(length, process_count, line)
                                                  : real_program(length, process_count, line);
  if (algorithm == Algorithm::transposed && is_bluestein(program)) {
    throw std::invalid_argument(
        fmt::format("fft::Plan: {} points on {} processes have no factors for the transposed algorithm",
                    length, process_count));
  }
  return program;
}

namespace {

/// Returns the layout of a distribution for a number of points that a binary exchange has. Returns nothing for
/// scrambled, whose order is that of transposed transforms only.
std::optional<Layout> even_layout(Distribution distribution, std::size_t point_count,
                                  std::size_t process_count) {
  switch (distribution) {
    case Distribution::block:
      return block_layout(point_count, 1, process_count);
    case Distribution::cyclic:
      return cyclic_layout(point_count, process_count);
    case Distribution::block_cyclic:
      return block_cyclic_layout(point_count, process_count);
    case Distribution::scrambled:
      break;
  }
  return std::nullopt;
}

bool is_interleaved(const PlanOptions& options) {
  return options.interleaved_batch && options.batch > 1;
}

bool is_laid_out(const Layout& layout, Distribution distribution, std::size_t point_count,
                 std::size_t process_count) {
  const auto requested = even_layout(distribution, point_count, process_count);
  return requested && same_places(layout, *requested);
}

const char* rule_of(Algorithm algorithm) {
  return algorithm == Algorithm::half_exchange
             ? "it goes from cyclic to cyclic, where the square of the processes divides the points, and "
               "from "
               "block_cyclic to cyclic, of at least the cube of the processes"
             : "it goes from block to cyclic and from cyclic to block, where processes divide the points, "
               "and "
               "from block_cyclic to block_cyclic";
}

}  // namespace

std::optional<BinaryExchange> fitting_butterflies(std::size_t point_count, std::size_t process_count,
                                                  const PlanOptions& options, Algorithm algorithm) {
  if (options.kind != Kind::complex || is_interleaved(options)) return std::nullopt;
  BinaryExchangeShape kind;
  kind.rank_count = process_count;
  kind.exchanged = algorithm == Algorithm::half_exchange ? Exchanged::half : Exchanged::whole;
  auto exchange = binary_exchange_between(options.input, options.output, point_count, kind);
  const bool fits = exchange && is_laid_out(exchange->input(), options.input, point_count, process_count) &&
                    is_laid_out(exchange->output(), options.output, point_count, process_count);
  if (!fits) exchange.reset();
  return exchange;
}

BinaryExchange required_butterflies(std::size_t point_count, std::size_t process_count,
                                    const PlanOptions& options, Algorithm algorithm) {
  if (options.kind != Kind::complex) {
    throw std::invalid_argument(
        fmt::format("fft::Plan: {} is for complex points, not real ones", to_string(algorithm)));
  }
  if (is_interleaved(options)) {
    throw std::invalid_argument(fmt::format(
        "fft::Plan: {} is for arrays one behind the other, not interleaved", to_string(algorithm)));
  }
  if (const auto exchange = fitting_butterflies(point_count, process_count, options, algorithm))
    return *exchange;
  throw std::invalid_argument(
      fmt::format("fft::Plan: no {} of {} points on {} processes from {} to {}; on 2^n processes {}",
                  to_string(algorithm), point_count, process_count, to_string(options.input),
                  to_string(options.output), rule_of(algorithm)));
}

}  // namespace cubefold::fft
