/* These macros are expectations of C tests. An expectation that fails is counted, and printed with the last error. */
#pragma once

#include <cubefold/cubefold.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                    \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      fprintf(stderr, "%s:%d: not so: %s; last error: %s\n", __FILE__, __LINE__, #condition, \
              cubefold_last_error());                                                        \
      ++failures;                                                                            \
    }                                                                                        \
  } while (0)

#define EXPECT_DONE(call) EXPECT((call) == CUBEFOLD_SUCCESS)

#define EXPECT_ERROR(call, text)                        \
  do {                                                  \
    EXPECT((call) == CUBEFOLD_ERROR_ARGUMENT);          \
    EXPECT(strcmp(cubefold_last_error(), (text)) == 0); \
  } while (0)
