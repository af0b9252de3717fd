#include "planner/fabric/analysis.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "hosts/link_use.hpp"
#include "program/program.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

/// Returns the least and the greatest number of hosts of a switch.
std::pair<std::size_t, std::size_t> hosts_per_switch(const Fabric& fabric) {
  std::vector<std::size_t> hosts(fabric.switches.size());
  for (const FabricHost& host : fabric.hosts) ++hosts[host.on_switch];
  const auto [least, most] = std::ranges::minmax(hosts);
  return {least, most};
}

std::string size_text(const Fabric& fabric) {
  const auto [least, most] = hosts_per_switch(fabric);
  const auto* noun = fabric.switches.size() == 1 ? "switch" : "switches";
  const auto each =
      least == most ? fmt::format("{} a switch", most) : fmt::format("{} to {} a switch", least, most);
  return fmt::format("{} {}, {} ({})", fabric.switches.size(), noun,
                     program::counted(fabric.hosts.size(), "host"), each);
}

std::string shown_switch(const Fabric& fabric, std::uint32_t index) {
  return program::shown(fabric.switches[index]);
}

std::string link_text(const Fabric& fabric, const RoutesReport& routes) {
  if (!routes.busiest) return "-";
  const FabricLink& link = *routes.busiest;
  return fmt::format("port {} of {} to {}", link.port, shown_switch(fabric, link.from),
                     shown_switch(fabric, link.to));
}

std::string table_of_routes(const FabricReport& report) {
  std::size_t width = 6;
  for (const RoutesReport& routes : report.routes) width = std::max(width, routes.name.size());
  std::string text = fmt::format("\n{:<{}}  messages  cycle     busiest link\n", "routes", width);
  for (const RoutesReport& routes : report.routes) {
    const auto cycle = routes.cycle.empty() ? "none" : fmt::format("{} links", routes.cycle.size());
    text += fmt::format("{:<{}}  {:>8}  {:<8}  {}\n", routes.name, width, routes.messages, cycle,
                        link_text(report.fabric, routes));
  }
  return text;
}

std::string cycle_text(const Fabric& fabric, const RoutesReport& routes) {
  if (routes.cycle.empty()) return "";
  std::string text = fmt::format(
      "\ncycle under {}: each message waits for the next link, so one virtual lane may deadlock\n",
      routes.name);
  for (const std::uint32_t index : routes.cycle) text += fmt::format("  {}\n", shown_switch(fabric, index));
  return text;
}

nlohmann::ordered_json routes_json(const Fabric& fabric, const RoutesReport& routes) {
  nlohmann::ordered_json json{{"routes", routes.name}, {"messages", routes.messages}};
  json["busiest_link"] = nullptr;
  if (const auto& link = routes.busiest) {
    json["busiest_link"] = {{"from", shown_switch(fabric, link->from)},
                            {"port", link->port},
                            {"to", shown_switch(fabric, link->to)}};
  }
  auto& cycle = json["cycle"] = nlohmann::ordered_json::array();
  for (const std::uint32_t index : routes.cycle) cycle.push_back(shown_switch(fabric, index));
  return json;
}

}  // namespace

RoutesReport report_of_routes(const Fabric& fabric, std::string name, const FabricRoutes& routes) {
  const auto links = links_of(fabric);
  const LinkUse use = use_of_links(fabric, routes);
  const auto busiest = std::ranges::max_element(use.messages);
  const std::uint64_t messages = busiest == use.messages.end() ? 0 : *busiest;
  RoutesReport report{std::move(name), messages, std::nullopt};
  if (messages > 0) report.busiest = links[static_cast<std::size_t>(busiest - use.messages.begin())];
  for (const std::uint32_t link : dependency_cycle(use.followers)) report.cycle.push_back(links[link].from);
  return report;
}

std::string fabric_text(const FabricReport& report) {
  const Fabric& fabric = report.fabric;
  constexpr std::size_t most_bytes = 500;
  std::string text =
      fmt::format("network  {}\n         {}\n",
                  report.found ? to_string(report.found->grid) : program::shown(report.reason, most_bytes),
                  size_text(fabric));
  for (const std::string& remark : remarks_on(fabric))
    text += fmt::format("         {}\n", program::shown(remark, most_bytes));
  if (report.found) {
    for (const auto& [one, other] : report.found->missing) {
      text +=
          fmt::format("         no cable {} - {}\n", shown_switch(fabric, one), shown_switch(fabric, other));
    }
    text += fmt::format("bound    {} messages on the busiest link, whatever the routes\n",
                        least_busiest_load(fabric, *report.found));
  }
  text += table_of_routes(report);
  for (const RoutesReport& routes : report.routes) text += cycle_text(fabric, routes);
  return text;
}

nlohmann::ordered_json fabric_json(const FabricReport& report) {
  const Fabric& fabric = report.fabric;
  const auto [least, most] = hosts_per_switch(fabric);
  nlohmann::ordered_json json{{"network", nullptr},
                              {"switches", fabric.switches.size()},
                              {"hosts", fabric.hosts.size()},
                              {"hosts_per_switch", {least, most}},
                              {"missing", nlohmann::ordered_json::array()},
                              {"remarks", nlohmann::ordered_json::array()},
                              {"bound", nullptr}};
  for (const std::string& remark : remarks_on(fabric))
    json["remarks"].push_back(program::shown(remark, remark.size() + 1));
  if (report.found) {
    json["network"] = to_string(report.found->grid);
    json["bound"] = least_busiest_load(fabric, *report.found);
    for (const auto& [one, other] : report.found->missing)
      json["missing"].push_back({shown_switch(fabric, one), shown_switch(fabric, other)});
  } else {
    json["reason"] = program::shown(report.reason, report.reason.size() + 1);
  }
  auto& routes = json["routes"] = nlohmann::ordered_json::array();
  for (const RoutesReport& each : report.routes) routes.push_back(routes_json(fabric, each));
  return json;
}

}  // namespace cubefold::planner
