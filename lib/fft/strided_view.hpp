#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "cubefold/fft/layout.hpp"

namespace cubefold::fft {

/// The places in memory of the values of one dimension, relative to the first value: every `stride` places, or listed.
class Offsets {
 public:
  Offsets(std::size_t count, std::size_t stride) : count_(count), stride_(stride) {}

  /// Takes the places in the order of the values; the first is 0. Places at equal distances are not kept as a list.
  explicit Offsets(std::vector<std::size_t> places);

  std::size_t count() const { return count_; }
  std::size_t operator()(std::size_t i) const { return list_ ? (*list_)[i] : i * stride_; }
  bool is_even() const { return list_ == nullptr; }  ///< whether the distances are equal
  bool is_row() const { return is_even() && stride_ == 1; }
  std::size_t stride() const { return stride_; }  ///< requires is_even()
  const std::size_t* list() const { return list_ ? list_->data() : nullptr; }
  std::size_t last() const;        ///< the largest place
  std::size_t row_length() const;  ///< how many values from the first on are neighbours in memory

  bool operator==(const Offsets& other) const;

 private:
  std::size_t count_;
  std::size_t stride_ = 0;
  std::shared_ptr<const std::vector<std::size_t>> list_;
};

/// The places in an array of a process's points: `base` plus one offset for each dimension. Dimension 0 counts the
/// arrays of the batch; the others are those of a layout, in its order.
struct StridedView {
  std::size_t base = 0;
  std::vector<Offsets> dimensions;

  bool operator==(const StridedView&) const = default;
};

/// The places that the layout itself gives the points, with the arrays of a batch one behind the other.
StridedView natural_view(const Layout& layout, const Layout::Members& members, std::size_t batch);

/// The same places with the points counted by other dimensions: dimension i has counts[i] values, the last is the
/// fastest. Returns nothing where the places are not sums of one offset for each such dimension.
std::optional<StridedView> recut(const StridedView& view, const std::vector<std::size_t>& counts);

/// The batch, and how many values of each dimension the process has.
std::vector<std::size_t> dimension_counts(const Layout& layout, const Layout::Members& members,
                                          std::size_t batch);

}  // namespace cubefold::fft
