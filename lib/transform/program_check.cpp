#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "block_geometry.hpp"
#include "layouts.hpp"

namespace cubefold::fft {

namespace {

using Complaint = std::optional<std::string>;

bool equal_but_weight(const IndexDimension& a, const IndexDimension& b) {
  return a.extent == b.extent && a.spread == b.spread && (a.spread == Spread::local || a.axis == b.axis);
}

bool is_permutation_of_dimensions(std::vector<std::size_t> sources) {
  std::sort(sources.begin(), sources.end());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i] != i) return false;
  }
  return true;
}

Complaint complaint_of_lengths(const TransformStage& stage) {
  const std::size_t before = stage.before.dimensions()[stage.dimension].extent;
  const std::size_t after = stage.after.dimensions()[stage.frequency()].extent;
  const bool forward = stage.transform == Transform::forward;
  const bool fit = stage.kind == Kind::complex
                       ? before == after
                       : (forward ? after == before / 2 + 1 : before == after / 2 + 1);
  if (!fit) return fmt::format("a dimension of {} values becomes one of {}", before, after);
  return {};
}

Complaint complaint_of_twiddle(const TransformStage& stage) {
  if (!stage.twiddle) return {};
  const auto [dimension, order] = *stage.twiddle;
  if (stage.kind == Kind::real) return "a real transform has no twiddles";
  if (dimension >= stage.after.dimensions().size() || dimension == stage.frequency()) {
    return fmt::format("twiddles with dimension {}, not another dimension than the frequency", dimension);
  }
  const std::size_t product =
      stage.after.dimensions()[dimension].extent * stage.after.dimensions()[stage.frequency()].extent;
  if (order != product) return fmt::format("twiddles of order {}, not {}", order, product);
  return {};
}

Complaint complaint_of_dimensions(const TransformStage& stage) {
  const auto& before = stage.before.dimensions();
  const auto& after = stage.after.dimensions();
  if (before.size() != after.size() || stage.sources.size() != after.size() ||
      !is_permutation_of_dimensions(stage.sources)) {
    return "the dimensions after are not those before in another order";
  }
  if (stage.dimension >= before.size())
    return fmt::format("dimension {} of {}", stage.dimension, before.size());
  if (!is_whole(stage.before, stage.dimension)) return fmt::format("dimension {} is spread", stage.dimension);
  if (!is_whole(stage.after, stage.frequency())) return "the frequency is spread";
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (i != stage.frequency() && !equal_but_weight(after[i], before[stage.sources[i]])) {
      return fmt::format("dimension {} does not stay as it is", stage.sources[i]);
    }
  }
  return {};
}

Complaint complaint_of(const TransformStage& stage) {
  if (auto complaint = complaint_of_dimensions(stage)) return complaint;
  if (auto complaint = complaint_of_lengths(stage)) return complaint;
  return complaint_of_twiddle(stage);
}

Complaint complaint_of(const ExchangeStage& stage) {
  if (stage.axis < 0 || static_cast<std::size_t>(stage.axis) >= stage.before.axis_members().size()) {
    return fmt::format("an exchange over process axis {}, which there is not", stage.axis);
  }
  if (stage.before.dimensions().size() != stage.after.dimensions().size()) return "dimensions are cut anew";
  const auto over_another = [&](const IndexDimension& d) {
    return d.spread != Spread::local && d.axis != stage.axis;
  };
  const auto sources = dimensions_before(stage);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const IndexDimension& dimension = stage.after.dimensions()[i];
    if (sources[i] == sources.size()) {
      return fmt::format("the dimension of {} values of weight {} is new", dimension.extent,
                         dimension.weight);
    }
    const IndexDimension& source = stage.before.dimensions()[sources[i]];
    if ((over_another(dimension) || over_another(source)) && !(dimension == source)) {
      return fmt::format("the dimension of {} values moves on another axis than {}", dimension.extent,
                         stage.axis);
    }
  }
  return {};
}

bool is_one_cyclic_dimension(const Layout& layout) {
  return layout.dimensions().size() == 1 &&
         (layout.dimensions()[0].spread == Spread::cyclic || is_whole(layout, 0));
}

Complaint complaint_of(const ChirpStage& stage) {
  if (!is_one_cyclic_dimension(stage.before) || !is_one_cyclic_dimension(stage.after)) {
    return "points are padded in cyclic order only";
  }
  if (stage.length == 0 || std::min(stage.before.index_count(), stage.after.index_count()) != stage.length) {
    return fmt::format("a chirp of {} points for the shorter of {} and {}", stage.length,
                       stage.before.index_count(), stage.after.index_count());
  }
  return {};
}

