#include "planner/verification/chunk_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace cubefold::planner {

namespace {

std::size_t words_of(std::size_t node_count) {
  return (node_count + 63) / 64;
}

}  // namespace

bool ChunkValues::fit(std::size_t node_count, std::size_t chunk_count) {
  constexpr double most_words = 1 << 27;
  return static_cast<double>(node_count) * static_cast<double>(chunk_count) *
             static_cast<double>(words_of(node_count)) <=
         most_words;
}

ChunkValues::ChunkValues(const std::string& collective, std::size_t node_count, std::size_t chunk_count)
    : gathers_(collective == "allgather"),
      scatters_(collective == "reduce-scatter"),
      node_count_(node_count),
      chunk_count_(chunk_count),
      word_count_(words_of(node_count)),
      values_(node_count * chunk_count * word_count_) {
  for (std::size_t node = 0; node < node_count_; ++node) {
    for (std::size_t chunk = 0; chunk < chunk_count_; ++chunk)
      if (contributes(node, chunk)) value_of(node, chunk)[node / 64] = std::uint64_t{1} << (node % 64);
  }
}

std::optional<std::string> ChunkValues::send(std::size_t index, const MessageClaim& message) {
  Sent& sent = sent_.emplace_back(Sent{index, {}});
  for (const std::size_t chunk : message.chunks) {
    const std::uint64_t* value = value_of(message.from, chunk);
    sent.values.emplace_back(value, value + word_count_);
    if (std::ranges::all_of(sent.values.back(), [](std::uint64_t word) { return word == 0; }))
      return fmt::format("chunk {} is not on node {}", chunk, message.from);
  }
  return std::nullopt;
}

std::optional<std::string> ChunkValues::arrive(std::size_t index, const MessageClaim& message) {
  const auto sent = std::ranges::find(sent_, index, &Sent::message);
  if (sent == sent_.end()) return std::nullopt;
  for (std::size_t i = 0; i < sent->values.size(); ++i) {
    if (auto fault = put(message.to, message.chunks[i], sent->values[i], message.reduces)) return fault;
  }
  return std::nullopt;
}

std::optional<std::string> ChunkValues::put(std::size_t node, std::size_t chunk, const Words& value,
                                            bool reduces) {
  if (!arrived_.emplace(node, chunk).second)
    return fmt::format("chunk {} arrives a second time in the step on node {}", chunk, node);
  std::uint64_t* held = value_of(node, chunk);
  if (!reduces) {
    std::ranges::copy(value, held);
    return std::nullopt;
  }
  if (std::all_of(held, held + word_count_, [](std::uint64_t word) { return word == 0; }))
    return fmt::format("node {} has nothing to reduce with chunk {}", node, chunk);
  for (std::size_t word = 0; word < word_count_; ++word) {
    const std::uint64_t both = held[word] & value[word];
    if (both != 0) {
      return fmt::format("node {} has already the contribution of node {} to chunk {}", node,
                         word * 64 + static_cast<std::size_t>(std::countr_zero(both)), chunk);
    }
    held[word] |= value[word];
  }
  return std::nullopt;
}

std::size_t ChunkValues::count_of(std::size_t node, std::size_t chunk) const {
  std::size_t count = 0;
  for (std::size_t word = 0; word < word_count_; ++word) {
    count +=
        static_cast<std::size_t>(std::popcount(values_[(node * chunk_count_ + chunk) * word_count_ + word]));
  }
  return count;
}

std::optional<std::string> ChunkValues::missing() const {
  for (std::size_t node = 0; node < node_count_; ++node) {
    for (std::size_t chunk = 0; chunk < chunk_count_; ++chunk) {
      if (!wants(node, chunk) || count_of(node, chunk) == (gathers_ ? 1 : node_count_)) continue;
      for (std::size_t from = 0; from < node_count_; ++from) {
        if (contributes(from, chunk) && !has(node, chunk, from)) {
          return fmt::format("node {} lacks the contribution of node {} to chunk {} at the end", node, from,
                             chunk);
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace cubefold::planner
