#include "binary_exchange_fft.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "fftw_rows.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_context.hpp"
#include "mpi/device_memory.hpp"
#include "transform/binary_exchange_cost.hpp"
#include "transform/butterflies.hpp"

namespace cubefold::fft {

namespace {

using Clock = std::chrono::steady_clock;

/// The largest number of bytes in one MPI call; longer messages are sent in parts.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string text_of(const BinaryExchange& exchange, const BinaryExchangeOptions& options,
                    std::size_t point_bytes) {
  return fmt::format("{} {}, {} bytes a point, {} packets, {} network",
                     options.transform == Transform::forward ? "forward" : "inverse", describe(exchange),
                     point_bytes, options.packet_count, options.model ? "known" : "unknown");
}

void require_one_process_per_rank(const BinaryExchange& exchange, const Placement& placement) {
  if (placement.rank_count() == exchange.shape().rank_count) return;
  throw std::invalid_argument(fmt::format("BinaryExchangeFft: {} processes for an exchange of {} ranks",
                                          placement.rank_count(), exchange.shape().rank_count));
}

std::size_t chosen_packet_count(const BinaryExchange& exchange, const Placement& placement,
                                const BinaryExchangeOptions& options, std::size_t point_bytes) {
  if (options.packet_count > 0) return options.packet_count;
  if (!options.model || exchange.stage_count() == 0) return least_packet_count(exchange, point_bytes);
  return best_packet_count(exchange, placement, point_bytes, *options.model);
}

std::vector<int> dimensions_of(const BinaryExchange& exchange) {
  std::vector<int> dimensions;
  dimensions.reserve(static_cast<std::size_t>(exchange.stage_count()));
  for (int stage = 0; stage < exchange.stage_count(); ++stage)
    dimensions.push_back(exchange.dimension_of(stage));
  return dimensions;
}

std::string prediction(const BinaryExchangeCost& cost, std::size_t packet_count) {
  std::string text = fmt::format("{} packets a stage; each rank sends {} messages, {} points", packet_count,
                                 cost.startups, cost.sent_points);
  if (cost.seconds > 0) text += fmt::format("; predicted {:.4g} ms", cost.seconds * 1e3);
  return text;
}

}  // namespace

// The data go through these arrays. From input to work: columns of H points become rows, which FFTW transforms in
// place. From work to output: the first twiddle; the stages then run in the output. From output to work: the second
// twiddle; then FFTW transforms the rows of L points. From work to output: a transposition.
template <typename Real>
class BinaryExchangeFft<Real>::Impl {
 public:
  Impl(const mpi::VirtualComm& comm, const BinaryExchange& exchange, const BinaryExchangeOptions& options)
      : rank_(comm.rank()),
        exchange_(exchange),
        packet_count_(chosen_packet_count(exchange, comm.placement(), options, sizeof(Complex))),
        over_high_({exchange.shape().high, exchange.shape().low, exchange.shape().high, Kind::complex,
                    options.transform},
                   options.rigor),
        over_low_({exchange.shape().low, exchange.shape().high, exchange.shape().low, Kind::complex,
                   options.transform},
                  options.rigor),
        butterflies_(exchange, rank_, options.transform, scale(options)),
        owned_work_(aligned_array<Complex>(exchange.local_count())),
        work_(owned_work_.get()),
        cost_(options.model
                  ? cost_of(exchange, comm.placement(), sizeof(Complex), packet_count_, *options.model)
                  : traffic_of(exchange, packet_count_)) {
    if (exchange_.stage_count() == 0) return;
    dimensions_ = dimensions_of(exchange_);
    stage_options_.packet_count = packet_count_;
    stage_options_.packet_bytes = [this](const StagePacket& packet) {
      return butterflies_.sent_count(columns_of(packet).size()) * sizeof(Complex);
    };
    if (options.model && packet_count_ > 1) {
      stage_options_.step_of =
          steps_of_iterations(exchange, packet_count_, comm.placement(), options.model->network);
    }
  }

