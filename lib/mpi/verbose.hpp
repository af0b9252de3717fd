#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/export.h"

namespace cubefold::mpi {

struct JobNodes;

/// Prints a JobSummary of the first communicator on standard error, if this is process 0 of MPI_COMM_WORLD and
/// CUBEFOLD_VERBOSE is 1 there. Does not communicate and does not throw.
CUBEFOLD_API void print_job_once(const JobNodes& job, std::size_t process_count,
                                 const char* placement) noexcept;

/// How calls of one class were made the last time.
struct CallChoice {
  std::string nodes;                 ///< the name of the network
  std::string calls;                 ///< `equal`, `unequal` or `typed` blocks, a collective, or `neighbours`
  std::optional<std::size_t> bytes;  ///< of a block or of a vector, where one size stands for the class
  std::string title;                 ///< the class in words
  std::string text;                  ///< the choice and its reason
};

/// The choices of an object, as reported_choices() returns them. If CUBEFOLD_VERBOSE is 1, they are printed on standard
/// error at the end: when the object is destroyed or in MPI_Finalize. Only process 0 of MPI_COMM_WORLD keeps choices,
/// and only if that or CUBEFOLD_SUMMARY asks for them.
class CUBEFOLD_API EndReport {
 public:
  using Choices = std::function<std::vector<CallChoice>()>;

  /// `choices` must not communicate. What it refers to must outlive this object.
  explicit EndReport(Choices choices) noexcept;
  EndReport(const EndReport&) = delete;
  EndReport& operator=(const EndReport&) = delete;
  ~EndReport();

  /// Returns the choices so far.
  std::vector<CallChoice> choices() const { return choices_(); }

  /// Prints the choices and keeps them for reported_choices(), unless that is done.
  void close() noexcept;

 private:
  Choices choices_;      ///< empty if nothing is to be reported
  bool prints_ = false;  ///< whether they are printed
};

/// Returns the choices of this process so far, of those on the same network for the same calls and bytes the last one.
/// Returns nothing unless CUBEFOLD_SUMMARY or CUBEFOLD_VERBOSE is set. Does not communicate.
CUBEFOLD_API std::vector<CallChoice> reported_choices();

}  // namespace cubefold::mpi
