#include "forwarding_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "text/words.hpp"

namespace cubefold {

namespace {

constexpr std::uint32_t most_ports = 254;
constexpr std::uint32_t no_port = 255;
constexpr std::uint32_t part_lids = 64;  ///< tools read a table in parts of 64 local identifiers

/// Words with which warnings of `dump_fts` begin. The last one says that a part of a table was not read.
constexpr std::array<std::string_view, 4> warnings{"ibwarn: ", "ibpanic: ", "iberror: ", "SubnGet("};

[[noreturn]] void refuse(std::size_t line, const std::string& rule) {
  throw std::invalid_argument(fmt::format("line {}: {}", line, rule));
}

/// Returns the hexadecimal number after a word, without the characters that may end it.
std::optional<std::uint64_t> number_after(std::string_view line, std::string_view word) {
  const std::size_t place = line.find(word);
  if (place == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(place + word.size());
  return hexadecimal_number(rest.substr(0, rest.find_first_of(" :")));
}

/// Returns where a warning begins, or the length of the line if it has none.
std::size_t begin_of_warning(std::string_view line) {
  std::size_t begin = line.size();
  for (const std::string_view warning : warnings) begin = std::min(begin, line.find(warning));
  return begin;
}

/// Reads the lines of a file from the first to the last.
class TablesReader {
 public:
  /// A warning may come between the parts of a line, because the tool keeps other output in a buffer.
  void take(std::size_t number, std::string_view line) {
    const std::size_t begin = begin_of_warning(line);
    begun_ += line.substr(0, begin);
    if (begin < line.size()) {
      take_warning(line.substr(begin));
    } else {
      take_without_warning(number, begun_);
      begun_.clear();
    }
  }

  ForwardingTables result() {
    if (result_.tables.empty() && unknown_line_ > 0)
      refuse(unknown_line_, "it is neither `Unicast lids ... guid GUID` nor `LID PORT # DESTINATION`");
    if (result_.tables.empty()) throw std::invalid_argument("it has no forwarding table of a switch");
    if (result_.adapter_ports.empty()) {
      throw std::invalid_argument(
          "no entry names the adapter to which it leads, as by dump_fts -n; write the tables without this "
          "option");
    }
    for (ForwardingTable& table : result_.tables) {
      std::erase_if(table.entries, [&](const ForwardingEntry& entry) {
        return unread_.contains({table.switch_guid, entry.lid / part_lids});
      });
    }
    return std::move(result_);
  }

 private:
  void take_without_warning(std::size_t number, std::string_view line) {
    if (line.starts_with("Unicast lids")) {
      begin_table(number, line);
    } else if (line.starts_with("Multicast")) {
      is_multicast_ = true;
    } else if (is_multicast_) {
      return;
    } else if (line.starts_with("0x")) {
      take_entry(number, line);
    } else if (unknown_line_ == 0 && !line.empty() && !line.starts_with('#')) {
      unknown_line_ = number;
    }
  }

  /// Reads `SubnGet(LFT) failed on switch ... Node GUID 0x200000 SMA LID 1; MAD status 0x6e AM 0x2`: part 2 of the
  /// table was not read, and its entries are those of the part before.
  void take_warning(std::string_view line) {
    const auto guid = number_after(line, "Node GUID ");
    const auto part = number_after(line, " AM ");
    if (line.starts_with("SubnGet(LFT)") && guid && part) unread_.emplace(*guid, *part);
  }

  /// Reads `Unicast lids [0-32] of switch Lid 2 guid 0x0000000000200000 ('sw000'):`.
  void begin_table(std::size_t number, std::string_view line) {
    const auto guid = number_after(line, " guid ");
    if (!guid) refuse(number, "the table of a switch without its GUID");
    is_multicast_ = false;
    const auto [other, is_new] = line_of_table_.emplace(*guid, number);
    if (!is_new)
      refuse(number, fmt::format("the switch 0x{:016x} has a table in line {}, too", *guid, other->second));
    result_.tables.push_back({*guid, number, {}});
  }

  /// Reads `0x0003 002 # Channel Adapter portguid 0x0000000000100002: 'node001 HCA-1'`. Under -a, there are entries
  /// such as `0x0004 255 : (illegal port)`.
  void take_entry(std::size_t number, std::string_view line) {
    const auto words = words_of_line(line);
    const auto lid = hexadecimal_number(words[0]);
    const std::uint32_t port = whole_number(words.size() > 1 ? words[1] : "").value_or(no_port + 1);
    const bool is_void = words.size() == 2 || line.find("illegal port") != std::string_view::npos;
    if (!lid || *lid > 0xffff || port > (is_void ? no_port : most_ports))
      refuse(number, fmt::format("it is not a LID up to 0xffff and a port up to {}", most_ports));
    if (result_.tables.empty()) refuse(number, "an entry before the first table");
    auto& entries = result_.tables.back().entries;
    if (!entries.empty() && entries.back().lid >= *lid)
      refuse(number, fmt::format("LID 0x{:04x} comes after 0x{:04x}", *lid, entries.back().lid));
    if (line.find("Channel Adapter") == std::string_view::npos) return;
    const auto guid = number_after(line, "portguid ");
    if (!guid) refuse(number, "a channel adapter without the GUID of its port");
    entries.push_back({static_cast<std::uint32_t>(*lid), port, number});
    const auto known = result_.adapter_ports.emplace(entries.back().lid, *guid).first;
    if (known->second == *guid) return;
    refuse(number,
           fmt::format("LID 0x{:04x} is port 0x{:016x} in another table", known->first, known->second));
  }

  ForwardingTables result_;
  std::map<std::uint64_t, std::size_t> line_of_table_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> unread_;  ///< a switch, and a part of its table
  std::string begun_;                                         ///< the beginning of a line, before a warning
  bool is_multicast_ = false;                                 ///< whether the lines are of a multicast table
  std::size_t unknown_line_ = 0;  ///< the first line that is no part of a table, or 0
};

}  // namespace

ForwardingTables parse_forwarding_tables(std::string_view text) {
  TablesReader reader;
  for_each_line(text, [&](std::size_t number, std::string_view line) { reader.take(number, line); });
  return reader.result();
}

}  // namespace cubefold
