#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "array_transform_plan.hpp"
#include "transform/square_exchange.hpp"
#include "workers.hpp"

namespace cubefold::fft {

/// A SquareExchange that is ready to run. For every tile in turn, all processes call write(), and then all call take().
/// A tile may be written before others have taken the tile before it, if that has another window.
template <typename Real>
class SquareExchangePlan {
 public:
  using Complex = std::complex<Real>;

  /// Plans with FFTW. Runs with the threads of `workers`, or with the calling thread alone if it is null. Does not
  /// communicate. Throws std::bad_alloc.
  SquareExchangePlan(SquareExchange exchange, bool in_place, Rigor rigor,
                     std::shared_ptr<Workers> workers = nullptr);

  const SquareExchange& exchange() const { return exchange_; }
  bool is_in_place() const { return in_place_; }

  /// Writes a tile of the array `from` into the window. `to` is the same array if the exchange is in place.
  void write(std::size_t tile, const Complex* from, Complex* to, Complex* window) const;
  void take(std::size_t tile, const Complex* from, Complex* to, const Complex* window) const;

 private:
  using Tile = SquareExchange::Tile;

  std::size_t values_of_thread() const;
  Complex* block(Complex* array, std::size_t member) const;
  const Complex* block(const Complex* array, std::size_t member) const;
  void write_block(Tile tile, const Complex* block, Complex* window) const;
  void take_block(Tile tile, const Complex* window, Complex* block) const;
  void transpose_own(Tile tile, const Complex* from, Complex* to) const;

  SquareExchange exchange_;
  bool in_place_;
  std::size_t row_ = 0;               ///< points between two own values
  std::shared_ptr<Workers> workers_;  ///< null if the calling thread computes alone
  ArrayTransformPlan<Real> transform_;
};

extern template class SquareExchangePlan<float>;
extern template class SquareExchangePlan<double>;

}  // namespace cubefold::fft
