#include "cubefold/simulation/machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Json = nlohmann::ordered_json;

/// Returns a machine whose axes differ and whose times have no short decimal form.
Machine example() {
  Machine machine{parse_grid("grid:4wx2x3")};
  machine.alpha_seconds = 4.3e-4 / 3;
  machine.gap_seconds = 1.3e-4 / 3;
  machine.tau_seconds_per_byte = {8.365e-7, 1e-9 / 3, 0};
  machine.barrier_seconds = 2.1e-3;
  machine.copy_seconds_per_byte = 1e-10 / 3;
  machine.ports = Ports::all;
  machine.wraps = {true, false, false};
  machine.plain_exchanges = {{16, 1.1e-3 / 3, 1e-3}, {256, 2.2e-3 / 3, 4e-3}};
  machine.plain_allreduces = {{256, 1.7e-4 / 3}, {2048, 1e-3}};
  machine.host_count = 24;
  machine.mpi_library = "Open MPI v4.1.4";
  machine.date = "2026-01-02T03:04:05Z";
  return machine;
}

/// Returns the error message of parse_machine() for the example with one key changed.
std::string refusal(const std::string& key, const Json& value) {
  Json json = Json::parse(to_json(example()));
  json[key] = value;
  return message_of([&] { parse_machine(json.dump()); });
}

MachineUse use_of(const Machine& machine) {
  return {machine.grid, machine.host_count, machine.mpi_library};
}

TEST(MachineFile, reads_back_as_the_same_machine) {
  EXPECT_EQ(parse_machine(to_json(example())), example());
  Machine one_port = example();
  one_port.ports = Ports::one;
  one_port.tau_seconds_per_byte = {2.5e-7};
  EXPECT_EQ(parse_machine(to_json(one_port)), one_port);
}

TEST(MachineFile, has_one_key_a_line) {
  const std::string text = to_json(example());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 + std::ssize(Json::parse(text)));
}

TEST(MachineFile, may_say_what_queues_do) {
  for (const Queues queues : {Queues::unknown, Queues::lossless, Queues::lossy}) {
    Machine machine = example();
    machine.queues = queues;
    EXPECT_EQ(parse_machine(to_json(machine)), machine);
    EXPECT_EQ(parse_queues(to_string(queues)), queues);
  }
  EXPECT_EQ(refusal("queues", "long"),
            "parse_machine: unknown kind of queues 'long'; known: unknown, lossless, lossy");
}

TEST(MachineFile, of_earlier_versions_copies_at_a_typical_rate) {
  Json json = Json::parse(to_json(example()));
  json.erase("copy_seconds_per_byte");
  EXPECT_EQ(parse_machine(json.dump()).copy_seconds_per_byte, typical_copy_seconds_per_byte);
}

TEST(MachineFile, of_a_single_node_has_one_tau_and_no_wraps) {
  const Machine node{parse_grid("hypercube:0")};
  EXPECT_EQ(parse_machine(to_json(node)), node);
}

TEST(MachineFile, leaves_aside_keys_that_it_does_not_know) {
  Json json = Json::parse(to_json(example()));
  json["weather"] = {{"rain", true}};
  EXPECT_EQ(parse_machine(json.dump()), example());
}

