#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/mpi/error.hpp"
#include "fused_stage_plan.hpp"
#include "process_axes.hpp"
#include "transform/lowered_program.hpp"
#include "transform/pointwise.hpp"
#include "transform/program.hpp"

namespace cubefold::fft {

/// A program that is lowered for this process, between two arrays and in one, with everything that running it needs:
/// FFTW plans, exchange plans, tables and scratch memory. What the two forms have in common exists once.
template <typename Real>
class Execution {
 public:
  using Complex = std::complex<Real>;

  /// Local. The object runs when make() is done.
  Execution(Program program, ProcessAxes axes, std::size_t batch, Rigor rigor);

  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Collective over `comm`, all processes of the axes. Takes all memory that runs need. Throws alike on all processes.
  void make(MPI_Comm comm, bool only_in_place = false);

  std::size_t workspace_bytes() const;

  /// Returns the bytes of a block of each exchange among more than one member.
  const std::vector<std::size_t>& block_bytes() const { return block_bytes_; }

  /// Collective. The workspace has workspace_bytes(). Input and output may be the same array. Where this throws on one
  /// process, those that wait for it throw too.
  void execute(const Complex* input, Complex* output, Complex* workspace);

  const PhaseTimes& times() const { return times_; }  ///< of the last execute()

 private:
  /// What one operation runs with; the pointer of its kind is set.
  struct Prepared {
    std::shared_ptr<const FusedStagePlan<Real>> fused;
    std::shared_ptr<const Pointwise<Real>> pointwise;
    std::shared_ptr<mpi::AlltoallPlan> exchange;
  };

  /// The program between two arrays, or in one.
  struct Form {
    LoweredProgram lowered;
    std::vector<Prepared> prepared;  ///< of each operation
  };

  void plan_exchanges(MPI_Comm comm);
  void prepare(Form& form, bool in_place);
  std::shared_ptr<const FusedStagePlan<Real>> planned(const FusedStage& stage) const;
  std::shared_ptr<const Pointwise<Real>> prepared_pointwise(const Operation& operation);
  void make_kernel(std::size_t stage, MPI_Comm comm);
  void tell_all_axes(const mpi::Failure& failure) const;
  Complex* buffer(const Form& form, Buffer which) const;
  const Complex* read_by(const Form& form, std::size_t i) const;
  Complex* written_by(const Form& form, std::size_t i) const;
  void run(const Form& form);
  void run_alone(const Form& form, std::size_t i);
  void run_slabs(const Form& form, std::size_t i);
  void run_packets(const Form& form, std::size_t first, std::size_t exchange);

  Program program_;
  ProcessAxes axes_;
  Rigor rigor_;
  Layout::Members members_;
  LoweringOptions options_;
  std::vector<std::shared_ptr<mpi::AlltoallPlan>>
      exchanges_;  ///< of each exchange among more than one member
  std::vector<std::size_t> block_bytes_;
  std::vector<std::size_t> arrived_bytes_;                   ///< from each member, in an exchange in packets
  std::vector<std::shared_ptr<Pointwise<Real>>> pointwise_;  ///< by stage
  Form apart_;
  Form in_place_;
  const Complex* input_ = nullptr;  ///< the arrays of the last execute()
  Complex* output_ = nullptr;
  Complex* workspace_ = nullptr;
  PhaseTimes times_;
};

extern template class Execution<float>;
extern template class Execution<double>;

}  // namespace cubefold::fft
