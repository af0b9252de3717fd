#include "known_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

namespace cubefold {

namespace {

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

/// Returns the optimal string alignment distance, in which no letter takes part in two changes. Row i of the table is
/// about the first i letters of a, and depends on the two rows before it only.
std::size_t changes_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool neighbours = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (neighbours) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

std::optional<std::string_view> only_one_that_begins_with(std::string_view name,
                                                          const std::vector<std::string_view>& known) {
  const auto begins = [&](std::string_view other) { return other.starts_with(name); };
  if (name.size() < 2 || std::count_if(known.begin(), known.end(), begins) != 1) return std::nullopt;
  return *std::find_if(known.begin(), known.end(), begins);
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view name,
                                             const std::vector<std::string_view>& known) {
  constexpr std::size_t longest = 64;  // a longer text is no mistyped name
  if (name.size() > longest) return std::nullopt;
  const std::string typed = in_small_letters(name);
  std::optional<std::string_view> nearest;
  std::size_t fewest = longest;
  for (const std::string_view candidate : known) {
    const auto [shorter, longer] = std::minmax({typed.size(), candidate.size()});
    const std::size_t most = std::max<std::size_t>(1, shorter / 3);
    if (longer - shorter > most) continue;  // every change adds or takes away one letter at most
    const std::size_t changes = changes_between(typed, candidate);
    if (changes > most || changes >= fewest) continue;
    nearest = candidate;
    fewest = changes;
  }
  return nearest ? nearest : only_one_that_begins_with(typed, known);
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string_view>& known) {
  const auto nearest = nearest_name(name, known);
  return fmt::format("unknown {} '{}'; {}known: {}", kind, name,
                     nearest ? fmt::format("did you mean '{}'? ", *nearest) : "", fmt::join(known, ", "));
}

}  // namespace cubefold
