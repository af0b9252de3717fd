#include "pointwise.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "roots.hpp"

namespace cubefold::fft {

namespace {

Transform opposite(Transform transform) {
  return transform == Transform::forward ? Transform::inverse : Transform::forward;
}

/// Calls work(place, value) for all values of the runs, with their places on the process.
template <typename Work>
void for_each_place(const std::vector<ValueRun>& runs, Work work) {
  std::size_t place = 0;
  for (const ValueRun& run : runs)
    for (std::size_t i = 0; i < run.count; ++i) work(place++, run.first + i * run.step);
}

/// Calls work(place, index) for all places of a process, padding included.
template <typename Work>
void for_each_place(const Layout& layout, const Layout::Members& members, Work work) {
  if (layout.dimensions().size() == 1) return for_each_place(layout.runs(0, members), work);  // faster
  const std::size_t count = layout.local_count(members);
  for (std::size_t place = 0; place < count; ++place) work(place, layout.point_at(members, place));
}

template <typename Real>
Pointwise<Real> pointwise_of(const ChirpStage& stage, const Layout::Members& members, std::size_t batch) {
  // The chirp of point j is w^(j^2) with w = exp(-+pi i / length), which has 2 * length different powers.
  auto roots = std::make_shared<const Roots<Real>>(2 * stage.length, stage.transform, stage.factor);
  const std::size_t before = stage.before.local_count(members);
  const std::size_t after = stage.after.local_count(members);
  const std::size_t kept = std::min(before, after);
  if (stage.after.dimensions().size() != 1) throw std::logic_error("a chirp of more than one dimension");
  return [=, length = stage.length, runs = stage.after.runs(0, members)](const std::complex<Real>* from,
                                                                         std::complex<Real>* to) {
    // In place, arrays that grow move up and arrays that shrink move down. The last point is moved first in the former
    // case, and the first point in the latter, so that no point is overwritten before it is moved.
    for (std::size_t b = 0; b < batch; ++b) {
      const bool grows = after > before;
      const std::size_t array = grows ? batch - 1 - b : b;
      const auto* source = from + array * before;
      auto* target = to + array * after;
      if (source != target && grows) std::copy_backward(source, source + kept, target + kept);
      if (source != target && !grows) std::copy(source, source + kept, target);
      for_each_place(runs, [&](std::size_t place, std::size_t j) {
        target[place] = place < before && j < length
                            ? product_of(target[place], (*roots)(chirp_exponent(j, length)))
                            : std::complex<Real>(0);
      });
    }
  };
}

/// The places of a process's points in the two layouts of a RealPostprocessingStage, whose low dimension is in
/// conjugate pairs and whose high dimension is local. One of the layouts has M points, and the other the frequencies
/// 0 .. M.
struct Mirror {
  Mirror(const RealPostprocessingStage& stage, const Layout::Members& members, std::size_t batch_count)
      : batch(batch_count),
        before_low(stage.before.stride(stage.low, members)),
        before_high(stage.before.stride(stage.high, members)),
        before_count(stage.before.local_count(members)),
        after_low(stage.after.stride(stage.low, members)),
        after_high(stage.after.stride(stage.high, members)),
        after_count(stage.after.local_count(members)) {
    const Layout& half = stage.transform == Transform::forward ? stage.before : stage.after;
    points = half.index_count();
    low_extent = half.dimensions()[stage.low].extent;
    high_extent = half.dimensions()[stage.high].extent;
    for (std::size_t i = 0; i < half.dimension_count(stage.low, members); ++i) {
      lows.push_back(half.dimension_at(stage.low, i, members));
      partners.push_back(half.dimension_place(stage.low, (low_extent - lows.back()) % low_extent));
    }
  }

  /// Calls compute(low, top, row, partner, result) for every value of the low dimension. The points k = low +
  /// low_extent * high of the row have their conjugates M - k in the row of the partner, at the place top - high.
  template <typename Complex, typename Compute>
  void for_rows(const Complex* from, Complex* to, Compute compute) const {
    for (std::size_t b = 0; b < batch; ++b, from += before_count, to += after_count) {
      for (std::size_t l = 0; l < lows.size(); ++l) {
        const std::size_t top = lows[l] == 0 ? high_extent : high_extent - 1;
        compute(lows[l], top, from + l * before_low, from + partners[l] * before_low, to + l * after_low);
      }
    }
  }

