#include <mpi.h>

#include <array>
#include <cstddef>
#include <memory>

#include "alltoall.hpp"
#include "alltoall_arguments.hpp"
#include "exchange_requests.hpp"
#include "interception.hpp"
#include "mpi/processes.hpp"
#include "next_function.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "thread_calls.hpp"

namespace cubefold::preload {

namespace {

using mpi::Sides;

/// The arguments of an exchange that is under way when the call has returned.
class KeptSides {
 public:
  explicit KeptSides(const Sides& sides) : sides_(sides) {
    sides_.received = memory_.keep(sides.received);
    if (!sides.sent.are_in_place()) sides_.sent = memory_.keep(sides.sent);
  }

  const Sides& get() const { return sides_; }

 private:
  Sides sides_;
  KeptBlocks memory_;
};

/// Lets a thread make the call, whose calls of MPI are not those of the program, or passes it on.
template <typename HandOver, typename Next>
int sides_to_thread(const ThreadCall& call, Sides sides, HandOver hand_over, Next next) {
  const auto exchange = [&]() -> BlockingExchange {
    const auto rank = static_cast<std::size_t>(mpi::rank_in(call.comm));
    if (!is_valid(sides, mpi::process_count(call.comm), rank)) return {};
    const auto kept = std::make_shared<const KeptSides>(sides);
    return
        [kept, &count = call.count](MPI_Comm own) { return alltoall(kept->get(), own, Name::pmpi, count); };
  };
  return to_thread(call, exchange, hand_over, next);
}

/// Returns the communicator whose size matters, or none if no thread will make the exchange.
MPI_Comm comm_of_threads(MPI_Comm comm) {
  return wants_progress_threads() ? comm : MPI_COMM_NULL;
}

/// Returns the count of the function that takes such arguments, in the order of their forms.
CallCount& count_of(const Sides& sides, const std::array<CallCount*, 3>& counts) {
  return *counts.at(static_cast<std::size_t>(sides.form()));
}

/// Counts a call by its form and by the type of its counts.
CallCount& count_of_nonblocking(const Sides& sides) {
#if MPI_VERSION >= 4
  if (sides.have_large_counts())
    return count_of(sides, {&report().Ialltoall_c, &report().Ialltoallv_c, &report().Ialltoallw_c});
#endif
  return count_of(sides, {&report().Ialltoall, &report().Ialltoallv, &report().Ialltoallw});
}

int ialltoall(const Sides& sides, MPI_Comm comm, MPI_Request* request, Name name) {
  const auto next = [&](const NextMpi& mpi) {
#if MPI_VERSION >= 4
    if (sides.have_large_counts())
      return sides.pass_to<MPI_Count, MPI_Aint>(mpi.Ialltoall_c, mpi.Ialltoallv_c, mpi.Ialltoallw_c, comm,
                                                request);
#endif
    return sides.pass_to(mpi.Ialltoall, mpi.Ialltoallv, mpi.Ialltoallw, comm, request);
  };
  return sides_to_thread({comm, request, count_of_nonblocking(sides)}, sides, start_exchange,
                         [&] { return pass_on(name, next); });
}

int alltoall_init(const Sides& sides, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const auto equal = [](auto... arguments) {
    return next_persistent(&PMPI_Alltoall, "PMPI_Alltoall_init", "PMPIX_Alltoall_init")(arguments...);
  };
  const auto unequal = [](auto... arguments) {
    return next_persistent(&PMPI_Alltoallv, "PMPI_Alltoallv_init", "PMPIX_Alltoallv_init")(arguments...);
  };
  const auto typed = [](auto... arguments) {
    return next_persistent(&PMPI_Alltoallw, "PMPI_Alltoallw_init", "PMPIX_Alltoallw_init")(arguments...);
  };
  CallCount& count =
      count_of(sides, {&report().Alltoall_init, &report().Alltoallv_init, &report().Alltoallw_init});
  return sides_to_thread({comm, request, count}, sides, make_persistent_exchange,
                         [&] { return sides.pass_to(equal, unequal, typed, comm, info, request); });
}

#if MPI_VERSION >= 4
int large_alltoall_init(const Sides& sides, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const auto equal = [](auto... arguments) {
    return next_function(&PMPI_Alltoall_init_c, "PMPI_Alltoall_init_c")(arguments...);
  };
  const auto unequal = [](auto... arguments) {
    return next_function(&PMPI_Alltoallv_init_c, "PMPI_Alltoallv_init_c")(arguments...);
  };
  const auto typed = [](auto... arguments) {
    return next_function(&PMPI_Alltoallw_init_c, "PMPI_Alltoallw_init_c")(arguments...);
  };
  CallCount& count =
      count_of(sides, {&report().Alltoall_init_c, &report().Alltoallv_init_c, &report().Alltoallw_init_c});
  return sides_to_thread({comm, request, count}, sides, make_persistent_exchange, [&] {
    return sides.pass_to<MPI_Count, MPI_Aint>(equal, unequal, typed, comm, info, request);
  });
}
#endif

}  // namespace

}  // namespace cubefold::preload

