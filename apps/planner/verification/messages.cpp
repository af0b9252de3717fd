#include "planner/verification/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "planner/verification/pattern_text.hpp"
#include "planner/verification/program_messages.hpp"

namespace cubefold::planner {

namespace {

using Ranks = std::vector<std::size_t>;

/// Returns the digits of a label, bit 0 first.
std::string digits_of(std::size_t label, std::size_t rank_count) {
  std::string digits;
  for (std::size_t power = 1; power < rank_count; power *= 2) digits += label / power % 2 == 0 ? '0' : '1';
  return digits;
}

std::size_t label_of(const std::string& digits) {
  std::size_t label = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (digits[i] == '1') label += std::size_t{1} << i;
  }
  return label;
}

std::size_t reversed(std::size_t label, std::size_t rank_count) {
  std::string digits = digits_of(label, rank_count);
  std::ranges::reverse(digits);
  return label_of(digits);
}

/// Holds the parts of a pattern's name, and the shape of its matrix or image.
struct Pattern {
  std::string name;
  std::optional<std::string> argument;
  std::size_t rank_count;
  std::size_t rows = 1;
  std::size_t columns = 1;

  bool is(const char* text) const { return name == text; }
};

Pattern pattern_named(const std::string& text, std::size_t rank_count) {
  auto [name, argument] = name_and_argument(text);
  return {std::move(name), std::move(argument), rank_count};
}

/// Reads the shape of the matrix or image, which is a square if the name has no shape.
void read_shape(Pattern& pattern) {
  if (!pattern.argument) {
    while (pattern.rows * pattern.rows < pattern.rank_count) ++pattern.rows;
    pattern.columns = pattern.rows;
  } else {
    std::tie(pattern.rows, pattern.columns) = rows_and_columns(*pattern.argument);
  }
  if (pattern.rows * pattern.columns == pattern.rank_count) return;
  throw std::invalid_argument(
      fmt::format("{} x {} do not make {} ranks", pattern.rows, pattern.columns, pattern.rank_count));
}

/// Returns the dimension in which neighbours exchange. An exchange without a number is in dimension 0. A cube without a
/// number is an error, because it is several phases.
std::size_t dimension_of(const Pattern& pattern) {
  if (pattern.is("exchange") && !pattern.argument) return 0;
  const auto bit = number_of(pattern.argument.value_or(""));
  if (bit <= 31 && std::size_t{1} << bit < pattern.rank_count) return bit;
  throw std::invalid_argument(fmt::format("ranks have no dimension {}", bit));
}

/// Returns the destinations of a rank for patterns that labels define, or nothing for other patterns.
std::optional<Ranks> by_label(const Pattern& pattern, std::size_t rank) {
  const std::size_t last = pattern.rank_count - 1;
  const std::size_t half = pattern.rank_count / 2;
  if (pattern.is("cube") || pattern.is("exchange")) {
    const std::size_t step = std::size_t{1} << dimension_of(pattern);
    return Ranks{rank / step % 2 == 0 ? rank + step : rank - step};
  }
  std::optional<std::size_t> to;
  if (pattern.is("bit-reversal")) to = reversed(rank, pattern.rank_count);
  if (pattern.is("reverse-flip")) to = last - reversed(rank, pattern.rank_count);
  if (pattern.is("shuffle")) to = rank == last ? last : 2 * rank % last;
  if (pattern.is("unshuffle")) to = rank % 2 == 0 ? rank / 2 : half + rank / 2;
  if (pattern.is("complement")) to = last - rank;
  if (!to) return std::nullopt;
  if (pattern.argument) throw std::invalid_argument("it takes nothing after its name");
  return Ranks{*to};
}

/// Returns the ranks of the 2 x 2 pixels at twice the row and column. Returns nothing outside the enlarged quarter.
Ranks zoomed(const Pattern& pattern, std::size_t row, std::size_t column) {
  Ranks destinations;
  for (const std::size_t y : {2 * row, 2 * row + 1}) {
    for (const std::size_t x : {2 * column, 2 * column + 1}) {
      if (y < pattern.rows && x < pattern.columns) destinations.push_back(y * pattern.columns + x);
    }
  }
  return destinations;
}

/// Returns the destinations of a rank for patterns of matrices and images, or nothing for other patterns.
std::optional<Ranks> by_row_and_column(const Pattern& pattern, std::size_t rank) {
  const std::size_t rows = pattern.rows;
  const std::size_t columns = pattern.columns;
  const std::size_t row = rank / columns;
  const std::size_t column = rank % columns;
  const std::size_t from_below = rows - 1 - row;
  const std::size_t from_right = columns - 1 - column;
  if (pattern.is("transpose")) return Ranks{column * rows + row};
  if (pattern.is("reflect-antidiagonal")) return Ranks{from_right * rows + from_below};
  if (pattern.is("rotate-clockwise")) return Ranks{column * rows + from_below};
  if (pattern.is("rotate-counterclockwise")) return Ranks{from_right * rows + row};
  if (pattern.is("rotate-180")) return Ranks{from_below * columns + from_right};
  if (pattern.is("reflect-left-right")) return Ranks{row * columns + from_right};
  if (pattern.is("reflect-top-bottom")) return Ranks{from_below * columns + column};
  if (pattern.is("bit-reversal-in-rows")) return Ranks{row * columns + reversed(column, columns)};
  if (pattern.is("bit-reversal-in-columns")) return Ranks{reversed(row, rows) * columns + column};
  if (pattern.is("zoom")) return zoomed(pattern, row, column);
  return std::nullopt;
}

/// Returns the ranks that get points of a rank when the points of an FFT are redistributed from cyclic blocks of 2^s
/// points to one block for each rank. A point goes to the rank whose label equals the upper digits of its index.
Ranks redistributed(const std::string& own, std::size_t s) {
  const std::string point = std::string(s, '?') + own + std::string(s, '?');
  Ranks destinations{0};
  for (std::size_t i = 0; i < own.size(); ++i) {
    const char digit = point[2 * s + i];
    const std::size_t count = destinations.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (digit == '?') destinations.push_back(destinations[k] + (std::size_t{1} << i));
      if (digit == '1') destinations[k] += std::size_t{1} << i;
    }
  }
  return destinations;
}

