// The file of CUBEFOLD_TUNING keeps the choices of a run for the next one.

#include "mpi/job_files.hpp"

#include <fstream>

#include "mpi/settings.hpp"
#include "support/file_of_world.hpp"
#include "support/message_of.hpp"
#include "support/tuned_world.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

class TuningFileOfWorld : public MeasuredExchange {
 protected:
  /// Makes MPI's own all-to-all the fastest by less than a factor of 4, so that other candidates are measured too.
  static void let_mpi_be_the_fastest() {
    SlowNetwork::alltoall_seconds = 10;
    SlowNetwork::message_seconds = 11;
  }

  const FileOfWorld made{"tuning"};
  const std::string& file = made.path;
};

TEST_F(TuningFileOfWorld, spares_the_next_run_the_measurements) {
  const Variable tuning("CUBEFOLD_TUNING", file);
  let_mpi_be_the_fastest();
  {
    PlanCache plans(comm);
    exchange_until_chosen(plans);
  }
  PlanCache plans(comm);
  const auto text = plans.explain(8);
  EXPECT_EQ(
      text.rfind("blocks of 8 bytes: MPI's own all-to-all, found by an earlier run with blocks of 12 bytes: ",
                 0),
      0U)
      << text;
  EXPECT_FALSE(measured(plans, 8, CallKind::overlapped).is_decided());
  EXPECT_EQ(exchanged(plans, 3), expected(3));
}

TEST_F(TuningFileOfWorld, of_another_grid_is_refused_by_all) {
  const MachineUse elsewhere{parse_grid("ring:5"), static_cast<std::size_t>(size), library_name()};
  if (world_rank() == 0) write_tuning(file, {elsewhere, {}});
  const Variable tuning("CUBEFOLD_TUNING", file);
  EXPECT_EQ(message_of([&] { PlanCache{comm}; }),
            "tuning file " + file + ": made for ring:5, not " + to_string(comm.grid()));
}

TEST_F(TuningFileOfWorld, that_cannot_be_made_is_refused_by_all) {
  const Variable tuning("CUBEFOLD_TUNING", file + "/none/t.json");
  EXPECT_EQ(message_of([&] { PlanCache{comm}; }),
            "tuning file " + file + "/none/t.json: cannot write: No such file or directory");
}

TEST_F(TuningFileOfWorld, that_can_no_longer_be_written_fails_no_exchange) {
  const Variable tuning("CUBEFOLD_TUNING", file);
  let_mpi_be_the_fastest();
  PlanCache plans(comm);
  if (world_rank() == 0) std::ofstream(file) << "no JSON";
  exchange_until_chosen(plans);
  const auto text = plans.explain(12);
  EXPECT_EQ(says(text, "tuning file " + file + ": not JSON at byte "), world_rank() == 0) << text;
}

TEST_F(TuningFileOfWorld, of_a_hint_replaces_that_of_the_variable) {
  const Variable tuning("CUBEFOLD_TUNING", file + "/none/t.json");
  Hints hints;
  hints.tuning = file;
  EXPECT_NE(TuningStore::from_environment(MPI_COMM_WORLD, comm.grid(), &hints), nullptr);
}

}  // namespace
}  // namespace cubefold::mpi
