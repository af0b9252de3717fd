#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "cubefold/fft/layout.hpp"
#include "npy/own_points.hpp"

namespace cubefold::npy {

/// The points first .. last - 1.
struct Range {
  std::size_t first;
  std::size_t last;

  std::size_t count() const { return last - first; }
};

/// Cuts points up among the processes as evenly as whole points allow, in natural order.
std::vector<Range> even_ranges(std::size_t point_count, int process_count);

/// The way between a layout, in which a transform has its points, and the natural order, in which files and other
/// libraries have them: there every process has one range. What moves is bytes.
class NaturalOrder {
 public:
  /// Collective over `comm`, whose processes have these members in the layout.
  NaturalOrder(MPI_Comm comm, const fft::Layout& layout, const fft::Layout::Members& members);

  const OwnPoints& own() const { return own_; }
  MPI_Comm comm() const { return comm_; }
  int process_count() const { return static_cast<int>(owner_ranks_.size()); }

  /// Collective: rank r gets the points of ranges[r] in natural order. Ranges do not overlap. One round, which needs
  /// memory for what it moves twice and of less than 2^31 points a process.
  void gather(const std::vector<Range>& ranges, const void* in_layout, void* natural,
              std::size_t bytes_each) const;

  /// Collective: the other way.
  void scatter(const std::vector<Range>& ranges, const void* natural, void* in_layout,
               std::size_t bytes_each) const;

  /// Collective: both in rounds of little memory, for ranges of any size. `use(round, buffer)` stands between: before
  /// a scatter it fills the buffer with the points of this process's range of the round, after a gather it takes
  /// them.
  template <typename Use>
  void gather_in_rounds(const std::vector<Range>& ranges, const void* in_layout, std::size_t bytes_each,
                        Use use) const;
  template <typename Use>
  void scatter_in_rounds(const std::vector<Range>& ranges, void* in_layout, std::size_t bytes_each,
                         Use use) const;

  /// The ranges of each round.
  static std::vector<Range> ranges_of_round(const std::vector<Range>& ranges, std::size_t round);
  static std::size_t round_count(const std::vector<Range>& ranges);

 private:
  static constexpr std::size_t points_of_round = std::size_t{1} << 18;

  const Range& own_range(const std::vector<Range>& ranges) const {
    return ranges[static_cast<std::size_t>(rank_)];
  }

  MPI_Comm comm_;
  int rank_ = 0;
  OwnPoints own_;
  std::vector<int> owner_ranks_;
  Owners owners_;
};

template <typename Use>
void NaturalOrder::gather_in_rounds(const std::vector<Range>& ranges, const void* in_layout,
                                    std::size_t bytes_each, Use use) const {
  std::vector<std::byte> buffer(std::min(points_of_round, own_range(ranges).count()) * bytes_each);
  for (std::size_t round = 0; round < round_count(ranges); ++round) {
    const auto now = ranges_of_round(ranges, round);
    gather(now, in_layout, buffer.data(), bytes_each);
    use(own_range(now), buffer.data());
  }
}

template <typename Use>
void NaturalOrder::scatter_in_rounds(const std::vector<Range>& ranges, void* in_layout,
                                     std::size_t bytes_each, Use use) const {
  std::vector<std::byte> buffer(std::min(points_of_round, own_range(ranges).count()) * bytes_each);
  for (std::size_t round = 0; round < round_count(ranges); ++round) {
    const auto now = ranges_of_round(ranges, round);
    use(own_range(now), buffer.data());
    scatter(now, buffer.data(), in_layout, bytes_each);
  }
}

}  // namespace cubefold::npy
