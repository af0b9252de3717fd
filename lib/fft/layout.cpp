#include "cubefold/fft/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "digit_values.hpp"

namespace cubefold::fft {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(fmt::format("Layout: {}", what));
}

/// The product of the extents.
std::size_t checked_radix(std::vector<Digit> digits) {
  std::sort(digits.begin(), digits.end(), [](const Digit& a, const Digit& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.extent < b.extent;
  });
  std::size_t weight = 1;
  for (const Digit& digit : digits) {
    if (digit.extent == 0) refuse("a digit of extent 0");
    if (digit.weight != weight) {
      refuse(fmt::format("a digit of weight {} where the digits below it need {}", digit.weight, weight));
    }
    if (__builtin_mul_overflow(weight, digit.extent, &weight)) refuse("more indices than 64 bits count");
  }
  return weight;
}

void check_axes(const std::vector<Digit>& digits, const std::vector<std::size_t>& axis_members) {
  std::vector<int> spread_count(axis_members.size());
  for (const Digit& digit : digits) {
    if (digit.spread == Spread::local) continue;
    if (digit.axis < 0 || static_cast<std::size_t>(digit.axis) >= axis_members.size()) {
      refuse(fmt::format("a digit over process axis {}, of {} axes", digit.axis, axis_members.size()));
    }
    ++spread_count[static_cast<std::size_t>(digit.axis)];
  }
  for (std::size_t axis = 0; axis < axis_members.size(); ++axis) {
    if (axis_members[axis] == 0) refuse(fmt::format("process axis {} has no members", axis));
    if (spread_count[axis] > 1 || (spread_count[axis] == 0 && axis_members[axis] > 1)) {
      refuse(fmt::format("process axis {} of {} members spreads {} digits, not one", axis, axis_members[axis],
                         spread_count[axis]));
    }
  }
}

}  // namespace

bool Digit::operator==(const Digit& other) const {
  return extent == other.extent && weight == other.weight && spread == other.spread &&
         (spread == Spread::local || axis == other.axis);
}

Layout::Layout(std::vector<Digit> digits, std::vector<std::size_t> axis_members,
               std::optional<std::size_t> point_count)
    : digits_(std::move(digits)),
      axis_members_(std::move(axis_members)),
      index_count_(checked_radix(digits_)) {
  check_axes(digits_, axis_members_);
  point_count_ = point_count.value_or(index_count_);
  if (point_count_ > index_count_) {
    refuse(fmt::format("{} points, but {} indices", point_count_, index_count_));
  }
}

std::size_t Layout::members_of(std::size_t digit) const {
  const Digit& spread = digits_[digit];
  return spread.spread == Spread::local ? 1 : axis_members_[static_cast<std::size_t>(spread.axis)];
}

std::vector<ValueRun> Layout::runs(std::size_t digit, const Members& members) const {
  const Digit& wanted = digits_[digit];
  const std::size_t member =
      wanted.spread == Spread::local ? 0 : members[static_cast<std::size_t>(wanted.axis)];
  return values_of(wanted, member, members_of(digit));
}

std::size_t Layout::digit_count(std::size_t digit, const Members& members) const {
  return count_of(runs(digit, members));
}

std::size_t Layout::digit_at(std::size_t digit, std::size_t place, const Members& members) const {
  return value_at(runs(digit, members), place);
}

// Of mirrored digits member 1 may have more than member 0, which has 0 without a partner if the extent is odd.
std::size_t Layout::largest_digit_count(std::size_t digit) const {
  const std::size_t members = members_of(digit);
  const std::size_t first = count_of(values_of(digits_[digit], 0, members));
  return members == 1 ? first : std::max(first, count_of(values_of(digits_[digit], 1, members)));
}

std::size_t Layout::digit_owner(std::size_t digit, std::size_t value) const {
  return owner_of(digits_[digit], value, members_of(digit));
}

std::size_t Layout::digit_place(std::size_t digit, std::size_t value) const {
  const std::size_t members = members_of(digit);
  return place_among(values_of(digits_[digit], owner_of(digits_[digit], value, members), members), value);
}

std::size_t Layout::stride(std::size_t digit, const Members& members) const {
  std::size_t stride = 1;
  for (std::size_t later = digit + 1; later < digits_.size(); ++later) stride *= digit_count(later, members);
  return stride;
}

std::size_t Layout::local_count(const Members& members) const {
  std::size_t count = 1;
  for (std::size_t digit = 0; digit < digits_.size(); ++digit) count *= digit_count(digit, members);
  return count;
}