  const BinaryExchange& exchange() const { return exchange_; }
  std::size_t packet_count() const { return packet_count_; }
  const PhaseTimes& times() const { return times_; }
  std::string text() const { return fft::describe(exchange_) + "\n" + prediction(cost_, packet_count_); }

  /// Starts communication in its own context. All processes must call this.
  void connect(std::shared_ptr<mpi::CommContext> context, const mpi::VirtualComm& comm) {
    context_ = std::move(context);
    if (exchange_.stage_count() > 0)
      algorithm_.emplace(comm, std::move(dimensions_), std::move(stage_options_));
  }

  void use_workspace(void* memory) {
    work_ = static_cast<Complex*>(memory);
    owned_work_.reset();
  }

  void execute(const Complex* input, Complex* output) {
    agree_on_host_memory(*context_, {{input, "input"}, {output, "output"}});
    const auto start = Clock::now();
    times_ = {};
    const auto& [p, high, low, exchanged, labels] = exchange_.shape();
    const Complex* points = exchange_.has_bit_reversal() ? bit_reversed(input, output) : input;
    transpose(points, high, low, work_);
    if (high > 1) over_high_.execute(work_);
    if (begins_at_once()) butterflies_.begin(work_, output, all_columns());
    run_stages(output);
    if (low > 1) {
      over_low_.execute(work_);
      transpose(work_, high, low, output);
    }
    times_.transform_seconds = seconds_since(start) - times_.exchange_seconds;
  }

 private:
  long double scale(const BinaryExchangeOptions& options) const {
    if (options.scale) return *options.scale;
    return options.transform == Transform::forward ? 1
                                                   : 1 / static_cast<long double>(exchange_.point_count());
  }

  ItemRange all_columns() const { return {0, exchange_.column_count()}; }
  ItemRange columns_of(const StagePacket& packet) const { return share_of(packet, exchange_.column_count()); }

  /// Returns whether the first twiddle is applied to all columns before the stages. This is necessary if both local
  /// transforms have several points, because the second twiddle of a packet would overwrite points in the work array
  /// that later packets still need. If one of them has a single point, a packet has the same places in the work array
  /// before and after the stages, and gets its first twiddle when it enters stage 0.
  bool begins_at_once() const {
    const auto& shape = exchange_.shape();
    return exchange_.stage_count() == 0 || (shape.high > 1 && shape.low > 1);
  }

  /// Returns the points of the rank with the reversed label. They are put into the output, because the work array is
  /// needed for the transposition. All processes must call this, and agree on failures.
  const Complex* bit_reversed(const Complex* input, Complex* output) {
    const Rank peer = exchange_.bit_reversed(rank_);
    const auto start = Clock::now();
    Complex* buffer = input == output ? work_ : output;
    context_->try_with_swaps(
        [&] { swap_parts(peer == rank_ ? MPI_PROC_NULL : static_cast<int>(label(peer)), input, buffer); });
    if (peer == rank_) return input;
    if (buffer != output) std::copy(buffer, buffer + exchange_.local_count(), output);
    times_.exchange_seconds += seconds_since(start);
    return output;
  }

  void swap_parts(int peer, const Complex* sent, Complex* received) const {
    const std::size_t most = most_bytes / sizeof(Complex);
    for (std::size_t first = 0; first < exchange_.local_count(); first += most) {
      const std::size_t count = std::min(most, exchange_.local_count() - first);
      context_->swap(sent + first, received + first, static_cast<int>(count * sizeof(Complex)), peer);
    }
  }

  void run_stages(Complex* array) {
    if (!algorithm_) {
      if (exchange_.shape().low > 1) butterflies_.end(array, work_, all_columns());
      return;
    }
    const auto start = Clock::now();
    under_way_ = 0;
    algorithm_->run({
        .produce = [&](const StagePacket& packet,
                       std::span<std::byte> buffer) { timed([&] { produce(packet, array, buffer); }, 1); },
        .consume =
            [&](const StagePacket& packet, std::span<const std::byte> arrived) {
              --under_way_;
              timed([&] { consume(packet, array, arrived); }, 0);
            },
    });
    times_.exchange_seconds += seconds_since(start);
  }

