#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <optional>
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
/// libraries have them: there every process has one range. Points are bytes, and move in rounds of at most 2^18 points
/// of each range, so that little memory is needed. What one process throws here, for want of memory or in a call-back,
/// all throw.
class NaturalOrder {
 public:
  /// Collective over `comm`, whose processes have these members in the layout.
  NaturalOrder(MPI_Comm comm, const fft::Layout& layout, const fft::Layout::Members& members);

  const OwnPoints& own() const { return *own_; }
  MPI_Comm comm() const { return comm_; }
  int process_count() const { return process_count_; }

  /// A call-back reads the points of a range, which lie at `points` in natural order, or writes them there. It must not
  /// communicate.
  using Reader = std::function<void(const Range& range, const std::byte* points)>;
  using Writer = std::function<void(const Range& range, std::byte* points)>;

  /// Collective: process r gets the points of ranges[r], and reads them part by part. Ranges do not overlap.
  void gather(const std::vector<Range>& ranges, const void* in_layout, std::size_t bytes_each,
              const Reader& read) const;

  /// Collective: the other way; process r writes the points of ranges[r].
  void scatter(const std::vector<Range>& ranges, void* in_layout, std::size_t bytes_each,
               const Writer& write) const;

 private:
  struct Round;

  MPI_Comm comm_;
  int rank_ = 0;
  int process_count_ = 0;
  std::optional<OwnPoints> own_;
  std::optional<Owners> owners_;
};

}  // namespace cubefold::npy
