#pragma once

#include <cstddef>
#include <vector>

#include "amounts.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// The rates of links as whole multiples of 1 / unit(), by link_index(). If all rates are 1, the unit is 1 and nothing
/// is kept. Otherwise it is 10000, and rates are rounded to four decimals.
class LinkRates {
 public:
  explicit LinkRates(const Grid& grid);

  bool are_all_one() const { return rates_.empty(); }
  Whole unit() const { return rates_.empty() ? 1 : unit_of_rates; }
  Whole of(std::size_t link) const { return rates_.empty() ? 1 : rates_[link]; }

  /// Returns the time that a link takes for a load, as the load of a link of rate 1 that takes as long. It is rounded
  /// up. Requires load * unit() < 2^127.
  Whole time(Whole load, std::size_t link) const {
    return rates_.empty() ? load : (load * unit_of_rates + rates_[link] - 1) / rates_[link];
  }

  /// Returns the time of the link that takes longest for its load, or 0 without links.
  Whole longest_time(const std::vector<Whole>& loads) const;

 private:
  static constexpr unsigned unit_of_rates = 10'000;

  std::vector<Whole> rates_;
};

}  // namespace cubefold
