#include "lcc_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace cubefold {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Reads the rows one by one and names the line in every error.
class LccReader {
 public:
  Lcc read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const auto end = text.find('\n');
      take_line(trimmed(text.substr(0, end).substr(0, text.substr(0, end).find('#'))));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    if (!a_) fail("the text ends without a row");
    if (row_ != a_->size()) fail(fmt::format("the text ends after {} of {} rows", row_, a_->size()));
    return Lcc(*a_, b_, gives_);
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("line {}: {}", std::max(line_, 1), rule));
  }

  void take_line(std::string_view line) {
    if (line.empty()) return;
    if (line == "scatter") {
      if (a_ || gives_ == Gives::source) fail("'scatter' stands once, ahead of the rows");
      gives_ = Gives::source;
      return;
    }
    const auto row = line.substr(0, line.find_first_of(blanks));
    take_row(row);
    take_bit(trimmed(line.substr(row.size())));
    ++row_;
  }

  void take_row(std::string_view row) {
    if (!a_ && row.size() > 64) fail(fmt::format("{} columns are more than 64", row.size()));
    if (!a_) a_.emplace(static_cast<int>(row.size()));
    if (row_ == a_->size()) fail(fmt::format("more than {} rows of {} columns", row_, row_));
    if (row.size() != static_cast<std::size_t>(a_->size())) {
      fail(fmt::format("{} columns where the first row has {}", row.size(), a_->size()));
    }
    for (int j = 0; j < a_->size(); ++j) {
      if (is_one(row[static_cast<std::size_t>(j)])) a_->set(row_, j);
    }
  }

  void take_bit(std::string_view bit) {
    if (bit.empty()) return;
    if (bit.size() != 1) fail(fmt::format("'{}' behind the row is not one bit", bit));
    if (is_one(bit[0])) b_ |= std::uint64_t{1} << row_;
  }

  bool is_one(char digit) const {
    if (digit != '0' && digit != '1') fail(fmt::format("'{}' is neither 0 nor 1", digit));
    return digit == '1';
  }

  int line_ = 0;
  int row_ = 0;
  Gives gives_ = Gives::destination;
  std::optional<BitMatrix> a_;
  std::uint64_t b_ = 0;
};

}  // namespace

Lcc parse_lcc(std::string_view text) {
  return LccReader().read(text);
}

std::string to_string(const Lcc& lcc) {
  std::string text = lcc.gives() == Gives::source ? "scatter\n" : "";
  for (int i = 0; i < lcc.bit_count(); ++i) {
    for (int j = 0; j < lcc.bit_count(); ++j) text += lcc.a().at(i, j) ? '1' : '0';
    text += ((lcc.b() >> i) & 1) != 0 ? " 1\n" : " 0\n";
  }
  return text;
}

}  // namespace cubefold
