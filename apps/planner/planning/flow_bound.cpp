#include "planner/planning/flow_bound.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <system_error>

#include "cubefold/topology/route.hpp"
#include "files/output.hpp"

namespace cubefold::planner {

namespace {

[[noreturn]] void fail(const std::string& reason) {
  throw std::invalid_argument(fmt::format("--bound lp: {}", reason));
}

/// A temporary file that exists while the object does.
class InputFile {
 public:
  explicit InputFile(const std::string& text)
      : path_((std::filesystem::temp_directory_path() / "cubefold-flow-XXXXXX").string()) {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0) fail(fmt::format("no temporary file: {}", std::generic_category().message(errno)));
    files::remove_at_signal(path_);
    const auto written = write(descriptor, text.data(), text.size());
    const bool is_complete = close(descriptor) == 0 && written == static_cast<ssize_t>(text.size());
    if (is_complete) return;
    std::filesystem::remove(path_);
    fail("the temporary file cannot be written");
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

double tau_of(const Grid& grid, const StepModel& model, const Link& link) {
  return model.tau(grid.route_table() == nullptr ? link.axis : 0) / rate_of(grid, link);
}

/// Returns the smallest tau of any link, which the rates of the programme's input refer to.
double fastest_tau(const Grid& grid, const StepModel& model) {
  double least = std::numeric_limits<double>::infinity();
  for (const Link& link : links_of(grid)) least = std::min(least, tau_of(grid, model, link));
  return least;
}

std::string input_of(const Grid& grid, const StepModel& model) {
  const double fastest = fastest_tau(grid, model);
  nlohmann::json links = nlohmann::json::array();
  for (const Link& link : links_of(grid)) {
    links.push_back(
        {{"from", link.from}, {"to", end_of(grid, link)}, {"rate", fastest / tau_of(grid, model, link)}});
  }
  nlohmann::json coordinates = nlohmann::json::array();
  for (std::size_t node = 0; node < grid.node_count(); ++node)
    coordinates.push_back(grid.coordinates(static_cast<GridNode>(node)));
  return nlohmann::json{{"nodes", grid.node_count()}, {"coordinates", coordinates}, {"links", links}}.dump();
}

/// Returns the path of the Python program, which lies beside this program in the build and where it is installed.
std::string program_path() {
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return (bin / CUBEFOLD_FROM_BIN_TO_SHARE / "flow_optimum.py").lexically_normal().string();
}

/// Runs the Python program and returns the last line that it prints.
std::string answer_for(const std::string& input) {
  const InputFile file(input);
  const auto command = fmt::format("'{}' all '{}' 2>&1", program_path(), file.path());
  const auto end = [](FILE* pipe) { pclose(pipe); };
  const std::unique_ptr<FILE, decltype(end)> pipe(popen(command.c_str(), "r"), end);
  std::string last = program_path() + " does not run";
  std::array<char, 400> line{};
  while (pipe && std::fgets(line.data(), line.size(), pipe.get()) != nullptr) last = line.data();
  last.erase(std::min(last.find('\n'), last.size()));
  return last;
}

}  // namespace

double flow_seconds_per_byte(const Grid& grid, const StepModel& model) {
  if (grid.node_count() == 1 || fastest_tau(grid, model) == 0) return 0;
  const std::string answer = answer_for(input_of(grid, model));
  double blocks = 0;
  const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), blocks);
  if (error != std::errc() || end != answer.data() + answer.size()) fail(answer);
  return blocks * fastest_tau(grid, model);
}

}  // namespace cubefold::planner
