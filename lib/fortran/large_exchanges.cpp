// This file has the C side of the exchanges with large counts in cubefold.f90, whose integers have 64 bits.
#include <cstdint>

#include "fortran/arguments.hpp"
#include "fortran/types_of_ranks.hpp"

using cubefold::fortran::run_exchange;
using cubefold::fortran::TypesOfRanks;

static_assert(sizeof(MPI_Count) == sizeof(std::int64_t) && sizeof(MPI_Aint) == sizeof(std::int64_t));

extern "C" {

CUBEFOLD_API void cubefold_f_alltoall_c(const CFI_cdesc_t* send, MPI_Count send_count,
                                        const MPI_Fint* send_type, const CFI_cdesc_t* receive,
                                        MPI_Count receive_count, const MPI_Fint* receive_type,
                                        const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoall_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_alltoall_c(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                               receive_count, MPI_Type_f2c(*receive_type), *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoall_c_in_place(const CFI_cdesc_t* buffer, MPI_Count count,
                                                 const MPI_Fint* type, const cubefold_comm* comm,
                                                 int* ierror) {
  run_exchange("cubefold_alltoall_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_alltoall_c(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallv_c(const CFI_cdesc_t* send, const MPI_Count* send_counts,
                                         const MPI_Aint* send_displacements, const MPI_Fint* send_type,
                                         const CFI_cdesc_t* receive, const MPI_Count* receive_counts,
                                         const MPI_Aint* receive_displacements, const MPI_Fint* receive_type,
                                         const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallv_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_alltoallv_c(send->base_addr, send_counts, send_displacements, MPI_Type_f2c(*send_type),
                                receive->base_addr, receive_counts, receive_displacements,
                                MPI_Type_f2c(*receive_type), *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallv_c_in_place(const CFI_cdesc_t* buffer, const MPI_Count* counts,
                                                  const MPI_Aint* displacements, const MPI_Fint* type,
                                                  const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallv_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_alltoallv_c(MPI_IN_PLACE, counts, displacements, c_type, buffer->base_addr, counts,
                                displacements, c_type, *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw_c(const CFI_cdesc_t* send, const MPI_Count* send_counts,
                                         const MPI_Aint* send_displacements, const MPI_Fint* send_types,
                                         const CFI_cdesc_t* receive, const MPI_Count* receive_counts,
                                         const MPI_Aint* receive_displacements, const MPI_Fint* receive_types,
                                         const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallw_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    const TypesOfRanks of_sent(send_types, *comm);
    const TypesOfRanks of_received(receive_types, *comm);
    return cubefold_alltoallw_c(send->base_addr, send_counts, send_displacements, of_sent.data(),
                                receive->base_addr, receive_counts, receive_displacements, of_received.data(),
                                *comm);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw_c_in_place(const CFI_cdesc_t* buffer, const MPI_Count* counts,
                                                  const MPI_Aint* displacements, const MPI_Fint* types,
                                                  const cubefold_comm* comm, int* ierror) {
  run_exchange("cubefold_alltoallw_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const TypesOfRanks of_ranks(types, *comm);
    return cubefold_alltoallw_c(MPI_IN_PLACE, counts, displacements, of_ranks.data(), buffer->base_addr,
                                counts, displacements, of_ranks.data(), *comm);
  });
}

CUBEFOLD_API void cubefold_f_ialltoall_c(const CFI_cdesc_t* send, MPI_Count send_count,
                                         const MPI_Fint* send_type, const CFI_cdesc_t* receive,
                                         MPI_Count receive_count, const MPI_Fint* receive_type,
                                         const cubefold_comm* comm, cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoall_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_ialltoall_c(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                                receive_count, MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoall_c_in_place(const CFI_cdesc_t* buffer, MPI_Count count,
                                                  const MPI_Fint* type, const cubefold_comm* comm,
                                                  cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoall_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_ialltoall_c(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm,
                                request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallv_c(const CFI_cdesc_t* send, const MPI_Count* send_counts,
                                          const MPI_Aint* send_displacements, const MPI_Fint* send_type,
                                          const CFI_cdesc_t* receive, const MPI_Count* receive_counts,
                                          const MPI_Aint* receive_displacements, const MPI_Fint* receive_type,
                                          const cubefold_comm* comm, cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallv_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_ialltoallv_c(send->base_addr, send_counts, send_displacements, MPI_Type_f2c(*send_type),
                                 receive->base_addr, receive_counts, receive_displacements,
                                 MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallv_c_in_place(const CFI_cdesc_t* buffer, const MPI_Count* counts,
                                                   const MPI_Aint* displacements, const MPI_Fint* type,
                                                   const cubefold_comm* comm, cubefold_request* request,
                                                   int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallv_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_ialltoallv_c(MPI_IN_PLACE, counts, displacements, c_type, buffer->base_addr, counts,
                                 displacements, c_type, *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallw_c(const CFI_cdesc_t* send, const MPI_Count* send_counts,
                                          const MPI_Aint* send_displacements, const MPI_Fint* send_types,
                                          const CFI_cdesc_t* receive, const MPI_Count* receive_counts,
                                          const MPI_Aint* receive_displacements,
                                          const MPI_Fint* receive_types, const cubefold_comm* comm,
                                          cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallw_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    const TypesOfRanks of_sent(send_types, *comm);
    const TypesOfRanks of_received(receive_types, *comm);
    return cubefold_ialltoallw_c(send->base_addr, send_counts, send_displacements, of_sent.data(),
                                 receive->base_addr, receive_counts, receive_displacements,
                                 of_received.data(), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_ialltoallw_c_in_place(const CFI_cdesc_t* buffer, const MPI_Count* counts,
                                                   const MPI_Aint* displacements, const MPI_Fint* types,
                                                   const cubefold_comm* comm, cubefold_request* request,
                                                   int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_ialltoallw_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const TypesOfRanks of_ranks(types, *comm);
    return cubefold_ialltoallw_c(MPI_IN_PLACE, counts, displacements, of_ranks.data(), buffer->base_addr,
                                 counts, displacements, of_ranks.data(), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_alltoall_init_c(const CFI_cdesc_t* send, MPI_Count send_count,
                                             const MPI_Fint* send_type, const CFI_cdesc_t* receive,
                                             MPI_Count receive_count, const MPI_Fint* receive_type,
                                             const cubefold_comm* comm, cubefold_request* request,
                                             int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoall_init_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    return cubefold_alltoall_init_c(send->base_addr, send_count, MPI_Type_f2c(*send_type), receive->base_addr,
                                    receive_count, MPI_Type_f2c(*receive_type), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_alltoall_init_c_in_place(const CFI_cdesc_t* buffer, MPI_Count count,
                                                      const MPI_Fint* type, const cubefold_comm* comm,
                                                      cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoall_init_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const MPI_Datatype c_type = MPI_Type_f2c(*type);
    return cubefold_alltoall_init_c(MPI_IN_PLACE, count, c_type, buffer->base_addr, count, c_type, *comm,
                                    request);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw_init_c(const CFI_cdesc_t* send, const MPI_Count* send_counts,
                                              const MPI_Aint* send_displacements, const MPI_Fint* send_types,
                                              const CFI_cdesc_t* receive, const MPI_Count* receive_counts,
                                              const MPI_Aint* receive_displacements,
                                              const MPI_Fint* receive_types, const cubefold_comm* comm,
                                              cubefold_request* request, int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoallw_init_c", ierror, *comm, {{send, "send"}, {receive, "receive"}}, [&] {
    const TypesOfRanks of_sent(send_types, *comm);
    const TypesOfRanks of_received(receive_types, *comm);
    return cubefold_alltoallw_init_c(send->base_addr, send_counts, send_displacements, of_sent.data(),
                                     receive->base_addr, receive_counts, receive_displacements,
                                     of_received.data(), *comm, request);
  });
}

CUBEFOLD_API void cubefold_f_alltoallw_init_c_in_place(const CFI_cdesc_t* buffer, const MPI_Count* counts,
                                                       const MPI_Aint* displacements, const MPI_Fint* types,
                                                       const cubefold_comm* comm, cubefold_request* request,
                                                       int* ierror) {
  *request = nullptr;
  run_exchange("cubefold_alltoallw_init_c", ierror, *comm, {{buffer, "buffer"}}, [&] {
    const TypesOfRanks of_ranks(types, *comm);
    return cubefold_alltoallw_init_c(MPI_IN_PLACE, counts, displacements, of_ranks.data(), buffer->base_addr,
                                     counts, displacements, of_ranks.data(), *comm, request);
  });
}
}
