#include <algorithm>

#include "cubefold/fft/layout.hpp"

namespace cubefold::fft {

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
