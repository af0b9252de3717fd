#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "grid_zone.hpp"

namespace {

/// Reads the JSON file that the environment variable CUBEFOLD_PLATFORM names, for example {"grid": "torus:4x4", "tie":
/// "positive", "ports": "all", "bits_per_second": 1e7, "latency_seconds": 2e-5}.
Network described_network() {
  const char* path = std::getenv("CUBEFOLD_PLATFORM");  // NOLINT(concurrency-mt-unsafe): one thread
  if (path == nullptr) throw std::invalid_argument("CUBEFOLD_PLATFORM names no file");
  std::ifstream file(path);
  const auto json = nlohmann::json::parse(file);
  return {cubefold::parse_grid(json.at("grid").get<std::string>()),
          cubefold::parse_tie(json.at("tie").get<std::string>()),
          cubefold::parse_ports(json.at("ports").get<std::string>()),
          json.at("bits_per_second").get<double>() / 8, json.at("latency_seconds")};
}

}  // namespace

/// Makes the platform. SimGrid calls this function instead of reading an XML file.
extern "C" CUBEFOLD_API void load_platform(const simgrid::s4u::Engine& /*engine*/) {
  try {
    auto* zone = new GridZone(described_network());
    zone->get_iface()->seal();
  } catch (const std::exception& error) {
    fmt::print(stderr, "cubefold-lab: {}\n", error.what());
    std::exit(2);  // NOLINT(concurrency-mt-unsafe): one thread
  }
}
