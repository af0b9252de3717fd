#pragma once

#include <string>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "planner/drawing/picture.hpp"

namespace cubefold::planner {

/// The kinds of files of other commands that are drawn.
enum class DrawnKind {
  certificate,  ///< map --json
  schedule,     ///< --json of plan
  hosts,        ///< discover --output
};

/// The text of a file of another command.
struct DrawnFile {
  std::string path;
  std::string text;
  DrawnKind kind;
};

/// Returns whether the text names a file: it is `-`, or a file of this name exists, or it ends with `.json` and does
/// not begin with `file:`.
bool names_a_file(const std::string& text);

/// Reads a file, or standard input for `-`. Throws std::runtime_error with the path and the rule if it cannot be read,
/// is no JSON or is of no such kind.
DrawnFile read_drawn_file(const std::string& path);

/// Returns the picture of a certificate: the first compared order beside the choice, without loads. Throws
/// std::runtime_error with the path and the rule for a file of another form, and std::invalid_argument for phases of
/// which too many messages would have to be drawn.
Picture picture_of_certificate(const DrawnFile& file);

/// Returns the picture of schedules of the same network and collective, one panel each, without loads. Their steps have
/// the blocks or chunks of messages. Throws std::runtime_error with the path and the rule for a file of another form or
/// of another network.
Picture picture_of_schedules(const std::vector<DrawnFile>& files);

/// The part of a machine that is drawn.
struct DrawnHosts {
  Grid grid;
  std::vector<std::string> names;  ///< one for each node
};

/// Returns the part of the network that the hosts use, as map does. Throws std::runtime_error with the path and the
/// rule for a file of another form.
DrawnHosts hosts_in(const DrawnFile& file);

/// Returns a text for people: a long table of nodes ends after its first nodes.
std::string placement_title(const std::string& placement);

}  // namespace cubefold::planner
