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
  std::optional<double> scale =
      {};  ///< factor of the transform; by default 1, and 1/m for inverse transforms

  /// Q, the packets of a stage. Stage s + 1 of a packet runs while other packets are under way in stage s. 0 stands for
  /// best_packet_count() with the model, and for least_packet_count() without one.
  std::size_t packet_count = 0;

  /// The cost model of the network, if it is known. With a model and several packets, the messages of an iteration
  /// leave in the order of its TaskSchedule.
  std::optional<ExchangeModel> model = {};
};

/// A one-dimensional transform by binary exchange over the virtual ranks of a communicator. mpi::CcCubeAlgorithm runs
/// the stages, and FFTW computes the local transforms. Results are the same bit by bit for every Q, order of messages,
/// placement and alignment of arrays.
template <typename Real>
class CUBEFOLD_API BinaryExchangeFft {
 public:
  using Complex = std::complex<Real>;

  /// All processes must call this. Takes the memory of workspace_bytes(), tables of about 2 sqrt(m) and 2 sqrt(HP)
  /// points, and 3 min(Q, n) packets. Throws std::invalid_argument on all processes if the number of processes is not
  /// P, a packet is longer than 2^31 - 1 bytes, or processes ask for different transforms. Throws mpi::Error on all
  /// processes if one has no memory.
  BinaryExchangeFft(const mpi::VirtualComm& comm, const BinaryExchange& exchange,
                    const BinaryExchangeOptions& options = {});
  BinaryExchangeFft(BinaryExchangeFft&&) noexcept;
  BinaryExchangeFft& operator=(BinaryExchangeFft&&) noexcept;
  ~BinaryExchangeFft();

  const BinaryExchange& exchange() const;
  std::size_t packet_count() const;  ///< Q

  /// workspace_bytes() returns the bytes of the work array, which this object owns. use_workspace() replaces the work
  /// array by memory of the caller with as many bytes, aligned as fftw_malloc() aligns. The memory has to exist as long
  /// as this object uses it.
  std::size_t workspace_bytes() const;
  void use_workspace(void* memory);

  /// Transforms the points. All processes must call this. Sends n Q messages, and one more if there is a bit reversal.
  /// Both arrays hold exchange().local_count() points, in the order of exchange().input() and output(). They may be the
  /// same array; if not, the input stays as it is. Throws mpi::Error if a message
  /// fails: on all processes for the stages, on this process alone for the bit reversal.
  void execute(const Complex* input, Complex* output);

  PhaseTimes times() const;

  /// Returns one to three lines for people with the shape, messages and points, and with a model the predicted time.
  std::string describe() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class BinaryExchangeFft<float>;
extern template class BinaryExchangeFft<double>;

}  // namespace cubefold::fft
