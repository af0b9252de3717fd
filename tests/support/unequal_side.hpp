#pragma once

#include <vector>

namespace cubefold::mpi {

/// The buffer of one side of an exchange of blocks of unequal sizes. The block for process `other` has count(other)
/// numbers, and two unused numbers follow it.
struct Side {
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<int> numbers;

  template <typename Count, typename Number>
  Side(int size, Count count, Number value) {
    for (int other = 0; other < size; ++other) {
      counts.push_back(count(other));
      displacements.push_back(static_cast<int>(numbers.size()));
      for (int k = 0; k < counts.back(); ++k) numbers.push_back(value(other, k));
      numbers.insert(numbers.end(), 2, -1);
    }
  }
};

}  // namespace cubefold::mpi
