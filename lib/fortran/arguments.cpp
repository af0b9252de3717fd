#include "fortran/arguments.hpp"

#include <stdexcept>
#include <string_view>

extern "C" {
void cubefold_f_show_addresses();
CUBEFOLD_API void cubefold_f_keep_addresses(const CFI_cdesc_t* in_place, const CFI_cdesc_t* bottom,
                                            const MPI_Fint* status_ignore);
}

namespace {

/// The addresses that stand for MPI_IN_PLACE, MPI_BOTTOM and MPI_STATUS_IGNORE in mpi_f08.
struct Addresses {
  const void* in_place = nullptr;
  const void* bottom = nullptr;
  const void* status_ignore = nullptr;
};

Addresses kept;

const Addresses& addresses() {
  static const bool are_known = [] {
    cubefold_f_show_addresses();
    return true;
  }();
  static_cast<void>(are_known);
  return kept;
}

}  // namespace

void cubefold_f_keep_addresses(const CFI_cdesc_t* in_place, const CFI_cdesc_t* bottom,
                               const MPI_Fint* status_ignore) {
  kept = {in_place->base_addr, bottom->base_addr, status_ignore};
}

namespace cubefold::fortran {

void require_buffer(const Argument& argument) {
  const void* address = argument.buffer->base_addr;
  const auto refuse = [&](const char* rule) {
    throw std::invalid_argument(std::string(argument.name) + rule);
  };
  if (argument.buffer->rank > 0 && CFI_is_contiguous(argument.buffer) == 0) refuse(" is not contiguous");
  if (address == nullptr) return;
  if (address == addresses().in_place) refuse(" is MPI_IN_PLACE; exchanges in place are separate procedures");
  if (address == addresses().bottom) refuse(" is MPI_BOTTOM, which only C may pass");
}

std::string text_of(const CFI_cdesc_t& text) {
  const std::string_view all(static_cast<const char*>(text.base_addr), text.elem_len);
  return std::string(all.substr(0, all.find_last_not_of(' ') + 1));
}

StatusOut::StatusOut(MPI_Fint* fortran)
    : fortran_(fortran == addresses().status_ignore ? nullptr : fortran) {}

void StatusOut::store() const {
  // A status of mpi_f08 has the layout of one of mpif.h in Open MPI and in MPICH. Open MPI 4.1 has no MPI_Status_c2f08.
  if (fortran_ != nullptr) mpi::check(MPI_Status_c2f(&status_, fortran_), "MPI_Status_c2f");
}

}  // namespace cubefold::fortran
