#include "forwarding_tables.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "text/words.hpp"

namespace cubefold {

namespace {

constexpr std::uint32_t most_ports = 254;

[[noreturn]] void refuse(std::size_t line, const std::string& rule) {
  throw std::invalid_argument(fmt::format("line {}: {}", line, rule));
}

/// Returns the GUID after a word, without the characters that may end it.
std::optional<std::uint64_t> guid_after(std::string_view line, std::string_view word) {
  const std::size_t place = line.find(word);
  if (place == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(place + word.size());
  return hexadecimal_number(rest.substr(0, rest.find_first_of(" :")));
}

/// Returns whether a line has no meaning: the headings of columns and the numbers of entries.
bool is_decoration(std::string_view line) {
  const auto words = words_of_line(line);
  return words.empty() || words.front().starts_with('#') || words.front() == "Lid" ||
         words.front() == "Port" || line.find("lids dumped") != std::string_view::npos;
}

/// Reads the lines of a file from the first to the last.
class TablesReader {
 public:
  void take(std::size_t number, std::string_view line) {
    if (line.starts_with("Unicast lids")) {
      begin_table(number, line);
    } else if (line.starts_with("0x")) {
      take_entry(number, line);
    } else if (!is_decoration(line)) {
      refuse(number, "it is neither `Unicast lids ... guid GUID` nor `LID PORT # DESTINATION`");
    }
  }

  ForwardingTables result() {
    if (result_.tables.empty()) throw std::invalid_argument("it has no forwarding table of a switch");
    return std::move(result_);
  }

 private:
  /// Reads `Unicast lids [0-32] of switch Lid 2 guid 0x0000000000200000 ('sw000'):`.
  void begin_table(std::size_t number, std::string_view line) {
    const auto guid = guid_after(line, " guid ");
    if (!guid) refuse(number, "the table of a switch without its GUID");
    const auto [other, is_new] = line_of_table_.emplace(*guid, number);
    if (!is_new)
      refuse(number, fmt::format("the switch 0x{:016x} has a table in line {}, too", *guid, other->second));
    result_.tables.push_back({*guid, number, {}});
  }

  /// Reads `0x0003 002 # Channel Adapter portguid 0x0000000000100002: 'node001 HCA-1'`.
  void take_entry(std::size_t number, std::string_view line) {
    const auto words = words_of_line(line);
    const auto lid = hexadecimal_number(words[0]);
    const std::uint32_t port = whole_number(words.size() > 1 ? words[1] : "").value_or(most_ports + 1);
    if (!lid || *lid > 0xffff || port > most_ports)
      refuse(number, fmt::format("it is not a LID up to 0xffff and a port up to {}", most_ports));
    if (result_.tables.empty()) refuse(number, "an entry before the first table");
    auto& entries = result_.tables.back().entries;
    if (!entries.empty() && entries.back().lid >= *lid)
      refuse(number, fmt::format("LID 0x{:04x} comes after 0x{:04x}", *lid, entries.back().lid));
    if (line.find("Channel Adapter") == std::string_view::npos) return;
    const auto guid = guid_after(line, "portguid ");
    if (!guid) refuse(number, "a channel adapter without the GUID of its port");
    entries.push_back({static_cast<std::uint32_t>(*lid), port, number});
    const auto known = result_.adapter_ports.emplace(entries.back().lid, *guid).first;
    if (known->second == *guid) return;
    refuse(number,
           fmt::format("LID 0x{:04x} is port 0x{:016x} in another table", known->first, known->second));
  }

  ForwardingTables result_;
  std::map<std::uint64_t, std::size_t> line_of_table_;
};

}  // namespace

ForwardingTables parse_forwarding_tables(std::string_view text) {
  TablesReader reader;
  for_each_line(text, [&](std::size_t number, std::string_view line) { reader.take(number, line); });
  return reader.result();
}

}  // namespace cubefold
