// A call of MPI fails on one process during a transform by butterflies, which begins with a bit reversal, or on all
// while a plan is freed.

#include <gtest/gtest.h>

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/cubefold_fft.h"
#include "fft/binary_exchange_fft.hpp"
#include "support/failing_mpi_on_one.hpp"
#include "support/world.hpp"

namespace cubefold::fft {
namespace {

using mpi::Outcome;
using mpi::text_on;
using mpi::world_size;

using Numbers = std::vector<std::complex<double>>;

class BinaryExchangeFailures : public testing::Test {
 protected:
  void SetUp() override {
    if (world_size() < 4 || !mpi::world_is_a_cube()) GTEST_SKIP() << "needs a power of two, 4 or more";
    comm.emplace(MPI_COMM_WORLD, mpi::ring_of_world(), "identity");
  }

  std::optional<mpi::VirtualComm> comm;
  const Numbers input = Numbers(8192, {0.5, 0.25});
};

TEST_F(BinaryExchangeFailures, of_mpi_on_one_process_are_thrown_by_all_and_by_later_transforms) {
  const BinaryExchange exchange(
      {.rank_count = static_cast<std::size_t>(world_size()), .high = 1, .low = input.size()});
  ASSERT_TRUE(exchange.has_bit_reversal());
  Numbers output(input.size());
  BinaryExchangeFft<double> whole(*comm, exchange, {});
  whole.execute(input.data(), output.data());
  const Numbers expected = output;
  const int odd = world_size() - 1;
  mpi::expect_ends_whatever_call_fails([&](const char* function, std::uint64_t number) {
    BinaryExchangeFft<double> fft(*comm, exchange, {});
    const auto transform = [&] { fft.execute(input.data(), output.data()); };
    const Outcome outcome = mpi::outcome_of_mpi(transform, odd, function, number);
    EXPECT_EQ(outcome.text, text_on(odd, outcome.text));
    const std::string later = mpi::text_of(transform);
    if (outcome.text.empty()) {
      EXPECT_EQ(later, "");
      EXPECT_EQ(output, expected);
    } else {
      EXPECT_NE(outcome.text.find(function), std::string::npos) << outcome.text;
      EXPECT_EQ(later.find("no exchange is possible after an earlier failure: "), 0U) << later;
    }
    return outcome;
  });
}

TEST(PlanFailures, to_agree_are_told_by_the_call_that_frees_the_plan) {
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, mpi::ring_of_world().c_str(), "identity", &comm),
            CUBEFOLD_SUCCESS);
  const std::size_t length = 120;
  const cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = nullptr;
  ASSERT_EQ(cubefold_fft_create(comm, 1, &length, &options, &plan), CUBEFOLD_SUCCESS);
  {
    const FailingMpi failing("MPI_Allreduce", 1);
    EXPECT_EQ(cubefold_fft_free(&plan), CUBEFOLD_ERROR_MPI);
    EXPECT_TRUE(failing.has_failed());
  }
  const std::string text = cubefold_last_error();
  EXPECT_EQ(text.find("cubefold_fft_free: MPI_Allreduce: MPI_ERR_OTHER"), 0U) << text;
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

}  // namespace
}  // namespace cubefold::fft
