#include "exchange/forced_alltoall.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <stdexcept>

#include "mpi/agreement.hpp"
#include "program/mpi_program.hpp"

using cubefold::mpi::collective_try;

namespace {

constexpr const char* switch_variable = "coll_tuned_use_dynamic_rules";

void require(bool fulfilled, const char* variable, const char* rule) {
  if (fulfilled) return;
  const auto library = cubefold::program::run_facts().at("mpi").get<std::string>();
  throw std::invalid_argument(
      fmt::format("cannot force algorithms of MPI: control variable {} of {} {}", variable, library, rule));
}

/// Returns a handle of a control variable of MPI. Throws std::invalid_argument if MPI has no such variable, or if it is
/// not a single value of this type, as it is in Open MPI 4.1.
template <typename Value>
MPI_T_cvar_handle handle_of(const char* variable, MPI_Datatype type) {
  int index = 0;
  require(MPI_T_cvar_get_index(variable, &index) == MPI_SUCCESS, variable, "does not exist");
  int name_length = 0;
  int description_length = 0;
  int verbosity = 0;
  int binding = 0;
  int scope = 0;
  MPI_Datatype actual = MPI_DATATYPE_NULL;
  MPI_T_cvar_get_info(index, nullptr, &name_length, &verbosity, &actual, nullptr, nullptr,
                      &description_length, &binding, &scope);
  MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
  int count = 0;
  const int code = MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count);
  require(code == MPI_SUCCESS && actual == type && count == 1, variable,
          "is not what it was in Open MPI 4.1");
  return handle;
}

template <typename Value>
Value value_of(MPI_T_cvar_handle handle, const char* variable) {
  Value value{};
  require(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS, variable, "cannot be read");
  return value;
}

void require_forcing_allowed() {
  MPI_T_cvar_handle handle = handle_of<bool>(switch_variable, MPI_C_BOOL);
  const bool allowed = value_of<bool>(handle, switch_variable);
  MPI_T_cvar_handle_free(&handle);
  require(allowed, switch_variable, "is off");
}

}  // namespace

void allow_forcing() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread runs before MPI_Init
  setenv(fmt::format("OMPI_MCA_{}", switch_variable).c_str(), "1", 1);
}

struct AlltoallForcer::Variable {
  explicit Variable(const char* variable)
      : name(variable), handle(handle_of<int>(variable, MPI_INT)), before(value_of<int>(handle, variable)) {}

  void write(int algorithm) const {
    require(MPI_T_cvar_write(handle, &algorithm) == MPI_SUCCESS, name, "cannot be written");
  }

  const char* name;
  MPI_T_cvar_handle handle;
  int before;
};

AlltoallForcer::AlltoallForcer(const char* control_variable) {
  int provided = 0;
  cubefold::mpi::check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
  try {
    collective_try(MPI_COMM_WORLD, [&] {
      variable_ = std::make_unique<Variable>(control_variable);
      require_forcing_allowed();
    });
  } catch (...) {
    MPI_T_finalize();
    throw;
  }
}

AlltoallForcer::~AlltoallForcer() {
  MPI_T_cvar_handle_free(&variable_->handle);
  MPI_T_finalize();
}

cubefold::mpi::OwnedComm AlltoallForcer::duplicate(MPI_Comm comm, int algorithm) {
  collective_try(comm, [&] { variable_->write(algorithm); });
  auto copy = cubefold::mpi::OwnedComm::duplicate(comm);
  collective_try(comm, [&] { variable_->write(variable_->before); });
  return copy;
}
