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
  StepsText(const Placement& placement, std::string& text) : placement_(placement), text_(text) {}

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
    text_ += R"("blocks":[)";
    for (const Block& block : message.blocks) {
      if (&block != &message.blocks.front()) text_ += ',';
      append_pair("[{},{}]", block.source, block.destination);
    }
    text_ += "]}";
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
  return fmt::format(form, to_string(file.placement.grid()), to_string(file.ports), to_string(file.tie),
                     to_string(file.placement.rule()), quoted(file.algorithm), text_of(file.bound));
}

}  // namespace

std::string schedule_json(const ScheduleFile& file) {
  if (file.schedule.rank_count != file.placement.rank_count()) {
    throw std::invalid_argument(fmt::format("schedule_json: the schedule is of {} ranks, but {} has {} nodes",
                                            file.schedule.rank_count, to_string(file.placement.grid()),
                                            file.placement.rank_count()));
  }
  std::string text = head_of(file) + "  \"steps\": [";
  StepsText(file.placement, text).append(file.schedule);
  return text += "\n  ]\n}\n";
}

namespace {

/// Returns a complaint if the schedule sends less than half of the blocks of a complete exchange. Without this check, a
/// file of a few bytes could name a grid whose blocks do not fit in memory during the replay.
std::optional<std::string> lack_of_blocks(const Schedule& schedule) {
  std::size_t sent = 0;
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) sent += message.blocks.size();
  }
  const std::size_t wanted = schedule.rank_count * (schedule.rank_count - 1);
  if (sent >= wanted / 2) return std::nullopt;
  return fmt::format("{} blocks are sent, less than half of the {} of a complete exchange", sent, wanted);
}

}  // namespace

std::optional<std::string> first_fault(const ScheduleFile& file) {
  if (auto lack = lack_of_blocks(file.schedule)) return lack;
  if (const auto fault = first_delivery_fault(file.schedule)) return describe(*fault);
  const auto conflict = first_conflict(file.placement, file.schedule, file.ports, file.tie);
  if (!conflict) return std::nullopt;
  return fmt::format("{} (steps[{}][{}] and [{}])", describe(*conflict, file.schedule), conflict->step,
                     conflict->first_message, conflict->second_message);
}

}  // namespace cubefold
