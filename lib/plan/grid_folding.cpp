#include "table_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

/// A table of digits. Element [guest axis][host axis] is the extent of the digit of the guest axis that belongs to the
/// host axis, or 1 if there is none. The product of a row is the guest's extent, and the product of a column is the
/// host's extent.
using Digits = std::vector<std::vector<std::uint32_t>>;

/// The largest number of tables of digits that are tried.
constexpr std::size_t most_tables = 1000;

std::size_t digit_count(const Digits& digits) {
  std::size_t count = 0;
  for (const auto& row : digits)
    count += static_cast<std::size_t>(std::count_if(row.begin(), row.end(), [](auto f) { return f > 1; }));
  return count;
}

/// Builds all tables of digits, row by row with the largest factors first.
class DigitTables {
 public:
  DigitTables(const Grid& guest, const Grid& host) : guest_(guest) {
    for (const Axis& axis : host.axes()) left_on_host_.push_back(axis.extent);
    table_.assign(guest.axes().size(), std::vector<std::uint32_t>(host.axes().size(), 1));
    fill(0, 0, guest.axes().empty() ? 1 : guest.extent(0));
  }

  /// Returns the tables, those with the fewest digits first.
  std::vector<Digits> take() {
    std::stable_sort(tables_.begin(), tables_.end(),
                     [](const Digits& a, const Digits& b) { return digit_count(a) < digit_count(b); });
    return std::move(tables_);
  }

 private:
  void fill(std::size_t row, std::size_t column, std::uint32_t left) {
    if (tables_.size() == most_tables) return;
    if (row == table_.size()) {
      tables_.push_back(table_);
    } else if (column == left_on_host_.size()) {
      if (left == 1) fill(row + 1, 0, row + 1 < table_.size() ? guest_.axes()[row + 1].extent : 1);
    } else {
      for (std::uint32_t factor = std::gcd(left, left_on_host_[column]); factor > 0; --factor) {
        if (left % factor != 0 || left_on_host_[column] % factor != 0) continue;
        table_[row][column] = factor;
        left_on_host_[column] /= factor;
        fill(row, column + 1, left / factor);
        left_on_host_[column] *= factor;
      }
    }
  }

  const Grid& guest_;
  std::vector<std::uint32_t> left_on_host_;
  Digits table_;
  std::vector<Digits> tables_;
};

/// The places that the coordinates of an axis take one after the other: places 0, 1, 2, ...; or for a cycle, from both
/// ends (0, extent - 1, 1, ...), or along a closed walk through the box of its digits.
enum class Walk : std::uint8_t { straight, from_both_ends, closed };

/// A way to compose the coordinate on an axis from its digits.
struct Composition {
  std::vector<std::size_t> order;  ///< the axes of the other grid, most significant digit first
  bool reflected = true;  ///< whether a digit is reversed if the number formed by the digits before it is odd
  Walk walk = Walk::straight;
};

/// Returns all compositions of digits with these extents. More than four digits are composed in two orders only.
std::vector<Composition> compositions(const std::vector<std::uint32_t>& extents, bool is_cycle) {
  Composition first;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    if (extents[a] > 1) first.order.push_back(a);
  }
  std::vector<Composition> all;
  const bool has_box = first.order.size() > 1;
  const auto add = [&] {
    for (const Walk walk : {Walk::straight, Walk::from_both_ends, Walk::closed}) {
      if (walk != Walk::straight && !is_cycle) continue;
      if (walk != Walk::closed || has_box) all.push_back({first.order, true, walk});
      if (walk != Walk::closed && has_box) all.push_back({first.order, false, walk});
    }
  };
  if (first.order.size() > 4) {
    add();
    std::reverse(first.order.begin(), first.order.end());
    add();
    return all;
  }
  do add();
  while (std::next_permutation(first.order.begin(), first.order.end()));
  return all;
}

/// Returns the place of a coordinate in the sequence 0, extent - 1, 1, extent - 2, ...
std::uint32_t place_from_both_ends(std::uint32_t coordinate, std::uint32_t extent) {
  return coordinate < (extent + 1) / 2 ? 2 * coordinate : 2 * (extent - 1 - coordinate) + 1;
}

/// Returns the place of a coordinate on a closed walk through `extent` places in equal rows, every other one of which
/// is reversed. The walk leaves out the first column, and returns along it. Its steps lead to neighbours if the number
/// of rows is even, or if the first and the last column are neighbours.
std::uint32_t place_on_closed_walk(std::uint32_t coordinate, std::uint32_t extent, std::uint32_t row_count) {
  const auto columns = extent / row_count;
  const auto forth = row_count * (columns - 1);
  if (coordinate < forth) {
    const auto row = coordinate / (columns - 1);
    return row * columns + coordinate % (columns - 1) + (row % 2 == 0 ? 1 : 0);
  }
  const auto row = extent - 1 - coordinate;
  return row * columns + (row % 2 == 0 ? 0 : columns - 1);
}

