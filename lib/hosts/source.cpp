#include "source.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "text/known_names.hpp"

namespace cubefold {

const std::vector<const HostSource*>& host_sources() {
#define CUBEFOLD_SOURCE(name) &name##_source,
  static const std::vector<const HostSource*> sources{CUBEFOLD_HOST_SOURCES(CUBEFOLD_SOURCE)};
#undef CUBEFOLD_SOURCE
  return sources;
}

const HostSource* host_source_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const HostSource* source : host_sources()) {
    if (source->name == name) return source;
    known.push_back(source->name);
  }
  throw std::invalid_argument(unknown_name("source", name, known));
}

HostMap restricted(const HostMap& map, const std::vector<std::string>& hosts) {
  std::set<const Host*> chosen;
  for (const std::string& name : hosts) {
    const Host* host = map.find(name);
    if (host == nullptr) {
      throw std::invalid_argument(
          fmt::format("host '{}' is not among the {} hosts of {}", name, map.hosts().size(), map.source()));
    }
    chosen.insert(host);
  }
  std::vector<Host> rest;
  rest.reserve(chosen.size());
  for (const Host& host : map.hosts())
    if (chosen.contains(&host)) rest.push_back(host);
  return {map.network(), std::move(rest), map.source()};
}

HostMap map_of_only_text(const SourceInput& input, std::string_view source,
                         const std::function<HostMap(const SourceText&)>& map) {
  if (input.texts.size() != 1)
    throw std::invalid_argument(fmt::format("{}: it reads one text, not {}", source, input.texts.size()));
  const SourceText& text = input.texts.front();
  try {
    return map(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", text.name, error.what()));
  }
}

}  // namespace cubefold
