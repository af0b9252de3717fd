#include "vector_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "cubefold/mpi/error.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

namespace {

/// The bytes within which an element of each rank has to fit, since a message may have a chunk of each and is cut
/// between elements.
constexpr std::size_t most_bytes_of_elements = 16 << 20;

/// Throws std::invalid_argument unless MPI applies the operation to elements of the type, of which MPI itself would
/// tell its error handler only.
void require_operation(MPI_Op op, MPI_Datatype type) {
  if (op == MPI_OP_NULL) throw std::invalid_argument("the operation is MPI_OP_NULL");
  std::byte nothing{};
  std::byte result{};
  const int code = MPI_Allreduce(&nothing, &result, 0, type, op, checking_comm());
  if (code == MPI_SUCCESS) return;
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  if (error_class == MPI_ERR_OP || error_class == MPI_ERR_TYPE || error_class == MPI_ERR_ARG)
    throw std::invalid_argument("the operation is not one for elements of the datatype");
  check(code, "MPI_Allreduce");
}

bool commutes(MPI_Op op) {
  int commutes = 0;
  check(MPI_Op_commutative(op, &commutes), "MPI_Op_commutative");
  return commutes != 0;
}

int require_count(int count) {
  if (count < 0) throw std::invalid_argument(fmt::format("count {} is negative", count));
  return count;
}

std::size_t sum_of(std::span<const int> counts) {
  std::size_t sum = 0;
  for (const int count : counts) sum += static_cast<std::size_t>(require_count(count));
  return sum;
}

}  // namespace

const char* name_of_mpi(VectorFunction function, bool is_blocking) {
  switch (function) {
    case VectorFunction::allreduce:
      return is_blocking ? "MPI_Allreduce" : "MPI_Iallreduce";
    case VectorFunction::reduce_scatter_block:
      return is_blocking ? "MPI_Reduce_scatter_block" : "MPI_Ireduce_scatter_block";
    case VectorFunction::reduce_scatter:
      return is_blocking ? "MPI_Reduce_scatter" : "MPI_Ireduce_scatter";
    case VectorFunction::allgather:
      return is_blocking ? "MPI_Allgather" : "MPI_Iallgather";
    case VectorFunction::allgatherv:
      break;
  }
  return is_blocking ? "MPI_Allgatherv" : "MPI_Iallgatherv";
}

