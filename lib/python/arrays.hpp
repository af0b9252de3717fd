#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cubefold::python {

/// Returns a NumPy array of 64-bit integers, one for each element.
template <typename T>
pybind11::array_t<std::int64_t> to_array(const std::vector<T>& elements) {
  pybind11::array_t<std::int64_t> array(static_cast<pybind11::ssize_t>(elements.size()));
  for (std::size_t i = 0; i < elements.size(); ++i)
    array.mutable_data()[i] = static_cast<std::int64_t>(elements[i]);
  return array;
}

/// Returns a NumPy array of two columns: row i has the two integers of pair_of(elements[i]).
template <typename T, typename PairOf>
pybind11::array_t<std::int64_t> to_two_columns(const std::vector<T>& elements, PairOf pair_of) {
  pybind11::array_t<std::int64_t> array(
      {static_cast<pybind11::ssize_t>(elements.size()), pybind11::ssize_t{2}});
  std::int64_t* next = array.mutable_data();
  for (const T& element : elements) {
    const auto [first, second] = pair_of(element);
    *next++ = static_cast<std::int64_t>(first);
    *next++ = static_cast<std::int64_t>(second);
  }
  return array;
}

}  // namespace cubefold::python
