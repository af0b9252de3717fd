#include "fft/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cubefold/version.h"
#include "fft/serial_check.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"

using cubefold::mpi::VirtualComm;
using cubefold::program::counted;

namespace cubefold::fft_program {

namespace {

std::string points_text(const Report& report) {
  const npy::Shape& lengths = report.problem.lengths;
  const std::string points = lengths.size() == 1 ? counted(lengths.front(), "point")
                                                 : fmt::format("{} points", extents_text(lengths));
  return report.problem.batch == 1 ? points : fmt::format("{} arrays of {}", report.problem.batch, points);
}

/// Returns `block`, `cyclic to block`, or the decomposition of arrays of more dimensions.
std::string spread_text(const Report& report) {
  const fft::PlanOptions& plan = report.plan;
  if (report.problem.lengths.size() > 1) {
    const char* cut = plan.decomposition == fft::Decomposition::pencil ? "pencils" : "slabs";
    return fmt::format("{}{}", cut, plan.transposed_output ? ", transposed" : "");
  }
  if (plan.input == plan.output) return std::string(to_string(plan.input));
  return fmt::format("{} to {}", to_string(plan.input), to_string(plan.output));
}

void print_title(const Report& report, const VirtualComm& comm, const Options& options) {
  fmt::print("cubefold-fft {}: {}{} transform of {} on {}\n", CUBEFOLD_VERSION,
             options.inverse ? "inverse" : "forward", options.real ? " real" : "", points_text(report),
             counted(comm.placement().rank_count(), "process"));
  const std::string boxes =
      options.boxes.empty() ? "" : fmt::format(", between {} bricks", fmt::join(options.boxes, "x"));
  fmt::print("grid {}, placement {}, {}{}, {} precision\n\n", nodes_text(comm), placement_text(comm),
             spread_text(report), boxes, report.problem.is_single() ? "single" : "double");
}

std::string source_text(const Report& report, const Options& options) {
  if (report.problem.file) {
    return fmt::format("{} ({})", options.input, npy::name_of(report.problem.file->element));
  }
  return options.signal == Signal::random ? "made: random numbers" : "made: tones";
}

void print_row(const std::string& label, double seconds, const std::string& text) {
  fmt::print("{:<10} {:>10.3f} ms{}{}\n", label, seconds * 1e3, text.empty() ? "" : "  ", text);
}

std::string range_text(const timing::Times& times) {
  if (times.seconds.size() == 1) return "";
  return fmt::format(", median of {} runs (fastest {:.3g} ms, slowest {:.3g} ms)", times.seconds.size(),
                     times.minimum() * 1e3, times.maximum() * 1e3);
}

void print_transform(const Report& report) {
  print_row("transform", report.transform.median(),
            fmt::format("{:.2f} Gflop/s as {} n log2 n / time{}", report.flops_per_second() / 1e9,
                        report.problem.full_length() ? "2.5" : "5", range_text(report.transform)));
  print_row("  local", report.phases.transform_seconds, "transforms, twiddles and copies");
  print_row("  exchange", report.phases.exchange_seconds, "between processes");
  print_row("  overlap", report.phases.overlap_seconds, "of that: computed while messages travelled");
}

void print_comparison(const Report& report) {
  const Comparison& comparison = *report.comparison;
  const double ratio = comparison.times.median() / report.transform.median();
  print_row("FFTW MPI", comparison.times.median(),
            fmt::format("{:.2f} times ours{}{}", ratio, range_text(comparison.times),
                        comparison.departures.empty() ? "" : fmt::format("; {}", comparison.departures)));
  fmt::print("compare    results differ by {:.1e} relative, limit {:.1e}: {}\n", comparison.difference,
             comparison.limit, comparison.agrees() ? "they agree" : "they do NOT agree");
}

/// Returns the index of a point in each dimension.
std::vector<std::size_t> index_of(std::size_t point, const npy::Shape& shape) {
  std::vector<std::size_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = point % shape[d];
    point /= shape[d];
  }
  return index;
}

void print_strongest(const Report& report) {
  fmt::print("strongest  {} (magnitude):", npy::is_complex(report.problem.output) ? "bin" : "point");
  for (const Bin& bin : report.strongest) {
    const auto index = index_of(bin.point, report.problem.output_shape);
    const std::string text =
        index.size() == 1 ? fmt::format("{}", bin.point) : fmt::format("[{}]", fmt::join(index, ","));
    fmt::print("  {} ({:.5g})", text, bin.magnitude);
  }
  fmt::print("\n");
}

nlohmann::ordered_json strongest_json(const Report& report) {
  auto json = nlohmann::ordered_json::array();
  for (const Bin& bin : report.strongest) {
    const auto index = index_of(bin.point, report.problem.output_shape);
    json.push_back(
        {{"index", index.size() == 1 ? nlohmann::ordered_json(index.front()) : nlohmann::ordered_json(index)},
         {"magnitude", bin.magnitude}});
  }
  return json;
}

void add_times(nlohmann::ordered_json& json, const Report& report) {
  json["plan_seconds"] = report.plan_seconds;
  json["read_seconds"] = report.read_seconds;
  json["transform_seconds"] = report.transform.median();
  json["transform"] = timing::as_json(report.transform);
  json["local_seconds"] = report.phases.transform_seconds;
  json["exchange_seconds"] = report.phases.exchange_seconds;
  json["overlap_seconds"] = report.phases.overlap_seconds;
  json["write_seconds"] = report.write_seconds;
  json["flops_per_second"] = report.flops_per_second();
}

}  // namespace

