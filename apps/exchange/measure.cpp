#include "exchange/measure.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "exchange/axis_alltoall.hpp"
#include "exchange/forced_alltoall.hpp"
#include "mpi/agreement.hpp"
#include "mpi/alltoall_plan.hpp"
#include "mpi/comm_context.hpp"
#include "mpi/job_files.hpp"
#include "timing/test_data.hpp"

using cubefold::mpi::AlltoallPlan;
using cubefold::mpi::check;
using cubefold::mpi::message_bytes;
using cubefold::mpi::OwnedComm;
using cubefold::mpi::VirtualComm;

namespace {

void alltoall(const std::byte* send, std::byte* receive, int bytes, MPI_Comm comm) {
  check(MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, comm), "MPI_Alltoall");
}

void ialltoall(const std::byte* send, std::byte* receive, int bytes, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ialltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, comm, &request), "MPI_Ialltoall");
  check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
}

using BlockExchange = std::function<void(const std::byte* send, std::byte* receive, int block_bytes)>;

/// Returns the exchange that a baseline runs. `comm` has the processes of `cart`, which alone has a topology. All
/// processes must call this.
BlockExchange exchange_of(MpiCall call, MPI_Comm comm, MPI_Comm cart) {
  const auto stateless = [comm](const auto& run) -> BlockExchange {
    return [run, comm](const std::byte* send, std::byte* receive, int block_bytes) {
      run(send, receive, block_bytes, comm);
    };
  };
  switch (call) {
    case MpiCall::alltoall:
      return stateless(alltoall);
    case MpiCall::ialltoall:
      return stateless(ialltoall);
    case MpiCall::by_axis:
      break;
  }
  return [exchange = std::make_shared<AxisAlltoall>(cart)](const std::byte* send, std::byte* receive,
                                                           int block_bytes) {
    exchange->run(send, receive, block_bytes);
  };
}

Algorithm baseline_algorithm(const Baseline& baseline, OwnedComm own, MPI_Comm cart) {
  const auto comm = std::make_shared<const OwnedComm>(std::move(own));
  const auto run = exchange_of(baseline.call, comm->get(), cart);
  return {baseline.algorithm, comm,
          [run, comm](const std::byte* send, std::byte* receive, std::size_t block_bytes) {
            run(send, receive, message_bytes(1, block_bytes));
          }};
}

/// Returns the baseline with its algorithm forced in every call. All processes must call this.
Algorithm forced_by_mpich(const Baseline& baseline, MPI_Comm cart) {
  Algorithm algorithm = baseline_algorithm(baseline, OwnedComm::duplicate(cart), cart);
  algorithm.exchange = [forcer = std::make_shared<const MpichForcer>(baseline.forced.mpich),
                        exchange = std::move(algorithm.exchange)](const std::byte* send, std::byte* receive,
                                                                  std::size_t block_bytes) {
    forcer->run([&] { exchange(send, receive, block_bytes); });
  };
  return algorithm;
}

std::vector<Algorithm> baseline_algorithms(const VirtualComm& comm, const std::vector<Baseline>& baselines) {
  const bool is_mpich = cubefold::mpi::library_name().starts_with("MPICH");
  std::optional<AlltoallForcer> forcer;
  std::vector<Algorithm> result;
  result.reserve(baselines.size());
  for (const Baseline& baseline : baselines) {
    const ForcedAlgorithm forced = baseline.forced;
    if (forced.mpich != nullptr && (is_mpich || forced.open_mpi == 0)) {
      result.push_back(forced_by_mpich(baseline, comm.cart_comm()));
      continue;
    }
    if (forced.is_any() && !forcer) forcer.emplace();
    OwnedComm own = forced.is_any() ? forcer->duplicate(comm.cart_comm(), forced.open_mpi)
                                    : OwnedComm::duplicate(comm.cart_comm());
    result.push_back(baseline_algorithm(baseline, std::move(own), comm.cart_comm()));
  }
  return result;
}

/// Builds the algorithms that run over virtual ranks. They run one after another, so all are timed on one communicator.
class OurAlgorithms {
 public:
  /// All processes must call this.
  explicit OurAlgorithms(const VirtualComm& comm)
      : virtual_(comm),
        comm_(std::make_shared<const OwnedComm>(OwnedComm::duplicate(comm.virtual_comm()))),
        space_(cubefold::mpi::CommContext::on(comm.virtual_comm())) {}

  /// Returns an algorithm that runs the planned exchange. All processes must call this.
  Algorithm planned(const std::string& name, const PlannedExchange& ours) const {
    auto exchange = AlltoallPlan::make(virtual_, space_, ours.setup);
    return {name, comm_, [exchange](const std::byte* send, std::byte* receive, std::size_t block_bytes) {
              exchange->run(sides_of(send, receive, block_bytes));
            }};
  }

  /// Returns the algorithm that cubefold_alltoall uses. Its first run of each size, whose time does not count, lets
  /// the library choose before.
  Algorithm library(const std::shared_ptr<cubefold::mpi::PlanCache>& plans) const {
    return {library_name, comm_, [plans](const std::byte* send, std::byte* receive, std::size_t block_bytes) {
              const auto exchange = plans->for_blocks(block_bytes);
              exchange->choose_ahead();
              exchange->run(sides_of(send, receive, block_bytes));
            }};
  }

