#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "blocks.hpp"
#include "collective/reduction.hpp"
#include "cubefold/export.h"
#include "plan/vector_choice.hpp"

namespace cubefold::mpi {

/// The functions of MPI that reduce or gather a vector.
enum class VectorFunction : std::uint8_t {
  allreduce,
  reduce_scatter_block,
  reduce_scatter,
  allgather,
  allgatherv
};

/// The arguments of such a function, with the names of MPI's manual. Those that a function does not have keep their
/// defaults. They borrow the caller's memory, arrays, datatypes and operation.
struct VectorArguments {
  VectorFunction function;
  const void* send;
  void* receive;
  int send_count = 0;                          ///< allgather and allgatherv
  MPI_Datatype send_type = MPI_DATATYPE_NULL;  ///< allgather and allgatherv
  int count = 0;                               ///< allreduce, reduce_scatter_block and allgather
  std::span<const int> counts = {};            ///< reduce_scatter and allgatherv
  std::span<const int> displacements = {};     ///< allgatherv
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;  ///< not allgather and allgatherv

  static VectorArguments allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op) {
    return {.function = VectorFunction::allreduce,
            .send = send,
            .receive = receive,
            .count = count,
            .type = type,
            .op = op};
  }
  static VectorArguments reduce_scatter_block(const void* send, void* receive, int count, MPI_Datatype type,
                                              MPI_Op op) {
    return {.function = VectorFunction::reduce_scatter_block,
            .send = send,
            .receive = receive,
            .count = count,
            .type = type,
            .op = op};
  }
  static VectorArguments reduce_scatter(const void* send, void* receive, std::span<const int> counts,
                                        MPI_Datatype type, MPI_Op op) {
    return {.function = VectorFunction::reduce_scatter,
            .send = send,
            .receive = receive,
            .counts = counts,
            .type = type,
            .op = op};
  }
  static VectorArguments allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int count, MPI_Datatype type) {
    return {.function = VectorFunction::allgather,
            .send = send,
            .receive = receive,
            .send_count = send_count,
            .send_type = send_type,
            .count = count,
            .type = type};
  }
  static VectorArguments allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                    std::span<const int> counts, std::span<const int> displacements,
                                    MPI_Datatype type) {
    return {.function = VectorFunction::allgatherv,
            .send = send,
            .receive = receive,
            .send_count = send_count,
            .send_type = send_type,
            .counts = counts,
            .displacements = displacements,
            .type = type};
  }

  VectorCollective collective() const {
    if (function == VectorFunction::allreduce) return VectorCollective::allreduce;
    const bool gathers = function == VectorFunction::allgather || function == VectorFunction::allgatherv;
    return gathers ? VectorCollective::allgather : VectorCollective::reduce_scatter;
  }
  bool reduces() const { return collective() != VectorCollective::allgather; }
  bool is_in_place() const { return send == MPI_IN_PLACE; }

  /// Calls the function of MPI among the members of `functions`, which have the names of MPI's functions, with these
  /// arguments and then `others`. Returns what it returns.
  template <typename Functions, typename... Others>
  int pass_to(const Functions& functions, Others... others) const {
    switch (function) {
      case VectorFunction::allreduce:
        return functions.Allreduce(send, receive, count, type, op, others...);
      case VectorFunction::reduce_scatter_block:
        return functions.Reduce_scatter_block(send, receive, count, type, op, others...);
      case VectorFunction::reduce_scatter:
        return functions.Reduce_scatter(send, receive, counts.data(), type, op, others...);
      case VectorFunction::allgather:
        return functions.Allgather(send, send_count, send_type, receive, count, type, others...);
      case VectorFunction::allgatherv:
        break;
    }
    return functions.Allgatherv(send, send_count, send_type, receive, counts.data(), displacements.data(),
                                type, others...);
  }
};

