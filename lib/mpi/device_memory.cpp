#include "device_memory.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "agreement.hpp"
#include "comm_context.hpp"

namespace cubefold::mpi {

namespace {

/// Asks a driver whether a device holds an address. It is empty if the library of the driver cannot be asked.
using Query = std::function<bool(const void* address)>;

template <typename Function>
Function function_of(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

// These functions, types and numbers are those of the drivers' interfaces, whose headers are not needed for a build. A
// result of 0 is success.

Query query_of_cuda(void* library) {
  using PointerGetAttribute = int (*)(void* value, int attribute, std::uint64_t address);
  const auto attribute_of = function_of<PointerGetAttribute>(library, "cuPointerGetAttribute");
  if (attribute_of == nullptr) return {};
  return [attribute_of](const void* address) {
    constexpr int memory_type = 2;
    constexpr unsigned device = 2;
    unsigned type = 0;
    return attribute_of(&type, memory_type, reinterpret_cast<std::uintptr_t>(address)) == 0 && type == device;
  };
}

/// Numbers of memory types differ between the versions of HIP, but memory of a device has no address on the host in all
/// of them.
Query query_of_hip(void* library) {
  struct Attributes {
    int type;
    int device;
    void* device_address;
    void* host_address;
    int is_managed;
    unsigned flags;
    std::array<std::byte, 64> later_versions;
  };
  using PointerGetAttributes = int (*)(Attributes*, const void* address);
  const auto attributes_of = function_of<PointerGetAttributes>(library, "hipPointerGetAttributes");
  if (attributes_of == nullptr) return {};
  return [attributes_of](const void* address) {
    Attributes found{};
    return attributes_of(&found, address) == 0 && found.device_address != nullptr &&
           found.host_address == nullptr && found.is_managed == 0;
  };
}

/// Returns a context of the first driver of Level Zero, which is kept until the process ends, or null.
void* level_zero_context(void* library) {
  struct Description {
    int type = 0xd;
    const void* next = nullptr;
    std::uint32_t flags = 0;
  };
  const auto init = function_of<int (*)(std::uint32_t)>(library, "zeInit");
  const auto get_drivers = function_of<int (*)(std::uint32_t*, void**)>(library, "zeDriverGet");
  const auto create = function_of<int (*)(void*, const Description*, void**)>(library, "zeContextCreate");
  constexpr std::uint32_t gpu_only = 1;
  if (init == nullptr || get_drivers == nullptr || create == nullptr || init(gpu_only) != 0) return nullptr;
  std::uint32_t count = 1;
  void* driver = nullptr;
  if (get_drivers(&count, &driver) != 0 || count == 0) return nullptr;
  const Description description;
  void* context = nullptr;
  return create(driver, &description, &context) == 0 ? context : nullptr;
}

Query query_of_level_zero(void* library) {
  struct Properties {
    int structure = 0x17;
    void* next = nullptr;
    int type = 0;
    std::uint64_t id = 0;
    std::uint64_t page_bytes = 0;
  };
  using GetProperties = int (*)(void* context, const void* address, Properties*, void** device);
  const auto properties_of = function_of<GetProperties>(library, "zeMemGetAllocProperties");
  void* context = properties_of == nullptr ? nullptr : level_zero_context(library);
  if (context == nullptr) return {};
  return [properties_of, context](const void* address) {
    constexpr int device = 2;
    Properties found;
    return properties_of(context, address, &found, nullptr) == 0 && found.type == device;
  };
}

struct Driver {
  std::string_view name;
  const char* library;
  Query (*query_of)(void* library);
};

constexpr std::array drivers{
    Driver{"CUDA", "libcuda.so.1", query_of_cuda},
    Driver{"HIP", "libamdhip64.so.7", query_of_hip},
    Driver{"HIP", "libamdhip64.so.6", query_of_hip},
    Driver{"HIP", "libamdhip64.so.5", query_of_hip},
    Driver{"Level Zero", "libze_loader.so.1", query_of_level_zero},
};

/// Returns how often the process has loaded a library so far. Costs O(1).
unsigned long long loaded_library_count() {
  unsigned long long count = 0;
  const auto read = [](dl_phdr_info* first, std::size_t, void* result) {
    *static_cast<unsigned long long*>(result) = first->dlpi_adds;
    return 1;  // ends the iteration: all libraries have the same number
  };
  dl_iterate_phdr(read, &count);
  return count;
}

/// The drivers of this process. Threads may ask them while another one looks for more.
class FoundDrivers {
 public:
  /// Searches only if the process has loaded a library since the last time: dlopen() looks through folders for each
  /// driver that is not there.
  bool find() {
    const std::lock_guard lock(mutex_);
    if (loaded_library_count() == searched_libraries_) return found_ != 0;
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      void* library = is_asked_[i] ? nullptr : dlopen(drivers[i].library, RTLD_LAZY | RTLD_NOLOAD);
      if (library == nullptr) continue;
      is_asked_[i] = true;
      queries_[i] = drivers[i].query_of(library);
      if (queries_[i]) found_.fetch_or(1U << i, std::memory_order_release);
    }
    searched_libraries_ = loaded_library_count();
    return found_ != 0;
  }

  std::string_view that_holds(const void* address) const {
    const unsigned found = found_.load(std::memory_order_acquire);
    if (found == 0) return {};
    for (std::size_t i = 0; i < drivers.size(); ++i)
      if ((found >> i & 1U) != 0 && queries_[i](address)) return drivers[i].name;
    return {};
  }

 private:
  std::mutex mutex_;
  std::array<bool, drivers.size()>
      is_asked_{};  ///< hwloc may load a driver's library where there is no device
  std::array<Query, drivers.size()> queries_;
  unsigned long long searched_libraries_ = 0;  ///< loaded_library_count() after the last search
  std::atomic<unsigned> found_ = 0;
};

FoundDrivers& found_drivers() {
  static FoundDrivers found;
  return found;
}

}  // namespace

bool find_device_drivers() {
  return found_drivers().find();
}

std::string_view device_that_holds(const void* address) {
  return found_drivers().that_holds(address);
}

void require_host_memory(std::initializer_list<NamedBuffer> buffers) {
  for (const NamedBuffer& buffer : buffers) {
    const std::string_view device = device_that_holds(buffer.address);
    if (device.empty()) continue;
    throw std::invalid_argument(
        fmt::format("{} is memory of a {} device; cubefold exchanges host memory only", buffer.name, device));
  }
}

void agree_on_host_memory(CommContext& context, std::initializer_list<NamedBuffer> buffers) {
  if (!context.has_devices()) return require_host_memory(buffers);
  context.drain();
  agree_on_outcome(context.comm(), [&] { require_host_memory(buffers); });
}

}  // namespace cubefold::mpi
