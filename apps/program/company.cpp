#include "program/company.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "cubefold/mpi/machine_file.hpp"

namespace cubefold::program {

namespace {

/// The environment variables in which a launcher gives its processes their number and their rank.
struct Launcher {
  const char* size;
  const char* rank;
};

/// The innermost launcher comes first: the mpirun of Open MPI or of MPICH may itself be started in a step of Slurm.
constexpr std::array<Launcher, 3> launchers{{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                             {"PMI_SIZE", "PMI_RANK"},
                                             {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};

std::optional<int> number_in_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  const std::string_view text = value == nullptr ? "" : value;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Answer> refusal_if_alone(const CLI::App& app) {
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  if (process_count > 1) return std::nullopt;
  for (const Launcher& launcher : launchers) {
    const auto size = number_in_environment(launcher.size);
    if (!size) continue;
    if (*size <= 1) break;
    if (number_in_environment(launcher.rank).value_or(0) != 0) return Answer{exit_usage, ""};
    return refusal(app,
                   fmt::format("{} says that {} processes were started, but this one is alone: its MPI is "
                               "{}, whose own mpirun has to start it",
                               launcher.size, *size, mpi::library_name()));
  }
  return std::nullopt;
}

}  // namespace cubefold::program
