/* This library is preloaded to end one process of a job when it writes to a file by pwrite(). CUBEFOLD_END_RANK is
 * the rank of the process. CUBEFOLD_END is the number of a signal, 0 for MPI_Abort, or the path of a named pipe. The
 * process opens the pipe for writing, which tells its reader, and waits for a signal. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void end_here(const char* how) {
  if (!isdigit((unsigned char)how[0])) {
    if (open(how, O_WRONLY) >= 0) pause();
  } else if (atoi(how) == 0) {
    MPI_Abort(MPI_COMM_WORLD, 3);
    _exit(3); /* MPI_Abort of MPICH 4.2 returns. */
  } else {
    raise(atoi(how));
  }
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t offset) {
  ssize_t (*next)(int, const void*, size_t, off_t) = NULL;
  int rank = 0;
  const char* how = getenv("CUBEFOLD_END");
  const char* who = getenv("CUBEFOLD_END_RANK");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (how != NULL && who != NULL && atoi(who) == rank) end_here(how);
  *(void**)&next = dlsym(RTLD_NEXT, "pwrite");
  return next(file, bytes, count, offset);
}
