#include "fft/result_plot.hpp"

#include <fmt/format.h>

#include "mpi/agreement.hpp"

namespace cubefold::fft_program {

namespace {

PlotText text_of(const Problem& problem, const Options& options) {
  const npy::Shape& shape = problem.output_shape;
  const std::string source = problem.file ? options.input : "a built-in signal";
  const std::string slice =
      shape.size() == 3 ? fmt::format(", plane {} of {}", options.slice, shape.front()) : "";
  return {
      fmt::format("{} of {}", options.inverse ? "Inverse transform" : "Spectrum", source),
      fmt::format("{} {}{}: largest magnitude of each {}", extents_text(shape),
                  options.inverse ? "points" : "frequencies", slice, shape.size() == 1 ? "column" : "cell"),
      !options.inverse};
}

}  // namespace

ResultPlot::ResultPlot(MPI_Comm comm, const Problem& problem, const Options& options)
    : comm_(comm), text_(text_of(problem, options)) {
  mpi::agree_on_outcome(comm_, [&] { plane_ = plane_of(problem.output_shape, options.slice); });
  mpi::root_try(comm_, [&] { output_.emplace(options.plot); });
}

void ResultPlot::write(const Cells& cells) {
  mpi::root_try(comm_, [&] { picture_ = plot(cells, plane_, text_); });
}

void ResultPlot::commit() {
  mpi::root_try(comm_, [&] { output_->write(picture_); });
}

}  // namespace cubefold::fft_program
