// Sessions of MPI 4. A program that only has sessions has no MPI_COMM_WORLD, so what this library has to know of all
// processes comes from the first communicator of several processes that the program makes from a group of a session.

#include <mpi.h>

#if MPI_VERSION >= 4

#include <array>
#include <atomic>
#include <memory>
#include <string_view>

#include "alltoall_arguments.hpp"
#include "cubefold/mpi/error.hpp"
#include "interception.hpp"
#include "mpi/processes.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "report_line.hpp"
#include "summary.hpp"
#include "world.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;

constexpr const char* key_of_level = "thread_level";
constexpr const char* several_threads = "MPI_THREAD_MULTIPLE";

/// The sessions of this process.
struct Sessions {
  std::atomic<int> open_count = 0;
  std::atomic<bool> has_several_threads = false;  ///< one of them has
};

Sessions& sessions() {
  static Sessions all;
  return all;
}

bool has_called_init() {
  int is_initialised = 0;
  MPI_Initialized(&is_initialised);
  return is_initialised != 0;
}

/// An info with the program's keys that asks for several threads.
class InfoOfThreads {
 public:
  explicit InfoOfThreads(MPI_Info programs) {
    if (programs == MPI_INFO_NULL) {
      check(MPI_Info_create(&info_), "MPI_Info_create");
    } else {
      check(MPI_Info_dup(programs, &info_), "MPI_Info_dup");
    }
    check(MPI_Info_set(info_, key_of_level, several_threads), "MPI_Info_set");
  }
  InfoOfThreads(const InfoOfThreads&) = delete;
  InfoOfThreads& operator=(const InfoOfThreads&) = delete;
  ~InfoOfThreads() { MPI_Info_free(&info_); }

  MPI_Info get() const { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// Returns whether several threads may call MPI in a session, also if MPI does not say it.
bool may_have_several_threads(MPI_Session session) {
  MPI_Info info = MPI_INFO_NULL;
  if (MPI_Session_get_info(session, &info) != MPI_SUCCESS) return true;
  std::array<char, 64> level{};
  int length = level.size();
  int is_there = 0;
  const int code = MPI_Info_get_string(info, key_of_level, &length, level.data(), &is_there);
  MPI_Info_free(&info);
  return code != MPI_SUCCESS || is_there == 0 || std::string_view(level.data()) == several_threads;
}

/// Returns an info that asks for several threads, or nothing if the program's cannot be copied.
std::unique_ptr<InfoOfThreads> info_of_threads(MPI_Info programs) {
  if (!wants_progress_threads()) return nullptr;
  try {
    return std::make_unique<InfoOfThreads>(programs);
  } catch (...) {
    return nullptr;
  }
}

int init_session(MPI_Info info, MPI_Errhandler handler, MPI_Session* session, Name name) {
  const auto next = [&](MPI_Info passed) {
    return pass_on(name, [&](const NextMpi& mpi) { return mpi.Session_init(passed, handler, session); });
  };
  if (!may_replace()) return next(info);
  const auto of_threads = info_of_threads(info);
  const int code = next(of_threads ? of_threads->get() : info);
  if (code != MPI_SUCCESS) return code;
  const InsideLibrary inside;
  ++sessions().open_count;
  if (may_have_several_threads(*session)) sessions().has_several_threads = true;
  // Until a communicator of a session has several processes, nothing is known of them.
  if (!has_called_init() && mpi::job_comm() == MPI_COMM_WORLD) mpi::set_job_comm(MPI_COMM_NULL);
  return code;
}

int create_from_group(MPI_Group group, const char* tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm* made,
                      Name name) {
  const int code = pass_on(
      name, [&](const NextMpi& mpi) { return mpi.Comm_create_from_group(group, tag, info, handler, made); });
  if (code != MPI_SUCCESS || !may_replace()) return code;
  try {
    const InsideLibrary inside;
    if (!has_called_init()) gather_world_of_session(*made, sessions().has_several_threads);
    if (mpi::job_comm() != MPI_COMM_NULL) prepare_checks();
  } catch (...) {
    return report_failure(*made, "MPI_Comm_create_from_group");
  }
  return with_progress_thread(*made, made);
}

/// Before the last session ends, this says what MPI_Finalize says in programs that call MPI_Init. Where nothing is
/// known of the processes, nobody says anything, since no process is the first of all.
void end_last_session() {
  const MPI_Comm all = mpi::job_comm();
  if (has_called_init() || all == MPI_COMM_NULL) return;
  end_with_report(mpi::rank_in(all) == 0);
  const InsideLibrary inside;
  free_world_of_session();
}

int finalize_session(MPI_Session* session, Name name) {
  const bool is_one = may_replace() && session != nullptr && *session != MPI_SESSION_NULL;
  if (is_one && --sessions().open_count == 0) end_last_session();
  return pass_on(name, [&](const NextMpi& mpi) { return mpi.Session_finalize(session); });
}

}  // namespace

}  // namespace cubefold::preload

CUBEFOLD_REPLACE(Session_init, (MPI_Info info, MPI_Errhandler handler, MPI_Session* session),
                 cubefold::preload::init_session(info, handler, session, name))

CUBEFOLD_REPLACE(Session_finalize, (MPI_Session * session),
                 cubefold::preload::finalize_session(session, name))

CUBEFOLD_REPLACE(Comm_create_from_group,
                 (MPI_Group group, const char* tag, MPI_Info info, MPI_Errhandler handler, MPI_Comm* made),
                 cubefold::preload::create_from_group(group, tag, info, handler, made, name))
#endif
