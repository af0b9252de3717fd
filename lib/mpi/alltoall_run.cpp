#include "alltoall_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the size of the pieces, which have whole elements if these are reduced. Messages of several blocks are
/// packed into staging buffers, whose memory is bounded.
std::size_t piece_size(const AlltoallPlan& plan, const ExchangeMemory& memory) {
  std::size_t piece = memory.block_bytes;
  if (plan.setup().piece_bytes > 0) piece = std::min(piece, plan.setup().piece_bytes);
  std::size_t most = plan.most_blocks().anywhere;
  if (plan.sends_single_blocks(memory)) most = std::min<std::size_t>(most, 1);
  if (most > 0) {
    const std::size_t longest = plan.setup().largest_message_bytes;
    const std::size_t limit = most > 1 ? std::min(BufferPool::most_bytes, longest) : longest;
    piece = std::min(piece, std::max<std::size_t>(limit / most, 1));
  }
  if (memory.reduction == nullptr || piece == 0) return piece;
  const std::size_t element = memory.reduction->element_bytes;
  if (element <= piece) return piece - piece % element;
  throw std::invalid_argument(
      fmt::format("an element of {} bytes is longer than a piece of {}", element, piece));
}

/// Returns the number of blocks in the longest message that this process packs.
std::size_t most_packed(const AlltoallPlan& plan, const ExchangeMemory& memory, std::size_t piece_bytes) {
  const PieceMemory pieces(memory, nullptr, piece_bytes, 0);
  if (plan.sends_single_blocks(memory)) return 0;
  if (pieces.has_calls()) return plan.most_blocks().if_called;
  return pieces.joins_slots() ? plan.most_blocks().if_joined : plan.most_blocks().if_apart;
}

/// Throws Error if a message does not have the expected size. A shorter message would leave old data in the buffer.
void require_size(const LocalMessage& message, int arrived, std::size_t expected) {
  if (static_cast<std::size_t>(arrived) == expected) return;
  throw Error(Status::mpi,
              fmt::format("rank {} sent {} bytes where {} were expected: do all processes exchange blocks "
                          "of one size?",
                          label(message.peer), arrived, expected));
}

void require_equal_sizes(const Dissemination& sizes) {
  for (int rank = 1; rank < sizes.process_count(); ++rank) {
    if (sizes.number_of(rank) == sizes.number_of(0)) continue;
    throw AgreedArgument(fmt::format("process {} of {}: block size '{}' differs from '{}' of process 0", rank,
                                     sizes.process_count(), sizes.number_of(rank), sizes.number_of(0)),
                         KnownBy::agreement);
  }
}

std::chrono::steady_clock::duration duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

/// The number of messages under way at once for which a round takes memory when it begins.
constexpr std::size_t reserved_requests = 64;

/// Returns the bytes of all slots of scratch.
std::size_t slot_bytes(const LocalProgram& program, const ExchangeMemory& memory) {
  if (memory.scratch_table == nullptr) return program.scratch_slots * memory.block_bytes;
  const BlockTable& slots = *memory.scratch_table;
  return slots.sizes.empty() ? 0 : slots.offsets.back() + slots.sizes.back();
}

int peer_of(const LocalMessage& message) {
  return static_cast<int>(label(message.peer));
}

}  // namespace

