#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cubefold/export.h"
#include "cubefold/fft/plan.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/transform/plan_options.hpp"
#include "transform/binary_exchange.hpp"

namespace cubefold::fft {

struct BinaryExchangeOptions {
  Transform transform = Transform::forward;
  Rigor rigor = Rigor::estimate;

  /// Q. Stage s + 1 of a packet runs while others are under way in stage s. 0: best_packet_count() of the model,
  /// without one least_packet_count().
  std::size_t packet_count = 0;

  /// What is known of the network. With it, and packets, messages of an iteration leave in the order of its
  /// TaskSchedule.
  std::optional<ExchangeModel> model = {};
};

/// A one-dimensional transform by binary exchange over the virtual ranks of a communicator: mpi::CcCubeAlgorithm runs
/// the stages, FFTW what is local. Results are the same bit by bit whatever Q, order, placement and alignment of
/// arrays.
template <typename Real>
class CUBEFOLD_API BinaryExchangeFft {
 public:
  using Complex = std::complex<Real>;

  /// Collective. Memory: workspace_bytes(), tables of about 2 sqrt(m) and 2 sqrt(HP) points, and 3 min(Q, n) packets.
  /// Throws on all processes alike: std::invalid_argument if there are other than P ranks, a packet passes 2^31 - 1
  /// bytes, or processes ask for different transforms; mpi::Error if one has no memory.
  BinaryExchangeFft(const mpi::VirtualComm& comm, const BinaryExchange& exchange,
                    const BinaryExchangeOptions& options = {});
  BinaryExchangeFft(BinaryExchangeFft&&) noexcept;
  BinaryExchangeFft& operator=(BinaryExchangeFft&&) noexcept;
  ~BinaryExchangeFft();

  const BinaryExchange& exchange() const;
  std::size_t packet_count() const;  ///< Q

  /// Of a work array, owned unless use_workspace() gives that much, aligned as by fftw_malloc; it is kept until the
  /// object goes.
  std::size_t workspace_bytes() const;
  void use_workspace(void* memory);

  /// Collective: n Q messages, and that of a bit reversal where there is one. Both arrays hold exchange().local_count()
  /// points, in the order of exchange().input() and output(); they may be the same array, else the input is left as it
  /// is. Inverse transforms divide by m. Throws mpi::Error if a message fails: on all processes, but for the bit
  /// reversal.
  void execute(const Complex* input, Complex* output);

  PhaseTimes times() const;

  /// A line or three for people: shape, messages, points, and with a model the predicted time.
  std::string describe() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class BinaryExchangeFft<float>;
extern template class BinaryExchangeFft<double>;

}  // namespace cubefold::fft
