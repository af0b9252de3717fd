#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

#include "pass.hpp"

namespace cubefold::fft {

/// A pass that is made part by part, as the parts of the blocks that it reads or writes are there or are needed.
template <typename Real>
class PassInParts {
 public:
  using Complex = std::complex<Real>;

  PassInParts(const Pass<Real>& pass, const BlockParts& parts, const Complex* from, Complex* to)
      : pass_(&pass),
        parts_(parts),
        from_(from),
        to_(to),
        end_(pass.shape().digits[parts.digit].from.count()) {}

  /// All parts that places below `count` of a block are in.
  void run_for(std::size_t count) {
    const std::size_t granule = pass_->granule(parts_.digit);
    const std::size_t values = (count + parts_.part_count - 1) / parts_.part_count;
    run_to(std::min((values + granule - 1) / granule * granule, end_));
  }

  /// All parts that lie in places below `count` of a block.
  void run_within(std::size_t count) {
    const std::size_t granule = pass_->granule(parts_.digit);
    run_to(std::min(count / parts_.part_count, end_) / granule * granule);
  }

  void finish() { run_to(end_); }

  double seconds() const { return seconds_; }

 private:
  void run_to(std::size_t value) {
    if (value <= done_) return;
    const double start = MPI_Wtime();
    pass_->run(from_, to_, {parts_.digit, done_, value});
    seconds_ += MPI_Wtime() - start;
    done_ = value;
  }

  const Pass<Real>* pass_;
  BlockParts parts_;
  const Complex* from_;
  Complex* to_;
  std::size_t end_;
  std::size_t done_ = 0;
  double seconds_ = 0;
};

/// Two passes one behind the other that are made slab by slab, while a slab is in the cache: nothing that the second reads
/// of its slab is written by the first after it, and what it writes the first no longer reads.
struct SlabbedPasses {
  std::size_t first_digit;
  std::size_t second_digit;
  std::size_t count;     ///< of slabs
  std::size_t together;  ///< slabs at a time
};

/// Nothing where slabs of the two differ, are too large for a processor's own cache, or are few. Points take so many bytes.
inline std::optional<SlabbedPasses> slabbed(const PassShape& first, const PassShape& second,
                                            std::size_t point_bytes) {
  constexpr std::size_t large = 3 << 19;
  constexpr std::size_t small = 1 << 18;
  const auto written = slabs_of(first, false);
  const auto read = slabs_of(second, true);
  if (!written || !read || written->base != read->base || written->count != read->count ||
      written->point_count != read->point_count)
    return std::nullopt;
  const std::size_t bytes = std::max<std::size_t>(read->point_count * point_bytes, 1);
  if (bytes > large || bytes * read->count <= large) return std::nullopt;
  return SlabbedPasses{written->digit, read->digit, read->count, std::max<std::size_t>(small / bytes, 1)};
}

/// Two passes, the second from where the first writes. False, and nothing is done, where they are not slabbed().
template <typename Real>
bool run_in_slabs(const Pass<Real>& one, const Pass<Real>& other, const std::complex<Real>* source,
                  std::complex<Real>* between, std::complex<Real>* to) {
  const auto slabs = slabbed(one.shape(), other.shape(), sizeof(std::complex<Real>));
  if (!slabs || (to == source && between != source)) return false;
  for (std::size_t begin = 0; begin < slabs->count; begin += slabs->together) {
    const std::size_t end = std::min(begin + slabs->together, slabs->count);
    one.run(source, between, {slabs->first_digit, begin, end});
    other.run(between, to, {slabs->second_digit, begin, end});
  }
  return true;
}

/// How much of the blocks of all members has arrived: below which place of a block there is nothing missing.
class Arrivals {
 public:
  /// `bytes`: of each member, to count in.
  explicit Arrivals(std::span<std::size_t> bytes) : bytes_(bytes) { std::ranges::fill(bytes_, 0); }

  /// Pieces of a block arrive in order. Gives the bytes that all blocks have now.
  std::size_t add(std::size_t member, std::size_t bytes) {
    const std::size_t before = bytes_[member];
    bytes_[member] += bytes;
    if (before == least_) least_ = *std::min_element(bytes_.begin(), bytes_.end());
    return least_;
  }

 private:
  std::span<std::size_t> bytes_;
  std::size_t least_ = 0;
};

}  // namespace cubefold::fft