Complaint complaint_of(const KernelStage& stage) {
  if (!(stage.before == stage.after)) return "points move";
  if (stage.length == 0 || 2 * stage.length - 1 > stage.before.index_count()) {
    return fmt::format("the kernel of {} points does not fit into {}", stage.length,
                       stage.before.index_count());
  }
  return {};
}

Complaint complaint_of(const RealPostprocessingStage& stage) {
  const bool forward = stage.transform == Transform::forward;
  const auto& pairs = (forward ? stage.before : stage.after).dimensions();
  const Layout& spectrum_layout = forward ? stage.after : stage.before;
  const auto& spectrum = spectrum_layout.dimensions();
  if (pairs.size() != 2 || spectrum.size() != 2 || stage.low > 1 || stage.high > 1 ||
      stage.low == stage.high) {
    return "not a low and a high dimension";
  }
  const IndexDimension& low = pairs[stage.low];
  const IndexDimension& high = pairs[stage.high];
  if (low.spread != Spread::conjugate_pairs && !is_whole(spectrum_layout, stage.low))
    return "the low dimension is not in conjugate pairs";
  if (!is_whole(spectrum_layout, stage.high)) return "the high dimension is spread";
  IndexDimension longer = high;
  ++longer.extent;
  if (!(spectrum[stage.low] == low) || !(spectrum[stage.high] == longer)) {
    return "the spectrum is not one value of the high dimension longer";
  }
  if (spectrum_layout.point_count() != low.extent * high.extent + 1) {
    return fmt::format("a spectrum of {} points", spectrum_layout.point_count());
  }
  return {};
}

/// Returns the layout of pairs of points. Returns nothing if the two points of a pair are not neighbours in memory on
/// every process.
std::optional<Layout> pairs_of(const Layout& points) {
  auto dimensions = points.dimensions();
  if (dimensions.empty() || dimensions.back().weight != 1 || dimensions.back().spread != Spread::local ||
      dimensions.back().extent % 2 != 0) {
    return {};
  }
  for (IndexDimension& dimension : dimensions) dimension.weight /= 2;
  dimensions.back() = {dimensions.back().extent / 2, 1};
  return Layout(dimensions, points.axis_members());
}

Complaint complaint_of(const RealStage& stage) {
  const bool paired = stage.step == RealStep::paired;
  if (!paired && stage.step != RealStep::unpaired) {
    if (same_places(stage.before, stage.after)) return {};
    return "points move";
  }
  const auto pairs = pairs_of(paired ? stage.before : stage.after);
  if (pairs && same_places(*pairs, paired ? stage.after : stage.before)) return {};
  return "pairs of points are not together";
}

Complaint complaint_of_meeting(const Layout& before, Kind kind_before, const Layout& after, Kind kind_after) {
  if (!same_places(before, after)) {
    return fmt::format("points come as {} and are expected as {}", to_string(before), to_string(after));
  }
  if (kind_before != kind_after) return "real numbers where complex ones are expected, or the reverse";
  return {};
}

Complaint complaint_of_stage(const Program& program, std::size_t i) {
  const Stage& stage = program.stages[i];
  const Layout& before = i == 0 ? program.input : layout_after(program.stages[i - 1]);
  const Kind kind = i == 0 ? program.input_kind : kind_after(program.stages[i - 1]);
  if (auto complaint = complaint_of_meeting(before, kind, layout_before(stage), kind_before(stage))) {
    return complaint;
  }
  if (layout_before(stage).axis_members() != layout_after(stage).axis_members()) return "other process axes";
  const auto* kernel = std::get_if<KernelStage>(&stage);
  if (kernel != nullptr && (kernel->first_stage >= i ||
                            !same_places(layout_before(program.stages[kernel->first_stage]), before))) {
    return "the kernel is not made from the same layout by stages before";
  }
  return std::visit([](const auto& any) { return complaint_of(any); }, stage);
}

}  // namespace

std::optional<ProgramFault> fault_of(const Program& program) {
  const std::size_t count = program.stages.size();
  if (count == 0) return ProgramFault{0, "no stages"};
  for (std::size_t i = 0; i < count; ++i) {
    if (auto complaint = complaint_of_stage(program, i)) return ProgramFault{i, *complaint};
  }
  const Stage& last = program.stages.back();
  if (auto complaint =
          complaint_of_meeting(layout_after(last), kind_after(last), program.output, program.output_kind)) {
    return ProgramFault{count, *complaint};
  }
  return {};
}

}  // namespace cubefold::fft
