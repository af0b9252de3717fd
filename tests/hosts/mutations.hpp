#pragma once

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

namespace cubefold {

/// Returns the text with one to four changes: a byte replaced, a part removed, a part repeated at another place, or a
/// number made large.
inline std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, std::max<std::size_t>(bound, 1) - 1)(random);
  };
  for (std::size_t change = 1 + below(4); change > 0; --change) {
    const std::size_t place = below(text.size() + 1);
    const std::string part = text.substr(place, below(20));
    switch (below(4)) {
      case 0:
        if (place < text.size()) text[place] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(place, part.size());
        break;
      case 2:
        text.insert(below(text.size() + 1), part);
        break;
      default:
        text.insert(place, "99999999999");
    }
  }
  return text;
}

/// Passes mutations of a text to read(), which may throw std::invalid_argument and nothing else. Returns how often it
/// did.
template <typename Read>
int refused_mutations(const std::string& text, Read&& read, int count) {
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < count; ++i) {
    try {
      read(mutated(text, random));
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  }
  return refused;
}

}  // namespace cubefold
