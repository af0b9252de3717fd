#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/launchers/allocation.hpp"
#include "planner/text/lines.hpp"

/// Reads and writes the files that tell a launcher which rank starts on which node.
namespace cubefold::planner {

/// Lists the formats. A source file of this folder defines the descriptor NAME_format of each format. A new format
/// needs its descriptor, its line in this list, its source file in apps/CMakeLists.txt, and a parser in
/// tests/apps/launchers_test.py. A line without a descriptor is an error of the linker.
#define CUBEFOLD_LAUNCHER_FORMATS(LINE) \
  LINE(rankfile)                        \
  LINE(seq)                             \
  LINE(mpich_rank_order)                \
  LINE(slurm_hostfile)                  \
  LINE(vcoord)                          \
  LINE(bgq)                             \
  LINE(scotch)

/// Describes a format to the planner.
struct LauncherFormat {
  std::string_view name;     ///< value of --emit and --import
  std::string_view used_by;  ///< launchers or programs that read such files
  bool needs_hosts = false;
  bool has_nodes = false;       ///< whether the file has nodes of the network in place of hosts
  bool binds_to_cores = false;  ///< whether the file says which cores of its node a rank may use
  bool has_comments = true;     ///< whether `#` begins a comment

  /// Returns the text of the file for this order of ranks. The ranks of a node take its slots in ascending order.
  /// Throws std::invalid_argument if the format cannot express the coordinates of the grid.
  std::string (*text)(const Allocation& allocation, std::span<const GridNode> node_of_rank);

  /// Returns the node of every rank from the lines of a file. Throws std::runtime_error with file, line and rule if a
  /// line is not of the format, if a rank is missing or listed twice, or if a node has too many ranks.
  std::vector<GridNode> (*read)(const Allocation& allocation, Lines& lines);

  /// Returns how the file is used: the command that reads it, or the name that the reading program has for the grid.
  std::string (*usage)(const Allocation& allocation, const std::string& path);

  /// Returns a warning if the launcher is known to fail with such a text in a file of this path, or nothing otherwise.
  std::optional<std::string> (*doubt)(const std::string& text, const std::string& path) =
      [](const std::string&, const std::string&) { return std::optional<std::string>(); };
};

#define CUBEFOLD_FORMAT(name) extern const LauncherFormat name##_format;
CUBEFOLD_LAUNCHER_FORMATS(CUBEFOLD_FORMAT)
#undef CUBEFOLD_FORMAT

/// Returns the format of this name. Throws std::invalid_argument with the names of all formats if there is none.
const LauncherFormat* launcher_named(std::string_view name);

/// Returns lines of a help text, with the name of every format and the programs that use it.
std::string launcher_help();

/// Returns the text of the file for this order of ranks. Throws as LauncherFormat::text does, and std::invalid_argument
/// if the format needs hosts and the allocation has none.
std::string launcher_text(const LauncherFormat& format, const Allocation& allocation,
                          std::span<const GridNode> node_of_rank);

/// Reads a file and returns the node of every rank. Throws as LauncherFormat::read does, std::runtime_error if the file
/// cannot be read, and std::invalid_argument if the format needs hosts and the allocation has none.
std::vector<GridNode> read_launcher_file(const LauncherFormat& format, const Allocation& allocation,
                                         const std::string& path);

}  // namespace cubefold::planner
