/* This library is preloaded into every process of a lab. A process of MPICH that waits calls ucp_worker_progress() of
   UCX repeatedly and never leaves its core. The emulated network needs the cores of the machine, so this
   ucp_worker_progress() sleeps as sched_yield() of this library does if there was nothing to do. */

#define _GNU_SOURCE

#include <dlfcn.h>
#include <sched.h>
#include <stddef.h>

unsigned ucp_worker_progress(void* worker);

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*next)(void*) = NULL;
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "ucp_worker_progress");
  const unsigned count = next(worker);
  if (count == 0) sched_yield();
  return count;
}
