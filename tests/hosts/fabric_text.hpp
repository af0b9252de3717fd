#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Says how a fabric differs from a grid of switches with one host each and one cable between neighbours.
struct FabricShape {
  unsigned seed = 1;
  int hosts_per_switch = 1;
  int cables_per_pair = 1;
  std::vector<std::pair<std::size_t, std::size_t>> missing = {};  ///< pairs of nodes without a cable
  std::vector<std::size_t> hosts_at = {};  ///< the nodes with hosts, or nothing for all
};

/// Makes a text of ibnetdiscover for switches that are cabled as a grid. Identifiers and ports are in a random order.
/// Host `node<i>-<k>` is on the switch at node i, which is called `sw<i>`.
class FabricText {
 public:
  FabricText(const Grid& grid, const FabricShape& shape) : random_(shape.seed) {
    for (std::size_t i = 0; i < grid.node_count(); ++i) {
      add("Switch", "S", 0x200000, i, grid.node_count(), "sw" + std::to_string(i));
      const bool has_hosts =
          shape.hosts_at.empty() || std::ranges::find(shape.hosts_at, i) != shape.hosts_at.end();
      for (int k = 0; has_hosts && k < shape.hosts_per_switch; ++k) {
        hosts_.push_back({i, "node" + std::to_string(i) + "-" + std::to_string(k)});
      }
    }
    for (const Link& link : links_of(grid)) {
      const auto one = static_cast<std::size_t>(link.from);
      const auto other = static_cast<std::size_t>(end_of(grid, link));
      const bool is_missing = std::ranges::find(shape.missing, std::pair(one, other)) != shape.missing.end();
      for (int cable = 0; one < other && !is_missing && cable < shape.cables_per_pair; ++cable)
        join(one, other);
    }
    add_hosts();
  }

  std::string text() {
    std::string text = "#\n# Topology file: generated on Mon Nov 23 12:00:00 2026\n#\n";
    std::ranges::shuffle(order_, random_);
    for (const std::size_t i : order_) {
      Element& element = elements_[i];
      const bool is_switch = element.kind == "Switch";
      text += "\nvendid=0x0\ndevid=0x0\nsysimgguid=0x1\n";
      text += (is_switch ? "switchguid=0x" : "caguid=0x") + element.identifier.substr(2) + "\n" +
              element.kind + "\t" + std::to_string(element.ports.size()) + " \"" + element.identifier +
              "\"\t\t# \"" + element.description + "\"" + (is_switch ? " base port 0 lid 1 lmc 0" : "") +
              "\n";
      for (const auto& [port, peer] : element.ports) {
        const Element& other = elements_[peer.first];
        text.append("[").append(std::to_string(port)).append("]");
        if (!is_switch) text.append("(").append(element.identifier.substr(2)).append(")");
        text.append(" \t\"").append(other.identifier).append("\"[").append(std::to_string(peer.second));
        text.append("]\t\t# \"").append(other.description).append("\" lid 2 4xSDR\n");
      }
    }
    return text;
  }

 private:
  struct Element {
    std::string kind;
    std::string identifier;
    std::string description;
    std::map<int, std::pair<std::size_t, int>> ports;
    std::vector<int> free_ports;
  };

  void add(const std::string& kind, const std::string& letter, unsigned base, std::size_t number,
           std::size_t count, const std::string& description) {
    if (number == 0) {
      identifiers_.clear();
      for (std::size_t i = 0; i < count; ++i) identifiers_.push_back(base + static_cast<unsigned>(i));
      std::ranges::shuffle(identifiers_, random_);
    }
    std::array<char, 24> digits{};
    std::snprintf(digits.data(), digits.size(), "%016x", identifiers_[number]);
    std::vector<int> ports(64);
    for (int port = 0; port < 64; ++port) ports[static_cast<std::size_t>(port)] = port + 1;
    std::ranges::shuffle(ports, random_);
    order_.push_back(elements_.size());
    elements_.push_back({kind, letter + "-" + digits.data(), description, {}, ports});
  }

  void join(std::size_t one, std::size_t other) {
    const int here = elements_[one].free_ports.back();
    const int there = elements_[other].free_ports.back();
    elements_[one].free_ports.pop_back();
    elements_[other].free_ports.pop_back();
    elements_[one].ports[here] = {other, there};
    elements_[other].ports[there] = {one, here};
  }

  void add_hosts() {
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      add("Ca", "H", 0x100000, i, hosts_.size(), hosts_[i].second + " HCA-1");
      join(elements_.size() - 1, hosts_[i].first);
    }
  }

  std::mt19937 random_;
  std::vector<Element> elements_;
  std::vector<std::size_t> order_;
  std::vector<unsigned> identifiers_;
  std::vector<std::pair<std::size_t, std::string>> hosts_;
};

}  // namespace cubefold