Exactness exactness_of(MPI_Op op, MPI_Datatype type) {
  const auto is_one_of = [](auto value, const auto& list) {
    return std::ranges::find(list, value) != list.end();
  };
  const std::array always{MPI_MAX, MPI_MIN,  MPI_LAND, MPI_BAND,   MPI_LOR,
                          MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
  if (is_one_of(op, always)) return Exactness::exact;
  const std::array sums{MPI_SUM, MPI_PROD};
  const std::array integers{
      MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_SHORT,         MPI_UNSIGNED_SHORT, MPI_INT,
      MPI_UNSIGNED,    MPI_LONG,          MPI_UNSIGNED_LONG, MPI_LONG_LONG,      MPI_UNSIGNED_LONG_LONG,
      MPI_INT8_T,      MPI_INT16_T,       MPI_INT32_T,       MPI_INT64_T,        MPI_UINT8_T,
      MPI_UINT16_T,    MPI_UINT32_T,      MPI_UINT64_T,      MPI_AINT,           MPI_OFFSET,
      MPI_COUNT,       MPI_INTEGER,       MPI_INTEGER1,      MPI_INTEGER2,       MPI_INTEGER4,
      MPI_INTEGER8};
  if (!is_one_of(op, sums)) return commutes(op) ? Exactness::unknown : Exactness::ordered;
  return is_one_of(type, integers) ? Exactness::exact : Exactness::rounded;
}

VectorCall::VectorCall(const VectorArguments& arguments, std::size_t rank_count, std::size_t rank)
    : arguments_(arguments), rank_count_(rank_count) {
  if (arguments_.receive == MPI_IN_PLACE) throw std::invalid_argument("the receive buffer is MPI_IN_PLACE");
  const bool has_counts = arguments_.function == VectorFunction::reduce_scatter ||
                          arguments_.function == VectorFunction::allgatherv;
  if (has_counts && arguments_.counts.data() == nullptr)
    throw std::invalid_argument("an array of counts or displacements is NULL");
  arguments_.reduces() ? take_reduction(rank_count, rank) : take_gathering(rank_count, rank);
}

void VectorCall::take_reduction(std::size_t rank_count, std::size_t rank) {
  const VectorArguments& given = arguments_;
  const TypeLayout layout = layout_of(given.type);
  require_operation(given.op, given.type);
  std::size_t elements = 0;
  std::size_t received = 0;
  if (given.function == VectorFunction::reduce_scatter) {
    elements = sum_of(given.counts);
    received = static_cast<std::size_t>(given.counts[rank]);
  } else {
    received = static_cast<std::size_t>(require_count(given.count));
    elements = given.function == VectorFunction::allreduce ? received : received * rank_count;
  }
  unit_bytes_ = layout.size_bytes;
  vector_bytes_ = elements * unit_bytes_;
  is_schedulable_ = layout.dense && unit_bytes_ > 0 && elements <= std::numeric_limits<int>::max();
  const bool is_countable = elements <= std::numeric_limits<int>::max();
  sent_.emplace(arguments_.is_in_place() ? given.receive : given.send,
                is_countable ? static_cast<int>(elements) : 1, given.type);
  sent_->require_valid(1);
  received_.emplace(given.receive, static_cast<int>(received), given.type);
  received_->require_valid(1);
}

void VectorCall::take_gathering(std::size_t rank_count, std::size_t rank) {
  const VectorArguments& given = arguments_;
  if (given.function == VectorFunction::allgather) {
    received_.emplace(given.receive, given.count, given.type);
  } else {
    received_.emplace(given.receive, given.counts, given.displacements, given.type);
  }
  received_->require_valid(rank_count);
  vector_bytes_ = received_->total_bytes();
  if (arguments_.is_in_place()) {
    sent_.emplace(given.receive == nullptr ? nullptr : received_->first_element(rank),
                  given.function == VectorFunction::allgather ? given.count : given.counts[rank], given.type);
  } else {
    sent_.emplace(given.send, given.send_count, given.send_type);
  }
  sent_->require_valid(1);
  if (sent_->bytes(0) == received_->bytes(rank)) return;
  throw std::invalid_argument(fmt::format("the process sends {} bytes where all receive {}", sent_->bytes(0),
                                          received_->bytes(rank)));
}

bool VectorCall::fits_schedules(bool have_shared_nodes) const {
  const std::size_t channels = have_shared_nodes ? most_channels : 1;
  return is_schedulable_ &&
         (!arguments_.reduces() || unit_bytes_ * rank_count_ * channels <= most_bytes_of_elements);
}

Exactness VectorCall::exactness() const {
  return arguments_.reduces() ? exactness_of(arguments_.op, arguments_.type) : Exactness::exact;
}

std::vector<std::size_t> VectorCall::block_units() const {
  if (arguments_.function == VectorFunction::allreduce) return {static_cast<std::size_t>(arguments_.count)};
  std::vector<std::size_t> units(rank_count_);
  for (std::size_t owner = 0; owner < rank_count_; ++owner) {
    switch (arguments_.function) {
      case VectorFunction::allreduce:
        break;
      case VectorFunction::reduce_scatter_block:
        units[owner] = static_cast<std::size_t>(arguments_.count);
        break;
      case VectorFunction::reduce_scatter:
        units[owner] = static_cast<std::size_t>(arguments_.counts[owner]);
        break;
      case VectorFunction::allgather:
      case VectorFunction::allgatherv:
        units[owner] = received_->bytes(owner);
        break;
    }
  }
  return units;
}

}  // namespace cubefold::mpi
