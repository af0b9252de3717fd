#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "cubefold/transform/layout.hpp"
#include "npy/own_points.hpp"

namespace cubefold::npy {

/// The points first .. last - 1 in natural order.
struct Range {
  std::size_t first;
  std::size_t last;

  std::size_t count() const { return last - first; }
};

/// Divides points among the processes as evenly as whole points allow, in natural order.
std::vector<Range> even_ranges(std::size_t point_count, int process_count);

/// Moves points between a layout, which a transform uses, and the natural order, which files and other libraries use.
/// In natural order every process has one range of points. Points are bytes, and they move in rounds of at most 2^18
/// points of each range, so that little memory is needed. If one process throws, because memory is missing or a
/// call-back fails, all processes throw.
class NaturalOrder {
 public:
  /// Makes the plan of moves. `members` are the members of this process in the layout. All processes of `comm` must
  /// call this.
  NaturalOrder(MPI_Comm comm, const fft::Layout& layout, const fft::Layout::Members& members);

  const OwnPoints& own() const { return *own_; }
  MPI_Comm comm() const { return comm_; }
  int process_count() const { return process_count_; }

  /// A call-back that reads the points of a range, or writes them. `points` has them in natural order. The call-back
  /// must not communicate.
  using Reader = std::function<void(const Range& range, const std::byte* points)>;
  using Writer = std::function<void(const Range& range, std::byte* points)>;

  /// Gives process r the points of ranges[r], and calls its reader for one part of the range after another. Ranges must
  /// not overlap. All processes must call this.
  void gather(const std::vector<Range>& ranges, const void* in_layout, std::size_t bytes_each,
              const Reader& read) const;

  /// Calls the writer of process r for one part of ranges[r] after another, and moves the points to their places in the
  /// layout. Ranges must not overlap. All processes must call this.
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
