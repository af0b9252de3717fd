#include "summary.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <string_view>

#include "comm_state.hpp"
#include "cubefold/version.h"
#include "interception.hpp"
#include "mpi/settings.hpp"
#include "mpi/verbose.hpp"
#include "progress_thread.hpp"
#include "report_line.hpp"
#include "text/whole_file.hpp"
#include "world.hpp"

namespace cubefold::preload {

namespace {

/// Returns the text as a string of JSON.
std::string json_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') quoted += '\\';
    const bool is_control = static_cast<unsigned char>(each) < 0x20;
    quoted += is_control ? fmt::format("\\u{:04x}", static_cast<unsigned char>(each)) : std::string(1, each);
  }
  return quoted + "\"";
}

/// The elements of an array of JSON, each on its line.
class JsonArray {
 public:
  void add(const std::string& element) { elements_ += (elements_.empty() ? "\n    " : ",\n    ") + element; }
  std::string text() const { return elements_.empty() ? "[]" : "[" + elements_ + "\n  ]"; }

 private:
  std::string elements_;
};

std::string json_of_choices() {
  JsonArray choices;
  for (const mpi::CallChoice& choice : mpi::reported_choices()) {
    const std::string bytes = choice.bytes ? fmt::format("{}", *choice.bytes) : "null";
    choices.add(fmt::format(R"({{"nodes": {}, "calls": {}, "bytes": {}, "title": {}, "choice": {}}})",
                            json_text(choice.nodes), json_text(choice.calls), bytes, json_text(choice.title),
                            json_text(choice.text)));
  }
  return choices.text();
}

}  // namespace

std::string json_of_report() {
  JsonArray functions;
  for_each_replaced([&](const CallCount& count) {
    functions.add(fmt::format(R"({{"name": {}, "replaced": {}, "passed_on": {}, "seconds_saved": {}}})",
                              json_text(count.function), count.ours.load(), count.passed_on.load(),
                              count.seconds_saved.load()));
  });
  const std::string reason = reason_for_passing_on();
  std::string text =
      fmt::format("{{\n  \"format_version\": 1,\n  \"cubefold\": {},\n", json_text(CUBEFOLD_VERSION));
  text += fmt::format("  \"functions\": {},\n", functions.text());
  text += fmt::format("  \"communicators\": {},\n  \"communicators_on_grid\": {},\n",
                      report().communicators.load(), report().communicators_on_grid.load());
  text += fmt::format("  \"calls_with_device_memory\": {},\n", report().with_device_memory.load());
  text += fmt::format("  \"passed_on_because\": {},\n", reason.empty() ? "null" : json_text(reason));
  text += fmt::format("  \"choices\": {}\n}}\n", json_of_choices());
  return text;
}

void end_with_report(bool reports) {
  end_progress_threads();
  if (reports && may_replace()) {
    write_summary();
    print_report(text_of_report);
  }
  end_replacing();
  keep_states();
}

void write_summary() noexcept try {
  const std::string path = mpi::own_variable("CUBEFOLD_SUMMARY");
  if (path.empty()) return;
  WholeFile file(path);
  file.write(json_of_report());
  file.commit();
} catch (const std::exception& failure) {
  std::fprintf(stderr, "cubefold: CUBEFOLD_SUMMARY: %s\n", failure.what());
}

}  // namespace cubefold::preload