Dissemination::Dissemination(const TagRange& tags, std::optional<std::uint64_t> number) : tags_(tags) {
  check(MPI_Comm_rank(tags.comm, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(tags.comm, &size_), "MPI_Comm_size");
  if (!number) return;
  numbers_ = std::make_unique<std::vector<std::uint64_t>>(static_cast<std::size_t>(size_));
  numbers_->front() = *number;
}

Dissemination::~Dissemination() {
  if (!messages_.empty()) leak_to_mpi(std::move(numbers_));
}

void Dissemination::begin_round() {
  const int above = (rank_ + known_) % size_;
  const int below = (rank_ - known_ + size_) % size_;
  const int count = numbers_ ? std::min(known_, size_ - known_) : 0;
  const int bytes = count * static_cast<int>(sizeof(std::uint64_t));
  std::uint64_t* own = numbers_ ? numbers_->data() : nullptr;
  std::uint64_t* arriving = numbers_ ? own + known_ : nullptr;
  messages_.receive(above, arriving, bytes, above, tags_.control_tag(), tags_.comm);
  messages_.send(below, own, bytes, below, tags_.control_tag(), tags_.comm);
}

bool Dissemination::advance() {
  if (is_passed()) return false;
  const bool any = messages_.end_some([](int, const MPI_Status&) {});
  if (!messages_.empty()) return any;
  known_ = std::max(1, 2 * known_);
  if (!is_passed()) begin_round();
  return true;
}

RunSizes::RunSizes(const AlltoallPlan& plan, const ExchangeMemory& memory)
    : block_bytes(memory.block_bytes),
      piece_bytes(piece_size(plan, memory)),
      round_count(piece_bytes == 0 ? 0 : (block_bytes + piece_bytes - 1) / piece_bytes),
      staging_bytes(piece_bytes * most_packed(plan, memory, piece_bytes)),
      scratch_bytes(slot_bytes(plan.program(memory), memory) + 2 * BufferPool::memory_bytes(staging_bytes)) {}

StepSynchroniser::StepSynchroniser(const AlltoallPlan& plan, const RunSizes& sizes, const TagRange& tags)
    : setup_(plan.setup()), sizes_(sizes) {
  if (setup_.sync == StepSync::clock && sizes.round_count * plan.program().step_count > 0)
    barrier_.emplace(tags);
}

bool StepSynchroniser::advance() {
  if (is_over()) return false;
  const bool any = barrier_->advance();
  if (!barrier_->is_passed()) return any;
  slots_.emplace(setup_.times, sizes_.block_bytes, sizes_.piece_bytes);
  start_ = Clock::now();
  return true;
}

bool StepSynchroniser::may_begin(std::size_t round, std::size_t step) {
  if (!slots_) return !barrier_;
  slots_->go_to(round, step);
  return Clock::now() >= start_ + duration(slots_->begin());
}

void StepSynchroniser::note_begin(std::size_t round, std::size_t step) {
  if (!slots_) return;
  slots_->go_to(round, step);
  const auto late = Clock::now() - start_ - duration(slots_->begin() + slots_->length());
  if (late > Clock::duration::zero()) start_ += late;
}

PiecePass::PiecePass(const AlltoallSetup& setup, const LocalProgram& program, const PieceMemory& memory,
                     bool is_posted_at_once, std::byte* staging, std::size_t buffer_bytes,
                     const TagRange& tags)
    : setup_(setup),
      program_(program),
      memory_(memory),
      is_posted_at_once_(is_posted_at_once),
      tags_(tags),
      send_staging_(staging, buffer_bytes),
      receive_staging_(staging + BufferPool::memory_bytes(buffer_bytes), buffer_bytes),
      sends_(program_.sends.size()),
      receives_(program_.receives.size()) {
  requests_.reserve(std::min(sends_.count() + receives_.count(), reserved_requests));
}

std::size_t PiecePass::first_open_step() const {
  const std::size_t end = program_.step_count;
  const std::size_t open_send = sends_.all_over() ? end : program_.sends[sends_.over()].step;
  const std::size_t open_receive = receives_.all_over() ? end : program_.receives[receives_.over()].step;
  return std::min(open_send, open_receive);
}

std::vector<int> PiecePass::awaited() const {
  std::vector<int> ranks;
  const std::size_t open = first_open_step();
  for (const Transfer& transfer : requests_.under_way()) {
    const LocalMessage& message = (transfer.is_send ? program_.sends : program_.receives)[transfer.index];
    if (message.step <= open) ranks.push_back(peer_of(message));
  }
  return ranks;
}

bool PiecePass::can_receive() const {
  if (receives_.all_begun()) return false;
  const LocalMessage& next = program_.receives[receives_.begun()];
  if (next.needs > sends_.over() || next.needs_receives > receives_.over()) return false;
  if (is_packed(next, memory_) && !receive_staging_.has_free()) return false;
  return is_posted_at_once_ || bytes_posted_ < setup_.bytes_in_flight || next.step <= first_open_step();
}

bool PiecePass::can_send() const {
  if (sends_.all_begun()) return false;
  const LocalMessage& next = program_.sends[sends_.begun()];
  if (next.needs > receives_.over()) return false;
  if (is_packed(next, memory_) && !send_staging_.has_free()) return false;
  return is_posted_at_once_ || next.step < setup_.send_window_steps ||
         next.step < first_open_step() + setup_.send_window_steps;
}

bool PiecePass::advance(StepSynchroniser& synchroniser, std::size_t round, unsigned most_polls) {
  bool any = false;
  while (can_receive()) begin_receive();
  // Call-backs that produce packets take time, in which no message would be received, so only one is called at a time.
  for (std::size_t sent = 0; can_send() && (sent == 0 || !memory_.has_calls()); ++sent) {
    const std::size_t step = program_.sends[sends_.begun()].step;
    if (!synchroniser.may_begin(round, step)) break;
    synchroniser.note_begin(round, step);
    begin_send();
    any = true;
  }
  const auto end_one = [&](const Transfer& transfer, const MPI_Status& status) { end(transfer, status); };
  return requests_.end_some(end_one, any ? 1 : most_polls) || any;
}

void PiecePass::begin_receive() {
  const std::size_t index = receives_.begin();
  const LocalMessage& message = program_.receives[index];
  const std::size_t bytes = message_size(program_, message, memory_);
  if (bytes == 0) return receives_.end(index);
  std::byte* staging = is_packed(message, memory_) ? receive_staging_.take() : nullptr;
  requests_.receive({false, index, bytes, staging},
                    staging != nullptr ? staging : message_begin(program_, message, memory_),
                    message_bytes(bytes, 1), peer_of(message), tags_.data_tag(), tags_.comm);
  bytes_posted_ += bytes;
}

void PiecePass::begin_send() {
  const std::size_t index = sends_.begin();
  const LocalMessage& message = program_.sends[index];
  const std::size_t bytes = message_size(program_, message, memory_);
  if (bytes == 0) return sends_.end(index);
  std::byte* staging = is_packed(message, memory_) ? send_staging_.take() : nullptr;
  if (staging != nullptr) copied_bytes_ += pack(program_, message, memory_, staging);
  requests_.send({true, index, bytes, staging},
                 staging != nullptr ? staging : message_begin(program_, message, memory_),
                 message_bytes(bytes, 1), peer_of(message), tags_.data_tag(), tags_.comm);
}

void PiecePass::end(const Transfer& transfer, const MPI_Status& status) {
  if (!transfer.is_send) end_receive(transfer, status);
  (transfer.is_send ? sends_ : receives_).end(transfer.index);
  if (transfer.staging != nullptr)
    (transfer.is_send ? send_staging_ : receive_staging_).give_back(transfer.staging);
}

void PiecePass::end_receive(const Transfer& transfer, const MPI_Status& status) {
  const LocalMessage& message = program_.receives[transfer.index];
  int arrived = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &arrived), "MPI_Get_count");
  require_size(message, arrived, transfer.bytes);
  if (transfer.staging != nullptr) {
    copied_bytes_ += unpack(program_, message, transfer.staging, memory_);
  } else if (message.arrives_in) {
    copied_bytes_ += copy_to_places(program_, message, memory_);
  }
  if (message.operand_run_count > 0) reduce(program_, message, memory_);
  bytes_posted_ -= transfer.bytes;
}

