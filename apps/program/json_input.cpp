#include "program/json_input.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <stdexcept>

#include "program/json_text.hpp"
#include "program/shown.hpp"

namespace cubefold::program {

namespace {

using Json = nlohmann::ordered_json;
using Event = Json::parse_event_t;

[[noreturn]] void refuse(const std::string& path, const std::string& rule) {
  throw std::runtime_error(fmt::format("{}: {}", name_of(path), rule));
}

/// Stands between the parser and the filter, and enforces the limits of the file.
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

  /// The depth of a key is that of its value.
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
  const std::string text = read_text(path, JsonLimits::bytes);
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
