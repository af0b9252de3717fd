// This program compares cubefold_alltoallv with MPI_Alltoallv for blocks of unequal sizes, in random order on the same
// processes, and checks every byte.

#include <fmt/format.h>
#include <mpi.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/topology/link_loads.hpp"
#include "exchange/forced_alltoall.hpp"
#include "mpi/agreement.hpp"
#include "mpi/plan_cache.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"
#include "timing/runs.hpp"
#include "timing/test_data.hpp"

namespace cubefold::bench {

namespace {

struct Options {
  program::Network network;
  std::string sizes = "exponential";
  timing::RunOptions runs;
  std::string json;
};

/// The bytes of the block from each rank to each other one.
using Sizes = std::vector<std::vector<int>>;

/// Returns sizes with this mean: of an exponential distribution, or one long block in each row and nothing else.
Sizes sizes_of(const std::string& kind, std::size_t rank_count, std::size_t mean_bytes, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::exponential_distribution<double> exponential(1 / static_cast<double>(mean_bytes));
  std::uniform_int_distribution<std::size_t> distance(1, std::max<std::size_t>(rank_count, 2) - 1);
  Sizes sizes(rank_count, std::vector<int>(rank_count));
  for (std::size_t from = 0; from < rank_count; ++from) {
    const std::size_t hot = (from + distance(generator)) % rank_count;
    for (std::size_t to = 0; to < rank_count; ++to) {
      const auto random = static_cast<int>(exponential(generator));
      const auto whole_row = static_cast<int>(mean_bytes * (rank_count - 1));
      if (from != to) sizes[from][to] = kind == "exponential" ? random : (to == hot ? whole_row : 0);
    }
  }
  return sizes;
}

/// Returns the bytes on the busiest link or, with one port, of the busiest process, whichever are more.
std::uint64_t bound_bytes(const Placement& placement, const Sizes& sizes, Ports ports) {
  LinkLoads links(placement.grid(), Tie::balanced);
  std::vector<std::uint64_t> sent(sizes.size());
  std::vector<std::uint64_t> received(sizes.size());
  for (std::uint32_t from = 0; from < sizes.size(); ++from) {
    for (std::uint32_t to = 0; to < sizes.size(); ++to) {
      const auto bytes = static_cast<std::uint64_t>(sizes[from][to]);
      links.add(placement.node_of(Rank{from}), placement.node_of(Rank{to}), bytes);
      sent[from] += bytes;
      received[to] += bytes;
    }
  }
  const std::uint64_t of_links = links.busiest();
  if (ports == Ports::all) return of_links;
  return std::max({of_links, *std::ranges::max_element(sent), *std::ranges::max_element(received)});
}

/// The blocks of one process, one after the other.
class Blocks {
 public:
  Blocks(const Sizes& sizes, std::uint32_t rank) : rank_(rank) {
    for (std::size_t other = 0; other < sizes.size(); ++other) {
      append(sent_, sizes[rank][other]);
      append(received_, sizes[other][rank]);
    }
  }

  void prepare(std::uint32_t run) {
    for (std::uint32_t other = 0; other < sent_.counts.size(); ++other)
      timing::fill(sent_.block(other), {rank_, other, run});
    std::ranges::fill(received_.bytes, std::byte{0xee});
  }

  mpi::Sides sides() {
    return {sent_.bytes.data(),     sent_.counts,     sent_.places,     MPI_BYTE,
            received_.bytes.data(), received_.counts, received_.places, MPI_BYTE};
  }

  void require_right(const std::string& name, std::uint32_t run) {
    for (std::uint32_t other = 0; other < received_.counts.size(); ++other) {
      if (timing::first_wrong_byte(received_.block(other), {other, rank_, run}))
        throw std::runtime_error(fmt::format("{}: wrong data in block {} -> {}", name, other, rank_));
    }
  }

 private:
  struct Side {
    std::vector<int> counts;
    std::vector<int> places;
    std::vector<std::byte> bytes;

    std::span<std::byte> block(std::uint32_t other) {
      return std::span(bytes).subspan(static_cast<std::size_t>(places[other]),
                                      static_cast<std::size_t>(counts[other]));
    }
  };

  static void append(Side& side, int bytes) {
    side.counts.push_back(bytes);
    side.places.push_back(static_cast<int>(side.bytes.size()));
    side.bytes.resize(side.bytes.size() + static_cast<std::size_t>(bytes));
  }

