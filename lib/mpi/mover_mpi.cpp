#include "mover.hpp"

#include <limits>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// The arguments of one side of MPI_Alltoallw, for blocks with large counts. A block whose count or displacement
/// exceeds an int becomes one element of a type of its own.
class IntArguments {
 public:
  /// Throws std::bad_alloc, and Error if MPI fails.
  explicit IntArguments(const Blocks& blocks) {
    if (blocks.are_in_place()) return;
    for (std::size_t block = 0; block < blocks.block_count(); ++block)
      add(blocks.counts()[block], blocks.displacements()[block], blocks.types()[block]);
  }

  const int* counts() const { return counts_.data(); }
  const int* displacements() const { return displacements_.data(); }
  const MPI_Datatype* types() const { return types_.data(); }

 private:
  static bool is_int(std::int64_t number) {
    return number >= std::numeric_limits<int>::min() && number <= std::numeric_limits<int>::max();
  }

  void add(std::int64_t count, std::int64_t displacement, MPI_Datatype type) {
    const bool is_own = count > 0 && !(is_int(count) && is_int(displacement));
    if (is_own) own_types_.push_back(OwnedType::block(type, count, static_cast<MPI_Aint>(displacement)));
    counts_.push_back(is_own ? 1 : static_cast<int>(count));
    displacements_.push_back(is_own || count == 0 ? 0 : static_cast<int>(displacement));
    types_.push_back(is_own ? own_types_.back().get() : count == 0 ? MPI_BYTE : type);
  }

  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<MPI_Datatype> types_;
  std::vector<OwnedType> own_types_;
};

class MpiMover : public Mover {
 public:
  explicit MpiMover(std::shared_ptr<CommContext> context) : context_(std::move(context)) {}

  void run(const Sides& sides, const ExchangeSizes& sizes) override;

 private:
  struct Places {
    std::vector<int> counts;
    std::vector<int> displacements;
    void set(PackedBlocks& blocks);
  };

  bool have_memory_for(const Sides& sides) noexcept;
  void run_equal(const void* send, void* receive, std::size_t block_bytes);
  void run_unequal();
  void run_typed(const Sides& sides);

  static const MPI_Datatype* types_of(const Blocks& blocks, std::vector<MPI_Datatype>& copy) noexcept;
  void run_alltoallw(const Sides& sides);
  void run_large_alltoallw(const Sides& sides);

  std::shared_ptr<CommContext> context_;
  PackedSides packed_;
  std::unique_ptr<std::pair<Places, Places>>
      places_;  ///< of the sent and the received blocks if they are unequal
  std::vector<MPI_Datatype> sent_types_;
  std::vector<MPI_Datatype> received_types_;
};

}  // namespace

void MpiMover::Places::set(PackedBlocks& blocks) {
  counts.clear();
  displacements.clear();
  const BlockTable& table = blocks.table();
  for (std::size_t block = 0; block < table.sizes.size(); ++block) {
    counts.push_back(message_bytes(1, table.sizes[block]));
    displacements.push_back(message_bytes(1, table.offsets[block]));
  }
}

void MpiMover::run(const Sides& sides, const ExchangeSizes& /*sizes*/) {
  context_->drain();
  if (sides.form() == BlockForm::typed && sides.have_large_counts()) return run_large_alltoallw(sides);
  context_->barrier_within_limit();
  if (sides.form() == BlockForm::typed) return run_alltoallw(sides);
  const bool are_equal = sides.received.are_equal();
  if (are_equal && !sides.need_copies())
    return run_equal(sides.sent.memory(), sides.receive_memory(), sides.received.bytes(0));
  if (!have_memory_for(sides)) {
    if (!are_equal && sides.have_large_counts()) throw std::bad_alloc();  // MPI 3.1 takes no such arrays
    return run_typed(sides);
  }
  packed_.run(*context_, [&] {
    if (!are_equal) return run_unequal();
    run_equal(packed_.sent().memory(), packed_.received().memory(), sides.received.bytes(0));
  });
  if (!are_equal) packed_.release();
}

/// Takes memory for packed copies. Those of unequal blocks last for one call, since the next one may be of another
/// size.
bool MpiMover::have_memory_for(const Sides& sides) noexcept try {
  const bool are_equal = sides.received.are_equal();
  packed_.set(sides, !are_equal);
  if (are_equal) return true;
  if (!places_) places_ = std::make_unique<std::pair<Places, Places>>();
  places_->first.set(packed_.sent());
  places_->second.set(packed_.received());
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void MpiMover::run_equal(const void* send, void* receive, std::size_t block_bytes) {
  const int bytes = message_bytes(1, block_bytes);
  check(MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, context_->comm()), "MPI_Alltoall");
}

void MpiMover::run_unequal() {
  const auto& [sent, received] = *places_;
  const int code = MPI_Alltoallv(packed_.sent().memory(), sent.counts.data(), sent.displacements.data(),
                                 MPI_BYTE, packed_.received().memory(), received.counts.data(),
                                 received.displacements.data(), MPI_BYTE, context_->comm());
  if (code != MPI_SUCCESS) leak_to_mpi(std::move(places_));
  check(code, "MPI_Alltoallv");
}

// If there is no memory to pack blocks, MPI gets the caller's types, because the other processes are about to call the
// same function.
void MpiMover::run_typed(const Sides& sides) {
  const char* name = sides.received.are_equal() ? "MPI_Alltoall" : "MPI_Alltoallv";
  check(sides.pass_to(MPI_Alltoall, MPI_Alltoallv, MPI_Alltoallw, context_->comm()), name);
}

// Arguments are made before the barrier, so that with CUBEFOLD_TIMEOUT the others notice a lack of memory.
void MpiMover::run_large_alltoallw(const Sides& sides) {
  const IntArguments sent(sides.sent);
  const IntArguments received(sides.received);
  context_->barrier_within_limit();
  check(MPI_Alltoallw(sides.sent.memory(), sent.counts(), sent.displacements(), sent.types(),
                      sides.receive_memory(), received.counts(), received.displacements(), received.types(),
                      context_->comm()),
        "MPI_Alltoallw");
}

/// Returns the datatypes of blocks. Empty blocks need none, which Open MPI does not allow, so they get one in a copy.
/// If there is no memory for it, MPI gets the caller's array.
const MPI_Datatype* MpiMover::types_of(const Blocks& blocks, std::vector<MPI_Datatype>& copy) noexcept try {
  if (blocks.are_in_place()) return nullptr;
  copy.assign(blocks.types().begin(), blocks.types().end());
  for (std::size_t block = 0; block < copy.size(); ++block)
    if (blocks.counts()[block] == 0) copy[block] = MPI_BYTE;
  return copy.data();
} catch (const std::bad_alloc&) {
  return blocks.types().data();
}

void MpiMover::run_alltoallw(const Sides& sides) {
  const auto& [sent, received] = sides;
  check(MPI_Alltoallw(sent.memory(), sent.counts().as<int>(), sent.displacements().as<int>(),
                      types_of(sent, sent_types_), sides.receive_memory(), received.counts().as<int>(),
                      received.displacements().as<int>(), types_of(received, received_types_),
                      context_->comm()),
        "MPI_Alltoallw");
}

std::unique_ptr<Mover> make_mpi_mover(std::shared_ptr<CommContext> context) {
  return std::make_unique<MpiMover>(std::move(context));
}

}  // namespace cubefold::mpi
