#include "fftw_rows.hpp"

#include <sys/mman.h>

#include <array>
#include <new>
#include <type_traits>
#include <utility>

#include "fftw_functions.hpp"

namespace cubefold::fft {

namespace {

fftw_r2r_kind kind_of(LineTransform line) {
  switch (line) {
    case LineTransform::redft00:
      return FFTW_REDFT00;
    case LineTransform::redft01:
      return FFTW_REDFT01;
    case LineTransform::redft10:
      return FFTW_REDFT10;
    case LineTransform::redft11:
      return FFTW_REDFT11;
    case LineTransform::rodft00:
      return FFTW_RODFT00;
    case LineTransform::rodft01:
      return FFTW_RODFT01;
    case LineTransform::rodft10:
      return FFTW_RODFT10;
    case LineTransform::rodft11:
      return FFTW_RODFT11;
    case LineTransform::fourier:
      break;
  }
  return FFTW_R2HC;
}

template <typename Real>
typename Fftw<Real>::Plan planned(const Rows& rows, std::complex<Real>* data, unsigned flags) {
  using F = Fftw<Real>;
  const auto n = static_cast<std::ptrdiff_t>(rows.length);
  const auto distance = static_cast<std::ptrdiff_t>(rows.distance);
  const typename F::Dim row{n, 1, 1};
  typename F::Dim all{static_cast<std::ptrdiff_t>(rows.count), distance, distance};
  auto* complex = F::terms(data);
  auto* real = reinterpret_cast<Real*>(data);
  const bool forward = rows.transform == Transform::forward;
  if (rows.line != LineTransform::fourier) {
    const std::ptrdiff_t step = rows.of_pairs ? 1 : 2;
    const typename F::Dim line{n, step, step};
    const std::array<typename F::Dim, 2> all_rows{
        {{all.n, 2 * distance, 2 * distance}, {rows.of_pairs ? 1 : 2, 1, 1}}};
    const fftw_r2r_kind kind = kind_of(rows.line);
    return F::r2r(1, &line, 2, all_rows.data(), real, real, &kind, flags);
  }
  if (rows.kind == Kind::complex)
    return F::dft(1, &row, 1, &all, complex, complex, forward ? FFTW_FORWARD : FFTW_BACKWARD, flags);
  (forward ? all.is : all.os) *= 2;
  return forward ? F::r2c(1, &row, 1, &all, real, complex, flags)
                 : F::c2r(1, &row, 1, &all, complex, real, flags);
}

}  // namespace

std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes, MADV_HUGEPAGE);
#endif
}

template <typename Real>
RowTransforms<Real>::RowTransforms(const Rows& rows, Rigor rigor) : rows_(rows) {
  if (rows.count == 0 || rows.length == 0) return;
  const auto scratch = aligned_array<Complex>(rows.count * rows.distance);
  const std::lock_guard lock(planner_mutex());
  plan_ = planned<Real>(rows, scratch.get(), flags_of(rigor));
  if (plan_ == nullptr) throw std::bad_alloc();
}

template <typename Real>
RowTransforms<Real>::RowTransforms(RowTransforms&& other) noexcept
    : rows_(other.rows_), plan_(std::exchange(other.plan_, nullptr)) {}

template <typename Real>
RowTransforms<Real>& RowTransforms<Real>::operator=(RowTransforms&& other) noexcept {
  std::swap(rows_, other.rows_);
  std::swap(plan_, other.plan_);
  return *this;
}

template <typename Real>
RowTransforms<Real>::~RowTransforms() {
  if (plan_ == nullptr) return;
  const std::lock_guard lock(planner_mutex());
  Fftw<Real>::destroy(static_cast<typename Fftw<Real>::Plan>(plan_));
}

template <typename Real>
void RowTransforms<Real>::execute(Complex* data) const {
  using F = Fftw<Real>;
  if (plan_ == nullptr) return;
  auto* const plan = static_cast<typename F::Plan>(plan_);
  if (rows_.line != LineTransform::fourier)
    return F::run_r2r(plan, reinterpret_cast<Real*>(data), reinterpret_cast<Real*>(data));
  if (rows_.kind == Kind::complex) return F::run(plan, F::terms(data), F::terms(data));
  auto* const numbers = reinterpret_cast<Real*>(data);
  if (rows_.transform == Transform::forward) return F::run_r2c(plan, numbers, F::terms(data));
  F::run_c2r(plan, F::terms(data), numbers);
}

template <typename Real>
bool RowTransforms<Real>::can_execute(const Complex* data) const {
  return Fftw<Real>::alignment(reinterpret_cast<Real*>(const_cast<Complex*>(data))) == 0;
}

template class RowTransforms<float>;
template class RowTransforms<double>;

}  // namespace cubefold::fft
