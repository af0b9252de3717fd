#include "npy/natural_order.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"

using cubefold::fft::Layout;

namespace cubefold::npy {

namespace {

/// How many points of a round go to each process, and where they begin.
struct Counts {
  explicit Counts(std::size_t process_count) : counts(process_count), begins(process_count) {}

  void add(int rank, std::size_t count) { counts[static_cast<std::size_t>(rank)] += static_cast<int>(count); }
  void sum_up() { std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0); }
  std::size_t total() const {
    return static_cast<std::size_t>(begins.back()) + static_cast<std::size_t>(counts.back());
  }

  std::vector<int> counts;
  std::vector<int> begins;
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

/// Moves points that lie evenly spaced.
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

int rank_in(MPI_Comm comm) {
  int rank = 0;
  mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return rank;
}

std::vector<int> ranks_by_members(MPI_Comm comm, const Layout& layout, const Layout::Members& members) {
  int size = 0;
  mpi::check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  const int own = static_cast<int>(Owners::number_of(layout, members));
  std::vector<int> numbers(static_cast<std::size_t>(size));
  mpi::check(MPI_Allgather(&own, 1, MPI_INT, numbers.data(), 1, MPI_INT, comm), "MPI_Allgather");
  std::vector<int> ranks(numbers.size());
  for (int rank = 0; rank < size; ++rank)
    ranks[static_cast<std::size_t>(numbers[static_cast<std::size_t>(rank)])] = rank;
  return ranks;
}

Counts own_by_range(const OwnPoints& own, const std::vector<Range>& ranges) {
  Counts counts(ranges.size());
  for (std::size_t r = 0; r < ranges.size(); ++r) {
    if (ranges[r].count() == 0) continue;
    counts.counts[r] = static_cast<int>(own.count_below(ranges[r].last) - own.count_below(ranges[r].first));
  }
  counts.sum_up();
  return counts;
}

Counts range_by_owner(const Owners& owners, const Range& range, std::size_t process_count) {
  Counts counts(process_count);
  owners.for_each_run(range.first, range.last,
                      [&](int rank, std::size_t length) { counts.add(rank, length); });
  counts.sum_up();
  return counts;
}

/// Calls use(run, packed) for a process's runs within the ranges, one range behind the other in what is packed.
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

/// Calls use(packed, natural, length) for runs of a range, packed one owner behind the other.
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

void exchange(MPI_Comm comm, const std::vector<std::byte>& sent, const Counts& sends,
              std::vector<std::byte>& received, const Counts& receives, std::size_t bytes_each) {
  const PointType point(bytes_each);
  mpi::check(
      MPI_Alltoallv(sent.data(), sends.counts.data(), sends.begins.data(), point.get(), received.data(),
                    receives.counts.data(), receives.begins.data(), point.get(), comm),
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

NaturalOrder::NaturalOrder(MPI_Comm comm, const Layout& layout, const Layout::Members& members)
    : comm_(comm),
      rank_(rank_in(comm)),
      own_(layout, members),
      owner_ranks_(ranks_by_members(comm, layout, members)),
      owners_(layout, owner_ranks_) {}

void NaturalOrder::gather(const std::vector<Range>& ranges, const void* in_layout, void* natural,
                          std::size_t bytes_each) const {
  const Counts sends = own_by_range(own_, ranges);
  const Counts receives = range_by_owner(owners_, own_range(ranges), ranges.size());
  std::vector<std::byte> sent(sends.total() * bytes_each);
  std::vector<std::byte> received(receives.total() * bytes_each);
  const auto* from = static_cast<const std::byte*>(in_layout);
  for_each_own_run(own_, ranges, [&](const OwnPoints::Run& run, std::size_t packed) {
    move_points(from + run.place * bytes_each, run.stride, sent.data() + packed * bytes_each, 1, run.length,
                bytes_each);
  });
  exchange(comm_, sent, sends, received, receives, bytes_each);
  auto* to = static_cast<std::byte*>(natural);
  for_each_natural_run(owners_, own_range(ranges), receives.begins,
                       [&](std::size_t packed, std::size_t at, std::size_t length) {
                         std::memcpy(to + at * bytes_each, received.data() + packed * bytes_each,
                                     length * bytes_each);
                       });
}

void NaturalOrder::scatter(const std::vector<Range>& ranges, const void* natural, void* in_layout,
                           std::size_t bytes_each) const {
  const Counts sends = range_by_owner(owners_, own_range(ranges), ranges.size());
  const Counts receives = own_by_range(own_, ranges);
  std::vector<std::byte> sent(sends.total() * bytes_each);
  std::vector<std::byte> received(receives.total() * bytes_each);
  const auto* from = static_cast<const std::byte*>(natural);
  for_each_natural_run(
      owners_, own_range(ranges), sends.begins, [&](std::size_t packed, std::size_t at, std::size_t length) {
        std::memcpy(sent.data() + packed * bytes_each, from + at * bytes_each, length * bytes_each);
      });
  exchange(comm_, sent, sends, received, receives, bytes_each);
  auto* to = static_cast<std::byte*>(in_layout);
  for_each_own_run(own_, ranges, [&](const OwnPoints::Run& run, std::size_t packed) {
    move_points(received.data() + packed * bytes_each, 1, to + run.place * bytes_each, run.stride, run.length,
                bytes_each);
  });
}

std::size_t NaturalOrder::round_count(const std::vector<Range>& ranges) {
  std::size_t longest = 0;
  for (const Range& range : ranges) longest = std::max(longest, range.count());
  return (longest + points_of_round - 1) / points_of_round;
}

std::vector<Range> NaturalOrder::ranges_of_round(const std::vector<Range>& ranges, std::size_t round) {
  std::vector<Range> now = ranges;
  for (Range& range : now) {
    const std::size_t first = std::min(range.first + round * points_of_round, range.last);
    range = {first, std::min(first + points_of_round, range.last)};
  }
  return now;
}

}  // namespace cubefold::npy
