#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace cubefold::fftw_mpi {

/// Everything that the report at the end says of this process, for both precisions.
struct Report {
  std::atomic<std::uint64_t> plans = 0;  ///< of Fourier transforms by FFTW MPI
  std::atomic<std::uint64_t> plans_of_cubefold = 0;
  std::atomic<std::uint64_t> runs = 0;  ///< executions of all these plans
  std::atomic<std::uint64_t> runs_of_cubefold = 0;
  std::atomic<double> seconds_saved = 0;  ///< as measured; negative if the measurements cost more
};

Report& report();

/// Returns one line that says how many transforms were replaced.
std::string text_of_report();

/// Lets process 0 print the report in MPI_Finalize, and this process keep what it then has. Only the first call does
/// that. Throws mpi::Error if MPI fails.
void report_at_the_end();

}  // namespace cubefold::fftw_mpi
