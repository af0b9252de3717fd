#pragma once

#include <array>
#include <string_view>

namespace cubefold::program {

/// A text that `PROGRAM help NAME` prints. The help of options only names it.
struct HelpTopic {
  std::string_view name;
  std::string_view text;
};

/// Returns the texts on networks, placements and phases, in lines of at most 80 characters.
const std::array<HelpTopic, 3>& help_topics();

}  // namespace cubefold::program
