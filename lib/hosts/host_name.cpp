#include "host_name.hpp"

#include <algorithm>

#include "text/known_names.hpp"

namespace cubefold {

namespace {

/// Returns the small letter of a capital of ASCII, in every locale.
char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view short_host_name(std::string_view name) {
  return name.substr(0, name.find('.'));
}

bool is_same_host_name(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, small, small);
}

std::string_view most_similar_host_name(std::string_view name, const std::vector<std::string_view>& known) {
  const auto begins = [name](std::string_view other) {
    return is_same_host_name(other.substr(0, name.size()), name);
  };
  const auto longer = std::ranges::find_if(known, begins);
  return longer != known.end() ? *longer : nearest_name(name, known).value_or(known.front());
}

bool HostNameOrder::operator()(std::string_view one, std::string_view other) const {
  return std::ranges::lexicographical_compare(one, other, {}, small, small);
}

}  // namespace cubefold
