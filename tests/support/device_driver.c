/* A driver of devices for tests, which answers as those of CUDA, HIP and Level Zero. All memory that it gives counts as
 * memory of a device, although the host can read it. */

#include <stddef.h>
#include <stdint.h>

static double numbers[1 << 13];
static char* const memory = (char*)numbers;
static size_t taken = 0;

static int holds(const void* address) {
  return (const char*)address >= memory && (const char*)address < memory + taken;
}

void* device_driver_allocate(size_t bytes) {
  void* given = memory + taken;
  if (taken + bytes > sizeof numbers) return NULL;
  taken += bytes;
  return given;
}

int cuPointerGetAttribute(void* value, int attribute, unsigned long long address) {
  const void* held =
      (const void*)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr): CUDA's addresses are so */
  if (attribute != 2 || !holds(held)) return 1;
  *(unsigned*)value = 2;
  return 0;
}

/* Memory of the host is known to later versions of HIP, and has no address on a device. */
struct hip_attributes {
  int type;
  int device;
  void* device_address;
  void* host_address;
  int is_managed;
  unsigned flags;
};

int hipPointerGetAttributes(struct hip_attributes* attributes, void* address) {
  const struct hip_attributes of_host = {0, 0, NULL, address, 0, 0};
  const struct hip_attributes of_device = {2, 0, address, NULL, 0, 0};
  *attributes = holds(address) ? of_device : of_host;
  return 0;
}

int zeInit(uint32_t flags) {
  return flags == 1 ? 0 : 1;
}

int zeDriverGet(uint32_t* count, void** driver) {
  *count = 1;
  *driver = memory;
  return 0;
}

int zeContextCreate(void* driver, const void* description, void** context) {
  if (driver != memory || *(const int*)description != 0xd) return 1;
  *context = &taken;
  return 0;
}

struct level_zero_properties {
  int structure;
  void* next;
  int type;
  uint64_t id;
  uint64_t page_bytes;
};

int zeMemGetAllocProperties(void* context, const void* address, struct level_zero_properties* properties,
                            void** device) {
  (void)device;
  if (context != &taken || properties->structure != 0x17) return 1;
  properties->type = holds(address) ? 2 : 0;
  return 0;
}
