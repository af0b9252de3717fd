#include "report.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <mutex>

#include "comm_state.hpp"
#include "preload/comm_attribute.hpp"
#include "preload/report_line.hpp"

namespace cubefold::fftw_mpi {

namespace {

/// MPI calls this at the beginning of MPI_Finalize, when it frees the attributes of MPI_COMM_SELF.
int end(MPI_Comm, int, void*, void*) {
  int rank = 0;
  if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0) preload::print_report(text_of_report);
  keep_states();
  return MPI_SUCCESS;
}

}  // namespace

Report& report() {
  static Report report;
  return report;
}

std::string text_of_report() {
  const Report& counts = report();
  return fmt::format("cubefold: {} of {} by cubefold, {} of {}{}{}\n", counts.runs_of_cubefold.load(),
                     preload::plural(counts.runs, "transform") + " of FFTW MPI",
                     counts.plans_of_cubefold.load(), preload::plural(counts.plans, "plan"),
                     preload::text_of_seconds_saved(counts.seconds_saved, "FFTW MPI"),
                     preload::text_of_reason());
}

void report_at_the_end() {
  static std::once_flag is_set;
  std::call_once(is_set, [] {
    static const preload::CommAttribute attribute(end);
    attribute.set(MPI_COMM_SELF, nullptr);
  });
}

}  // namespace cubefold::fftw_mpi
