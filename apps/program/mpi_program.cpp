#include "program/mpi_program.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/version.h"
#include "mpi/agreement.hpp"
#include "mpi/job_files.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::program {

namespace {

/// Returns the words of the command line that run_under_mpi() was called with.
std::vector<std::string>& command_line() {
  static std::vector<std::string> words;
  return words;
}

/// Returns the text of an error on this process only. The text begins with the process, as do the texts of
/// mpi::agree().
std::string text_of_one_process(const std::string& text) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size == 1 ? text : fmt::format("process {} of {}: {}", rank, size, text);
}

/// Waits until a launcher has read what this process has written into the pipe of standard error, but at most a second.
/// The launcher of MPICH loses the rest when a process aborts the job.
void let_launcher_read() {
  struct stat file {};
  if (fstat(STDERR_FILENO, &file) != 0 || !S_ISFIFO(file.st_mode)) return;
  int unread = 0;
  for (int i = 0; i < 100 && ioctl(STDERR_FILENO, FIONREAD, &unread) == 0 && unread > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

/// Ends all processes. MPI_Abort of MPICH 4.2 returns, and its launcher ends the processes some time later.
[[noreturn]] void end_job() {
  MPI_Abort(MPI_COMM_WORLD, exit_usage);
  std::_Exit(exit_usage);
}

/// Waits until the process that has told this one of its failure prints it and ends the job. If processes were in
/// MPI_Finalize at that moment, mpirun of Open MPI 4.1.4 would often wait for ever.
[[noreturn]] void await_end_of_job() {
  std::this_thread::sleep_for(std::chrono::seconds(5));
  end_job();
}

int guarded(const CLI::App& app, const std::function<int()>& body) {
  try {
    try {
      return body();
    } catch (const mpi::Agreed& failure) {
      if (failure.known_by() == mpi::KnownBy::notice) await_end_of_job();
      if (is_first_process()) print(refusal(app, mpi::current_failure().text));
    }
  } catch (...) {
    print(refusal(app, text_of_one_process(mpi::current_failure().text)));
    let_launcher_read();
    end_job();
  }
  return exit_usage;
}

int answer_or_run(const std::optional<Answer>& answer, const std::function<int()>& body) {
  if (!answer) return body();
  print_on_first({}, [&] { print(*answer); });
  return answer->status;
}

/// Names the environment variables in which a launcher gives its processes their number and their rank.
struct Launcher {
  const char* size;
  const char* rank;
};

/// The innermost launcher comes first: the mpirun of Open MPI or of MPICH may itself be started in a step of Slurm.
constexpr std::array<Launcher, 3> launchers{{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                             {"PMI_SIZE", "PMI_RANK"},
                                             {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}}};

std::optional<int> number_in_environment(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread sets variables
  const std::string_view text = value == nullptr ? "" : value;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Returns an error if the environment of a launcher says that several processes were started, but MPI_COMM_WORLD has
/// only this one, as under the mpirun of another MPI. Each process would then do the whole work and write the same
/// files. Only the first process gets the line to print. MPI must be running. This call does not communicate.
std::optional<Answer> refusal_if_alone(const CLI::App& app) {
  int process_count = 0;
  mpi::check(MPI_Comm_size(MPI_COMM_WORLD, &process_count), "MPI_Comm_size");
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

}  // namespace

void add_machine_option(CLI::App& app, const std::string& help) {
  const auto name_machine = [](const std::string& file) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread runs before MPI_Init
    setenv("CUBEFOLD_MACHINE", file.c_str(), 1);
  };
  app.add_option_function<std::string>("--machine", name_machine, help);
}

void add_grid_option(CLI::App& app, std::optional<std::string>& grid) {
  app.add_option("--grid", grid,
                 grid_help() +
                     ".\nIt has as many nodes as there are processes, or as there are hosts. Default:\n"
                     "auto, what the map of hosts in CUBEFOLD_HOSTS or Slurm says")
      ->check(read_by([](const std::string& text) {
        if (text != "auto") parse_grid(text);
      }))
      ->envname("CUBEFOLD_GRID");
}

std::string placement_help_with_default() {
  return placement_help() + ".\nDefault: identity";
}

void add_network_options(CLI::App& app, Network& network) {
  add_grid_option(app, network.grid);
  app.add_option("--placement", network.placement, placement_help_with_default())
      ->check(read_by(check_placement))
      ->envname("CUBEFOLD_PLACEMENT");
}

bool is_first_process() {
  int rank = 0;
  mpi::check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  return rank == 0;
}

void print_on_first(const std::vector<std::string>& outputs, const std::function<void()>& print) {
  if (std::count(outputs.begin(), outputs.end(), "-") > 0) return;
  mpi::root_try(MPI_COMM_WORLD, [&] { print_output(print); });
}

int run_under_mpi(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  // A write beyond the file size limit should fail like a write to a full disk, and not end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  files::remove_incomplete_files_at_signal();
  command_line().assign(argv, argv + argc);
  auto answer = read_options(app, argc, argv,
                             fmt::format("\n{}, compiled by {}", mpi::library_name(), CUBEFOLD_COMPILER));
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int status = guarded(app, [&] {
    if (!answer) answer = refusal_if_alone(app);
    return answer_or_run(answer, body);
  });
  MPI_Finalize();
  return status;
}

nlohmann::ordered_json run_facts() {
  int process_count = 0;
  mpi::check(MPI_Comm_size(MPI_COMM_WORLD, &process_count), "MPI_Comm_size");
  nlohmann::ordered_json facts = file_facts();
  facts.update({{"mpi", mpi::library_name()},
                {"compiler", CUBEFOLD_COMPILER},
                {"processes", process_count},
                {"command", command_line()},
                {"units", {{"seconds", "s"}, {"alpha", "s"}, {"tau", "s/B"}}}});
  return facts;
}

JsonFile::JsonFile(const std::string& path) {
  mpi::root_try(MPI_COMM_WORLD, [&] { output_ = files::open_output(path); });
}

void JsonFile::write(const std::function<nlohmann::ordered_json()>& value) {
  mpi::root_try(MPI_COMM_WORLD, [&] {
    if (output_) output_->write(value().dump(2) + '\n');
  });
}

}  // namespace cubefold::program
