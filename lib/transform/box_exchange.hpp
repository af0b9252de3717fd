#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/transform/local_box.hpp"

namespace cubefold::fft {

/// Returns the number of points of a box, which is 0 if any extent is 0.
CUBEFOLD_API std::size_t point_count(const LocalBox& box);

/// Returns the box with one dimension more, of which it has the values 0 .. extent - 1: the first dimension, or
/// else the last.
CUBEFOLD_API LocalBox with_dimension(LocalBox box, std::size_t extent, bool is_first);

/// Returns the rule that boxes break which do not have every point of an array exactly once, with the ranks and the
/// points concerned: `the box of rank 1 is not inside ...`, `the boxes of ranks 0 and 2 overlap: both have point
/// (1, 0)`, or `no box has point (0, 3)`, which is the first such point in row-major order. Box i is that of rank i.
/// Returns nothing if all is well. The boxes have as many dimensions as the array, which has at most 2^62 points.
/// Costs O(p log p) for p boxes, plus the pairs of boxes that share values of dimension 0.
CUBEFOLD_API std::optional<std::string> box_fault(const std::vector<std::size_t>& lengths,
                                                  const std::vector<LocalBox>& boxes);

/// The points that a process has in common with a box of a rank.
struct BoxPart {
  std::size_t rank;
  LocalBox box;

  bool operator==(const BoxPart&) const = default;
};

/// Returns what a process with the box `own` sends to, or gets from, the ranks with these boxes, in their order. Ranks
/// without common points are left out.
CUBEFOLD_API std::vector<BoxPart> common_parts(const LocalBox& own, const std::vector<LocalBox>& boxes);

/// Returns the number of rounds in which an exchange between two lists of boxes goes, so that no process sends or
/// receives more than about largest_bytes in one. It is at least 1.
CUBEFOLD_API std::size_t round_count(const std::vector<LocalBox>& from, const std::vector<LocalBox>& to,
                                     std::size_t number_bytes, std::size_t largest_bytes);

/// The memory of one process for the numbers of its box: that of point x is at the place sum over d of (x[d] -
/// box.offsets[d]) * strides[d].
struct BoxMemory {
  LocalBox box;
  std::vector<std::size_t> strides;
  std::size_t number_bytes;  ///< 4, 8 or 16
};

/// Returns the strides of a box that is row-major.
CUBEFOLD_API std::vector<std::size_t> row_major_strides(const LocalBox& box);

/// The arguments of one side of MPI_Alltoallv, in bytes, with one entry for each rank.
struct BoxRound {
  std::size_t first = 0;  ///< displacements count from here
  std::vector<int> counts;
  std::vector<int> displacements;
};

/// One side of the exchange between two lists of boxes for one process. Each part is divided into as many pieces of
/// about equal size as there are rounds, in row-major order of the dimensions. The pieces of a round lie one behind the
/// other in packed memory, in the order of their ranks. Parts that are contiguous in a process's memory need no packed
/// memory if there is one round.
class CUBEFOLD_API BoxSide {
 public:
  BoxSide(const BoxMemory& memory, const std::vector<BoxPart>& parts, std::size_t rank_count,
          std::size_t rounds);

  const std::vector<BoxRound>& rounds() const { return rounds_; }
  std::size_t bytes() const { return bytes_; }  ///< of all parts

  /// Returns whether the rounds are of the process's own memory, so that nothing is packed.
  bool is_contiguous() const { return is_contiguous_; }

  /// These copy the numbers of all parts between the process's memory and packed memory of bytes().
  void pack(const void* array, void* packed) const;
  void unpack(const void* packed, void* array) const;

 private:
  /// The numbers of a part in row-major order: `counts` of each dimension, `strides` apart, from the place `first` on.
  /// Dimensions that are contiguous together are one.
  struct Rows {
    std::size_t rank;
    std::size_t first;
    std::vector<std::size_t> counts;
    std::vector<std::size_t> strides;

    std::size_t count() const;
    bool is_contiguous() const;
  };

  static Rows rows_of(const BoxMemory& memory, const BoxPart& part);
  void lay_out_in_place(std::size_t rank_count);
  void lay_out_packed(std::size_t rank_count, std::size_t rounds);
  template <typename Copy>
  void copy_all(Copy copy) const;

  std::size_t number_bytes_;
  std::size_t bytes_ = 0;
  std::vector<Rows> parts_;
  std::vector<BoxRound> rounds_;
  bool is_contiguous_ = false;
};

}  // namespace cubefold::fft
