#include <span>

#include "c_requests.hpp"
#include "device_memory.hpp"
#include "vector_call.hpp"

using namespace cubefold::mpi;  // NOLINT(google-build-using-namespace): all of this file is about it

namespace {

/// Returns the call with these arguments on a handle. Throws std::invalid_argument if they are not valid.
VectorCall call_on(cubefold_comm comm, const VectorArguments& arguments) {
  const VirtualComm& processes = cubefold::mpi::valid(comm);
  return {arguments, processes.placement().rank_count(), label(processes.rank())};
}

std::span<const int> numbers(const int* array, cubefold_comm comm) {
  return {array, cubefold::mpi::valid(comm).placement().rank_count()};
}

void run(cubefold_comm comm, const VectorArguments& arguments) {
  exchange_on(comm, [&](PlanCache& plans) {
    const VectorCall call = call_on(comm, arguments);
    agree_on_host_memory(plans.context(), {{arguments.send, "send"}, {arguments.receive, "receive"}});
    plans.vectors().run(call);
  });
}

void make(cubefold_comm comm, cubefold_request* request, bool is_persistent,
          const VectorArguments& arguments) {
  make_request(comm, request, is_persistent, [&](PlanCache& plans, std::shared_ptr<Exchange>& /*exchange*/) {
    const VectorCall call = call_on(comm, arguments);
    const auto plan = plans.vectors().for_call(call);
    require_host_memory({{arguments.send, "send"}, {arguments.receive, "receive"}});
    return plan->prepare(call);
  });
}

VectorArguments scatter_arguments(const void* send, void* receive, const int* receive_counts,
                                  MPI_Datatype type, MPI_Op op, cubefold_comm comm) {
  return VectorArguments::reduce_scatter(send, receive, numbers(receive_counts, comm), type, op);
}

VectorArguments gather_arguments(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                 const int* receive_counts, const int* receive_displacements,
                                 MPI_Datatype receive_type, cubefold_comm comm) {
  return VectorArguments::allgatherv(send, send_count, send_type, receive, numbers(receive_counts, comm),
                                     numbers(receive_displacements, comm), receive_type);
}

}  // namespace

int cubefold_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                       cubefold_comm comm) {
  return guarded("cubefold_allreduce",
                 [&] { run(comm, VectorArguments::allreduce(send, receive, count, type, op)); });
}

int cubefold_reduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype type,
                                  MPI_Op op, cubefold_comm comm) {
  return guarded("cubefold_reduce_scatter_block", [&] {
    run(comm, VectorArguments::reduce_scatter_block(send, receive, receive_count, type, op));
  });
}

int cubefold_reduce_scatter(const void* send, void* receive, const int* receive_counts, MPI_Datatype type,
                            MPI_Op op, cubefold_comm comm) {
  return guarded("cubefold_reduce_scatter",
                 [&] { run(comm, scatter_arguments(send, receive, receive_counts, type, op, comm)); });
}

int cubefold_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                       int receive_count, MPI_Datatype receive_type, cubefold_comm comm) {
  return guarded("cubefold_allgather", [&] {
    run(comm, VectorArguments::allgather(send, send_count, send_type, receive, receive_count, receive_type));
  });
}

int cubefold_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        const int* receive_counts, const int* receive_displacements,
                        MPI_Datatype receive_type, cubefold_comm comm) {
  return guarded("cubefold_allgatherv", [&] {
    run(comm, gather_arguments(send, send_count, send_type, receive, receive_counts, receive_displacements,
                               receive_type, comm));
  });
}

int cubefold_iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                        cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_iallreduce", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false, VectorArguments::allreduce(send, receive, count, type, op));
  });
}

int cubefold_ireduce_scatter_block(const void* send, void* receive, int receive_count, MPI_Datatype type,
                                   MPI_Op op, cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_ireduce_scatter_block", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false, VectorArguments::reduce_scatter_block(send, receive, receive_count, type, op));
  });
}

int cubefold_ireduce_scatter(const void* send, void* receive, const int* receive_counts, MPI_Datatype type,
                             MPI_Op op, cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_ireduce_scatter", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false, scatter_arguments(send, receive, receive_counts, type, op, comm));
  });
}

int cubefold_iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                        int receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                        cubefold_request* request) {
  return guarded("cubefold_iallgather", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false,
         VectorArguments::allgather(send, send_count, send_type, receive, receive_count, receive_type));
  });
}

int cubefold_iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                         const int* receive_counts, const int* receive_displacements,
                         MPI_Datatype receive_type, cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_iallgatherv", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false,
         gather_arguments(send, send_count, send_type, receive, receive_counts, receive_displacements,
                          receive_type, comm));
  });
}

int cubefold_allreduce_init(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                            cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_allreduce_init", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, true, VectorArguments::allreduce(send, receive, count, type, op));
  });
}

int cubefold_reduce_scatter_block_init(const void* send, void* receive, int receive_count, MPI_Datatype type,
                                       MPI_Op op, cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_reduce_scatter_block_init", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, true, VectorArguments::reduce_scatter_block(send, receive, receive_count, type, op));
  });
}

int cubefold_reduce_scatter_init(const void* send, void* receive, const int* receive_counts,
                                 MPI_Datatype type, MPI_Op op, cubefold_comm comm,
                                 cubefold_request* request) {
  return guarded("cubefold_reduce_scatter_init", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, true, scatter_arguments(send, receive, receive_counts, type, op, comm));
  });
}

int cubefold_allgather_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                            int receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                            cubefold_request* request) {
  return guarded("cubefold_allgather_init", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, true,
         VectorArguments::allgather(send, send_count, send_type, receive, receive_count, receive_type));
  });
}

int cubefold_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             const int* receive_counts, const int* receive_displacements,
                             MPI_Datatype receive_type, cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_allgatherv_init", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, true,
         gather_arguments(send, send_count, send_type, receive, receive_counts, receive_displacements,
                          receive_type, comm));
  });
}
