#include "planner/mapping/phases.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "lcc/lcc_text.hpp"
#include "planner/mapping/profile_file.hpp"
#include "planner/text/lines.hpp"
#include "program/json.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

/// The parts of a text such as `matrix:FILE*WEIGHT`.
struct FileAndWeight {
  std::string path;
  double weight = 1;
};

FileAndWeight file_and_weight(const std::string& text) {
  const auto colon = text.find(':');
  const auto star = text.rfind('*');
  if (std::min(star, text.size()) == colon + 1)
    throw std::invalid_argument(fmt::format("phase '{}' names no file", text));
  if (star == std::string::npos) return {text.substr(colon + 1), 1};
  FileAndWeight result{text.substr(colon + 1, star - colon - 1), 0};
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data() + star + 1, end, result.weight);
  if (read.ec != std::errc{} || read.ptr != end || !is_amount(result.weight)) {
    throw std::invalid_argument(
        fmt::format("phase '{}': weight '{}' is {}", text, text.substr(star + 1), no_amount));
  }
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void add_lcc(const std::string& text, std::size_t rank_count, DefinedPhases& result) {
  const auto [path, weight] = file_and_weight(text);
  const Lcc lcc = read_lcc(path);
  if (lcc.bit_count() > 31 || rank_count != std::size_t{1} << lcc.bit_count()) {
    throw std::invalid_argument(fmt::format("{}: {} rows are for 2^{} ranks, not for {}", path,
                                            lcc.bit_count(), lcc.bit_count(), rank_count));
  }
  result.phases.push_back(phase_of(lcc, "lcc:" + path, weight));
  result.definitions.push_back({{"lcc", lines_of(to_string(lcc))}});
}

/// Adds a phase of which other programs cannot know the messages.
void add_listed(Phase phase, DefinedPhases& result) {
  auto list = nlohmann::ordered_json::array();
  for (const Traffic& sent : phase.traffic) list.push_back({label(sent.from), label(sent.to), sent.messages});
  result.phases.push_back(std::move(phase));
  result.definitions.push_back({{"traffic", std::move(list)}});
}

void add_matrix(const std::string& text, std::size_t rank_count, DefinedPhases& result) {
  const auto [path, weight] = file_and_weight(text);
  add_listed({"matrix:" + path, weight, read_matrix_market(path, rank_count)}, result);
}

void add_profile(const std::string& text, std::size_t rank_count, DefinedPhases& result) {
  const auto [path, weight] = file_and_weight(text);
  for (Phase& phase : read_profile(path, rank_count, weight)) add_listed(std::move(phase), result);
}

void add_patterns(const std::string& text, std::size_t rank_count, const Grid& grid, DefinedPhases& result) {
  for (Phase& phase : parse_phases(text, rank_count, &grid)) {
    result.phases.push_back(std::move(phase));
    result.definitions.emplace_back();
  }
}

void check_phases(const std::string& text) {
  for (const char* file : {"lcc:", "matrix:", "profile:"})
    if (text.starts_with(file)) return;
  try {
    require_phase_names(text);
  } catch (const UnknownPhase& unknown) {
    throw std::invalid_argument(fmt::format("{}, matrix:FILE, profile:FILE, lcc:FILE", unknown.what()));
  }
}

}  // namespace

DefinedPhases read_phases(const std::vector<std::string>& texts, std::size_t rank_count, const Grid& grid) {
  DefinedPhases result;
  for (const auto& text : texts) {
    if (text.starts_with("lcc:")) {
      add_lcc(text, rank_count, result);
    } else if (text.starts_with("matrix:")) {
      add_matrix(text, rank_count, result);
    } else if (text.starts_with("profile:")) {
      add_profile(text, rank_count, result);
    } else {
      add_patterns(text, rank_count, grid, result);
    }
  }
  return result;
}

Lcc read_lcc(const std::string& path) {
  const auto text = program::read_text(path);
  try {
    return parse_lcc(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", path, error.what()));
  }
}

Lcc lcc_named(const std::string& text, const Grid& grid) {
  const int bits = dimension_count(grid);
  if (!text.starts_with("lcc:")) return parse_pattern(text, bits);
  Lcc lcc = read_lcc(text.substr(4));
  if (lcc.bit_count() == bits) return lcc;
  throw std::invalid_argument(fmt::format("{}: {} rows where {} has {} bits", text.substr(4), lcc.bit_count(),
                                          to_string(grid), bits));
}

CLI::Option* add_phases(CLI::App& command, std::vector<std::string>& phases) {
  return command
      .add_option("--phase", phases,
                  "Communication of the program, as halo:12x10, transpose:8x8*2 or matrix:FILE.mtx\n"
                  "(see cubefold help phase); may be given again")
      ->check(program::read_by(check_phases))
      ->type_name("PHASE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

namespace {

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

/// Reads one Matrix Market file. The first line is the header. Other lines that begin with % are comments.
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
    require_word(field, {"real", "double", "integer", "unsigned-integer", "pattern"});
    require_word(symmetry, {"general", "symmetric", "hermitian"});
    is_array_ = format == "array";
    is_pattern_ = field == "pattern";
    is_symmetric_ = symmetry != "general";  // of real numbers, hermitian is the same as symmetric
    if (is_array_ && is_pattern_) lines_.fail("an array cannot be a pattern");
  }

  /// Reads the line of sizes, which has `word_count` numbers. Returns the last one. In files of coordinates it is the
  /// number of entries; files of arrays do not have this number.
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

  /// Reads the entries column by column. The file of a symmetric matrix has only the diagonal and the entries below it.
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
