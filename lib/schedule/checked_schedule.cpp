#include "checked_schedule.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/delivery.hpp"

namespace cubefold {

namespace {

/// A file of a few bytes can name a grid whose blocks nobody has room to follow.
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

ScheduleFile checked_schedule(std::string_view text) {
  ScheduleFile file = parse_schedule_json(text);
  if (const auto fault = first_fault(file)) {
    throw std::invalid_argument(fmt::format("checked_schedule: {}", *fault));
  }
  return file;
}

}  // namespace cubefold
