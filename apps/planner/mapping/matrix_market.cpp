#include "planner/mapping/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "planner/text/lines.hpp"
#include "program/json.hpp"

namespace cubefold::planner {

namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// Reads one file. Comments are whole lines that begin with %, and so does the header.
class MatrixReader {
 public:
  MatrixReader(const std::string& path, std::size_t rank_count)
      : lines_(path, program::read_text(path), '\0'), rank_count_(rank_count) {}

  std::vector<Traffic> read() {
    read_header();
    if (is_array_) {
      read_array();
    } else {
      read_coordinates();
    }
    if (next_line()) lines_.fail(fmt::format("'{}' is behind the last entry", lines_.line()));
    return std::move(traffic_);
  }

 private:
  bool next_line() {
    while (lines_.next()) {
      if (!lines_.line().starts_with('%')) return true;
    }
    return false;
  }

  void require_line(const std::string& what) {
    if (!next_line()) lines_.fail("the file ends without " + what);
  }

  void require_word(const std::string& word, std::initializer_list<std::string_view> known) const {
    if (std::ranges::find(known, word) != known.end()) return;
    std::string list;
    for (const auto name : known) list += fmt::format("{}{}", list.empty() ? "" : ", ", name);
    lines_.fail(fmt::format("'{}' in the header is none of {}", word, list));
  }

  void read_header() {
    const bool has_line = lines_.next();
    const auto words = lines_.words();
    if (!has_line || words.size() != 5 || words[0] != "%%MatrixMarket") {
      lines_.fail("the file does not begin with '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
    }
    const auto format = lower_case(words[2]);
    const auto field = lower_case(words[3]);
    const auto symmetry = lower_case(words[4]);
    require_word(lower_case(words[1]), {"matrix"});
    require_word(format, {"coordinate", "array"});
    require_word(field, {"real", "integer", "pattern"});
    require_word(symmetry, {"general", "symmetric"});
    is_array_ = format == "array";
    is_pattern_ = field == "pattern";
    is_symmetric_ = symmetry == "symmetric";
    if (is_array_ && is_pattern_) lines_.fail("an array cannot be a pattern");
  }

  /// Reads the line of sizes. Returns the number of entries, which files of arrays do not contain.
  std::uint64_t read_size(std::size_t word_count) {
    require_line("sizes");
    const auto words = lines_.words();
    if (words.size() != word_count) {
      lines_.fail(fmt::format("{} sizes where there should be {}", words.size(), word_count));
    }
    const auto rows = lines_.whole_number(words[0], "the number of rows");
    const auto columns = lines_.whole_number(words[1], "the number of columns");
    if (rows != rank_count_ || columns != rank_count_) {
      lines_.fail(fmt::format("{} x {} does not fit {} ranks", rows, columns, rank_count_));
    }
    return lines_.whole_number(words.back(), "the number of entries");
  }

  void read_coordinates() {
    const auto entry_count = read_size(3);
    const std::size_t word_count = is_pattern_ ? 2 : 3;
    for (std::uint64_t entry = 0; entry < entry_count; ++entry) {
      require_line(fmt::format("{} of its {} entries", entry_count - entry, entry_count));
      const auto words = lines_.words();
      if (words.size() != word_count) {
        lines_.fail(fmt::format("{} numbers where there should be {}", words.size(), word_count));
      }
      const auto row = index(words[0], "row");
      const auto column = index(words[1], "column");
      if (is_symmetric_ && column > row) lines_.fail("an entry above the diagonal of a symmetric matrix");
      if (!seen_.emplace(row, column).second) {
        lines_.fail(fmt::format("the entry of row {} and column {} stands twice", row + 1, column + 1));
      }
      add(row, column, is_pattern_ ? 1 : amount(words[2]));
    }
  }

  /// Reads the entries column by column. A symmetric matrix has only the part from the diagonal down.
  void read_array() {
    read_size(2);
    for (std::size_t column = 0; column < rank_count_; ++column) {
      for (std::size_t row = is_symmetric_ ? column : 0; row < rank_count_; ++row) {
        require_line(fmt::format("the entry of row {} and column {}", row + 1, column + 1));
        add(row, column, amount(lines_.line()));
      }
    }
  }

  std::size_t index(std::string_view word, std::string_view what) const {
    const auto number = lines_.whole_number(word, what);
    if (number < 1 || number > rank_count_) {
      lines_.fail(fmt::format("{} {} is not in 1 .. {}", what, number, rank_count_));
    }
    return number - 1;
  }

  double amount(std::string_view word) const {
    const double messages = lines_.real_number(word, "the entry");
    if (!is_amount(messages)) lines_.fail(fmt::format("the entry '{}' is {}", word, no_amount));
    return messages;
  }

  void add(std::size_t row, std::size_t column, double messages) {
    if (messages == 0 || row == column) return;
    traffic_.push_back({static_cast<Rank>(row), static_cast<Rank>(column), messages});
    if (is_symmetric_) traffic_.push_back({static_cast<Rank>(column), static_cast<Rank>(row), messages});
  }

  Lines lines_;
  std::size_t rank_count_;
  bool is_array_ = false;
  bool is_pattern_ = false;
  bool is_symmetric_ = false;
  std::set<std::pair<std::size_t, std::size_t>> seen_;
  std::vector<Traffic> traffic_;
};

}  // namespace

std::vector<Traffic> read_matrix_market(const std::string& path, std::size_t rank_count) {
  return MatrixReader(path, rank_count).read();
}

}  // namespace cubefold::planner
