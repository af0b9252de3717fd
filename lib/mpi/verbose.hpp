#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "cubefold/export.h"

namespace cubefold::mpi {

struct JobNodes;

/// Prints a JobSummary of the first communicator on standard error, if this is process 0 of MPI_COMM_WORLD and
/// CUBEFOLD_VERBOSE is 1 there. Does not communicate and does not throw.
CUBEFOLD_API void print_job_once(const JobNodes& job, std::size_t process_count,
                                 const char* placement) noexcept;

/// Prints a text on standard error at the end: when the object is destroyed or in MPI_Finalize, if this is process 0 of
/// MPI_COMM_WORLD and CUBEFOLD_VERBOSE is 1 there. Other processes and programs keep nothing.
class CUBEFOLD_API EndReport {
 public:
  /// `text` returns lines, and must not communicate. What it refers to must outlive this object.
  explicit EndReport(std::function<std::string()> text) noexcept;
  EndReport(const EndReport&) = delete;
  EndReport& operator=(const EndReport&) = delete;
  ~EndReport();

  /// Prints the text, unless it was printed.
  void print() noexcept;

 private:
  std::function<std::string()> text_;  ///< empty if there is nothing to print
};

}  // namespace cubefold::mpi
