#include "program/table.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace cubefold::program {

namespace {

constexpr std::size_t gap = 2;

/// Returns the text of a cell with the blanks around it. The first column has none before it if it is a left one.
std::string padded(const TableColumn& column, const std::string& cell, std::size_t width, bool is_first) {
  if (!column.is_left) return fmt::format("{:>{}}", cell, width);
  const std::size_t before = is_first ? 0 : gap;
  return fmt::format("{:{}}{:<{}}", "", before, cell, width - before);
}

std::string without_blanks_at_end(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
}

}  // namespace

std::size_t terminal_width() {
  winsize size{};
  const bool is_known =
      isatty(STDOUT_FILENO) != 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : std::numeric_limits<std::size_t>::max();
}

Table::Table(std::vector<TableColumn> columns, std::size_t repeated)
    : columns_(std::move(columns)), repeated_(repeated) {
  std::vector<std::string> headings;
  for (const TableColumn& column : columns_) headings.push_back(column.heading);
  add(std::move(headings));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t before = i == 0 ? 0 : gap;
    std::size_t width = columns_[i].least_width;
    for (const auto& row : rows_) width = std::max(width, before + row[i].size());
    result.push_back(width);
  }
  return result;
}

std::string Table::text(std::size_t width) const {
  const auto widths_of_columns = widths();
  std::string text;
  std::size_t next = std::min(repeated_, columns_.size());
  do {
    std::vector<std::size_t> block;
    std::size_t used = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool is_repeated = i < repeated_;
      if (!is_repeated && i < next) continue;
      const bool fits = width >= used && width - used >= widths_of_columns[i];
      if (!is_repeated && !fits && block.size() > repeated_) break;
      block.push_back(i);
      used += widths_of_columns[i];
    }
    next = std::max(next, block.back() + 1);
    if (!text.empty()) text += '\n';
    for (const auto& row : rows_) {
      std::string line;
      for (const std::size_t i : block) line += padded(columns_[i], row[i], widths_of_columns[i], i == 0);
      text += without_blanks_at_end(line);
    }
  } while (next < columns_.size());
  return text;
}

}  // namespace cubefold::program
