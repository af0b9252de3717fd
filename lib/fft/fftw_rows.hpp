#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

#include "cubefold/transform/plan_options.hpp"
#include "cubefold/transform/transform.hpp"

namespace cubefold::fft {

/// FFTW's planner, wisdom included, is one for all threads of a process.
std::mutex& planner_mutex();

/// The system need not give them.
void ask_for_large_pages(void* memory, std::size_t bytes);

struct FreeAligned {
  std::align_val_t alignment{64};
  void operator()(void* memory) const { ::operator delete(memory, alignment); }
};

template <typename Value>
using AlignedArray = std::unique_ptr<Value[], FreeAligned>;  // NOLINT(modernize-avoid-c-arrays)

/// Memory for `count` values with the alignment that FFTW likes best. Throws std::bad_alloc.
template <typename Value>
AlignedArray<Value> aligned_array(std::size_t count, FreeAligned free = {}) {
  return AlignedArray<Value>(static_cast<Value*>(::operator new(count * sizeof(Value), free.alignment)),
                             free);
}

/// The same for what is larger than caches: in large pages, where the system has them.
template <typename Value>
AlignedArray<Value> work_array(std::size_t count) {
  constexpr std::size_t large_page = 2 << 20;
  if (count * sizeof(Value) < 2 * large_page) return aligned_array<Value>(count);
  auto memory = aligned_array<Value>(count, {std::align_val_t{large_page}});
  ask_for_large_pages(memory.get(), count * sizeof(Value));
  return memory;
}

/// Transforms of `count` rows of `length` points each, one row every `distance` complex points. Real rows lie at the
/// beginning of their places; forward they become half of a spectrum, inverse they come back from it.
struct Rows {
  std::size_t length;
  std::size_t count;
  std::size_t distance;
  Kind kind = Kind::complex;
  Transform transform = Transform::forward;
};

/// How many rows of a length a plan is to take at once, so that it is fast. If all plans of that length take as many, a
/// row is computed by the same operations whatever rows are beside it.
template <typename Real>
constexpr std::size_t rows_of_plan(std::size_t length) {
  constexpr std::size_t long_row = 256;  // fills registers alone
  return length < long_row ? 64 / sizeof(std::complex<Real>) : 1;
}

/// One-dimensional transforms of rows, in place, by FFTW; inverse ones are not divided by the length.
template <typename Real>
class RowTransforms {
 public:
  using Complex = std::complex<Real>;

  /// Plans with FFTW on scratch memory. Throws std::bad_alloc.
  RowTransforms(const Rows& rows, Rigor rigor);
  RowTransforms(RowTransforms&&) noexcept;
  RowTransforms& operator=(RowTransforms&&) noexcept;
  ~RowTransforms();

  /// Rows in aligned_array(), or as can_execute() says.
  void execute(Complex* data) const;
  bool can_execute(const Complex* data) const;

 private:
  Rows rows_;
  void* plan_ = nullptr;
};

extern template class RowTransforms<float>;
extern template class RowTransforms<double>;

}  // namespace cubefold::fft
