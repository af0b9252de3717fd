// The functions of MPI that the profiling library takes notes of, each under its two names: programs in C call those
// that begin with MPI, and Fortran's bindings call those that begin with PMPI. No call is seen twice, because each goes
// on to the function of the next library.

#include <mpi.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "mpi/agreement.hpp"
#include "mpi/settings.hpp"
#include "preload/next_function.hpp"
#include "profile_file.hpp"
#include "recorder.hpp"

namespace cubefold::profile {

namespace {

/// Takes notes of a call that has succeeded. What cannot be noted is left out, because the program goes on. A program
/// that only has sessions of MPI has no ranks in MPI_COMM_WORLD.
template <typename Note>
void noted(Note note) noexcept {
  int is_initialised = 0;
  MPI_Initialized(&is_initialised);
  if (is_initialised == 0) return;
  try {
    note(Recorder::here());
  } catch (...) {
    return;
  }
}

void write_profile_of_program() {
  const auto comm = mpi::OwnedComm::duplicate(MPI_COMM_WORLD);
  const SentMessages sent = Recorder::here().finish();
  const std::string path = mpi::text_of_root(comm.get(), [] {
    const std::string name = mpi::own_variable("CUBEFOLD_PROFILE");
    return std::filesystem::absolute(name.empty() ? "cubefold-profile.json" : name).string();
  });
  write_profile(comm.get(), path, sent);
}

/// Writes the profile, or says on process 0 why there is none.
void write_or_say_why() noexcept {
  try {
    write_profile_of_program();
  } catch (...) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
      std::fprintf(stderr, "cubefold: no profile is written: %s\n", mpi::current_failure().text.c_str());
  }
}

}  // namespace

}  // namespace cubefold::profile

#define CUBEFOLD_NOTED(name, parameters, arguments, note)                                      \
  static int noted_##name parameters {                                                         \
    static const auto next = cubefold::preload::next_function(&PMPI_##name, "PMPI_" #name);    \
    const int code = next arguments;                                                           \
    if (code == MPI_SUCCESS)                                                                   \
      cubefold::profile::noted([&](cubefold::profile::Recorder& recorder) { recorder.note; }); \
    return code;                                                                               \
  }                                                                                            \
  extern "C" CUBEFOLD_API int MPI_##name parameters {                                          \
    return noted_##name arguments;                                                             \
  }                                                                                            \
  extern "C" CUBEFOLD_API int PMPI_##name parameters {                                         \
    return noted_##name arguments;                                                             \
  }

// clang-format off
using Bytes = const void*;
using Type = MPI_Datatype;
using Comm = MPI_Comm;

#define CUBEFOLD_NOTED_SEND(name)                                                                \
  CUBEFOLD_NOTED(name, (Bytes data, int n, Type type, int to, int tag, Comm comm),               \
                 (data, n, type, to, tag, comm), message(comm, to, n, type))
#define CUBEFOLD_NOTED_ISEND(name)                                                               \
  CUBEFOLD_NOTED(name, (Bytes data, int n, Type type, int to, int tag, Comm comm, MPI_Request* request), \
                 (data, n, type, to, tag, comm, request), message(comm, to, n, type))
#define CUBEFOLD_NOTED_INIT(name)                                                                \
  CUBEFOLD_NOTED(name, (Bytes data, int n, Type type, int to, int tag, Comm comm, MPI_Request* request), \
                 (data, n, type, to, tag, comm, request), prepared(*request, comm, to, n, type))

CUBEFOLD_NOTED_SEND(Send)
CUBEFOLD_NOTED_SEND(Bsend)
CUBEFOLD_NOTED_SEND(Ssend)
CUBEFOLD_NOTED_SEND(Rsend)
CUBEFOLD_NOTED_ISEND(Isend)
CUBEFOLD_NOTED_ISEND(Ibsend)
CUBEFOLD_NOTED_ISEND(Issend)
CUBEFOLD_NOTED_ISEND(Irsend)
CUBEFOLD_NOTED_INIT(Send_init)
CUBEFOLD_NOTED_INIT(Bsend_init)
CUBEFOLD_NOTED_INIT(Ssend_init)
CUBEFOLD_NOTED_INIT(Rsend_init)
CUBEFOLD_NOTED(Sendrecv, (Bytes sent, int sent_n, Type sent_type, int to, int sent_tag, void* data, int n, Type type,
                          int from, int tag, Comm comm, MPI_Status* status),
               (sent, sent_n, sent_type, to, sent_tag, data, n, type, from, tag, comm, status),
               message(comm, to, sent_n, sent_type))
