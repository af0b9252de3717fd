#include "profile_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "text/shared_file.hpp"
#include "text/whole_file.hpp"

namespace cubefold::profile {

namespace {

using mpi::check;

/// Returns the sum of the numbers of all processes before this one.
std::uint64_t sum_before(MPI_Comm comm, std::uint64_t number) {
  int rank = 0;
  std::uint64_t sum = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check(MPI_Exscan(&number, &sum, 1, MPI_UINT64_T, MPI_SUM, comm), "MPI_Exscan");
  return rank == 0 ? 0 : sum;
}

}  // namespace

void write_profile(MPI_Comm comm, const std::string& path, const SentMessages& sent) {
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  std::vector<std::string> rows = mpi::agree_on_outcome(comm, [&] { return sent.rows(rank); });
  const bool is_first = sum_before(comm, rows.size()) == 0;
  std::string text;
  mpi::agree_on_outcome(comm, [&] {
    if (rank == 0) text = fmt::format(R"({{"ranks": {}, "sent": [)", size);
    for (const std::string& row : rows) text += is_first && &row == rows.data() ? row.substr(1) : row;
    if (rank == size - 1) text += "\n]}\n";
  });
  const std::uint64_t begin = sum_before(comm, text.size());

  std::optional<WholeFile> whole;
  int number = 0;
  mpi::root_try(comm, [&] {
    whole.emplace(path);
    number = whole->number();
  });
  check(MPI_Bcast(&number, 1, MPI_INT, 0, comm), "MPI_Bcast");
  mpi::agree_on_outcome(comm, [&] {
    SharedFile file(WholeFile::temporary_name(path, number), Access::write);
    file.write(begin, std::as_bytes(std::span(text)).data(), text.size());
    file.flush_and_close();
  });
  mpi::root_try(comm, [&] { whole->commit(); });
}

}  // namespace cubefold::profile