std::size_t Layout::largest_local_count() const {
  std::size_t count = 1;
  for (std::size_t digit = 0; digit < digits_.size(); ++digit) count *= largest_digit_count(digit);
  return count;
}

std::size_t Layout::point_at(const Members& members, std::size_t place) const {
  std::size_t point = 0;
  for (std::size_t digit = digits_.size(); digit-- > 0;) {
    const std::size_t count = digit_count(digit, members);
    point += digit_at(digit, place % count, members) * digits_[digit].weight;
    place /= count;
  }
  return point;
}

Layout::Members Layout::owner(std::size_t point) const {
  Members owner(axis_members_.size());
  for (std::size_t digit = 0; digit < digits_.size(); ++digit) {
    const Digit& spread = digits_[digit];
    if (spread.spread == Spread::local) continue;
    owner[static_cast<std::size_t>(spread.axis)] = digit_owner(digit, point / spread.weight % spread.extent);
  }
  return owner;
}

std::size_t Layout::place_of(std::size_t point) const {
  const Members members = owner(point);
  std::size_t place = 0;
  for (std::size_t digit = 0; digit < digits_.size(); ++digit) {
    const std::size_t value = point / digits_[digit].weight % digits_[digit].extent;
    place = place * digit_count(digit, members) + digit_place(digit, value);
  }
  return place;
}

namespace {

std::string spread_text(const Digit& digit) {
  switch (digit.spread) {
    case Spread::local:
      return "";
    case Spread::block:
      return fmt::format(", block over axis {}", digit.axis);
    case Spread::cyclic:
      return fmt::format(", cyclic over axis {}", digit.axis);
    case Spread::mirrored:
      return fmt::format(", mirrored over axis {}", digit.axis);
  }
  return "";
}

}  // namespace

std::string to_string(const Layout& layout) {
  std::string text;
  for (const Digit& digit : layout.digits()) {
    text += fmt::format("[{} of {}{}]", digit.extent, digit.weight, spread_text(digit));
  }
  return text;
}

namespace {

/// What same layouts have in common: digits of which a process has one value at most, whose order among the digits is
/// of no consequence, by axis; and the others, local ones as long as can be.
struct NormalForm {
  std::vector<Digit> single;
  std::vector<Digit> others;

  bool operator==(const NormalForm&) const = default;
};

void add_local(std::vector<Digit>& digits, std::size_t extent, std::size_t weight) {
  if (extent == 1) return;
  if (!digits.empty() && digits.back().spread == Spread::local && digits.back().weight == extent * weight) {
    digits.back() = {.extent = digits.back().extent * extent, .weight = weight};
  } else {
    digits.push_back({.extent = extent, .weight = weight});
  }
}

/// One value a member, all of them: block and cyclic are the same.
void add_single(NormalForm& form, const Digit& digit, std::size_t extent, std::size_t weight) {
  form.single.push_back({extent, extent == 1 ? 1 : weight, Spread::block, digit.axis});
}

void add_spread(NormalForm& form, const Digit& digit, std::size_t members) {
  const auto [extent, weight, spread, axis] = digit;
  const bool in_pairs = spread == Spread::mirrored && extent > 1;
  if (extent <= members && !in_pairs) {
    add_single(form, digit, extent, weight);
  } else if (in_pairs || extent % members != 0) {
    form.others.push_back(digit);
  } else if (spread == Spread::block) {
    add_single(form, digit, members, weight * (extent / members));
    add_local(form.others, extent / members, weight);
  } else {
    add_single(form, digit, members, weight);
    add_local(form.others, extent / members, weight * members);
  }
}

NormalForm normal_form(const Layout& layout) {
  NormalForm form;
  for (const Digit& digit : layout.digits()) {
    const bool spread = digit.spread != Spread::local;
    const std::size_t members = spread ? layout.axis_members()[static_cast<std::size_t>(digit.axis)] : 1;
    if (members == 1) {
      add_local(form.others, digit.extent, digit.weight);
    } else {
      add_spread(form, digit, members);
    }
  }
  std::sort(form.single.begin(), form.single.end(),
            [](const Digit& a, const Digit& b) { return a.axis < b.axis; });
  return form;
}

}  // namespace

bool same_places(const Layout& a, const Layout& b) {
  return a.axis_members() == b.axis_members() && a.index_count() == b.index_count() &&
         normal_form(a) == normal_form(b);
}

}  // namespace cubefold::fft
