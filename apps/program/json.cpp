#include "program/json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "cubefold/version.h"
#include "program/program.hpp"
#include "program/shown.hpp"

namespace cubefold::program {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& rule) {
  throw std::runtime_error(fmt::format("{}: {}", name_of(path), rule));
}

[[noreturn]] void cannot_read(const std::string& path) {
  const int error = errno;
  throw std::runtime_error(
      fmt::format("{}: cannot read: {}", name_of(path), std::generic_category().message(error)));
}

std::string elements_text(const nlohmann::ordered_json& array) {
  std::string text = "[";
  for (const auto& element : array) {
    if (text.size() > 1) text += ',';
    text += "\n    " + element.dump();
  }
  return text + "\n  ]";
}

std::string member_text(const nlohmann::ordered_json& value) {
  const bool one_element_a_line = value.is_array() && !value.empty() && value.front().is_structured();
  return one_element_a_line ? elements_text(value) : value.dump();
}

/// Returns the rest of a stream, or a little more than `most_bytes` of it. Returns nothing if it cannot be read. It
/// reads in chunks, because only read() keeps the error, for example if a folder was opened.
std::optional<std::string> rest_of(std::istream& input, std::size_t most_bytes) {
  std::string text;
  std::array<char, 1 << 16> chunk{};
  do {
    input.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(input.gcount()));
  } while (input && text.size() <= most_bytes);
  if (input.bad()) return std::nullopt;
  return text;
}

}  // namespace

std::string name_of(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

nlohmann::ordered_json file_facts() {
  return {{"format_version", 1}, {"cubefold", CUBEFOLD_VERSION}, {"date", now()}};
}

std::string json_text(const nlohmann::ordered_json& value) {
  nlohmann::ordered_json file = file_facts();
  file.update(value);
  std::string text = "{";
  for (const auto& [key, member] : file.items()) {
    if (text.size() > 1) text += ',';
    text += fmt::format("\n  {}: {}", nlohmann::json(key).dump(), member_text(member));
  }
  return text + "\n}\n";
}

std::string with_members(const nlohmann::ordered_json& members, const std::string& text) {
  std::string lines;
  for (const auto& [key, member] : members.items())
    lines += fmt::format("\n  {}: {},", nlohmann::json(key).dump(), member.dump());
  return "{" + lines + text.substr(1);
}

std::string read_text(const std::string& path, std::size_t most_bytes) {
  std::ifstream file;
  if (path != "-") file.open(path);
  if (!file) cannot_read(path);
  const auto text = rest_of(path == "-" ? std::cin : file, most_bytes);
  // std::cin shows an error as the end of the input, so only std::ferror() detects it.
  if (!text || (path == "-" && std::ferror(stdin) != 0)) cannot_read(path);
  if (text->size() > most_bytes) refuse(path, fmt::format("has more than {} bytes", most_bytes));
  return *text;
}

namespace {

using Json = nlohmann::ordered_json;
using Event = Json::parse_event_t;

/// Passes what the parser reads on to the filter, and enforces the limits of the file.
class JsonGuard {
 public:
  JsonGuard(const std::string& path, const JsonFilter& filter) : path_(path), filter_(filter) {}

  bool keeps(int depth, Event event, const Json& value) {
    if (depth > JsonLimits::depth) refuse(path_, fmt::format("nested deeper than {}", JsonLimits::depth));
    Level& level = levels_[static_cast<std::size_t>(depth)];
    if (event == Event::object_start || event == Event::array_start) level = {values_, {}};
    if (event == Event::key) require_new_key(value.get_ref<const std::string&>(), depth);
    if (event == Event::value || event == Event::object_end || event == Event::array_end) ++values_;
    if (values_ > JsonLimits::values) refuse(path_, fmt::format("more than {} values", JsonLimits::values));
    const bool is_kept = !filter_ || filter_(depth, event, value);
    if (!is_kept) values_ = event == Event::value ? values_ - 1 : level.values_before;
    return is_kept;
  }

 private:
  struct Level {
    std::size_t values_before = 0;
    std::set<std::string> keys;
  };

  /// Throws if an object has the key already, or too many keys. `depth` is the depth of the key's value.
  void require_new_key(const std::string& key, int depth) {
    auto& keys = levels_[static_cast<std::size_t>(depth - 1)].keys;
    if (!keys.insert(key).second) refuse(path_, fmt::format("'{}' stands twice in an object", shown(key)));
    if (keys.size() > JsonLimits::keys)
      refuse(path_, fmt::format("more than {} keys in an object", JsonLimits::keys));
  }

  const std::string& path_;
  const JsonFilter& filter_;
  std::array<Level, JsonLimits::depth + 1> levels_;
  std::size_t values_ = 0;
};

}  // namespace

nlohmann::ordered_json read_json(const std::string& path, const JsonFilter& keep) {
  return parse_json(read_text(path, JsonLimits::bytes), path, keep);
}

nlohmann::ordered_json parse_json(const std::string& text, const std::string& path, const JsonFilter& keep) {
  JsonGuard guard(path, keep);
  try {
    return nlohmann::ordered_json::parse(
        text, [&](int depth, Event event, const Json& value) { return guard.keeps(depth, event, value); });
  } catch (const nlohmann::json::parse_error& error) {
    refuse(path, fmt::format("not JSON at byte {}", error.byte));
  } catch (const nlohmann::json::out_of_range&) {
    refuse(path, "a number in it is too large");
  }
}

}  // namespace cubefold::program
