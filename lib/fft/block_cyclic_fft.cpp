#include "cubefold/fft/block_cyclic_fft.hpp"

#include <fmt/format.h>

#include <string>

#include "cubefold/fft/binary_exchange_fft.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::fft {

namespace {

std::string name_of(std::size_t point_count, Transform transform) {
  return fmt::format("{} of {} points", transform == Transform::forward ? "forward" : "inverse", point_count);
}

}  // namespace

class BlockCyclicFft::Impl {
 public:
  Impl(const mpi::VirtualComm& comm, const BlockCyclic& points, Transform transform)
      : points_(points),
        fft_(comm,
             BinaryExchange({comm.placement().rank_count(), points.block_count(), points.block_count()}),
             {.transform = transform}) {}

  const BlockCyclic& points() const { return points_; }
  void execute(const Complex* input, Complex* output) { fft_.execute(input, output); }

 private:
  BlockCyclic points_;
  BinaryExchangeFft<double> fft_;
};

BlockCyclicFft::BlockCyclicFft(const mpi::VirtualComm& comm, std::size_t point_count, Transform transform) {
  const auto own = mpi::OwnedComm::duplicate(comm.virtual_comm());
  mpi::require_equal_everywhere(own.get(), "transform", name_of(point_count, transform));
  const BlockCyclic points(point_count, comm.placement().rank_count());
  mpi::message_bytes(points.local_count(), sizeof(Complex));
  impl_ = std::make_unique<Impl>(comm, points, transform);
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