bool Report::is_right() const {
  return (!error || *error <= error_limit(problem)) && (!comparison || comparison->agrees());
}

void print_plan(const Report& report, const VirtualComm& comm, const Options& options) {
  print_title(report, comm, options);
  fmt::print("{}{}", report.explanation, report.explanation.ends_with('\n') ? "" : "\n");
}

void print(const Report& report, const VirtualComm& comm, const Options& options) {
  print_title(report, comm, options);
  print_row("plan", report.plan_seconds, "");
  print_row("read", report.read_seconds, source_text(report, options));
  print_transform(report);
  if (!options.output.empty()) {
    print_row("write", report.write_seconds,
              fmt::format("{} ({})", options.output, npy::name_of(report.problem.output)));
  }
  if (report.energy_difference) {
    fmt::print("energy     relative difference {:.1e} in Parseval's equation\n", *report.energy_difference);
  }
  if (report.error) {
    fmt::print("check      relative error {:.1e} against serial FFTW, limit {:.1e}: {}\n", *report.error,
               error_limit(report.problem), *report.error <= error_limit(report.problem) ? "right" : "WRONG");
  }
  if (report.comparison) print_comparison(report);
  print_strongest(report);
}

nlohmann::ordered_json as_json(const Report& report, const VirtualComm& comm, const Options& options) {
  auto json = program::run_facts();
  json["grid"] = to_string(comm.network());
  json["nodes"] = nodes_text(comm);
  json["placement"] = to_string(comm.placement().rule());
  json["points"] = report.problem.point_count();
  json["lengths"] = report.problem.lengths;
  json["batch"] = report.problem.batch;
  json["inverse"] = options.inverse;
  json["real"] = options.real;
  json["precision"] = report.problem.is_single() ? "single" : "double";
  json["options"] = to_string(report.plan);
  json["plan"] = report.explanation;
  if (options.explain) return json;
  add_times(json, report);
  if (report.energy_difference) json["energy_difference"] = *report.energy_difference;
  if (report.error) json["relative_error"] = *report.error;
  if (report.comparison) {
    json["compare"] = timing::as_json(report.comparison->times);
    json["compare"]["difference"] = report.comparison->difference;
    json["compare"]["agrees"] = report.comparison->agrees();
    json["compare"]["departures"] = report.comparison->departures;
  }
  json["strongest"] = strongest_json(report);
  return json;
}

}  // namespace cubefold::fft_program
