#include "yaml.hpp"

#include <fmt/format.h>
#include <yaml.h>

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cubefold {

namespace {

constexpr std::size_t most_levels = 16;
constexpr std::size_t most_keys = 64;  // Json looks for a key by comparing all of them

[[noreturn]] void refuse(std::size_t line, std::string_view rule) {
  throw std::invalid_argument(fmt::format("line {}: {}", line + 1, rule));
}

std::string text_of(const yaml_event_t& scalar) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's characters are unsigned
  return {reinterpret_cast<const char*>(scalar.data.scalar.value), scalar.data.scalar.length};
}

/// Builds the value that events describe.
class Builder {
 public:
  /// Returns false after the last event of the first document.
  bool take(const yaml_event_t& event) {
    line_ = event.start_mark.line;
    switch (event.type) {
      case YAML_SEQUENCE_START_EVENT:
        open(Json::array());
        break;
      case YAML_MAPPING_START_EVENT:
        open(Json::object());
        break;
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        open_.pop_back();
        break;
      case YAML_SCALAR_EVENT:
        take_scalar(text_of(event));
        break;
      case YAML_ALIAS_EVENT:
        refuse(line_, "an alias, which is not read");
      case YAML_DOCUMENT_END_EVENT:
      case YAML_STREAM_END_EVENT:
        return false;
      case YAML_NO_EVENT:
      case YAML_STREAM_START_EVENT:
      case YAML_DOCUMENT_START_EVENT:
        break;
    }
    return true;
  }

  Json value() && { return std::move(value_); }

 private:
  /// A sequence or mapping whose end has not come, and the key of the value that comes next.
  struct Open {
    Json* json;
    std::optional<std::string> key;
  };

  void take_scalar(std::string text) {
    if (!open_.empty() && open_.back().json->is_object() && !open_.back().key) {
      if (open_.back().json->contains(text)) refuse(line_, fmt::format("the key '{}' occurs twice", text));
      open_.back().key = std::move(text);
    } else {
      add(std::move(text));
    }
  }

  void open(Json empty) {
    if (open_.size() == most_levels) refuse(line_, fmt::format("more than {} levels", most_levels));
    open_.push_back({&add(std::move(empty)), std::nullopt});
  }

  /// Adds a value to the innermost sequence or mapping, and returns it. It stays where it is until that one ends.
  Json& add(Json value) {
    if (open_.empty()) return value_ = std::move(value);
    Open& parent = open_.back();
    if (parent.json->is_array()) {
      parent.json->push_back(std::move(value));
      return parent.json->back();
    }
    if (!parent.key) refuse(line_, "a key that is no scalar");
    if (parent.json->size() == most_keys)
      refuse(line_, fmt::format("more than {} keys in a mapping", most_keys));
    Json& place = (*parent.json)[*std::exchange(parent.key, std::nullopt)];
    return place = std::move(value);
  }

  Json value_;
  std::vector<Open> open_;
  std::size_t line_ = 0;
};

}  // namespace

Json parsed_yaml(std::string_view text) {
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) throw std::bad_alloc();
  const std::unique_ptr<yaml_parser_t, void (*)(yaml_parser_t*)> parser_end(&parser, yaml_parser_delete);
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's characters are unsigned
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  Builder builder;
  for (bool goes_on = true; goes_on;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) {
      if (parser.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
      refuse(parser.problem_mark.line, fmt::format("not YAML: {}", parser.problem));
    }
    const std::unique_ptr<yaml_event_t, void (*)(yaml_event_t*)> event_end(&event, yaml_event_delete);
    goes_on = builder.take(event);
  }
  return std::move(builder).value();
}

}  // namespace cubefold