AlltoallRun::AlltoallRun(const AlltoallPlan& plan, const ExchangeMemory& memory, const TagRange& tags,
                         std::byte* scratch, bool compares_sizes, std::shared_ptr<double> seconds)
    : Run(tags.number, memory.calls != nullptr),
      plan_(plan),
      memory_(memory),
      program_(plan.program(memory)),
      tags_(tags),
      scratch_(scratch),
      sizes_(plan, memory),
      synchroniser_(plan, sizes_, tags),
      seconds_(std::move(seconds)),
      start_seconds_(seconds_ ? MPI_Wtime() : 0) {
  if (compares_sizes) block_sizes_.emplace(tags, memory.block_bytes);
}

void AlltoallRun::begin_round(std::size_t number) {
  round_number_ = number;
  const PieceMemory pieces(memory_, scratch_, sizes_.piece_bytes, number);
  if (pieces.has_calls()) pass_own_packets(pieces);
  std::byte* staging = scratch_ + slot_bytes(program_, memory_);
  round_.emplace(plan_.setup(), program_, pieces, memory_.is_posted_at_once, staging, sizes_.staging_bytes,
                 tags_);
}

// Own blocks are copied whole and once, because they may be longer than all blocks that travel.
void AlltoallRun::copy_own_blocks() {
  const PieceMemory whole(memory_, scratch_, std::numeric_limits<std::size_t>::max(), 0);
  if (whole.has_calls()) return;
  for (const OwnBlock& own : program_.own)
    copied_bytes_ += whole.read(Area::send, own.send, whole.piece(Area::receive, own.receive).data());
}

void AlltoallRun::pass_own_packets(const PieceMemory& pieces) {
  for (const OwnBlock& own : program_.own) {
    std::vector<std::byte> packet(pieces.piece_size(Area::send, own.send));
    pieces.read(Area::send, own.send, packet.data());
    pieces.write(Area::receive, own.receive, packet.data());
  }
}

bool AlltoallRun::has_compared_sizes() {
  if (!block_sizes_) return true;
  block_sizes_->advance();
  if (!block_sizes_->is_passed()) return false;
  require_equal_sizes(*block_sizes_);
  block_sizes_.reset();
  return true;
}

Awaited AlltoallRun::awaited() const {
  if (block_sizes_) return {block_sizes_->awaited(), " in the comparison of block sizes"};
  std::vector<int> ranks = synchroniser_.awaited();
  const char* barrier = ranks.empty() ? "" : "the barrier before ";
  if (ranks.empty() && round_) ranks = round_->awaited();
  const std::size_t step = round_ ? round_->first_open_step() : 0;
  const std::size_t step_count = program_.step_count;
  return {std::move(ranks), fmt::format(" in {}step {} of {} ({})", barrier, std::min(step + 1, step_count),
                                        step_count, plan_.method_text())};
}

bool AlltoallRun::move(unsigned most_polls) {
  if (!has_compared_sizes()) return false;
  if (!std::exchange(has_begun_, true)) copy_own_blocks();
  if (!round_ && round_number_ < sizes_.round_count) begin_round(round_number_);
  bool any = synchroniser_.advance();
  if (round_) any = round_->advance(synchroniser_, round_number_, most_polls) || any;
  if (round_ && round_->is_over()) {
    copied_bytes_ += round_->copied_bytes();
    round_.reset();
    ++round_number_;
    any = true;
  }
  if (round_number_ < sizes_.round_count || !synchroniser_.is_over()) return any;
  if (seconds_) *seconds_ = MPI_Wtime() - start_seconds_;
  end();
  return true;
}

}  // namespace cubefold::mpi