/// MPI's blocking functions, for VectorArguments::pass_to().
struct FunctionsOfMpi {
  decltype(&MPI_Allreduce) Allreduce = MPI_Allreduce;
  decltype(&MPI_Reduce_scatter_block) Reduce_scatter_block = MPI_Reduce_scatter_block;
  decltype(&MPI_Reduce_scatter) Reduce_scatter = MPI_Reduce_scatter;
  decltype(&MPI_Allgather) Allgather = MPI_Allgather;
  decltype(&MPI_Allgatherv) Allgatherv = MPI_Allgatherv;
};

/// MPI's non-blocking functions by the names of the blocking ones.
struct NonBlockingFunctionsOfMpi {
  decltype(&MPI_Iallreduce) Allreduce = MPI_Iallreduce;
  decltype(&MPI_Ireduce_scatter_block) Reduce_scatter_block = MPI_Ireduce_scatter_block;
  decltype(&MPI_Ireduce_scatter) Reduce_scatter = MPI_Ireduce_scatter;
  decltype(&MPI_Iallgather) Allgather = MPI_Iallgather;
  decltype(&MPI_Iallgatherv) Allgatherv = MPI_Iallgatherv;
};

/// Returns the name of MPI's function, such as `MPI_Allreduce`, or `MPI_Iallreduce` of the non-blocking one.
CUBEFOLD_API const char* name_of_mpi(VectorFunction function, bool is_blocking = true);

/// Returns how exact an operation on elements of a datatype is. MPI's own are exact if they are minima, maxima, or
/// operations on integers, truth values or bits, and rounded otherwise. Those of programs are unknown, or ordered if
/// they do not commute.
CUBEFOLD_API Exactness exactness_of(MPI_Op op, MPI_Datatype type);

/// The method of the steps that perform such calls, and the number of chunks of Collective::chunk_count().
struct VectorSteps {
  VectorMethod method;
  std::size_t chunk_count;
};

/// A valid call of a function that reduces or gathers a vector, on one process. It borrows what the arguments borrow.
class CUBEFOLD_API VectorCall {
 public:
  /// Throws std::invalid_argument for a negative count, a null type, operation or array, a null buffer that is needed,
  /// an operation that is not one of MPI's for the datatype, and a block of another size than its receiver expects.
  /// Does not communicate. Costs O(p) if there are arrays.
  VectorCall(const VectorArguments& arguments, std::size_t rank_count, std::size_t rank);

  const VectorArguments& arguments() const { return arguments_; }
  VectorCollective collective() const { return arguments_.collective(); }

  /// Returns the bytes of the whole vector: all that is gathered, or what each process contributes.
  std::size_t vector_bytes() const { return vector_bytes_; }

  /// Returns whether schedules of cubefold may perform the call: elements have no gaps, those of a message fit into its
  /// pieces, and MPI counts the elements of the vector by an int. A message has chunks of one channel, or of up to
  /// most_channels if ranks share nodes. All processes get the same answer.
  bool fits_schedules(bool have_shared_nodes) const;

  /// Returns that of the operation, or Exactness::exact if there is none.
  Exactness exactness() const;

  /// Returns the bytes of the units between which the vector is divided: elements if they are reduced, or else bytes.
  std::size_t unit_bytes() const { return unit_bytes_; }

  /// Returns the units of the blocks of chunk_counts(): that of the whole vector, or of each owner.
  std::vector<std::size_t> block_units() const;

  /// Returns the blocks that this process contributes and receives: one of each, and p received ones if they are
  /// gathered. Require that schedules fit.
  const Blocks& sent() const { return *sent_; }
  const Blocks& received() const { return *received_; }

  /// Returns whether what is sent has to be copied first, because messages arrive in the same memory.
  bool is_copied() const { return arguments_.is_in_place() && arguments_.reduces(); }

 private:
  void take_reduction(std::size_t rank_count, std::size_t rank);
  void take_gathering(std::size_t rank_count, std::size_t rank);

  VectorArguments arguments_;
  std::size_t rank_count_;
  std::size_t vector_bytes_ = 0;
  std::size_t unit_bytes_ = 1;
  bool is_schedulable_ = true;  ///< unless elements are too long
  std::optional<Blocks> sent_;
  std::optional<Blocks> received_;
};

}  // namespace cubefold::mpi
