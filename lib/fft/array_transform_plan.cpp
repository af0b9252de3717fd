#include "array_transform_plan.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "fftw_functions.hpp"
#include "scratch_pages.hpp"

namespace cubefold::fft {

namespace {

bool is_row(const ArrayTransform& transform, std::size_t dimension) {
  return std::ranges::find(transform.rows, dimension) != transform.rows.end();
}

/// Returns the places from the first to the last one of a view, if `width` values of dimension `cut` are taken.
std::size_t extent_of(const StridedView& view, std::size_t cut, std::size_t width) {
  std::size_t last = 0;
  for (std::size_t d = 0; d < view.dimensions.size(); ++d) {
    const Offsets& offsets = view.dimensions[d];
    const std::size_t count = d == cut ? width : offsets.count();
    if (count > 0) last += (count - 1) * offsets.stride();
  }
  return last + 1;
}

/// Returns the dimension with the largest distances among those that are not transformed and have a value for each
/// thread, and as many of its values as scratch memory should have. Columns beside one another are cut for threads
/// alone, because each of them reaches through all of the memory.
ArrayTransformPlan<double>::Cut chosen_cut(const ArrayTransform& transform, std::size_t point_bytes,
                                           std::size_t threads) {
  constexpr std::size_t most_scratch_bytes = 1 << 20;
  constexpr std::size_t line_points = 4;
  const auto& dimensions = transform.from.dimensions;
  const auto suits = [&](std::size_t d) { return !is_row(transform, d) && dimensions[d].count() > 1; };
  const auto before = [&](std::size_t d, std::size_t other) {
    return std::pair(dimensions[d].count() >= threads, dimensions[d].stride()) >
           std::pair(dimensions[other].count() >= threads, dimensions[other].stride());
  };
  std::size_t best = 0;
  for (std::size_t d = 1; d < dimensions.size(); ++d)
    if (suits(d) && (!suits(best) || before(d, best))) best = d;
  const std::size_t count = dimensions[best].count();
  if (!suits(best)) return {best, std::max<std::size_t>(count, 1)};
  const std::size_t of_thread = (count + threads - 1) / threads;
  const std::size_t bytes = std::max<std::size_t>(extent_of(transform.from, best, 1) * point_bytes, 1);
  if (extent_of(transform.from, best, count) < 2 * extent_of(transform.from, best, 1))
    return {best, threads == 1 ? count : (of_thread + line_points - 1) / line_points * line_points};
  std::size_t step = std::clamp<std::size_t>(most_scratch_bytes / bytes, 1, of_thread);
  while (step > 1 && count % step != 0 && count % step < step / 2) --step;
  return {best, step};
}

/// Returns whether the ranges begin at places that FFTW's plans do not suit, even in an array with their alignment.
bool begins_unaligned(const StridedView& view, ArrayTransformPlan<double>::Cut cut,
                      std::size_t number_bytes) {
  constexpr std::size_t alignment = 16;
  const Offsets& offsets = view.dimensions[cut.dimension];
  const bool has_several = offsets.count() > cut.step;
  return view.base * number_bytes % alignment != 0 ||
         (has_several && offsets.stride() * cut.step * number_bytes % alignment != 0);
}

/// Returns whether a range of values has all places from its first to its last one, and a cache holds them.
bool is_dense(const StridedView& view, std::size_t cut, std::size_t step, std::size_t point_bytes) {
  constexpr std::size_t cache_bytes = 1 << 20;
  const std::size_t width = std::min(step, view.dimensions[cut].count());
  std::size_t count = 1;
  for (std::size_t d = 0; d < view.dimensions.size(); ++d)
    count *= d == cut ? width : view.dimensions[d].count();
  return count == extent_of(view, cut, width) && count * point_bytes <= cache_bytes;
}

/// Returns the dimensions in the order of their distances, the largest first.
std::vector<std::size_t> by_distance(const StridedView& view) {
  std::vector<std::size_t> order(view.dimensions.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::size_t d) { return view.dimensions[d].stride(); });
  return order;
}

}  // namespace

