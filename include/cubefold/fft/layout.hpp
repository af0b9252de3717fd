#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"

namespace cubefold::fft {

/// How the values of a digit are spread over the members of a process axis.
enum class Spread : std::uint8_t {
  local,   ///< every member has all of them
  block,   ///< ceil(extent / members) in a row each; the last members may have fewer, or none
  cyclic,  ///< value v is with member v mod members
};

/// One digit of a point's index, which is the sum of digit * weight over all digits.
struct Digit {
  std::size_t extent;
  std::size_t weight;
  Spread spread = Spread::local;
  int axis = 0;  ///< process axis; without meaning for local digits

  bool operator==(const Digit&) const = default;
};

/// Which points a process has, and where in its memory: the index of a point is cut into digits of mixed radix, each of which
/// is local or spread over one process axis, and a process's points lie with the last digit fastest. Block, cyclic,
/// block-cyclic and scrambled orders, slabs and pencils are all such layouts.
class CUBEFOLD_API Layout {
 public:
  /// The digits, slowest in memory first. Throws std::invalid_argument unless sorted by weight they are a mixed radix (weight 1
  /// first, then each the product of extent and weight of the one before), and each process axis spreads one digit at most.
  Layout(std::vector<Digit> digits, std::vector<std::size_t> axis_members);

  const std::vector<Digit>& digits() const { return digits_; }
  const std::vector<std::size_t>& axis_members() const { return axis_members_; }
  std::size_t point_count() const;

  /// Members: the coordinates of a process on the process axes.
  using Members = std::vector<std::size_t>;

  std::size_t digit_count(std::size_t digit,
                          const Members& members) const;  ///< values of the digit that the process has
  std::size_t digit_at(std::size_t digit, std::size_t place, const Members& members) const;
  std::size_t local_count(const Members& members) const;
  std::size_t largest_local_count() const;  ///< of all processes
  std::size_t point_at(const Members& members, std::size_t place) const;
  Members owner(std::size_t point) const;  ///< 0 on axes that spread nothing
  std::size_t place_of(std::size_t point) const;

  bool operator==(const Layout&) const = default;

 private:
  std::vector<Digit> digits_;
  std::vector<std::size_t> axis_members_;
};

}  // namespace cubefold::fft
