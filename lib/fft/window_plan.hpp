#pragma once

#include <complex>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "array_transform_plan.hpp"
#include "fused_stage_plan.hpp"
#include "shared_scratch.hpp"
#include "transform/roots.hpp"
#include "transform/window_exchange.hpp"
#include "workers.hpp"

namespace cubefold::fft {

// Every process calls the functions of one tile in their order, and all processes call one before any calls the next.
// Tiles that are under way at the same time are in different parts of the shared memory. The threads of a process share
// each function.

/// A SharedTransform that is ready to run.
template <typename Real>
class SharedTransformPlan {
 public:
  using Complex = std::complex<Real>;

  /// Plans with FFTW. Does not communicate. Throws std::bad_alloc.
  SharedTransformPlan(SharedTransform transform, Rigor rigor, std::shared_ptr<Workers> workers = nullptr);

  const SharedTransform& transform() const { return transform_; }

  void write(std::size_t tile, const Complex* array, Complex* window) const;
  void transform_share(std::size_t tile, Complex* window) const;
  void take(std::size_t tile, const Complex* window, Complex* array) const;

 private:
  /// Columns of a tile.
  struct Columns {
    std::size_t begin;
    std::size_t end;
  };

  Columns columns_of_thread(std::size_t columns, std::size_t thread) const;
  void write_rows(const SharedTransform::Tile& tile, std::size_t begin, std::size_t end, const Complex* array,
                  Complex* window) const;
  void transform_columns(const SharedTransform::Tile& tile, Columns columns, Complex* window) const;
  void multiply_by_twiddles(const SharedTransform::Tile& tile, Columns columns, Complex* window) const;
  void take_rows(const SharedTransform::Tile& tile, std::size_t begin, std::size_t end, const Complex* window,
                 Complex* array) const;

  SharedTransform transform_;
  std::shared_ptr<Workers> workers_;  ///< null if the calling thread computes alone
  std::map<std::size_t, std::unique_ptr<const ArrayTransformPlan<Real>>>
      plans_;  ///< by the number of columns
  std::unique_ptr<const Roots<Real>> roots_;
};

/// A WindowExchange that is ready to run.
template <typename Real>
class WindowExchangePlan {
 public:
  using Complex = std::complex<Real>;

  /// Plans with FFTW. Fused stages use the scratch memory. Does not communicate. Throws std::bad_alloc.
  WindowExchangePlan(WindowExchange exchange, Rigor rigor, std::shared_ptr<Workers> workers = nullptr,
                     const std::shared_ptr<SharedScratch>& scratch = std::make_shared<SharedScratch>());

  const WindowExchange& exchange() const { return exchange_; }

  void write(std::size_t tile, const Complex* array, Complex* window) const;
  void take(std::size_t tile, Complex* window, Complex* array) const;

 private:
  /// A pass that is ready to run. One of the pointers is set.
  struct Pass {
    std::unique_ptr<const FusedStagePlan<Real>> fused;
    std::unique_ptr<const ArrayTransformPlan<Real>> joined;
    std::size_t count = 0;  ///< values of the dimension that tiles cut
  };

  typename ArrayTransformPlan<Real>::Cut cut_for_threads(std::size_t dimension) const;
  std::vector<Pass> planned(const std::vector<WindowPass>& passes, std::size_t cut, Rigor rigor,
                            const std::shared_ptr<SharedScratch>& scratch) const;
  void run(const std::vector<Pass>& passes, std::size_t cut, std::size_t tile, const Complex* from,
           Complex* to) const;

  void transform(std::size_t tile, Complex* window) const;

  WindowExchange exchange_;
  std::shared_ptr<Workers> workers_;  ///< null if the calling thread computes alone
  std::vector<Pass> written_;
  std::unique_ptr<const ArrayTransformPlan<Real>> transformed_;
  std::vector<Pass> taken_;
};

extern template class SharedTransformPlan<float>;
extern template class SharedTransformPlan<double>;
extern template class WindowExchangePlan<float>;
extern template class WindowExchangePlan<double>;

}  // namespace cubefold::fft
