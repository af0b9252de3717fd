#include "planner/drawing/drawn_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/hosts/host_map.hpp"
#include "cubefold/plan/bricks.hpp"
#include "cubefold/plan/mapping.hpp"
#include "planner/drawing/drawn_phases.hpp"
#include "planner/launchers/allocation.hpp"
#include "planner/mapping/answer.hpp"
#include "planner/verification/claims.hpp"
#include "planner/verification/messages.hpp"
#include "program/json.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule_json.hpp"

namespace cubefold::planner {

namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& rule) {
  throw std::runtime_error(fmt::format("{}: {}", program::name_of(path), rule));
}

/// Calls read(), and puts the path before the message of a std::invalid_argument.
template <typename Read>
auto read_of(const std::string& path, Read read) {
  try {
    return read();
  } catch (const std::invalid_argument& error) {
    refuse(path, error.what());
  }
}

DrawnKind kind_of(const nlohmann::ordered_json& outline, const std::string& path) {
  if (outline.contains("node_of_rank")) return DrawnKind::certificate;
  if (outline.contains("hosts")) return DrawnKind::hosts;
  if (outline.contains("links")) refuse(path, "has loads of links, which --loads draws on a network");
  if (outline.contains("steps")) return DrawnKind::schedule;
  refuse(path, "is neither a certificate of map nor a schedule of plan nor hosts of discover");
}

Phase phase_of(const PhaseClaim& claim, std::size_t rank_count) {
  Phase phase{claim.name, claim.weight, {}};
  for (const SentMessages& sent : messages_of(claim, rank_count)) {
    phase.traffic.push_back({static_cast<Rank>(sent.from), static_cast<Rank>(sent.to), sent.messages});
  }
  return phase;
}

std::vector<Phase> phases_of(const Claims& claims, std::size_t rank_count) {
  std::size_t most = 0;
  for (const PhaseClaim& claim : claims.phases) most += messages_at_most(claim, rank_count);
  if (most > most_messages)
    throw std::invalid_argument(fmt::format("its phases have more than {} messages to draw", most_messages));
  std::vector<Phase> phases;
  for (const PhaseClaim& claim : claims.phases) phases.push_back(phase_of(claim, rank_count));
  return phases;
}

std::vector<GridNode> nodes_of(const OrderClaim& order, const Allocation& allocation,
                               const std::optional<Bricks>& bricks) {
  if (!order.node_of_rank) return nodes_under(allocation, order.placement, bricks);
  std::vector<GridNode> nodes;
  for (const std::int64_t node : *order.node_of_rank) {
    if (node < 0 || static_cast<std::uint64_t>(node) >= allocation.grid.node_count())
      throw std::invalid_argument(fmt::format("{}node_of_rank has node {}", order.where, node));
    nodes.push_back(static_cast<GridNode>(node));
  }
  if (nodes.size() == allocation.rank_count()) return nodes;
  throw std::invalid_argument(
      fmt::format("{}node_of_rank has {} ranks, not {}", order.where, nodes.size(), allocation.rank_count()));
}

/// Returns the title of an order: its rule and its bricks, or else what a job without a placement does.
std::string title_of(const OrderClaim& order, const std::optional<Bricks>& bricks) {
  if (order.placement.empty()) return "consecutive";
  const std::string rule = placement_title(order.placement);
  return bricks ? fmt::format("{}, bricks of {}", rule, fmt::join(bricks->brick, "x")) : rule;
}

Allocation allocation_of(const Claims& claims) {
  if (claims.per_node < 1) throw std::invalid_argument(fmt::format("per_node is {}", claims.per_node));
  Allocation allocation = even_allocation(parse_grid(claims.grid), static_cast<std::size_t>(claims.per_node));
  const auto& counts = claims.ranks_on_node;
  if (counts.empty()) return allocation;
  if (counts.size() != allocation.grid.node_count() || std::ranges::min(counts) < 1) {
    throw std::invalid_argument(fmt::format("per_node has not one number from 1 up for each of {} nodes",
                                            allocation.grid.node_count()));
  }
  allocation.ranks_on_node.assign(counts.begin(), counts.end());
  return allocation;
}

