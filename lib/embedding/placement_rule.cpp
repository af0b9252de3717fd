#include "cubefold/embedding/placement_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

#include "text/known_names.hpp"

namespace cubefold {

namespace {

/// Returns the name of an embedding. The switch lets the compiler find an embedding that has no name.
constexpr std::string_view name_of(Embedding embedding) {
  switch (embedding) {
    case Embedding::identity:
      return "identity";
    case Embedding::standard:
      return "standard";
    case Embedding::xor_:
      return "xor";
    case Embedding::by_weight:
      return "by-weight";
    case Embedding::gray:
      return "gray";
  }
  return {};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

constexpr std::string_view table = "nodes=";

/// Returns the smallest number below size() that is missing, or nothing for a permutation.
template <typename Number>
std::optional<std::size_t> missing_number(const std::vector<Number>& numbers) {
  std::vector<bool> present(numbers.size());
  for (const Number number : numbers) {
    if (static_cast<std::size_t>(number) < present.size()) present[static_cast<std::size_t>(number)] = true;
  }
  const auto missing = std::find(present.begin(), present.end(), false);
  if (missing == present.end()) return std::nullopt;
  return static_cast<std::size_t>(missing - present.begin());
}

template <typename Number>
std::string dashed(const std::vector<Number>& numbers) {
  std::string text;
  for (const Number number : numbers) {
    if (!text.empty()) text += '-';
    text += std::to_string(static_cast<std::uint32_t>(number));
  }
  return text;
}

/// Reads a placement's text and throws std::invalid_argument that quotes it.
class PlacementReader {
 public:
  explicit PlacementReader(std::string_view text) : text_(text) {}

  PlacementRule read() const {
    PlacementRule rule;
    if (text_.starts_with(table)) {
      rule.nodes = permutation<GridNode>(text_.substr(table.size()), "table of nodes", "node");
      return rule;
    }
    const auto parts = split(text_, ',');
    rule.embeddings.clear();
    for (const auto name : split(parts[0], '/')) rule.embeddings.push_back(embedding(name));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      require_new_option(parts, i);
      read_option(parts[i], rule);
    }
    return rule;
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("placement '{}': {}", text_, rule));
  }

  Embedding embedding(std::string_view name) const {
    const auto known = embedding_names();
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) fail(unknown_name("embedding", name, known));
    return static_cast<Embedding>(found - known.begin());
  }

  void require_new_option(const std::vector<std::string_view>& parts, std::size_t i) const {
    const auto name_of_option = [](std::string_view option) { return option.substr(0, option.find('=')); };
    const auto name = name_of_option(parts[i]);
    for (std::size_t earlier = 1; earlier < i; ++earlier) {
      if (name_of_option(parts[earlier]) == name) fail(fmt::format("'{}' is said twice", name));
    }
  }

  void read_option(std::string_view option, PlacementRule& rule) const {
    if (option == "bits=blocked") {
      rule.bits = BitAssignment::blocked;
    } else if (option == "bits=cyclic") {
      rule.bits = BitAssignment::cyclic;
    } else if (option.starts_with("bits=")) {
      rule.axis_of_bit = numbers<int>(option.substr(5), "bits", "axis");
    } else if (option.starts_with("order=")) {
      rule.order = permutation<int>(option.substr(6), "order", "bit");
    } else {
      fail(fmt::format("unknown option '{}'; known: bits=blocked, bits=cyclic, bits=0-1-0, order=0-1-2",
                       option));
    }
  }

  template <typename Number>
  std::vector<Number> numbers(std::string_view list, std::string_view list_name,
                              std::string_view entry) const {
    std::vector<Number> result;
    for (const auto part : split(list, '-')) {
      std::uint32_t number = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
      if (error != std::errc{} || end != part.data() + part.size() || number > max_number) {
        fail(fmt::format("'{}' in the {} is no {} number", part, list_name, entry));
      }
      result.push_back(static_cast<Number>(number));
    }
    return result;
  }

  template <typename Number>
  std::vector<Number> permutation(std::string_view list, std::string_view list_name,
                                  std::string_view entry) const {
    auto result = numbers<Number>(list, list_name, entry);
    if (const auto missing = missing_number(result)) {
      fail(fmt::format("the {} is no permutation of 0 to {}: {} {} is missing", list_name, result.size() - 1,
                       entry, *missing));
    }
    return result;
  }

  static constexpr std::uint32_t max_number = (std::uint32_t{1} << 31) - 1;

  std::string_view text_;
};

}  // namespace

std::vector<std::string_view> embedding_names() {
  std::vector<std::string_view> names;
  for (std::uint8_t index = 0; !name_of(static_cast<Embedding>(index)).empty(); ++index)
    names.push_back(name_of(static_cast<Embedding>(index)));
  return names;
}

PlacementRule parse_placement(std::string_view text) {
  return PlacementReader(text).read();
}

std::string to_string(const PlacementRule& rule) {
  if (!rule.nodes.empty()) return fmt::format("{}{}", table, dashed(rule.nodes));
  std::string text;
  for (const Embedding embedding : rule.embeddings) {
    if (!text.empty()) text += '/';
    text += name_of(embedding);
  }
  if (!rule.axis_of_bit.empty()) {
    text += ",bits=" + dashed(rule.axis_of_bit);
  } else if (rule.bits == BitAssignment::cyclic) {
    text += ",bits=cyclic";
  }
  if (!rule.order.empty()) text += ",order=" + dashed(rule.order);
  return text;
}

}  // namespace cubefold
