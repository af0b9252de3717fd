#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// An entry of a forwarding table: messages to the local identifier `lid` leave the switch by this port.
struct ForwardingEntry {
  std::uint32_t lid;
  std::uint32_t port;
  std::size_t line;

  bool operator==(const ForwardingEntry&) const = default;
};

/// The forwarding table of a switch, whose entries have ascending local identifiers.
struct ForwardingTable {
  std::uint64_t switch_guid;
  std::size_t line;  ///< of its heading
  std::vector<ForwardingEntry> entries;

  bool operator==(const ForwardingTable&) const = default;
};

/// The forwarding tables of an InfiniBand fabric, and the GUIDs of the adapters' ports that have local identifiers.
struct ForwardingTables {
  std::vector<ForwardingTable> tables;
  std::map<std::uint32_t, std::uint64_t> adapter_ports;  ///< by local identifier
};

/// Reads the file opensm-lfts.dump that `opensm` writes, or the output of `dump_fts`, also that of `dump_fts -a`.
/// Entries for switches and routers, and those without a port, are checked and left out. Warnings of `dump_fts` may be
/// anywhere, also inside a line. Where one says that a part of a table was not read, the entries of that part are left
/// out, since they have the ports of another part. All other lines are ignored. Throws std::invalid_argument with the
/// line if a port is not in 0 .. 254, if the local identifiers of a table do not ascend or stand for different ports of
/// adapters in different tables, if a switch has two tables, and if there is no table; and if no entry names an
/// adapter, as by `dump_fts -n`.
CUBEFOLD_API ForwardingTables parse_forwarding_tables(std::string_view text);

}  // namespace cubefold
