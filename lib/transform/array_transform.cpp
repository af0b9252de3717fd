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

// Rows of real numbers must begin where the rows of their spectra begin, as in FFTW's padded rows.
bool can_be_in_place(const ArrayTransform& transform) {
  if (transform.kind == Kind::complex) return transform.from == transform.to;
  const StridedView& reals = transform.has_real_input() ? transform.from : transform.to;
  const StridedView& terms = transform.has_real_input() ? transform.to : transform.from;
  if (reals.base != 2 * terms.base) return false;
  for (std::size_t d = 0; d < reals.dimensions.size(); ++d) {
    const Offsets& real = reals.dimensions[d];
    const Offsets& term = terms.dimensions[d];
    const bool is_halved = d == transform.rows.back();
    if (is_halved ? !real.is_row() || !term.is_row() : real.count() > 1 && real.stride() != 2 * term.stride())
      return false;
  }
  return true;
}

std::size_t joined_count(std::span<const Stage> stages) {
  std::size_t count = 0;
  Transform direction = Transform::forward;
  for (; count < stages.size(); ++count) {
    const auto* stage = std::get_if<TransformStage>(&stages[count]);
    if (stage == nullptr || stage->twiddle || stage->line != LineTransform::fourier) break;
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
