#include <cubefold/fft/block_cyclic_fft.hpp>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool right = true;
  {
    const cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, "torus:2x2", "xor");
    cubefold::fft::BlockCyclicFft fft(comm, 64, cubefold::fft::Transform::forward);
    std::vector<std::complex<double>> part(fft.distribution().local_count());
    if (fft.distribution().owner(0) == comm.rank()) part[0] = 1;
    fft.execute(part.data(), part.data());
    for (const auto& value : part) right = right && value == std::complex<double>(1);
    if (label(comm.rank()) == 0) std::printf("impulse to ones: %s\n", right ? "right" : "wrong");
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
