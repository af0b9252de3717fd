#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "host_file.hpp"
#include "placed_hosts.hpp"
#include "source.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view axis_letters = "xyzabc";
constexpr std::size_t whole_node = axis_letters.size();  ///< stands for %n, the number of the node

/// A part of a pattern: letters as they stand, then a number for an axis.
struct PatternPart {
  std::string letters;
  std::size_t axis = 0;
  std::size_t digit_count = 0;  ///< 0 takes all digits that follow
};

/// Matches names of hosts against a pattern such as `r%xi%yn%2z`.
class NamePattern {
 public:
  explicit NamePattern(std::string_view pattern) : pattern_(pattern) {
    std::string letters;
    for (rest_ = pattern; !rest_.empty();) {
      const bool is_percent = rest_.starts_with("%%");
      if (rest_.front() == '%' && !is_percent) {
        rest_.remove_prefix(1);
        add_number(letters);
        letters.clear();
      } else {
        letters += rest_.front();
        rest_.remove_prefix(is_percent ? 2 : 1);
      }
    }
    ending_ = letters;
    count_axes();
  }

  bool numbers_nodes() const { return parts_.front().axis == whole_node; }

  /// Returns the numbers of a name, axis 0 first.
  std::vector<std::uint32_t> coordinates(std::string_view name) const {
    std::vector<std::uint32_t> result(parts_.size());
    std::string_view rest = name;
    for (const PatternPart& part : parts_) {
      if (!rest.starts_with(part.letters)) refuse(name);
      rest.remove_prefix(part.letters.size());
      const std::size_t all = std::min(rest.find_first_not_of(digits), rest.size());
      const std::size_t count = part.digit_count == 0 ? all : part.digit_count;
      const auto number = count <= all ? whole_number(rest.substr(0, count)) : std::nullopt;
      if (!number) refuse(name);
      result[part.axis == whole_node ? 0 : part.axis] = *number;
      rest.remove_prefix(count);
    }
    if (rest != ending_) refuse(name);
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("pattern '{}': {}", pattern_, rule));
  }

  [[noreturn]] void refuse(std::string_view name) const {
    fail(fmt::format("host '{}' is not of this form", name));
  }

  void add_number(const std::string& letters) {
    PatternPart part{letters};
    if (!rest_.empty() && rest_[0] >= '1' && rest_[0] <= '9') {
      part.digit_count = static_cast<std::size_t>(rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    part.axis = rest_.empty() ? std::string_view::npos : (std::string(axis_letters) + 'n').find(rest_[0]);
    if (part.axis == std::string_view::npos)
      fail("after % comes x, y, z, a, b or c for axes 0 to 5, or n for the number of the node");
    rest_.remove_prefix(1);
    if (!parts_.empty() && letters.empty() && parts_.back().digit_count == 0)
      fail("two numbers meet; say how many digits the first one has, as in %2x%2y");
    parts_.push_back(part);
  }

  /// Throws unless the numbers are those of axes 0, 1, 2 ..., each once, or the number of the node alone.
  void count_axes() const {
    if (parts_.empty()) fail("it has no number, as in r%xi%yn%z");
    std::vector<std::size_t> axes;
    for (const PatternPart& part : parts_) axes.push_back(part.axis);
    std::ranges::sort(axes);
    if (axes == std::vector{whole_node}) return;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i] != i)
        fail("its numbers are not those of x, y, z, a, b, c from x on, each once, or n alone");
    }
  }

  std::string_view pattern_;
  std::string_view rest_;
  std::vector<PatternPart> parts_;
  std::string ending_;
};

/// Replaces the number of a node by its coordinates.
void unfold(PlacedHost& host, const Grid& network) {
  const std::uint32_t node = host.at.front();
  if (node >= network.node_count()) {
    throw std::invalid_argument(fmt::format("host '{}' has number {}, but {} has {} nodes", host.name, node,
                                            to_string(network), network.node_count()));
  }
  host.at = network.coordinates(static_cast<GridNode>(node));
}

std::vector<JobHost> hosts_in(const SourceText& text) {
  try {
    return parse_host_file(text.text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", text.name, error.what()));
  }
}

HostMap map_of_names(const SourceInput& input) {
  if (input.pattern.empty())
    throw std::invalid_argument("pattern: it needs --pattern, as in 'r%xi%yn%z', and --hosts or --input");
  const NamePattern pattern(input.pattern);
  if (pattern.numbers_nodes() && !input.grid) {
    throw std::invalid_argument(fmt::format(
        "pattern '{}': numbers of nodes need the network, as in --grid torus:4x4", input.pattern));
  }
  std::vector<PlacedHost> hosts;
  for (const SourceText& text : input.texts)
    for (JobHost& host : hosts_in(text)) hosts.push_back({std::move(host.name), {}, host.slots});
  for (PlacedHost& host : hosts) {
    host.at = pattern.coordinates(host.name);
    if (pattern.numbers_nodes()) unfold(host, *input.grid);
  }
  return map_of_placed(hosts, input.grid, fmt::format("host names by the pattern '{}'", input.pattern));
}

bool never(std::string_view /*text*/) {
  return false;
}

}  // namespace

const HostSource pattern_source{"pattern",
                                "host files and lists, as r[0-3]i[0-1]n[0-7], with coordinates where\n"
                                "--pattern says",
                                never, map_of_names};

}  // namespace cubefold
