/* This library is preloaded to test whether the programs' own checks can fail. It changes bytes of every long message
 * on its way. Byte 0 of a double has the lowest bit of the mantissa, and byte 6 has one of its top bits. */
#include <mpi.h>

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wcast-qual"
#else
#pragma GCC diagnostic ignored "-Wcast-qual"
#endif

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (type == MPI_BYTE && count > 16) {
    ((unsigned char*)buffer)[count / 2] ^= 1;
    ((unsigned char*)buffer)[count / 2 + 6] ^= 1;
  }
  return PMPI_Isend(buffer, count, type, dest, tag, comm, request);
}

int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int dest, int send_tag,
                 void* receive, int receive_count, MPI_Datatype receive_type, int source, int receive_tag,
                 MPI_Comm comm, MPI_Status* status) {
  const int code = PMPI_Sendrecv(send, send_count, send_type, dest, send_tag, receive, receive_count,
                                 receive_type, source, receive_tag, comm, status);
  if (receive_type == MPI_BYTE && receive_count > 16) ((unsigned char*)receive)[6] ^= 1;
  return code;
}
