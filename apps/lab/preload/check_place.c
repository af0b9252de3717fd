/* This library is preloaded into every process of a lab. A process of an MPI job that does not run on its node would
   talk over other links, or over none, so it ends here. Line k of the file that CUBEFOLD_LAB_PLACES names is the name
   of the node of process k. */

#define _GNU_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads the line of this number, from 0 on. Returns 0 if there is none. */
static int read_line(const char* path, long number, char* line, int size) {
  FILE* file = fopen(path, "r");
  if (file == NULL) return 0;
  int is_read = 1;
  for (long k = 0; k <= number && is_read; ++k) is_read = fgets(line, size, file) != NULL;
  fclose(file);
  if (is_read) line[strcspn(line, "\n")] = 0;
  return is_read;
}

__attribute__((constructor)) static void check_place(void) {
  const char* path = getenv("CUBEFOLD_LAB_PLACES");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  char place[256];
  char host[256];
  if (path == NULL || rank == NULL || !read_line(path, atol(rank), place, sizeof place)) return;
  if (gethostname(host, sizeof host) != 0 || strcmp(host, place) == 0) return;
  fprintf(stderr, "cubefold-lab: process %s runs on %s in place of %s\n", rank, host, place);
  _exit(1);
}
