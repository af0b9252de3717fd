#pragma once

#include <string>

#include "planner/drawing/picture.hpp"

namespace cubefold::planner {

/// Returns the picture as an HTML page that refers to no other file. A reader plays the steps, and sees what each link
/// carries. Without scripts it shows the loads of all steps together. The page's script reads JSON in the page:
///
/// | key    | value                                                                                                |
/// |--------|------------------------------------------------------------------------------------------------------|
/// | noun   | unit of the loads: messages, blocks or bytes                                                         |
/// | bound  | load below which no placement has its busiest link, or 0                                             |
/// | nodes  | number of nodes; higher numbers are switches                                                         |
/// | hosts  | one name for each node, or none                                                                      |
/// | links  | from, to, and the middle (x, y) of a small text beside the link                                      |
/// | panels | title, node_of_rank, loads (by links) and steps, which have name, weight and messages (from rank, to |
/// |        | rank, amount, and the numbers of the links on the route)                                             |
///
/// Throws std::invalid_argument if the routes of all steps have more than 2 000 000 links, and as to_svg() does.
std::string to_html(const Picture& picture);

}  // namespace cubefold::planner
