/* This library is preloaded to end a program at the moment at which it has made an incomplete file. CUBEFOLD_END is the
 * number of the signal. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static int open_and_end(const char* path, int flags, mode_t mode) {
  const int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  const char* number = getenv("CUBEFOLD_END");
  if (number != NULL && file >= 0 && (flags & O_CREAT) != 0 && strstr(path, ".part") != NULL)
    raise(atoi(number));
  return file;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open_and_end(path, flags, mode);
}

int open64(const char* path, int flags, ...) __attribute__((alias("open")));
