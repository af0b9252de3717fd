#include <cubefold/fft/plan.hpp>

#include <complex>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool right = true;
  {
    const cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, "torus:2x2", "xor");
    cubefold::fft::Plan<double> plan(comm, {64});
    std::vector<std::complex<double>> part(plan.input_count());
    if (plan.input().point_at(plan.members(), 0) == 0) part[0] = 1;
    plan.execute(part.data(), part.data());
    for (const auto& value : part) right = right && value == std::complex<double>(1);
    if (label(comm.rank()) == 0) std::printf("impulse to ones: %s\n", right ? "right" : "wrong");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
