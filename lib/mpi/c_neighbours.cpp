#include <span>

#include "c_requests.hpp"
#include "device_memory.hpp"
#include "neighbour_plans.hpp"

using namespace cubefold::mpi;  // NOLINT(google-build-using-namespace): all of this file is about it

namespace {

/// The arguments of one side of a call, before the number of neighbours is known.
struct Side {
  const void* memory;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const int* counts = nullptr;
  const int* displacements = nullptr;
  const MPI_Aint* far_displacements = nullptr;
  const MPI_Datatype* types = nullptr;
  BlockForm form = BlockForm::equal;

  Blocks blocks(std::size_t neighbour_count) const {
    const auto all = [&](const auto* array) { return std::span(array, neighbour_count); };
    switch (form) {
      case BlockForm::equal:
        return {memory, count, type};
      case BlockForm::unequal:
        return {memory, all(counts), all(displacements), type};
      case BlockForm::typed:
        break;
    }
    return {memory, all(counts), all(far_displacements), all(types)};
  }
};

Side equal(const void* memory, int count, MPI_Datatype type) {
  return {.memory = memory, .count = count, .type = type};
}

Side unequal(const void* memory, const int* counts, const int* displacements, MPI_Datatype type) {
  return {.memory = memory,
          .type = type,
          .counts = counts,
          .displacements = displacements,
          .form = BlockForm::unequal};
}

Side typed(const void* memory, const int* counts, const MPI_Aint* displacements, const MPI_Datatype* types) {
  return {.memory = memory,
          .counts = counts,
          .far_displacements = displacements,
          .types = types,
          .form = BlockForm::typed};
}

NeighbourCall call_on(const NeighbourPlans& neighbours, NeighbourFunction function, const Side& sent,
                      const Side& received) {
  return {function, sent.blocks(neighbours.destination_count()), received.blocks(neighbours.source_count())};
}

void run(cubefold_comm comm, NeighbourFunction function, const Side& sent, const Side& received) {
  exchange_on(comm, [&](PlanCache& plans) {
    NeighbourPlans& neighbours = neighbours_on(comm);
    agree_on_host_memory(plans.context(), {{sent.memory, "send"}, {received.memory, "receive"}});
    neighbours.run(call_on(neighbours, function, sent, received));
  });
}

void make(cubefold_comm comm, cubefold_request* request, bool is_persistent, NeighbourFunction function,
          const Side& sent, const Side& received) {
  make_request(comm, request, is_persistent,
               [&](PlanCache& /*plans*/, std::shared_ptr<Exchange>& /*exchange*/) {
                 NeighbourPlans& neighbours = neighbours_on(comm);
                 require_host_memory({{sent.memory, "send"}, {received.memory, "receive"}});
                 return neighbours.prepare(
                     call_on(neighbours, function, sent, received),
                     is_persistent ? NeighbourPlans::Agreement::on_sizes : NeighbourPlans::Agreement::none);
               });
}

}  // namespace

/// Defines the blocking, the non-blocking and the persistent form of a function. The last arguments are its two sides.
#define CUBEFOLD_NEIGHBOURS(name, ...)                                                                    \
  int cubefold_neighbor_##name(CUBEFOLD_PARAMETERS_OF_##name, cubefold_comm comm) {                       \
    return guarded("cubefold_neighbor_" #name, [&] { run(comm, NeighbourFunction::name, __VA_ARGS__); }); \
  }                                                                                                       \
  int cubefold_ineighbor_##name(CUBEFOLD_PARAMETERS_OF_##name, cubefold_comm comm,                        \
                                cubefold_request* request) {                                              \
    return guarded("cubefold_ineighbor_" #name,                                                           \
                   [&] { make(comm, request, false, NeighbourFunction::name, __VA_ARGS__); });            \
  }                                                                                                       \
  int cubefold_neighbor_##name##_init(CUBEFOLD_PARAMETERS_OF_##name, cubefold_comm comm,                  \
                                      cubefold_request* request) {                                        \
    return guarded("cubefold_neighbor_" #name "_init",                                                    \
                   [&] { make(comm, request, true, NeighbourFunction::name, __VA_ARGS__); });             \
  }

#define CUBEFOLD_PARAMETERS_OF_alltoall                                                       \
  const void *send, int send_count, MPI_Datatype send_type, void *receive, int receive_count, \
      MPI_Datatype receive_type
#define CUBEFOLD_PARAMETERS_OF_alltoallv                                                           \
  const void *send, const int *send_counts, const int *send_displacements, MPI_Datatype send_type, \
      void *receive, const int *receive_counts, const int *receive_displacements, MPI_Datatype receive_type
#define CUBEFOLD_PARAMETERS_OF_alltoallw                                        \
  const void *send, const int *send_counts, const MPI_Aint *send_displacements, \
      const MPI_Datatype *send_types, void *receive, const int *receive_counts, \
      const MPI_Aint *receive_displacements, const MPI_Datatype *receive_types
#define CUBEFOLD_PARAMETERS_OF_allgather CUBEFOLD_PARAMETERS_OF_alltoall
#define CUBEFOLD_PARAMETERS_OF_allgatherv                                                             \
  const void *send, int send_count, MPI_Datatype send_type, void *receive, const int *receive_counts, \
      const int *receive_displacements, MPI_Datatype receive_type

CUBEFOLD_NEIGHBOURS(alltoall, equal(send, send_count, send_type), equal(receive, receive_count, receive_type))
CUBEFOLD_NEIGHBOURS(alltoallv, unequal(send, send_counts, send_displacements, send_type),
                    unequal(receive, receive_counts, receive_displacements, receive_type))
CUBEFOLD_NEIGHBOURS(alltoallw, typed(send, send_counts, send_displacements, send_types),
                    typed(receive, receive_counts, receive_displacements, receive_types))
CUBEFOLD_NEIGHBOURS(allgather, equal(send, send_count, send_type),
                    equal(receive, receive_count, receive_type))
CUBEFOLD_NEIGHBOURS(allgatherv, equal(send, send_count, send_type),
                    unequal(receive, receive_counts, receive_displacements, receive_type))
