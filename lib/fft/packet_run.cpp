#include "packet_run.hpp"

#include <mpi.h>

#include <cstring>
#include <optional>
#include <span>

#include "cubefold/mpi/comm_context.hpp"
#include "overlap.hpp"

namespace cubefold::fft {

namespace {

/// What arrives, and what is made of it, must not lie where the pass before has still to read.
template <typename Real>
bool keeps_source(const PacketSteps<Real>& steps) {
  return steps.received != steps.source && (steps.behind == nullptr || steps.behind_output != steps.source);
}

template <typename Real>
std::optional<PassInParts<Real>> before_in_parts(const PacketSteps<Real>& steps) {
  if (steps.before == nullptr || !keeps_source(steps)) return std::nullopt;
  const auto parts = block_parts(steps.before->shape(), steps.blocks->block_count, false);
  if (!parts) return std::nullopt;
  return PassInParts<Real>(*steps.before, *parts, steps.source, steps.before_output);
}

template <typename Real>
std::optional<PassInParts<Real>> behind_in_parts(const PacketSteps<Real>& steps) {
  if (steps.behind == nullptr || steps.behind_output == steps.sent()) return std::nullopt;
  const auto parts = block_parts(steps.behind->shape(), steps.blocks->block_count, true);
  if (!parts) return std::nullopt;
  return PassInParts<Real>(*steps.behind, *parts, steps.received, steps.behind_output);
}

template <typename Real>
class PacketRun {
 public:
  explicit PacketRun(const PacketSteps<Real>& steps)
      : steps_(&steps),
        before_(before_in_parts(steps)),
        behind_(behind_in_parts(steps)),
        block_bytes_(steps.blocks->block_count * point_bytes),
        arrivals_(steps.blocks->arrived_bytes) {}

  bool is_possible() const { return steps_->before == nullptr || before_; }
  std::size_t step_count() const { return std::size_t{1} + before_.has_value() + behind_.has_value(); }
  double overlap_seconds() const {
    return (before_ ? before_->seconds() : 0) + (behind_ ? behind_->seconds() : 0);
  }

  void exchange() {
    steps_->blocks->exchange->run_packets(
        block_bytes_, {[this](Rank destination, std::size_t offset, std::span<std::byte> packet) {
                         fill(destination, offset, packet);
                       },
                       [this](Rank from, std::size_t offset, std::span<const std::byte> packet) {
                         take(from, offset, packet);
                       }});
  }

  /// What is left of the pass behind.
  void finish() {
    if (behind_) behind_->finish();
  }

 private:
  static constexpr std::size_t point_bytes = sizeof(std::complex<Real>);

  void fill(Rank destination, std::size_t offset, std::span<std::byte> packet) {
    if (before_) before_->run_for((offset + packet.size() + point_bytes - 1) / point_bytes);
    const auto* sent = reinterpret_cast<const std::byte*>(steps_->sent());
    std::memcpy(packet.data(), sent + label(destination) * block_bytes_ + offset, packet.size());
  }

  void take(Rank from, std::size_t offset, std::span<const std::byte> packet) {
    auto* received = reinterpret_cast<std::byte*>(steps_->received);
    std::memcpy(received + label(from) * block_bytes_ + offset, packet.data(), packet.size());
    const std::size_t least = arrivals_.add(label(from), packet.size());
    if (behind_) behind_->run_within(least / point_bytes);
  }

  const PacketSteps<Real>* steps_;
  std::optional<PassInParts<Real>> before_;
  std::optional<PassInParts<Real>> behind_;
  std::size_t block_bytes_;
  Arrivals arrivals_;
};

}  // namespace

bool travels_in_packets(const mpi::AlltoallPlan& exchange) {
  return exchange.setup().backend != mpi::Backend::mpi;
}

template <typename Real>
std::size_t run_in_packets(const PacketSteps<Real>& steps, PhaseTimes& times) {
  const double start = MPI_Wtime();
  std::optional<PacketRun<Real>> run;
  steps.blocks->exchange->context().collectively([&] { run.emplace(steps); });
  if (!run->is_possible()) return 0;
  run->exchange();
  times.exchange_seconds += MPI_Wtime() - start;
  times.overlap_seconds += run->overlap_seconds();
  run->finish();
  return run->step_count();
}

template std::size_t run_in_packets(const PacketSteps<float>& steps, PhaseTimes& times);
template std::size_t run_in_packets(const PacketSteps<double>& steps, PhaseTimes& times);

}  // namespace cubefold::fft