using cubefold::preload::alltoall_init;
using cubefold::preload::comm_of_threads;
using cubefold::preload::ialltoall;
using cubefold::preload::sides_of;

CUBEFOLD_REPLACE(Ialltoall,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request),
                 ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request,
                           name))

CUBEFOLD_REPLACE(Ialltoallv,
                 (const void* send, const int* send_counts, const int* send_displacements,
                  MPI_Datatype send_type, void* receive, const int* receive_counts,
                  const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                    receive_displacements, receive_type, comm_of_threads(comm)),
                           comm, request, name))

CUBEFOLD_REPLACE(Ialltoallw,
                 (const void* send, const int* send_counts, const int* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                  const int* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_types, receive,
                                    receive_counts, receive_displacements, receive_types,
                                    comm_of_threads(comm)),
                           comm, request, name))

CUBEFOLD_REPLACE_PERSISTENT(Alltoall_init,
                            (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                             MPI_Request* request),
                            alltoall_init({send, send_count, send_type, receive, receive_count, receive_type},
                                          comm, info, request))

CUBEFOLD_REPLACE_PERSISTENT(Alltoallv_init,
                            (const void* send, const int* send_counts, const int* send_displacements,
                             MPI_Datatype send_type, void* receive, const int* receive_counts,
                             const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                             MPI_Info info, MPI_Request* request),
                            alltoall_init(sides_of(send, send_counts, send_displacements, send_type, receive,
                                                   receive_counts, receive_displacements, receive_type,
                                                   comm_of_threads(comm)),
                                          comm, info, request))

CUBEFOLD_REPLACE_PERSISTENT(Alltoallw_init,
                            (const void* send, const int* send_counts, const int* send_displacements,
                             const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                             const int* receive_displacements, const MPI_Datatype* receive_types,
                             MPI_Comm comm, MPI_Info info, MPI_Request* request),
                            alltoall_init(sides_of(send, send_counts, send_displacements, send_types, receive,
                                                   receive_counts, receive_displacements, receive_types,
                                                   comm_of_threads(comm)),
                                          comm, info, request))

#if MPI_VERSION >= 4
using cubefold::preload::large_alltoall_init;

CUBEFOLD_REPLACE(Ialltoall_c,
                 (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request),
                 ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request,
                           name))

CUBEFOLD_REPLACE(Ialltoallv_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                    receive_displacements, receive_type, comm_of_threads(comm)),
                           comm, request, name))

CUBEFOLD_REPLACE(Ialltoallw_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_types, receive,
                                    receive_counts, receive_displacements, receive_types,
                                    comm_of_threads(comm)),
                           comm, request, name))

// MPI's function is called by its name PMPI_* in both cases, so the name makes no difference.
CUBEFOLD_REPLACE(Alltoall_init_c,
                 (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                  MPI_Request* request),
                 large_alltoall_init({send, send_count, send_type, receive, receive_count, receive_type},
                                     comm, info, request))

CUBEFOLD_REPLACE(Alltoallv_init_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request),
                 large_alltoall_init(sides_of(send, send_counts, send_displacements, send_type, receive,
                                              receive_counts, receive_displacements, receive_type,
                                              comm_of_threads(comm)),
                                     comm, info, request))

CUBEFOLD_REPLACE(Alltoallw_init_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request),
                 large_alltoall_init(sides_of(send, send_counts, send_displacements, send_types, receive,
                                              receive_counts, receive_displacements, receive_types,
                                              comm_of_threads(comm)),
                                     comm, info, request))
#endif
