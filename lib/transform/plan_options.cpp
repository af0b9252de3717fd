#include "cubefold/transform/plan_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "names/known_names.hpp"

namespace cubefold::fft {

namespace {

constexpr std::array<std::pair<std::string_view, Distribution>, 4> names{{
    {"block", Distribution::block},
    {"cyclic", Distribution::cyclic},
    {"block_cyclic", Distribution::block_cyclic},
    {"scrambled", Distribution::scrambled},
}};

}  // namespace

std::string to_string(Distribution distribution) {
  const auto* const found = std::find_if(names.begin(), names.end(),
                                         [&](const auto& entry) { return entry.second == distribution; });
  return std::string(found->first);
}

Distribution parse_distribution(std::string_view text) {
  for (const auto& [name, distribution] : names) {
    if (name == text) return distribution;
  }
  throw std::invalid_argument(
      unknown_name("distribution", text, {"block", "cyclic", "block_cyclic", "scrambled"}));
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

std::string to_string(Decomposition decomposition) {
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

std::string to_string(Algorithm algorithm) {
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

std::string to_string(const PlanOptions& options) {
  return fmt::format("{} {}, {} to {}{}, batch {}, decomposition {}, algorithm {}, rigor {}",
                     options.kind == Kind::complex ? "complex" : "real",
                     options.transform == Transform::forward ? "forward" : "inverse",
                     to_string(options.input), to_string(options.output),
                     options.transposed_output ? " transposed" : "", options.batch,
                     to_string(options.decomposition), to_string(options.algorithm), name(options.rigor));
}

}  // namespace cubefold::fft