bool is_redistribution(const Pattern& pattern) {
  return pattern.is("block-cyclic-to-block") || pattern.is("block-to-block-cyclic");
}

/// Returns log2 of the size of a block, but at most the number of bits of a rank. Larger blocks send the same messages.
std::size_t block_bits(const Pattern& pattern) {
  const std::size_t bits = digits_of(0, pattern.rank_count).size();
  return std::min(number_of(pattern.argument.value_or("")), bits);
}

std::vector<SentMessages> of_redistribution(const Pattern& pattern) {
  std::vector<SentMessages> result;
  for (std::size_t rank = 0; rank < pattern.rank_count; ++rank) {
    const Ranks others = redistributed(digits_of(rank, pattern.rank_count), block_bits(pattern));
    for (const std::size_t other : others) {
      const double share = 1.0 / static_cast<double>(others.size());
      if (other == rank) continue;
      result.push_back(pattern.is("block-cyclic-to-block") ? SentMessages{rank, other, share}
                                                           : SentMessages{other, rank, share});
    }
  }
  return result;
}

bool is_power_of_two(std::size_t count) {
  while (count > 1 && count % 2 == 0) count /= 2;
  return count == 1;
}

std::vector<SentMessages> of_pattern(const std::string& name, std::size_t rank_count) {
  Pattern pattern = pattern_named(name, rank_count);
  if (!pattern.is("transpose") && !is_power_of_two(rank_count)) {
    throw std::invalid_argument(fmt::format("{} ranks are no power of two", rank_count));
  }
  if (is_redistribution(pattern)) return of_redistribution(pattern);
  const bool is_image = !by_label(pattern, 0);
  if (is_image && !by_row_and_column(pattern, 0)) throw std::invalid_argument("the name is not known");
  if (is_image) read_shape(pattern);
  std::vector<SentMessages> result;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    const auto destinations = is_image ? by_row_and_column(pattern, rank) : by_label(pattern, rank);
    for (const std::size_t to : destinations.value()) {
      if (to != rank) result.push_back({rank, to, 1});
    }
  }
  return result;
}