TEST(MachineFile, is_refused_if_it_is_no_json_object) {
  EXPECT_EQ(message_of([] { parse_machine(""); }), "parse_machine: not JSON at byte 1");
  EXPECT_EQ(message_of([] { parse_machine(R"({"grid": )"); }), "parse_machine: not JSON at byte 10");
  EXPECT_EQ(message_of([] { parse_machine("[1, 2]"); }), "parse_machine: not a JSON object");
  EXPECT_EQ(message_of([] { parse_machine(std::string(100'000, '[')); }),
            "parse_machine: nested deeper than 16");
}

TEST(MachineFile, is_refused_if_a_key_stands_twice) {
  EXPECT_EQ(message_of([] { parse_machine(R"({"gap_seconds": 1, "gap_seconds": 2})"); }),
            "parse_machine: the key 'gap_seconds' stands twice in an object");
}

TEST(MachineFile, is_refused_without_any_of_its_keys_and_names_the_key) {
  const Json whole = Json::parse(to_json(example()));
  for (const auto& [key, value] : whole.items()) {
    if (key == "cubefold") continue;  // the version, which is there for human readers
    if (key.starts_with("plain_") || key == "copy_seconds_per_byte") continue;
    Json json = whole;
    json.erase(key);
    EXPECT_EQ(message_of([&] { parse_machine(json.dump()); }), "parse_machine: " + key + " is missing");
  }
}

TEST(MachineFile, is_refused_with_a_key_of_another_type_and_names_the_key) {
  const Json whole = Json::parse(to_json(example()));
  for (const auto& [key, value] : whole.items()) {
    if (key == "cubefold") continue;
    EXPECT_EQ(refusal(key, Json::object()).rfind("parse_machine: " + key + " is not a ", 0), 0) << key;
  }
  EXPECT_EQ(refusal("tau_seconds_per_byte", {"fast"}), "parse_machine: tau_seconds_per_byte is not a number");
  EXPECT_EQ(refusal("wraps", {1, 0, 0}), "parse_machine: wraps is not a list of true and false");
  EXPECT_EQ(refusal("hosts", -24), "parse_machine: hosts is not a count");
}

TEST(MachineFile, is_refused_with_times_that_are_none) {
  EXPECT_EQ(refusal("alpha_seconds", -1e-6), "parse_machine: alpha_seconds -1e-06 is not a time");
  EXPECT_EQ(refusal("gap_seconds", -1), "parse_machine: gap_seconds -1 is not a time");
  EXPECT_EQ(refusal("tau_seconds_per_byte", {0.5, -2.5, 0.5}),
            "parse_machine: tau_seconds_per_byte -2.5 is not a time");
  EXPECT_EQ(refusal("barrier_seconds", nullptr), "parse_machine: barrier_seconds is not a number");
  EXPECT_EQ(message_of([] { parse_machine(R"({"alpha_seconds": 1e999})"); }),
            "parse_machine: not JSON that fits: a number is out of range");
}

TEST(MachineFile, is_refused_in_another_format_version) {
  EXPECT_EQ(refusal("format_version", 2).rfind("parse_machine: format version 2; this is cubefold ", 0), 0);
}

TEST(MachineFile, is_refused_where_its_parts_do_not_fit_each_other) {
  EXPECT_EQ(refusal("grid", "torus:4x0"),
            "parse_machine: grid 'torus:4x0': extent 0 of axis 1 is not positive");
  EXPECT_EQ(refusal("processes", 23), "parse_machine: processes 23 on the 24 nodes of grid:4wx2x3");
  EXPECT_EQ(refusal("hosts", 0), "parse_machine: hosts 0 for 24 processes");
  EXPECT_EQ(refusal("hosts", 25), "parse_machine: hosts 25 for 24 processes");
  EXPECT_EQ(refusal("ports", "two"), "parse_machine: unknown ports 'two'; known: one, all");
  EXPECT_EQ(refusal("tau_seconds_per_byte", {1e-9, 1e-9}),
            "parse_machine: tau_seconds_per_byte has 2 values on grid:4wx2x3; it takes one, or one per axis");
  EXPECT_EQ(refusal("tau_seconds_per_byte", Json::array()),
            "parse_machine: tau_seconds_per_byte has 0 values on grid:4wx2x3; it takes one, or one per axis");
  EXPECT_EQ(refusal("wraps", {true}),
            "parse_machine: wraps has 1 values on grid:4wx2x3; it takes one per axis");
  EXPECT_EQ(refusal("wraps", {true, true, false}),
            "parse_machine: wraps is true for axis 1 of grid:4wx2x3, which has no wrap link");
}

TEST(MachineFile, cannot_be_written_with_times_that_are_none) {
  Machine machine = example();
  machine.gap_seconds = -1;
  EXPECT_NE(message_of([&] { to_json(machine); }), "nothing thrown");
  machine.gap_seconds = std::numeric_limits<double>::infinity();
  EXPECT_NE(message_of([&] { to_json(machine); }), "nothing thrown");
}

TEST(ReadMachine, names_the_file_it_refuses) {
  const std::string folder = std::filesystem::temp_directory_path();
  EXPECT_EQ(message_of([&] { read_machine(folder); }),
            "machine file " + folder + ": cannot read: Is a directory");
  const std::string missing = folder + "/no/such/machine.json";
  EXPECT_EQ(message_of([&] { read_machine(missing); }),
            "machine file " + missing + ": cannot read: No such file or directory");
  EXPECT_EQ(message_of([] { parse_machine("{}", "lab.json"); }),
            "machine file lab.json: format_version is missing");
}

TEST(RequireFits, accepts_the_place_where_the_machine_was_measured) {
  EXPECT_EQ(misfit(example(), use_of(example())), std::nullopt);
  EXPECT_EQ(message_of([] { require_fits(example(), use_of(example())); }), "nothing thrown");
}

TEST(RequireFits, says_what_the_machine_was_made_for_and_by_which_file) {
  Machine machine = example();
  MachineUse use = use_of(machine);
  use.grid = parse_grid("mesh:4x2x3");
  EXPECT_EQ(message_of([&] { require_fits(machine, use); }), "machine: made for grid:4wx2x3, not mesh:4x2x3");
  machine.file = "lab.json";
  EXPECT_EQ(message_of([&] { require_fits(machine, use); }),
            "machine file lab.json: made for grid:4wx2x3, not mesh:4x2x3");
}

TEST(RequireFits, refuses_another_number_of_hosts) {
  MachineUse use = use_of(example());
  use.host_count = 1;
  EXPECT_EQ(misfit(example(), use), "made on 24 hosts, not on 1");
}

TEST(RequireFits, refuses_another_mpi_library_or_major_version_but_no_minor_one) {
  MachineUse use = use_of(example());
  use.mpi_library = "Open MPI v4.2.0";
  EXPECT_EQ(misfit(example(), use), std::nullopt);
  use.mpi_library = "Open MPI v5.0.1";
  EXPECT_EQ(misfit(example(), use), "made with Open MPI v4.1.4, not Open MPI v5.0.1");
  use.mpi_library = "Open MPI v40.1";
  EXPECT_NE(misfit(example(), use), std::nullopt);
}

TEST(StepModelOfAMachine, has_its_times_and_ports_and_no_barrier) {
  const StepModel model = step_model(example(), Tie::positive);
  EXPECT_EQ(model.alpha_seconds, example().alpha_seconds);
  EXPECT_EQ(model.tau_seconds_per_byte, example().tau_seconds_per_byte);
  EXPECT_EQ(model.barrier_seconds, 0);
  EXPECT_EQ(model.ports, Ports::all);
  EXPECT_EQ(model.tie, Tie::positive);
}

TEST(MachineFile, of_earlier_versions_has_no_times_of_plain_exchanges) {
  Json json = Json::parse(to_json(example()));
  json.erase("plain_exchanges");
  EXPECT_EQ(parse_machine(json.dump()).plain_exchanges, std::vector<PlainExchangeTimes>{});
}

TEST(MachineFile, is_refused_with_plain_exchanges_that_are_not_in_order) {
  const auto time = [](std::size_t bytes) {
    return Json{{"block_bytes", bytes}, {"alltoall_seconds", 1}, {"linear_seconds", 1}};
  };
  EXPECT_EQ(refusal("plain_exchanges", Json::array({time(8), time(8)})),
            "parse_machine: block_bytes 8 of plain_exchanges is not above 8, which comes before it");
  EXPECT_EQ(refusal("plain_exchanges", Json::array({time(0)})),
            "parse_machine: block_bytes 0 of plain_exchanges is not above 0");
}

TEST(PlainExchangeTimes, are_interpolated_between_sizes_and_proportional_above) {
  Machine machine = example();
  machine.plain_exchanges = {{100, 1, 10}, {300, 3, 20}};
  const auto at = [&](std::size_t bytes) { return plain_exchange_times(machine, bytes).value(); };
  EXPECT_EQ(at(10), (PlainExchangeTimes{10, 1, 10}));
  EXPECT_EQ(at(100), (PlainExchangeTimes{100, 1, 10}));
  EXPECT_EQ(at(200), (PlainExchangeTimes{200, 2, 15}));
  EXPECT_EQ(at(300), (PlainExchangeTimes{300, 3, 20}));
  EXPECT_EQ(at(600), (PlainExchangeTimes{600, 6, 40}));
  machine.plain_exchanges.clear();
  EXPECT_EQ(plain_exchange_times(machine, 100), std::nullopt);
}

TEST(PlainAllreduces, have_ascending_sizes) {
  const auto time = [](int bytes) { return Json{{"vector_bytes", bytes}, {"seconds", 1}}; };
  EXPECT_EQ(refusal("plain_allreduces", Json::array({time(64), time(8)})),
            "parse_machine: vector_bytes 8 of plain_allreduces is not above 64, which comes before it");
  EXPECT_EQ(refusal("plain_allreduces", Json::array({time(0)})),
            "parse_machine: vector_bytes 0 of plain_allreduces is not above 0");
}

TEST(PlainAllreduces, are_known_between_the_measured_sizes) {
  Machine machine = example();
  machine.plain_allreduces = {{100, 1}, {300, 3}};
  EXPECT_EQ(plain_allreduce_seconds(machine, 100), 1);
  EXPECT_EQ(plain_allreduce_seconds(machine, 150), 1.5);
  EXPECT_EQ(plain_allreduce_seconds(machine, 300), 3);
  EXPECT_EQ(plain_allreduce_seconds(machine, 99), std::nullopt);
  EXPECT_EQ(plain_allreduce_seconds(machine, 301), std::nullopt);
  machine.plain_allreduces.clear();
  EXPECT_EQ(plain_allreduce_seconds(machine, 100), std::nullopt);
}

TEST(OnAxes, keeps_times_of_plain_calls_for_all_processes_only) {
  const Machine machine = example();
  EXPECT_EQ(on_axes(machine, {0, 1, 2}, 24).plain_exchanges, machine.plain_exchanges);
  EXPECT_EQ(on_axes(machine, {0, 1, 2}, 24).plain_allreduces, machine.plain_allreduces);
  EXPECT_EQ(on_axes(machine, {0, 1}, 8).plain_exchanges, std::vector<PlainExchangeTimes>{});
  EXPECT_EQ(on_axes(machine, {0, 1}, 8).plain_allreduces, std::vector<PlainAllreduceTime>{});
}

TEST(OnAxes, keeps_what_was_measured_of_these_axes) {
  Machine machine{parse_grid("grid:4wx2x3")};
  machine.tau_seconds_per_byte = {1e-8, 2e-8, 3e-8};
  machine.wraps = {true, false, false};
  machine.host_count = 24;
  const Machine part = on_axes(machine, {2, 0}, 12);
  EXPECT_EQ(part.grid, parse_grid("grid:3x4w"));
  EXPECT_EQ(part.tau_seconds_per_byte, (std::vector<double>{3e-8, 1e-8}));
  EXPECT_EQ(part.wraps, (std::vector<bool>{false, true}));
  EXPECT_EQ(part.host_count, 12U);
  machine.tau_seconds_per_byte = {5e-9};
  EXPECT_EQ(on_axes(machine, {1}, 2).tau_seconds_per_byte, (std::vector<double>{5e-9}));
  EXPECT_THROW(on_axes(machine, {3}, 2), std::invalid_argument);
}

}  // namespace
}  // namespace cubefold
