#include "cubefold/fft/wisdom.hpp"

#include <fftw3.h>
#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "fftw_rows.hpp"

namespace cubefold::fft {

namespace {

/// What FFTW's wisdom in single precision begins with; a file has that in double precision first, and then this.
constexpr const char* single_mark = "fftwf_wisdom";

std::string text_of(char* wisdom) {
  const std::unique_ptr<char, decltype(&std::free)> owned(wisdom, &std::free);
  if (wisdom == nullptr) throw std::bad_alloc();
  return wisdom;
}

std::string known_wisdom() {
  const std::lock_guard lock(planner_mutex());
  return text_of(fftw_export_wisdom_to_string()) + text_of(fftwf_export_wisdom_to_string());
}

void learn(const std::string& wisdom, const std::string& file) {
  const std::size_t mark = wisdom.find(single_mark);
  const std::size_t single = mark == std::string::npos ? mark : wisdom.rfind('(', mark);
  const std::lock_guard lock(planner_mutex());
  if (single == std::string::npos || single == 0 ||
      fftw_import_wisdom_from_string(wisdom.substr(0, single).c_str()) == 0 ||
      fftwf_import_wisdom_from_string(wisdom.c_str() + single) == 0) {
    throw std::invalid_argument(fmt::format("import_wisdom: {} is no wisdom of this FFTW", file));
  }
}

std::string contents_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) throw std::invalid_argument(fmt::format("import_wisdom: {} cannot be read", file));
  return text;
}

void broadcast(std::string& text, MPI_Comm comm) {
  auto size = static_cast<unsigned long long>(text.size());
  mpi::check(MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG_LONG, 0, comm), "MPI_Bcast");
  text.resize(size);
  mpi::check(MPI_Bcast(text.data(), mpi::message_bytes(1, size), MPI_CHAR, 0, comm), "MPI_Bcast");
}

}  // namespace

void export_wisdom(const mpi::VirtualComm& comm, const std::string& file) {
  mpi::on_first(comm.virtual_comm(), [&] {
    std::ofstream stream(file, std::ios::binary);
    stream << known_wisdom();
    stream.close();
    if (!stream) throw std::invalid_argument(fmt::format("export_wisdom: {} cannot be written", file));
  });
}

void import_wisdom(const mpi::VirtualComm& comm, const std::string& file) {
  std::string text;
  mpi::on_first(comm.virtual_comm(), [&] { text = contents_of(file); });
  broadcast(text, comm.virtual_comm());
  mpi::together(comm.virtual_comm(), [&] { learn(text, file); });
}

}  // namespace cubefold::fft
