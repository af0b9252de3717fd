#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"
#include "cubefold/topology/route_table.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

using Integers = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

GridNode node_of(const Grid& grid, std::int64_t number) {
  if (number < 0 || static_cast<std::uint64_t>(number) >= grid.node_count())
    throw std::invalid_argument(fmt::format("node {} is none of 0 .. {}", number, grid.node_count() - 1));
  return static_cast<GridNode>(number);
}

py::array_t<std::int64_t> link_array(const Grid& grid) {
  return to_two_columns(links_of(grid),
                        [&](const Link& link) { return std::pair(link.from, end_of(grid, link)); });
}

py::array_t<std::int64_t> route_array(const Grid& grid, std::int64_t from, std::int64_t to,
                                      const std::string& tie) {
  std::vector<GridNode> nodes{node_of(grid, from)};
  for (const Link& link : route(grid, nodes.front(), node_of(grid, to), parse_tie(tie)))
    nodes.push_back(end_of(grid, link));
  return to_array(nodes);
}

/// Returns the messages as rows of integers: from, to and perhaps a count.
Integers message_rows(const py::object& given) {
  const py::array messages = py::array::ensure(given);
  if (!messages) throw std::invalid_argument("messages are no array");
  const bool has_rows = messages.ndim() == 2 && (messages.shape(1) == 2 || messages.shape(1) == 3);
  if (messages.size() == 0) return Integers(std::vector<py::ssize_t>{0, 2});
  const char kind = messages.dtype().kind();
  if (!has_rows || (kind != 'i' && kind != 'u'))
    throw std::invalid_argument("messages are not rows of two or three integers: from, to, count");
  return Integers::ensure(messages);
}

std::uint64_t message_count(std::int64_t count) {
  if (count < 0) throw std::invalid_argument(fmt::format("a count of {} messages is negative", count));
  return static_cast<std::uint64_t>(count);
}

py::array_t<std::int64_t> load_array(const Grid& grid, const py::object& messages, const std::string& tie) {
  LinkLoads loads(grid, parse_tie(tie));
  const Integers rows = message_rows(messages);
  for (py::ssize_t i = 0; i < rows.shape(0); ++i) {
    const std::int64_t count = rows.shape(1) == 3 ? rows.at(i, 2) : 1;
    loads.add(node_of(grid, rows.at(i, 0)), node_of(grid, rows.at(i, 1)), message_count(count));
  }
  const auto by_index = loads.by_link_index();
  std::vector<std::uint64_t> of_links;
  for (const Link& link : links_of(grid)) of_links.push_back(by_index[link_index(grid, link)]);
  return to_array(of_links);
}

/// Returns a text that names the links and routes of a grid, besides its name: a file may have others later.
std::string digest_of(const Grid& grid) {
  const RouteTable* table = grid.route_table();
  return table == nullptr ? "" : fmt::format("{:016x}", table->digest());
}

/// Returns the grid of a state that was pickled. Throws std::invalid_argument if its name stands for other links now.
Grid restored_grid(const std::string& text, const std::string& digest) {
  Grid grid = parse_grid(text);
  if (digest_of(grid) != digest)
    throw std::invalid_argument(fmt::format("grid '{}' has other links than the one that was pickled", text));
  return grid;
}

void bind_grid(py::module_& module) {
  py::class_<Grid>(module, "Grid", "A network that a text such as 'torus:4x4' names.")
      .def(py::init([](const std::string& text) { return parse_grid(text); }), py::arg("text"))
      .def_property_readonly("node_count", &Grid::node_count)
      .def("links", &link_array,
           "Returns one row (from, to) for each directed link. Numbers from node_count on are switches.")
      .def("route", &route_array, py::arg("source"), py::arg("destination"), py::arg("tie") = "balanced",
           "Returns the nodes of a message's route, with both ends.")
      .def("link_loads", &load_array, py::arg("messages"), py::arg("tie") = "balanced",
           "Returns the load of each link, in the order of links(). Rows of messages are (from, to) or\n"
           "(from, to, count), in nodes.")
      .def(
          "__eq__", [](const Grid& a, const Grid& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const Grid& grid) { return std::hash<std::string>()(to_string(grid)); })
      .def(py::pickle([](const Grid& grid) { return std::pair(to_string(grid), digest_of(grid)); },
                      [](const std::pair<std::string, std::string>& state) {
                        return restored_grid(state.first, state.second);
                      }))
      .def("__str__", [](const Grid& grid) { return to_string(grid); })
      .def("__repr__", [](const Grid& grid) { return fmt::format("Grid('{}')", to_string(grid)); });
}

void bind_placement(py::module_& module) {
  py::class_<Placement>(module, "Placement", "The nodes of the ranks of a program.")
      .def(py::init([](const Grid& grid, const std::string& text) { return place(grid, text); }),
           py::arg("grid"), py::arg("text") = "identity",
           "Reads a text such as 'xor' or 'auto:cube', the best placement that is found for a phase.",
           py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("grid", &Placement::grid)
      .def_property_readonly("node_of_rank",
                             [](const Placement& placement) { return to_array(node_of_rank(placement)); })
      .def_property_readonly("rank_of_node",
                             [](const Placement& placement) { return to_array(rank_of_node(placement)); })
      .def(
          "__eq__",
          [](const Placement& a, const Placement& b) { return a.grid() == b.grid() && a.rule() == b.rule(); },
          py::is_operator())
      .def("__hash__",
           [](const Placement& placement) { return std::hash<std::string>()(to_string(placement.rule())); })
      .def(py::pickle(
          [](const Placement& placement) { return std::pair(placement.grid(), to_string(placement.rule())); },
          [](const std::pair<Grid, std::string>& state) { return place(state.first, state.second); }))
      .def("__str__", [](const Placement& placement) { return to_string(placement.rule()); })
      .def("__repr__", [](const Placement& placement) {
        return fmt::format("Placement(Grid('{}'), '{}')", to_string(placement.grid()),
                           to_string(placement.rule()));
      });
}

}  // namespace

void bind_network(py::module_& module) {
  bind_grid(module);
  bind_placement(module);
}

}  // namespace cubefold::python
