#include "exchange/axis_alltoall.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "cubefold/mpi/error.hpp"

using cubefold::mpi::check;
using cubefold::mpi::message_bytes;
using cubefold::mpi::OwnedComm;

AxisAlltoall::OwnedType::~OwnedType() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (type_ != MPI_DATATYPE_NULL && finalized == 0) MPI_Type_free(&type_);
}

AxisAlltoall::OwnedType AxisAlltoall::OwnedType::of_runs(int count, int length, int stride) {
  OwnedType runs;
  OwnedType result;
  check(MPI_Type_vector(count, length, stride, MPI_BYTE, &runs.type_), "MPI_Type_vector");
  check(MPI_Type_create_resized(runs.type_, 0, length, &result.type_), "MPI_Type_create_resized");
  check(MPI_Type_commit(&result.type_), "MPI_Type_commit");
  return result;
}

AxisAlltoall::AxisAlltoall(MPI_Comm cart) {
  int axis_count = 0;
  check(MPI_Cartdim_get(cart, &axis_count), "MPI_Cartdim_get");
  const auto count = static_cast<std::size_t>(axis_count);
  std::vector<int> extents(count), periodic(count), coordinates(count);
  check(MPI_Cart_get(cart, axis_count, extents.data(), periodic.data(), coordinates.data()), "MPI_Cart_get");
  int before = 1;
  int behind = std::accumulate(extents.begin(), extents.end(), 1, std::multiplies<>());
  process_count_ = static_cast<std::size_t>(behind);
  for (std::size_t axis = 0; axis < count; ++axis) {
    behind /= extents[axis];
    if (extents[axis] > 1) {
      std::vector<int> kept(count, 0);
      kept[axis] = 1;
      MPI_Comm line = MPI_COMM_NULL;
      check(MPI_Cart_sub(cart, kept.data(), &line), "MPI_Cart_sub");
      lines_.push_back({OwnedComm::adopt(line), extents[axis], before, behind});
    }
    before *= extents[axis];
  }
}

void AxisAlltoall::prepare(int block_bytes) {
  if (block_bytes == block_bytes_) return;
  scratch_.resize(
      static_cast<std::size_t>(message_bytes(process_count_, static_cast<std::size_t>(block_bytes))));
  for (Line& line : lines_) {
    const int length = line.behind * block_bytes;
    line.blocks = OwnedType::of_runs(line.before, length, line.extent * length);
  }
  block_bytes_ = block_bytes;
}

// Before the round of an axis, a block is at the place of its coordinate of the destination on this axis. After the
// round it is at the place of that of the source.
void AxisAlltoall::run(const std::byte* send, std::byte* receive, int block_bytes) {
  prepare(block_bytes);
  const std::byte* from = send;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    std::byte* to = (lines_.size() - i) % 2 == 1 ? receive : scratch_.data();
    MPI_Datatype blocks = line.blocks.get();
    check(MPI_Alltoall(from, 1, blocks, to, 1, blocks, line.comm.get()), "MPI_Alltoall");
    from = to;
  }
  if (lines_.empty()) std::copy_n(send, block_bytes, receive);
}
