#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace cubefold::program {

/// Returns the columns of the terminal on which standard output appears, or the largest number if it is elsewhere.
std::size_t terminal_width();

struct TableColumn {
  std::string heading;
  std::size_t least_width = 0;  ///< with the blanks before it
  bool is_left = false;         ///< whether its cells begin at the left; otherwise they end at the right
};

/// A table of texts whose columns are as wide as their cells. If the lines would be longer than a terminal, the columns
/// are in blocks below each other, and each block begins with the same first columns.
class Table {
 public:
  /// `repeated` is the number of columns with which every block begins.
  explicit Table(std::vector<TableColumn> columns, std::size_t repeated = 1);

  /// Adds a row with a cell for each column.
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Returns the table in lines of at most `width` characters, as far as single columns fit.
  std::string text(std::size_t width = terminal_width()) const;

 private:
  std::vector<std::size_t> widths() const;

  std::vector<TableColumn> columns_;
  std::size_t repeated_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace cubefold::program
