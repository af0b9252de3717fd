// These functions replace those of MPI in the test programs. A test may let one of them fail (FailingMpi), put
// processes on several hosts (SeveralHosts), let time pass (SlowNetwork) and count calls (CountedCalls).

#include <dlfcn.h>
#include <sys/mman.h>

#include <atomic>
#include <cerrno>

#include "cubefold/export.h"
#include "failing_mpi.hpp"
#include "passed_on.hpp"
#include "slow_network.hpp"

namespace {

using cubefold::mpi::SlowNetwork;
namespace passed_on = cubefold::mpi::passed_on;

std::atomic<bool> is_armed = false;
std::string_view failing_function;
std::uint64_t failing_number = 0;
int failing_code = MPI_SUCCESS;
std::atomic<std::uint64_t> counted = 0;

/// A process makes these calls as often as it finds time while it waits.
bool polls(std::string_view function) {
  return function == "MPI_Test" || function == "MPI_Testsome" || function == "MPI_Iprobe";
}

bool fails(std::string_view function) {
  if (!is_armed) return false;
  if (failing_function.empty() ? polls(function) : function != failing_function) return false;
  return ++counted == failing_number || failing_number == cubefold::FailingMpi::always;
}

int isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
          MPI_Request* request) {
  if (SlowNetwork::is_on) SlowNetwork::now_seconds += SlowNetwork::message_seconds;
  if (count > 0) ++cubefold::mpi::counted_calls().messages;
  if (count > 0 && cubefold::mpi::sees_message) cubefold::mpi::sees_message(data);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int testsome(int n, MPI_Request requests[], int* done_n, int done[], MPI_Status statuses[]) {
  ++cubefold::mpi::counted_calls().polls;
  if (cubefold::mpi::empty_polls == 0) return PMPI_Testsome(n, requests, done_n, done, statuses);
  --cubefold::mpi::empty_polls;
  *done_n = 0;
  return MPI_SUCCESS;
}

template <typename... Arguments>
int alltoall(Arguments... arguments) {
  if (SlowNetwork::is_on) SlowNetwork::now_seconds += SlowNetwork::alltoall_seconds;
  return PMPI_Alltoall(arguments...);
}

template <typename... Arguments>
int alltoallv(Arguments... arguments) {
  if (SlowNetwork::is_on) SlowNetwork::now_seconds += SlowNetwork::alltoall_seconds;
  return PMPI_Alltoallv(arguments...);
}

template <typename... Arguments>
int neighbor_alltoallv(Arguments... arguments) {
  if (SlowNetwork::is_on) SlowNetwork::now_seconds += SlowNetwork::neighbour_seconds;
  return PMPI_Neighbor_alltoallv(arguments...);
}

int allreduce(const void* sent, void* data, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (SlowNetwork::is_on && n > SlowNetwork::short_elements)
    SlowNetwork::now_seconds += SlowNetwork::allreduce_seconds;
  return PMPI_Allreduce(sent, data, n, type, op, comm);
}

template <typename... Arguments>
int cart_create(Arguments... arguments) {
  ++cubefold::mpi::counted_calls().communicators_made;
  return PMPI_Cart_create(arguments...);
}

int type_free(MPI_Datatype* type) {
  ++cubefold::mpi::counted_calls().types_freed;
  return PMPI_Type_free(type);
}

}  // namespace

namespace cubefold {

FailingMpi::FailingMpi(std::string_view function, std::uint64_t number, int code) : number_(number) {
  failing_function = function;
  failing_number = number;
  failing_code = code;
  counted = 0;
  is_armed = true;
}

FailingMpi::~FailingMpi() {
  is_armed = false;
}

std::uint64_t FailingMpi::count() const {
  return counted;
}

}  // namespace cubefold

extern "C" CUBEFOLD_API double MPI_Wtime() {
  return SlowNetwork::is_on ? SlowNetwork::now_seconds += 1e-6 : PMPI_Wtime();
}

