#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

inline constexpr std::size_t most_listed_hosts = std::size_t{1} << 18;
inline constexpr std::size_t most_host_name_bytes = 255;

/// Returns the entries of a list of hosts, which commas, blanks and ends of lines separate. A comma inside brackets
/// does not end an entry.
CUBEFOLD_API std::vector<std::string_view> entries_of_host_list(std::string_view list);

/// Returns the names of a list of hosts in Slurm's syntax: `node[000-511,600],login1` or `r[0-1]n[0-3]`. Commas or
/// blanks separate the entries. Numbers have at least as many digits as the first one of their range. Of several
/// brackets in an entry, the last one varies fastest. Throws std::invalid_argument that quotes the entry for a bracket
/// that is not closed or nested, for a range that is no range, and for more than `most` hosts or names of more than
/// most_host_name_bytes bytes.
CUBEFOLD_API std::vector<std::string> expand_host_list(std::string_view list,
                                                       std::size_t most = most_listed_hosts);

}  // namespace cubefold
