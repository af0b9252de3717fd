/* This library is preloaded into every process of a lab. An MPI process that waits calls sched_yield() repeatedly. On
   current kernels this hardly frees the core, and the emulated network needs the cores of the machine. This
   sched_yield() therefore sleeps for 0.1 ms. */

#define _POSIX_C_SOURCE 199309L

#include <time.h>

int sched_yield(void);

int sched_yield(void) {
  const struct timespec pause = {0, 100000};
  nanosleep(&pause, 0);
  return 0;
}
