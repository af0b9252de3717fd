#pragma once

#include <string_view>

#include "json_members.hpp"

namespace cubefold {

/// Returns the first document of a text in YAML as JSON, in which all scalars are texts, or null if there is none.
/// Throws std::invalid_argument with the line and the rule for what is no YAML, and for aliases, keys that are no
/// scalars, keys that occur twice, more than 64 keys in a mapping, and more than 16 levels. Throws it for every text if
/// the library was built without libyaml.
Json parsed_yaml(std::string_view text);

}  // namespace cubefold
