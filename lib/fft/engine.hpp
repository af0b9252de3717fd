#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "cubefold/fft/program.hpp"
#include "moves.hpp"
#include "pass.hpp"
#include "pointwise.hpp"
#include "process_axes.hpp"
#include "route.hpp"

namespace cubefold::fft {

/// A program ready to run on this process: its moves, and ways for them through arrays.
template <typename Real>
class Engine {
 public:
  using Complex = std::complex<Real>;

  /// Collective over `comm`, all processes of the axes, which live as long as this. Throws alike on all processes.
  Engine(Program program, std::vector<ProcessAxis>& axes, MPI_Comm comm, std::size_t batch, Rigor rigor);
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
  struct BlockStep {
    mpi::CompleteExchange* exchange;
    std::size_t block_count;
    std::size_t members;
  };
  using Step = std::variant<Pass<Real>, BlockStep, Pointwise<Real>>;

  struct Way {
    std::vector<Move> moves;
    Route route;
    std::vector<Step> steps;
  };

  std::vector<std::vector<std::size_t>> largest_shares(MPI_Comm comm) const;
  BlockOrders best_orders(MPI_Comm comm, bool in_place) const;
  std::vector<bool> which_travel_in_packets();
  double cost_of(const std::vector<Move>& moves) const;
  Route find_route(std::vector<Move>& moves, bool in_place) const;
  Way make_way(MPI_Comm comm, bool in_place);
  Step step_of(const Move& move, MPI_Comm comm);
  Pointwise<Real> pointwise_of(std::size_t stage, MPI_Comm comm);
  std::size_t callers_room(bool in_place) const;
  void run(const Way& way, const Complex* input, Complex* output, Complex* workspace);
  bool run_slabs(const Way& way, std::size_t first, const Complex* source,
                 const std::function<Complex*(Array)>& place) const;
  void run_blocks(const BlockStep& step, const Complex* from, Complex* to);
  std::size_t run_packets(const Way& way, std::size_t first, const Complex* source,
                          const std::function<Complex*(Array)>& place);

  Program program_;
  std::vector<ProcessAxis>& axes_;
  std::size_t batch_;
  Rigor rigor_;
  Layout::Members members_;
  std::vector<std::vector<std::size_t>> rooms_;  ///< of each exchange
  std::vector<bool> in_packets_;                 ///< each exchange among more than one
  Way apart_;
  Way in_place_;
  PhaseTimes times_;
};

extern template class Engine<float>;
extern template class Engine<double>;

}  // namespace cubefold::fft
