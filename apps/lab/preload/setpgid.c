/* This library is preloaded into every process of a lab. mpirun puts each launch agent into a separate process group.
   The call fails with EACCES if the agent already runs, and mpirun then writes a warning. With agents on the same
   machine this is usual and not an error, so setpgid() returns 0 in this case. */

#define _GNU_SOURCE

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int setpgid(pid_t process, pid_t group) {
  const long status = syscall(SYS_setpgid, process, group);
  return status == -1 && errno == EACCES ? 0 : (int)status;
}
