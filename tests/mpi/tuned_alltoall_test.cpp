// The calls of a program decide between candidates. The clock of these tests runs ahead by a time for every call of
// MPI_Alltoall and MPI_Alltoallv and for every message, so that the test says which candidate is the fastest.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cubefold/cubefold.h"
#include "mpi/alltoall_request.hpp"
#include "mpi/machine_file.hpp"
#include "support/message_of.hpp"
#include "support/plan_cache_world.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

/// Every process counts as a separate host, MPI's own all-to-all takes alltoall_seconds longer, and every message takes
/// message_seconds longer.
struct SlowNetwork {
  static inline double alltoall_seconds = 0;
  static inline double message_seconds = 0;
  static inline double ahead_seconds = 0;
};

class TunedAlltoallTest : public testing::Test, protected PlanCacheWorld {
 protected:
  void SetUp() override {
    SlowNetwork::alltoall_seconds = 0;
    SlowNetwork::message_seconds = 0;
  }

  /// Exchanges blocks of 3 numbers so often that a candidate is chosen.
  void exchange_until_chosen(PlanCache& plans) const {
    for (int call = 0; call < enough_calls; ++call) ASSERT_EQ(exchanged(plans, 3), expected(3)) << call;
  }

  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  static constexpr int enough_calls = 10 * 26;
  static constexpr const char* of_mpi = "blocks of 12 bytes: MPI's own all-to-all, fastest of ";
};

TEST_F(TunedAlltoallTest, takes_mpis_own_exchange_where_that_is_the_fastest) {
  SlowNetwork::message_seconds = 1;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  const auto text = plans.explain_equal(12);
  EXPECT_TRUE(says(text, "blocks of 12 bytes: MPI's own all-to-all; left out: linear, ")) << text;
  EXPECT_EQ(plans.for_blocks(12)->plan().setup().backend, Backend::mpi);
}

TEST_F(TunedAlltoallTest, takes_a_schedule_where_mpis_own_exchange_is_slower) {
  SlowNetwork::alltoall_seconds = 1;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  const auto text = plans.explain_equal(12);
  EXPECT_TRUE(says(text, ", fastest of ")) << text;
  EXPECT_TRUE(says(text, "; MPI's own all-to-all ")) << text;
  EXPECT_EQ(plans.for_blocks(12)->plan().setup().backend, Backend::schedule);
}

TEST_F(TunedAlltoallTest, says_that_it_measures) {
  PlanCache plans(comm);
  EXPECT_TRUE(says(plans.explain_equal(12), ": measuring; the next call uses MPI's own all-to-all"));
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  EXPECT_TRUE(says(plans.explain_equal(12), ": measuring; the next call uses linear"));
}

TEST_F(TunedAlltoallTest, agrees_on_one_candidate_where_the_clocks_of_processes_differ) {
  SlowNetwork::message_seconds = rank == 0 ? 1e-3 : 0;
  SlowNetwork::alltoall_seconds = rank == 1 ? 0.02 : 0;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  EXPECT_NO_THROW(require_equal_everywhere(comm.virtual_comm(), "text", plans.explain_equal(12)));
}

TEST_F(TunedAlltoallTest, measures_one_of_the_sizes_between_two_powers_of_two_for_all_of_them) {
  PlanCache plans(comm);
  for (int call = 0; call < enough_calls; ++call) {
    ASSERT_EQ(exchanged(plans, 5), expected(5));
    ASSERT_EQ(exchanged(plans, 7), expected(7));
  }
  EXPECT_TRUE(says(plans.explain_equal(20), "(blocks of 20 bytes)")) << plans.explain_equal(20);
  EXPECT_TRUE(says(plans.explain_equal(28), "(blocks of 20 bytes)")) << plans.explain_equal(28);
  EXPECT_TRUE(says(plans.explain_equal(32), "measuring; the next call uses MPI"));
}

