#include "array_transform.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cubefold::fft {

namespace {

bool is_regular(const StridedView& view) {
  return std::ranges::all_of(view.dimensions, [](const Offsets& offsets) { return offsets.is_even(); });
}

}  // namespace

bool can_be_in_place(const ArrayTransform& transform) {
  return transform.kind == Kind::complex && transform.from == transform.to;
}

std::size_t joined_count(std::span<const Stage> stages) {
  std::size_t count = 0;
  Transform direction = Transform::forward;
  for (; count < stages.size(); ++count) {
    const auto* stage = std::get_if<TransformStage>(&stages[count]);
    if (stage == nullptr || stage->twiddle) break;
    if (count > 0 && (stage->kind == Kind::real || stage->transform != direction)) break;
    direction = stage->transform;
    if (stage->kind == Kind::real && direction == Transform::inverse) return 1;
  }
  return count;
}

std::optional<ArrayTransform> joined(std::span<const Stage> stages, const StridedView& from,
                                     const StridedView& to) {
  if (!is_regular(from) || !is_regular(to)) return std::nullopt;
  const auto& first = std::get<TransformStage>(stages.front());
  ArrayTransform result{.from = {from.base, {from.dimensions[0]}}, .to = to, .rows = {}, .lengths = {}};
  result.kind = first.kind;
  result.transform = first.transform;
  // Dimension i of the layout before is dimension now[i] of the layout after the stages so far.
  std::vector<std::size_t> sources(first.before.dimensions().size());
  std::iota(sources.begin(), sources.end(), 0);
  std::vector<std::pair<std::size_t, std::size_t>> rows;  // dimension before all stages, and length
  for (const Stage& any : stages) {
    const auto& stage = std::get<TransformStage>(any);
    rows.emplace_back(sources[stage.dimension], stage.length());
    result.factor *= stage.factor;
    std::vector<std::size_t> next;
    for (const std::size_t source : stage.sources) next.push_back(sources[source]);
    sources = std::move(next);
  }
  // The halved dimension was transformed first and comes last, as FFTW takes it.
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const auto place = std::ranges::find(sources, row->first) - sources.begin();
    result.rows.push_back(static_cast<std::size_t>(place) + 1);
    result.lengths.push_back(row->second);
  }
  for (const std::size_t source : sources) result.from.dimensions.push_back(from.dimensions[source + 1]);
  return result;
}

}  // namespace cubefold::fft
