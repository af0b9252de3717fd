/* This library is preloaded into every process of a lab. An MPI process that waits calls sched_yield() repeatedly. On
   current kernels this hardly frees the core, and the emulated network needs the cores of the machine. This
   sched_yield() therefore sleeps, for the number of microseconds in CUBEFOLD_LAB_PAUSE or for 0.1 ms. */

#define _POSIX_C_SOURCE 199309L

#include <stdlib.h>
#include <time.h>

static long pause_ns = 100000;

__attribute__((constructor)) static void read_pause(void) {
  const char* text = getenv("CUBEFOLD_LAB_PAUSE");
  const long microseconds = text != NULL ? strtol(text, NULL, 10) : 0;
  if (microseconds > 0 && microseconds < 1000000) pause_ns = microseconds * 1000;
}

int sched_yield(void);

int sched_yield(void) {
  const struct timespec pause = {0, pause_ns};
  nanosleep(&pause, 0);
  return 0;
}
