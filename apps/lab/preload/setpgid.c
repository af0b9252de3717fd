/* This library is preloaded into every process of a lab. mpirun puts each launch agent into a separate process group.
   It writes a warning if the agent runs already, which is usual with agents on the same machine and no error. */

#define _GNU_SOURCE

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int setpgid(pid_t process, pid_t group) {
  const long status = syscall(SYS_setpgid, process, group);
  return status == -1 && errno == EACCES ? 0 : (int)status;
}
