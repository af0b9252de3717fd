/* This library is preloaded to measure how long a process spends in MPI_Alltoall and MPI_Alltoallv. Programs in
 * Fortran call the functions whose names begin with PMPI. At its end, a process writes the seconds into a file of its
 * own in the folder TIMED_ALLTOALL. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double spent = 0;
/* The number of calls under way: a library calls MPI in a call of the program. The program has one thread. */
static int depth = 0;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

__attribute__((destructor)) static void report(void) {
  const char* folder = getenv("TIMED_ALLTOALL");
  char path[4096];
  if (folder == NULL || spent == 0) return;
  snprintf(path, sizeof path, "%s/%ld.seconds", folder, (long)getpid());
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%.6f\n", spent);
  fclose(file);
}

#define TIMED(function, parameters, arguments)    \
  int function parameters {                       \
    int(*next) parameters;                        \
    *(void**)&next = dlsym(RTLD_NEXT, #function); \
    const double begin = now();                   \
    ++depth;                                      \
    const int error = next arguments;             \
    --depth;                                      \
    if (depth == 0) spent += now() - begin;       \
    return error;                                 \
  }

#define EQUAL_PARAMETERS                                                                       \
  (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count, \
   MPI_Datatype receive_type, MPI_Comm comm)
#define EQUAL_ARGUMENTS (send, send_count, send_type, receive, receive_count, receive_type, comm)
#define UNEQUAL_PARAMETERS                                                                                \
  (const void* send, const int* send_counts, const int* send_displacements, MPI_Datatype send_type,       \
   void* receive, const int* receive_counts, const int* receive_displacements, MPI_Datatype receive_type, \
   MPI_Comm comm)
#define UNEQUAL_ARGUMENTS                                                                            \
  (send, send_counts, send_displacements, send_type, receive, receive_counts, receive_displacements, \
   receive_type, comm)

TIMED(MPI_Alltoall, EQUAL_PARAMETERS, EQUAL_ARGUMENTS)
TIMED(PMPI_Alltoall, EQUAL_PARAMETERS, EQUAL_ARGUMENTS)
TIMED(MPI_Alltoallv, UNEQUAL_PARAMETERS, UNEQUAL_ARGUMENTS)
TIMED(PMPI_Alltoallv, UNEQUAL_PARAMETERS, UNEQUAL_ARGUMENTS)