#define CUBEFOLD_MAY_FAIL_BEFORE(next, name, parameters, arguments) \
  extern "C" CUBEFOLD_API int MPI_##name parameters {               \
    if (fails("MPI_" #name)) return failing_code;                   \
    return next arguments;                                          \
  }
#define CUBEFOLD_MAY_FAIL(name, parameters, arguments) \
  CUBEFOLD_MAY_FAIL_BEFORE(PMPI_##name, name, parameters, arguments)

// clang-format off
using Bytes = const void*;
using Type = MPI_Datatype;
using Comm = MPI_Comm;

CUBEFOLD_MAY_FAIL(Send, (Bytes data, int n, Type type, int to, int tag, Comm comm), (data, n, type, to, tag, comm))
CUBEFOLD_MAY_FAIL(Recv, (void* data, int n, Type type, int from, int tag, Comm comm, MPI_Status* status),
                  (data, n, type, from, tag, comm, status))
CUBEFOLD_MAY_FAIL_BEFORE(isend, Isend, (Bytes data, int n, Type type, int to, int tag, Comm comm, MPI_Request* request),
                  (data, n, type, to, tag, comm, request))
CUBEFOLD_MAY_FAIL(Irecv, (void* data, int n, Type type, int from, int tag, Comm comm, MPI_Request* request),
                  (data, n, type, from, tag, comm, request))
CUBEFOLD_MAY_FAIL(Sendrecv, (Bytes sent, int sent_n, Type sent_type, int to, int sent_tag, void* data, int n, Type type,
                             int from, int tag, Comm comm, MPI_Status* status),
                  (sent, sent_n, sent_type, to, sent_tag, data, n, type, from, tag, comm, status))
CUBEFOLD_MAY_FAIL(Iprobe, (int from, int tag, Comm comm, int* flag, MPI_Status* status),
                  (from, tag, comm, flag, status))
CUBEFOLD_MAY_FAIL(Test, (MPI_Request* request, int* flag, MPI_Status* status), (request, flag, status))
CUBEFOLD_MAY_FAIL_BEFORE(testsome, Testsome,
                  (int n, MPI_Request requests[], int* done_n, int done[], MPI_Status statuses[]),
                  (n, requests, done_n, done, statuses))
CUBEFOLD_MAY_FAIL(Wait, (MPI_Request* request, MPI_Status* status), (request, status))
CUBEFOLD_MAY_FAIL(Waitany, (int n, MPI_Request requests[], int* which, MPI_Status* status),
                  (n, requests, which, status))
CUBEFOLD_MAY_FAIL(Waitall, (int n, MPI_Request requests[], MPI_Status statuses[]), (n, requests, statuses))
CUBEFOLD_MAY_FAIL(Cancel, (MPI_Request* request), (request))
CUBEFOLD_MAY_FAIL(Request_free, (MPI_Request* request), (request))
CUBEFOLD_MAY_FAIL(Get_count, (const MPI_Status* status, Type type, int* n), (status, type, n))

CUBEFOLD_MAY_FAIL(Barrier, (Comm comm), (comm))
CUBEFOLD_MAY_FAIL(Bcast, (void* data, int n, Type type, int root, Comm comm), (data, n, type, root, comm))
CUBEFOLD_MAY_FAIL(Reduce, (Bytes sent, void* data, int n, Type type, MPI_Op op, int root, Comm comm),
                  (sent, data, n, type, op, root, comm))
CUBEFOLD_MAY_FAIL_BEFORE(allreduce, Allreduce, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm),
                  (sent, data, n, type, op, comm))
CUBEFOLD_MAY_FAIL(Iallreduce, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm, MPI_Request* request),
                  (sent, data, n, type, op, comm, request))
CUBEFOLD_MAY_FAIL(Reduce_local, (Bytes operand, void* data, int n, Type type, MPI_Op op), (operand, data, n, type, op))
CUBEFOLD_MAY_FAIL(Ireduce_scatter_block, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm,
                                          MPI_Request* request),
                  (sent, data, n, type, op, comm, request))
CUBEFOLD_MAY_FAIL(Op_commutative, (MPI_Op op, int* commutes), (op, commutes))
CUBEFOLD_MAY_FAIL(Allgather, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm),
                  (sent, sent_n, sent_type, data, n, type, comm))
CUBEFOLD_MAY_FAIL(Iallgather, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm,
                               MPI_Request* request),
                  (sent, sent_n, sent_type, data, n, type, comm, request))
CUBEFOLD_MAY_FAIL_BEFORE(alltoall, Alltoall,
                  (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm),
                  (sent, sent_n, sent_type, data, n, type, comm))
CUBEFOLD_MAY_FAIL_BEFORE(alltoallv, Alltoallv,
                  (Bytes sent, const int sent_n[], const int sent_at[], Type sent_type, void* data,
                   const int n[], const int at[], Type type, Comm comm),
                  (sent, sent_n, sent_at, sent_type, data, n, at, type, comm))
CUBEFOLD_MAY_FAIL_BEFORE(neighbor_alltoallv, Neighbor_alltoallv,
                  (Bytes sent, const int sent_n[], const int sent_at[], Type sent_type, void* data,
                   const int n[], const int at[], Type type, Comm comm),
                  (sent, sent_n, sent_at, sent_type, data, n, at, type, comm))
CUBEFOLD_MAY_FAIL(Ialltoall, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm,
                              MPI_Request* request),
                  (sent, sent_n, sent_type, data, n, type, comm, request))
CUBEFOLD_MAY_FAIL(Exscan, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm),
                  (sent, data, n, type, op, comm))
CUBEFOLD_MAY_FAIL(Gather, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, int root, Comm comm),
                  (sent, sent_n, sent_type, data, n, type, root, comm))
