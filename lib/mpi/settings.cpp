#include "settings.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/topology/route.hpp"
#include "plan/requested_exchange.hpp"

namespace cubefold::mpi {

namespace {

std::optional<std::string> value_of(MPI_Info info, const char* key) {
  int length = 0;
  int is_there = 0;
  check(MPI_Info_get_valuelen(info, key, &length, &is_there), "MPI_Info_get_valuelen");
  if (is_there == 0) return std::nullopt;
  std::string value(static_cast<std::size_t>(length) + 1, '\0');
  check(MPI_Info_get(info, key, length, value.data(), &is_there), "MPI_Info_get");
  return value.substr(0, value.find('\0'));
}

template <typename Value>
Value parsed(Value (*parse)(std::string_view), const std::string& text) {
  try {
    return parse(text);
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(fmt::format("hints: {}", refused.what()));
  }
}

}  // namespace

std::string own_variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  return value == nullptr ? "" : value;
}

std::string variable_of_root(const char* name, MPI_Comm comm) {
  return text_of_root(comm, [&] { return own_variable(name); });
}

Hints read_hints(MPI_Info info) {
  Hints hints;
  if (info == MPI_INFO_NULL) return hints;
  hints.grid = value_of(info, "grid");
  hints.placement = value_of(info, "placement");
  hints.machine = value_of(info, "machine");
  hints.tuning = value_of(info, "tuning");
  if (const auto trials = value_of(info, "trials")) hints.trials = parse_trials(*trials, "hints: trials");
  if (const auto ports = value_of(info, "ports")) hints.ports = parsed(parse_ports, *ports);
  if (const auto queues = value_of(info, "queues")) hints.queues = parsed(parse_queues, *queues);
  return hints;
}

std::string to_string(const Hints& hints) {
  std::string text;
  const auto add = [&](std::string_view key, const auto& value) {
    if (value) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, *value);
  };
  add("grid", hints.grid);
  add("placement", hints.placement);
  add("machine", hints.machine);
  add("tuning", hints.tuning);
  add("trials", hints.trials);
  if (hints.ports) add("ports", std::optional(to_string(*hints.ports)));
  if (hints.queues) add("queues", std::optional(to_string(*hints.queues)));
  return text;
}

std::string hint_or_variable(const Hints* hints, std::optional<std::string> Hints::*hint,
                             const char* variable, MPI_Comm comm) {
  const bool has_hint = hints != nullptr && hints->*hint;
  if (!has_hint) return variable_of_root(variable, comm);
  return text_of_root(comm, [&] { return *(hints->*hint); });
}

// One text for all, since each has to be broadcast. A variable has no null characters.
ExchangeRequests requests_of_root(MPI_Comm comm) {
  const std::string values = text_of_root(comm, [] {
    std::string text;
    for (const char* name :
         {exchange_variable, trials_variable, queues_variable, vector_variable, neighbours_variable})
      (text += own_variable(name)) += '\0';
    return text;
  });
  return agree_on_outcome(comm, [&] {
    std::array<std::string, 5> texts;
    std::size_t begin = 0;
    for (std::string& text : texts) {
      text = values.substr(begin, values.find('\0', begin) - begin);
      begin += text.size() + 1;
    }
    return parse_requests(texts[0], texts[1], texts[2], texts[3], texts[4]);
  });
}

}  // namespace cubefold::mpi
