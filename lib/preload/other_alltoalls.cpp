// All-to-alls that this library never replaces. It counts them, so that the line at MPI_Finalize does not leave out
// calls in which a program may spend its time.

#include <mpi.h>

#include "interception.hpp"
#include "next_function.hpp"
#include "next_mpi.hpp"

namespace cubefold::preload {

namespace {

/// A function that is counted and passed on.
template <typename... Arguments>
class Counted {
 public:
  using Function = int (*)(Arguments...);

  Counted(Function like, const char* name, const char* profiling_name)
      : calls_{{name}},
        next_(next_function(like, name)),
        next_of_profiling_(next_function(like, profiling_name)) {
    add_never_replaced(calls_);
  }

  int pass_on(Name name, Arguments... arguments) {
    if (may_replace()) ++calls_.count.passed_on;
    const Function next = name == Name::mpi && !InsideLibrary::is_active() ? next_ : next_of_profiling_;
    const InsideLibrary inside;
    return next(arguments...);
  }

 private:
  NeverReplaced calls_;
  Function next_;
  Function next_of_profiling_;
};

}  // namespace

}  // namespace cubefold::preload

#define CUBEFOLD_COUNTED(function, parameters, arguments)                                             \
  static auto& counted_##function() {                                                                 \
    static cubefold::preload::Counted counted(&PMPI_##function, "MPI_" #function, "PMPI_" #function); \
    return counted;                                                                                   \
  }                                                                                                   \
  CUBEFOLD_REPLACE(function, parameters, counted_##function().pass_on(name, CUBEFOLD_UNWRAPPED arguments))
#define CUBEFOLD_UNWRAPPED(...) __VA_ARGS__

// clang-format off
using Bytes = const void*;
using Type = MPI_Datatype;
using Types = const MPI_Datatype*;
using Comm = MPI_Comm;

// A function with blocks of one size, of unequal sizes, or of unequal sizes and types, and its non-blocking form.
// Counts are of the type Count, and displacements of the type Place.
#define CUBEFOLD_COUNTED_EQUAL(name, non_blocking, Count)                                            \
  CUBEFOLD_COUNTED(name, (Bytes sent, Count sent_n, Type sent_type, void* data, Count n, Type type, Comm comm), \
                   (sent, sent_n, sent_type, data, n, type, comm))                                   \
  CUBEFOLD_COUNTED(non_blocking, (Bytes sent, Count sent_n, Type sent_type, void* data, Count n, Type type, \
                                  Comm comm, MPI_Request* request),                                  \
                   (sent, sent_n, sent_type, data, n, type, comm, request))
#define CUBEFOLD_COUNTED_GATHER(name, non_blocking, Count, Place)                                    \
  CUBEFOLD_COUNTED(name, (Bytes sent, Count sent_n, Type sent_type, void* data, const Count* n, const Place* at, \
                          Type type, Comm comm), (sent, sent_n, sent_type, data, n, at, type, comm)) \
  CUBEFOLD_COUNTED(non_blocking, (Bytes sent, Count sent_n, Type sent_type, void* data, const Count* n, \
                                  const Place* at, Type type, Comm comm, MPI_Request* request),      \
                   (sent, sent_n, sent_type, data, n, at, type, comm, request))
#define CUBEFOLD_COUNTED_UNEQUAL(name, non_blocking, Count, Place, Type)                             \
  CUBEFOLD_COUNTED(name, (Bytes sent, const Count* sent_n, const Place* sent_at, Type sent_type, void* data, \
                          const Count* n, const Place* at, Type type, Comm comm),                    \
                   (sent, sent_n, sent_at, sent_type, data, n, at, type, comm))                      \
  CUBEFOLD_COUNTED(non_blocking, (Bytes sent, const Count* sent_n, const Place* sent_at, Type sent_type, void* data, \
                                  const Count* n, const Place* at, Type type, Comm comm, MPI_Request* request), \
                   (sent, sent_n, sent_at, sent_type, data, n, at, type, comm, request))

CUBEFOLD_COUNTED_UNEQUAL(Alltoallw, Ialltoallw, int, int, Types)
CUBEFOLD_COUNTED_EQUAL(Neighbor_allgather, Ineighbor_allgather, int)
CUBEFOLD_COUNTED_GATHER(Neighbor_allgatherv, Ineighbor_allgatherv, int, int)
CUBEFOLD_COUNTED_EQUAL(Neighbor_alltoall, Ineighbor_alltoall, int)
CUBEFOLD_COUNTED_UNEQUAL(Neighbor_alltoallv, Ineighbor_alltoallv, int, int, Type)
CUBEFOLD_COUNTED_UNEQUAL(Neighbor_alltoallw, Ineighbor_alltoallw, int, MPI_Aint, Types)
#if MPI_VERSION >= 4
CUBEFOLD_COUNTED_EQUAL(Alltoall_c, Ialltoall_c, MPI_Count)
CUBEFOLD_COUNTED_UNEQUAL(Alltoallv_c, Ialltoallv_c, MPI_Count, MPI_Aint, Type)
CUBEFOLD_COUNTED_UNEQUAL(Alltoallw_c, Ialltoallw_c, MPI_Count, MPI_Aint, Types)
CUBEFOLD_COUNTED_EQUAL(Neighbor_allgather_c, Ineighbor_allgather_c, MPI_Count)
CUBEFOLD_COUNTED_GATHER(Neighbor_allgatherv_c, Ineighbor_allgatherv_c, MPI_Count, MPI_Aint)
CUBEFOLD_COUNTED_EQUAL(Neighbor_alltoall_c, Ineighbor_alltoall_c, MPI_Count)
CUBEFOLD_COUNTED_UNEQUAL(Neighbor_alltoallv_c, Ineighbor_alltoallv_c, MPI_Count, MPI_Aint, Type)
CUBEFOLD_COUNTED_UNEQUAL(Neighbor_alltoallw_c, Ineighbor_alltoallw_c, MPI_Count, MPI_Aint, Types)
#endif
// clang-format on
