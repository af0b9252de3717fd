#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// Returns the mutex that protects FFTW's planner and its wisdom, which all threads of a process share.
std::mutex& planner_mutex();

/// Asks the system for large pages. The system may refuse.
void ask_for_large_pages(void* memory, std::size_t bytes);

struct FreeAligned {
  std::align_val_t alignment{64};
  void operator()(void* memory) const { ::operator delete(memory, alignment); }
};

template <typename Value>
using AlignedArray = std::unique_ptr<Value[], FreeAligned>;  // NOLINT(modernize-avoid-c-arrays)

/// Allocates `count` values with the alignment that suits FFTW best. Throws std::bad_alloc.
template <typename Value>
AlignedArray<Value> aligned_array(std::size_t count, FreeAligned free = {}) {
  return AlignedArray<Value>(static_cast<Value*>(::operator new(count * sizeof(Value), free.alignment)),
                             free);
}

/// Allocates `count` values like aligned_array(). Arrays of 4 MiB or more get large pages if the system has them.
template <typename Value>
AlignedArray<Value> work_array(std::size_t count) {
  constexpr std::size_t large_page = 2 << 20;
  if (count * sizeof(Value) < 2 * large_page) return aligned_array<Value>(count);
  auto memory = aligned_array<Value>(count, {std::align_val_t{large_page}});
  ask_for_large_pages(memory.get(), count * sizeof(Value));
  return memory;
}

/// Describes transforms of `count` rows of `length` points each. A row begins every `distance` complex points. Real
/// rows lie at the beginning of their places. Forward transforms turn them into half of a spectrum, and inverse
/// transforms turn half a spectrum into them.
struct Rows {
  std::size_t length;
  std::size_t count;
  std::size_t distance;
  Kind kind = Kind::complex;
  Transform transform = Transform::forward;
  LineTransform line = LineTransform::fourier;  ///< others take real and imaginary parts separately
  bool of_pairs = false;                        ///< or as one row of `length` real numbers
};

/// Returns the number of rows of this length that a plan should transform at once to be fast. If all plans of one
/// length take this number, a row is computed by the same operations whatever rows are beside it.
template <typename Real>
constexpr std::size_t rows_of_plan(std::size_t length) {
  constexpr std::size_t long_row = 256;  // one such row fills the registers
  return length < long_row ? 64 / sizeof(std::complex<Real>) : 1;
}

/// Transforms rows in place with FFTW. Inverse transforms are not divided by the length.
template <typename Real>
class RowTransforms {
 public:
  using Complex = std::complex<Real>;

  /// Plans with FFTW on scratch memory. Throws std::bad_alloc.
  RowTransforms(const Rows& rows, Rigor rigor);
  RowTransforms(RowTransforms&&) noexcept;
  RowTransforms& operator=(RowTransforms&&) noexcept;
  ~RowTransforms();

  /// Transforms the rows in `data`, which is an aligned_array() or passes can_execute().
  void execute(Complex* data) const;
  bool can_execute(const Complex* data) const;

 private:
  Rows rows_;
  void* plan_ = nullptr;
};

extern template class RowTransforms<float>;
extern template class RowTransforms<double>;

}  // namespace cubefold::fft
