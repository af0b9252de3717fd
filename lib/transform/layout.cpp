#include "cubefold/transform/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "layouts.hpp"

namespace cubefold::fft {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(fmt::format("Layout: {}", what));
}

/// Returns the product of the extents. Throws std::invalid_argument if the dimensions are not a mixed radix.
std::size_t checked_radix(std::vector<IndexDimension> dimensions) {
  std::sort(dimensions.begin(), dimensions.end(), [](const IndexDimension& a, const IndexDimension& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.extent < b.extent;
  });
  std::size_t weight = 1;
  for (const IndexDimension& dimension : dimensions) {
    if (dimension.extent == 0) refuse("a dimension of extent 0");
    if (dimension.weight != weight) {
      refuse(fmt::format("a dimension of weight {} where the dimensions below it need {}", dimension.weight,
                         weight));
    }
    if (__builtin_mul_overflow(weight, dimension.extent, &weight)) refuse("more indices than 64 bits count");
  }
  return weight;
}

void check_axes(const std::vector<IndexDimension>& dimensions, const std::vector<std::size_t>& axis_members) {
  std::vector<int> spread_count(axis_members.size());
  for (const IndexDimension& dimension : dimensions) {
    if (dimension.spread == Spread::local) continue;
    if (dimension.axis < 0 || static_cast<std::size_t>(dimension.axis) >= axis_members.size()) {
      refuse(
          fmt::format("a dimension over process axis {}, of {} axes", dimension.axis, axis_members.size()));
    }
    ++spread_count[static_cast<std::size_t>(dimension.axis)];
  }
  for (std::size_t axis = 0; axis < axis_members.size(); ++axis) {
    if (axis_members[axis] == 0) refuse(fmt::format("process axis {} has no members", axis));
    if (spread_count[axis] > 1 || (spread_count[axis] == 0 && axis_members[axis] > 1)) {
      refuse(fmt::format("process axis {} of {} members spreads {} dimensions, not one", axis,
                         axis_members[axis], spread_count[axis]));
    }
  }
}

}  // namespace

bool IndexDimension::operator==(const IndexDimension& other) const {
  return extent == other.extent && weight == other.weight && spread == other.spread &&
         (spread == Spread::local || axis == other.axis);
}

Layout::Layout(std::vector<IndexDimension> dimensions, std::vector<std::size_t> axis_members,
               std::optional<std::size_t> point_count)
    : dimensions_(std::move(dimensions)),
      axis_members_(std::move(axis_members)),
      index_count_(checked_radix(dimensions_)) {
  check_axes(dimensions_, axis_members_);
  point_count_ = point_count.value_or(index_count_);
  if (point_count_ > index_count_) {
    refuse(fmt::format("{} points, but {} indices", point_count_, index_count_));
  }
}

Layout Layout::with_row_places(std::size_t places) const {
  if (dimensions_.empty() || dimensions_.back().spread != Spread::local || dimensions_.back().extent > places)
    refuse(fmt::format("rows of {} places in {}", places, to_string(*this)));
  Layout padded = *this;
  padded.row_padding_ = places - dimensions_.back().extent;
  return padded;
}

std::size_t Layout::padding_of(std::size_t dimension) const {
  return dimension + 1 == dimensions_.size() ? row_padding_ : 0;
}

/// Returns the number of places that the values of a dimension take, padding included.
std::size_t Layout::place_count(std::size_t dimension, const Members& members) const {
  return dimension_count(dimension, members) + padding_of(dimension);
}

std::size_t Layout::members_of(std::size_t dimension) const {
  const IndexDimension& spread = dimensions_[dimension];
  return spread.spread == Spread::local ? 1 : axis_members_[static_cast<std::size_t>(spread.axis)];
}

std::vector<ValueRun> Layout::runs(std::size_t dimension, const Members& members) const {
  const IndexDimension& requested = dimensions_[dimension];
  const std::size_t member =
      requested.spread == Spread::local ? 0 : members[static_cast<std::size_t>(requested.axis)];
  return values_of(requested, member, members_of(dimension));
}

std::size_t Layout::dimension_count(std::size_t dimension, const Members& members) const {
  return count_of(runs(dimension, members));
}

std::size_t Layout::dimension_at(std::size_t dimension, std::size_t place, const Members& members) const {
  return value_at(runs(dimension, members), place);
}

// If a dimension in conjugate pairs has an odd extent, 0 has no partner, so member 1 may have more values than member
// 0.
std::size_t Layout::largest_dimension_count(std::size_t dimension) const {
  const std::size_t members = members_of(dimension);
  const std::size_t first = count_of(values_of(dimensions_[dimension], 0, members));
  return members == 1 ? first : std::max(first, count_of(values_of(dimensions_[dimension], 1, members)));
}

std::size_t Layout::dimension_owner(std::size_t dimension, std::size_t value) const {
  return owner_of(dimensions_[dimension], value, members_of(dimension));
}

std::size_t Layout::dimension_place(std::size_t dimension, std::size_t value) const {
  const std::size_t members = members_of(dimension);
  return place_among(
      values_of(dimensions_[dimension], owner_of(dimensions_[dimension], value, members), members), value);
}

std::size_t Layout::stride(std::size_t dimension, const Members& members) const {
  std::size_t stride = 1;
  for (std::size_t later = dimension + 1; later < dimensions_.size(); ++later)
    stride *= place_count(later, members);
  return stride;
}

