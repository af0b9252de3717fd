#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/program.hpp"
#include "exchange_digits.hpp"
#include "view.hpp"

namespace cubefold::fft {

/// A block of an exchange has a place for every combination of the values that its sender and its receiver may have in
/// common; they are counted in some order of digits, and every digit has room for as many values as any two members
/// share.
struct BlockShape {
  View sent;      ///< of digits of the layout before: where its points lie in the blocks for all members
  View received;  ///< of digits of the layout after: where its points lie in the blocks of all members
  std::size_t block_count = 0;  ///< places, all arrays of the batch together
};

/// Whether digits before and after are the same but for order and spread; they have to be.
bool keeps_digits(const ExchangeStage& stage);

/// The most values of each digit of the layout before that this process shares with any member as their receiver. The
/// largest of all senders is what a block has room for.
std::vector<std::size_t> shared_counts(const ExchangeStage& stage, const Layout::Members& members);

/// Digits of the layout before in the order of their places in a block, slowest first; `rooms` are the largest
/// shared_counts().
BlockShape block_shape(const ExchangeStage& stage, const Layout::Members& members, std::size_t batch,
                       const std::vector<std::size_t>& order, const std::vector<std::size_t>& rooms);

}  // namespace cubefold::fft
