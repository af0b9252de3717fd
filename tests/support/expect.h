/* These macros are expectations of C tests. An expectation that fails is counted, and printed with the last error. */
#pragma once

#include <cubefold/cubefold.h>
#include <stdio.h>

static int failures = 0;

#define EXPECT(condition)                                                                    \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      fprintf(stderr, "%s:%d: not so: %s; last error: %s\n", __FILE__, __LINE__, #condition, \
              cubefold_last_error());                                                        \
      ++failures;                                                                            \
    }                                                                                        \
  } while (0)
