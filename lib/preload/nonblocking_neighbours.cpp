// The non-blocking and the persistent functions for neighbours, which threads make as the blocking ones.

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "exchange_requests.hpp"
#include "interception.hpp"
#include "mpi/neighbours.hpp"
#include "neighbours.hpp"
#include "next_function.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "thread_calls.hpp"

namespace cubefold::preload {

namespace {

using mpi::NeighbourCall;

/// A call that is under way when the program's call has returned.
class KeptNeighbourCall {
 public:
  explicit KeptNeighbourCall(const NeighbourCall& call)
      : call_(call.function(), memory_.keep(call.sent()), memory_.keep(call.received())) {}

  const NeighbourCall& get() const { return call_; }

 private:
  KeptBlocks memory_;
  NeighbourCall call_;
};

/// Returns whether the thread of a communicator makes calls with neighbours. All its processes know this alike.
bool has_thread_for_neighbours(MPI_Comm comm) {
  const ProgressThread* thread = progress_thread_of(comm);
  return thread != nullptr && thread->serves_neighbours();
}

/// Lets a thread make the call that make() returns for a number of destinations and of sources, or passes it on.
template <typename Make, typename HandOver, typename Next>
int neighbours_to_thread(const ThreadCall& call, Make make, HandOver hand_over, Next next) {
  const auto exchange = [&]() -> BlockingExchange {
    if (!has_thread_for_neighbours(call.comm)) return {};
    const auto lists = mpi::neighbours_of(call.comm);
    NeighbourCall made = make(lists->destinations.size(), lists->sources.size());
    if (!is_valid(made, lists->destinations.size(), lists->sources.size())) return {};
    const auto kept = std::make_shared<const KeptNeighbourCall>(made);
    return [kept, &count = call.count](MPI_Comm own) {
      return exchange_with_neighbours(kept->get(), own, Name::pmpi, count);
    };
  };
  return to_thread(call, exchange, hand_over, next);
}

template <typename Make>
int start_neighbours(const ThreadCall& call, Make make, Name name) {
  return neighbours_to_thread(call, make, start_exchange, [&] {
    return pass_on(name, [&](const NextMpi& mpi) {
      const NeighbourCall made = make(0, 0);
#if MPI_VERSION >= 4
      if (made.have_large_counts()) {
        return made.pass_to<MPI_Count, MPI_Aint>(CUBEFOLD_NEIGHBOUR_FUNCTIONS(mpi.Ineighbor_, _c), call.comm,
                                                 call.request);
      }
#endif
      return made.pass_to(CUBEFOLD_NEIGHBOUR_FUNCTIONS(mpi.Ineighbor_, ), call.comm, call.request);
    });
  });
}

#define CUBEFOLD_NEXT_INIT(function)                                             \
  next_persistent(&PMPI_Neighbor_##function, "PMPI_Neighbor_" #function "_init", \
                  "PMPIX_Neighbor_" #function "_init")

template <typename Make>
int make_persistent_neighbours(const ThreadCall& call, MPI_Info info, Make make) {
  return neighbours_to_thread(call, make, make_persistent_exchange, [&] {
    static const mpi::NeighbourFunctions functions{
        CUBEFOLD_NEXT_INIT(alltoall), CUBEFOLD_NEXT_INIT(alltoallv), CUBEFOLD_NEXT_INIT(alltoallw),
        CUBEFOLD_NEXT_INIT(allgather), CUBEFOLD_NEXT_INIT(allgatherv)};
    return make(0, 0).pass_to(functions, call.comm, info, call.request);
  });
}

#if MPI_VERSION >= 4
#define CUBEFOLD_NEXT_LARGE_INIT(function) \
  next_function(&PMPI_Neighbor_##function##_init_c, "PMPI_Neighbor_" #function "_init_c")

template <typename Make>
int make_large_persistent_neighbours(const ThreadCall& call, MPI_Info info, Make make) {
  return neighbours_to_thread(call, make, make_persistent_exchange, [&] {
    static const mpi::NeighbourFunctions functions{
        CUBEFOLD_NEXT_LARGE_INIT(alltoall), CUBEFOLD_NEXT_LARGE_INIT(alltoallv),
        CUBEFOLD_NEXT_LARGE_INIT(alltoallw), CUBEFOLD_NEXT_LARGE_INIT(allgather),
        CUBEFOLD_NEXT_LARGE_INIT(allgatherv)};
    return make(0, 0).template pass_to<MPI_Count, MPI_Aint>(functions, call.comm, info, call.request);
  });
}
#endif

}  // namespace

}  // namespace cubefold::preload

#define CUBEFOLD_START_NEIGHBOURS(kind, suffix, Count, Place)                                     \
  CUBEFOLD_REPLACE(                                                                               \
      Ineighbor_##kind##suffix,                                                                   \
      (CUBEFOLD_NEIGHBOUR_PARAMETERS_##kind(Count, Place), MPI_Comm comm, MPI_Request * request), \
      cubefold::preload::start_neighbours(                                                        \
          {comm, request, cubefold::preload::report().Ineighbor_##kind##suffix},                  \
          CUBEFOLD_NEIGHBOUR_CALL(kind), name))

#define CUBEFOLD_MAKE_PERSISTENT_NEIGHBOURS(kind, suffix, Count, Place)                                      \
  CUBEFOLD_REPLACE_PERSISTENT(Neighbor_##kind##_init,                                                        \
                              (CUBEFOLD_NEIGHBOUR_PARAMETERS_##kind(Count, Place), MPI_Comm comm,            \
                               MPI_Info info, MPI_Request * request),                                        \
                              cubefold::preload::make_persistent_neighbours(                                 \
                                  {comm, request, cubefold::preload::report().Neighbor_##kind##_init}, info, \
                                  CUBEFOLD_NEIGHBOUR_CALL(kind)))

// MPI's function is called by its name PMPI_* in both cases, so the name makes no difference.
#define CUBEFOLD_MAKE_LARGE_PERSISTENT_NEIGHBOURS(kind, suffix, Count, Place)                             \
  CUBEFOLD_REPLACE(Neighbor_##kind##_init##suffix,                                                        \
                   (CUBEFOLD_NEIGHBOUR_PARAMETERS_##kind(Count, Place), MPI_Comm comm, MPI_Info info,     \
                    MPI_Request * request),                                                               \
                   cubefold::preload::make_large_persistent_neighbours(                                   \
                       {comm, request, cubefold::preload::report().Neighbor_##kind##_init##suffix}, info, \
                       CUBEFOLD_NEIGHBOUR_CALL(kind)))

CUBEFOLD_FOR_NEIGHBOURS(CUBEFOLD_START_NEIGHBOURS, , int, int)
CUBEFOLD_FOR_NEIGHBOURS(CUBEFOLD_MAKE_PERSISTENT_NEIGHBOURS, , int, int)
#if MPI_VERSION >= 4
CUBEFOLD_FOR_NEIGHBOURS(CUBEFOLD_START_NEIGHBOURS, _c, MPI_Count, MPI_Aint)
CUBEFOLD_FOR_NEIGHBOURS(CUBEFOLD_MAKE_LARGE_PERSISTENT_NEIGHBOURS, _c, MPI_Count, MPI_Aint)
#endif
