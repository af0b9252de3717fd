#include "vector_memory.hpp"

#include <algorithm>

#include "collective/vector_chunks.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

Reduction reduction_of(const VectorCall& call) {
  const std::size_t element_bytes = call.unit_bytes();
  const auto reduce = [=, type = call.arguments().type, op = call.arguments().op](
                          std::span<const std::byte> left, std::span<std::byte> right) {
    const int count = static_cast<int>(right.size() / element_bytes);
    if (count > 0) check(MPI_Reduce_local(left.data(), right.data(), count, type, op), "MPI_Reduce_local");
  };
  return {element_bytes, reduce};
}

/// Returns the bytes of Reduction::right_operands that the program needs: what a cache near the core holds, in whole
/// elements.
std::size_t right_operand_bytes(const LocalProgram& program, std::size_t element_bytes) {
  constexpr std::size_t most_bytes = 16 << 10;
  if (std::ranges::none_of(program.receives, &LocalMessage::arrives_left)) return 0;
  return std::max<std::size_t>(most_bytes / element_bytes, 1) * element_bytes;
}

}  // namespace

void VectorMemory::Table::add(std::size_t bytes, std::size_t offset) {
  offsets_.push_back(offset);
  sizes_.push_back(bytes);
  next_ = offset + bytes;
}

VectorMemory::VectorMemory(const VectorCall& call, const VectorSteps& steps, const LocalProgram& program,
                           Rank rank, const BlockTable& received)
    : reduces_(call.arguments().reduces()) {
  const VectorCollective collective = call.collective();
  const std::size_t channels = steps.method.channel_count;
  std::vector<std::size_t> chunks = chunk_counts(
      call.block_units(), collective == VectorCollective::allreduce ? steps.chunk_count : channels);
  for (std::size_t& chunk : chunks) chunk *= call.unit_bytes();
  for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    const std::size_t owner = chunk / channels;
    const bool is_own = owner == label(rank);
    if (collective != VectorCollective::allgather || is_own) sent_.add(chunks[chunk]);
    if (collective == VectorCollective::allgather && chunk % channels == 0) {
      received_.add(chunks[chunk], received.offsets[owner]);
    } else if (collective != VectorCollective::reduce_scatter || is_own) {
      received_.add(chunks[chunk]);
    }
  }
  for (const std::uint32_t chunk : program.scratch_chunks) scratch_.add(chunks[chunk]);
  send_table_ = sent_.view();
  receive_table_ = received_.view();
  scratch_table_ = scratch_.view();
  longest_bytes_ = chunks.empty() ? 0 : std::ranges::max(chunks);
  is_tight_ = send_table_.is_tight() && receive_table_.is_tight();
  if (!reduces_) return;
  reduction_ = reduction_of(call);
  right_operands_.resize(right_operand_bytes(program, call.unit_bytes()));
  reduction_.right_operands = right_operands_;
}

ExchangeMemory VectorMemory::memory(const std::byte* send, std::byte* receive) const {
  ExchangeMemory memory{send,     receive, longest_bytes_, &send_table_, &receive_table_, &scratch_table_,
                        is_tight_};
  if (reduces_) memory.reduction = &reduction_;
  return memory;
}

}  // namespace cubefold::mpi
