#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

#include "fft/options.hpp"
#include "fft/plot.hpp"
#include "fft/pooled.hpp"
#include "fft/problem.hpp"
#include "files/output.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// The SVG file that --plot asks for; process 0 writes it.
class ResultPlot {
 public:
  /// Collective: throws on all processes alike if there is no such slice, or the file cannot be written.
  ResultPlot(MPI_Comm comm, const Problem& problem, const Options& options);

  /// Collective: draws the result. T: float, double or complex.
  template <typename T>
  void draw(const npy::NaturalOrder& order, std::span<const T> part) {
    write(pooled(order, plane_, part));
  }

  /// Collective: writes the file.
  void commit();

 private:
  void write(const Cells& cells);

  MPI_Comm comm_;
  PlotText text_;
  Plane plane_{};
  std::optional<files::Output> output_;  ///< on process 0
  std::string picture_;                  ///< on process 0
};

}  // namespace cubefold::fft_program
