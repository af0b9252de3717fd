#pragma once

#include <initializer_list>
#include <string_view>

#include "cubefold/export.h"

namespace cubefold::mpi {

class CommContext;

/// Looks for the drivers of devices whose libraries this process has loaded: CUDA, HIP and Level Zero. Returns whether
/// there is one. Costs some microseconds, and does not communicate.
CUBEFOLD_API bool find_device_drivers();

/// Returns the name of the driver that holds an address in the memory of a device, or an empty text. The host may read
/// the memory then. Asks the drivers that find_device_drivers() has found. Without them it costs some instructions.
CUBEFOLD_API std::string_view device_that_holds(const void* address);

/// A buffer of the caller, and the name of its argument.
struct NamedBuffer {
  const void* address;
  std::string_view name;
};

/// Throws std::invalid_argument if a device holds one of the buffers.
CUBEFOLD_API void require_host_memory(std::initializer_list<NamedBuffer> buffers);

/// Likewise. If the driver of a device is loaded on any process, it is collective, completes the exchanges that are
/// under way, and throws on all processes.
CUBEFOLD_API void agree_on_host_memory(CommContext& context, std::initializer_list<NamedBuffer> buffers);

}  // namespace cubefold::mpi
