#include "pattern_product.hpp"

#include <utility>

#include "small_field.hpp"

namespace cubefold {

namespace {

/// Returns the number of classes of the permutations that a group is used as in a combination of another form, or
/// nothing if the group is no permutation and cannot be divided.
std::optional<std::uint32_t> permutation_classes(const ClassGroup& group) {
  if (group.messages == 1) return group.class_count;
  return group.divides ? std::optional(group.half_class_count()) : std::nullopt;
}

}  // namespace

/// Returns the form of the combination of the groups group_on(axis), or nothing if a group does not fit in.
template <typename GroupOn>
std::optional<PatternProduct::Form> PatternProduct::form_of(GroupOn group_on) const {
  Form form;
  bool moves = false;
  for (std::size_t axis = 0; axis < patterns_.size(); ++axis) {
    const ClassGroup& group = group_on(axis);
    moves |= !group.moves_nobody();
    if (group.class_count * form.messages > form.class_count * group.messages)
      form = {group.messages, group.class_count, 0};
  }
  if (!moves) return form;
  form.step_count = form.class_count;
  bool is_first = true;  // the first axis of the form has the factor 1
  for (std::size_t axis = 0; axis < patterns_.size(); ++axis) {
    const ClassGroup& group = group_on(axis);
    if (form.is_that_of(group)) {
      if (!std::exchange(is_first, false)) form.step_count *= form.messages;
      continue;
    }
    const auto classes = permutation_classes(group);
    if (!classes || *classes * form.messages > form.class_count) return std::nullopt;
    form.step_count *= group.messages;
  }
  return form;
}

/// Returns the directions of the axes that a combination uses.
template <typename GroupOn>
Directions PatternProduct::directions_of(GroupOn group_on) const {
  Directions directions = 0;
  for (std::size_t axis = 0; axis < patterns_.size(); ++axis) {
    const ClassGroup& group = group_on(axis);
    directions |= (group.goes_up ? Directions{1} : 0) << (2 * axis);
    directions |= (group.goes_down ? Directions{2} : 0) << (2 * axis);
  }
  return directions;
}

std::optional<PatternProduct> PatternProduct::of(std::vector<AxisPattern> patterns, Ports ports) {
  PatternProduct product(std::move(patterns));
  if (!product.assign_steps(ports)) return std::nullopt;
  return product;
}

/// Gives every combination its first step. With all ports, this is a step of its own directions, which are then packed.
bool PatternProduct::assign_steps(Ports ports) {
  const bool packs = ports == Ports::all && patterns_.size() <= DirectionPacking::most_axes;
  std::vector<std::size_t> steps_of(packs ? std::size_t{1} << (2 * patterns_.size()) : 1, 0);
  std::vector<std::size_t> groups(patterns_.size(), 0);
  const auto group_on = [&](std::size_t axis) -> const ClassGroup& {
    return patterns_[axis].groups()[groups[axis]];
  };
  for (std::size_t axis = 0; axis < patterns_.size();) {
    const auto form = form_of(group_on);
    if (!form) return false;
    std::size_t& steps = steps_of[packs ? directions_of(group_on) : 0];
    first_steps_.push_back(steps);
    steps += form->step_count;
    for (axis = 0; axis < patterns_.size() && ++groups[axis] == patterns_[axis].groups().size(); ++axis)
      groups[axis] = 0;
  }
  step_count_ = steps_of[0];
  if (packs) {
    packing_.emplace(std::move(steps_of));
    step_count_ = packing_->step_count();
  }
  return true;
}

/// Returns the step of a message within its combination.
template <typename PairOn>
std::size_t PatternProduct::step_within(const Form& form, PairOn pair_on) const {
  const SmallField field(form.class_count);
  std::size_t index = 0;  // of the halves, then of the factors
  std::uint32_t sum = 0;
  for (std::size_t axis = 0; axis < patterns_.size(); ++axis) {
    const AxisPattern::Pair& pair = pair_on(axis);
    const ClassGroup& group = patterns_[axis].groups()[pair.group];
    if (form.is_that_of(group)) continue;
    index = index * group.messages + pair.half;
    const std::uint32_t x = pair.half_class;
    sum +=
        form.messages == 1 ? x : x / 2 * 4 + x % 2;  // 0, 1, 4, 5, 8, ...: the sets w + {1, -1} do not meet
  }
  std::uint32_t b = sum % form.class_count;
  std::uint32_t factor = 0;      // of the last axis of this form
  std::uint32_t difference = 0;  // its class less its destination label
  for (std::size_t axis = 0; axis < patterns_.size(); ++axis) {
    const AxisPattern::Pair& pair = pair_on(axis);
    if (!form.is_that_of(patterns_[axis].groups()[pair.group])) continue;
    if (factor == 0) {
      factor = 1;
      b = field.add(b, pair.class_number);
    } else {
      factor = field.divide(field.multiply(factor, difference),
                            field.subtract(pair.class_number, pair.source_label));
      index = index * form.messages + (form.messages == 2 ? factor != 1 : factor - 1);
      b = field.add(b, field.multiply(factor, pair.source_label));
    }
    difference = field.subtract(pair.class_number, pair.destination_label);
  }
  return index * form.class_count + b;
}

std::size_t PatternProduct::step_of(const std::vector<std::uint32_t>& source,
                                    const std::vector<std::uint32_t>& destination) const {
  const auto pair_on = [&](std::size_t axis) -> const AxisPattern::Pair& {
    return patterns_[axis].pair(source[axis], destination[axis]);
  };
  const auto group_on = [&](std::size_t axis) -> const ClassGroup& {
    return patterns_[axis].groups()[pair_on(axis).group];
  };
  std::size_t combination = 0;
  for (std::size_t axis = patterns_.size(); axis-- > 0;)
    combination = combination * patterns_[axis].groups().size() + pair_on(axis).group;
  const std::size_t step = first_steps_[combination] + step_within(*form_of(group_on), pair_on);
  return packing_ ? packing_->step_of(directions_of(group_on), step) : step;
}

}  // namespace cubefold
