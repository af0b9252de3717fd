// This file has the C side of the collectives in cubefold.f90 that reduce or gather a vector.
#include "fortran/arguments.hpp"

using cubefold::fortran::run_exchange;

extern "C" {

CUBEFOLD_API void cubefold_f_allreduce(const CFI_cdesc_t* send, const CFI_cdesc_t* receive, int count,
                                       const MPI_Fint* type, const MPI_Fint* op, const cubefold_comm* comm,
                                       int* ierror) {
  run_exchange("cubefold_allreduce", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_allreduce(send->base_addr, receive->base_addr, count, MPI_Type_f2c(*type),
                              MPI_Op_f2c(*op), *comm);
  });
}

CUBEFOLD_API void cubefold_f_allreduce_in_place(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type,
                                                const MPI_Fint* op, const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_allreduce", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_allreduce(MPI_IN_PLACE, buffer->base_addr, count, MPI_Type_f2c(*type), MPI_Op_f2c(*op),
                              *comm);
  });
}

CUBEFOLD_API void cubefold_f_reduce_scatter_block(const CFI_cdesc_t* send, const CFI_cdesc_t* receive,
                                                  int receive_count, const MPI_Fint* type, const MPI_Fint* op,
                                                  const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_reduce_scatter_block", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_reduce_scatter_block(send->base_addr, receive->base_addr, receive_count,
                                         MPI_Type_f2c(*type), MPI_Op_f2c(*op), *comm);
  });
}

CUBEFOLD_API void cubefold_f_reduce_scatter_block_in_place(const CFI_cdesc_t* buffer, int count,
                                                           const MPI_Fint* type, const MPI_Fint* op,
                                                           const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_reduce_scatter_block", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_reduce_scatter_block(MPI_IN_PLACE, buffer->base_addr, count, MPI_Type_f2c(*type),
                                         MPI_Op_f2c(*op), *comm);
  });
}

CUBEFOLD_API void cubefold_f_reduce_scatter(const CFI_cdesc_t* send, const CFI_cdesc_t* receive,
                                            const int* receive_counts, const MPI_Fint* type,
                                            const MPI_Fint* op, const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_reduce_scatter", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_reduce_scatter(send->base_addr, receive->base_addr, receive_counts, MPI_Type_f2c(*type),
                                   MPI_Op_f2c(*op), *comm);
  });
}

CUBEFOLD_API void cubefold_f_reduce_scatter_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                     const MPI_Fint* type, const MPI_Fint* op,
                                                     const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_reduce_scatter", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_reduce_scatter(MPI_IN_PLACE, buffer->base_addr, counts, MPI_Type_f2c(*type),
                                   MPI_Op_f2c(*op), *comm);
  });
}

CUBEFOLD_API void cubefold_f_allgather(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                       const CFI_cdesc_t* receive, int receive_count,
                                       const MPI_Fint* receive_type, const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_allgather", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_allgather(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                              receive_count, MPI_Type_f2c(*receive_type), *comm);
  });
}

CUBEFOLD_API void cubefold_f_allgather_in_place(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type,
                                                const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_allgather", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_allgather(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm);
  });
}

CUBEFOLD_API void cubefold_f_allgatherv(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                        const CFI_cdesc_t* receive, const int* receive_counts,
                                        const int* receive_displacements, const MPI_Fint* receive_type,
                                        const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_allgatherv", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_allgatherv(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                               receive_counts, receive_displacements, MPI_Type_f2c(*receive_type), *comm);
  });
}

CUBEFOLD_API void cubefold_f_allgatherv_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                 const int* displacements, const MPI_Fint* type,
                                                 const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_allgatherv", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_allgatherv(MPI_IN_PLACE, 0, c_type, buffer->base_addr, counts, displacements, c_type,
                               *comm);
  });
}

