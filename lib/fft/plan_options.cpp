#include "cubefold/fft/plan_options.hpp"

#include <fmt/format.h>

namespace cubefold::fft {

namespace {

const char* name(Rigor rigor) {
  switch (rigor) {
    case Rigor::estimate:
      return "estimate";
    case Rigor::measure:
      return "measure";
    case Rigor::patient:
      return "patient";
    case Rigor::exhaustive:
      break;
  }
  return "exhaustive";
}

}  // namespace

std::string to_string(Decomposition decomposition) {
  switch (decomposition) {
    case Decomposition::automatic:
      return "automatic";
    case Decomposition::slab:
      return "slab";
    case Decomposition::pencil:
      break;
  }
  return "pencil";
}

std::string to_string(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic:
      return "automatic";
    case Algorithm::transposed:
      return "transposed";
    case Algorithm::bluestein:
      return "bluestein";
    case Algorithm::binary_exchange:
      return "binary-exchange";
    case Algorithm::half_exchange:
      break;
  }
  return "half-exchange";
}

std::string to_string(const PlanOptions& options) {
  return fmt::format("{} {}, {} to {}{}, batch {}, decomposition {}, algorithm {}, rigor {}",
                     options.kind == Kind::complex ? "complex" : "real",
                     options.transform == Transform::forward ? "forward" : "inverse",
                     to_string(options.input), to_string(options.output),
                     options.transposed_output ? " transposed" : "", options.batch,
                     to_string(options.decomposition), to_string(options.algorithm), name(options.rigor));
}

}  // namespace cubefold::fft
