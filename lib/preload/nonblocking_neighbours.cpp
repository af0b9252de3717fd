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

/// MPI's non-blocking functions, or its persistent ones, for NeighbourCall::pass_to().
template <typename Alltoall, typename Alltoallv, typename Alltoallw, typename Allgather, typename Allgatherv>
struct NeighbourFunctions {
  Alltoall Neighbor_alltoall;
  Alltoallv Neighbor_alltoallv;
  Alltoallw Neighbor_alltoallw;
  Allgather Neighbor_allgather;
  Allgatherv Neighbor_allgatherv;
};

// clang 14 does not deduce the arguments of aggregates.
template <typename Alltoall, typename Alltoallv, typename Alltoallw, typename Allgather, typename Allgatherv>
NeighbourFunctions(Alltoall, Alltoallv, Alltoallw, Allgather, Allgatherv)
    -> NeighbourFunctions<Alltoall, Alltoallv, Alltoallw, Allgather, Allgatherv>;

template <typename Make>
int start_neighbours(const ThreadCall& call, Make make, Name name) {
  return neighbours_to_thread(call, make, start_exchange, [&] {
    return pass_on(name, [&](const NextMpi& next) {
      const NeighbourFunctions functions{next.Ineighbor_alltoall, next.Ineighbor_alltoallv,
                                         next.Ineighbor_alltoallw, next.Ineighbor_allgather,
                                         next.Ineighbor_allgatherv};
      return make(0, 0).pass_to(functions, call.comm, call.request);
    });
  });
}

#define CUBEFOLD_NEXT_INIT(function)                                             \
  next_persistent(&PMPI_Neighbor_##function, "PMPI_Neighbor_" #function "_init", \
                  "PMPIX_Neighbor_" #function "_init")

template <typename Make>
int make_persistent_neighbours(const ThreadCall& call, MPI_Info info, Make make) {
  return neighbours_to_thread(call, make, make_persistent_exchange, [&] {
    static const NeighbourFunctions functions{CUBEFOLD_NEXT_INIT(alltoall), CUBEFOLD_NEXT_INIT(alltoallv),
                                              CUBEFOLD_NEXT_INIT(alltoallw), CUBEFOLD_NEXT_INIT(allgather),
                                              CUBEFOLD_NEXT_INIT(allgatherv)};
    return make(0, 0).pass_to(functions, call.comm, info, call.request);
  });
}

}  // namespace

}  // namespace cubefold::preload

#define CUBEFOLD_REPLACE_NEIGHBOUR_REQUESTS(kind)                                                        \
  CUBEFOLD_REPLACE(                                                                                      \
      Ineighbor_##kind, (CUBEFOLD_NEIGHBOUR_PARAMETERS_##kind, MPI_Comm comm, MPI_Request * request),    \
      cubefold::preload::start_neighbours({comm, request, cubefold::preload::report().Ineighbor_##kind}, \
                                          CUBEFOLD_NEIGHBOUR_CALL(kind), name))                          \
  CUBEFOLD_REPLACE_PERSISTENT(                                                                           \
      Neighbor_##kind##_init,                                                                            \
      (CUBEFOLD_NEIGHBOUR_PARAMETERS_##kind, MPI_Comm comm, MPI_Info info, MPI_Request * request),       \
      cubefold::preload::make_persistent_neighbours(                                                     \
          {comm, request, cubefold::preload::report().Neighbor_##kind##_init}, info,                     \
          CUBEFOLD_NEIGHBOUR_CALL(kind)))

CUBEFOLD_REPLACE_NEIGHBOUR_REQUESTS(alltoall)
CUBEFOLD_REPLACE_NEIGHBOUR_REQUESTS(alltoallv)
CUBEFOLD_REPLACE_NEIGHBOUR_REQUESTS(alltoallw)
CUBEFOLD_REPLACE_NEIGHBOUR_REQUESTS(allgather)
CUBEFOLD_REPLACE_NEIGHBOUR_REQUESTS(allgatherv)
