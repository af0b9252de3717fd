#include "cubefold/mpi/executor.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "exchange_run.hpp"
#include "packing_room.hpp"
#include "patience.hpp"

namespace cubefold::mpi {

namespace {

/// Blocks of the longest message that counts.
template <typename Counts>
std::size_t most_blocks(const LocalProgram& program, Counts counts) {
  std::size_t most = 0;
  for (const auto* messages : {&program.sends, &program.receives}) {
    for (const LocalMessage& message : *messages) {
      if (counts(message)) most = std::max<std::size_t>(most, message.block_count);
    }
  }
  return most;
}

}  // namespace

Executor::Executor(LocalProgram program, RunRules rules, TokenProgram tokens)
    : program_(std::move(program)), rules_(std::move(rules)), tokens_(std::move(tokens)) {}

void Executor::require_countable(std::size_t block_bytes) const {
  message_bytes(most_blocks(program_, [](const LocalMessage&) { return true; }), piece_bytes(block_bytes));
}

std::size_t Executor::piece_bytes(std::size_t block_bytes) const {
  std::size_t piece = rules_.piece_bytes == 0 ? block_bytes : std::min(block_bytes, rules_.piece_bytes);
  if (rules_.most_blocks > 0) piece = std::min(piece, std::numeric_limits<int>::max() / rules_.most_blocks);
  return piece;
}

std::size_t Executor::room_bytes(const ExchangeMemory& memory) const {
  const std::size_t piece = piece_bytes(memory.block_bytes);
  const RoundMemory pieces(memory, nullptr, piece, 0);
  return piece *
         most_blocks(program_, [&](const LocalMessage& message) { return is_packed(message, pieces); });
}

std::size_t Executor::scratch_bytes(const ExchangeMemory& memory) const {
  return program_.scratch_slots * memory.block_bytes + 2 * PackingRoom::room_count * room_bytes(memory);
}

void Executor::run(const ExchangeMemory& memory, Rank rank, MPI_Comm comm) {
  require_countable(memory.block_bytes);
  // Every process agrees on the same runs, whether or not it needs scratch itself, and takes what calls need, which is
  // most.
  if (memory.block_bytes > reserved_block_bytes_) {
    ExchangeMemory most{nullptr, nullptr, memory.block_bytes};
    const PacketCalls calls;
    most.calls = &calls;
    together(comm, [&] { scratch_.resize(scratch_bytes(most)); });
    reserved_block_bytes_ = memory.block_bytes;
  }
  ExchangeRun run(*this, memory, rank, {comm, 0}, scratch_.data(), SizeCheck::none);
  Patience patience;
  while (!run.is_over()) patience.wait_after(run.advance());
  if (run.failure()) std::rethrow_exception(run.failure());
}

}  // namespace cubefold::mpi
