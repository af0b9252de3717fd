#pragma once

#include "fuzz/parser.hpp"
#include "hosts/source.hpp"

namespace cubefold::fuzz {

/// Asks the source whether the text is its own, reads the hosts, and reads the hosts again from the JSON of the map.
/// Leaves out texts with lists of more than 64 hosts, for the largest of which the sanitizers need a minute.
void read_by_source(const HostSource& source, const SourceInput& input);

}  // namespace cubefold::fuzz
