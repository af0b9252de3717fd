#include "planner/verification/schedule_claims.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace cubefold::planner {

namespace {

using Json = JsonValue::Json;
using Event = Json::parse_event_t;

MessageClaim::Block block_in(const JsonValue& value) {
  std::vector<std::size_t> ends;
  value.for_each([&](const JsonValue& end) { ends.push_back(end.whole_number_from_0()); });
  if (ends.size() != 2) value.fail("is not [source, destination]");
  return {ends[0], ends[1]};
}

MessageClaim message_in(const JsonValue& value) {
  const bool has_chunks = value.has("chunks");
  value.require_no_keys_but({"from", "to", has_chunks ? "chunks" : "blocks", "reduces", "left"});
  MessageClaim message{value.at("from").whole_number_from_0(), value.at("to").whole_number_from_0(), {}, {}};
  message.has_chunks = has_chunks;
  message.reduces = value.has("reduces") && value.at("reduces").truth();
  if (value.has("left") && value.at("left").truth() && !message.reduces)
    value.fail("arrives left, but does not reduce");
  if (has_chunks) {
    value.at("chunks").for_each(
        [&](const JsonValue& chunk) { message.chunks.push_back(chunk.whole_number_from_0()); });
    return message;
  }
  if (message.reduces) value.fail("reduces its blocks, but only chunks are reduced");
  value.at("blocks").for_each([&](const JsonValue& block) { message.blocks.push_back(block_in(block)); });
  return message;
}

std::vector<EdgeClaim> edges_in(const JsonValue& value) {
  std::vector<EdgeClaim> edges;
  value.for_each([&](const JsonValue& edge) {
    std::vector<std::size_t> ends;
    edge.for_each([&](const JsonValue& end) { ends.push_back(end.whole_number_from_0()); });
    if (!ends.empty() && ends.size() != 2) edge.fail("is neither [source, destination] nor []");
    const bool exists = !ends.empty();
    edges.push_back({exists, exists ? ends[0] : 0, exists ? ends[1] : 0});
  });
  return edges;
}

/// Throws if a message has blocks where a collective has chunks, or the reverse.
void require_fit(const std::vector<StepClaim>& steps, const JsonValue& file, bool has_chunks) {
  for (std::size_t step = 0; step < steps.size(); ++step) {
    for (std::size_t index = 0; index < steps[step].size(); ++index) {
      if (steps[step][index].has_chunks == has_chunks) continue;
      file.fail(fmt::format("has {} in steps[{}][{}], but is of {}", has_chunks ? "blocks" : "chunks", step,
                            index, has_chunks ? "a collective with chunks" : "a complete exchange"));
    }
  }
}

}  // namespace

bool StepReader::keeps(int depth, Event event, const Json& value) {
  if (event == Event::key && depth == 1) {
    is_in_steps_ = value == "steps";
    has_steps_ = has_steps_ || is_in_steps_;
    return true;
  }
  // Values at larger depths belong to a message, which is read as a whole.
  const bool is_structure = depth >= 1 && depth <= 3 && event != Event::key;
  return is_in_steps_ && is_structure ? keeps_in_steps(depth, event, value) : true;
}

bool StepReader::keeps_in_steps(int depth, Event event, const Json& value) {
  if (depth == 3) {
    const JsonValue message(value, path_,
                            fmt::format("steps[{}][{}]", steps_.size() - 1, steps_.back().size()));
    if (event == Event::object_start) return true;
    if (event != Event::object_end) message.fail("is not an object");
    steps_.back().push_back(message_in(message));
    return false;
  }
  const JsonValue step(value, path_, depth == 1 ? "steps" : fmt::format("steps[{}]", steps_.size()));
  if (event == Event::array_end) return depth == 1;
  if (event != Event::array_start) step.fail("is not an array");
  if (depth == 2) steps_.emplace_back();
  if (steps_.size() > most_steps) step.fail(fmt::format("is beyond the first {}", most_steps));
  return true;
}

ScheduleClaims read_schedule_claims(const Json& json, const std::string& path, std::vector<StepClaim> steps) {
  const JsonValue file(json, path);
  file.require_format();
  file.require_no_keys_but({"format_version", "cubefold", "date", "has_conflicts", "grid", "ports", "tie",
                            "placement", "algorithm", "bound", "collective", "chunks", "phase", "edges",
                            "steps"});
  file.at("bound").require_no_keys_but({"blocks", "startups"});
  const bool has_chunks = file.has("collective");
  if (file.has("chunks") && !has_chunks) file.fail("has 'chunks', but no 'collective'");
  const bool has_edges = has_chunks && file.at("collective").is_text(neighbours_collective);
  for (const char* key : {"phase", "edges"})
    if (file.has(key) && !has_edges) file.fail(fmt::format("has '{}', but is not of neighbours", key));
  require_fit(steps, file, has_chunks);
  return {has_chunks ? file.at("collective").text() : "",
          has_chunks ? file.at("chunks").whole_number_from_0() : 0,
          file.at("grid").text(),
          file.at("ports").text(),
          file.at("tie").text(),
          file.at("placement").text(),
          file.at("algorithm").text(),
          file.has("has_conflicts") && file.at("has_conflicts").truth(),
          file.at("bound").at("blocks").number(),
          file.at("bound").at("startups").whole_number_from_0(),
          std::move(steps),
          has_edges ? file.at("phase").text() : "",
          has_edges ? edges_in(file.at("edges")) : std::vector<EdgeClaim>()};
}

}  // namespace cubefold::planner
