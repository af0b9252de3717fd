#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "support/world.hpp"

namespace cubefold::mpi {

/// The path of a temporary file that all processes know and that no other run uses. The destructor removes the file.
/// All processes must construct and destroy it.
struct FileOfWorld {
  explicit FileOfWorld(const std::string& name) {
    int id = static_cast<int>(getpid());
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    path = std::filesystem::temp_directory_path() / (name + "-" + std::to_string(id) + ".json");
  }
  FileOfWorld(const FileOfWorld&) = delete;
  FileOfWorld& operator=(const FileOfWorld&) = delete;
  ~FileOfWorld() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) std::filesystem::remove(path);
  }

  std::string path;
};

}  // namespace cubefold::mpi