/// Enumerates the embeddings with one table of digits.
class Foldings {
 public:
  Foldings(const Grid& guest, const Grid& host, Digits digits)
      : guest_(guest), host_(host), digits_(std::move(digits)) {
    for (std::size_t g = 0; g < digits_.size(); ++g)
      of_guest_.push_back(compositions(digits_[g], guest.axes()[g].ends == Ends::wrapped));
    for (std::size_t h = 0; h < host.axes().size(); ++h) {
      std::vector<std::uint32_t> column;
      for (const auto& row : digits_) column.push_back(row[h]);
      of_host_.push_back(compositions(column, false));
      columns_.push_back(std::move(column));
    }
    choice_.resize(of_guest_.size() + of_host_.size());
  }

  /// Calls visit() for all embeddings until it returns false. Returns whether it never did.
  bool visit_all(const std::function<bool(const std::vector<GridNode>&)>& visit) {
    do {
      if (!visit(nodes())) return false;
    } while (next_choice());
    return true;
  }

 private:
  bool next_choice() {
    for (std::size_t i = 0; i < choice_.size(); ++i) {
      const auto& options = i < of_guest_.size() ? of_guest_[i] : of_host_[i - of_guest_.size()];
      if (++choice_[i] < options.size()) return true;
      choice_[i] = 0;
    }
    return false;
  }

  /// Returns the place of a coordinate of a guest axis.
  std::uint32_t place_of(std::uint32_t coordinate, std::size_t g) const {
    const Composition& composition = of_guest_[g][choice_[g]];
    const auto extent = guest_.axes()[g].extent;
    switch (composition.walk) {
      case Walk::straight:
        return coordinate;
      case Walk::from_both_ends:
        return place_from_both_ends(coordinate, extent);
      case Walk::closed:
        break;
    }
    return place_on_closed_walk(coordinate, extent, digits_[g][composition.order.front()]);
  }

  /// Returns the digits of every coordinate of a guest axis: element [coordinate][host axis].
  std::vector<std::vector<std::uint32_t>> split(std::size_t g) const {
    const Composition& composition = of_guest_[g][choice_[g]];
    const auto extent = guest_.axes()[g].extent;
    std::vector<std::vector<std::uint32_t>> result(extent, std::vector<std::uint32_t>(digits_[g].size()));
    for (std::uint32_t x = 0; x < extent; ++x) {
      auto rest = place_of(x, g);
      auto below = extent;
      std::uint32_t before = 0;
      for (const auto h : composition.order) {
        below /= digits_[g][h];
        const auto digit = rest / below;
        rest -= digit * below;
        const bool turned = composition.reflected && before % 2 == 1;
        result[x][h] = turned ? digits_[g][h] - 1 - digit : digit;
        before = before * digits_[g][h] + digit;
      }
    }
    return result;
  }

  /// Returns the coordinate on a host axis of the guest node with the digits [guest axis][host axis].
  std::uint32_t composed(std::size_t h, const std::vector<const std::vector<std::uint32_t>*>& digits) const {
    const Composition& composition = of_host_[h][choice_[of_guest_.size() + h]];
    std::uint32_t place = 0;
    for (const auto g : composition.order) {
      const auto digit = (*digits[g])[h];
      const bool turned = composition.reflected && place % 2 == 1;
      place = place * columns_[h][g] + (turned ? columns_[h][g] - 1 - digit : digit);
    }
    return place;
  }

  std::vector<GridNode> nodes() const {
    std::vector<std::vector<std::vector<std::uint32_t>>> split_axes;
    for (std::size_t g = 0; g < of_guest_.size(); ++g) split_axes.push_back(split(g));
    std::vector<GridNode> nodes;
    std::vector<const std::vector<std::uint32_t>*> digits(of_guest_.size());
    for (std::uint32_t n = 0; n < guest_.node_count(); ++n) {
      for (std::size_t g = 0; g < digits.size(); ++g)
        digits[g] = &split_axes[g][guest_.coordinate(GridNode{n}, static_cast<int>(g))];
      std::size_t node = 0;
      for (std::size_t h = 0; h < of_host_.size(); ++h)
        node += composed(h, digits) * host_.stride(static_cast<int>(h));
      nodes.push_back(static_cast<GridNode>(node));
    }
    return nodes;
  }

  const Grid& guest_;
  const Grid& host_;
  Digits digits_;
  std::vector<std::vector<std::uint32_t>> columns_;  ///< transpose of digits_
  std::vector<std::vector<Composition>> of_guest_;
  std::vector<std::vector<Composition>> of_host_;
  std::vector<std::size_t> choice_;
};

}  // namespace

void for_each_folding(const Grid& guest, const Grid& host,
                      const std::function<bool(const std::vector<GridNode>&)>& visit) {
  if (guest.node_count() != host.node_count()) {
    throw std::invalid_argument(fmt::format("for_each_folding: {} has {} nodes and {} has {}",
                                            to_string(guest), guest.node_count(), to_string(host),
                                            host.node_count()));
  }
  for (Digits& digits : DigitTables(guest, host).take()) {
    if (!Foldings(guest, host, std::move(digits)).visit_all(visit)) return;
  }
}

}  // namespace cubefold
