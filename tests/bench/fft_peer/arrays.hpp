#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "transform.hpp"

namespace cubefold::bench {

/// The two arrays that all transforms of a comparison read and write. They are taken and touched before any library
/// plans: planners take and give back memory, and the pages of arrays that are taken later lie where both libraries are
/// slower. With the same arrays, no library has better pages than the other.
class Arrays {
 public:
  /// Takes memory for points of this many processes and for the padding of both libraries.
  Arrays(const Lengths& lengths, std::size_t process_count);

  std::size_t capacity() const { return capacity_; }  ///< points of each array
  Complex* first() const { return first_.get(); }
  Complex* second() const { return second_.get(); }

  /// Throws std::length_error if an array has no room for so many points.
  void require(std::size_t points) const;

 private:
  struct Free {
    void operator()(Complex* memory) const;
  };
  using Array = std::unique_ptr<Complex[], Free>;  // NOLINT(modernize-avoid-c-arrays)

  Array touched() const;

  std::size_t capacity_ = 0;  ///< points of each array
  std::size_t used_ = 0;      ///< points that are touched
  Array first_;
  Array second_;
};

}  // namespace cubefold::bench
