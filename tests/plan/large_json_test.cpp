// Files that environment variables name may be of any size. The readers refuse a large one before they parse it.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cubefold/hosts/host_map.hpp"
#include "cubefold/simulation/machine.hpp"
#include "plan/tuning_file.hpp"
#include "support/message_of.hpp"
#include "text/json_members.hpp"
#include "topology/network_file.hpp"

namespace cubefold {
namespace {

/// A file with a hole of any size, which takes no space.
class FileWithHole : public testing::Test {
 protected:
  FileWithHole() { std::ofstream(file) << "{"; }
  ~FileWithHole() override { std::filesystem::remove(file); }

  /// Returns what the four readers say of a file of this size.
  std::string refusal(std::size_t bytes) const {
    std::filesystem::resize_file(file, bytes);
    return message_of([&] { read_machine(file); }) + "\n" + message_of([&] { read_host_map(file); }) + "\n" +
           message_of([&] { read_network(file); }) + "\n" + message_of([&] {
             read_tuning(file, {parse_grid("ring:4"), 4, "an MPI"});
           });
  }

  std::string all(const std::string& reason) const {
    return fmt::format(
        "machine file {0}: {1}\nhosts file {0}: {1}\nnetwork file {0}: {1}\ntuning file {0}: {1}", file,
        reason);
  }

  const std::string file = testing::TempDir() + "large_json." + std::to_string(getpid());
};

TEST_F(FileWithHole, is_parsed_up_to_the_limit) {
  EXPECT_EQ(refusal(most_json_bytes), all("not JSON at byte 2"));
}

TEST_F(FileWithHole, is_refused_beyond_the_limit_with_the_limit) {
  const auto reason = all("has more than 67108864 bytes, the most for a JSON text");
  EXPECT_EQ(refusal(most_json_bytes + 1), reason);
  EXPECT_EQ(refusal(std::size_t{1} << 40), reason);
}

}  // namespace
}  // namespace cubefold
