#include "exchange/rival.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace {

void require_known(const std::string& name) {
  std::string known;
  for (const Rival& rival : all_rivals) {
    if (name == rival.option) return;
    known += fmt::format("{}, ", rival.option);
  }
  if (name != "all" && name != "none")
    throw std::invalid_argument(fmt::format("unknown algorithm '{}'; known: {}all, none", name, known));
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
