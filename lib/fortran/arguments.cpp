#include "fortran/arguments.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <string_view>

extern "C" {
void cubefold_f_show_addresses();
CUBEFOLD_API void cubefold_f_keep_addresses(int is_f08, const CFI_cdesc_t* in_place,
                                            const CFI_cdesc_t* bottom, const CFI_cdesc_t* status_ignore);
}

namespace {

/// The addresses that stand for MPI_IN_PLACE, MPI_BOTTOM and MPI_STATUS_IGNORE in the modules mpi and mpi_f08.
struct Addresses {
  std::array<const void*, 2> in_place{};
  std::array<const void*, 2> bottom{};
  std::array<const void*, 2> status_ignore{};
};

Addresses kept;

bool is_one_of(const std::array<const void*, 2>& both, const void* address) {
  return address == both[0] || address == both[1];
}

const Addresses& addresses() {
  static const bool are_known = [] {
    cubefold_f_show_addresses();
    return true;
  }();
  static_cast<void>(are_known);
  return kept;
}

bool is_mpi_running() {
  int is_initialised = 0;
  int is_finalised = 0;
  MPI_Initialized(&is_initialised);
  MPI_Finalized(&is_finalised);
  return is_initialised != 0 && is_finalised == 0;
}

/// Returns whether errors of MPI_COMM_WORLD end the program.
bool are_errors_fatal() {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  if (handler == MPI_ERRORS_ARE_FATAL) return true;
  if (handler != MPI_ERRORS_RETURN) MPI_Errhandler_free(&handler);
  return false;
}

/// Returns an error class of MPI whose text is that of the last failure, cut to the length that MPI allows. It is the
/// same class for all failures, because MPI frees none.
int class_of_last_error() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static const int own_class = [] {
    int made = MPI_ERR_OTHER;
    MPI_Add_error_class(&made);
    return made;
  }();
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  std::snprintf(text.data(), text.size(), "%s", cubefold_last_error());
  MPI_Add_error_string(own_class, text.data());
  return own_class;
}

}  // namespace

void cubefold_f_keep_addresses(int is_f08, const CFI_cdesc_t* in_place, const CFI_cdesc_t* bottom,
                               const CFI_cdesc_t* status_ignore) {
  const std::size_t module = is_f08 != 0 ? 1 : 0;
  kept.in_place[module] = in_place->base_addr;
  kept.bottom[module] = bottom->base_addr;
  kept.status_ignore[module] = status_ignore->base_addr;
}

namespace cubefold::fortran {

void require_buffer(const Argument& argument) {
  const void* address = argument.buffer->base_addr;
  const auto refuse = [&](const char* rule) {
    throw std::invalid_argument(std::string(argument.name) + rule);
  };
  if (argument.buffer->rank > 0 && CFI_is_contiguous(argument.buffer) == 0) refuse(" is not contiguous");
  if (address == nullptr) return;
  if (is_one_of(addresses().in_place, address))
    refuse(" is MPI_IN_PLACE; calls in place are separate procedures");
  if (is_one_of(addresses().bottom, address)) refuse(" is MPI_BOTTOM, which only C may pass");
}

void report(int code, int* ierror) noexcept {
  if (ierror != nullptr) *ierror = code;
  if (ierror != nullptr || code == CUBEFOLD_SUCCESS) return;
  const bool runs_mpi = is_mpi_running();
  // Open MPI cuts the text that it prints, and may lose it.
  if (!runs_mpi || are_errors_fatal()) std::fprintf(stderr, "%s\n", cubefold_last_error());
  if (!runs_mpi) std::exit(EXIT_FAILURE);  // NOLINT(concurrency-mt-unsafe): the program is over
  MPI_Comm_call_errhandler(MPI_COMM_WORLD, class_of_last_error());
}

std::string text_of(const CFI_cdesc_t& text) {
  const std::string_view all(static_cast<const char*>(text.base_addr), text.elem_len);
  return std::string(all.substr(0, all.find_last_not_of(' ') + 1));
}

StatusOut::StatusOut(MPI_Fint* fortran)
    : fortran_(is_one_of(addresses().status_ignore, fortran) ? nullptr : fortran) {}

void StatusOut::store() const {
  // A status of mpi_f08 has the layout of one of mpif.h in Open MPI and in MPICH. Open MPI 4.1 has no MPI_Status_c2f08.
  if (fortran_ != nullptr) mpi::check(MPI_Status_c2f(&status_, fortran_), "MPI_Status_c2f");
}

}  // namespace cubefold::fortran