 private:
  static cubefold::mpi::Sides sides_of(const std::byte* send, std::byte* receive, std::size_t block_bytes) {
    const int bytes = message_bytes(1, block_bytes);
    return {send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE};
  }

  const VirtualComm& virtual_;
  std::shared_ptr<const OwnedComm> comm_;
  std::shared_ptr<cubefold::mpi::CommContext> space_;
};

const Algorithm& named(const std::vector<Algorithm>& algorithms, const std::string& name) {
  return *std::find_if(algorithms.begin(), algorithms.end(),
                       [&](const Algorithm& algorithm) { return algorithm.name == name; });
}

}  // namespace

bool any_forced(const std::vector<Baseline>& baselines) {
  return std::any_of(baselines.begin(), baselines.end(),
                     [](const Baseline& baseline) { return baseline.forced.is_any(); });
}

std::vector<Algorithm> algorithms(const VirtualComm& comm, const std::vector<ExchangeCase>& cases,
                                  const std::vector<Baseline>& baselines,
                                  const std::shared_ptr<cubefold::mpi::PlanCache>& plans) {
  cubefold::mpi::agree_on_outcome(comm.virtual_comm(), [&] {
    for (const ExchangeCase& next : cases) message_bytes(1, next.block_bytes);  // throws if it exceeds int
  });
  const OurAlgorithms of_ours(comm);
  auto others = baseline_algorithms(comm, baselines);
  if (plans) others.push_back(of_ours.library(plans));
  std::vector<Algorithm> result;
  result.reserve(cases.size());
  for (const ExchangeCase& next : cases) {
    result.push_back(next.ours ? of_ours.planned(next.algorithm, *next.ours) : named(others, next.algorithm));
  }
  return result;
}

using cubefold::mpi::agree_on_outcome;
using cubefold::timing::RunOptions;

namespace {

/// Holds the send and receive buffers of all blocks, which are filled and checked by block name.
class TestBlocks {
 public:
  TestBlocks(std::size_t process_count, std::size_t largest_block_bytes)
      : process_count_(process_count),
        sent_(process_count * largest_block_bytes),
        received_(process_count * largest_block_bytes) {}

  void prepare(std::size_t block_bytes, std::uint32_t rank, std::uint32_t run) {
    block_bytes_ = block_bytes;
    for (std::uint32_t i = 0; i < process_count_; ++i) {
      cubefold::timing::fill(block(sent_, i), {rank, i, run});
      std::ranges::fill(block(received_, i), std::byte{0xee});
    }
  }

  void exchange(const Algorithm& algorithm) {
    algorithm.exchange(sent_.data(), received_.data(), block_bytes_);
  }

  void require_right(const Algorithm& algorithm, std::uint32_t rank, std::uint32_t run) {
    for (std::uint32_t i = 0; i < process_count_; ++i) {
      if (const auto wrong = cubefold::timing::first_wrong_byte(block(received_, i), {i, rank, run})) {
        throw std::runtime_error(fmt::format("{}: wrong data: byte {} of block {} -> {}, run {}",
                                             algorithm.name, *wrong, i, rank, run));
      }
    }
  }

 private:
  std::span<std::byte> block(std::vector<std::byte>& blocks, std::size_t index) const {
    return {blocks.data() + index * block_bytes_, block_bytes_};
  }

  std::size_t process_count_;
  std::size_t block_bytes_ = 0;
  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
};

/// Returns the seconds of the slowest process, and checks the data on all processes. All processes must call this.
double timed_run(const Algorithm& algorithm, TestBlocks& blocks, std::size_t block_bytes, std::uint32_t run) {
  MPI_Comm comm = algorithm.comm->get();
  int rank = 0;
  cubefold::mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  blocks.prepare(block_bytes, static_cast<std::uint32_t>(rank), run);
  const double seconds = cubefold::timing::time_of_slowest(comm, [&] { blocks.exchange(algorithm); });
  agree_on_outcome(comm, [&] { blocks.require_right(algorithm, static_cast<std::uint32_t>(rank), run); });
  return seconds;
}

}  // namespace

cubefold::timing::Measured measure(const cubefold::mpi::VirtualComm& comm,
                                   const std::vector<ExchangeCase>& cases,
                                   const std::vector<Algorithm>& algorithms, const RunOptions& options,
                                   cubefold::program::Progress& progress) {
  std::optional<TestBlocks> blocks;
  agree_on_outcome(comm.virtual_comm(), [&] {
    blocks.emplace(comm.placement().rank_count(),
                   *std::max_element(options.block_sizes.begin(), options.block_sizes.end()));
  });
  const auto run_case = [&](std::size_t number, std::uint32_t run) {
    const std::size_t block_bytes = cases[number].block_bytes;
    progress.show(fmt::format("block of {} bytes, {}: run {} of {}", block_bytes, cases[number].algorithm,
                              run + 1, cases.size() * static_cast<std::size_t>(options.repetitions + 1)));
    return timed_run(algorithms[number], *blocks, block_bytes, run);
  };
  return measure_shuffled(comm.virtual_comm(), cases.size(), options, run_case);
}
