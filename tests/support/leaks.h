/* For C and C++. */
#pragma once

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define CUBEFOLD_TEST_LEAKS
#endif
#endif

/* Ends the process with a report if memory has leaked, where the sanitizer looks for leaks. This comes before
 * MPI_Finalize, which unloads components of Open MPI: their own leaks could not be told from ours afterwards. The file
 * leaks.supp names what Open MPI keeps. */
static inline void expect_no_leaks(void) {
#ifdef CUBEFOLD_TEST_LEAKS
  __lsan_do_leak_check();
#endif
}