  /// Runs work() and adds its time to overlap_seconds if packets of this rank are under way.
  template <typename Work>
  void timed(Work&& work, std::size_t sent) {
    const auto start = Clock::now();
    std::forward<Work>(work)();
    if (under_way_ > 0) times_.overlap_seconds += seconds_since(start);
    under_way_ += sent;
  }

  void produce(const StagePacket& packet, Complex* array, std::span<std::byte> buffer) {
    const ItemRange columns = columns_of(packet);
    if (packet.stage == 0 && !begins_at_once()) butterflies_.begin(work_, array, columns);
    // Buffers have the alignment of operator new.
    const std::span values(reinterpret_cast<Complex*>(buffer.data()), buffer.size() / sizeof(Complex));
    butterflies_.send(packet.stage, array, columns, values);
  }

  void consume(const StagePacket& packet, Complex* array, std::span<const std::byte> arrived) {
    const ItemRange columns = columns_of(packet);
    const std::span values(reinterpret_cast<const Complex*>(arrived.data()),
                           arrived.size() / sizeof(Complex));
    butterflies_.receive(packet.stage, values, array, columns);
    const bool is_last = packet.stage + 1 == static_cast<std::size_t>(exchange_.stage_count());
    if (is_last && exchange_.shape().low > 1) butterflies_.end(array, work_, columns);
  }

  std::shared_ptr<mpi::CommContext> context_;
  Rank rank_;
  BinaryExchange exchange_;
  std::size_t packet_count_;
  RowTransforms<Real> over_high_;
  RowTransforms<Real> over_low_;
  Butterflies<Real> butterflies_;
  AlignedArray<Complex> owned_work_;
  Complex* work_;
  BinaryExchangeCost cost_;
  std::vector<int> dimensions_;  ///< given to algorithm_ by connect(), as are stage_options_
  mpi::CcCubeOptions stage_options_;
  std::optional<mpi::CcCubeAlgorithm> algorithm_;
  PhaseTimes times_;
  std::size_t under_way_ = 0;
};

template <typename Real>
BinaryExchangeFft<Real>::BinaryExchangeFft(const mpi::VirtualComm& comm, const BinaryExchange& exchange,
                                           const BinaryExchangeOptions& options) {
  auto context = mpi::CommContext::on(comm.virtual_comm());
  std::string text =
      mpi::agree_on_outcome(context->comm(), [&] { return text_of(exchange, options, sizeof(Complex)); });
  mpi::require_equal_everywhere(context->comm(), "transform", text);
  mpi::agree_on_outcome(context->comm(), [&] {
    require_one_process_per_rank(exchange, comm.placement());
    impl_ = std::make_unique<Impl>(comm, exchange, options);
  });
  impl_->connect(std::move(context), comm);
}
template <typename Real>
BinaryExchangeFft<Real>::BinaryExchangeFft(BinaryExchangeFft&&) noexcept = default;
template <typename Real>
BinaryExchangeFft<Real>& BinaryExchangeFft<Real>::operator=(BinaryExchangeFft&&) noexcept = default;
template <typename Real>
BinaryExchangeFft<Real>::~BinaryExchangeFft() = default;

template <typename Real>
const BinaryExchange& BinaryExchangeFft<Real>::exchange() const {
  return impl_->exchange();
}
template <typename Real>
std::size_t BinaryExchangeFft<Real>::packet_count() const {
  return impl_->packet_count();
}
template <typename Real>
std::size_t BinaryExchangeFft<Real>::workspace_bytes() const {
  return exchange().local_count() * sizeof(Complex);
}
template <typename Real>
void BinaryExchangeFft<Real>::use_workspace(void* memory) {
  impl_->use_workspace(memory);
}
template <typename Real>
void BinaryExchangeFft<Real>::execute(const Complex* input, Complex* output) {
  impl_->execute(input, output);
}
template <typename Real>
PhaseTimes BinaryExchangeFft<Real>::times() const {
  return impl_->times();
}
template <typename Real>
std::string BinaryExchangeFft<Real>::describe() const {
  return impl_->text();
}

template class BinaryExchangeFft<float>;
template class BinaryExchangeFft<double>;

}  // namespace cubefold::fft