CUBEFOLD_API void cubefold_f_iallreduce(const CFI_cdesc_t* send, const CFI_cdesc_t* receive, int count,
                                        const MPI_Fint* type, const MPI_Fint* op, const cubefold_comm* comm,
                                        cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_iallreduce", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_iallreduce(send->base_addr, receive->base_addr, count, MPI_Type_f2c(*type),
                               MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_iallreduce_in_place(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type,
                                                 const MPI_Fint* op, const cubefold_comm* comm,
                                                 cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_iallreduce", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_iallreduce(MPI_IN_PLACE, buffer->base_addr, count, MPI_Type_f2c(*type), MPI_Op_f2c(*op),
                               *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ireduce_scatter_block(const CFI_cdesc_t* send, const CFI_cdesc_t* receive,
                                                   int receive_count, const MPI_Fint* type,
                                                   const MPI_Fint* op, const cubefold_comm* comm,
                                                   cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ireduce_scatter_block", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_ireduce_scatter_block(send->base_addr, receive->base_addr, receive_count,
                                          MPI_Type_f2c(*type), MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ireduce_scatter_block_in_place(const CFI_cdesc_t* buffer, int count,
                                                            const MPI_Fint* type, const MPI_Fint* op,
                                                            const cubefold_comm* comm,
                                                            cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ireduce_scatter_block", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_ireduce_scatter_block(MPI_IN_PLACE, buffer->base_addr, count, MPI_Type_f2c(*type),
                                          MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ireduce_scatter(const CFI_cdesc_t* send, const CFI_cdesc_t* receive,
                                             const int* receive_counts, const MPI_Fint* type,
                                             const MPI_Fint* op, const cubefold_comm* comm,
                                             cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ireduce_scatter", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_ireduce_scatter(send->base_addr, receive->base_addr, receive_counts, MPI_Type_f2c(*type),
                                    MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ireduce_scatter_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                      const MPI_Fint* type, const MPI_Fint* op,
                                                      const cubefold_comm* comm, cubefold_request* request,
                                                      int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ireduce_scatter", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_ireduce_scatter(MPI_IN_PLACE, buffer->base_addr, counts, MPI_Type_f2c(*type),
                                    MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_iallgather(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                        const CFI_cdesc_t* receive, int receive_count,
                                        const MPI_Fint* receive_type, const cubefold_comm* comm,
                                        cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_iallgather", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_iallgather(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                               receive_count, MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_iallgather_in_place(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type,
                                                 const cubefold_comm* comm, cubefold_request* request,
                                                 int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_iallgather", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_iallgather(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_iallgatherv(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                         const CFI_cdesc_t* receive, const int* receive_counts,
                                         const int* receive_displacements, const MPI_Fint* receive_type,
                                         const cubefold_comm* comm, cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_iallgatherv", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_iallgatherv(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                                receive_counts, receive_displacements, MPI_Type_f2c(*receive_type), *comm,
                                request);
  });
}

CUBEFOLD_API void cubefold_f_iallgatherv_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                  const int* displacements, const MPI_Fint* type,
                                                  const cubefold_comm* comm, cubefold_request* request,
                                                  int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_iallgatherv", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_iallgatherv(MPI_IN_PLACE, 0, c_type, buffer->base_addr, counts, displacements, c_type,
                                *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_allreduce_init(const CFI_cdesc_t* send, const CFI_cdesc_t* receive, int count,
                                            const MPI_Fint* type, const MPI_Fint* op,
                                            const cubefold_comm* comm, cubefold_request* request,
                                            int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_allreduce_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_allreduce_init(send->base_addr, receive->base_addr, count, MPI_Type_f2c(*type),
                                   MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_allreduce_init_in_place(const CFI_cdesc_t* buffer, int count,
                                                     const MPI_Fint* type, const MPI_Fint* op,
                                                     const cubefold_comm* comm, cubefold_request* request,
                                                     int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_allreduce_init", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_allreduce_init(MPI_IN_PLACE, buffer->base_addr, count, MPI_Type_f2c(*type),
                                   MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_reduce_scatter_block_init(const CFI_cdesc_t* send, const CFI_cdesc_t* receive,
                                                       int receive_count, const MPI_Fint* type,
                                                       const MPI_Fint* op, const cubefold_comm* comm,
                                                       cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange(
      "cubefold_reduce_scatter_block_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
        return cubefold_reduce_scatter_block_init(send->base_addr, receive->base_addr, receive_count,
                                                  MPI_Type_f2c(*type), MPI_Op_f2c(*op), *comm, request);
      });
}

CUBEFOLD_API void cubefold_f_reduce_scatter_block_init_in_place(const CFI_cdesc_t* buffer, int count,
                                                                const MPI_Fint* type, const MPI_Fint* op,
                                                                const cubefold_comm* comm,
                                                                cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_reduce_scatter_block_init", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_reduce_scatter_block_init(MPI_IN_PLACE, buffer->base_addr, count, MPI_Type_f2c(*type),
                                              MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_reduce_scatter_init(const CFI_cdesc_t* send, const CFI_cdesc_t* receive,
                                                 const int* receive_counts, const MPI_Fint* type,
                                                 const MPI_Fint* op, const cubefold_comm* comm,
                                                 cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_reduce_scatter_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_reduce_scatter_init(send->base_addr, receive->base_addr, receive_counts,
                                        MPI_Type_f2c(*type), MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_reduce_scatter_init_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                          const MPI_Fint* type, const MPI_Fint* op,
                                                          const cubefold_comm* comm,
                                                          cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_reduce_scatter_init", ierror, *comm, {{buffer, "buffer"}}, [&] {
    return cubefold_reduce_scatter_init(MPI_IN_PLACE, buffer->base_addr, counts, MPI_Type_f2c(*type),
                                        MPI_Op_f2c(*op), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_allgather_init(const CFI_cdesc_t* send, int send_count,
                                            const MPI_Fint* send_type, const CFI_cdesc_t* receive,
                                            int receive_count, const MPI_Fint* receive_type,
                                            const cubefold_comm* comm, cubefold_request* request,
                                            int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_allgather_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_allgather_init(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                                   receive_count, MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_allgather_init_in_place(const CFI_cdesc_t* buffer, int count,
                                                     const MPI_Fint* type, const cubefold_comm* comm,
                                                     cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_allgather_init", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_allgather_init(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm,
                                   request);
  });
}

CUBEFOLD_API void cubefold_f_allgatherv_init(const CFI_cdesc_t* send, int send_count,
                                             const MPI_Fint* send_type, const CFI_cdesc_t* receive,
                                             const int* receive_counts, const int* receive_displacements,
                                             const MPI_Fint* receive_type, const cubefold_comm* comm,
                                             cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_allgatherv_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_allgatherv_init(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                                    receive_counts, receive_displacements, MPI_Type_f2c(*receive_type), *comm,
                                    request);
  });
}

CUBEFOLD_API void cubefold_f_allgatherv_init_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                      const int* displacements, const MPI_Fint* type,
                                                      const cubefold_comm* comm, cubefold_request* request,
                                                      int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_allgatherv_init", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_allgatherv_init(MPI_IN_PLACE, 0, c_type, buffer->base_addr, counts, displacements, c_type,
                                    *comm, request);
  });
}

}  // extern "C"
