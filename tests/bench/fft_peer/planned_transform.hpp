#pragma once

#include <cstddef>

#include "arrays.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "transform.hpp"

namespace cubefold::bench {

/// Runs the transform of fft::Plan, of complex points in place, and of real numbers to another array. The first run
/// goes on until the plan has chosen its exchanges.
class PlannedTransform final : public PeerTransform {
 public:
  PlannedTransform(const mpi::VirtualComm& comm, const Lengths& lengths, const fft::PlanOptions& options,
                   const Arrays& arrays);

  void fill() override;
  void run() override;
  void learn_order(const std::vector<std::size_t>& /*points*/) override {}
  std::optional<Complex> value_of(std::size_t point) const override;
  std::size_t data_bytes() const override { return count_ * sizeof(Complex); }
  std::size_t array_bytes() const override {
    return data_bytes() + plan_.input_count() * (numbers_ != nullptr ? sizeof(double) : 0);
  }
  bool arrays_come_first() const override { return false; }
  fft::PhaseTimes times() const override { return plan_.times(); }
  std::string explain() const override { return plan_.explain(); }

 private:
  void execute();
  void put(std::size_t place, Complex value);

  fft::Plan<double> plan_;
  bool is_chosen_ = false;
  std::size_t count_ = 0;      ///< points of data_
  Complex* data_ = nullptr;    ///< the output, and the input of complex points
  double* numbers_ = nullptr;  ///< the input of a transform of real numbers
};

}  // namespace cubefold::bench
