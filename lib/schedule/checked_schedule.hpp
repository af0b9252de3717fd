#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cubefold/export.h"
#include "schedule_json.hpp"

namespace cubefold {

/// What keeps the file's schedule from being a complete exchange without conflicts on its grid, in one line: the first
/// fault of first_delivery_fault(), or else the first of first_conflict() with the two messages' places in the file.
/// Nothing if it is one. Without a replay, that it sends less than half of the blocks. Ranks are those of the file's
/// placement. Cost of both.
CUBEFOLD_API std::optional<std::string> first_fault(const ScheduleFile& file);

/// parse_schedule_json() of what comes from outside and is going to be run. Throws what that does, and
/// std::invalid_argument with first_fault() if there is one.
CUBEFOLD_API ScheduleFile checked_schedule(std::string_view text);

}  // namespace cubefold
