/* Preloaded into every process of a lab. mpirun puts each launch agent into a process group of its own, and writes a
   warning if the agent was faster and runs already. That is no fault, and with agents on the same machine it is usual. */

#define _GNU_SOURCE

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int setpgid(pid_t process, pid_t group) {
  const long status = syscall(SYS_setpgid, process, group);
  return status == -1 && errno == EACCES ? 0 : (int)status;
}
