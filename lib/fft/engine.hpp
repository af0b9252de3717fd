#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "cubefold/fft/program.hpp"
#include "cubefold/mpi/error.hpp"
#include "packet_run.hpp"
#include "pointwise.hpp"
#include "process_axes.hpp"
#include "ready_way.hpp"
#include "way.hpp"

namespace cubefold::fft {

/// A program ready to run on this process, between two arrays or in one.
template <typename Real>
class Engine {
 public:
  using Complex = std::complex<Real>;

  /// The axes live as long as this. It runs when make() is done.
  Engine(Program program, std::vector<ProcessAxis>& axes, std::size_t batch, Rigor rigor);

  /// Collective over `comm`, all processes of the axes. Throws alike on all processes.
  void make(MPI_Comm comm);

  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Program& program() const { return program_; }
  const Layout::Members& members() const { return members_; }
  std::size_t workspace_bytes() const;

  /// Workspace has workspace_bytes(). Input and output may be the same.
  void run(const Complex* input, Complex* output, Complex* workspace);

  PhaseTimes times() const { return times_; }

  /// Bytes of the blocks of each exchange stage.
  std::vector<std::size_t> block_bytes() const;

 private:
  std::vector<bool> which_travel_in_packets(const std::vector<std::vector<std::size_t>>& rooms,
                                            MPI_Comm comm);
  void make_way(ReadyWay<Real>& ready, const ProcessProgram& here, bool in_place, MPI_Comm comm);
  std::shared_ptr<mpi::AlltoallPlan> exchange_of(ProcessAxis& axis, std::size_t block_count) const;
  Step<Real> own_step(const Move& move) const;
  void finish_step(Step<Real>& step, const Move& move, MPI_Comm comm);
  Pointwise<Real> pointwise_of(std::size_t stage) const;
  void tell_all_axes(const mpi::Failure& failure);
  std::vector<Complex> kernel_of(const KernelStage& stage, std::size_t number, MPI_Comm comm);

  Program program_;
  std::vector<ProcessAxis>& axes_;
  std::size_t batch_;
  Rigor rigor_;
  Layout::Members members_{};
  ReadyWay<Real> apart_;
  ReadyWay<Real> in_place_;
  PhaseTimes times_;
};

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace cubefold::fft
