#include <fmt/format.h>

#include <stdexcept>

#include "placed_hosts.hpp"
#include "source.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

std::string_view without_comment(std::string_view line) {
  return line.substr(0, line.find('#'));
}

std::optional<std::uint32_t> slots_of(std::string_view word) {
  constexpr std::string_view slots = "slots=";
  if (!word.starts_with(slots)) return std::nullopt;
  return whole_number(word.substr(slots.size()));
}

/// Returns the host of the words of a line. Throws std::invalid_argument for a word that is no coordinate.
PlacedHost host_of(const std::vector<std::string_view>& words) {
  PlacedHost host{std::string(words.front()), {}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto coordinate = whole_number(words[i]);
    const auto slots = i + 1 == words.size() ? slots_of(words[i]) : std::nullopt;
    if (!coordinate && !slots)
      throw std::invalid_argument(fmt::format("'{}' is not a coordinate below 2^32", words[i]));
    if (coordinate) host.at.push_back(*coordinate);
    if (slots) host.slots = *slots;
  }
  if (host.at.empty()) throw std::invalid_argument(fmt::format("host '{}' has no coordinates", host.name));
  return host;
}

std::vector<PlacedHost> hosts_of(std::string_view text) {
  std::vector<PlacedHost> hosts;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    const auto words = words_of_line(without_comment(line));
    if (words.empty()) return;
    try {
      hosts.push_back(host_of(words));
      if (hosts.back().at.size() == hosts.front().at.size()) return;
      throw std::invalid_argument(fmt::format("{} coordinates, and {} in the lines before",
                                              hosts.back().at.size(), hosts.front().at.size()));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("line {}: {}", number, error.what()));
    }
  });
  return hosts;
}

/// Returns whether the first line with words has a host and numbers.
bool has_hosts_with_numbers(std::string_view text) {
  bool decided = false;
  bool fits = false;
  for_each_line(text, [&](std::size_t, std::string_view line) {
    const auto words = decided ? std::vector<std::string_view>{} : words_of_line(without_comment(line));
    if (words.empty()) return;
    decided = true;
    fits = words.size() > 1 && whole_number(words[1]).has_value();
  });
  return fits;
}

HostMap map_of_coordinates(const SourceInput& input) {
  return map_of_only_text(input, "coordinates", [&](const SourceText& text) {
    return map_of_placed(hosts_of(text.text), input.grid, text.name);
  });
}

}  // namespace

const HostSource coordinates_source{"coordinates", "lines HOST X Y Z [slots=N]; # begins a comment",
                                    has_hosts_with_numbers, map_of_coordinates};

}  // namespace cubefold
