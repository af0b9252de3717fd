#pragma once

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace cubefold {

/// Checks JSON while it is being read; see() takes what the parser's callback takes. Throws std::invalid_argument for a
/// value that is nested deeper, or an object that has more keys, than in any file of ours, and for a key that occurs
/// twice in an object.
template <typename Json>
class JsonLimits {
 public:
  using Event = typename Json::parse_event_t;
  static constexpr int most_depth = 16;
  static constexpr std::size_t most_keys = 100;  // the parser may compare each key with all others

  /// Puts the prefix before every error message.
  explicit JsonLimits(std::string prefix = "") : prefix_(std::move(prefix)) {}

  void see(int depth, Event event, const Json& value) {
    if (depth > most_depth)
      throw std::invalid_argument(fmt::format("{}nested deeper than {}", prefix_, most_depth));
    if (event == Event::object_start) keys_[static_cast<std::size_t>(depth)].clear();
    if (event != Event::key) return;
    // The parser reports a key at the depth of its value.
    const auto& key = value.template get_ref<const std::string&>();
    auto& keys = keys_[static_cast<std::size_t>(depth - 1)];
    const bool is_new = keys.insert(key).second;
    if (keys.size() > most_keys) {
      throw std::invalid_argument(fmt::format("{}more than {} keys in an object", prefix_, most_keys));
    }
    if (is_new) return;
    constexpr std::size_t most_bytes = 40;
    throw std::invalid_argument(fmt::format("{}the key '{}{}' stands twice in an object", prefix_,
                                            key.substr(0, most_bytes), key.size() > most_bytes ? "..." : ""));
  }

 private:
  std::string prefix_;
  std::array<std::set<std::string>, most_depth + 1> keys_;  ///< keys of the current object at every depth
};

}  // namespace cubefold
