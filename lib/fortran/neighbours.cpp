// This file has the C side of the exchanges with neighbours in cubefold.f90.
#include <cstddef>
#include <vector>

#include "fortran/arguments.hpp"
#include "mpi/neighbours.hpp"

using cubefold::fortran::run_exchange;

namespace {

/// The datatypes of the blocks of all neighbours on one side, as C takes them.
class TypesOfNeighbours {
 public:
  /// Requires a handle that C does not refuse, or has none.
  TypesOfNeighbours(const MPI_Fint* types, cubefold_comm comm, bool are_sent) {
    if (comm == nullptr || comm->graph.get() == MPI_COMM_NULL) return;
    const auto lists = cubefold::mpi::neighbours_of(comm->graph.get());
    const std::size_t count = are_sent ? lists->destinations.size() : lists->sources.size();
    for (std::size_t i = 0; i < count; ++i) types_.push_back(MPI_Type_f2c(types[i]));
  }
  const MPI_Datatype* data() const { return types_.data(); }

 private:
  std::vector<MPI_Datatype> types_;
};

}  // namespace

/// Defines the blocking, the non-blocking and the persistent form of a function. The last arguments are those of C.
#define CUBEFOLD_F_NEIGHBOURS(name, ...)                                                                    \
  extern "C" CUBEFOLD_API void cubefold_f_neighbor_##name(CUBEFOLD_F_PARAMETERS_OF_##name,                  \
                                                          const cubefold_comm* comm, int* ierror) {         \
    run_exchange("cubefold_neighbor_" #name, ierror, *comm, {{send, "send"}, {receive, "receive"}},         \
                 [&] { return cubefold_neighbor_##name(__VA_ARGS__, *comm); });                             \
  }                                                                                                         \
  extern "C" CUBEFOLD_API void cubefold_f_ineighbor_##name(                                                 \
      CUBEFOLD_F_PARAMETERS_OF_##name, const cubefold_comm* comm, cubefold_request* request, int* ierror) { \
    *request = nullptr;                                                                                     \
    run_exchange("cubefold_ineighbor_" #name, ierror, *comm, {{send, "send"}, {receive, "receive"}},        \
                 [&] { return cubefold_ineighbor_##name(__VA_ARGS__, *comm, request); });                   \
  }                                                                                                         \
  extern "C" CUBEFOLD_API void cubefold_f_neighbor_##name##_init(                                           \
      CUBEFOLD_F_PARAMETERS_OF_##name, const cubefold_comm* comm, cubefold_request* request, int* ierror) { \
    *request = nullptr;                                                                                     \
    run_exchange("cubefold_neighbor_" #name "_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, \
                 [&] { return cubefold_neighbor_##name##_init(__VA_ARGS__, *comm, request); });             \
  }

#define CUBEFOLD_F_PARAMETERS_OF_alltoall                                                         \
  const CFI_cdesc_t *send, int send_count, const MPI_Fint *send_type, const CFI_cdesc_t *receive, \
      int receive_count, const MPI_Fint *receive_type
#define CUBEFOLD_F_PARAMETERS_OF_alltoallv                                                                   \
  const CFI_cdesc_t *send, const int *send_counts, const int *send_displacements, const MPI_Fint *send_type, \
      const CFI_cdesc_t *receive, const int *receive_counts, const int *receive_displacements,               \
      const MPI_Fint *receive_type
#define CUBEFOLD_F_PARAMETERS_OF_alltoallw                                               \
  const CFI_cdesc_t *send, const int *send_counts, const MPI_Aint *send_displacements,   \
      const MPI_Fint *send_types, const CFI_cdesc_t *receive, const int *receive_counts, \
      const MPI_Aint *receive_displacements, const MPI_Fint *receive_types
#define CUBEFOLD_F_PARAMETERS_OF_allgather CUBEFOLD_F_PARAMETERS_OF_alltoall
#define CUBEFOLD_F_PARAMETERS_OF_allgatherv                                                       \
  const CFI_cdesc_t *send, int send_count, const MPI_Fint *send_type, const CFI_cdesc_t *receive, \
      const int *receive_counts, const int *receive_displacements, const MPI_Fint *receive_type

CUBEFOLD_F_NEIGHBOURS(alltoall, send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                      receive_count, MPI_Type_f2c(*receive_type))
CUBEFOLD_F_NEIGHBOURS(alltoallv, send->base_addr, send_counts, send_displacements, MPI_Type_f2c(*send_type),
                      receive->base_addr, receive_counts, receive_displacements, MPI_Type_f2c(*receive_type))
CUBEFOLD_F_NEIGHBOURS(alltoallw, send->base_addr, send_counts, send_displacements,
                      TypesOfNeighbours(send_types, *comm, true).data(), receive->base_addr, receive_counts,
                      receive_displacements, TypesOfNeighbours(receive_types, *comm, false).data())
CUBEFOLD_F_NEIGHBOURS(allgather, send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                      receive_count, MPI_Type_f2c(*receive_type))
CUBEFOLD_F_NEIGHBOURS(allgatherv, send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                      receive_counts, receive_displacements, MPI_Type_f2c(*receive_type))
