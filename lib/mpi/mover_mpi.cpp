#include "mover.hpp"

#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

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
  context_->barrier_within_limit();
  if (sides.form() == BlockForm::typed) return run_alltoallw(sides);
  const bool are_equal = sides.received.are_equal();
  if (are_equal && !sides.need_copies())
    return run_equal(sides.sent.memory(), sides.receive_memory(), sides.received.bytes(0));
  if (!have_memory_for(sides)) return run_typed(sides);
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
  check(MPI_Alltoallw(sent.memory(), sent.counts().data(), sent.displacements().data(),
                      types_of(sent, sent_types_), sides.receive_memory(), received.counts().data(),
                      received.displacements().data(), types_of(received, received_types_), context_->comm()),
        "MPI_Alltoallw");
}

std::unique_ptr<Mover> make_mpi_mover(std::shared_ptr<CommContext> context) {
  return std::make_unique<MpiMover>(std::move(context));
}

}  // namespace cubefold::mpi
