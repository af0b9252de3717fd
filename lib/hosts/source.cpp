#include "source.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

#include "host_name.hpp"
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

std::string_view most_similar_host(const HostMap& map, std::string_view name) {
  std::vector<std::string_view> known;
  for (const Host& host : map.hosts()) known.emplace_back(host.name);
  return most_similar_host_name(name, known);
}

HostMap restricted(const HostMap& map, const std::vector<JobHost>& hosts) {
  std::map<const Host*, std::size_t> slots_of;
  for (const JobHost& wanted : hosts) {
    const Host* host = map.find(wanted.name);
    if (host == nullptr) {
      throw std::invalid_argument(fmt::format("host '{}' is not among the {} hosts of {}; there is '{}'",
                                              wanted.name, map.hosts().size(), map.source(),
                                              most_similar_host(map, wanted.name)));
    }
    slots_of.emplace(host, wanted.slots);
  }
  std::vector<Host> rest;
  rest.reserve(slots_of.size());
  for (const Host& host : map.hosts()) {
    const auto found = slots_of.find(&host);
    if (found == slots_of.end()) continue;
    rest.push_back(host);
    if (found->second > 0) rest.back().slots = found->second;
  }
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