  std::uint32_t rank_;
  Side sent_;
  Side received_;
};

/// An exchange with its name in the table.
struct Peer {
  std::string name;
  std::function<void(const mpi::Sides&)> run;
};

Peer peer_of_mpi(const std::string& name, mpi::OwnedComm own) {
  auto comm = std::make_shared<const mpi::OwnedComm>(std::move(own));
  return {name, [comm](const mpi::Sides& sides) {
            mpi::check(MPI_Alltoallv(sides.sent.memory(), sides.sent.counts().as<int>(),
                                     sides.sent.displacements().as<int>(), MPI_BYTE, sides.receive_memory(),
                                     sides.received.counts().as<int>(),
                                     sides.received.displacements().as<int>(), MPI_BYTE, comm->get()),
                       "MPI_Alltoallv");
          }};
}

constexpr const char* ours = "cubefold_alltoallv";

nlohmann::ordered_json results_of(const Options& options, const mpi::VirtualComm& comm,
                                  std::size_t mean_bytes) {
  const auto rank = label(comm.rank());
  const Sizes sizes = sizes_of(options.sizes, comm.placement().rank_count(), mean_bytes, options.runs.seed);
  mpi::PlanCache plans(comm);
  const auto exchange = plans.for_blocks(std::nullopt);
  AlltoallForcer forcer("coll_tuned_alltoallv_algorithm");
  std::vector<Peer> peers;
  peers.push_back({ours, [&](const mpi::Sides& sides) { exchange->run(sides); }});
  peers.push_back(peer_of_mpi("MPI_Alltoallv", mpi::OwnedComm::duplicate(comm.virtual_comm())));
  peers.push_back(peer_of_mpi("MPI linear", forcer.duplicate(comm.virtual_comm(), 1)));
  peers.push_back(peer_of_mpi("MPI pairwise", forcer.duplicate(comm.virtual_comm(), 2)));

  Blocks blocks(sizes, rank);
  const auto timed = [&](std::size_t number, std::uint32_t run) {
    blocks.prepare(run);
    const double seconds =
        timing::time_of_slowest(comm.virtual_comm(), [&] { peers[number].run(blocks.sides()); });
    mpi::agree_on_outcome(comm.virtual_comm(), [&] { blocks.require_right(peers[number].name, run); });
    return seconds;
  };
  // The calls that measure the backends of cubefold_alltoallv come first and are not timed.
  std::uint32_t run = 1'000'000;
  do {
    timed(0, run++);
  } while (exchange->is_measuring(CallKind::unequal));

  const auto measured = measure_shuffled(comm.virtual_comm(), peers.size(), options.runs, timed);
  auto results = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < peers.size(); ++k) {
    nlohmann::ordered_json row{
        {"sizes", options.sizes}, {"block_bytes", mean_bytes}, {"algorithm", peers[k].name}};
    row.update(as_json(measured.times[k]));
    if (k == 0) row["choice"] = exchange->explain();
    for (const Ports ports : {Ports::one, Ports::all})
      row["bound_bytes"][std::string(to_string(ports))] = bound_bytes(comm.placement(), sizes, ports);
    results.push_back(row);
  }
  return results;
}

int run(const Options& options) {
  const mpi::VirtualComm comm(MPI_COMM_WORLD, options.network.grid, options.network.placement);
  program::JsonFile file(options.json);
  auto json = program::run_facts();
  json["results"] = nlohmann::ordered_json::array();
  for (const std::size_t mean_bytes : options.runs.block_sizes)
    for (auto& row : results_of(options, comm, mean_bytes)) json["results"].push_back(row);
  file.write([&] { return json; });
  return 0;
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--sizes", options.sizes, "exponential, or one-hot: one long block in each row")
      ->check(CLI::IsMember({"exponential", "one-hot"}));
  timing::add_run_options(app, options.runs);
  program::add_machine_option(app, "Machine file for CUBEFOLD_MACHINE");
  app.add_option("--json", options.json, "File for the results")->required();
  program::add_network_options(app, options.network);
}

}  // namespace

}  // namespace cubefold::bench

int main(int argc, char** argv) {
  allow_forcing();
  CLI::App app("Times cubefold_alltoallv and MPI_Alltoallv in turns, for the report of ./dev bench.",
               "unequal_peer");
  cubefold::bench::Options options;
  cubefold::bench::add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return cubefold::bench::run(options); });
}