CUBEFOLD_NOTED(Sendrecv_replace, (void* data, int n, Type type, int to, int sent_tag, int from, int tag, Comm comm,
                                  MPI_Status* status),
               (data, n, type, to, sent_tag, from, tag, comm, status), message(comm, to, n, type))

// Functions with blocks of one size, or of unequal sizes, and their non-blocking forms.
#define CUBEFOLD_NOTED_EQUAL(name, non_blocking, note)                                           \
  CUBEFOLD_NOTED(name, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm), \
                 (sent, sent_n, sent_type, data, n, type, comm), note)                           \
  CUBEFOLD_NOTED(non_blocking, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm, \
                                MPI_Request* request),                                           \
                 (sent, sent_n, sent_type, data, n, type, comm, request), note)
#define CUBEFOLD_NOTED_UNEQUAL(name, non_blocking, note)                                         \
  CUBEFOLD_NOTED(name, (Bytes sent, const int* sent_n, const int* sent_at, Type sent_type, void* data, \
                        const int* n, const int* at, Type type, Comm comm),                      \
                 (sent, sent_n, sent_at, sent_type, data, n, at, type, comm), note)              \
  CUBEFOLD_NOTED(non_blocking, (Bytes sent, const int* sent_n, const int* sent_at, Type sent_type, void* data, \
                                const int* n, const int* at, Type type, Comm comm, MPI_Request* request), \
                 (sent, sent_n, sent_at, sent_type, data, n, at, type, comm, request), note)

CUBEFOLD_NOTED_EQUAL(Alltoall, Ialltoall, to_all("MPI_Alltoall", comm, n, type))
CUBEFOLD_NOTED_EQUAL(Neighbor_alltoall, Ineighbor_alltoall,
                     to_neighbours("MPI_Neighbor_alltoall", comm, sent_n, sent_type))
CUBEFOLD_NOTED_EQUAL(Neighbor_allgather, Ineighbor_allgather,
                     to_neighbours("MPI_Neighbor_allgather", comm, sent_n, sent_type))
CUBEFOLD_NOTED_UNEQUAL(Alltoallv, Ialltoallv,
                       to_each("MPI_Alltoallv", comm, sent == MPI_IN_PLACE ? n : sent_n,
                               sent == MPI_IN_PLACE ? type : sent_type))
CUBEFOLD_NOTED_UNEQUAL(Neighbor_alltoallv, Ineighbor_alltoallv,
                       to_neighbours("MPI_Neighbor_alltoallv", comm, sent_n, sent_type))
CUBEFOLD_NOTED(Alltoallw, (Bytes sent, const int* sent_n, const int* sent_at, const Type* sent_types, void* data,
                           const int* n, const int* at, const Type* types, Comm comm),
               (sent, sent_n, sent_at, sent_types, data, n, at, types, comm),
               to_each("MPI_Alltoallw", comm, sent == MPI_IN_PLACE ? n : sent_n,
                       sent == MPI_IN_PLACE ? types : sent_types))
CUBEFOLD_NOTED(Allreduce, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm),
               (sent, data, n, type, op, comm), by_doubling("MPI_Allreduce", comm, n, type))
CUBEFOLD_NOTED(Iallreduce, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm, MPI_Request* request),
               (sent, data, n, type, op, comm, request), by_doubling("MPI_Allreduce", comm, n, type))

CUBEFOLD_NOTED(Start, (MPI_Request* request), (request), started({request, 1}))
CUBEFOLD_NOTED(Startall, (int n, MPI_Request* requests), (n, requests),
               started({requests, static_cast<std::size_t>(n)}))
// clang-format on

static int noted_Request_free(MPI_Request* request) {
  static const auto next = cubefold::preload::next_function(&PMPI_Request_free, "PMPI_Request_free");
  cubefold::profile::noted([&](cubefold::profile::Recorder& recorder) { recorder.ended(*request); });
  return next(request);
}

static int noted_Finalize() {
  static const auto next = cubefold::preload::next_function(&PMPI_Finalize, "PMPI_Finalize");
  cubefold::profile::write_or_say_why();
  return next();
}

extern "C" {

CUBEFOLD_API int MPI_Request_free(MPI_Request* request) {
  return noted_Request_free(request);
}

CUBEFOLD_API int PMPI_Request_free(MPI_Request* request) {
  return noted_Request_free(request);
}

CUBEFOLD_API int MPI_Finalize() {
  return noted_Finalize();
}

CUBEFOLD_API int PMPI_Finalize() {
  return noted_Finalize();
}
}
