#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "array_transform_plan.hpp"
#include "cubefold/fft/plan.hpp"
#include "cubefold/mpi/error.hpp"
#include "fused_stage_plan.hpp"
#include "mpi/alltoall_plan.hpp"
#include "process_axes.hpp"
#include "shared_scratch.hpp"
#include "square_exchange_plan.hpp"
#include "transform/lowered_program.hpp"
#include "transform/pointwise.hpp"
#include "transform/program.hpp"
#include "window_plan.hpp"

namespace cubefold::fft {

struct ExecutionOptions {
  std::size_t batch = 1;
  Rigor rigor = Rigor::estimate;
  bool is_interleaved = false;  ///< whether the numbers of one point of all arrays lie together

  /// These say whether transforms of several dimensions may be one plan of FFTW, and whether the members of every axis
  /// may exchange points through memory that they share. They are the same on all processes. Both may change how
  /// results are rounded.
  bool joins_transforms = false;
  bool uses_windows = false;
  bool separates_columns = false;  ///< see LoweringOptions; threads imply it
  bool takes_squares = false;      ///< whether exchanges of squares are in place, see SquareExchange

  std::shared_ptr<Workers> workers = nullptr;  ///< null if the calling thread computes alone

  /// Scratch memory of fused stages, not null. Executions that do not run at the same time may share it.
  std::shared_ptr<SharedScratch> scratch = nullptr;
};

/// A program that is lowered for this process, once between two arrays and once in place, with FFTW plans, exchange
/// plans, tables and scratch memory. The two forms share the plans that both use.
template <typename Real>
class Execution {
 public:
  using Complex = std::complex<Real>;

  /// Does not communicate. The object can run after make().
  Execution(Program program, ProcessAxes axes, ExecutionOptions options);

  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Plans everything and takes all memory that runs need, but for exchanges whose candidates runs measure. All
  /// processes of the axes must call this; they are the processes of `comm`. Throws on all processes if it throws on
  /// one.
  void make(MPI_Comm comm, bool only_in_place = false);

  /// Returns the bytes of the workspace that a run between two arrays or in place needs.
  std::size_t workspace_bytes(bool in_place) const;

  /// Returns whether a run has a square exchange, alike on all processes.
  bool has_square() const;

  /// Returns the bytes of a block of each exchange with several members, or 0 if it goes through shared memory.
  const std::vector<std::size_t>& block_bytes() const { return block_bytes_; }

  /// Runs the program. All processes must call this. The workspace has workspace_bytes(input == output). Input and
  /// output may be the same array. If this throws on one process, the processes that wait for it throw too.
  void execute(const Complex* input, Complex* output, Complex* workspace);

  /// Returns whether the next execute() measures candidates for an exchange of any process. All processes must call
  /// this.
  bool is_measuring() const;

  /// Returns a line for each exchange that is or was measured, with the state of its measurements. Does not
  /// communicate.
  std::string measurements() const;

  /// Returns how often points go over memory. Does not communicate.
  std::size_t passes(bool in_place) const;

  std::size_t threads() const { return options_.threads; }  ///< threads that compute

  const PhaseTimes& times() const { return times_; }  ///< times of the last execute()

 private:
  /// The means to run one operation. Only the pointer for its kind is set.
  struct Prepared {
    std::shared_ptr<const FusedStagePlan<Real>> fused;
    std::shared_ptr<const ArrayTransformPlan<Real>> joined;
    std::shared_ptr<const SharedTransformPlan<Real>> shared;
    std::shared_ptr<const WindowExchangePlan<Real>> window;
    std::shared_ptr<const SquareExchangePlan<Real>> square;
    std::shared_ptr<const Pointwise<Real>> pointwise;
    std::shared_ptr<mpi::Exchange> exchange;
  };

  /// The lowered program, either between two arrays or in place.
  struct Form {
    LoweredProgram lowered;
    std::vector<Prepared> prepared;  ///< one entry for each operation
  };

  void choose_windows(MPI_Comm comm);
  void make_windows(MPI_Comm comm);
  void plan_exchanges(MPI_Comm comm);
  void prepare(Form& form, bool in_place);
  std::shared_ptr<const FusedStagePlan<Real>> planned(const FusedStage& stage) const;
  std::shared_ptr<const ArrayTransformPlan<Real>> planned(const ArrayTransform& transform,
                                                          const Operation& operation) const;
  std::shared_ptr<const SharedTransformPlan<Real>> planned(const SharedTransform& transform) const;
  std::shared_ptr<const WindowExchangePlan<Real>> planned(const WindowExchange& exchange) const;
  std::shared_ptr<const SquareExchangePlan<Real>> planned(const SquareExchange& exchange,
                                                          bool in_place) const;
  std::shared_ptr<const Pointwise<Real>> prepared_pointwise(const Operation& operation);
  void make_kernel(std::size_t stage, MPI_Comm comm);
  void tell_all_axes(const mpi::Failure& failure) const;
  Complex* buffer(const Form& form, Buffer which) const;
  const Complex* read_by(const Form& form, std::size_t i) const;
  Complex* written_by(const Form& form, std::size_t i) const;
  void run(const Form& form);
  void run_alone(const Form& form, std::size_t i);
  void run_shared(const SharedTransformPlan<Real>& plan, const Complex* from, Complex* to);
  void run_window(const WindowExchangePlan<Real>& plan, const Complex* from, Complex* to);
  void run_square(const SquareExchangePlan<Real>& plan, const Complex* from, Complex* to);
  Complex* slot_of(const mpi::SharedWindow& window, std::size_t tile, std::size_t points) const;
  void run_slabs(const Form& form, std::size_t i);
  void run_packets(const Form& form, std::size_t first, std::size_t exchange);

  Program program_;
  ProcessAxes axes_;
  Rigor rigor_;
  std::shared_ptr<Workers> workers_;        ///< null if the calling thread computes alone
  std::shared_ptr<SharedScratch> scratch_;  ///< null after make(): plans that need it have it
  Layout::Members members_;
  LoweringOptions options_;
  std::vector<std::shared_ptr<mpi::SharedWindow>> windows_;  ///< of the axes; null where none is needed
  std::vector<bool> through_window_;                         ///< one entry for each exchange stage
  std::vector<std::shared_ptr<mpi::Exchange>> exchanges_;    ///< of exchanges of blocks with several members
  std::vector<CallKind> forms_;                              ///< of their calls
  std::vector<std::size_t> block_bytes_;
  std::vector<std::size_t> arrived_bytes_;                   ///< bytes from each member, in packets
  std::vector<std::shared_ptr<Pointwise<Real>>> pointwise_;  ///< one entry for each stage
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
