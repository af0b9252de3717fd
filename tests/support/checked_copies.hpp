#pragma once

// The compiler option -include inserts this file before a source. Standard libraries may implement std::copy by
// memmove, which hides copies that overwrite data before they are read. The functions in this file throw for such
// copies.

#include <algorithm>
#include <complex>
#include <functional>
#include <stdexcept>
#include <string>  // included first because std::string has a member named copy

namespace std {  // NOLINT: sources call std::copy

/// Copies like std::copy. Throws std::logic_error if `to` is in first .. last - 1.
template <typename From, typename To>
To checked_copy(From first, From last, To to) {
  if (less_equal<>{}(first, to) && less<>{}(to, last))
    throw logic_error("std::copy onto what is to be copied");
  for (; first != last; ++first, ++to) *to = *first;
  return to;
}

/// Copies like std::copy_backward. Throws std::logic_error if `to` is in first + 1 .. last.
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
