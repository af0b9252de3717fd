#pragma once

#include <fftw3.h>

#include <cstddef>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "transform.hpp"

namespace cubefold::bench {

/// Allocates memory as FFTW does for its own arrays. Half of the wide moves would cross cache lines elsewhere.
template <typename Value>
struct FftwAllocator {
  using value_type = Value;
  FftwAllocator() = default;
  template <typename Other>
  explicit FftwAllocator(const FftwAllocator<Other>& /*other*/) {}
  Value* allocate(std::size_t count) { return static_cast<Value*>(fftw_malloc(count * sizeof(Value))); }
  void deallocate(Value* memory, std::size_t /*count*/) { fftw_free(memory); }
  bool operator==(const FftwAllocator&) const = default;
};

template <typename Value>
using Aligned = std::vector<Value, FftwAllocator<Value>>;

/// Runs the transform of fft::Plan, of complex points in place, and of real numbers to another array. The first run
/// goes on until the plan has chosen its exchanges.
class PlannedTransform final : public PeerTransform {
 public:
  PlannedTransform(const mpi::VirtualComm& comm, const Lengths& lengths, const fft::PlanOptions& options);

  void fill() override;
  void run() override;
  void learn_order(const std::vector<std::size_t>& /*points*/) override {}
  std::optional<Complex> value_of(std::size_t point) const override;
  std::size_t data_bytes() const override { return data_.size() * sizeof(Complex); }
  fft::PhaseTimes times() const override { return plan_.times(); }
  std::string explain() const override { return plan_.explain(); }

 private:
  void execute();
  void put(std::size_t place, Complex value);

  fft::Plan<double> plan_;
  bool is_chosen_ = false;
  Aligned<Complex> data_;
  Aligned<double> numbers_;  ///< the input of a transform of real numbers
};

}  // namespace cubefold::bench
