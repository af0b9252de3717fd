#include "steps_reader.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "collective.hpp"

namespace cubefold {

namespace {

using Json = nlohmann::json;

const Json& member(const Json& message, const char* key, const MessagePlace& place) {
  const auto found = message.find(key);
  if (found == message.end()) refuse_schedule_json(place.member(key), "is missing");
  return *found;
}

/// Returns a node of the file in the place of the rank on it, which replaces it later.
template <typename PlaceText>
Rank node_in(const Json& value, const PlaceText& place) {
  const bool is_node =
      value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  if (!is_node) refuse_schedule_json(place(), fmt::format("{} is not a node", shown(value)));
  return static_cast<Rank>(value.get<std::uint32_t>());
}

Rank node_in(const Json& message, const char* key, const MessagePlace& place) {
  return node_in(member(message, key, place), [&] { return place.member(key); });
}

Block block_in(const Json& pair, const MessagePlace& place, std::size_t index) {
  if (!pair.is_array() || pair.size() != 2) {
    refuse_schedule_json(place.block(index), "is not [source, destination]");
  }
  return {node_in(pair[0], [&] { return place.block_end(index, 0); }),
          node_in(pair[1], [&] { return place.block_end(index, 1); })};
}

std::uint32_t chunk_in(const Json& value, const MessagePlace& place, std::size_t index) {
  const bool is_chunk =
      value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
  if (!is_chunk) refuse_schedule_json(place.chunk(index), fmt::format("{} is not a chunk", shown(value)));
  return value.get<std::uint32_t>();
}

/// Returns a truth value of a message, or false if it has no such key.
bool truth_in(const Json& message, const char* key, const MessagePlace& place) {
  const auto found = message.find(key);
  if (found == message.end()) return false;
  if (!found->is_boolean())
    refuse_schedule_json(place.member(key), fmt::format("{} is not true or false", shown(*found)));
  return found->get<bool>();
}

Message message_in(const Json& json, const MessagePlace& place) {
  Message message{node_in(json, "from", place), node_in(json, "to", place), {}};
  message.reduces = truth_in(json, "reduces", place);
  message.arrives_left = truth_in(json, "left", place);
  const bool has_chunks = json.contains("chunks");
  const char* key = has_chunks ? "chunks" : "blocks";
  const Json& blocks = member(json, key, place);
  if (!blocks.is_array()) refuse_schedule_json(place.member(key), "is not an array");
  message.blocks.reserve(blocks.size());
  for (const Json& block : blocks) {
    const std::size_t index = message.blocks.size();
    message.blocks.push_back(has_chunks ? numbered_chunk(chunk_in(block, place, index))
                                        : block_in(block, place, index));
  }
  return message;
}

}  // namespace

void refuse_schedule_json(const std::string& place, const std::string& rule) {
  throw std::invalid_argument(fmt::format("parse_schedule_json: {}: {}", place, rule));
}

std::string shown(const Json& value) {
  return value.is_primitive() ? value.dump() : fmt::format("an {}", value.type_name());
}

std::string MessagePlace::text() const {
  return fmt::format("steps[{}][{}]", step, message);
}

std::string MessagePlace::member(const char* key) const {
  return fmt::format("{}.{}", text(), key);
}

std::string MessagePlace::block(std::size_t index) const {
  return fmt::format("{}.blocks[{}]", text(), index);
}

std::string MessagePlace::chunk(std::size_t index) const {
  return fmt::format("{}.chunks[{}]", text(), index);
}

std::string MessagePlace::block_end(std::size_t index, int end) const {
  return fmt::format("{}[{}]", block(index), end);
}

bool StepsReader::keep(int depth, Event event, const Json& value) {
  if (event == Event::key && depth == 1) is_steps_ = value == "steps";
  const bool is_structure = event != Event::key && depth >= 1 && depth <= 3;
  return is_steps_ && is_structure ? keep_in_steps(depth, event, value) : true;
}

bool StepsReader::keep_in_steps(int depth, Event event, const Json& value) {
  if (depth == 3) return keep_message(event, value);
  // The empty array of steps stays, to show that the key was there.
  if (event == Event::array_end) return depth == 1;
  if (event != Event::array_start) {
    refuse_schedule_json(depth == 1 ? "steps" : fmt::format("steps[{}]", steps_.size()), "is not an array");
  }
  if (depth == 2) steps_.emplace_back();
  return true;
}

bool StepsReader::keep_message(Event event, const Json& value) {
  if (event == Event::object_start) return true;
  const MessagePlace place{steps_.size() - 1, steps_.back().size()};
  if (event != Event::object_end) refuse_schedule_json(place.text(), "is not an object");
  steps_.back().push_back(message_in(value, place));
  (value.contains("chunks") ? with_chunks_ : with_blocks_) = place;
  return false;
}

}  // namespace cubefold
