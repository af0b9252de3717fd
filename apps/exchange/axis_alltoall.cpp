#include "exchange/axis_alltoall.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "cubefold/mpi/error.hpp"

using cubefold::mpi::check;
using cubefold::mpi::message_bytes;
using cubefold::mpi::OwnedComm;

namespace {

/// A datatype that is freed with this object.
class OwnedType {
 public:
  /// Holds `count` runs of `length` bytes, `stride` bytes apart. The next element begins `length` bytes later.
  OwnedType(int count, int length, int stride) {
    MPI_Datatype runs = MPI_DATATYPE_NULL;
    check(MPI_Type_vector(count, length, stride, MPI_BYTE, &runs), "MPI_Type_vector");
    const int error = MPI_Type_create_resized(runs, 0, length, &type_);
    MPI_Type_free(&runs);
    check(error, "MPI_Type_create_resized");
    check(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  OwnedType(const OwnedType&) = delete;
  OwnedType& operator=(const OwnedType&) = delete;
  ~OwnedType() { MPI_Type_free(&type_); }

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

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

// Before the round of an axis, a block is at the place of its coordinate of the destination on this axis. After the
// round it is at the place of that of the source.
void AxisAlltoall::run(const std::byte* send, std::byte* receive, int block_bytes) {
  scratch_.resize(
      static_cast<std::size_t>(message_bytes(process_count_, static_cast<std::size_t>(block_bytes))));
  const std::byte* from = send;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const Line& line = lines_[i];
    std::byte* to = (lines_.size() - i) % 2 == 1 ? receive : scratch_.data();
    const int length = line.behind * block_bytes;
    const OwnedType blocks(line.before, length, line.extent * length);
    check(MPI_Alltoall(from, 1, blocks.get(), to, 1, blocks.get(), line.comm.get()), "MPI_Alltoall");
    from = to;
  }
  if (lines_.empty()) std::copy_n(send, block_bytes, receive);
}