TEST_F(TunedAlltoallTest, measures_persistent_requests_and_never_lets_mpi_move_them) {
  SlowNetwork::alltoall_seconds = -1;
  PlanCache plans(comm);
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  const auto exchange = plans.for_blocks(12);
  const auto request = exchange->prepare({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
  for (int call = 0; call < enough_calls; ++call) {
    std::fill(receive.begin(), receive.end(), 0);
    exchange->start(*request);
    request->wait();
    ASSERT_EQ(receive, expected(3)) << call;
  }
  const auto text = plans.explain_equal(12);
  EXPECT_FALSE(says(text, "requests and packets: measuring")) << text;
  EXPECT_TRUE(says(text, "\nrequests and packets: ")) << text;
  EXPECT_TRUE(says(text, ": measuring; the next call uses MPI's own all-to-all")) << text;
}

TEST_F(TunedAlltoallTest, measures_requests_that_are_waited_for_in_different_orders) {
  PlanCache plans(comm);
  const auto send = sent(3);
  std::vector<int> first(send.size());
  std::vector<int> second(send.size());
  for (int call = 0; call < enough_calls; ++call) {
    const auto exchange = plans.for_blocks(12);
    const auto a = exchange->prepare({send.data(), 3, MPI_INT, first.data(), 3, MPI_INT});
    const auto b = exchange->prepare({send.data(), 3, MPI_INT, second.data(), 3, MPI_INT});
    exchange->start(*a);
    exchange->start(*b);
    (rank % 2 == 0 ? a : b)->wait();
    (rank % 2 == 0 ? b : a)->wait();
    ASSERT_EQ(first, expected(3)) << call;
    ASSERT_EQ(second, expected(3)) << call;
  }
  EXPECT_FALSE(says(plans.explain_equal(12), "packets: measuring")) << plans.explain_equal(12);
}

TEST_F(TunedAlltoallTest, measures_packets) {
  PlanCache plans(comm);
  const auto exchange = plans.for_blocks(12);
  EXPECT_TRUE(exchange->suits_packets());
  int wrong = 0;
  const PacketCalls calls{
      [&](Rank to, std::size_t, std::span<std::byte> packet) {
        std::ranges::fill(packet, static_cast<std::byte>(16 * rank + static_cast<int>(label(to))));
      },
      [&](Rank from, std::size_t, std::span<const std::byte> packet) {
        const auto right = static_cast<std::byte>(16 * static_cast<int>(label(from)) + rank);
        for (const std::byte each : packet) wrong += each == right ? 0 : 1;
      }};
  for (int call = 0; call < enough_calls; ++call) exchange->run_packets(calls);
  EXPECT_EQ(wrong, 0);
  EXPECT_FALSE(says(plans.explain_equal(12), "packets: measuring")) << plans.explain_equal(12);
}

TEST_F(TunedAlltoallTest, does_without_packets_where_mpis_own_exchange_is_known_to_be_the_fastest) {
  SlowNetwork::message_seconds = 1;
  PlanCache plans(comm);
  exchange_until_chosen(plans);
  EXPECT_FALSE(plans.for_blocks(12)->suits_packets());
  EXPECT_FALSE(plans.for_blocks(8)->suits_packets()) << "a size of the same bit width";
}

TEST_F(TunedAlltoallTest, measures_whether_mpi_or_the_schedule_exchanges_unequal_blocks_faster) {
  const std::vector<int> counts(static_cast<std::size_t>(size), 3);
  std::vector<int> places(counts.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(3 * i);
  const auto send = sent(3);
  for (const double seconds : {0.0, 1.0}) {
    SlowNetwork::message_seconds = seconds;
    SlowNetwork::alltoall_seconds = 0.5 - seconds / 2;
    PlanCache plans(comm);
    std::vector<int> receive(send.size());
    for (int call = 0; call < enough_calls; ++call) {
      std::fill(receive.begin(), receive.end(), 0);
      plans.for_unequal_blocks()->run(
          {send.data(), counts, places, MPI_INT, receive.data(), counts, places, MPI_INT});
      ASSERT_EQ(receive, expected(3));
    }
    const auto text = plans.for_unequal_blocks()->explain_unequal();
    EXPECT_EQ(text.rfind(seconds > 0 ? "MPI_Alltoallv the last time" : "the schedule the last time", 0), 0U)
        << text;
    EXPECT_TRUE(says(text, seconds > 0 ? "measured: MPI_Alltoallv" : "measured: the schedule")) << text;
  }
}

TEST_F(TunedAlltoallTest, goes_on_after_sizes_that_differ) {
  const Variable checked("CUBEFOLD_CHECK", "1");
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  EXPECT_NE(message_of([&] { plans.for_blocks(rank == 0 ? 8 : 12); }), "nothing thrown");
  exchange_until_chosen(plans);
  EXPECT_FALSE(says(plans.explain_equal(12), ": measuring; the next call uses MPI"));
}

// The process throws before it takes part in the agreement on the time of the call before.
TEST_F(TunedAlltoallTest, lets_no_process_wait_for_one_that_fails_while_candidates_are_measured) {
  cubefold_comm handle = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, to_string(comm.grid()).c_str(), "identity", &handle),
            CUBEFOLD_SUCCESS);
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  const auto exchange = [&](MPI_Datatype type) {
    return cubefold_alltoall(send.data(), 3, type, receive.data(), 3, type, handle);
  };
  EXPECT_EQ(exchange(MPI_INT), CUBEFOLD_SUCCESS) << cubefold_last_error();
  const bool is_odd = world_rank() == size - 1;
  EXPECT_EQ(exchange(is_odd ? MPI_DATATYPE_NULL : MPI_INT), CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_NE(exchange(MPI_INT), CUBEFOLD_SUCCESS);
  cubefold_comm_free(&handle);
}

class TuningFileOfWorld : public TunedAlltoallTest {
 protected:
  TuningFileOfWorld() {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    file = std::filesystem::temp_directory_path() / ("tuned-" + std::to_string(id) + ".json");
  }
  ~TuningFileOfWorld() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) std::filesystem::remove(file);
  }

  std::string file;
};

