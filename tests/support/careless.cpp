// Leaks blocks of ten numbers, and reads numbers that have no value. The search for leaks and valgrind have to say so.
// One of the blocks may stay in a register or on the stack, where the sanitizer still finds it.

#include <mpi.h>

#include <cstdio>

#include "leaks.h"

namespace {

int* volatile last = nullptr;

void leak() {
  for (int i = 0; i < 10; ++i) {
    last = new int[10];
    if (last[i] == 7) std::puts("a seven");
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  leak();
  last = nullptr;
  expect_no_leaks();
  MPI_Finalize();
}
