// This file has the C side of cubefold_fft.f90.
#include "cubefold/cubefold_fft.h"
#include "fortran/arguments.hpp"

using cubefold::fortran::run;
using cubefold::fortran::run_with;
using cubefold::fortran::text_of;

static_assert(sizeof(cubefold_fft_options) == 2 * sizeof(size_t) + 18 * sizeof(int) + 3 * sizeof(const int*),
              "cubefold_fft.f90 counts the members of cubefold_fft_options");

extern "C" {

CUBEFOLD_API void cubefold_f_fft_create(const cubefold_comm* comm, const CFI_cdesc_t* lengths,
                                        cubefold_fft* plan, const cubefold_fft_options* options,
                                        int* ierror) {
  run("cubefold_fft_create", ierror, [&] {
    return cubefold_fft_create(*comm, static_cast<int>(lengths->dim[0].extent),
                               static_cast<const size_t*>(lengths->base_addr), options, plan);
  });
}

CUBEFOLD_API void cubefold_f_fft_free(cubefold_fft* plan, int* ierror) {
  run("cubefold_fft_free", ierror, [&] { return cubefold_fft_free(plan); });
}

CUBEFOLD_API void cubefold_f_fft_local_count(const cubefold_fft* plan, int end, size_t* count, int* ierror) {
  run("cubefold_fft_local_count", ierror, [&] { return cubefold_fft_local_count(*plan, end, count); });
}

CUBEFOLD_API void cubefold_f_fft_local_box(const cubefold_fft* plan, int end, size_t* extents,
                                           size_t* offsets, int* ierror) {
  run("cubefold_fft_local_box", ierror, [&] { return cubefold_fft_local_box(*plan, end, extents, offsets); });
}

CUBEFOLD_API void cubefold_f_fft_local_strides(const cubefold_fft* plan, int end, size_t* strides,
                                               size_t* batch_stride, int* ierror) {
  run("cubefold_fft_local_strides", ierror,
      [&] { return cubefold_fft_local_strides(*plan, end, strides, batch_stride); });
}

CUBEFOLD_API void cubefold_f_fft_owner(const cubefold_fft* plan, int end, size_t point, int* rank,
                                       size_t* place, int* ierror) {
  run("cubefold_fft_owner", ierror, [&] { return cubefold_fft_owner(*plan, end, point, rank, place); });
}

CUBEFOLD_API void cubefold_f_fft_point_at(const cubefold_fft* plan, int end, size_t place, size_t* point,
                                          int* ierror) {
  run("cubefold_fft_point_at", ierror, [&] { return cubefold_fft_point_at(*plan, end, place, point); });
}

CUBEFOLD_API void cubefold_f_fft_execute(const cubefold_fft* plan, const CFI_cdesc_t* input,
                                         const CFI_cdesc_t* output, int* ierror) {
  run_with("cubefold_fft_execute", ierror, {{input, "input"}, {output, "output"}},
           [&] { return cubefold_fft_execute(*plan, input->base_addr, output->base_addr); });
}

CUBEFOLD_API void cubefold_f_fft_execute_in_place(const cubefold_fft* plan, const CFI_cdesc_t* buffer,
                                                  int* ierror) {
  run_with("cubefold_fft_execute", ierror, {{buffer, "buffer"}},
           [&] { return cubefold_fft_execute(*plan, buffer->base_addr, buffer->base_addr); });
}

CUBEFOLD_API void cubefold_f_fft_execute_direction(const cubefold_fft* plan, int transform,
                                                   const CFI_cdesc_t* input, const CFI_cdesc_t* output,
                                                   int* ierror) {
  run_with("cubefold_fft_execute_direction", ierror, {{input, "input"}, {output, "output"}}, [&] {
    return cubefold_fft_execute_direction(*plan, transform, input->base_addr, output->base_addr);
  });
}

CUBEFOLD_API void cubefold_f_fft_execute_direction_in_place(const cubefold_fft* plan, int transform,
                                                            const CFI_cdesc_t* buffer, int* ierror) {
  run_with("cubefold_fft_execute_direction", ierror, {{buffer, "buffer"}}, [&] {
    return cubefold_fft_execute_direction(*plan, transform, buffer->base_addr, buffer->base_addr);
  });
}

CUBEFOLD_API void cubefold_f_fft_alloc(const cubefold_comm* comm, size_t bytes, void** memory, int* ierror) {
  run("cubefold_fft_alloc", ierror, [&] { return cubefold_fft_alloc(*comm, bytes, memory); });
}

CUBEFOLD_API void cubefold_f_fft_free_memory(void** memory, int* ierror) {
  run("cubefold_fft_free_memory", ierror, [&] { return cubefold_fft_free_memory(memory); });
}

CUBEFOLD_API void cubefold_f_fft_last_times(const cubefold_fft* plan, cubefold_fft_times* times,
                                            int* ierror) {
  run("cubefold_fft_last_times", ierror, [&] { return cubefold_fft_last_times(*plan, times); });
}

CUBEFOLD_API void cubefold_f_fft_export_wisdom(const cubefold_comm* comm, const CFI_cdesc_t* file,
                                               int* ierror) {
  run("cubefold_fft_export_wisdom", ierror,
      [&] { return cubefold_fft_export_wisdom(*comm, text_of(*file).c_str()); });
}

CUBEFOLD_API void cubefold_f_fft_import_wisdom(const cubefold_comm* comm, const CFI_cdesc_t* file,
                                               int* ierror) {
  run("cubefold_fft_import_wisdom", ierror,
      [&] { return cubefold_fft_import_wisdom(*comm, text_of(*file).c_str()); });
}

}  // extern "C"