TEST_F(TuningFileOfWorld, spares_the_next_run_the_measurements) {
  const Variable tuning("CUBEFOLD_TUNING", file);
  SlowNetwork::message_seconds = 1;
  {
    PlanCache plans(comm);
    exchange_until_chosen(plans);
  }
  PlanCache plans(comm);
  const auto text = plans.explain_equal(8);
  EXPECT_EQ(
      text.rfind("blocks of 8 bytes: MPI's own all-to-all, found by an earlier run with blocks of 12 bytes: ",
                 0),
      0U)
      << text;
  EXPECT_TRUE(says(text, "packets: measuring")) << text;
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
  SlowNetwork::message_seconds = 1;
  PlanCache plans(comm);
  if (world_rank() == 0) std::ofstream(file) << "no JSON";
  exchange_until_chosen(plans);
  const auto text = plans.explain_equal(12);
  EXPECT_EQ(says(text, "tuning file " + file + ": not JSON at byte "), world_rank() == 0) << text;
}

}  // namespace
}  // namespace cubefold::mpi

// These functions replace those of the MPI library, which stay available through MPI's profiling interface.
extern "C" double MPI_Wtime() {
  return PMPI_Wtime() + cubefold::mpi::SlowNetwork::ahead_seconds;
}

extern "C" int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                            int receive_count, MPI_Datatype receive_type, MPI_Comm comm) {
  cubefold::mpi::SlowNetwork::ahead_seconds += cubefold::mpi::SlowNetwork::alltoall_seconds;
  return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

extern "C" int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_places,
                             MPI_Datatype send_type, void* receive, const int* receive_counts,
                             const int* receive_places, MPI_Datatype receive_type, MPI_Comm comm) {
  cubefold::mpi::SlowNetwork::ahead_seconds += cubefold::mpi::SlowNetwork::alltoall_seconds;
  return PMPI_Alltoallv(send, send_counts, send_places, send_type, receive, receive_counts, receive_places,
                        receive_type, comm);
}

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  cubefold::mpi::SlowNetwork::ahead_seconds += cubefold::mpi::SlowNetwork::message_seconds;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

extern "C" int MPI_Comm_split_type(MPI_Comm comm, int, int key, MPI_Info, MPI_Comm* part) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank, key, part);
}
