#include "cubefold/fft/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "cubefold/names/known_names.hpp"

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

}  // namespace cubefold::fft
