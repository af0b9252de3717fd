#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "layouts.hpp"

namespace cubefold::fft {

std::size_t TransformStage::frequency() const {
  return static_cast<std::size_t>(std::find(sources.begin(), sources.end(), dimension) - sources.begin());
}

std::size_t TransformStage::length() const {
  const std::size_t extent = transform == Transform::forward ? before.dimensions()[dimension].extent
                                                             : after.dimensions()[frequency()].extent;
  return of_pairs ? 2 * extent : extent;
}

const Layout& layout_before(const Stage& stage) {
  return std::visit([](const auto& any) -> const Layout& { return any.before; }, stage);
}

const Layout& layout_after(const Stage& stage) {
  return std::visit([](const auto& any) -> const Layout& { return any.after; }, stage);
}

namespace {

Kind kind_before_step(RealStep step) {
  switch (step) {
    case RealStep::paired:
    case RealStep::widened:
      return Kind::real;
    case RealStep::unpaired:
    case RealStep::narrowed:
    case RealStep::doubled:
      return Kind::complex;
  }
  return Kind::complex;
}

Kind kind_after_step(RealStep step) {
  switch (step) {
    case RealStep::unpaired:
    case RealStep::narrowed:
      return Kind::real;
    case RealStep::paired:
    case RealStep::widened:
    case RealStep::doubled:
      return Kind::complex;
  }
  return Kind::complex;
}

Kind real_if(bool real) {
  return real ? Kind::real : Kind::complex;
}

}  // namespace

// Exchanges move complex numbers in all programs of this library.
Kind kind_before(const Stage& stage) {
  if (const auto* step = std::get_if<RealStage>(&stage)) return kind_before_step(step->step);
  const auto* transforms = std::get_if<TransformStage>(&stage);
  return real_if(transforms != nullptr && transforms->kind == Kind::real &&
                 transforms->transform == Transform::forward);
}

Kind kind_after(const Stage& stage) {
  if (const auto* step = std::get_if<RealStage>(&stage)) return kind_after_step(step->step);
  const auto* transforms = std::get_if<TransformStage>(&stage);
  return real_if(transforms != nullptr && transforms->kind == Kind::real &&
                 transforms->transform == Transform::inverse);
}

std::size_t chirp_exponent(std::size_t j, std::size_t length) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::size_t>(Wide{j} * j % (Wide{2} * length));
}

namespace {

std::size_t complex_count(const Layout& layout, Kind kind) {
  const std::size_t count = layout.largest_local_count();
  return kind == Kind::real ? divided_up(count, 2) : count;
}

}  // namespace

std::size_t largest_complex_count(const Program& program) {
  std::size_t largest = std::max(complex_count(program.input, program.input_kind),
                                 complex_count(program.output, program.output_kind));
  for (const Stage& stage : program.stages) {
    largest = std::max({largest, complex_count(layout_before(stage), kind_before(stage)),
                        complex_count(layout_after(stage), kind_after(stage))});
  }
  return largest;
}

namespace {

std::string described(const RealStage& stage) {
  switch (stage.step) {
    case RealStep::paired:
      return "pairs of real points as complex ones";
    case RealStep::unpaired:
      return "complex points as pairs of real ones";
    case RealStep::widened:
      return "real points as complex ones without imaginary parts";
    case RealStep::narrowed:
      return "real parts";
    case RealStep::doubled:
      return "half a spectrum doubled";
  }
  return "";
}

std::string described(const TransformStage& stage) {
  if (stage.line != LineTransform::fourier)
    return fmt::format("{} transforms of {} points", to_string(stage.line), stage.length());
  const bool forward = stage.transform == Transform::forward;
  const char* kind = stage.kind == Kind::complex ? "" : (forward ? ", real to complex" : ", complex to real");
  return fmt::format("{} transforms of {} points{}{}", forward ? "forward" : "inverse", stage.length(), kind,
                     stage.twiddle ? ", twiddles" : "");
}

std::string described(const ExchangeStage& stage) {
  return fmt::format("exchange over process axis {}", stage.axis);
}

std::string described(const ChirpStage& stage) {
  return fmt::format("chirp of {} points, {} to {} indices", stage.length, stage.before.index_count(),
                     stage.after.index_count());
}

std::string described(const KernelStage& stage) {
  return fmt::format("kernel of the chirp of {} points", stage.length);
}

std::string described(const RealPostprocessingStage& stage) {
  return fmt::format("real-transform {}-processing", stage.transform == Transform::forward ? "post" : "pre");
}

}  // namespace

std::string describe(const Stage& stage) {
  return std::visit([](const auto& any) { return described(any); }, stage);
}

}  // namespace cubefold::fft
