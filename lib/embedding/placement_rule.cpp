#include "cubefold/embedding/placement_rule.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

constexpr std::array<std::pair<std::string_view, Embedding>, 5> embedding_names{{
    {"identity", Embedding::identity},
    {"standard", Embedding::standard},
    {"xor", Embedding::xor_},
    {"by-weight", Embedding::by_weight},
    {"gray", Embedding::gray},
}};

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Reads a placement's text and knows how to complain about it.
class PlacementReader {
 public:
  explicit PlacementReader(std::string_view text) : text_(text) {}

  PlacementRule read() const {
    const auto parts = split(text_, ',');
    PlacementRule rule;
    rule.embedding = embedding(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) read_option(parts[i], rule);
    return rule;
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("placement '{}': {}", text_, rule));
  }

  Embedding embedding(std::string_view name) const {
    for (const auto& [known, value] : embedding_names) {
      if (name == known) return value;
    }
    fail(fmt::format("unknown embedding '{}'; known: identity, standard, xor, by-weight, gray", name));
  }

  void read_option(std::string_view option, PlacementRule& rule) const {
    if (option == "bits=blocked") {
      rule.bits = BitDealing::blocked;
    } else if (option == "bits=cyclic") {
      rule.bits = BitDealing::cyclic;
    } else if (option.starts_with("order=")) {
      rule.order = order(option.substr(6));
    } else {
      fail(fmt::format("unknown option '{}'; known: bits=blocked, bits=cyclic, order=0-1-2", option));
    }
  }

  std::vector<int> order(std::string_view text) const {
    std::vector<int> result;
    for (const auto part : split(text, '-')) {
      int bit = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), bit);
      if (error != std::errc{} || end != part.data() + part.size()) {
        fail(fmt::format("'{}' in the order is not a bit number", part));
      }
      result.push_back(bit);
    }
    for (int bit = 0; bit < static_cast<int>(result.size()); ++bit) {
      if (std::find(result.begin(), result.end(), bit) == result.end()) {
        fail(
            fmt::format("the order is no permutation of 0 to {}: bit {} is missing", result.size() - 1, bit));
      }
    }
    return result;
  }

  std::string_view text_;
};

}  // namespace

PlacementRule parse_placement(std::string_view text) {
  return PlacementReader(text).read();
}

std::string to_string(const PlacementRule& rule) {
  const auto* name = std::find_if(embedding_names.begin(), embedding_names.end(),
                                  [&](const auto& entry) { return entry.second == rule.embedding; });
  std::string text(name->first);
  if (rule.bits == BitDealing::cyclic) text += ",bits=cyclic";
  if (!rule.order.empty()) text += fmt::format(",order={}", fmt::join(rule.order, "-"));
  return text;
}

}  // namespace cubefold
