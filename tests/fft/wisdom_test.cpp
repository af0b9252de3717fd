#include "cubefold/fft/plan.hpp"

#include <fftw3.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <vector>

#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::fft {
namespace {

mpi::VirtualComm world() {
  return {MPI_COMM_WORLD, mpi::ring_of_world(), "identity"};
}

/// Returns a file name that contains the number of processes, because tests with other numbers run at the same time.
std::string file_named(const std::string& name) {
  return fmt::format("{}.{}", name, mpi::world_size());
}

/// Returns whether FFTW has wisdom for the plan, which is null if it has none. Destroys the plan.
template <typename Plan>
bool knows(Plan* plan, void (*destroy)(Plan*)) {
  if (plan == nullptr) return false;
  destroy(plan);
  return true;
}

bool knows_double() {
  std::vector<double> room(120);
  auto* points = reinterpret_cast<fftw_complex*>(room.data());
  return knows(fftw_plan_dft_1d(60, points, points, FFTW_FORWARD, FFTW_MEASURE | FFTW_WISDOM_ONLY),
               fftw_destroy_plan);
}

bool knows_float() {
  std::vector<float> room(120);
  auto* points = reinterpret_cast<fftwf_complex*>(room.data());
  return knows(fftwf_plan_dft_1d(60, points, points, FFTW_FORWARD, FFTW_MEASURE | FFTW_WISDOM_ONLY),
               fftwf_destroy_plan);
}

void find_out() {
  std::vector<double> room(120);
  auto* points = reinterpret_cast<fftw_complex*>(room.data());
  fftw_destroy_plan(fftw_plan_dft_1d(60, points, points, FFTW_FORWARD, FFTW_MEASURE));
  auto* floats = reinterpret_cast<fftwf_complex*>(room.data());
  fftwf_destroy_plan(fftwf_plan_dft_1d(60, floats, floats, FFTW_FORWARD, FFTW_MEASURE));
}

void forget() {
  fftw_forget_wisdom();
  fftwf_forget_wisdom();
}

void write_on_first(const std::string& file, const std::string& text) {
  if (mpi::world_rank() == 0) std::ofstream(file) << text;
  MPI_Barrier(MPI_COMM_WORLD);
}

void remove_on_first(const std::string& file) {
  MPI_Barrier(MPI_COMM_WORLD);
  if (mpi::world_rank() == 0) std::remove(file.c_str());
}

TEST(Wisdom, of_one_process_becomes_that_of_all_in_both_precisions) {
  const auto comm = world();
  const auto file = file_named("wisdom_test.all");
  forget();
  if (mpi::world_rank() == 0) find_out();
  export_wisdom(comm, file);
  forget();
  EXPECT_FALSE(knows_double());
  EXPECT_FALSE(knows_float());
  import_wisdom(comm, file);
  EXPECT_TRUE(knows_double());
  EXPECT_TRUE(knows_float());
  remove_on_first(file);
}

TEST(Wisdom, is_refused_on_all_processes_where_the_file_has_none) {
  const auto comm = world();
  const auto file = file_named("wisdom_test.none");
  for (const char* text : {"", "nonsense", "(nonsense)", "(fftw-3.3.10 fftw_wisdom #x0 #x0 #x0 #x0\n"}) {
    write_on_first(file, text);
    EXPECT_EQ(message_of([&] { import_wisdom(comm, file); }), file + ": no wisdom of this version of FFTW")
        << text;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  remove_on_first(file);
}

TEST(Wisdom, says_on_all_processes_which_file_cannot_be_read_or_written) {
  const auto comm = world();
  EXPECT_EQ(message_of([&] { import_wisdom(comm, "no/wisdom"); }), "no/wisdom: cannot be read");
  EXPECT_EQ(message_of([&] { export_wisdom(comm, "no/wisdom"); }), "no/wisdom: cannot be written");
}

}  // namespace
}  // namespace cubefold::fft
