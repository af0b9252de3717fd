/* This library is preloaded to end a program when a file is written but does not have its name yet. CUBEFOLD_END is
 * the number of the signal. If CUBEFOLD_END_HANDLED is set, the program has a handler for it that does nothing. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void go_on(int number) {
  (void)number;
}

__attribute__((constructor)) static void handle(void) {
  const char* number = getenv("CUBEFOLD_END");
  if (number != NULL && getenv("CUBEFOLD_END_HANDLED") != NULL) signal(atoi(number), go_on);
}

int rename(const char* old_name, const char* new_name) {
  const char* number = getenv("CUBEFOLD_END");
  if (number != NULL) raise(atoi(number));
  return renameat(AT_FDCWD, old_name, AT_FDCWD, new_name);
}
