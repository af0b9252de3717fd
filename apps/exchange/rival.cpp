#include "exchange/rival.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "names/known_names.hpp"

namespace {

void require_known(const std::string& name) {
  std::vector<std::string_view> known{"all", "none"};
  for (const Rival& rival : all_rivals) known.emplace_back(rival.option);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw std::invalid_argument(cubefold::unknown_name("baseline", name, known));
}

}  // namespace

std::vector<Rival> rivals_named(const std::vector<std::string>& names) {
  const auto named = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : names) require_known(name);
  std::vector<Rival> rivals;
  for (const Rival& rival : all_rivals) {
    if (named("all") || named(rival.option)) rivals.push_back(rival);
  }
  return rivals;
}
