#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace cubefold::planner {

/// What a schedule file says of one message. Numbers are nodes, or should be.
struct MessageClaim {
  struct Block {
    std::size_t source;
    std::size_t destination;
  };

  std::size_t from;
  std::size_t to;
  std::vector<Block> blocks;
};

/// A schedule of a complete exchange as it stands in its file, believed in nothing but its form.
struct ScheduleClaims {
  std::string grid;
  std::string ports;
  std::string tie;
  std::string placement;
  std::string algorithm;
  double bound_blocks;
  std::size_t bound_startups;
  std::vector<std::vector<MessageClaim>> steps;
};

/// Whether the file is a schedule rather than a certificate.
bool is_schedule(const nlohmann::ordered_json& file);

/// Reads it. Throws std::runtime_error with the path and the place for a file of another form.
ScheduleClaims read_schedule_claims(const nlohmann::ordered_json& file, const std::string& path);

}  // namespace cubefold::planner
