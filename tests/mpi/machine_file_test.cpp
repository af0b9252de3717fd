#include "mpi/job_files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "mpi/processes.hpp"
#include "mpi/settings.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

Machine measured_here() {
  Machine machine{parse_grid(ring_of_world())};
  machine.alpha_seconds = 1e-6 / 3;
  machine.tau_seconds_per_byte = {1e-9 / 7};
  machine.wraps = {machine.grid.has_wrap_link(0)};
  machine.host_count = host_count(MPI_COMM_WORLD);
  machine.mpi_library = library_name();
  return machine;
}

/// Sets CUBEFOLD_MACHINE on process 0 only, as if the other processes could not see its file system.
class MachineFromEnvironment : public testing::Test {
 protected:
  void write(const std::string& text) const {
    if (world_rank() == 0) std::ofstream(path_) << text;
  }

  std::string refusal(const std::string& text) const {
    write(text);
    return message_of([] { machine_from_environment(MPI_COMM_WORLD, parse_grid(ring_of_world())); });
  }

  void SetUp() override {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path_ = std::filesystem::temp_directory_path() / ("machine-" + std::to_string(id) + ".json");
    setenv("CUBEFOLD_MACHINE", world_rank() == 0 ? path_.c_str() : "elsewhere.json", 1);
  }

  void TearDown() override {
    unsetenv("CUBEFOLD_MACHINE");
    if (world_rank() == 0) std::filesystem::remove(path_);
  }

  std::string path_;
};

TEST_F(MachineFromEnvironment, is_what_the_first_process_reads_on_all) {
  Machine machine = measured_here();
  write(to_json(machine));
  machine.file = path_;
  EXPECT_EQ(machine_from_environment(MPI_COMM_WORLD, machine.grid), machine);
}

TEST_F(MachineFromEnvironment, is_nothing_without_the_variable_or_with_an_empty_one) {
  const Grid grid = parse_grid(ring_of_world());
  setenv("CUBEFOLD_MACHINE", "", 1);
  EXPECT_EQ(machine_from_environment(MPI_COMM_WORLD, grid), std::nullopt);
  unsetenv("CUBEFOLD_MACHINE");
  EXPECT_EQ(machine_from_environment(MPI_COMM_WORLD, grid), std::nullopt);
}

TEST_F(MachineFromEnvironment, is_refused_on_all_processes_with_the_same_reason) {
  EXPECT_EQ(refusal("{"), "machine file " + path_ + ": not JSON at byte 2");
  Machine machine = measured_here();
  machine.grid = parse_grid("line:" + std::to_string(world_size() + 1));
  machine.wraps = {false};
  EXPECT_EQ(refusal(to_json(machine)), "machine file " + path_ + ": made for " + to_string(machine.grid) +
                                           ", not " + to_string(parse_grid(ring_of_world())));
  machine = measured_here();
  machine.mpi_library = "Abacus 1.0";
  EXPECT_EQ(refusal(to_json(machine)),
            "machine file " + path_ + ": made with Abacus 1.0, not " + library_name());
}

TEST_F(MachineFromEnvironment, is_refused_where_the_file_is_missing) {
  EXPECT_EQ(message_of([] { machine_from_environment(MPI_COMM_WORLD, parse_grid(ring_of_world())); }),
            "machine file " + path_ + ": cannot read: No such file or directory");
}

TEST(HostCount, counts_computers_not_processes) {
  EXPECT_EQ(host_count(MPI_COMM_WORLD), 1U);
  EXPECT_EQ(host_count(MPI_COMM_SELF), 1U);
}

TEST(LibraryName, is_one_line) {
  EXPECT_FALSE(library_name().empty());
  EXPECT_EQ(library_name().find('\n'), std::string::npos);
}

TEST_F(MachineFromEnvironment, gives_way_to_a_hint) {
  Machine machine = measured_here();
  write(to_json(machine));
  machine.file = path_;
  Hints hints;
  hints.machine = path_;
  setenv("CUBEFOLD_MACHINE", "elsewhere.json", 1);
  EXPECT_EQ(machine_from_environment(MPI_COMM_WORLD, machine.grid, &hints), machine);
}

}  // namespace
}  // namespace cubefold::mpi