template <typename Real>
ArrayTransformPlan<Real>::ArrayTransformPlan(ArrayTransform transform, Cut cut, bool in_place,
                                             bool keeps_input, Rigor rigor, std::shared_ptr<Workers> workers)
    : transform_(std::move(transform)),
      cut_(cut),
      in_place_(in_place),
      keeps_input_(keeps_input),
      rigor_(rigor),
      order_(by_distance(transform_.to)),
      workers_(std::move(workers)) {
  const auto bytes_of = [](bool is_real) { return is_real ? sizeof(Real) : sizeof(Complex); };
  is_unaligned_ =
      begins_unaligned(transform_.from, {cut.dimension, cut.step}, bytes_of(transform_.has_real_input())) ||
      begins_unaligned(transform_.to, {cut.dimension, cut.step}, bytes_of(transform_.has_real_output()));
  for (const Offsets& offsets : transform_.to.dimensions)
    if (offsets.count() == 0) return;
  copies_first_ = !in_place_ && can_be_in_place(transform_) && transform_.kind == Kind::complex &&
                  is_dense(transform_.to, cut_.dimension, cut_.step, sizeof(Complex));
  const std::size_t count = transform_.from.dimensions[cut_.dimension].count();
  for (const std::size_t width : {std::min(cut_.step, count), count % cut_.step}) {
    if (width > 0 && !plans_.contains(width)) plans_[width] = planned(width, is_unaligned_);
  }
}

template <typename Real>
ArrayTransformPlan<Real>::ArrayTransformPlan(const ArrayTransform& transform, bool in_place, bool keeps_input,
                                             Rigor rigor, std::shared_ptr<Workers> workers)
    : ArrayTransformPlan(
          transform,
          [&] {
            const auto [dimension, step] = chosen_cut(transform, sizeof(Complex), thread_count(workers));
            return Cut{dimension, step};
          }(),
          in_place, keeps_input, rigor, workers) {}

template <typename Real>
ArrayTransformPlan<Real>::~ArrayTransformPlan() {
  const std::lock_guard lock(planner_mutex());
  for (const auto* plans : {&plans_, &unaligned_}) {
    for (const auto& [width, plan] : *plans)
      Fftw<Real>::destroy(static_cast<typename Fftw<Real>::Plan>(plan));
  }
}

