/* This C99 program uses the C interface of the FFT in all the ways in which a C program would. */
#include <complex.h>
#include <cubefold/cubefold_fft.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/expect.h"
#include "support/leaks.h"

static const double two_pi = 6.28318530717958647692;

static size_t count_at(cubefold_fft plan, int end) {
  size_t count = 0;
  EXPECT_DONE(cubefold_fft_local_count(plan, end, &count));
  return count;
}

/* Returns the size of an array that is transformed in place. */
static size_t larger_count(cubefold_fft plan) {
  const size_t input_count = count_at(plan, CUBEFOLD_FFT_INPUT);
  const size_t output_count = count_at(plan, CUBEFOLD_FFT_OUTPUT);
  return input_count > output_count ? input_count : output_count;
}

static size_t point_at(cubefold_fft plan, int end, size_t place) {
  size_t point = 0;
  EXPECT_DONE(cubefold_fft_point_at(plan, end, place, &point));
  return point;
}

/* Returns the input at a place. It depends on the point only, not on the distribution. */
static double value_at(cubefold_fft plan, size_t place) {
  const size_t point = point_at(plan, CUBEFOLD_FFT_INPUT, place);
  return (double)(point * 2654435761U % 1000) / 1000 - 0.5;
}

/* Expects that every point belongs to one process, and that owner and place agree with point_at. */
static void points_have_owners(cubefold_comm comm, cubefold_fft plan, int end, size_t point_count) {
  unsigned long long sums[2] = {0, 0};
  int own_rank = -1;
  EXPECT_DONE(cubefold_comm_rank(comm, &own_rank));
  const size_t count = count_at(plan, end);
  for (size_t place = 0; place < count; ++place) {
    const size_t point = point_at(plan, end, place);
    if (point == CUBEFOLD_FFT_NO_POINT) continue;
    int rank = -1;
    size_t place_there = 0;
    EXPECT_DONE(cubefold_fft_owner(plan, end, point, &rank, &place_there));
    EXPECT(rank == own_rank && place_there == place);
    sums[0] += 1;
    sums[1] += point;
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(sums[0] == point_count);
  EXPECT(sums[1] == (unsigned long long)point_count * (point_count - 1) / 2);
}

/* Transforms the impulse that is 1 at j = 1 and 0 elsewhere. The result is X(k) = exp(-2 pi i k / n). */
static void impulse_becomes_a_wave(cubefold_comm comm, size_t n, const cubefold_fft_options* options) {
  cubefold_fft plan = NULL;
  EXPECT_DONE(cubefold_fft_create(comm, 1, &n, options, &plan));
  points_have_owners(comm, plan, CUBEFOLD_FFT_INPUT, n);
  points_have_owners(comm, plan, CUBEFOLD_FFT_OUTPUT, n);
  const size_t input_count = count_at(plan, CUBEFOLD_FFT_INPUT);
  const size_t output_count = count_at(plan, CUBEFOLD_FFT_OUTPUT);
  double complex* points = calloc(input_count + 1, sizeof *points);
  double complex* spectrum = calloc(output_count + 1, sizeof *spectrum);
  for (size_t place = 0; place < input_count; ++place)
    points[place] = point_at(plan, CUBEFOLD_FFT_INPUT, place) == 1 ? 1 : 0;
  EXPECT_DONE(cubefold_fft_execute(plan, points, spectrum));
  for (size_t place = 0; place < output_count; ++place) {
    const size_t k = point_at(plan, CUBEFOLD_FFT_OUTPUT, place);
    if (k == CUBEFOLD_FFT_NO_POINT) continue;
    EXPECT(cabs(spectrum[place] - cexp(-I * two_pi * (double)k / (double)n)) < 1e-13);
  }
  free(points);
  free(spectrum);
  EXPECT_DONE(cubefold_fft_free(&plan));
  EXPECT(plan == NULL);
}

static void transform_in_every_distribution(cubefold_comm comm, int size) {
  static const int distributions[][2] = {{CUBEFOLD_FFT_BLOCK, CUBEFOLD_FFT_BLOCK},
                                         {CUBEFOLD_FFT_CYCLIC, CUBEFOLD_FFT_CYCLIC},
                                         {CUBEFOLD_FFT_CYCLIC, CUBEFOLD_FFT_BLOCK},
                                         {CUBEFOLD_FFT_BLOCK, CUBEFOLD_FFT_SCRAMBLED}};
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  impulse_becomes_a_wave(comm, 60, NULL);
  for (size_t i = 0; i < sizeof distributions / sizeof *distributions; ++i) {
    options.input = distributions[i][0];
    options.output = distributions[i][1];
    impulse_becomes_a_wave(comm, 256, &options);
  }
  options.input = options.output = CUBEFOLD_FFT_BLOCK_CYCLIC;
  if ((size & (size - 1)) == 0) impulse_becomes_a_wave(comm, 64 * (size_t)size, &options);
}

/* Transforms two real arrays to half spectra, multiplies the second spectrum by 2, and transforms both back with a
   workspace of the caller. */
static void real_arrays_come_back(cubefold_comm comm, int dimension_count, const size_t* lengths,
                                  cubefold_fft_options options) {
  cubefold_fft there = NULL;
  cubefold_fft back = NULL;
  size_t bytes = 0;
  options.kind = CUBEFOLD_FFT_REAL;
  options.batch = 2;
  EXPECT_DONE(cubefold_fft_create(comm, dimension_count, lengths, &options, &there));
  const int output = options.output;
  options.transform = CUBEFOLD_FFT_INVERSE;
  options.output = options.input;
  options.input = output;
  EXPECT_DONE(cubefold_fft_create(comm, dimension_count, lengths, &options, &back));
  const size_t count = count_at(there, CUBEFOLD_FFT_INPUT);
  const size_t half_count = count_at(there, CUBEFOLD_FFT_OUTPUT);
  EXPECT(count_at(back, CUBEFOLD_FFT_INPUT) == half_count);
  EXPECT(count_at(back, CUBEFOLD_FFT_OUTPUT) == count);
  double* points = calloc(count + 1, sizeof *points);
  double complex* spectra = calloc(half_count + 1, sizeof *spectra);
  EXPECT_DONE(cubefold_fft_workspace_bytes(back, &bytes));
  void* workspace = malloc(bytes + 1);
  EXPECT_DONE(cubefold_fft_use_workspace(back, workspace));
  for (size_t i = 0; i < count; ++i) points[i] = value_at(there, i % (count / 2));
  EXPECT_DONE(cubefold_fft_execute(there, points, spectra));
  for (size_t i = 0; i < half_count; ++i) spectra[i] *= i < half_count / 2 ? 1 : 2;
  EXPECT_DONE(cubefold_fft_execute(back, spectra, points));
  for (size_t i = 0; i < count; ++i) {
    if (point_at(there, CUBEFOLD_FFT_INPUT, i % (count / 2)) == CUBEFOLD_FFT_NO_POINT) continue;
    EXPECT(fabs(points[i] - (i < count / 2 ? 1 : 2) * value_at(there, i % (count / 2))) < 1e-13);
  }
  EXPECT_DONE(cubefold_fft_free(&there));
  EXPECT_DONE(cubefold_fft_free(&back));
  free(points);
  free(spectra);
  free(workspace);
}

static void transform_real_numbers(cubefold_comm comm) {
  static const size_t line[] = {240};
  static const size_t odd[] = {45};
  static const size_t plane[] = {12, 10};
  static const size_t cube[] = {8, 9, 10};
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  real_arrays_come_back(comm, 1, line, options);
  real_arrays_come_back(comm, 1, odd, options);
  options.output = CUBEFOLD_FFT_SCRAMBLED;
  real_arrays_come_back(comm, 1, line, options);
  options.output = CUBEFOLD_FFT_BLOCK;
  real_arrays_come_back(comm, 2, plane, options);
  real_arrays_come_back(comm, 3, cube, options);
  options.transposed_output = 1;
  real_arrays_come_back(comm, 3, cube, options);
  options.decomposition = CUBEFOLD_FFT_SLAB;
  real_arrays_come_back(comm, 3, cube, options);
}

/* Transforms two interleaved real arrays with padded rows in place, and expects the first number of each. */
static void arrays_lie_as_those_of_fftw(cubefold_comm comm) {
  static const size_t lengths[] = {6, 4, 5};
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = NULL;
  options.kind = CUBEFOLD_FFT_REAL;
  options.batch = 2;
  options.interleaved_batch = options.padded_rows = options.transposed_output = 1;
  EXPECT_DONE(cubefold_fft_create(comm, 3, lengths, &options, &plan));
  const size_t count = count_at(plan, CUBEFOLD_FFT_INPUT);
  const size_t half_count = count_at(plan, CUBEFOLD_FFT_OUTPUT);
  double complex* spectrum = calloc(count + half_count + 1, sizeof *spectrum);
  double* points = (double*)spectrum;
  for (size_t i = 0; i < count; ++i)
    points[i] =
        point_at(plan, CUBEFOLD_FFT_INPUT, i / 2) == CUBEFOLD_FFT_NO_POINT ? 1e9 : 1 + (double)(i % 2);
  EXPECT_DONE(cubefold_fft_execute(plan, points, spectrum));
  for (size_t i = 0; i < half_count; ++i) {
    const double expected = point_at(plan, CUBEFOLD_FFT_OUTPUT, i / 2) == 0 ? 120 * (1 + (double)(i % 2)) : 0;
    EXPECT(cabs(spectrum[i] - expected) < 1e-12);
    /* Dimension 1 is the slowest, dimension 2 the fastest. */
    const size_t k1 = point_at(plan, CUBEFOLD_FFT_OUTPUT, i / 2) / 3 % 4;
    EXPECT(k1 == point_at(plan, CUBEFOLD_FFT_OUTPUT, 0) / 3 + i / 2 / (6 * 3));
  }
  free(spectrum);
  EXPECT_DONE(cubefold_fft_free(&plan));
}

/* Transforms five dimensions there and back by one plan, in memory of the library, on rows and columns of processes. */
static void one_plan_goes_both_ways(cubefold_comm comm, int size) {
  static const size_t lengths[] = {4, 3, 2, 5, 2};
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = NULL;
  void* points_memory = NULL;
  void* spectrum_memory = NULL;
  size_t strides[5];
  size_t batch_stride = 0;
  options.both_directions = 1;
  options.forward_scaling = options.inverse_scaling = CUBEFOLD_FFT_BY_ROOT;
  options.process_grid[0] = 1;
  options.process_grid[1] = size;
  options.threads = 2;
  EXPECT_DONE(cubefold_fft_create(comm, 5, lengths, &options, &plan));
  const size_t count = count_at(plan, CUBEFOLD_FFT_INPUT);
  EXPECT_DONE(cubefold_fft_alloc(comm, (count + 1) * sizeof(double complex), &points_memory));
  EXPECT_DONE(cubefold_fft_alloc(comm, (count_at(plan, CUBEFOLD_FFT_OUTPUT) + 1) * sizeof(double complex),
                                 &spectrum_memory));
  double complex* points = points_memory;
  for (size_t i = 0; i < count; ++i) points[i] = value_at(plan, i);
  EXPECT_DONE(cubefold_fft_execute_direction(plan, CUBEFOLD_FFT_FORWARD, points, spectrum_memory));
  for (size_t i = 0; i < count; ++i) points[i] = -1;
  EXPECT_DONE(cubefold_fft_execute_direction(plan, CUBEFOLD_FFT_INVERSE, spectrum_memory, points));
  for (size_t i = 0; i < count; ++i) EXPECT(cabs(points[i] - value_at(plan, i)) < 1e-13);
  EXPECT_DONE(cubefold_fft_local_strides(plan, CUBEFOLD_FFT_OUTPUT, strides, &batch_stride));
  EXPECT(strides[4] == 1 && strides[3] == 2 && strides[2] == 10 && strides[1] == 20);
  EXPECT(batch_stride == count_at(plan, CUBEFOLD_FFT_OUTPUT));
  EXPECT_ERROR(cubefold_fft_execute_direction(plan, 2, points, points),
               "cubefold_fft_execute_direction: transform 2 is none of 0 .. 1");
  EXPECT_DONE(cubefold_fft_free_memory(&points_memory));
  EXPECT_DONE(cubefold_fft_free_memory(&spectrum_memory));
  EXPECT(points_memory == NULL);
  EXPECT_DONE(cubefold_fft_free_memory(&points_memory));
  EXPECT_ERROR(cubefold_fft_free_memory(NULL),
               "cubefold_fft_free_memory: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_fft_alloc(comm, 1, NULL), "cubefold_fft_alloc: the pointer for the result is NULL");
  EXPECT_DONE(cubefold_fft_free(&plan));
}

/* Transforms real numbers by cosines there and back. The first cosine sum of ones counts each dimension twice. */
static void cosines_keep_real_numbers_real(cubefold_comm comm) {
  static const size_t lengths[] = {6, 5};
  static const int lines[] = {CUBEFOLD_FFT_REDFT10, CUBEFOLD_FFT_REDFT10};
  static const int wrong[] = {CUBEFOLD_FFT_REDFT10, 9};
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = NULL;
  options.kind = CUBEFOLD_FFT_REAL;
  options.both_directions = 1;
  options.line_transforms = lines;
  EXPECT_DONE(cubefold_fft_create(comm, 2, lengths, &options, &plan));
  const size_t count = count_at(plan, CUBEFOLD_FFT_INPUT);
  double* points = calloc(larger_count(plan) + 1, sizeof *points);
  for (size_t i = 0; i < count; ++i) points[i] = 1;
  EXPECT_DONE(cubefold_fft_execute(plan, points, points));
  for (size_t i = 0; i < count_at(plan, CUBEFOLD_FFT_OUTPUT); ++i)
    EXPECT(fabs(points[i] - (point_at(plan, CUBEFOLD_FFT_OUTPUT, i) == 0 ? 120 : 0)) < 1e-12);
  EXPECT_DONE(cubefold_fft_execute_direction(plan, CUBEFOLD_FFT_INVERSE, points, points));
  for (size_t i = 0; i < count; ++i) EXPECT(fabs(points[i] - 1) < 1e-14);
  free(points);
  EXPECT_DONE(cubefold_fft_free(&plan));
  options.line_transforms = wrong;
  EXPECT_ERROR(cubefold_fft_create(comm, 2, lengths, &options, &plan),
               "cubefold_fft_create: line transform 9 is none of 0 .. 8");
}

/* Transforms ones there and back in columns of the array, from which they come and to which rows of the spectrum go. */
static void programs_have_boxes_of_their_own(cubefold_comm comm, int rank, int size) {
  const size_t lengths[] = {6, 2 * (size_t)size};
  const size_t columns[] = {6, 2, 0, 2 * (size_t)rank};
  const size_t rows[] = {rank == 0 ? 6 : 0, lengths[1], 0, 0};
  const size_t missing[] = {6, 2, 0, 0};
  char text[200];
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = NULL;
  size_t extents[2];
  size_t offsets[2];
  size_t point = 0;
  const char* explained = NULL;
  options.both_directions = 1;
  options.input_box = columns;
  options.output_box = rows;
  EXPECT_DONE(cubefold_fft_create(comm, 2, lengths, &options, &plan));
  EXPECT(count_at(plan, CUBEFOLD_FFT_INPUT) == 12);
  EXPECT(count_at(plan, CUBEFOLD_FFT_OUTPUT) == rows[0] * lengths[1]);
  EXPECT_DONE(cubefold_fft_local_box(plan, CUBEFOLD_FFT_INPUT, extents, offsets));
  EXPECT(extents[0] == 6 && extents[1] == 2 && offsets[0] == 0 && offsets[1] == 2 * (size_t)rank);
  EXPECT_ERROR(
      cubefold_fft_point_at(plan, CUBEFOLD_FFT_INPUT, 0, &point),
      "cubefold_fft_point_at: the input points are in boxes of the program, not in a distribution of "
      "the plan");
  EXPECT_DONE(cubefold_fft_explain(plan, &explained));
  EXPECT(strstr(explained, "input boxes of the program: ") != NULL);
  double complex* points = calloc(larger_count(plan) + 1, sizeof *points);
  for (size_t i = 0; i < 12; ++i) points[i] = (double)(i / 2); /* the row */
  EXPECT_DONE(cubefold_fft_execute(plan, points, points));
  for (size_t i = 0; i < count_at(plan, CUBEFOLD_FFT_OUTPUT); ++i) {
    const double sum = i == 0 ? 15.0 : -3.0; /* the real part of sum j w^jk */
    EXPECT(fabs(creal(points[i]) - (i % lengths[1] == 0 ? sum * (double)lengths[1] : 0)) < 1e-11);
  }
  EXPECT_DONE(cubefold_fft_execute_direction(plan, CUBEFOLD_FFT_INVERSE, points, points));
  for (size_t i = 0; i < 12; ++i) EXPECT(cabs(points[i] - (double)(i / 2)) < 1e-13);
  free(points);
  EXPECT_DONE(cubefold_fft_free(&plan));
  if (size == 1) return;
  options.input_box = missing;
  snprintf(text, sizeof text,
           "cubefold_fft_create: fft::Plan: input boxes have every point of the array once, but the boxes of "
           "ranks 0 and 1 overlap: both have point (0, 0)");
  EXPECT_ERROR(cubefold_fft_create(comm, 2, lengths, &options, &plan), text);
}

/* Transforms ones in single precision in place. The result is their number at k = 0 and 0 elsewhere. */
static void transform_floats(cubefold_comm comm) {
  static const size_t lengths[] = {6, 8};
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = NULL;
  options.precision = CUBEFOLD_FFT_FLOAT;
  EXPECT_DONE(cubefold_fft_create(comm, 2, lengths, &options, &plan));
  const size_t count = count_at(plan, CUBEFOLD_FFT_INPUT);
  EXPECT(count_at(plan, CUBEFOLD_FFT_OUTPUT) == count);
  float complex* points = calloc(count + 1, sizeof *points);
  for (size_t i = 0; i < count; ++i) points[i] = 1;
  EXPECT_DONE(cubefold_fft_execute(plan, points, points));
  for (size_t i = 0; i < count; ++i)
    EXPECT(cabsf(points[i] - (point_at(plan, CUBEFOLD_FFT_OUTPUT, i) == 0 ? 48 : 0)) < 1e-5F);
  free(points);
  EXPECT_DONE(cubefold_fft_free(&plan));
}

/* Transforms 576 ones by each algorithm. The result is 576 at k = 0 and 0 elsewhere. The half exchange needs 2^n
   processes, and the square of their number must divide 576. */
static void algorithms_are_passed_on(cubefold_comm comm, int size) {
  static const size_t n = 576;
  static const int algorithms[] = {CUBEFOLD_FFT_TRANSPOSED, CUBEFOLD_FFT_BLUESTEIN,
                                   CUBEFOLD_FFT_HALF_EXCHANGE};
  static const char* const names[] = {"taken: transposed,", "taken: bluestein,", "taken: half-exchange,"};
  for (int a = 0; a < 3; ++a) {
    cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
    cubefold_fft plan = NULL;
    const char* text = NULL;
    options.input = options.output = CUBEFOLD_FFT_CYCLIC;
    options.algorithm = algorithms[a];
    if (algorithms[a] == CUBEFOLD_FFT_HALF_EXCHANGE && (size & (size - 1)) != 0) {
      EXPECT(cubefold_fft_create(comm, 1, &n, &options, &plan) == CUBEFOLD_ERROR_ARGUMENT);
      EXPECT(strstr(cubefold_last_error(), "no half-exchange of 576 points") != NULL);
      continue;
    }
    EXPECT_DONE(cubefold_fft_create(comm, 1, &n, &options, &plan));
    EXPECT_DONE(cubefold_fft_explain(plan, &text));
    EXPECT(strstr(text, names[a]) != NULL);
    double complex* points = calloc(larger_count(plan) + 1, sizeof *points);
    const size_t count = count_at(plan, CUBEFOLD_FFT_INPUT);
    for (size_t i = 0; i < count; ++i) points[i] = 1;
    EXPECT_DONE(cubefold_fft_execute(plan, points, points));
    for (size_t i = 0; i < count_at(plan, CUBEFOLD_FFT_OUTPUT); ++i)
      EXPECT(cabs(points[i] - (point_at(plan, CUBEFOLD_FFT_OUTPUT, i) == 0 ? 576 : 0)) < 1e-10);
    free(points);
    EXPECT_DONE(cubefold_fft_free(&plan));
  }
}

/* Expects that the local boxes have all points together, and that the first point of each box is at place 0. */
static void boxes_fill_the_array(cubefold_comm comm) {
  static const size_t lengths[] = {8, 6, 5};
  cubefold_fft plan = NULL;
  size_t extents[3];
  size_t offsets[3];
  EXPECT_DONE(cubefold_fft_create(comm, 3, lengths, NULL, &plan));
  EXPECT_DONE(cubefold_fft_local_box(plan, CUBEFOLD_FFT_INPUT, extents, offsets));
  unsigned long long count = extents[0] * extents[1] * extents[2];
  EXPECT(count == count_at(plan, CUBEFOLD_FFT_INPUT));
  if (count > 0)
    EXPECT(point_at(plan, CUBEFOLD_FFT_INPUT, 0) == (offsets[0] * 6 + offsets[1]) * 5 + offsets[2]);
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
  EXPECT(count == 8 * 6 * 5);
  points_have_owners(comm, plan, CUBEFOLD_FFT_INPUT, 8 * 6 * 5);
  points_have_owners(comm, plan, CUBEFOLD_FFT_OUTPUT, 8 * 6 * 5);
  EXPECT_ERROR(cubefold_fft_local_box(plan, CUBEFOLD_FFT_INPUT, NULL, offsets),
               "cubefold_fft_local_box: the pointer for the result is NULL");
  EXPECT_DONE(cubefold_fft_free(&plan));
}

static void cyclic_points_are_no_box(cubefold_comm comm, int size) {
  static const size_t n = 256;
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = NULL;
  size_t extent = 0;
  size_t offset = 0;
  options.input = options.output = CUBEFOLD_FFT_CYCLIC;
  EXPECT_DONE(cubefold_fft_create(comm, 1, &n, &options, &plan));
  if (size > 1)
    EXPECT(cubefold_fft_local_box(plan, CUBEFOLD_FFT_OUTPUT, &extent, &offset) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_DONE(cubefold_fft_free(&plan));
}

static void plans_explain_and_time_themselves(cubefold_comm comm) {
  static const size_t n = 4096;
  cubefold_fft plan = NULL;
  const char* text = NULL;
  cubefold_fft_times times = {-1, -1, -1};
  EXPECT_DONE(cubefold_fft_create(comm, 1, &n, NULL, &plan));
  EXPECT_DONE(cubefold_fft_explain(plan, &text));
  EXPECT(text != NULL && strstr(text, "4096") != NULL);
  double complex* points = calloc(larger_count(plan) + 1, sizeof *points);
  EXPECT_DONE(cubefold_fft_execute(plan, points, points));
  EXPECT_DONE(cubefold_fft_last_times(plan, &times));
  EXPECT(times.transform_seconds >= 0 && times.exchange_seconds >= 0 && times.overlap_seconds >= 0);
  free(points);
  EXPECT_DONE(cubefold_fft_free(&plan));
}

static void wisdom_goes_through_a_file(cubefold_comm comm, int size) {
  char file[64];
  int rank = -1;
  snprintf(file, sizeof file, "c_fft_test.wisdom.%d", size);
  EXPECT_DONE(cubefold_fft_export_wisdom(comm, file));
  EXPECT_DONE(cubefold_fft_import_wisdom(comm, file));
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) EXPECT(remove(file) == 0);
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT(cubefold_fft_import_wisdom(comm, file) != CUBEFOLD_SUCCESS);
  EXPECT_ERROR(cubefold_fft_import_wisdom(comm, NULL),
               "cubefold_fft_import_wisdom: the name of the file is NULL");
}

/* Expects that all processes have failed with the same text. */
static void expect_same_error(int status) {
  char text[1024];
  EXPECT(status == CUBEFOLD_ERROR_ARGUMENT);
  snprintf(text, sizeof text, "%s", cubefold_last_error());
  MPI_Bcast(text, sizeof text, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT(strcmp(text, cubefold_last_error()) == 0);
}

static void what_one_process_gets_wrong_fails_on_all(cubefold_comm comm, int size) {
  int process = -1;
  cubefold_fft plan = NULL;
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  if (size == 1) return;
  const int is_last = process == size - 1;
  const size_t n = is_last ? 128 : 64;
  const size_t m = 64;
  expect_same_error(cubefold_fft_create(comm, 1, &n, NULL, &plan));
  expect_same_error(cubefold_fft_create(comm, is_last ? 33 : 1, &m, NULL, &plan));
  EXPECT(strstr(cubefold_last_error(), "33 dimensions are not 1 to 32") != NULL);
  expect_same_error(cubefold_fft_create(comm, 1, is_last ? NULL : &m, NULL, &plan));
  expect_same_error(cubefold_fft_create(comm, 1, &m, NULL, is_last ? NULL : &plan));
  options.precision = is_last ? CUBEFOLD_FFT_FLOAT : CUBEFOLD_FFT_DOUBLE;
  expect_same_error(cubefold_fft_create(comm, 1, &m, &options, &plan));
  options.precision = CUBEFOLD_FFT_DOUBLE;
  options.output = is_last ? CUBEFOLD_FFT_SCRAMBLED : CUBEFOLD_FFT_BLOCK;
  expect_same_error(cubefold_fft_create(comm, 1, &m, &options, &plan));
  EXPECT(plan == NULL);
}

static void expect_refused(cubefold_comm comm, cubefold_fft_options options, const char* text) {
  static const size_t n = 64;
  cubefold_fft plan = NULL;
  EXPECT_ERROR(cubefold_fft_create(comm, 1, &n, &options, &plan), text);
  EXPECT(plan == NULL);
}

static void options_out_of_range_are_refused(cubefold_comm comm) {
  const cubefold_fft_options defaults = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft_options options = defaults;
  options.transform = 2;
  expect_refused(comm, options, "cubefold_fft_create: transform 2 is none of 0 .. 1");
  options = defaults;
  options.kind = -1;
  expect_refused(comm, options, "cubefold_fft_create: kind -1 is none of 0 .. 1");
  options = defaults;
  options.precision = 2;
  expect_refused(comm, options, "cubefold_fft_create: precision 2 is none of 0 .. 1");
  options = defaults;
  options.input = 4;
  expect_refused(comm, options, "cubefold_fft_create: input distribution 4 is none of 0 .. 3");
  options = defaults;
  options.output = 4;
  expect_refused(comm, options, "cubefold_fft_create: output distribution 4 is none of 0 .. 3");
  options = defaults;
  options.decomposition = 3;
  expect_refused(comm, options, "cubefold_fft_create: decomposition 3 is none of 0 .. 2");
  options = defaults;
  options.algorithm = 5;
  expect_refused(comm, options, "cubefold_fft_create: algorithm 5 is none of 0 .. 4");
  options = defaults;
  options.rigor = 4;
  expect_refused(comm, options, "cubefold_fft_create: rigor 4 is none of 0 .. 3");
  options = defaults;
  options.reserved = 1;
  expect_refused(comm, options, "cubefold_fft_create: reserved member 1 is none of 0 .. 0");
  options = defaults;
  options.forward_scaling = 3;
  expect_refused(comm, options, "cubefold_fft_create: forward scaling 3 is none of 0 .. 2");
  options = defaults;
  options.inverse_scaling = -1;
  expect_refused(comm, options, "cubefold_fft_create: inverse scaling -1 is none of 0 .. 2");
  options = defaults;
  options.process_grid[1] = -1;
  expect_refused(comm, options, "cubefold_fft_create: process_grid has the negative number -1");
  options = defaults;
  options.process_grid[0] = 1;
  expect_refused(comm, options, "cubefold_fft_create: fft::Plan: one dimension has no process_grid");
  options = defaults;
  options.threads = -1;
  expect_refused(comm, options, "cubefold_fft_create: threads -1 is negative");
}

/* A program of the first version has a shorter struct, whose inverse transforms are divided by n. */
static void options_of_the_first_version_work(cubefold_comm comm) {
  static const size_t n = 64;
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  cubefold_fft plan = NULL;
  options.size = offsetof(cubefold_fft_options, reserved) + sizeof options.reserved;
  options.transform = CUBEFOLD_FFT_INVERSE;
  options.forward_scaling = options.inverse_scaling = 77; /* beyond the size */
  EXPECT_DONE(cubefold_fft_create(comm, 1, &n, &options, &plan));
  double complex* points = calloc(larger_count(plan) + 1, sizeof *points);
  for (size_t i = 0; i < count_at(plan, CUBEFOLD_FFT_INPUT); ++i) points[i] = 1;
  EXPECT_DONE(cubefold_fft_execute(plan, points, points));
  for (size_t i = 0; i < count_at(plan, CUBEFOLD_FFT_OUTPUT); ++i)
    EXPECT(cabs(points[i] - (point_at(plan, CUBEFOLD_FFT_OUTPUT, i) == 0 ? 1 : 0)) < 1e-13);
  free(points);
  EXPECT_DONE(cubefold_fft_free(&plan));
}

static void pencils_on_one_axis_are_refused(int size) {
  static const size_t lengths[] = {4, 8, 8};
  char grid[32];
  char text[200];
  cubefold_comm comm = NULL;
  cubefold_fft plan = NULL;
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
  if (size == 1) return;
  options.decomposition = CUBEFOLD_FFT_PENCIL;
  snprintf(grid, sizeof grid, "ring:%d", size);
  snprintf(
      text, sizeof text,
      "cubefold_fft_create: fft::Plan: decomposition pencil needs a network with two axes of several nodes, "
      "but the %d processes are on: %s",
      size, grid);
  EXPECT_DONE(cubefold_comm_create(MPI_COMM_WORLD, grid, "identity", &comm));
  EXPECT_ERROR(cubefold_fft_create(comm, 3, lengths, &options, &plan), text);
  EXPECT(plan == NULL);
  EXPECT_DONE(cubefold_comm_free(&comm));
}

static void options_of_another_version_are_refused(cubefold_comm comm) {
  const size_t sizes[] = {0, sizeof(cubefold_fft_options) - 1, sizeof(cubefold_fft_options) + 8};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
    char text[200];
    options.size = sizes[i];
    snprintf(text, sizeof text,
             "cubefold_fft_create: options of %zu bytes are unknown to this version, whose "
             "CUBEFOLD_FFT_DEFAULTS has %zu",
             sizes[i], sizeof(cubefold_fft_options));
    expect_refused(comm, options, text);
  }
}

static void calls_without_a_plan_are_refused(cubefold_comm comm) {
  static const size_t n = 64;
  cubefold_fft plan = NULL;
  size_t number = 0;
  int rank = 0;
  const char* text = NULL;
  EXPECT_ERROR(cubefold_fft_create(NULL, 1, &n, NULL, &plan),
               "cubefold_fft_create: the cubefold_comm is NULL");
  EXPECT_ERROR(cubefold_fft_create(comm, 0, &n, NULL, &plan),
               "cubefold_fft_create: 0 dimensions are not 1 to 32");
  EXPECT_DONE(cubefold_fft_free(&plan));
  EXPECT_ERROR(cubefold_fft_free(NULL), "cubefold_fft_free: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_fft_execute(NULL, NULL, NULL), "cubefold_fft_execute: the cubefold_fft is NULL");
  EXPECT_ERROR(cubefold_fft_explain(NULL, &text), "cubefold_fft_explain: the cubefold_fft is NULL");
  EXPECT_ERROR(cubefold_fft_local_count(NULL, 0, &number),
               "cubefold_fft_local_count: the cubefold_fft is NULL");
  EXPECT_ERROR(cubefold_fft_use_workspace(NULL, NULL),
               "cubefold_fft_use_workspace: the cubefold_fft is NULL");
  EXPECT_DONE(cubefold_fft_create(comm, 1, &n, NULL, &plan));
  EXPECT_ERROR(cubefold_fft_owner(plan, CUBEFOLD_FFT_INPUT, 64, &rank, &number),
               "cubefold_fft_owner: point 64 is none of 64");
  EXPECT_ERROR(cubefold_fft_owner(plan, 2, 0, &rank, &number), "cubefold_fft_owner: end 2 is none of 0 .. 1");
  EXPECT_ERROR(cubefold_fft_owner(plan, 0, 0, NULL, &number),
               "cubefold_fft_owner: the pointer for the result is NULL");
  EXPECT(cubefold_fft_point_at(plan, CUBEFOLD_FFT_INPUT, 64, &number) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_ERROR(cubefold_fft_local_count(plan, CUBEFOLD_FFT_INPUT, NULL),
               "cubefold_fft_local_count: the pointer for the result is NULL");
  EXPECT_DONE(cubefold_fft_free(&plan));
}

/* A plan does not need the handle that it was made with. */
static void a_plan_outlives_its_handle(const char* grid) {
  static const size_t n = 64;
  cubefold_comm comm = NULL;
  cubefold_fft plan = NULL;
  EXPECT_DONE(cubefold_comm_create(MPI_COMM_WORLD, grid, "identity", &comm));
  EXPECT_DONE(cubefold_fft_create(comm, 1, &n, NULL, &plan));
  EXPECT_DONE(cubefold_comm_free(&comm));
  double complex* points = calloc(larger_count(plan) + 1, sizeof *points);
  EXPECT_DONE(cubefold_fft_execute(plan, points, points));
  free(points);
  EXPECT_DONE(cubefold_fft_free(&plan));
}

static void use_placement(const char* grid, const char* placement, int size) {
  cubefold_comm comm = NULL;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  EXPECT_DONE(cubefold_comm_create(MPI_COMM_WORLD, grid, placement, &comm));
  transform_in_every_distribution(comm, size);
  transform_real_numbers(comm);
  transform_floats(comm);
  arrays_lie_as_those_of_fftw(comm);
  one_plan_goes_both_ways(comm, size);
  cosines_keep_real_numbers_real(comm);
  programs_have_boxes_of_their_own(comm, rank, size);
  boxes_fill_the_array(comm);
  cyclic_points_are_no_box(comm, size);
  algorithms_are_passed_on(comm, size);
  plans_explain_and_time_themselves(comm);
  wisdom_goes_through_a_file(comm, size);
  what_one_process_gets_wrong_fails_on_all(comm, size);
  options_out_of_range_are_refused(comm);
  options_of_another_version_are_refused(comm);
  options_of_the_first_version_work(comm);
  calls_without_a_plan_are_refused(comm);
  EXPECT_DONE(cubefold_comm_free(&comm));
}

int main(int argc, char** argv) {
  int size = 0;
  char grid[32];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(grid, sizeof grid, "ring:%d", size);
  use_placement(grid, "identity", size);
  if (size == 4) use_placement("torus:2x2", "xor", size);
  if (size == 8) use_placement("torus:2x2x2", "xor", size);
  if (size == 6) use_placement("mesh:2x3", "identity", size);
  if (size == 4) use_placement("ring:4", "nodes=2-0-3-1", size);
  pencils_on_one_axis_are_refused(size);
  a_plan_outlives_its_handle(grid);
  expect_no_leaks();
  MPI_Finalize();
  if (failures == 0) printf("all as expected\n");
  return failures == 0 ? 0 : 1;
}
