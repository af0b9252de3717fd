#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "planner/launchers/allocation.hpp"
#include "planner/text/lines.hpp"

/// Files that tell launchers which rank starts on which node.
namespace cubefold::planner {

/// The formats, one line each; NAME has its descriptor NAME_format in a file of its own. A new format needs its file,
/// its test and a line here; without the descriptor nothing links.
#define CUBEFOLD_LAUNCHER_FORMATS(LINE) \
  LINE(rankfile)                        \
  LINE(seq)                             \
  LINE(mpich_rank_order)                \
  LINE(slurm_hostfile)                  \
  LINE(vcoord)                          \
  LINE(bgq)                             \
  LINE(scotch)

/// Everything that the planner knows about a format. A body is the text without comments.
struct LauncherFormat {
  std::string_view name;     ///< as --emit and --import take it
  std::string_view used_by;  ///< the launchers or programs that read such files
  bool needs_hosts = false;
  bool binds_to_cores = false;  ///< whether a body says which cores of its node a rank may use
  bool has_comments = true;     ///< whether `#` begins a comment

  /// The body for that order. Ranks that share a node take its slots in ascending order. Throws std::invalid_argument
  /// for a grid that the format has no coordinates for.
  std::string (*text)(const Allocation& allocation, std::span<const GridNode> node_of_rank);

  /// The order that a body gives. Throws std::runtime_error with file, line and rule for text that is not of the
  /// format, for a rank that is missing or comes twice and for a node with too many of them.
  std::vector<GridNode> (*read)(const Allocation& allocation, Lines& lines);

  /// The command that uses the file, and the name of the target where the format leaves that to another file.
  std::string (*usage)(const Allocation& allocation, const std::string& path);

  /// A warning about a known trap that the text walks into.
  std::optional<std::string> (*doubt)(const std::string& text) = [](const std::string&) {
    return std::optional<std::string>();
  };
};

#define CUBEFOLD_FORMAT(name) extern const LauncherFormat name##_format;
CUBEFOLD_LAUNCHER_FORMATS(CUBEFOLD_FORMAT)
#undef CUBEFOLD_FORMAT

/// Throws std::invalid_argument that lists the names.
const LauncherFormat* launcher_named(std::string_view name);

/// The names of all formats, each with what uses it, as lines of a help text.
std::string launcher_help();

/// LauncherFormat::text and read with whole files. Both throw std::invalid_argument without the hosts that a format
/// needs.
std::string launcher_text(const LauncherFormat& format, const Allocation& allocation,
                          std::span<const GridNode> node_of_rank);
std::vector<GridNode> read_launcher_file(const LauncherFormat& format, const Allocation& allocation,
                                         const std::string& path);

}  // namespace cubefold::planner
