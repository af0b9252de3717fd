#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/cubefold.h"
#include "mpi/vector_call.hpp"

namespace cubefold::mpi {

/// The forms in which the C interface reduces and gathers vectors.
enum class CallForm { blocking, started, persistent };
inline constexpr std::array all_call_forms{CallForm::blocking, CallForm::started, CallForm::persistent};

inline constexpr std::array all_vector_functions{
    VectorFunction::allreduce, VectorFunction::reduce_scatter_block, VectorFunction::reduce_scatter,
    VectorFunction::allgather, VectorFunction::allgatherv};

struct BlockingCalls {
  decltype(&cubefold_allreduce) Allreduce = cubefold_allreduce;
  decltype(&cubefold_reduce_scatter_block) Reduce_scatter_block = cubefold_reduce_scatter_block;
  decltype(&cubefold_reduce_scatter) Reduce_scatter = cubefold_reduce_scatter;
  decltype(&cubefold_allgather) Allgather = cubefold_allgather;
  decltype(&cubefold_allgatherv) Allgatherv = cubefold_allgatherv;
};

struct StartedCalls {
  decltype(&cubefold_iallreduce) Allreduce = cubefold_iallreduce;
  decltype(&cubefold_ireduce_scatter_block) Reduce_scatter_block = cubefold_ireduce_scatter_block;
  decltype(&cubefold_ireduce_scatter) Reduce_scatter = cubefold_ireduce_scatter;
  decltype(&cubefold_iallgather) Allgather = cubefold_iallgather;
  decltype(&cubefold_iallgatherv) Allgatherv = cubefold_iallgatherv;
};

struct PersistentCalls {
  decltype(&cubefold_allreduce_init) Allreduce = cubefold_allreduce_init;
  decltype(&cubefold_reduce_scatter_block_init) Reduce_scatter_block = cubefold_reduce_scatter_block_init;
  decltype(&cubefold_reduce_scatter_init) Reduce_scatter = cubefold_reduce_scatter_init;
  decltype(&cubefold_allgather_init) Allgather = cubefold_allgather_init;
  decltype(&cubefold_allgatherv_init) Allgatherv = cubefold_allgatherv_init;
};

/// Performs a call by cubefold in one of the forms. Returns the first error code that is not CUBEFOLD_SUCCESS.
inline int perform(const VectorArguments& arguments, cubefold_comm comm, CallForm form) {
  if (form == CallForm::blocking) return arguments.pass_to(BlockingCalls(), comm);
  cubefold_request request = nullptr;
  const int made = form == CallForm::started ? arguments.pass_to(StartedCalls(), comm, &request)
                                             : arguments.pass_to(PersistentCalls(), comm, &request);
  if (made != CUBEFOLD_SUCCESS) return made;
  if (form == CallForm::started) return cubefold_wait(&request);
  // A call in place would reduce its own result again.
  for (int starts = arguments.is_in_place() ? 1 : 2; starts > 0; --starts) {
    if (const int code = cubefold_alltoall_start(request); code != CUBEFOLD_SUCCESS) return code;
    if (const int code = cubefold_wait(&request); code != CUBEFOLD_SUCCESS) return code;
  }
  return cubefold_alltoall_free(&request);
}

/// The buffers and arguments of a call on one of several ranks, with `count` elements for each rank or in the vector.
/// Where counts may differ, rank r has count + r % 3 elements, or none for r % 4 == 3, and gathered blocks have gaps.
class VectorBuffers {
 public:
  /// `extent_bytes` are those of an element of the type.
  VectorBuffers(VectorFunction function, int count, MPI_Datatype type, std::size_t extent_bytes, MPI_Op op,
                int size, int rank)
      : function_(function), count_(count), type_(type), op_(op), rank_(rank), extent_(extent_bytes) {
    int next = 0;
    for (int r = 0; r < size; ++r) {
      const bool differs =
          function == VectorFunction::reduce_scatter || function == VectorFunction::allgatherv;
      counts_.push_back(!differs ? count : r % 4 == 3 ? 0 : count + r % 3);
      displacements_.push_back(next);
      next += counts_.back() + (function == VectorFunction::allgatherv ? 1 : 0);
    }
    const auto whole = static_cast<std::size_t>(function == VectorFunction::allreduce ? count : next);
    const auto own = static_cast<std::size_t>(counts_[static_cast<std::size_t>(rank)]);
    const bool gathers = function == VectorFunction::allgather || function == VectorFunction::allgatherv;
    send_.resize((gathers ? own : whole) * extent_);
    receive_.resize((gathers || function == VectorFunction::allreduce ? whole : own) * extent_);
  }

  std::vector<std::byte>& send() { return send_; }
  std::vector<std::byte>& receive() { return receive_; }

  /// Returns the arguments of a call from send() to receive().
  VectorArguments arguments() { return with(send_.data(), receive_); }

  /// Returns the arguments of a call in place in receive(), into which it copies send().
  VectorArguments in_place() {
    const bool gathers = function_ == VectorFunction::allgather || function_ == VectorFunction::allgatherv;
    if (receive_.size() < send_.size()) receive_.resize(send_.size());
    const std::size_t own = function_ == VectorFunction::allgather
                                ? static_cast<std::size_t>(rank_ * count_)
                                : static_cast<std::size_t>(displacements_[static_cast<std::size_t>(rank_)]);
    std::copy(send_.begin(), send_.end(),
              receive_.begin() + static_cast<std::ptrdiff_t>(gathers ? own * extent_ : 0));
    return with(MPI_IN_PLACE, receive_);
  }

 private:
  VectorArguments with(const void* send, std::vector<std::byte>& receive) {
    const int own = counts_[static_cast<std::size_t>(rank_)];
    switch (function_) {
      case VectorFunction::allreduce:
        return VectorArguments::allreduce(send, receive.data(), count_, type_, op_);
      case VectorFunction::reduce_scatter_block:
        return VectorArguments::reduce_scatter_block(send, receive.data(), count_, type_, op_);
      case VectorFunction::reduce_scatter:
        return VectorArguments::reduce_scatter(send, receive.data(), counts_, type_, op_);
      case VectorFunction::allgather:
        return VectorArguments::allgather(send, count_, type_, receive.data(), count_, type_);
      case VectorFunction::allgatherv:
        break;
    }
    return VectorArguments::allgatherv(send, own, type_, receive.data(), counts_, displacements_, type_);
  }

  VectorFunction function_;
  int count_;
  MPI_Datatype type_;
  MPI_Op op_;
  int rank_;
  std::size_t extent_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<std::byte> send_;
  std::vector<std::byte> receive_;
};

}  // namespace cubefold::mpi
