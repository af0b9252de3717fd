#pragma once

#include <cstddef>
#include <vector>

namespace cubefold::mpi {

/// Returns the k-th number of the block from one virtual rank to another. It is never 0.
inline int number(int source, int destination, int k) {
  return 1 + k + 1000 * (destination + 100 * source);
}

/// Returns the data that a rank sends: blocks of `count` numbers to every rank.
inline std::vector<int> sent_by(int rank, int size, int count) {
  std::vector<int> numbers;
  for (int j = 0; j < size; ++j) {
    for (int k = 0; k < count; ++k) numbers.push_back(number(rank, j, k));
  }
  return numbers;
}

/// Returns the data that a rank must receive: blocks of `count` numbers from every rank.
inline std::vector<int> received_by(int rank, int size, int count) {
  std::vector<int> numbers;
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < count; ++k) numbers.push_back(number(i, rank, k));
  }
  return numbers;
}

/// Returns the numbers with a gap of one number after each. The gaps hold -2.
inline std::vector<int> spread_out(const std::vector<int>& numbers) {
  std::vector<int> spread(2 * numbers.size(), -2);
  for (std::size_t i = 0; i < numbers.size(); ++i) spread[2 * i] = numbers[i];
  return spread;
}

}  // namespace cubefold::mpi
