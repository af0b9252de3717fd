#include "cubefold/fft/block_cyclic_fft.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "fftw.hpp"
#include "twiddles.hpp"

namespace cubefold::fft {

namespace {

using Complex = BlockCyclicFft::Complex;

constexpr int tag = 0;  // the communicator is ours, and one message is under way at a time

int sign_of(Transform transform) {
  return transform == Transform::forward ? FFTW_FORWARD : FFTW_BACKWARD;
}

std::string name_of(std::size_t point_count, Transform transform) {
  return fmt::format("{} of {} points", transform == Transform::forward ? "forward" : "inverse", point_count);
}

std::uint32_t reversed(std::uint32_t value, int bit_count) {
  std::uint32_t result = 0;
  for (int bit = 0; bit < bit_count; ++bit) result |= ((value >> bit) & 1U) << (bit_count - 1 - bit);
  return result;
}

void multiply(Complex* values, std::size_t count, Complex factor) {
  std::transform(values, values + count, values, [=](Complex value) { return product(value, factor); });
}

}  // namespace

// Write a point's index j as (low, rank, high) with s, n and s bits, and the result's index k alike. Then w^(jk) is
// the product of
//
//   w_H^(j_high k_low)                    a transform over high: H = 2^s points
//   w^(2^s j_rank k_low)                  a twiddle
//   w_P^(j_rank k_rank)                   a transform over the ranks: P = 2^n of them
//   w^(j_low (k_low + 2^s k_rank))        a twiddle
//   w_H^(j_low k_high)                    a transform over low
//
// In the work array high becomes k_low in place; the last transform swaps the two local indices as it writes.
class BlockCyclicFft::Impl {
 public:
  Impl(Rank rank, const BlockCyclic& points, Transform transform)
      : rank_(rank),
        points_(points),
        sign_(sign_of(transform)),
        twiddles_(points_.rank_bit_count() + 2 * points_.block_bit_count(), sign_),
        work_(fftw_array(points_.local_count())),
        over_high_(side(), sign_, work_.get(), {side(), 1}, work_.get(), {side(), 1}, FFTW_ESTIMATE),
        over_low_(over_low(work_.get())) {}

  /// All messages go there from now on.
  void use(mpi::OwnedComm comm) { comm_ = std::move(comm); }

  const BlockCyclic& points() const { return points_; }

  void execute(const Complex* input, Complex* output) {
    reverse_ranks(input);
    over_high_.execute(work_.get(), work_.get());
    twiddle_rank_and_row();
    transform_over_ranks(output);
    twiddle_points();
    over_low_.execute(work_.get(), output);
  }

 private:
  /// Points in a block and blocks in a rank.
  std::size_t side() const { return points_.block_point_count(); }

  /// Nothing is known of the alignment of the caller's output, and the plan must not be for in-place use.
  SquareOfTransforms over_low(Complex* work) const {
    const FftwArray stand_in = fftw_array(points_.local_count());
    return {side(), sign_, work, {1, side()}, stand_in.get(), {side(), 1}, FFTW_ESTIMATE | FFTW_UNALIGNED};
  }

  void swap_parts(Rank peer, const Complex* sent, Complex* received) const {
    const int bytes = mpi::message_bytes(points_.local_count(), sizeof(Complex));
    const int other = static_cast<int>(label(peer));
    mpi::check(MPI_Sendrecv(sent, bytes, MPI_BYTE, other, tag, received, bytes, MPI_BYTE, other, tag,
                            comm_.get(), MPI_STATUS_IGNORE),
               "MPI_Sendrecv");
  }

  void reverse_ranks(const Complex* input) {
    const auto peer = static_cast<Rank>(reversed(label(rank_), points_.rank_bit_count()));
    if (peer == rank_) {
      std::copy(input, input + points_.local_count(), work_.get());
    } else {
      swap_parts(peer, input, work_.get());
    }
  }

  void twiddle_rank_and_row() {
    const std::size_t j_rank = reversed(label(rank_), points_.rank_bit_count());
    for (std::size_t k_low = 0; k_low < side(); ++k_low) {
      multiply(work_.get() + k_low * side(), side(), twiddles_(side() * j_rank * k_low));
    }
  }

  void transform_over_ranks(Complex* scratch) {
    for (int dimension = 0; dimension < points_.rank_bit_count(); ++dimension) butterfly(dimension, scratch);
  }

  void butterfly(int dimension, Complex* scratch) {
    Complex* own = work_.get();
    const std::size_t count = points_.local_count();
    const std::uint32_t below = (std::uint32_t{1} << dimension) - 1;
    const bool upper = ((label(rank_) >> dimension) & 1U) != 0;

    if (upper) multiply(own, count, root_of_unity(label(rank_) & below, dimension + 1, sign_));
    swap_parts(neighbour(rank_, dimension), own, scratch);
    if (upper) {
      std::transform(scratch, scratch + count, own, own,
                     [](Complex other, Complex mine) { return other - mine; });
    } else {
      std::transform(scratch, scratch + count, own, own,
                     [](Complex other, Complex mine) { return mine + other; });
    }
  }

  void twiddle_points() {
    const double scale = sign_ == FFTW_BACKWARD ? 1.0 / static_cast<double>(points_.point_count()) : 1.0;
    for (std::size_t k_low = 0; k_low < side(); ++k_low) {
      Complex* row = work_.get() + k_low * side();
      const std::size_t k = k_low + side() * label(rank_);
      for (std::size_t j_low = 0; j_low < side(); ++j_low) {
        row[j_low] = product(row[j_low], scale * twiddles_(j_low * k));
      }
    }
  }

  mpi::OwnedComm comm_;
  Rank rank_;
  BlockCyclic points_;
  int sign_;
  Twiddles twiddles_;
  FftwArray work_;
  SquareOfTransforms over_high_;
  SquareOfTransforms over_low_;
};

BlockCyclicFft::BlockCyclicFft(const mpi::VirtualComm& comm, std::size_t point_count, Transform transform) {
  auto own = mpi::OwnedComm::duplicate(comm.virtual_comm());
  mpi::require_equal_everywhere(own.get(), "transform", name_of(point_count, transform));
  mpi::together(own.get(), [&] {
    const BlockCyclic points(point_count, comm.placement().rank_count());
    mpi::message_bytes(points.local_count(), sizeof(Complex));
    impl_ = std::make_unique<Impl>(comm.rank(), points, transform);
  });
  impl_->use(std::move(own));
}
BlockCyclicFft::BlockCyclicFft(BlockCyclicFft&&) noexcept = default;
BlockCyclicFft& BlockCyclicFft::operator=(BlockCyclicFft&&) noexcept = default;
BlockCyclicFft::~BlockCyclicFft() = default;

const BlockCyclic& BlockCyclicFft::distribution() const {
  return impl_->points();
}

void BlockCyclicFft::execute(const Complex* input, Complex* output) {
  impl_->execute(input, output);
}

}  // namespace cubefold::fft
