// This file has the C side of the handle and the messages in cubefold.f90.
#include "fortran/arguments.hpp"

using cubefold::fortran::OptionalText;
using cubefold::fortran::run;
using cubefold::fortran::run_with;
using cubefold::fortran::StatusOut;

namespace {

/// Runs call(request), and stores the request for Fortran.
template <typename Call>
int with_request(MPI_Fint* request, Call call) {
  MPI_Request made = MPI_REQUEST_NULL;
  const int code = call(&made);
  *request = MPI_Request_c2f(made);
  return code;
}

/// Runs call(status), and stores the status for Fortran.
template <typename Call>
int with_status(MPI_Fint* fortran, Call call) {
  StatusOut status(fortran);
  const int code = call(status.c_status());
  if (code == CUBEFOLD_SUCCESS) status.store();
  return code;
}

}  // namespace

extern "C" {

CUBEFOLD_API void cubefold_f_create(const MPI_Fint* mpi_comm, cubefold_comm* comm, const CFI_cdesc_t* grid,
                                    const CFI_cdesc_t* placement, int* ierror) {
  run("cubefold_comm_create", ierror, [&] {
    const OptionalText grid_text(grid);
    const OptionalText placement_text(placement);
    return cubefold_comm_create(MPI_Comm_f2c(*mpi_comm), grid_text.c_str(), placement_text.c_str(), comm);
  });
}

CUBEFOLD_API void cubefold_f_free(cubefold_comm* comm, int* ierror) {
  run("cubefold_comm_free", ierror, [&] { return cubefold_comm_free(comm); });
}

CUBEFOLD_API void cubefold_f_create_with_info(const MPI_Fint* mpi_comm, const MPI_Fint* info,
                                              cubefold_comm* comm, int* ierror) {
  run("cubefold_comm_create_with_info", ierror,
      [&] { return cubefold_comm_create_with_info(MPI_Comm_f2c(*mpi_comm), MPI_Info_f2c(*info), comm); });
}

CUBEFOLD_API void cubefold_f_report(int code, int* ierror) {
  cubefold::fortran::report(code, ierror);
}

CUBEFOLD_API void cubefold_f_virtual(const cubefold_comm* comm, MPI_Fint* ranks) {
  *ranks = MPI_Comm_c2f(cubefold_comm_virtual(*comm));
}

CUBEFOLD_API void cubefold_f_cart(const cubefold_comm* comm, MPI_Fint* cart) {
  *cart = MPI_Comm_c2f(cubefold_comm_cart(*comm));
}

CUBEFOLD_API void cubefold_f_size(const cubefold_comm* comm, int* size, int* ierror) {
  run("cubefold_comm_size", ierror, [&] { return cubefold_comm_size(*comm, size); });
}

CUBEFOLD_API void cubefold_f_node(const cubefold_comm* comm, int* node, int* ierror) {
  run("cubefold_comm_node", ierror, [&] { return cubefold_comm_node(*comm, node); });
}

CUBEFOLD_API int cubefold_f_cart_create(const cubefold_comm* comm, int ndims, const int* dims,
                                        const int* periods, MPI_Fint* cart) {
  MPI_Comm made = MPI_COMM_NULL;
  const int code = cubefold_cart_create(*comm, ndims, dims, periods, &made);
  *cart = MPI_Comm_c2f(made);
  return code;
}

CUBEFOLD_API void cubefold_f_comm_split(const cubefold_comm* comm, const CFI_cdesc_t* resource,
                                        MPI_Fint* part, int* ierror) {
  run("cubefold_comm_split", ierror, [&] {
    MPI_Comm made = MPI_COMM_NULL;
    const OptionalText name(resource);
    const int code = cubefold_comm_split(*comm, name.c_str(), &made);
    *part = MPI_Comm_c2f(made);
    return code;
  });
}

CUBEFOLD_API void cubefold_f_to_virtual(const cubefold_comm* comm, int node, int* rank, int* ierror) {
  run("cubefold_to_virtual", ierror, [&] { return cubefold_to_virtual(*comm, node, rank); });
}

CUBEFOLD_API void cubefold_f_to_physical(const cubefold_comm* comm, int rank, int* node, int* ierror) {
  run("cubefold_to_physical", ierror, [&] { return cubefold_to_physical(*comm, rank, node); });
}

CUBEFOLD_API void cubefold_f_rank(const cubefold_comm* comm, int* rank, int* ierror) {
  run("cubefold_comm_rank", ierror, [&] { return cubefold_comm_rank(*comm, rank); });
}

CUBEFOLD_API void cubefold_f_send(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type, int dest,
                                  int tag, const cubefold_comm* comm, int* ierror) {
  run_with("cubefold_v_send", ierror, {{buffer, "buffer"}},
           [&] { return cubefold_v_send(buffer->base_addr, count, MPI_Type_f2c(*type), dest, tag, *comm); });
}

CUBEFOLD_API void cubefold_f_recv(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type, int source,
                                  int tag, const cubefold_comm* comm, MPI_Fint* status, int* ierror) {
  run_with("cubefold_v_recv", ierror, {{buffer, "buffer"}}, [&] {
    return with_status(status, [&](MPI_Status* c_status) {
      return cubefold_v_recv(buffer->base_addr, count, MPI_Type_f2c(*type), source, tag, *comm, c_status);
    });
  });
}

CUBEFOLD_API void cubefold_f_isend(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type, int dest,
                                   int tag, const cubefold_comm* comm, MPI_Fint* request, int* ierror) {
  run_with("cubefold_v_isend", ierror, {{buffer, "buffer"}}, [&] {
    return with_request(request, [&](MPI_Request* made) {
      return cubefold_v_isend(buffer->base_addr, count, MPI_Type_f2c(*type), dest, tag, *comm, made);
    });
  });
}

CUBEFOLD_API void cubefold_f_irecv(const CFI_cdesc_t* buffer, int count, const MPI_Fint* type, int source,
                                   int tag, const cubefold_comm* comm, MPI_Fint* request, int* ierror) {
  run_with("cubefold_v_irecv", ierror, {{buffer, "buffer"}}, [&] {
    return with_request(request, [&](MPI_Request* made) {
      return cubefold_v_irecv(buffer->base_addr, count, MPI_Type_f2c(*type), source, tag, *comm, made);
    });
  });
}

CUBEFOLD_API void cubefold_f_sendrecv(const CFI_cdesc_t* send, int send_count, const MPI_Fint* send_type,
                                      int dest, int send_tag, const CFI_cdesc_t* receive, int receive_count,
                                      const MPI_Fint* receive_type, int source, int receive_tag,
                                      const cubefold_comm* comm, MPI_Fint* status, int* ierror) {
  run_with("cubefold_v_sendrecv", ierror, {{send, "send"}, {receive, "receive"}}, [&] {
    return with_status(status, [&](MPI_Status* c_status) {
      return cubefold_v_sendrecv(send->base_addr, send_count, MPI_Type_f2c(*send_type), dest, send_tag,
                                 receive->base_addr, receive_count, MPI_Type_f2c(*receive_type), source,
                                 receive_tag, *comm, c_status);
    });
  });
}

}  // extern "C"