  std::size_t batch;
  std::size_t before_low, before_high, before_count, after_low, after_high, after_count;
  std::size_t points;  ///< M
  std::size_t low_extent;
  std::size_t high_extent;            ///< in the layout of M points
  std::vector<std::size_t> lows;      ///< values of the low dimension on this process
  std::vector<std::size_t> partners;  ///< places of the values -low mod low_extent
};

/// Returns (z + conj(partner)) / 2 + sign * i/2 * root * (z - conj(partner)).
template <typename Real>
std::complex<Real> postprocessed(std::complex<Real> z, std::complex<Real> partner, std::complex<Real> root,
                                 Real sign) {
  const auto sum = z + std::conj(partner);
  const auto turned = product_of(root, z - std::conj(partner));
  return {(sum.real() - sign * turned.imag()) / 2, (sum.imag() + sign * turned.real()) / 2};
}

template <typename Real>
Pointwise<Real> pointwise_of(const RealPostprocessingStage& stage, const Layout::Members& members,
                             std::size_t batch) {
  using Complex = std::complex<Real>;
  auto mirror = std::make_shared<const Mirror>(stage, members, batch);
  auto roots = std::make_shared<const Roots<Real>>(2 * mirror->points, stage.transform);
  if (stage.transform == Transform::forward) {
    return [=](const Complex* from, Complex* to) {
      const auto compute = [&m = *mirror, &root = *roots](std::size_t low, std::size_t top,
                                                          const Complex* row, const Complex* partner,
                                                          Complex* result) {
        for (std::size_t h = 0; h <= m.high_extent; ++h) {
          const std::size_t opposite = (top + m.high_extent - h) % m.high_extent;
          result[h * m.after_high] =
              postprocessed(row[(h % m.high_extent) * m.before_high], partner[opposite * m.before_high],
                            root(low + m.low_extent * h), Real(-1));
        }
      };
      mirror->for_rows(from, to, compute);
    };
  }
  return [=](const Complex* from, Complex* to) {
    const auto compute = [&m = *mirror, &root = *roots](std::size_t low, std::size_t top, const Complex* row,
                                                        const Complex* partner, Complex* result) {
      for (std::size_t h = 0; h < m.high_extent; ++h) {
        const std::size_t k = low + m.low_extent * h;
        auto x = row[h * m.before_high];
        auto y = partner[(top - h) * m.before_high];
        if (k == 0) {
          x = x.real();
          y = y.real();
        }
        result[h * m.after_high] = postprocessed(x, y, root(k), Real(1));
      }
    };
    mirror->for_rows(from, to, compute);
  };
}

template <typename Real>
Pointwise<Real> pointwise_of(const RealStage& stage, const Layout::Members& members, std::size_t batch) {
  using Complex = std::complex<Real>;
  const std::size_t before = stage.before.local_count(members);
  const std::size_t after = stage.after.local_count(members);
  const std::size_t count = std::min(before, after) * batch;
  switch (stage.step) {
    case RealStep::widened:
      return [=](const Complex* from, Complex* to) {
        const Real* numbers = reinterpret_cast<const Real*>(from);
        for (std::size_t i = 0; i < count; ++i) to[i] = numbers[i];
      };
    case RealStep::narrowed:
      return [=](const Complex* from, Complex* to) {
        Real* numbers = reinterpret_cast<Real*>(to);
        for (std::size_t i = 0; i < count; ++i) numbers[i] = from[i].real();
      };
    case RealStep::doubled: {
      auto factors = std::make_shared<std::vector<Real>>(after);
      const std::size_t n = stage.after.index_count();
      for_each_place(stage.after, members, [&](std::size_t place, std::size_t k) {
        const bool is_there = k <= n / 2;
        (*factors)[place] = !is_there ? Real(0) : k == 0 || 2 * k == n ? Real(1) : Real(2);
      });
      return [=](const Complex* from, Complex* to) {
        for (std::size_t i = 0; i < count; ++i) {
          const Real factor = (*factors)[i % after];
          to[i] = factor == 0 ? Complex(0) : factor * from[i];
        }
      };
    }
    case RealStep::paired:
    case RealStep::unpaired:
      break;
  }
  throw std::logic_error("pairs of real numbers are complex numbers as they are");
}

/// Handles the other stages, which are not functions of single points. A kernel is made later.
template <typename Real, typename Other>
Pointwise<Real> pointwise_of(const Other&, const Layout::Members&, std::size_t) {
  if (std::is_same_v<Other, KernelStage>) return {};
  throw std::logic_error("not a stage of single points");
}

}  // namespace

template <typename Real>
Pointwise<Real> pointwise(const Stage& stage, const Layout::Members& members, std::size_t batch) {
  return std::visit([&](const auto& any) { return pointwise_of<Real>(any, members, batch); }, stage);
}

template <typename Real>
Pointwise<Real> multiplication(std::vector<std::complex<Real>> kernel, std::size_t batch) {
  return [batch, kernel = std::move(kernel)](const std::complex<Real>* from, std::complex<Real>* to) {
    const std::size_t count = kernel.size();
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t i = 0; i < count; ++i) to[b * count + i] = product_of(from[b * count + i], kernel[i]);
  };
}

template <typename Real>
std::vector<std::complex<Real>> kernel_input(const KernelStage& stage, const Layout& layout,
                                             const Layout::Members& members) {
  const Roots<Real> roots(2 * stage.length, opposite(stage.transform));
  std::vector<std::complex<Real>> input(layout.local_count(members));
  const std::size_t m = layout.index_count();
  for_each_place(layout, members, [&](std::size_t place, std::size_t j) {
    const std::size_t distance = std::min(j, m - j);
    if (distance < stage.length) input[place] = roots(chirp_exponent(distance, stage.length));
  });
  return input;
}

template Pointwise<float> pointwise<float>(const Stage&, const Layout::Members&, std::size_t);
template Pointwise<float> multiplication<float>(std::vector<std::complex<float>>, std::size_t);
template std::vector<std::complex<float>> kernel_input<float>(const KernelStage&, const Layout&,
                                                              const Layout::Members&);
template Pointwise<double> pointwise<double>(const Stage&, const Layout::Members&, std::size_t);
template Pointwise<double> multiplication<double>(std::vector<std::complex<double>>, std::size_t);
template std::vector<std::complex<double>> kernel_input<double>(const KernelStage&, const Layout&,
                                                                const Layout::Members&);

}  // namespace cubefold::fft
