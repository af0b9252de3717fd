#pragma once

#include <mpi.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

#include "cubefold/fft/plan.hpp"
#include "fused_stage_plan.hpp"
#include "mpi/exchange.hpp"

namespace cubefold::fft {

/// A fused stage that runs slice by slice, in order, beside an exchange in packets. It runs ahead as far as the blocks
/// before or after it need or allow.
template <typename Real>
class SlicedStage {
 public:
  using Complex = std::complex<Real>;

  SlicedStage(const FusedStagePlan<Real>& plan, const Slices& slices, const Complex* from, Complex* to)
      : plan_(&plan), slices_(slices), from_(from), to_(to) {}

  /// Runs all slices that have a place below `count` in a block.
  void run_for(std::size_t count) {
    const std::size_t granule = plan_->granule(slices_.dimension);
    const std::size_t values = (count + slices_.point_count - 1) / slices_.point_count;
    run_to(std::min((values + granule - 1) / granule * granule, slices_.count));
  }

  /// Runs all slices whose places in a block are all below `count`.
  void run_within(std::size_t count) {
    const std::size_t granule = plan_->granule(slices_.dimension);
    run_to(std::min(count / slices_.point_count, slices_.count) / granule * granule);
  }

  void finish() { run_to(slices_.count); }

  double seconds() const { return seconds_; }

 private:
  void run_to(std::size_t value) {
    if (value <= done_) return;
    const double start = MPI_Wtime();
    plan_->run(from_, to_, {slices_.dimension, done_, value});
    seconds_ += MPI_Wtime() - start;
    done_ = value;
  }

  const FusedStagePlan<Real>* plan_;
  Slices slices_;
  const Complex* from_;
  Complex* to_;
  std::size_t done_ = 0;
  double seconds_ = 0;
};

/// One exchange of blocks in packets. The stage that computes the blocks runs as packets leave, and the stage that
/// reads them runs as packets arrive.
template <typename Real>
class PacketExchange {
 public:
  using Complex = std::complex<Real>;

  /// Takes memory for counters in `arrived_bytes`, which has one entry for each member.
  PacketExchange(std::size_t block_count, const Complex* sent, Complex* received,
                 std::span<std::size_t> arrived_bytes)
      : block_bytes_(block_count * point_bytes),
        sent_(reinterpret_cast<const std::byte*>(sent)),
        received_(reinterpret_cast<std::byte*>(received)),
        arrived_bytes_(arrived_bytes) {}

  void fill_with(const SlicedStage<Real>& before) { before_ = before; }
  void take_with(const SlicedStage<Real>& behind) { behind_ = behind; }

  /// Runs the exchange. All processes of it must call this. Adds its time to exchange_seconds, and the time of the
  /// stages that it overlaps to overlap_seconds. Allocates memory only while the exchange is measured.
  void run(mpi::Exchange& exchange, PhaseTimes& times) {
    const double start = MPI_Wtime();
    std::ranges::fill(arrived_bytes_, 0);
    exchange.run_packets({[this](Rank destination, std::size_t offset, std::span<std::byte> packet) {
                            fill(destination, offset, packet);
                          },
                          [this](Rank from, std::size_t offset, std::span<const std::byte> packet) {
                            take(from, offset, packet);
                          }});
    times.exchange_seconds += MPI_Wtime() - start;
    times.overlap_seconds += (before_ ? before_->seconds() : 0) + (behind_ ? behind_->seconds() : 0);
    if (behind_) behind_->finish();
  }

 private:
  static constexpr std::size_t point_bytes = sizeof(Complex);

  void fill(Rank destination, std::size_t offset, std::span<std::byte> packet) {
    if (before_) before_->run_for((offset + packet.size() + point_bytes - 1) / point_bytes);
    std::memcpy(packet.data(), sent_ + label(destination) * block_bytes_ + offset, packet.size());
  }

  /// Copies a packet to its block. The packets of each block arrive in order, so the smallest number of bytes from any
  /// member is the number that all blocks have.
  void take(Rank from, std::size_t offset, std::span<const std::byte> packet) {
    std::memcpy(received_ + label(from) * block_bytes_ + offset, packet.data(), packet.size());
    std::size_t& arrived = arrived_bytes_[label(from)];
    const bool was_least = arrived == least_;
    arrived += packet.size();
    if (was_least) least_ = *std::ranges::min_element(arrived_bytes_);
    if (behind_) behind_->run_within(least_ / point_bytes);
  }

  std::size_t block_bytes_;
  const std::byte* sent_;
  std::byte* received_;
  std::span<std::size_t> arrived_bytes_;
  std::size_t least_ = 0;
  std::optional<SlicedStage<Real>> before_;
  std::optional<SlicedStage<Real>> behind_;
};

}  // namespace cubefold::fft
