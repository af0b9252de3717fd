#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "cubefold/plan/bricks.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/plan/phase.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

using Matrix = py::array_t<double, py::array::c_style | py::array::forcecast>;

constexpr std::size_t most_ranks = std::size_t{1} << 31;

MappingObjective parse_objective(std::string_view text) {
  if (text == "busiest-links") return MappingObjective::busiest_links;
  if (text == "together") return MappingObjective::busiest_link_together;
  if (text == "hop-bytes") return MappingObjective::hop_bytes;
  throw std::invalid_argument(
      fmt::format("objective '{}' is none of busiest-links, together, hop-bytes", text));
}

Phase matrix_phase(const Matrix& messages, std::size_t rank_count) {
  const auto count = static_cast<py::ssize_t>(rank_count);
  if (messages.ndim() != 2 || messages.shape(0) != count || messages.shape(1) != count)
    throw std::invalid_argument(fmt::format("the messages are not a matrix of {0} x {0} ranks", rank_count));
  Phase phase{"matrix", 1, {}};
  for (py::ssize_t from = 0; from < count; ++from) {
    for (py::ssize_t to = 0; to < count; ++to) {
      const double sent = messages.at(from, to);
      if (sent != 0) phase.traffic.push_back({static_cast<Rank>(from), static_cast<Rank>(to), sent});
    }
  }
  return phase;
}

std::vector<Phase> phases_of(const std::variant<std::string, Matrix>& given, const Grid& grid,
                             std::size_t per_node) {
  if (per_node == 0 || per_node > most_ranks / grid.node_count())
    throw std::invalid_argument(fmt::format("per_node {} does not make 1 to 2^31 ranks", per_node));
  const std::size_t rank_count = grid.node_count() * per_node;
  if (const auto* messages = std::get_if<Matrix>(&given)) return {matrix_phase(*messages, rank_count)};
  return parse_phases(std::get<std::string>(given), rank_count, per_node == 1 ? &grid : nullptr);
}

/// Reads RANKS/BRICK, or RANKS for the best bricks, or nothing for consecutive ranks.
BrickMapping chosen(const Grid& grid, const std::variant<std::string, Matrix>& given,
                    const std::string& objective, const std::string& tie, std::size_t per_node,
                    const std::optional<std::string>& bricks) {
  const auto phases = phases_of(given, grid, per_node);
  MappingOptions options;
  options.objective = parse_objective(objective);
  options.tie = parse_tie(tie);
  options.per_node = per_node;
  const py::gil_scoped_release others_run;
  if (!bricks) return {{}, choose_placement(grid, phases, options)};
  if (bricks->find('/') == std::string::npos)
    return choose_bricks(grid, phases, parse_ranks(*bricks), options);
  const Bricks named = parse_bricks(*bricks);
  return {named, choose_placement(grid, phases, named, options)};
}

/// The values that Python shows of a mapping: they are pickled.
using MappingState = std::tuple<std::string, std::optional<std::string>, std::vector<std::uint32_t>, double,
                                double, std::optional<bool>>;

std::optional<std::string> bricks_text(const BrickMapping& found) {
  return found.bricks ? std::optional(to_string(*found.bricks)) : std::nullopt;
}

MappingState state_of(const BrickMapping& found) {
  std::vector<std::uint32_t> nodes;
  for (const GridNode node : found.mapping.node_of_rank) nodes.push_back(static_cast<std::uint32_t>(node));
  return {found.mapping.placement,        bricks_text(found),        nodes,
          found.mapping.values.objective, found.mapping.bound.value, found.mapping.optimal};
}

BrickMapping restored_mapping(const MappingState& state) {
  const auto& [placement, bricks, nodes, value, bound, optimal] = state;
  BrickMapping found;
  if (bricks) found.bricks = parse_bricks(*bricks);
  found.mapping.placement = placement;
  for (const std::uint32_t node : nodes) found.mapping.node_of_rank.push_back(GridNode{node});
  found.mapping.values.objective = value;
  found.mapping.bound.value = bound;
  found.mapping.optimal = optimal;
  return found;
}

}  // namespace

void bind_mapping(py::module_& module) {
  module.def(
      "optimal_order",
      [](const std::string& pattern, int bits) { return optimal_order(parse_pattern(pattern, bits)); },
      py::arg("pattern"), py::arg("bits"),
      "Returns an order of the rank bits under which the pattern has the least contention on a hypercube.");
  module.def(
      "contention",
      [](const std::string& pattern, int bits) { return to_array(contention(parse_pattern(pattern, bits))); },
      py::arg("pattern"), py::arg("bits"),
      "Returns the messages on the busiest link of each dimension of a hypercube.");
  py::class_<BrickMapping>(module, "Mapping", "A placement that was found, with its cost and a lower bound.")
      .def_property_readonly(
          "placement", [](const BrickMapping& found) { return found.mapping.placement; },
          "The text that Placement reads.")
      .def_property_readonly(
          "bricks", &bricks_text,
          "RANKS/BRICK if the ranks of a brick share a node, or None if consecutive ranks do.")
      .def_property_readonly("node_of_rank",
                             [](const BrickMapping& found) { return to_array(found.mapping.node_of_rank); })
      .def_property_readonly("value",
                             [](const BrickMapping& found) { return found.mapping.values.objective; })
      .def_property_readonly("lower_bound",
                             [](const BrickMapping& found) { return found.mapping.bound.value; })
      .def_property_readonly(
          "optimal", [](const BrickMapping& found) { return found.mapping.optimal; },
          "True, or None if this is not proven.")
      .def(py::pickle(&state_of, &restored_mapping));
  module.def("choose_placement", &chosen, py::arg("grid"), py::arg("phases"),
             py::arg("objective") = "busiest-links", py::arg("tie") = "balanced", py::arg("per_node") = 1,
             py::arg("bricks") = py::none(),
             "Searches the best placement for phases such as 'cube:0-2+transpose:8x8*2', or for a square "
             "array whose\n"
             "row i, column j says how many messages rank i sends to rank j. With bricks such as "
             "'16x8x4/2x2x2', the\n"
             "ranks of a brick of that Cartesian grid share a node; '16x8x4' stands for the best bricks.");
}

}  // namespace cubefold::python
