#include "requested_exchange.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace cubefold {

namespace {

constexpr const char* name_of_mpi = "mpi";
constexpr const char* name_of_tuning = "tune";
constexpr std::array<std::pair<std::string_view, Backend>, 2> prefixes{
    {{"nodes:", Backend::nodes}, {"slots:", Backend::slots}}};

constexpr int most_trials = 1000;

RequestedExchange parse(std::string text) {
  RequestedExchange requested;
  requested.text = std::move(text);
  std::string_view method = requested.text;
  if (method == name_of_mpi) requested.backend = Backend::mpi;
  if (method.empty() || method == name_of_mpi) return requested;
  for (const auto& [prefix, backend] : prefixes) {
    if (!method.starts_with(prefix)) continue;
    method.remove_prefix(prefix.size());
    requested.backend = backend;
    break;
  }
  requested.method = parse_exchange_method(method);
  return requested;
}

}  // namespace

RequestedExchange parse_requested_exchange(std::string text) {
  try {
    return parse(std::move(text));
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(fmt::format("{}: {}; or '{}'; or '{}' or '{}' and a method",
                                            exchange_variable, refused.what(), name_of_mpi, prefixes[0].first,
                                            prefixes[1].first));
  }
}

std::optional<std::size_t> parse_trials(const std::string& text, const char* name) {
  if (text.empty()) return std::nullopt;
  int trials = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, trials);
  if (error != std::errc() || read != end || trials < 0 || trials > most_trials) {
    throw std::invalid_argument(
        fmt::format("{} '{}' is no number of trials from 0 to {}", name, text, most_trials));
  }
  return static_cast<std::size_t>(trials);
}

RequestedVectorMethod parse_requested_vector_method(std::string text) {
  RequestedVectorMethod requested{.text = std::move(text)};
  requested.is_mpi = requested.text == name_of_mpi;
  requested.is_tuned = requested.text == name_of_tuning;
  if (requested.text.empty() || requested.is_mpi || requested.is_tuned) return requested;
  try {
    requested.method = parse_vector_method(requested.text);
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(
        fmt::format("{}: {}; or '{}' or '{}'", vector_variable, refused.what(), name_of_mpi, name_of_tuning));
  }
  return requested;
}

RequestedNeighbours parse_requested_neighbours(const std::string& text) {
  if (text.empty()) return {};
  if (text == name_of_mpi) return {.is_mpi = true};
  for (const NeighbourMethod method : all_neighbour_methods)
    if (text == to_string(method)) return {.method = method};
  throw std::invalid_argument(
      fmt::format("{}: '{}' is not mpi, direct or combined", neighbours_variable, text));
}

ExchangeRequests parse_requests(std::string exchange, const std::string& trials, const std::string& queues,
                                std::string vector_method, const std::string& neighbours) {
  ExchangeRequests requests{parse_requested_exchange(std::move(exchange)), parse_trials(trials)};
  requests.vector_method = parse_requested_vector_method(std::move(vector_method));
  requests.neighbours = parse_requested_neighbours(neighbours);
  if (queues.empty()) return requests;
  try {
    requests.queues = parse_queues(queues);
  } catch (const std::invalid_argument& refused) {
    throw std::invalid_argument(fmt::format("{}: {}", queues_variable, refused.what()));
  }
  return requests;
}

}  // namespace cubefold
