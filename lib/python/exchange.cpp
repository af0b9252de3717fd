#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/simulation/machine.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

/// What Python shows of a plan.
struct ExplainedPlan {
  std::vector<std::pair<std::string, double>> methods;  ///< with predicted seconds, the fastest first
  std::string explanation;
};

ExplainedPlan explained(const ExchangePlan& plan) {
  ExplainedPlan result{{}, describe(plan)};
  for (const auto& candidate : plan.candidates)
    result.methods.emplace_back(to_string(candidate.method), candidate.seconds);
  return result;
}

ExplainedPlan planned(const Placement& placement, std::size_t block_bytes,
                      const std::optional<std::string>& machine_file, const std::string& ports,
                      const std::string& tie) {
  if (machine_file) {
    const Machine machine = read_machine(*machine_file);
    return explained(plan_exchange(placement, block_bytes, exchange_model(machine, parse_tie(tie))));
  }
  ExchangeModel model = typical_network();
  model.network = {parse_ports(ports), parse_tie(tie)};
  return explained(plan_exchange(placement, block_bytes, model));
}

py::tuple message_tuple(const Message& message) {
  return py::make_tuple(
      label(message.from), label(message.to),
      to_two_columns(message.blocks, [](Block block) { return std::pair(block.source, block.destination); }));
}

py::list step_lists(const Placement& placement, const std::string& method, const std::string& ports,
                    const std::string& tie) {
  const Schedule schedule =
      exchange_schedule(parse_exchange_method(method), placement, {parse_ports(ports), parse_tie(tie)});
  py::list steps;
  for (const Step& step : schedule.steps) {
    py::list messages;
    for (const Message& message : step) messages.append(message_tuple(message));
    steps.append(std::move(messages));
  }
  return steps;
}

}  // namespace

void bind_exchange(py::module_& module) {
  py::class_<ExplainedPlan>(module, "ExchangePlan", "The methods of an all-to-all, the fastest first.")
      .def_property_readonly("method", [](const ExplainedPlan& plan) { return plan.methods.front().first; })
      .def_readonly("methods", &ExplainedPlan::methods, "A list of (method, predicted seconds).")
      .def_readonly("explanation", &ExplainedPlan::explanation)
      .def(py::pickle([](const ExplainedPlan& plan) { return std::pair(plan.methods, plan.explanation); },
                      [](const std::pair<decltype(ExplainedPlan::methods), std::string>& state) {
                        return ExplainedPlan{state.first, state.second};
                      }));
  module.def(
      "plan_exchange", &planned, py::arg("placement"), py::arg("block_bytes"),
      py::arg("machine_file") = py::none(), py::arg("ports") = "one", py::arg("tie") = "balanced",
      py::call_guard<py::gil_scoped_release>(),
      "Compares the methods for an all-to-all of blocks of this size. Without a machine file the network "
      "has\n"
      "common constants, so the order of the methods has a meaning and the seconds do not. A machine file\n"
      "replaces `ports`.");
  module.def("schedule", &step_lists, py::arg("placement"), py::arg("method"), py::arg("ports") = "one",
             py::arg("tie") = "balanced",
             "Returns the steps of an all-to-all. A step is a list of messages (from, to, blocks), in ranks, "
             "and each\n"
             "row of blocks is (source, destination).");
}

}  // namespace cubefold::python
