#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <string>

#include "fft/options.hpp"
#include "fft/plot.hpp"
#include "fft/problem.hpp"
#include "files/output.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Writes the SVG file of --plot on process 0.
class ResultPlot {
 public:
  /// Throws on all processes if there is no such slice, or if the file cannot be written. All processes must call this.
  ResultPlot(MPI_Comm comm, const Problem& problem, const Options& options);

  /// Draws the result. T is float, double or complex. All processes must call this.
  template <typename T>
  void draw(const npy::NaturalOrder& order, std::span<const T> part) {
    write(pooled(order, plane_, part));
  }

  /// Writes the file. All processes must call this.
  void commit();

 private:
  void write(const Cells& cells);

  MPI_Comm comm_;
  PlotText text_;
  Plane plane_{};
  std::optional<files::Output> output_;  ///< exists on process 0
  std::string picture_;                  ///< exists on process 0
};

}  // namespace cubefold::fft_program
