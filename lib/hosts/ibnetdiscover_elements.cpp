#include "ibnetdiscover_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "text/words.hpp"

namespace cubefold {

namespace {

using Kind = FabricElement::Kind;

/// Reads a line from left to right.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  void skip_blanks() {
    while (rest_.starts_with(' ') || rest_.starts_with('\t')) rest_.remove_prefix(1);
  }

  /// Takes the text between two characters. Returns nothing, and takes nothing, if it is not there.
  std::optional<std::string_view> take(char open, char close) {
    const std::size_t end = rest_.starts_with(open) ? rest_.find(close, 1) : std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    const auto inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return inside;
  }

  /// Takes the number of a port on the outside of a chassis, as `[ext 12]`, which follows that of the port under -g.
  void skip_external_port() {
    if (rest_.starts_with("[ext ")) take('[', ']');
  }

  /// Takes all up to the first of some characters, which stays. Returns it, or 0 if there is none.
  char skip_to(std::string_view characters) {
    rest_.remove_prefix(std::min(rest_.find_first_of(characters), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }

 private:
  std::string_view rest_;
};

std::optional<Kind> kind_of(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, Kind>, 3> kinds{
      {{"Switch", Kind::network_switch}, {"Ca", Kind::adapter}, {"Rt", Kind::router}}};
  for (const auto& [word, kind] : kinds) {
    const bool begins = line.starts_with(word);
    if (begins && (line.substr(word.size()).starts_with('\t') || line.substr(word.size()).starts_with(' ')))
      return kind;
  }
  return std::nullopt;
}

/// Reads `Switch 6 "S-0000000000200000"  # "sw000" base port 0 lid 1 lmc 0`.
FabricElement element_of(Kind kind, std::string_view line, std::size_t number) {
  LineReader reader(line);
  if (reader.skip_to(":\"") == ':')
    refuse_line(number, "a list by ibnetdiscover -l, -S or -H has no cables; leave these options out");
  const auto identifier = reader.take('"', '"');
  if (!identifier || identifier->empty())
    refuse_line(number, "a switch or an adapter without an identifier in quotes");
  reader.skip_to("#");
  reader.skip_to("\"");
  return {kind, *identifier, reader.take('"', '"').value_or(""), number, {}};
}

/// Reads `[1](100001) "S-0000000000200000"[3]  # ...`. With -g, it is `[1][ext 12] "S-0000000000200000"[3][ext 7]`.
ElementPort port_of(std::string_view line, std::size_t number) {
  LineReader reader(line);
  const auto own = reader.take('[', ']');
  reader.skip_external_port();
  const auto guid = reader.take('(', ')');
  reader.skip_blanks();
  const auto peer = reader.take('"', '"');
  const auto peer_port = reader.take('[', ']');
  const auto own_number = whole_number(own.value_or(""));
  const auto peer_number = whole_number(peer_port.value_or(""));
  if (!peer || !own_number || !peer_number)
    refuse_line(number, "it is not of the form [PORT] \"IDENTIFIER\"[PORT]");
  return {*own_number, guid ? hexadecimal_number(*guid) : std::nullopt, *peer, *peer_number, number};
}

}  // namespace

bool is_ibnetdiscover(std::string_view text) {
  bool has_switch = false;
  for_each_line(text, [&](std::size_t, std::string_view line) {
    has_switch |= kind_of(line) == Kind::network_switch || line.starts_with("switchguid=");
  });
  return has_switch;
}

std::vector<FabricElement> elements_of_ibnetdiscover(std::string_view text) {
  std::vector<FabricElement> elements;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    if (const auto kind = kind_of(line)) {
      elements.push_back(element_of(*kind, line, number));
    } else if (line.starts_with('[')) {
      if (elements.empty()) refuse_line(number, "a port before the first switch or adapter");
      elements.back().ports.push_back(port_of(line, number));
    }
  });
  return elements;
}

void refuse_line(std::size_t line, const std::string& rule) {
  throw std::invalid_argument(fmt::format("line {}: {}", line, rule));
}

}  // namespace cubefold
