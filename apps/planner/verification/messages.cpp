#include "planner/verification/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace cubefold::planner {

namespace {

using Ranks = std::vector<std::size_t>;

/// The label's digits, bit 0 first.
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

/// A pattern's name taken apart, with the shape that it means.
struct Pattern {
  std::string name;
  std::string argument;
  std::size_t rank_count;
  std::size_t rows;
  std::size_t columns;

  bool is(const char* text) const { return name == text; }
};

std::size_t number_of(const std::string& text) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != std::string::npos) {
    throw std::invalid_argument(fmt::format("'{}' is not a number", text));
  }
  return std::strtoul(text.c_str(), nullptr, 10);
}

Pattern pattern_named(const std::string& text, std::size_t rank_count) {
  const auto colon = std::min(text.find(':'), text.size());
  Pattern pattern{text.substr(0, colon), text.substr(std::min(colon + 1, text.size())), rank_count, 0, 0};
  const auto by = pattern.argument.find('x');
  if (by != std::string::npos) {
    pattern.rows = number_of(pattern.argument.substr(0, by));
    pattern.columns = number_of(pattern.argument.substr(by + 1));
  } else {
    while (pattern.rows * pattern.rows < rank_count) ++pattern.rows;
    pattern.columns = pattern.rows;
  }
  return pattern;
}

/// Where a rank sends, for patterns of labels.
std::optional<Ranks> by_label(const Pattern& pattern, std::size_t rank) {
  const std::size_t last = pattern.rank_count - 1;
  const std::size_t half = pattern.rank_count / 2;
  if (pattern.is("cube") || pattern.is("exchange")) {
    const auto bit = pattern.argument.empty() ? 0 : number_of(pattern.argument);
    if (bit > 31 || std::size_t{1} << bit > last) {
      throw std::invalid_argument(fmt::format("ranks have no dimension {}", bit));
    }
    const std::size_t step = std::size_t{1} << bit;
    return Ranks{rank / step % 2 == 0 ? rank + step : rank - step};
  }
  if (pattern.is("bit-reversal")) return Ranks{reversed(rank, pattern.rank_count)};
  if (pattern.is("reverse-flip")) return Ranks{last - reversed(rank, pattern.rank_count)};
  if (pattern.is("shuffle")) return Ranks{rank < half ? 2 * rank : 2 * (rank - half) + 1};
  if (pattern.is("unshuffle")) return Ranks{rank % 2 == 0 ? rank / 2 : half + rank / 2};
  if (pattern.is("complement")) return Ranks{last - rank};
  return std::nullopt;
}

/// A pixel is sent to the 2 x 2 at twice its row and column, if it is in the quarter that is shown.
Ranks zoomed(const Pattern& pattern, std::size_t row, std::size_t column) {
  Ranks destinations;
  for (std::size_t y = 0; y < pattern.rows; ++y) {
    for (std::size_t x = 0; x < pattern.columns; ++x) {
      if (y / 2 == row && x / 2 == column) destinations.push_back(y * pattern.columns + x);
    }
  }
  return destinations;
}

/// Where a rank sends, for patterns of matrices and images.
std::optional<Ranks> by_row_and_column(const Pattern& pattern, std::size_t rank) {
  const std::size_t rows = pattern.rows;
  const std::size_t columns = pattern.columns;
  if (rows * columns != pattern.rank_count) {
    throw std::invalid_argument(
        fmt::format("{} x {} do not make {} ranks", rows, columns, pattern.rank_count));
  }
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

/// Ranks that get points of a rank when the parts of an FFT go from blocks of 2^s points, dealt round the ranks, to one
/// block each: those whose label agrees with the upper digits of some point's.
Ranks redistributed(const Pattern& pattern, std::size_t rank) {
  const std::string own = digits_of(rank, pattern.rank_count);
  const std::size_t s = std::min(number_of(pattern.argument), own.size());  // more are as many
  const std::string point = std::string(s, '?') + own + std::string(s, '?');
  Ranks destinations;
  for (std::size_t other = 0; other < pattern.rank_count; ++other) {
    const std::string upper = digits_of(other, pattern.rank_count);
    bool agrees = true;
    for (std::size_t i = 0; i < upper.size(); ++i) {
      agrees = agrees && (point[2 * s + i] == '?' || point[2 * s + i] == upper[i]);
    }
    if (agrees) destinations.push_back(other);
  }
  return destinations;
}

std::vector<SentMessages> of_redistribution(const Pattern& pattern) {
  std::vector<SentMessages> result;
  for (std::size_t rank = 0; rank < pattern.rank_count; ++rank) {
    const Ranks others = redistributed(pattern, rank);
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
  const Pattern pattern = pattern_named(name, rank_count);
  if (!pattern.is("transpose") && !is_power_of_two(rank_count)) {
    throw std::invalid_argument(fmt::format("{} ranks are no power of two", rank_count));
  }
  if (pattern.is("block-cyclic-to-block") || pattern.is("block-to-block-cyclic")) {
    return of_redistribution(pattern);
  }
  std::vector<SentMessages> result;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    auto destinations = by_label(pattern, rank);
    if (!destinations) destinations = by_row_and_column(pattern, rank);
    if (!destinations) throw std::invalid_argument("the name is not known");
    for (const std::size_t to : *destinations) {
      if (to != rank) result.push_back({rank, to, 1});
    }
  }
  return result;
}

/// A x + b, digit by digit: row i is A's, followed by a blank and b_i.
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
    if (entry.size() != 3 || !is_rank(entry[0]) || !is_rank(entry[1]) || entry[2] < 0) {
      throw std::invalid_argument(fmt::format(
          "entry {} of the traffic is not from a rank to a rank with messages from 0", result.size()));
    }
    result.push_back({static_cast<std::size_t>(entry[0]), static_cast<std::size_t>(entry[1]), entry[2]});
  }
  std::erase_if(result, [](const SentMessages& sent) { return sent.from == sent.to; });
  return result;
}

}  // namespace

std::vector<SentMessages> messages_of(const PhaseClaim& phase, std::size_t rank_count) {
  if (phase.name.starts_with("lcc:") && phase.lcc) return of_lcc(*phase.lcc, rank_count);
  if (phase.name.starts_with("matrix:") && phase.traffic) return of_list(*phase.traffic, rank_count);
  if (phase.lcc || phase.traffic) {
    throw std::invalid_argument("messages beside a name that says which they are");
  }
  return of_pattern(phase.name, rank_count);
}

}  // namespace cubefold::planner
