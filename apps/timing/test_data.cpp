#include "timing/test_data.hpp"

#include <algorithm>
#include <cstring>

namespace cubefold::timing {

namespace {

/// Returns the result of the splitmix64 finaliser for x. Every bit of x affects every bit of the result.
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t first_word(const BlockName& name) {
  return mixed(mixed((std::uint64_t{name.source} << 32) | name.destination) + name.run + 1);
}

/// Calls visit(offset, word, size) for every word of a block. `size` is the number of bytes of the word in the block,
/// which may be smaller for the last word.
template <typename Visit>
void for_each_word(std::size_t bytes, const BlockName& name, Visit visit) {
  std::uint64_t word = first_word(name);
  for (std::size_t offset = 0; offset < bytes; offset += sizeof word) {
    visit(offset, word, std::min(sizeof word, bytes - offset));
    word = word * 0xd1342543de82ef95ULL + 1;
  }
}

}  // namespace

void fill(std::span<std::byte> block, const BlockName& name) {
  for_each_word(block.size(), name, [&](std::size_t offset, std::uint64_t word, std::size_t size) {
    std::memcpy(block.data() + offset, &word, size);
  });
}

std::optional<std::size_t> first_wrong_byte(std::span<const std::byte> block, const BlockName& name) {
  std::optional<std::size_t> wrong;
  for_each_word(block.size(), name, [&](std::size_t offset, std::uint64_t word, std::size_t size) {
    if (wrong || std::memcmp(block.data() + offset, &word, size) == 0) return;
    wrong = offset;
    std::byte expected[sizeof word];  // NOLINT(modernize-avoid-c-arrays)
    std::memcpy(expected, &word, size);
    while (block[*wrong] == expected[*wrong - offset]) ++*wrong;
  });
  return wrong;
}

}  // namespace cubefold::timing
