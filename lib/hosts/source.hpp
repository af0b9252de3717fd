#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/hosts/host_map.hpp"
#include "host_file.hpp"

namespace cubefold {

/// Lists the sources of host maps. A source file of this folder defines the descriptor NAME_source of each. A new
/// source needs its descriptor, its line in this list, its file in lib/CMakeLists.txt, and a row in
/// docs/real-machines.md. A line without a descriptor is an error of the linker.
#define CUBEFOLD_HOST_SOURCES(LINE) \
  LINE(json)                        \
  LINE(ibnetdiscover)               \
  LINE(slurm)                       \
  LINE(pattern)                     \
  LINE(coordinates)

/// A text from which hosts are read, and the name that errors and HostMap::source() give it.
struct SourceText {
  std::string name;
  std::string text;
};

/// Has what the user says of a machine.
struct SourceInput {
  std::vector<SourceText> texts;
  std::optional<Grid> grid;             ///< the network, if the user names it
  std::string pattern;                  ///< where host names have their coordinates, or an empty text
  std::string adapter = {};             ///< of each host in a fabric, as `mlx5_0`, or an empty text for all
  std::vector<std::string> hosts = {};  ///< those that the user wants, or nothing for all
};

/// Describes one source of host maps. Sources are functions of texts: they read no file and ask no system.
struct HostSource {
  std::string_view name;   ///< value of --from
  std::string_view reads;  ///< the texts that it takes

  /// Returns whether a text is of this source, if the user does not name the source.
  bool (*recognises)(std::string_view text);

  /// Returns the hosts of all texts. Throws std::invalid_argument with the text's name, the entry and the rule.
  HostMap (*map)(const SourceInput& input);
};

#define CUBEFOLD_SOURCE(name) CUBEFOLD_API extern const HostSource name##_source;
CUBEFOLD_HOST_SOURCES(CUBEFOLD_SOURCE)
#undef CUBEFOLD_SOURCE

/// Returns all sources. The first one that recognises a text is its source.
CUBEFOLD_API const std::vector<const HostSource*>& host_sources();

/// Returns the source of this name. Throws std::invalid_argument with the names of all sources if there is none.
CUBEFOLD_API const HostSource* host_source_named(std::string_view name);

/// Returns the name in a map that is most similar to one that it does not have, for the text of an error.
CUBEFOLD_API std::string_view most_similar_host(const HostMap& map, std::string_view name);

/// Returns the map with the named hosts only, which are found as HostMap::find() finds them, and with their slots where
/// these are known. Throws std::invalid_argument with the first host that the map does not have, and the most similar
/// name that it has.
CUBEFOLD_API HostMap restricted(const HostMap& map, const std::vector<JobHost>& hosts);

/// Returns map(text) of the only text of an input. Throws std::invalid_argument if there are more texts, or none, and
/// puts the name of the text before what map() throws.
HostMap map_of_only_text(const SourceInput& input, std::string_view source,
                         const std::function<HostMap(const SourceText&)>& map);

}  // namespace cubefold