/// Returns the label A x + b, computed digit by digit. Row i has the digits of row i of A, a blank and b_i.
std::size_t image(const std::vector<std::string>& rows, const std::string& x) {
  std::string y;
  for (const std::string& row : rows) {
    bool is_one = row[x.size() + 1] == '1';
    for (std::size_t j = 0; j < x.size(); ++j) is_one ^= row[j] == '1' && x[j] == '1';
    y += is_one ? '1' : '0';
  }
  return label_of(y);
}

std::vector<SentMessages> of_lcc(std::vector<std::string> rows, std::size_t rank_count) {
  const bool gives_source = !rows.empty() && rows.front() == "scatter";
  if (gives_source) rows.erase(rows.begin());
  const std::size_t bits = rows.size();
  for (const auto& row : rows) {
    if (row.size() != bits + 2 || row[bits] != ' ' || row.find_first_not_of("01 ") != std::string::npos) {
      throw std::invalid_argument(fmt::format("'{}' is not a row of {} digits and one", row, bits));
    }
  }
  if (bits > 31 || std::size_t{1} << bits != rank_count) {
    throw std::invalid_argument(fmt::format("{} rows are not for {} ranks", bits, rank_count));
  }
  std::vector<SentMessages> result;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    const std::size_t other = image(rows, digits_of(rank, rank_count));
    if (other == rank) continue;
    result.push_back(gives_source ? SentMessages{other, rank, 1} : SentMessages{rank, other, 1});
  }
  return result;
}

std::vector<SentMessages> of_list(const std::vector<std::vector<double>>& list, std::size_t rank_count) {
  std::vector<SentMessages> result;
  for (const auto& entry : list) {
    const auto is_rank = [&](double value) {
      return value >= 0 && value < static_cast<double>(rank_count) && std::floor(value) == value;
    };
    if (entry.size() != 3 || !is_rank(entry[0]) || !is_rank(entry[1]) || !is_amount(entry[2])) {
      throw std::invalid_argument(
          fmt::format("entry {} of the traffic is not from a rank to a rank with 0 or 1e-30 to 1e30 messages",
                      result.size()));
    }
    result.push_back({static_cast<std::size_t>(entry[0]), static_cast<std::size_t>(entry[1]), entry[2]});
  }
  std::erase_if(result, [](const SentMessages& sent) { return sent.from == sent.to; });
  return result;
}

}  // namespace

bool is_amount(double number) {
  return number == 0 || (number >= 1e-30 && number <= 1e30);
}

std::size_t messages_at_most(const PhaseClaim& phase, std::size_t rank_count) {
  if (phase.traffic) return phase.traffic->size();
  if (const auto count = program_messages_at_most(phase.name, rank_count)) return *count;
  const Pattern pattern = pattern_named(phase.name, rank_count);
  return is_redistribution(pattern) ? rank_count << block_bits(pattern) : rank_count;
}

std::vector<SentMessages> messages_of(const PhaseClaim& phase, std::size_t rank_count) {
  if (phase.name.starts_with("lcc:") && phase.lcc) return of_lcc(*phase.lcc, rank_count);
  const bool is_listed = phase.name.starts_with("matrix:") || phase.name.starts_with("profile:");
  if (is_listed && phase.traffic) return of_list(*phase.traffic, rank_count);
  if (phase.lcc || phase.traffic) {
    throw std::invalid_argument("messages beside a name that says which they are");
  }
  if (auto messages = program_messages_of(phase.name, rank_count)) return std::move(*messages);
  return of_pattern(phase.name, rank_count);
}

}  // namespace cubefold::planner
