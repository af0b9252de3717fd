#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <string>

namespace cubefold::mpi {

/// A driver of devices that this process has loaded, as device_driver.c. It stays until the process ends.
class DeviceDriver {
 public:
  /// Loads one of those that the tests have, by its file name.
  explicit DeviceDriver(const std::string& file)
      : library_(dlopen((std::string(CUBEFOLD_DEVICE_DRIVERS "/") + file).c_str(), RTLD_NOW | RTLD_LOCAL)) {}

  bool is_loaded() const { return library_ != nullptr; }

  /// Returns whether the process has loaded the library of this name before, as MPICH does for hwloc.
  static bool exists(const std::string& file) {
    return dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD) != nullptr;
  }

  /// Returns memory of a device.
  template <typename T>
  T* allocate(std::size_t count) const {
    const auto give = reinterpret_cast<void* (*)(std::size_t)>(dlsym(library_, "device_driver_allocate"));
    return static_cast<T*>(give(count * sizeof(T)));
  }

 private:
  void* library_;
};

}  // namespace cubefold::mpi
