#include "tuning_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cubefold/version.h"
#include "text/json_members.hpp"
#include "text/text_file.hpp"

namespace cubefold {

namespace {

TunedChoice choice_of(const JsonMembers& members) {
  TunedChoice choice{{members.text("processes"), members.text("form"), members.count("bit_width")},
                     parse_candidate(members.text("candidate")),
                     members.time("seconds"),
                     members.count("block_bytes")};
  if (members.has("slot_tau_seconds")) choice.candidate.slot_tau_seconds = members.time("slot_tau_seconds");
  return choice;
}

/// Returns the digest of the links and routes of a network, or an empty text if they follow from its axes.
std::string digest_of(const Grid& grid) {
  return grid.route_table() == nullptr ? "" : fmt::format("{:016x}", grid.route_table()->digest());
}

void require_this_version(const JsonMembers& members) {
  const std::size_t format = members.count("tuning_format_version");
  const std::string version = members.text("cubefold");
  if (version != CUBEFOLD_VERSION)
    refuse_json(fmt::format("made by cubefold {}, not {}", version, CUBEFOLD_VERSION));
  if (format != tuning_format_version)
    refuse_json(fmt::format("made in format {}, not {}", format, tuning_format_version));
}

TuningTable table_of(const JsonMembers& members, const MachineUse& place) {
  require_this_version(members);
  Machine made_on{parse_grid(members.text("grid"))};
  made_on.host_count = members.count("hosts");
  made_on.mpi_library = members.text("mpi");
  if (const auto reason = misfit(made_on, place)) refuse_json(*reason);
  if (members.text("routes_digest") != digest_of(place.grid))
    refuse_json(fmt::format("made when {} had other links or routes", to_string(place.grid)));
  TuningTable table{place, {}};
  for (const JsonMembers& choice : members.objects("choices")) table.add(choice_of(choice));
  return table;
}

}  // namespace

const TunedChoice* TuningTable::find(const TunedExchange& exchange) const {
  const auto found = std::find_if(choices.begin(), choices.end(),
                                  [&](const TunedChoice& choice) { return choice.exchange == exchange; });
  return found == choices.end() ? nullptr : &*found;
}

void TuningTable::add(TunedChoice choice) {
  std::erase_if(choices, [&](const TunedChoice& old) { return old.exchange == choice.exchange; });
  choices.push_back(std::move(choice));
}

std::string to_json(const TuningTable& table) {
  Json json{{"tuning_format_version", tuning_format_version},
            {"cubefold", CUBEFOLD_VERSION},
            {"mpi", table.place.mpi_library},
            {"grid", to_string(table.place.grid)},
            {"routes_digest", digest_of(table.place.grid)},
            {"hosts", table.place.host_count},
            {"choices", Json::array()}};
  for (const TunedChoice& choice : table.choices) {
    json["choices"].push_back({{"processes", choice.exchange.processes},
                               {"form", choice.exchange.form},
                               {"bit_width", choice.exchange.bit_width},
                               {"candidate", to_string(choice.candidate)},
                               {"seconds", choice.seconds},
                               {"block_bytes", choice.block_bytes}});
    if (choice.candidate.slot_tau_seconds)
      json["choices"].back()["slot_tau_seconds"] = *choice.candidate.slot_tau_seconds;
  }
  return json.dump(2) + "\n";
}

TuningTable parse_tuning(std::string_view json, const MachineUse& place, const std::string& file) {
  try {
    const Json members = parsed_json(json);
    return table_of(JsonMembers(members), place);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("tuning file {}: {}", file, error.what()));
  }
}

TuningTable read_tuning(const std::string& file, const MachineUse& place) {
  if (std::error_code ignored; !std::filesystem::exists(file, ignored)) return {place, {}};
  std::string text;
  try {
    text = read_json_text(file);
  } catch (const std::system_error& error) {
    throw std::invalid_argument(fmt::format("tuning file {}: cannot read: {}", file, error.code().message()));
  }
  return parse_tuning(text, place, file);
}

void write_tuning(const std::string& file, const TuningTable& table) {
  try {
    replace_text_file(file, to_json(table));
  } catch (const std::system_error& error) {
    throw std::invalid_argument(
        fmt::format("tuning file {}: cannot write: {}", file, error.code().message()));
  }
}

void add_to_file(const std::string& file, const MachineUse& place, const TunedChoice& choice) {
  TuningTable table = read_tuning(file, place);
  table.add(choice);
  write_tuning(file, table);
}

}  // namespace cubefold
