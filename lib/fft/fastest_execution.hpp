#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "execution.hpp"

namespace cubefold::fft {

/// The executions of a program that are the fastest between two arrays and in place. Both may be the same.
template <typename Real>
class FastestExecution {
 public:
  using Complex = std::complex<Real>;

  FastestExecution(std::shared_ptr<Execution<Real>> apart, std::shared_ptr<Execution<Real>> in_place);

  /// Returns the bytes of the workspace, for both.
  std::size_t workspace_bytes() const;

  const std::vector<std::size_t>& block_bytes(bool in_place) const { return chosen(in_place).block_bytes(); }

  /// As Execution::execute().
  void execute(const Complex* input, Complex* output, Complex* workspace);

  /// As Execution::is_measuring(), for any of both.
  bool is_measuring() const;

  std::string measurements() const;

  /// Returns a line with the passes over memory between two arrays and in place. Does not communicate.
  std::string passes() const;

  /// Returns a line with the threads that are taken in each form, and the cores that the process may use. Does not
  /// communicate.
  std::string threads() const;

  const PhaseTimes& times() const { return chosen(last_was_in_place_).times(); }

 private:
  Execution<Real>& chosen(bool in_place) const { return in_place ? *in_place_ : *apart_; }

  std::shared_ptr<Execution<Real>> apart_;
  std::shared_ptr<Execution<Real>> in_place_;
  bool last_was_in_place_ = false;
};

/// Programs of one transform whose layouts have the points at the same places.
struct ProgramForms {
  Program of_options;     ///< for the threads of the options
  Program of_one_thread;  ///< the same, unless threads need another one
};

/// Makes the executions of a program. With more rigor than Rigor::estimate, where the options allow joined transforms,
/// windows or square exchanges, it makes the execution with and without them, runs each between two arrays and in
/// place, and takes for both the one whose slowest process takes least, among those that need little workspace if there
/// are any. If only one of the forms needs little workspace, the other one takes the same without trials. While it
/// measures it takes the memory of one array and of the workspaces. All processes of the axes must call this; they are
/// the processes of `comm`. Throws on all processes if it throws on one.
template <typename Real>
std::unique_ptr<FastestExecution<Real>> fastest_execution(const ProgramForms& programs,
                                                          const ProcessAxes& axes,
                                                          const ExecutionOptions& options, MPI_Comm comm);

extern template class FastestExecution<float>;
extern template class FastestExecution<double>;
extern template std::unique_ptr<FastestExecution<float>> fastest_execution(const ProgramForms&,
                                                                           const ProcessAxes&,
                                                                           const ExecutionOptions&, MPI_Comm);
extern template std::unique_ptr<FastestExecution<double>> fastest_execution(const ProgramForms&,
                                                                            const ProcessAxes&,
                                                                            const ExecutionOptions&,
                                                                            MPI_Comm);

}  // namespace cubefold::fft
