/* This library is preloaded to report which algorithm runs inside MPI_Alltoall. Open MPI 4.1 has its algorithms in
 * functions of these names and calls them from another library, so this library can replace them. MPICH looks into its
 * control variable in every call, so this library reports the number in it. Process 0 writes the algorithm and the
 * count of a block to standard error, and passes the call on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(const char* algorithm, int count) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank == NULL) rank = getenv("PMI_RANK");
  if (rank != NULL && strcmp(rank, "0") == 0) fprintf(stderr, "alltoall: %s %d\n", algorithm, count);
}

#define PASS_ON(function, algorithm)                                                                       \
  int function(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count, \
               MPI_Datatype receive_type, MPI_Comm comm, void* module) {                                   \
    int (*next)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, void*);                \
    *(void**)&next = dlsym(RTLD_NEXT, #function);                                                          \
    report(algorithm, send_count);                                                                         \
    return next(send, send_count, send_type, receive, receive_count, receive_type, comm, module);          \
  }

PASS_ON(ompi_coll_base_alltoall_intra_basic_linear, "linear")
PASS_ON(ompi_coll_base_alltoall_intra_pairwise, "pairwise")
PASS_ON(ompi_coll_base_alltoall_intra_bruck, "bruck")
PASS_ON(ompi_coll_base_alltoall_intra_two_procs, "two-procs")

int ompi_coll_base_alltoall_intra_linear_sync(const void* send, int send_count, MPI_Datatype send_type,
                                              void* receive, int receive_count, MPI_Datatype receive_type,
                                              MPI_Comm comm, void* module, int max_requests) {
  int (*next)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, void*, int);
  *(void**)&next = dlsym(RTLD_NEXT, "ompi_coll_base_alltoall_intra_linear_sync");
  report("linear-sync", send_count);
  return next(send, send_count, send_type, receive, receive_count, receive_type, comm, module, max_requests);
}

#ifdef MPICH
static void report_number_in_mpich(int count) {
  int index = 0, provided = 0, value_count = 0, number = 0;
  char text[16];
  MPI_T_cvar_handle handle;
  /* MPICH would forget its variables in MPI_T_finalize if nothing else used them. */
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) return;
  if (MPI_T_cvar_get_index("MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM", &index) == MPI_SUCCESS) {
    MPI_T_cvar_handle_alloc(index, NULL, &handle, &value_count);
    MPI_T_cvar_read(handle, &number);
    MPI_T_cvar_handle_free(&handle);
    snprintf(text, sizeof text, "%d", number);
    report(text, count);
  }
}

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm) {
  report_number_in_mpich(send_count);
  return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}
#endif
