#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cubefold/fft/layout.hpp"

namespace cubefold::fft {

/// Where in memory the values of a digit lie, relative to the first: every `stride` places, or as a list says.
class Offsets {
 public:
  Offsets(std::size_t count, std::size_t stride) : count_(count), stride_(stride) {}

  /// Places, the first being 0. A list at equal distances is not kept.
  explicit Offsets(std::vector<std::size_t> places);

  std::size_t count() const { return count_; }
  std::size_t operator()(std::size_t i) const { return list_ ? (*list_)[i] : i * stride_; }
  bool is_even() const { return list_ == nullptr; }  ///< at equal distances
  bool is_row() const { return is_even() && stride_ == 1; }
  std::size_t stride() const { return stride_; }                               ///< of even ones
  const std::size_t* list() const { return list_ ? list_->data() : nullptr; }  ///< of others
  std::size_t last() const;                                                    ///< the largest place
  std::size_t row_length() const;  ///< how many from the first on are in a row

  bool operator==(const Offsets& other) const;

 private:
  std::size_t count_;
  std::size_t stride_ = 0;
  std::shared_ptr<const std::vector<std::size_t>> list_;
};

/// Where in an array a process's points of a layout lie: at base plus an offset for each digit, in the order of the digits,
/// plus one for the array's number in the batch.
struct View {
  std::size_t base = 0;
  std::vector<Offsets> digits;
  Offsets batch{1, 0};

  std::size_t room() const;  ///< places that the array needs to have
  bool operator==(const View&) const = default;
};

/// As the layout has them, arrays of a batch one behind the other.
View natural_view(const Layout& layout, const Layout::Members& members, std::size_t batch);

/// The same places with the digits cut otherwise: digit i has counts[i] values, the last fastest. Nothing where offsets are
/// not a sum over such digits.
std::optional<View> recut(const View& view, const std::vector<std::size_t>& counts);

/// How many values of each digit the process has.
std::vector<std::size_t> digit_counts(const Layout& layout, const Layout::Members& members);

}  // namespace cubefold::fft
