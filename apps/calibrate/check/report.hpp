#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "calibrate/check/job_hosts.hpp"
#include "calibrate/check/map_check.hpp"

namespace cubefold::map_check {

/// Returns a line that says whether the map agrees with the observations, and lines with the hosts that may be
/// swapped or that contradict it.
std::string judgement_text(const JobHosts& job, const std::string& file, const MapCheck& check,
                           const Judgement& judgement);

/// Returns a table with a row for each stream of each round: what the map predicts, and how much longer it took.
std::string table_of_streams(const JobHosts& job, const MapCheck& check);

/// Returns the judgement and all observations.
nlohmann::ordered_json report_as_json(const JobHosts& job, const std::string& file, const MapCheck& check,
                                      const Judgement& judgement);

}  // namespace cubefold::map_check
