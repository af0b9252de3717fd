#pragma once

#include "program/cli_fwd.hpp"

namespace cubefold::planner {

/// Adds `cubefold advise`, which predicts the times of MPI's all-to-alls and of ours on a network.
void add_advise(CLI::App& program);

/// Adds `cubefold discover`, which finds the hosts of a machine on its network and writes hosts.json.
void add_discover(CLI::App& program);

/// Adds `cubefold draw`, which draws the grid with its ranks and the loads of its links as SVG.
void add_draw(CLI::App& program);

/// Adds `cubefold fabric`, which judges the routes of an InfiniBand fabric and writes files for OpenSM.
void add_fabric(CLI::App& program);

/// Adds `cubefold info`, which shows what a program finds that starts here: network, hosts, ranks, placement and files.
void add_info(CLI::App& program);

/// Adds `cubefold lcc`, which computes the contention of linear-complement communication on a hypercube and its best
/// order.
void add_lcc(CLI::App& program);

/// Adds `cubefold map`, which finds a placement for the phases of a program and writes a certificate and a launcher's
/// file.
void add_map(CLI::App& program);

/// Adds `cubefold plan`, which compares methods of the complete exchange and writes the schedule of the best.
void add_plan(CLI::App& program);

/// Adds `allreduce`, `reduce-scatter` and `allgather` to `cubefold plan`.
void add_plan_of_vectors(CLI::App& plan);

/// Adds `neighbors` to `cubefold plan`.
void add_plan_of_neighbours(CLI::App& plan);

/// Adds `cubefold routes`, which prints the network as a table or JSON, so that other tools can build it.
void add_routes(CLI::App& program);

/// Adds `cubefold simulate`, which computes the time of an algorithm on a network, step by step.
void add_simulate(CLI::App& program);

/// Adds `cubefold verify`, which computes the claims of a certificate of `cubefold map` again, and replays schedules.
void add_verify(CLI::App& program);

/// Adds `cubefold wormhole`, which simulates latency and throughput of a pattern on a wormhole network.
void add_wormhole(CLI::App& program);

}  // namespace cubefold::planner
