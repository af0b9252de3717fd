// This file has the C side of the exchanges and their requests in cubefold.f90.
#include "fortran/arguments.hpp"
#include "fortran/types_of_ranks.hpp"

using cubefold::fortran::run;
using cubefold::fortran::run_exchange;
using cubefold::fortran::TypesOfRanks;

extern "C" {

CUBEFOLD_API void cubefold_f_alltoall(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                      const CFI_cdesc_t* receive, int receive_count,
                                      const MPI_Fint* receive_type, const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoall", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_alltoall(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                             receive_count, MPI_Type_f2c(*receive_type), *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoall_in_place(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type,
                                               const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoall", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_alltoall(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallv(const CFI_cdesc_t* send, const int* send_counts,
                                       const int* send_displacements, const MPI_Fint* send_type,
                                       const CFI_cdesc_t* receive, const int* receive_counts,
                                       const int* receive_displacements, const MPI_Fint* receive_type,
                                       const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallv", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_alltoallv(send->base_addr, send_counts, send_displacements, MPI_Type_f2c(*send_type),
                              receive->base_addr, receive_counts, receive_displacements,
                              MPI_Type_f2c(*receive_type), *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallv_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                const int* displacements, const MPI_Fint* type,
                                                const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallv", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_alltoallv(MPI_IN_PLACE, counts, displacements, c_type, buffer->base_addr, counts,
                              displacements, c_type, *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw(const CFI_cdesc_t* send, const int* send_counts,
                                       const int* send_displacements, const MPI_Fint* send_types,
                                       const CFI_cdesc_t* receive, const int* receive_counts,
                                       const int* receive_displacements, const MPI_Fint* receive_types,
                                       const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallw", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    const TypesOfRanks of_sent(send_types, *comm);
    const TypesOfRanks of_received(receive_types, *comm);
    return cubefold_alltoallw(send->base_addr, send_counts, send_displacements, of_sent.data(),
                              receive->base_addr, receive_counts, receive_displacements, of_received.data(),
                              *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                const int* displacements, const MPI_Fint* types,
                                                const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallw", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const TypesOfRanks of_ranks(types, *comm);
    return cubefold_alltoallw(MPI_IN_PLACE, counts, displacements, of_ranks.data(), buffer->base_addr, counts,
                              displacements, of_ranks.data(), *comm);
  });
}

CUBEFOLD_API void cubefold_f_ialltoall(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                       const CFI_cdesc_t* receive, int receive_count,
                                       const MPI_Fint* receive_type, const cubefold_comm* comm,
                                       cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoall", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_ialltoall(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                              receive_count, MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoall_in_place(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type,
                                                const cubefold_comm* comm, cubefold_request* request,
                                                int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoall", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_ialltoall(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallv(const CFI_cdesc_t* send, const int* send_counts,
                                        const int* send_displacements, const MPI_Fint* send_type,
                                        const CFI_cdesc_t* receive, const int* receive_counts,
                                        const int* receive_displacements, const MPI_Fint* receive_type,
                                        const cubefold_comm* comm, cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallv", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_ialltoallv(send->base_addr, send_counts, send_displacements, MPI_Type_f2c(*send_type),
                               receive->base_addr, receive_counts, receive_displacements,
                               MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallv_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                 const int* displacements, const MPI_Fint* type,
                                                 const cubefold_comm* comm, cubefold_request* request,
                                                 int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallv", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_ialltoallv(MPI_IN_PLACE, counts, displacements, c_type, buffer->base_addr, counts,
                               displacements, c_type, *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallw(const CFI_cdesc_t* send, const int* send_counts,
                                        const int* send_displacements, const MPI_Fint* send_types,
                                        const CFI_cdesc_t* receive, const int* receive_counts,
                                        const int* receive_displacements, const MPI_Fint* receive_types,
                                        const cubefold_comm* comm, cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallw", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    const TypesOfRanks of_sent(send_types, *comm);
    const TypesOfRanks of_received(receive_types, *comm);
    return cubefold_ialltoallw(send->base_addr, send_counts, send_displacements, of_sent.data(),
                               receive->base_addr, receive_counts, receive_displacements, of_received.data(),
                               *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallw_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                 const int* displacements, const MPI_Fint* types,
                                                 const cubefold_comm* comm, cubefold_request* request,
                                                 int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallw", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const TypesOfRanks of_ranks(types, *comm);
    return cubefold_ialltoallw(MPI_IN_PLACE, counts, displacements, of_ranks.data(), buffer->base_addr,
                               counts, displacements, of_ranks.data(), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_alltoall_init(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                           const CFI_cdesc_t* receive, int receive_count,
                                           const MPI_Fint* receive_type, const cubefold_comm* comm,
                                           cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoall_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_alltoall_init(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                                  receive_count, MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_alltoall_init_in_place(const CFI_cdesc_t* buffer, int count,
                                                    const MPI_Fint* type, const cubefold_comm* comm,
                                                    cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoall_init", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_alltoall_init(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm,
                                  request);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw_init(const CFI_cdesc_t* send, const int* send_counts,
                                            const int* send_displacements, const MPI_Fint* send_types,
                                            const CFI_cdesc_t* receive, const int* receive_counts,
                                            const int* receive_displacements, const MPI_Fint* receive_types,
                                            const cubefold_comm* comm, cubefold_request* request,
                                            int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoallw_init", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    const TypesOfRanks of_sent(send_types, *comm);
    const TypesOfRanks of_received(receive_types, *comm);
    return cubefold_alltoallw_init(send->base_addr, send_counts, send_displacements, of_sent.data(),
                                   receive->base_addr, receive_counts, receive_displacements,
                                   of_received.data(), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw_init_in_place(const CFI_cdesc_t* buffer, const int* counts,
                                                     const int* displacements, const MPI_Fint* types,
                                                     const cubefold_comm* comm, cubefold_request* request,
                                                     int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoallw_init", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const TypesOfRanks of_ranks(types, *comm);
    return cubefold_alltoallw_init(MPI_IN_PLACE, counts, displacements, of_ranks.data(), buffer->base_addr,
                                   counts, displacements, of_ranks.data(), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_alltoall_start(const cubefold_request* request, int* ierror) {
  run("cubefold_alltoall_start", ierror, [&] { return cubefold_alltoall_start(*request); });
}

CUBEFOLD_API void cubefold_f_alltoall_free(cubefold_request* request, int* ierror) {
  run("cubefold_alltoall_free", ierror, [&] { return cubefold_alltoall_free(request); });
}

CUBEFOLD_API void cubefold_f_wait(cubefold_request* request, int* ierror) {
  run("cubefold_wait", ierror, [&] { return cubefold_wait(request); });
}

CUBEFOLD_API void cubefold_f_waitall(int count, cubefold_request* requests, int* ierror) {
  run("cubefold_waitall", ierror, [&] { return cubefold_waitall(count, requests); });
}

CUBEFOLD_API void cubefold_f_waitany(int count, cubefold_request* requests, int* index, int* ierror) {
  run("cubefold_waitany", ierror, [&] {
    const int code = cubefold_waitany(count, requests, index);
    if (*index != MPI_UNDEFINED) ++*index;
    return code;
  });
}

}  // extern "C"