template <typename Real>
void* ArrayTransformPlan<Real>::planned(std::size_t width, bool unaligned) const {
  using F = Fftw<Real>;
  std::vector<typename F::Dim> rows;
  std::vector<typename F::Dim> others;
  const auto signed_of = [](std::size_t number) { return static_cast<std::ptrdiff_t>(number); };
  for (std::size_t i = 0; i < transform_.rows.size(); ++i) {
    const std::size_t d = transform_.rows[i];
    rows.push_back({signed_of(transform_.lengths[i]), signed_of(transform_.from.dimensions[d].stride()),
                    signed_of(transform_.to.dimensions[d].stride())});
  }
  for (std::size_t d = 0; d < transform_.from.dimensions.size(); ++d) {
    const Offsets& from = transform_.from.dimensions[d];
    if (is_row(transform_, d) || from.count() == 1) continue;
    others.push_back({signed_of(d == cut_.dimension ? width : from.count()), signed_of(from.stride()),
                      signed_of(transform_.to.dimensions[d].stride())});
  }
  const std::size_t read = extent_of(transform_.from, cut_.dimension, width);
  const std::size_t written = extent_of(transform_.to, cut_.dimension, width);
  const bool in_place = in_place_ || copies_first_;
  // Two large arrays overlap, since a planner needs times and no results. It makes the memory zero, which stays zero.
  constexpr std::size_t large_bytes = 4 << 20;
  constexpr std::size_t page_bytes = 4096;
  const std::size_t read_bytes = read * sizeof(Complex);
  const std::size_t distance = in_place ? 0
                               : read_bytes >= large_bytes
                                   ? page_bytes
                                   : (read_bytes + page_bytes - 1) / page_bytes * page_bytes;
  const ScratchPages memory(std::max(read_bytes, distance + written * sizeof(Complex)));
  void* const from = memory.get();
  void* const to = memory.get() + distance;
  const unsigned flags =
      flags_of(rigor_) | (unaligned ? FFTW_UNALIGNED : 0U) | (keeps_input_ ? FFTW_PRESERVE_INPUT : 0U);
  const auto rank = static_cast<int>(rows.size());
  const auto other_rank = static_cast<int>(others.size());
  auto* const complex_from = F::terms(static_cast<Complex*>(from));
  auto* const complex_to = F::terms(static_cast<Complex*>(to));
  const std::lock_guard lock(planner_mutex());
  const bool forward = transform_.transform == Transform::forward;
  void* plan = nullptr;
  if (transform_.kind == Kind::complex) {
    plan = F::dft(rank, rows.data(), other_rank, others.data(), complex_from, complex_to,
                  forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
  } else if (forward) {
    plan = F::r2c(rank, rows.data(), other_rank, others.data(), static_cast<Real*>(from), complex_to, flags);
  } else {
    plan = F::c2r(rank, rows.data(), other_rank, others.data(), complex_from, static_cast<Real*>(to), flags);
  }
  if (plan == nullptr) throw std::bad_alloc();
  return plan;
}

template <typename Real>
void ArrayTransformPlan<Real>::run(const Complex* from, Complex* to) const {
  run(from, to, 0, transform_.from.dimensions[cut_.dimension].count());
}

/// FFTW's planner is called before threads begin, if the arrays have not the alignment of the plans.
template <typename Real>
void ArrayTransformPlan<Real>::run(const Complex* from, Complex* to, std::size_t begin,
                                   std::size_t end) const {
  if (plans_.empty() || begin >= end) return;
  const Ends first = ends_of(from, to, begin);
  const bool unaligned =
      !is_unaligned_ && (Fftw<Real>::alignment(first.from) != 0 || Fftw<Real>::alignment(first.to) != 0);
  if (unaligned) {
    for (const auto& [width, plan] : plans_)
      if (!unaligned_.contains(width)) unaligned_[width] = planned(width, true);
  }
  share(workers_, end - begin, cut_.step, [&](std::size_t share_begin, std::size_t share_end) {
    for (std::size_t i = begin + share_begin; i < begin + share_end; i += cut_.step) {
      const std::size_t width = std::min(cut_.step, begin + share_end - i);
      run_range(from, to, i, width, unaligned);
      if (transform_.factor != 1) scale(to, i, width);
    }
  });
}

/// Places are counted in real numbers on a side of real numbers.
template <typename Real>
auto ArrayTransformPlan<Real>::ends_of(const Complex* from, Complex* to, std::size_t begin) const -> Ends {
  const std::size_t source = transform_.from.base + transform_.from.dimensions[cut_.dimension](begin);
  const std::size_t target = transform_.to.base + transform_.to.dimensions[cut_.dimension](begin);
  auto* const points = const_cast<Complex*>(from);
  return {reinterpret_cast<Real*>(points) + (transform_.has_real_input() ? 1 : 2) * source,
          reinterpret_cast<Real*>(to) + (transform_.has_real_output() ? 1 : 2) * target};
}

template <typename Real>
void ArrayTransformPlan<Real>::run_range(const Complex* from, Complex* to, std::size_t begin,
                                         std::size_t width, bool unaligned) const {
  using F = Fftw<Real>;
  auto [real_from, real_to] = ends_of(from, to, begin);
  if (copies_first_) {
    std::memcpy(real_to, real_from, extent_of(transform_.to, cut_.dimension, width) * sizeof(Complex));
    real_from = real_to;
  }
  auto* const plan = static_cast<typename F::Plan>((unaligned ? unaligned_ : plans_).at(width));
  auto* const complex_from = reinterpret_cast<Complex*>(real_from);
  auto* const complex_to = reinterpret_cast<Complex*>(real_to);
  if (transform_.kind == Kind::complex) return F::run(plan, F::terms(complex_from), F::terms(complex_to));
  if (transform_.transform == Transform::forward) return F::run_r2c(plan, real_from, F::terms(complex_to));
  F::run_c2r(plan, F::terms(complex_from), real_to);
}

/// Multiplies what run_range() has written by the factor, while it is in a cache.
template <typename Real>
void ArrayTransformPlan<Real>::scale(Complex* to, std::size_t begin, std::size_t width) const {
  const std::size_t numbers = transform_.has_real_output() ? 1 : 2;
  const auto factor = static_cast<Real>(transform_.factor);
  const auto multiply = [&](auto&& self, std::size_t depth, std::size_t place) -> void {
    const std::size_t d = order_[depth];
    const Offsets& offsets = transform_.to.dimensions[d];
    const std::size_t first = d == cut_.dimension ? begin : 0;
    const std::size_t count = d == cut_.dimension ? width : offsets.count();
    if (depth + 1 == order_.size() && offsets.is_row()) {
      auto* const reals = reinterpret_cast<Real*>(to) + numbers * (place + first);
      for (std::size_t i = 0; i < numbers * count; ++i) reals[i] *= factor;
      return;
    }
    for (std::size_t i = first; i < first + count; ++i) {
      if (depth + 1 < order_.size()) {
        self(self, depth + 1, place + offsets(i));
      } else {
        auto* const reals = reinterpret_cast<Real*>(to) + numbers * (place + offsets(i));
        for (std::size_t n = 0; n < numbers; ++n) reals[n] *= factor;
      }
    }
  };
  multiply(multiply, 0, transform_.to.base);
}

template class ArrayTransformPlan<float>;
template class ArrayTransformPlan<double>;

}  // namespace cubefold::fft
