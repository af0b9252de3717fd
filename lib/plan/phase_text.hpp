#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

inline constexpr std::size_t most_axes = 64;  ///< of a Cartesian grid of ranks

/// The parts of a text `NAME[:ARGUMENT][*WEIGHT]`, and readers of arguments. All of them throw std::invalid_argument
/// with the text and the rule that it breaks. Keeps the text, which has to outlive the object.
class PhaseText {
 public:
  /// Throws for a weight that is not an amount.
  explicit PhaseText(std::string_view text);

  std::string_view name() const { return name_; }
  std::optional<std::string_view> argument() const { return argument_; }
  double weight() const { return weight_; }

  /// Returns `NAME[:ARGUMENT]`.
  std::string pattern() const;

  /// Returns `NAME:PART`, the name of one of the phases that the text stands for.
  std::string name_of_part(int part) const;

  [[noreturn]] void fail(const std::string& rule) const;

  /// Throws if there is an argument. The hint follows the rule.
  void require_no_argument(std::string_view hint) const;

  std::uint32_t number(std::string_view digits) const;

  /// Reads the argument of a phase with `count` parts: none for all parts, or `FIRST` or `FIRST-LAST`. Returns the
  /// numbers of the first part and of the part after the last.
  std::pair<int, int> range(int count, std::string_view part) const;

  /// Reads `ROWSxCOLUMNS`, the shape of a matrix of all ranks.
  std::pair<std::uint32_t, std::uint32_t> rows_and_columns(std::string_view shape,
                                                           std::size_t rank_count) const;

  /// Reads `EXTENTxEXTENT...`, with a `w` behind the extent of a periodic axis. There are rank_count ranks and at most
  /// most_axes axes.
  std::vector<Axis> axes(std::string_view shape, std::size_t rank_count) const;

 private:
  std::string_view text_;
  std::string_view name_;
  std::optional<std::string_view> argument_;
  double weight_ = 1;
};

}  // namespace cubefold
