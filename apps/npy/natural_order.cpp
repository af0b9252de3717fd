#include "npy/natural_order.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"

using cubefold::fft::Layout;

namespace cubefold::npy {

namespace {

constexpr std::size_t points_of_round = std::size_t{1} << 18;

/// Holds the points that a process sends or receives in a round, grouped by the other process.
struct Parcels {
  explicit Parcels(std::size_t process_count) : counts(process_count), begins(process_count) {}

  void add(int rank, std::size_t count) { counts[static_cast<std::size_t>(rank)] += static_cast<int>(count); }

  /// Allocates the memory for the points, after all counts are added.
  void make_room(std::size_t bytes_each) {
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    bytes.resize((static_cast<std::size_t>(begins.back()) + static_cast<std::size_t>(counts.back())) *
                 bytes_each);
  }

  std::vector<int> counts;
  std::vector<int> begins;
  std::vector<std::byte> bytes;
};

class PointType {
 public:
  explicit PointType(std::size_t bytes) {
    mpi::check(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
    mpi::check(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  PointType(const PointType&) = delete;
  PointType& operator=(const PointType&) = delete;
  ~PointType() { MPI_Type_free(&type_); }

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// Copies evenly spaced points. Strides are numbers of points.
template <std::size_t bytes>
void move_strided(const std::byte* from, std::size_t from_stride, std::byte* to, std::size_t to_stride,
                  std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride * bytes, from + i * from_stride * bytes, bytes);
}

void move_points(const std::byte* from, std::size_t from_stride, std::byte* to, std::size_t to_stride,
                 std::size_t count, std::size_t bytes) {
  if (from_stride == 1 && to_stride == 1) {
    std::memcpy(to, from, count * bytes);
  } else if (bytes == 4) {
    move_strided<4>(from, from_stride, to, to_stride, count);
  } else if (bytes == 8) {
    move_strided<8>(from, from_stride, to, to_stride, count);
  } else {
    move_strided<16>(from, from_stride, to, to_stride, count);
  }
}

/// Returns the ranks in the order of their process numbers in Owners.
std::vector<int> ranks_by_number(const std::vector<int>& numbers) {
  std::vector<int> ranks(numbers.size());
  for (std::size_t rank = 0; rank < numbers.size(); ++rank)
    ranks[static_cast<std::size_t>(numbers[rank])] = static_cast<int>(rank);
  return ranks;
}

Range range_of_round(const Range& range, std::size_t round) {
  const std::size_t first = std::min(range.first + round * points_of_round, range.last);
  return {first, std::min(first + points_of_round, range.last)};
}

std::size_t round_count(const std::vector<Range>& ranges) {
  std::size_t longest = 0;
  for (const Range& range : ranges) longest = std::max(longest, range.count());
  return (longest + points_of_round - 1) / points_of_round;
}

/// Calls use(run, packed) for the runs of a process within the ranges, where `packed` is the position of the run in
/// packed data. In packed data, the ranges follow one another.
template <typename Use>
void for_each_own_run(const OwnPoints& own, const std::vector<Range>& ranges, Use use) {
  std::size_t packed = 0;
  for (const Range& range : ranges) {
    if (range.count() == 0) continue;
    own.for_each_run(own.count_below(range.first), own.count_below(range.last),
                     [&](const OwnPoints::Run& run) {
                       use(run, packed);
                       packed += run.length;
                     });
  }
}

/// Calls use(packed, natural, length) for the runs of a range that one process has, with the positions of the run in
/// packed data and in the range. In packed data, the owners follow one another.
template <typename Use>
void for_each_natural_run(const Owners& owners, const Range& range, std::vector<int> begins, Use use) {
  std::size_t natural = 0;
  owners.for_each_run(range.first, range.last, [&](int rank, std::size_t length) {
    int& packed = begins[static_cast<std::size_t>(rank)];
    use(static_cast<std::size_t>(packed), natural, length);
    packed += static_cast<int>(length);
    natural += length;
  });
}

/// Exchanges the points of a round. All processes must call this. If MPI fails on one process alone, the others wait in
/// this call; therefore that process throws at once, and does not agree with them.
void exchange(MPI_Comm comm, const Parcels& sent, Parcels& received, const PointType& point) {
  mpi::check(
      MPI_Alltoallv(sent.bytes.data(), sent.counts.data(), sent.begins.data(), point.get(),
                    received.bytes.data(), received.counts.data(), received.begins.data(), point.get(), comm),
      "MPI_Alltoallv");
}

}  // namespace

std::vector<Range> even_ranges(std::size_t point_count, int process_count) {
  const auto count = static_cast<std::size_t>(process_count);
  const std::size_t least = point_count / count;
  const std::size_t longer = point_count % count;
  std::vector<Range> ranges(count);
  for (std::size_t r = 0, first = 0; r < count; ++r) {
    ranges[r] = {first, first + least + (r < longer ? 1 : 0)};
    first = ranges[r].last;
  }
  return ranges;
}

/// The data that this process moves in one round.
struct NaturalOrder::Round {
  Round(const NaturalOrder& order, const std::vector<Range>& all, std::size_t number, std::size_t bytes_each);

  std::vector<Range> ranges;
  Range own_range;
  Parcels in_layout;
  Parcels natural;
  std::vector<std::byte> points;  ///< points of own_range, in natural order
  PointType point;
};

NaturalOrder::Round::Round(const NaturalOrder& order, const std::vector<Range>& all, std::size_t number,
                           std::size_t bytes_each)
    : own_range(range_of_round(all[static_cast<std::size_t>(order.rank_)], number)),
      in_layout(all.size()),
      natural(all.size()),
      points(own_range.count() * bytes_each),
      point(bytes_each) {
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Range& range = ranges.emplace_back(range_of_round(all[rank], number));
    if (range.count() == 0) continue;
    in_layout.add(static_cast<int>(rank),
                  order.own().count_below(range.last) - order.own().count_below(range.first));
  }
  order.owners_->for_each_run(own_range.first, own_range.last,
                              [&](int rank, std::size_t length) { natural.add(rank, length); });
  in_layout.make_room(bytes_each);
  natural.make_room(bytes_each);
}

NaturalOrder::NaturalOrder(MPI_Comm comm, const Layout& layout, const Layout::Members& members)
    : comm_(comm) {
  mpi::check(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
  mpi::check(MPI_Comm_size(comm, &process_count_), "MPI_Comm_size");
  const int number = static_cast<int>(Owners::number_of(layout, members));
  std::vector<int> numbers;
  mpi::agree_on_outcome(comm, [&] {
    own_.emplace(layout, members);
    numbers.resize(static_cast<std::size_t>(process_count_));
  });
  mpi::check(MPI_Allgather(&number, 1, MPI_INT, numbers.data(), 1, MPI_INT, comm), "MPI_Allgather");
  mpi::agree_on_outcome(comm, [&] { owners_.emplace(layout, ranks_by_number(numbers)); });
}

void NaturalOrder::gather(const std::vector<Range>& ranges, const void* in_layout, std::size_t bytes_each,
                          const Reader& read) const {
  const auto* from = static_cast<const std::byte*>(in_layout);
  for (std::size_t number = 0; number < round_count(ranges); ++number) {
    std::optional<Round> round;
    mpi::agree_on_outcome(comm_, [&] {
      round.emplace(*this, ranges, number, bytes_each);
      auto* packed_points = round->in_layout.bytes.data();
      for_each_own_run(*own_, round->ranges, [&](const OwnPoints::Run& run, std::size_t packed) {
        move_points(from + run.place * bytes_each, run.stride, packed_points + packed * bytes_each, 1,
                    run.length, bytes_each);
      });
    });
    exchange(comm_, round->in_layout, round->natural, round->point);
    mpi::agree_on_outcome(comm_, [&] {
      for_each_natural_run(*owners_, round->own_range, round->natural.begins,
                           [&](std::size_t packed, std::size_t at, std::size_t length) {
                             std::memcpy(round->points.data() + at * bytes_each,
                                         round->natural.bytes.data() + packed * bytes_each,
                                         length * bytes_each);
                           });
      if (round->own_range.count() > 0) read(round->own_range, round->points.data());
    });
  }
}

void NaturalOrder::scatter(const std::vector<Range>& ranges, void* in_layout, std::size_t bytes_each,
                           const Writer& write) const {
  auto* to = static_cast<std::byte*>(in_layout);
  for (std::size_t number = 0; number < round_count(ranges); ++number) {
    std::optional<Round> round;
    mpi::agree_on_outcome(comm_, [&] {
      round.emplace(*this, ranges, number, bytes_each);
      if (round->own_range.count() > 0) write(round->own_range, round->points.data());
      for_each_natural_run(*owners_, round->own_range, round->natural.begins,
                           [&](std::size_t packed, std::size_t at, std::size_t length) {
                             std::memcpy(round->natural.bytes.data() + packed * bytes_each,
                                         round->points.data() + at * bytes_each, length * bytes_each);
                           });
    });
    exchange(comm_, round->natural, round->in_layout, round->point);
    mpi::agree_on_outcome(comm_, [&] {
      const auto* packed_points = round->in_layout.bytes.data();
      for_each_own_run(*own_, round->ranges, [&](const OwnPoints::Run& run, std::size_t packed) {
        move_points(packed_points + packed * bytes_each, 1, to + run.place * bytes_each, run.stride,
                    run.length, bytes_each);
      });
    });
  }
}

}  // namespace cubefold::npy
