#include "cubefold/schedule/checked_schedule.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/delivery.hpp"

namespace cubefold {

std::optional<std::string> first_fault(const ScheduleFile& file) {
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