CUBEFOLD_MAY_FAIL(Gatherv, (Bytes sent, int sent_n, Type sent_type, void* data, const int n[], const int at[],
                            Type type, int root, Comm comm),
                  (sent, sent_n, sent_type, data, n, at, type, root, comm))

CUBEFOLD_MAY_FAIL_BEFORE(passed_on::comm_dup, Comm_dup, (Comm comm, Comm* copy), (comm, copy))
CUBEFOLD_MAY_FAIL_BEFORE(passed_on::comm_split, Comm_split,
                  (Comm comm, int colour, int key, Comm* part), (comm, colour, key, part))
CUBEFOLD_MAY_FAIL_BEFORE(passed_on::comm_split_type, Comm_split_type,
                  (Comm comm, int type, int key, MPI_Info info, Comm* part),
                  (comm, type, key, info, part))
CUBEFOLD_MAY_FAIL_BEFORE(cart_create, Cart_create,
                  (Comm comm, int n, const int extents[], const int wrapped[], int reorder, Comm* cart),
                  (comm, n, extents, wrapped, reorder, cart))
CUBEFOLD_MAY_FAIL(Cart_get, (Comm comm, int n, int extents[], int wrapped[], int coordinates[]),
                  (comm, n, extents, wrapped, coordinates))
CUBEFOLD_MAY_FAIL(Cart_sub, (Comm comm, const int kept[], Comm* part), (comm, kept, part))
CUBEFOLD_MAY_FAIL(Comm_rank, (Comm comm, int* rank), (comm, rank))
CUBEFOLD_MAY_FAIL(Comm_size, (Comm comm, int* size), (comm, size))
CUBEFOLD_MAY_FAIL(Comm_group, (Comm comm, MPI_Group* group), (comm, group))
CUBEFOLD_MAY_FAIL_BEFORE(passed_on::comm_free, Comm_free, (Comm* comm), (comm))
CUBEFOLD_MAY_FAIL(Comm_set_errhandler, (Comm comm, MPI_Errhandler handler), (comm, handler))
CUBEFOLD_MAY_FAIL(Comm_get_errhandler, (Comm comm, MPI_Errhandler* handler), (comm, handler))
CUBEFOLD_MAY_FAIL(Comm_get_attr, (Comm comm, int key, void* value, int* is_set), (comm, key, value, is_set))
CUBEFOLD_MAY_FAIL(Group_free, (MPI_Group* group), (group))
CUBEFOLD_MAY_FAIL(Group_translate_ranks, (MPI_Group group, int n, const int ranks[], MPI_Group other, int others[]),
                  (group, n, ranks, other, others))
CUBEFOLD_MAY_FAIL_BEFORE(passed_on::get_processor_name, Get_processor_name, (char* name, int* length), (name, length))

CUBEFOLD_MAY_FAIL(Pack, (Bytes data, int n, Type type, void* packed, int size, int* position, Comm comm),
                  (data, n, type, packed, size, position, comm))
CUBEFOLD_MAY_FAIL(Unpack, (Bytes packed, int size, int* position, void* data, int n, Type type, Comm comm),
                  (packed, size, position, data, n, type, comm))
CUBEFOLD_MAY_FAIL(Type_contiguous, (int n, Type type, Type* made), (n, type, made))
CUBEFOLD_MAY_FAIL(Type_vector, (int n, int length, int stride, Type type, Type* made), (n, length, stride, type, made))
CUBEFOLD_MAY_FAIL(Type_create_hvector, (int n, int length, MPI_Aint stride, Type type, Type* made),
                  (n, length, stride, type, made))
CUBEFOLD_MAY_FAIL(Type_create_subarray, (int n, const int sizes[], const int part[], const int first[], int order,
                                         Type type, Type* made),
                  (n, sizes, part, first, order, type, made))
CUBEFOLD_MAY_FAIL(Type_create_resized, (Type type, MPI_Aint begin, MPI_Aint extent, Type* made),
                  (type, begin, extent, made))
CUBEFOLD_MAY_FAIL(Type_commit, (Type* type), (type))
CUBEFOLD_MAY_FAIL_BEFORE(type_free, Type_free, (Type* type), (type))
CUBEFOLD_MAY_FAIL(Type_get_extent, (Type type, MPI_Aint* begin, MPI_Aint* extent), (type, begin, extent))
CUBEFOLD_MAY_FAIL(Type_get_envelope, (Type type, int* integers, int* addresses, int* types, int* combiner),
                  (type, integers, addresses, types, combiner))
CUBEFOLD_MAY_FAIL(Type_size_x, (Type type, MPI_Count* size), (type, size))

// clang-format on

/// This one is a function of POSIX, by which processes share memory.
extern "C" CUBEFOLD_API int shm_open(const char* name, int flags, mode_t mode) {
  using Function = int (*)(const char*, int, mode_t);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): POSIX returns functions as void*
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "shm_open"));
  if (!fails("shm_open")) return next(name, flags, mode);
  errno = failing_code;
  return -1;
}
