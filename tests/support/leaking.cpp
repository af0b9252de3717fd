// Leaks blocks of ten numbers. One of them may stay in a register or on the stack, where the sanitizer still finds it.

#include <mpi.h>

#include "leaks.h"

namespace {

int* volatile last = nullptr;

void leak() {
  for (int i = 0; i < 10; ++i) last = new int[10];
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  leak();
  last = nullptr;
  expect_no_leaks();
  MPI_Finalize();
}
