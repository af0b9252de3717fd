/* This library is preloaded to test what programs do where an exchange takes very long: MPI_Alltoall sleeps before it
 * exchanges blocks of 256 bytes. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <mpi.h>
#include <time.h>

int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                 MPI_Datatype receive_type, MPI_Comm comm) {
  const struct timespec long_time = {10, 500000000};
  if (send_type == MPI_BYTE && send_count == 256) nanosleep(&long_time, NULL);
  return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}
