#include "schedule_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>
#include <stdexcept>

#include "conflict.hpp"
#include "delivery.hpp"

namespace cubefold {

namespace {

/// Appends steps to a text, with nodes in the place of ranks.
class StepsText {
 public:
  StepsText(const ScheduleFile& file, std::string& text)
      : placement_(file.placement), collective_(file.collective), text_(text) {}

  void append(const Schedule& schedule) {
    const char* before = "\n    ";
    for (const Step& step : schedule.steps) {
      text_ += before;
      append(step);
      before = ",\n    ";
    }
  }

 private:
  void append(const Step& step) {
    text_ += '[';
    for (const Message& message : step) {
      if (&message != &step.front()) text_ += ',';
      append(message);
    }
    text_ += ']';
  }

  void append(const Message& message) {
    append_pair(R"({{"from":{},"to":{},)", message.from, message.to);
    if (message.reduces) text_ += R"("reduces":true,)";
    if (message.arrives_left) text_ += R"("left":true,)";
    text_ += collective_ ? R"("chunks":[)" : R"("blocks":[)";
    for (const Block& block : message.blocks) {
      if (&block != &message.blocks.front()) text_ += ',';
      append(block);
    }
    text_ += "]}";
  }

  void append(const Block& block) {
    if (!collective_) return append_pair("[{},{}]", block.source, block.destination);
    if (!collective_->has(block))
      throw std::invalid_argument(fmt::format("schedule_json: there is no chunk {}", label(block.source)));
    const std::size_t per_owner = collective_->chunks_per_owner();
    const std::uint32_t chunk = label(block.source);
    fmt::format_to(std::back_inserter(text_), "{}",
                   per_owner == 0 ? chunk
                                  : node(Rank{static_cast<std::uint32_t>(chunk / per_owner)}) * per_owner +
                                        chunk % per_owner);
  }

  void append_pair(fmt::format_string<const std::uint32_t&, const std::uint32_t&> form, Rank first,
                   Rank second) {
    const std::uint32_t first_node = node(first);
    const std::uint32_t second_node = node(second);
    fmt::format_to(std::back_inserter(text_), form, first_node, second_node);
  }

  std::uint32_t node(Rank rank) const {
    if (label(rank) >= placement_.rank_count()) {
      throw std::invalid_argument(
          fmt::format("schedule_json: rank {} is not below {}, the number of nodes of {}", label(rank),
                      placement_.rank_count(), to_string(placement_.grid())));
    }
    return static_cast<std::uint32_t>(placement_.node_of(rank));
  }

  const Placement& placement_;
  const std::optional<Collective>& collective_;
  std::string& text_;
};

std::string number(double value) {
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("schedule_json: a bound of {}", value));
  return fmt::format("{}", value);
}

std::string text_of(const ScheduleBound& bound) {
  return fmt::format(R"({{"blocks": {}, "startups": {}}})", number(bound.blocks), bound.startups);
}

/// Returns the text as a JSON string. Bytes that are not UTF-8 are replaced.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Returns the file's text before the steps.
std::string head_of(const ScheduleFile& file) {
  constexpr const char* form = R"({{
  "grid": "{}",
  "ports": "{}",
  "tie": "{}",
  "placement": "{}",
  "algorithm": {},
  "bound": {},
)";
  std::string text =
      fmt::format(form, to_string(file.placement.grid()), to_string(file.ports), to_string(file.tie),
                  to_string(file.placement.rule()), quoted(file.algorithm), text_of(file.bound));
  if (file.collective) {
    text += fmt::format("  \"collective\": \"{}\",\n  \"chunks\": {},\n", file.collective->name(),
                        file.collective->chunk_count());
  }
  return text;
}

}  // namespace

std::string schedule_json(const ScheduleFile& file) {
  if (file.schedule.rank_count != file.placement.rank_count()) {
    throw std::invalid_argument(fmt::format("schedule_json: the schedule is of {} ranks, but {} has {} nodes",
                                            file.schedule.rank_count, to_string(file.placement.grid()),
                                            file.placement.rank_count()));
  }
  std::string text = head_of(file) + "  \"steps\": [";
  StepsText(file, text).append(file.schedule);
  return text += "\n  ]\n}\n";
}

namespace {

/// Returns a complaint if the schedule sends less than half of the blocks or chunks that the other ranks lack or
/// contribute. Without this check, a file of a few bytes could name a grid whose blocks do not fit in memory during the
/// replay.
std::optional<std::string> lack_of_blocks(const Schedule& schedule, const Collective& collective) {
  std::size_t sent = 0;
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) sent += message.blocks.size();
  }
  const bool moves = collective.moves_chunks();
  const std::size_t wanted =
      (moves ? schedule.rank_count : collective.chunk_count()) * (schedule.rank_count - 1);
  if (sent >= wanted / 2) return std::nullopt;
  return fmt::format("{} {} are sent, less than half of the {} of {}", sent, moves ? "blocks" : "chunks",
                     wanted, moves ? "a complete exchange" : collective.name());
}

}  // namespace

std::optional<std::string> first_fault(const ScheduleFile& file) {
  const Collective collective =
      file.collective.value_or(Collective::complete_exchange(file.schedule.rank_count));
  if (auto lack = lack_of_blocks(file.schedule, collective)) return lack;
  if (const auto fault = first_delivery_fault(file.schedule, collective)) return describe(*fault);
  const auto conflict = first_conflict(file.placement, file.schedule, file.ports, file.tie);
  if (!conflict) return std::nullopt;
  return fmt::format("{} (steps[{}][{}] and [{}])", describe(*conflict, file.schedule), conflict->step,
                     conflict->first_message, conflict->second_message);
}

}  // namespace cubefold
