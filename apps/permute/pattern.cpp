#include "permute/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

#include "cubefold/plan/phase.hpp"

using cubefold::Rank;

namespace {

constexpr std::string_view shift_prefix = "shift:";

[[noreturn]] void refuse(std::string_view pattern, const std::string& rule) {
  throw std::invalid_argument(fmt::format("pattern '{}': {}", pattern, rule));
}

std::size_t shift_of(std::string_view pattern, std::size_t rank_count) {
  const std::string_view digits = pattern.substr(shift_prefix.size());
  std::size_t by = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), by);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) {
    refuse(pattern, fmt::format("'{}' is no number", digits));
  }
  if (by >= rank_count)
    refuse(pattern, fmt::format("the shift is not below the number of ranks, {}", rank_count));
  return by;
}

std::vector<Rank> to_themselves(std::size_t rank_count) {
  std::vector<Rank> to(rank_count);
  for (std::size_t r = 0; r < rank_count; ++r) to[r] = static_cast<Rank>(r);
  return to;
}

void require_permutation(std::string_view pattern, const std::vector<Rank>& to) {
  std::vector<bool> reached(to.size());
  for (const Rank rank : to) {
    if (reached[label(rank)]) refuse(pattern, fmt::format("two ranks send to rank {}", label(rank)));
    reached[label(rank)] = true;
  }
}

std::vector<cubefold::Phase> phases_named(std::string_view pattern, const cubefold::Grid& grid) {
  try {
    return cubefold::parse_phase(pattern, grid.node_count(), &grid);
  } catch (const cubefold::UnknownPhase& unknown) {
    throw std::invalid_argument(fmt::format("{}, shift", unknown.what()));
  }
}

std::vector<Rank> destinations_of_phase(std::string_view pattern, const cubefold::Grid& grid) {
  const auto phases = phases_named(pattern, grid);
  const std::size_t rank_count = grid.node_count();
  if (phases.size() != 1) {
    refuse(pattern, fmt::format("these are {} phases, and a permutation is one", phases.size()));
  }
  auto to = to_themselves(rank_count);
  std::vector<bool> sends(rank_count);
  for (const auto& message : phases.front().traffic) {
    const auto from = label(message.from);
    if (sends[from]) refuse(pattern, fmt::format("rank {} sends twice", from));
    sends[from] = true;
    to[from] = message.to;
  }
  require_permutation(pattern, to);
  return to;
}

}  // namespace

std::vector<Rank> destinations(std::string_view pattern, const cubefold::Grid& grid) {
  if (!pattern.starts_with(shift_prefix)) return destinations_of_phase(pattern, grid);
  const std::size_t rank_count = grid.node_count();
  auto to = to_themselves(rank_count);
  const auto by = static_cast<std::ptrdiff_t>(shift_of(pattern, rank_count));
  std::rotate(to.begin(), to.begin() + by, to.end());
  return to;
}
