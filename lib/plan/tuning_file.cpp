#include "tuning_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cubefold/version.h"
#include "simulation/json_members.hpp"

namespace cubefold {

namespace {

TunedChoice choice_of(const JsonMembers& members) {
  return {{members.text("processes"), members.text("form"), members.count("bit_width")},
          members.text("candidate"),
          members.time("seconds"),
          members.count("block_bytes")};
}

void require_this_version(const JsonMembers& members) {
  const std::size_t format = members.count("tuning_format_version");
  const std::string version = members.text("cubefold");
  if (format != tuning_format_version || version != CUBEFOLD_VERSION)
    refuse_json(fmt::format("made by cubefold {}, not {}", version, CUBEFOLD_VERSION));
}

TuningTable table_of(const JsonMembers& members, const MachineUse& place) {
  require_this_version(members);
  Machine made_on{parse_grid(members.text("grid"))};
  made_on.host_count = members.count("hosts");
  made_on.mpi_library = members.text("mpi");
  if (const auto reason = misfit(made_on, place)) refuse_json(*reason);
  TuningTable table{place, {}};
  for (const JsonMembers& choice : members.objects("choices")) table.add(choice_of(choice));
  return table;
}

std::string reason_of(int error) {
  return std::generic_category().message(error);
}

/// Returns the content of a file, or nothing if there is no such file.
std::optional<std::string> text_of(const std::string& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open() && errno == ENOENT) return std::nullopt;
  std::ostringstream text;
  // A folder can be opened, but reading from it fails.
  if (stream.is_open() && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad())
    throw std::invalid_argument(fmt::format("tuning file {}: cannot read: {}", file, reason_of(errno)));
  return text.str();
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
            {"hosts", table.place.host_count},
            {"choices", Json::array()}};
  for (const TunedChoice& choice : table.choices) {
    json["choices"].push_back({{"processes", choice.exchange.processes},
                               {"form", choice.exchange.form},
                               {"bit_width", choice.exchange.bit_width},
                               {"candidate", choice.candidate},
                               {"seconds", choice.seconds},
                               {"block_bytes", choice.block_bytes}});
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
  const auto text = text_of(file);
  return text ? parse_tuning(*text, place, file) : TuningTable{place, {}};
}

void write_tuning(const std::string& file, const TuningTable& table) {
  std::array<char, 256> host{};  // processes on different hosts may have the same number
  gethostname(host.data(), host.size() - 1);
  const std::string part = fmt::format("{}.{}.{}.part", file, host.data(), getpid());
  errno = 0;
  std::ofstream stream(part, std::ios::binary);
  stream << to_json(table);
  stream.close();
  if (stream && std::rename(part.c_str(), file.c_str()) == 0) return;
  const int error = errno;
  std::remove(part.c_str());
  throw std::invalid_argument(fmt::format("tuning file {}: cannot write: {}", file, reason_of(error)));
}

void add_to_file(const std::string& file, const MachineUse& place, const TunedChoice& choice) {
  TuningTable table = read_tuning(file, place);
  table.add(choice);
  write_tuning(file, table);
}

}  // namespace cubefold
