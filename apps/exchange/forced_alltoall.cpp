#include "exchange/forced_alltoall.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "mpi/agreement.hpp"
#include "mpi/job_files.hpp"

using cubefold::mpi::agree_on_outcome;

namespace {

constexpr const char* switch_variable = "coll_tuned_use_dynamic_rules";
constexpr const char* mpich_variable = "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM";

void require(bool fulfilled, const char* variable, const char* rule) {
  if (fulfilled) return;
  throw std::invalid_argument(fmt::format("cannot force algorithms of MPI: control variable {} of {} {}",
                                          variable, cubefold::mpi::library_name(), rule));
}

int index_of(const char* variable) {
  int index = 0;
  require(MPI_T_cvar_get_index(variable, &index) == MPI_SUCCESS, variable, "does not exist");
  return index;
}

/// Returns a handle of a control variable of MPI. Throws std::invalid_argument if MPI has no such variable, or if it is
/// not a single value of this type, as it is in Open MPI 4.1 and in MPICH 4.0.
MPI_T_cvar_handle handle_of(const char* variable, MPI_Datatype type) {
  const int index = index_of(variable);
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
          "is not what it was in Open MPI 4.1 and MPICH 4.0");
  return handle;
}

template <typename Value>
Value value_of(MPI_T_cvar_handle handle, const char* variable) {
  Value value{};
  require(MPI_T_cvar_read(handle, &value) == MPI_SUCCESS, variable, "cannot be read");
  return value;
}

void require_forcing_allowed() {
  MPI_T_cvar_handle handle = handle_of(switch_variable, MPI_C_BOOL);
  const bool allowed = value_of<bool>(handle, switch_variable);
  MPI_T_cvar_handle_free(&handle);
  require(allowed, switch_variable, "is off");
}

/// Returns the number of an algorithm of MPICH. MPICH counts from 1 in the order of the description, which has a text
/// such as `brucks - Force brucks algorithm` for each of them.
std::optional<int> number_in(std::string_view description, std::string_view algorithm) {
  constexpr std::string_view mark = "- Force ";
  int number = 0;
  for (auto at = description.find(mark); at != std::string_view::npos; at = description.find(mark)) {
    description.remove_prefix(at + mark.size());
    ++number;
    if (description.starts_with(fmt::format("{} algorithm", algorithm))) return number;
  }
  return std::nullopt;
}

int mpich_number(const std::string& algorithm) {
  std::array<char, 4096> description{};
  int length = description.size();
  int name_length = 0;
  int verbosity = 0;
  int binding = 0;
  int scope = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_cvar_get_info(index_of(mpich_variable), nullptr, &name_length, &verbosity, &type, nullptr,
                      description.data(), &length, &binding, &scope);
  const auto number = number_in(description.data(), algorithm);
  require(number.has_value(), mpich_variable, fmt::format("has no algorithm '{}'", algorithm).c_str());
  return *number;
}

/// Keeps MPI's tools interface running.
struct ToolsInterface {
  ToolsInterface() {
    int provided = 0;
    cubefold::mpi::check(MPI_T_init_thread(MPI_THREAD_SINGLE, &provided), "MPI_T_init_thread");
  }
  ToolsInterface(const ToolsInterface&) = delete;
  ToolsInterface& operator=(const ToolsInterface&) = delete;
  ~ToolsInterface() { MPI_T_finalize(); }
};

}  // namespace

void allow_forcing() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread runs before MPI_Init
  setenv(fmt::format("OMPI_MCA_{}", switch_variable).c_str(), "1", 1);
}

struct ControlVariable {
  explicit ControlVariable(const char* variable)
      : name(variable), handle(handle_of(variable, MPI_INT)), before(value_of<int>(handle, variable)) {}
  ControlVariable(const ControlVariable&) = delete;
  ControlVariable& operator=(const ControlVariable&) = delete;
  ~ControlVariable() { MPI_T_cvar_handle_free(&handle); }

  void write(int value) const {
    require(MPI_T_cvar_write(handle, &value) == MPI_SUCCESS, name, "cannot be written");
  }

  ToolsInterface tools;
  const char* name;
  MPI_T_cvar_handle handle;
  int before;
};

AlltoallForcer::AlltoallForcer(const char* control_variable) {
  agree_on_outcome(MPI_COMM_WORLD, [&] {
    variable_ = std::make_unique<ControlVariable>(control_variable);
    require_forcing_allowed();
  });
}

AlltoallForcer::~AlltoallForcer() = default;

cubefold::mpi::OwnedComm AlltoallForcer::duplicate(MPI_Comm comm, int algorithm) {
  agree_on_outcome(comm, [&] { variable_->write(algorithm); });
  auto copy = cubefold::mpi::OwnedComm::duplicate(comm);
  agree_on_outcome(comm, [&] { variable_->write(variable_->before); });
  return copy;
}

MpichForcer::MpichForcer(const std::string& algorithm) {
  agree_on_outcome(MPI_COMM_WORLD, [&] {
    variable_ = std::make_unique<ControlVariable>(mpich_variable);
    number_ = mpich_number(algorithm);
  });
}

MpichForcer::~MpichForcer() = default;

void MpichForcer::run(const std::function<void()>& exchange) const {
  variable_->write(number_);
  exchange();
  variable_->write(variable_->before);
}
