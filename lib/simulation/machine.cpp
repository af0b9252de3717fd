#include "cubefold/simulation/machine.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

namespace cubefold {

namespace {

/// `Open MPI v4` of `Open MPI v4.1.4`.
std::string_view major_version(std::string_view library) {
  return library.substr(0, library.find('.'));
}

}  // namespace

std::optional<std::string> misfit(const Machine& machine, const MachineUse& use) {
  if (machine.grid != use.grid) {
    return fmt::format("made for {}, not {}", to_string(machine.grid), to_string(use.grid));
  }
  if (machine.host_count != use.host_count) {
    return fmt::format("made on {} host{}, not on {}", machine.host_count, machine.host_count == 1 ? "" : "s",
                       use.host_count);
  }
  if (major_version(machine.mpi_library) != major_version(use.mpi_library)) {
    return fmt::format("made with {}, not {}", machine.mpi_library, use.mpi_library);
  }
  return std::nullopt;
}

void require_fits(const Machine& machine, const MachineUse& use) {
  const auto reason = misfit(machine, use);
  if (!reason) return;
  const std::string name = machine.file.empty() ? "machine" : fmt::format("machine file {}", machine.file);
  throw std::invalid_argument(fmt::format("{}: {}", name, *reason));
}

StepModel step_model(const Machine& machine, Tie tie) {
  StepModel model;
  model.alpha_seconds = machine.alpha_seconds;
  model.tau_seconds_per_byte = machine.tau_seconds_per_byte;
  model.ports = machine.ports;
  model.tie = tie;
  return model;
}

}  // namespace cubefold