Picture picture_of(const Claims& claims) {
  const Allocation allocation = allocation_of(claims);
  require_drawable(allocation.grid);
  std::optional<Bricks> bricks;
  if (claims.bricks) bricks = parse_bricks(*claims.bricks);
  const auto phases = phases_of(claims, allocation.rank_count());
  Picture picture{allocation.grid, noun_of(phases),
                  caption_of(allocation.grid, phases, parse_tie(claims.tie))};
  picture.tie = parse_tie(claims.tie);
  picture.bound = bound_of(allocation, phases, bricks);
  if (!claims.compared.empty()) {
    const OrderClaim& before = claims.compared.front();
    picture.panels.push_back({title_of(before, bricks), nodes_of(before, allocation, bricks), {}, phases});
  }
  picture.panels.push_back(
      {title_of(claims.choice, bricks), nodes_of(claims.choice, allocation, bricks), {}, phases});
  return picture;
}

/// Returns the steps with the blocks of their messages.
std::vector<Phase> steps_of(const Schedule& schedule) {
  std::vector<Phase> steps;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    Phase step{fmt::format("step {}", i + 1), 1, {}};
    for (const Message& message : schedule.steps[i])
      step.traffic.push_back({message.from, message.to, static_cast<double>(message.blocks.size())});
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

bool names_a_file(const std::string& text) {
  return text == "-" || (text.ends_with(".json") && !text.starts_with("file:")) ||
         std::filesystem::is_regular_file(text);
}

DrawnFile read_drawn_file(const std::string& path) {
  DrawnFile file{path, program::read_text(path, program::JsonLimits::bytes), {}};
  using Json = nlohmann::ordered_json;
  const Json outline = program::parse_json(
      file.text, path, [](int depth, Json::parse_event_t, const Json&) { return depth < 2; });
  file.kind = kind_of(outline, path);
  return file;
}

Picture picture_of_certificate(const DrawnFile& file) {
  return read_of(file.path, [&] {
    const std::string name = program::name_of(file.path);
    const auto json = program::parse_json(file.text, file.path);
    return picture_of(read_claims(json, name));
  });
}

Picture picture_of_schedules(const std::vector<DrawnFile>& files) {
  std::optional<Picture> picture;
  std::optional<Collective> collective;
  for (const DrawnFile& file : files) {
    const ScheduleFile read = read_of(file.path, [&] { return parse_schedule_json(file.text); });
    const Grid& grid = read.placement.grid();
    require_drawable(grid);
    if (!picture) {
      const std::string of =
          read.collective ? fmt::format("of {}", read.collective->name()) : "of an exchange";
      picture = Picture{grid, read.collective ? "chunks" : "blocks",
                        fmt::format("{}, ranks on their nodes; all steps {}", to_string(grid), of)};
      picture->tie = read.tie;
      collective = read.collective;
      if (!collective) {
        picture->bound =
            bound_of(even_allocation(grid, 1), parse_phases("alltoall", grid.node_count(), &grid), {});
      }
    }
    if (read.collective != collective)
      refuse(file.path, "is of another collective, or of other chunks, than the first");
    if (!(grid == picture->grid))
      refuse(file.path, fmt::format("is of {}, not of {}", to_string(grid), to_string(picture->grid)));
    if (read.tie != picture->tie)
      refuse(file.path, fmt::format("has {} ties, unlike the first file", to_string(read.tie)));
    picture->panels.push_back({read.algorithm, node_of_rank(read.placement), {}, steps_of(read.schedule)});
  }
  return *std::move(picture);
}

DrawnHosts hosts_in(const DrawnFile& file) {
  return read_of(file.path, [&] {
    const HostMap map = parse_host_map(file.text);
    std::vector<GridNode> nodes;
    for (const Host& host : map.hosts()) nodes.push_back(host.node);
    const NetworkPart part = part_of(map.network(), nodes);
    std::vector<std::uint32_t> host_count(part.grid.node_count());
    std::multimap<GridNode, std::string> host_on;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      ++host_count[static_cast<std::size_t>(part.nodes[i])];
      host_on.emplace(part.nodes[i], map.hosts()[i].name);
    }
    DrawnHosts hosts{network_of_hosts(part.grid, host_count), {}};
    for (auto& [node, name] : host_on) hosts.names.push_back(std::move(name));
    return hosts;
  });
}

std::string placement_title(const std::string& placement) {
  constexpr std::size_t most_characters = 44;
  if (placement.size() <= most_characters) return placement;
  const auto end = placement.rfind('-', most_characters - 4);
  return placement.substr(0, end == std::string::npos ? most_characters - 4 : end) + "-...";
}

}  // namespace cubefold::planner
