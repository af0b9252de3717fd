#include "fitting_butterflies.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cubefold/fft/layouts.hpp"

namespace cubefold::fft {

namespace {

/// Of numbers of points that binary exchanges have. Nothing: none for scrambled, whose order is that of a transposed
/// transform.
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

bool is_laid_out(const Layout& layout, Distribution distribution, std::size_t point_count,
                 std::size_t process_count) {
  const auto wanted = even_layout(distribution, point_count, process_count);
  return wanted && same_places(layout, *wanted);
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
  if (options.kind != Kind::complex) return std::nullopt;
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
  if (options.kind != Kind::complex)
    throw std::invalid_argument(
        fmt::format("fft::Plan: {} is for complex points, not real ones", to_string(algorithm)));
  if (const auto exchange = fitting_butterflies(point_count, process_count, options, algorithm))
    return *exchange;
  throw std::invalid_argument(
      fmt::format("fft::Plan: no {} of {} points on {} processes from {} to {}; on 2^n processes {}",
                  to_string(algorithm), point_count, process_count, to_string(options.input),
                  to_string(options.output), rule_of(algorithm)));
}

}  // namespace cubefold::fft
