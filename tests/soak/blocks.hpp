#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/cubefold.h"

namespace cubefold::soak {

/// Draws the choices that all processes have to make alike.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : generator_(seed) {}

  /// Returns a number of `first` to `last`.
  int between(int first, int last) {
    return first + static_cast<int>(generator_() % static_cast<std::uint64_t>(last - first + 1));
  }
  /// Returns how many numbers a block has: few in most exchanges, and many in one of a hundred.
  int count() { return between(0, 99) == 0 ? between(1'000, 10'000) : between(1, 64); }

 private:
  std::mt19937_64 generator_;
};

inline std::size_t at(int n) {
  return static_cast<std::size_t>(n);
}

/// The k-th number of the block from one rank to another. It is never negative.
inline int number(std::uint64_t exchange, int from, int to, int k) {
  return static_cast<int>((exchange * 2'654'435'761U + at(from) * 40'503U + at(to) * 2'057U + at(k)) &
                          0x7fffffff);
}

/// The numbers that a process sends or receives. The block of a rank lies behind those of lower ranks.
struct Blocks {
  explicit Blocks(std::vector<int> block_counts) : counts(std::move(block_counts)) {
    int total = 0;
    for (const int count : counts) {
      offsets.push_back(total);
      total += count;
    }
    numbers.assign(at(total), -1);
  }
  int& operator()(int rank, int k) { return numbers[at(offsets[at(rank)] + k)]; }

  std::vector<int> counts;
  std::vector<int> offsets;
  std::vector<int> numbers;
};

/// One exchange of a process. Its numbers tell it from all other exchanges.
struct Exchange {
  Exchange(std::uint64_t number_of_exchange, int own_rank, std::vector<int> sent_counts,
           std::vector<int> received_counts)
      : rank(own_rank), sent(std::move(sent_counts)), received(std::move(received_counts)) {
    fill(number_of_exchange);
  }
  Exchange(std::uint64_t number_of_exchange, int own_rank, int size, int count)
      : Exchange(number_of_exchange, own_rank, std::vector<int>(at(size), count),
                 std::vector<int>(at(size), count)) {}

  void fill(std::uint64_t number_of_exchange) {
    id = number_of_exchange;
    for (int to = 0; to < static_cast<int>(sent.counts.size()); ++to) {
      for (int k = 0; k < sent.counts[at(to)]; ++k) sent(to, k) = number(id, rank, to, k);
    }
  }

  /// Compares what should have arrived in `blocks` from a rank, and makes it wrong for the next exchange. Throws
  /// std::runtime_error.
  void compare_from(int from, const char* call, Blocks& blocks) const {
    for (int k = 0; k < blocks.counts[at(from)]; ++k) {
      int& found = blocks(from, k);
      if (found != number(id, from, rank, k))
        throw std::runtime_error(
            fmt::format("{}: number {} of the block from rank {} to rank {} is wrong in exchange {}", call, k,
                        from, rank, id));
      found = -1;
    }
  }
  void compare(const char* call, Blocks& blocks) const {
    for (int from = 0; from < static_cast<int>(blocks.counts.size()); ++from)
      compare_from(from, call, blocks);
  }
  void compare(const char* call) { compare(call, received); }

  std::uint64_t id = 0;
  int rank;
  Blocks sent;
  Blocks received;
  cubefold_request request = nullptr;
};

}  // namespace cubefold::soak
