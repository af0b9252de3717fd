// All-to-alls that this library never replaces. It counts them, so that the line at MPI_Finalize does not leave out
// calls in which a program may spend its time.

#include <mpi.h>

#include "interception.hpp"
#include "next_function.hpp"
#include "next_mpi.hpp"

#if MPI_VERSION >= 4
namespace cubefold::preload {

namespace {

/// A function that is counted and passed on.
template <typename... Arguments>
class Counted {
 public:
  using Function = int (*)(Arguments...);

  Counted(Function like, const char* name, const char* profiling_name)
      : calls_{{name}},
        next_(next_function(like, name)),
        next_of_profiling_(next_function(like, profiling_name)) {
    add_never_replaced(calls_);
  }

  int pass_on(Name name, Arguments... arguments) {
    if (may_replace()) ++calls_.count.passed_on;
    const Function next = name == Name::mpi && !InsideLibrary::is_active() ? next_ : next_of_profiling_;
    const InsideLibrary inside;
    return next(arguments...);
  }

 private:
  NeverReplaced calls_;
  Function next_;
  Function next_of_profiling_;
};

}  // namespace

}  // namespace cubefold::preload

#define CUBEFOLD_COUNTED(function, parameters, arguments)                                             \
  static auto& counted_##function() {                                                                 \
    static cubefold::preload::Counted counted(&PMPI_##function, "MPI_" #function, "PMPI_" #function); \
    return counted;                                                                                   \
  }                                                                                                   \
  CUBEFOLD_REPLACE(function, parameters, counted_##function().pass_on(name, CUBEFOLD_UNWRAPPED arguments))
#define CUBEFOLD_UNWRAPPED(...) __VA_ARGS__

// clang-format off
using Bytes = const void*;
using Type = MPI_Datatype;
using Types = const MPI_Datatype*;
using Comm = MPI_Comm;

// These define a function of each form. Sent blocks come before received ones.
#define CUBEFOLD_COUNTED_EQUAL(name, Count, ...)                                                                     \
  CUBEFOLD_COUNTED(name, (Bytes sent, Count sent_n, Type sent_type, void* data, Count n, Type type, Comm comm       \
                          __VA_OPT__(, MPI_Request* __VA_ARGS__)),                                                  \
                   (sent, sent_n, sent_type, data, n, type, comm __VA_OPT__(, __VA_ARGS__)))
#define CUBEFOLD_COUNTED_GATHER(name, Count, Place, ...)                                                             \
  CUBEFOLD_COUNTED(name, (Bytes sent, Count sent_n, Type sent_type, void* data, const Count* n, const Place* at,    \
                          Type type, Comm comm __VA_OPT__(, MPI_Request* __VA_ARGS__)),                             \
                   (sent, sent_n, sent_type, data, n, at, type, comm __VA_OPT__(, __VA_ARGS__)))
#define CUBEFOLD_COUNTED_UNEQUAL(name, Count, Place, Type, ...)                                                      \
  CUBEFOLD_COUNTED(name, (Bytes sent, const Count* sent_n, const Place* sent_at, Type sent_type, void* data,        \
                          const Count* n, const Place* at, Type type,                                               \
                          Comm comm __VA_OPT__(, MPI_Request* __VA_ARGS__)),                                        \
                   (sent, sent_n, sent_at, sent_type, data, n, at, type, comm __VA_OPT__(, __VA_ARGS__)))

CUBEFOLD_COUNTED_FUNCTIONS_OF_MPI_4(CUBEFOLD_COUNTED_EQUAL, CUBEFOLD_COUNTED_GATHER, CUBEFOLD_COUNTED_UNEQUAL)
// clang-format on
#endif
