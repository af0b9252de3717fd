#include "fuzz/parser.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>

#include "cubefold/topology/route_table.hpp"
#include "fuzz/memory_meter.hpp"

namespace cubefold::fuzz {

namespace {

constexpr std::array parsers{
#define CUBEFOLD_ADDRESS(name) &name##_parser,
    CUBEFOLD_FUZZED_PARSERS(CUBEFOLD_ADDRESS)
#undef CUBEFOLD_ADDRESS
};

constexpr std::size_t most_bytes_per_byte = 100;
constexpr std::uint64_t most_cheap_nodes = 16;
constexpr std::uint64_t most_cheap_switches = 4;  // with up to 9 hosts each

std::optional<std::string> wrong_exception(const FuzzedParser& parser, std::string_view text) {
  try {
    parser.read(text);
  } catch (const std::invalid_argument&) {
  } catch (const std::runtime_error& error) {
    if (parser.refusals == Refusals::invalid_argument) return std::string("throws ") + error.what();
  } catch (const std::exception& error) {
    return std::string("throws ") + error.what();
  } catch (...) {
    return "throws something that is no exception";
  }
  return std::nullopt;
}

/// Returns the product of the numbers `12x8` at the beginning of a text, where `w` may stand behind a number.
std::uint64_t product_of_extents(std::string_view text) {
  std::uint64_t product = 1;
  while (!text.empty()) {
    std::uint32_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc{}) return product;
    product = std::min<std::uint64_t>(product * extent, 1U << 31);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.starts_with('w')) text.remove_prefix(1);
    if (!text.starts_with('x')) return product;
    text.remove_prefix(1);
  }
  return product;
}

/// Returns whether more than 9 hosts may be on a switch: a number of two digits follows `hosts=` at any distance.
bool names_many_hosts(std::string_view text) {
  const std::string_view counts = text.substr(text.find("hosts="));
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::ranges::adjacent_find(counts, [&](char a, char b) { return is_digit(a) && is_digit(b); }) !=
         counts.end();
}

}  // namespace

std::span<const FuzzedParser* const> fuzzed_parsers() {
  return parsers;
}

const FuzzedParser* parser_named(std::string_view name) {
  const auto found = std::find_if(parsers.begin(), parsers.end(),
                                  [&](const FuzzedParser* parser) { return parser->name == name; });
  return found == parsers.end() ? nullptr : *found;
}

std::optional<std::string> defect_of(const FuzzedParser& parser, std::string_view text) {
  const MemoryMeter meter;
  if (auto defect = wrong_exception(parser, text)) return defect;
  const std::size_t most_bytes = parser.constant_bytes + most_bytes_per_byte * text.size();
  if (meter.peak_bytes() <= most_bytes) return std::nullopt;
  return "takes " + std::to_string(meter.peak_bytes()) + " bytes where " + std::to_string(most_bytes) +
         " are allowed";
}

bool names_costly_network(std::string_view text) {
  if (text.find("file:") != std::string_view::npos) return true;
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  const bool has_hosts = has("hosts=");
  if (!has_hosts && !has("hyperx") && !has("cut=") && !has("without=") && !has("~")) return false;
  if (has_hosts && names_many_hosts(text)) return true;
  const std::uint64_t most = has_hosts ? most_cheap_switches : most_cheap_nodes;
  for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1)) {
    const std::string_view extents = text.substr(colon + 1);
    const bool is_cube = text.substr(0, colon).ends_with("hypercube");
    const std::uint64_t product = product_of_extents(extents);
    const auto nodes = is_cube ? std::uint64_t{1} << std::min<std::uint64_t>(product, 31) : product;
    if (nodes > most && nodes <= RouteTable::most_nodes) return true;
  }
  return false;
}

}  // namespace cubefold::fuzz
