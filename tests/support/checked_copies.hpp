#pragma once

// The compiler's option -include puts this file before a source. Standard libraries may move memory for std::copy,
// which hides copies onto data that is still to be copied. Here such copies throw.

#include <algorithm>
#include <complex>
#include <functional>
#include <stdexcept>
#include <string>  // it has a member named copy

namespace std {  // NOLINT: where sources look for them

/// Requires that `to` is not in first .. last - 1.
template <typename From, typename To>
To checked_copy(From first, From last, To to) {
  if (less_equal<>{}(first, to) && less<>{}(to, last))
    throw logic_error("std::copy onto what is to be copied");
  for (; first != last; ++first, ++to) *to = *first;
  return to;
}

/// Requires that `to` is not in first + 1 .. last.
template <typename From, typename To>
To checked_copy_backward(From first, From last, To to) {
  if (less<>{}(first, to) && less_equal<>{}(to, last))
    throw logic_error("std::copy_backward onto what is to be copied");
  while (first != last) *--to = *--last;
  return to;
}

}  // namespace std

#define copy checked_copy
#define copy_backward checked_copy_backward
