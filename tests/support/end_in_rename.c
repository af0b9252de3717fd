/* This library is preloaded to end a program when a file is written but does not have its name yet. CUBEFOLD_END is
 * the number of the signal. If CUBEFOLD_END_HANDLED is set, the program has a handler for it that does nothing. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int rename(const char* old_name, const char* new_name);

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
  return (int)syscall(SYS_rename, old_name, new_name);
}
