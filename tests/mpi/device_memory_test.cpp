#include "mpi/device_memory.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <utility>
#include <vector>

#include "cubefold/cubefold.h"
#include "cubefold/cubefold_fft.h"
#include "support/device_driver.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

TEST(DeviceMemory, is_known_by_the_driver_that_a_process_has_loaded) {
  EXPECT_FALSE(find_device_drivers());
  for (const auto& [file, name] : std::vector<std::pair<std::string, std::string>>{
           {"libcuda.so.1", "CUDA"}, {"libamdhip64.so.6", "HIP"}, {"libze_loader.so.1", "Level Zero"}}) {
    if (DeviceDriver::exists(file)) continue;
    const DeviceDriver driver(file);
    ASSERT_TRUE(driver.is_loaded()) << file;
    char* held = driver.allocate<char>(64);
    EXPECT_EQ(device_that_holds(held), "") << "before the driver is looked for";
    EXPECT_TRUE(find_device_drivers());
    EXPECT_EQ(device_that_holds(held), name);
    EXPECT_EQ(device_that_holds(held + 63), name);
    for (const void* of_host : std::vector<const void*>{&held, nullptr, MPI_IN_PLACE})
      EXPECT_EQ(device_that_holds(of_host), "");
  }
}

/// One process has a buffer of a device.
class OneDevice : public testing::Test {
 protected:
  void SetUp() override {
    cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), nullptr, &comm_);
    if (!is_mine()) return;
    const DeviceDriver driver("libcuda.so.1");
    find_device_drivers();
    data_ = driver.allocate<double>(2048);
  }
  void TearDown() override { cubefold_comm_free(&comm_); }

  static bool is_mine() { return world_rank() + 1 == world_size(); }

  /// Expects that the process with the buffer is refused, and that every other one is notified.
  static void expect_refused(int code, const std::string& text) {
    EXPECT_EQ(code, CUBEFOLD_ERROR_ARGUMENT);
    EXPECT_NE(std::string(cubefold_last_error())
                  .find(text + " is memory of a CUDA device; cubefold exchanges host"),
              std::string::npos)
        << cubefold_last_error();
  }

  std::vector<double> on_host_ = std::vector<double>(2048);
  double* data_ = on_host_.data();
  cubefold_comm comm_ = nullptr;
};

TEST_F(OneDevice, is_refused_by_an_exchange) {
  expect_refused(cubefold_alltoall(on_host_.data(), 1, MPI_DOUBLE, data_, 1, MPI_DOUBLE, comm_), "receive");
}

TEST_F(OneDevice, is_refused_by_an_exchange_of_unequal_blocks) {
  const std::vector<int> counts(static_cast<std::size_t>(world_size()), 0);
  expect_refused(cubefold_alltoallv(data_, counts.data(), counts.data(), MPI_DOUBLE, on_host_.data(),
                                    counts.data(), counts.data(), MPI_DOUBLE, comm_),
                 "send");
}

TEST_F(OneDevice, is_refused_by_a_request) {
  cubefold_request request = nullptr;
  const int code = cubefold_ialltoall(data_, 1, MPI_DOUBLE, on_host_.data(), 1, MPI_DOUBLE, comm_, &request);
  expect_refused(code == CUBEFOLD_SUCCESS ? cubefold_wait(&request) : code, "send");
}

}  // namespace
}  // namespace cubefold::mpi
