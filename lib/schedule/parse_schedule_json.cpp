#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

#include "schedule_json.hpp"
#include "steps_reader.hpp"
#include "text/json_limits.hpp"

namespace cubefold {

namespace {

using Json = nlohmann::json;

/// Returns the JSON without the messages, which go to the reader.
Json parse_with(StepsReader& reader, std::string_view text) {
  JsonLimits<Json> limits("parse_schedule_json: ");
  try {
    return Json::parse(text, [&](int depth, Json::parse_event_t event, const Json& value) {
      limits.see(depth, event, value);
      return reader.keep(depth, event, value);
    });
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(fmt::format("parse_schedule_json: not JSON at byte {}", error.byte));
  } catch (const Json::out_of_range&) {
    throw std::invalid_argument("parse_schedule_json: a number is too large");
  }
}

/// Holds a JSON object, and the prefix of its keys in error messages.
class Object {
 public:
  Object(const Json& json, std::string prefix) : json_(json), prefix_(std::move(prefix)) {}

  const Json& at(const char* key) const {
    if (!json_.contains(key)) refuse_schedule_json(place(key), "is missing");
    return json_.at(key);
  }

  Object object(const char* key) const {
    if (!at(key).is_object()) {
      refuse_schedule_json(place(key), fmt::format("{} is not an object", shown(at(key))));
    }
    return {at(key), place(key) + '.'};
  }

  std::string text(const char* key) const {
    if (!at(key).is_string()) {
      refuse_schedule_json(place(key), fmt::format("{} is not a text", shown(at(key))));
    }
    return at(key).get<std::string>();
  }

  /// Returns what the parser makes of the text.
  template <typename Parser>
  auto parsed(const char* key, Parser parser) const {
    const std::string word = text(key);
    try {
      return parser(word);
    } catch (const std::invalid_argument& error) {
      refuse_schedule_json(place(key), error.what());
    }
  }

  double number(const char* key) const {
    const bool is_amount = at(key).is_number() && at(key).get<double>() >= 0;
    if (!is_amount) {
      refuse_schedule_json(place(key), fmt::format("{} is not a number from 0 up", shown(at(key))));
    }
    return at(key).get<double>();
  }

  std::uint64_t whole_number(const char* key) const {
    if (!at(key).is_number_unsigned()) {
      refuse_schedule_json(place(key), fmt::format("{} is not a whole number from 0 up", shown(at(key))));
    }
    return at(key).get<std::uint64_t>();
  }

 private:
  std::string place(const char* key) const { return fmt::format("{}{}", prefix_, key); }

  const Json& json_;
  std::string prefix_;
};

Placement placement_in(const Object& file) {
  const Grid grid = file.parsed("grid", [](const std::string& text) { return parse_grid(text); });
  return file.parsed("placement",
                     [&](const std::string& text) { return Placement(grid, parse_placement(text)); });
}

ScheduleBound bound_in(const Object& bound) {
  return {bound.number("blocks"), bound.whole_number("startups")};
}

/// Returns the collective of a file, or nothing for a complete exchange, whose file does not name it.
std::optional<Collective> collective_in(const Json& json, const Object& file, std::size_t rank_count) {
  if (!json.contains("collective")) return std::nullopt;
  const std::size_t chunk_count = file.whole_number("chunks");
  return file.parsed("collective", [&](const std::string& name) {
    return Collective::named(name, rank_count, chunk_count);
  });
}

/// Throws if a message has blocks where the collective has chunks, or the reverse.
void require_fit(const StepsReader& reader, bool has_chunks) {
  if (const auto& place = reader.message_with(!has_chunks)) {
    refuse_schedule_json(
        place->member(has_chunks ? "blocks" : "chunks"),
        has_chunks ? "is for complete exchanges only" : "is for files with a collective only");
  }
}

/// Replaces the nodes of messages by the ranks on them, and chunks that are counted by nodes by those of the ranks.
class RanksOfNodes {
 public:
  RanksOfNodes(const Placement& placement, const std::optional<Collective>& collective)
      : placement_(placement), collective_(collective) {}

  void translate(std::vector<Step>& steps) const {
    for (std::size_t s = 0; s < steps.size(); ++s) {
      for (std::size_t m = 0; m < steps[s].size(); ++m) translate(steps[s][m], {s, m});
    }
  }

 private:
  void translate(Message& message, const MessagePlace& place) const {
    translate(message.from, [&] { return place.member("from"); });
    translate(message.to, [&] { return place.member("to"); });
    for (std::size_t b = 0; b < message.blocks.size() && collective_; ++b) {
      if (!collective_->has(message.blocks[b])) {
        refuse_schedule_json(place.chunk(b),
                             fmt::format("{} is not below {}, the number of chunks",
                                         label(message.blocks[b].source), collective_->chunk_count()));
      }
      message.blocks[b] = by_ranks(message.blocks[b]);
    }
    for (std::size_t b = 0; b < message.blocks.size() && !collective_; ++b) {
      translate(message.blocks[b].source, [&] { return place.block_end(b, 0); });
      translate(message.blocks[b].destination, [&] { return place.block_end(b, 1); });
    }
  }

  Block by_ranks(const Block& chunk) const {
    const std::size_t per_owner = collective_->chunks_per_owner();
    if (per_owner == 0) return chunk;
    const Rank owner = placement_.rank_of(static_cast<GridNode>(label(chunk.source) / per_owner));
    return numbered_chunk(
        static_cast<std::uint32_t>(label(owner) * per_owner + label(chunk.source) % per_owner));
  }

  template <typename PlaceText>
  void translate(Rank& node, const PlaceText& place) const {
    if (label(node) >= placement_.rank_count()) {
      refuse_schedule_json(place(), fmt::format("{} is not below {}, the number of nodes of {}", label(node),
                                                placement_.rank_count(), to_string(placement_.grid())));
    }
    node = placement_.rank_of(static_cast<GridNode>(label(node)));
  }

  const Placement& placement_;
  const std::optional<Collective>& collective_;
};

}  // namespace

ScheduleFile parse_schedule_json(std::string_view text) {
  StepsReader reader;
  const Json json = parse_with(reader, text);
  if (!json.is_object()) throw std::invalid_argument("parse_schedule_json: not a JSON object");
  const Object file(json, "");
  file.at("steps");
  const Placement placement = placement_in(file);
  const auto collective = collective_in(json, file, placement.rank_count());
  require_fit(reader, collective.has_value());
  RanksOfNodes(placement, collective).translate(reader.steps());
  return {placement,
          file.parsed("ports", [](const std::string& word) { return parse_ports(word); }),
          file.parsed("tie", [](const std::string& word) { return parse_tie(word); }),
          file.text("algorithm"),
          bound_in(file.object("bound")),
          {placement.rank_count(), std::move(reader.steps())},
          collective};
}

}  // namespace cubefold