std::size_t Layout::local_count(const Members& members) const {
  std::size_t count = 1;
  for (std::size_t dimension = 0; dimension < dimensions_.size(); ++dimension)
    count *= place_count(dimension, members);
  return count;
}

std::size_t Layout::largest_local_count() const {
  std::size_t count = 1;
  for (std::size_t dimension = 0; dimension < dimensions_.size(); ++dimension)
    count *= largest_dimension_count(dimension) + padding_of(dimension);
  return count;
}

std::size_t Layout::point_at(const Members& members, std::size_t place) const {
  std::size_t point = 0;
  for (std::size_t dimension = dimensions_.size(); dimension-- > 0;) {
    const std::size_t count = place_count(dimension, members);
    if (place % count >= dimension_count(dimension, members)) return index_count_;
    point += dimension_at(dimension, place % count, members) * dimensions_[dimension].weight;
    place /= count;
  }
  return point;
}

Layout::Members Layout::owner(std::size_t point) const {
  Members owner(axis_members_.size());
  for (std::size_t dimension = 0; dimension < dimensions_.size(); ++dimension) {
    const IndexDimension& spread = dimensions_[dimension];
    if (spread.spread == Spread::local) continue;
    owner[static_cast<std::size_t>(spread.axis)] =
        dimension_owner(dimension, point / spread.weight % spread.extent);
  }
  return owner;
}

std::size_t Layout::place_of(std::size_t point) const {
  const Members members = owner(point);
  std::size_t place = 0;
  for (std::size_t dimension = 0; dimension < dimensions_.size(); ++dimension) {
    const std::size_t value = point / dimensions_[dimension].weight % dimensions_[dimension].extent;
    place = place * place_count(dimension, members) + dimension_place(dimension, value);
  }
  return place;
}

namespace {

std::string spread_text(const IndexDimension& dimension) {
  switch (dimension.spread) {
    case Spread::local:
      return "";
    case Spread::block:
      return fmt::format(", block over axis {}", dimension.axis);
    case Spread::cyclic:
      return fmt::format(", cyclic over axis {}", dimension.axis);
    case Spread::conjugate_pairs:
      return fmt::format(", conjugate pairs over axis {}", dimension.axis);
  }
  return "";
}

}  // namespace

std::string to_string(const Layout& layout) {
  std::string text;
  for (const IndexDimension& dimension : layout.dimensions()) {
    text += fmt::format("[{} of {}{}]", dimension.extent, dimension.weight, spread_text(dimension));
  }
  return text;
}

namespace {

/// A form that is equal for layouts with the same places. `single` has the dimensions of which each process has at most
/// one value. Their order in memory has no effect, so they are sorted by axis. `others` has the other dimensions in
/// order, with local ones joined as far as possible.
struct NormalForm {
  std::vector<IndexDimension> single;
  std::vector<IndexDimension> others;

  bool operator==(const NormalForm&) const = default;
};

void add_local(std::vector<IndexDimension>& dimensions, std::size_t extent, std::size_t weight) {
  if (extent == 1) return;
  if (!dimensions.empty() && dimensions.back().spread == Spread::local &&
      dimensions.back().weight == extent * weight) {
    dimensions.back() = {.extent = dimensions.back().extent * extent, .weight = weight};
  } else {
    dimensions.push_back({.extent = extent, .weight = weight});
  }
}

/// Adds a dimension with at most one value for each member. Block and cyclic are the same for it.
void add_single(NormalForm& form, const IndexDimension& dimension, std::size_t extent, std::size_t weight) {
  form.single.push_back({extent, extent == 1 ? 1 : weight, Spread::block, dimension.axis});
}

void add_spread(NormalForm& form, const IndexDimension& dimension, std::size_t members) {
  const auto [extent, weight, spread, axis] = dimension;
  const bool in_pairs = spread == Spread::conjugate_pairs && extent > 1;
  if (extent <= members && !in_pairs) {
    add_single(form, dimension, extent, weight);
  } else if (in_pairs || extent % members != 0) {
    form.others.push_back(dimension);
  } else if (spread == Spread::block) {
    add_single(form, dimension, members, weight * (extent / members));
    add_local(form.others, extent / members, weight);
  } else {
    add_single(form, dimension, members, weight);
    add_local(form.others, extent / members, weight * members);
  }
}

NormalForm normal_form(const Layout& layout) {
  NormalForm form;
  for (const IndexDimension& dimension : layout.dimensions()) {
    const bool spread = dimension.spread != Spread::local;
    const std::size_t members = spread ? layout.axis_members()[static_cast<std::size_t>(dimension.axis)] : 1;
    if (members == 1) {
      add_local(form.others, dimension.extent, dimension.weight);
    } else {
      add_spread(form, dimension, members);
    }
  }
  std::sort(form.single.begin(), form.single.end(),
            [](const IndexDimension& a, const IndexDimension& b) { return a.axis < b.axis; });
  return form;
}

}  // namespace

bool same_places(const Layout& a, const Layout& b) {
  if (a.row_padding() != b.row_padding()) return false;
  if (a.row_padding() > 0 && !(a.dimensions().back() == b.dimensions().back())) return false;
  return a.axis_members() == b.axis_members() && a.index_count() == b.index_count() &&
         normal_form(a) == normal_form(b);
}

}  // namespace cubefold::fft
