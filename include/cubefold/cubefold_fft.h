/* cubefold's Fourier transforms over all processes, for C99 and C++; the library is cubefold::fft, which uses FFTW and
 * is with it bound by the GPL, as whatever is linked with it. docs/fft.md has pictures of the distributions.
 *
 *     cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
 *     options.output = CUBEFOLD_FFT_SCRAMBLED;
 *     cubefold_fft_create(comm, 1, &point_count, &options, &plan);
 *     cubefold_fft_execute(plan, points, spectrum);
 *     cubefold_fft_free(&plan);
 *
 * All return CUBEFOLD_SUCCESS or another code of cubefold.h, with the text in cubefold_last_error(). What is collective
 * is so over all processes of the handle that the plan is made with, and in one order on all of them. */
#ifndef CUBEFOLD_FFT_H
#define CUBEFOLD_FFT_H

#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C */
#include <stdint.h> /* NOLINT(modernize-deprecated-headers): C */

#include "cubefold/cubefold.h"
#include "cubefold/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(k) = sum_j x(j) exp(-2 pi i j k / n), in each dimension; inverse: exp(+...), and all divided by the number of
 * points. */
enum { CUBEFOLD_FFT_FORWARD = 0, CUBEFOLD_FFT_INVERSE = 1 };

/* Complex numbers to complex ones; or real numbers to the half of their spectrum that tells the other, k = 0 .. n/2 in
 * the last dimension, and for the inverse back. */
enum { CUBEFOLD_FFT_COMPLEX = 0, CUBEFOLD_FFT_REAL = 1 };

/* double and double _Complex (std::complex<double>), or float and float _Complex. */
enum { CUBEFOLD_FFT_DOUBLE = 0, CUBEFOLD_FFT_FLOAT = 1 };

/* Which points of one dimension a process has. More dimensions know blocks only. */
enum {
  CUBEFOLD_FFT_BLOCK = 0,        /* consecutive ones, as FFTW MPI has them */
  CUBEFOLD_FFT_CYCLIC = 1,       /* every p-th one of p processes: one exchange where in and out are cyclic */
  CUBEFOLD_FFT_BLOCK_CYCLIC = 2, /* 2^s blocks of 2^s points, for 2^(n+2s) points and 2^n processes */
  CUBEFOLD_FFT_SCRAMBLED = 3     /* as the second exchange leaves them: one less than block to block */
};

/* Which dimensions of two or three are spread: the first over all processes, or the first two over axes of the grid. */
enum { CUBEFOLD_FFT_AUTOMATIC_DECOMPOSITION = 0, CUBEFOLD_FFT_SLAB = 1, CUBEFOLD_FFT_PENCIL = 2 };

/* Of one dimension; automatic: what costs least among those that can do it. */
enum {
  CUBEFOLD_FFT_AUTOMATIC_ALGORITHM = 0,
  CUBEFOLD_FFT_TRANSPOSED = 1,
  CUBEFOLD_FFT_BLUESTEIN = 2,
  CUBEFOLD_FFT_BINARY_EXCHANGE = 3,
  CUBEFOLD_FFT_HALF_EXCHANGE = 4
};

/* How long FFTW looks for the best local transforms: its FFTW_ESTIMATE and so on. */
enum {
  CUBEFOLD_FFT_ESTIMATE = 0,
  CUBEFOLD_FFT_MEASURE = 1,
  CUBEFOLD_FFT_PATIENT = 2,
  CUBEFOLD_FFT_EXHAUSTIVE = 3
};

/* What kind of transform a plan is for. The same on all processes. */
typedef struct cubefold_fft_options { /* NOLINT(modernize-use-using): C */
  size_t size;           /* of this struct: later versions of the library add members at its end */
  int transform;         /* CUBEFOLD_FFT_FORWARD or _INVERSE */
  int kind;              /* _COMPLEX or _REAL */
  int precision;         /* _DOUBLE or _FLOAT */
  int input;             /* distribution of what goes in */
  int output;            /* and of what comes out */
  int transposed_output; /* not 0: two or three dimensions are left as the last exchange has them, which saves the
                          * exchanges back; for the inverse, its input is taken so */
  size_t batch;          /* how many arrays, one behind the other on each process; at least 1 */
  int decomposition;     /* _AUTOMATIC_DECOMPOSITION, _SLAB or _PENCIL */
  int algorithm;
  int rigor;
} cubefold_fft_options;

/* Forward, complex, double, block in and out, one array, the rest automatic. */
#define CUBEFOLD_FFT_DEFAULTS \
  { sizeof(struct cubefold_fft_options), 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 }

typedef struct cubefold_fft_s* cubefold_fft; /* NOLINT(modernize-use-using): C */

/* Collective. Plans transforms of an array over the virtual ranks of a handle, on the axes of its grid: lengths of each
 * of its 1 to 3 dimensions, the last fastest. NULL options: CUBEFOLD_FFT_DEFAULTS. Lengths need not be divisible by
 * anything, but for block-cyclic distributions. More rigor than CUBEFOLD_FFT_ESTIMATE takes time. A mistake on one
 * process, lengths or options that differ between processes: an error on all of them, with the same text; *plan is then
 * NULL. */
CUBEFOLD_API int cubefold_fft_create(cubefold_comm comm, int dimension_count, const size_t* lengths,
                                     const cubefold_fft_options* options, cubefold_fft* plan);

/* Collective. Sets *plan to NULL; a NULL plan is freed by doing nothing. */
CUBEFOLD_API int cubefold_fft_free(cubefold_fft* plan);

/* Which end of a transform is asked for. */
enum { CUBEFOLD_FFT_INPUT = 0, CUBEFOLD_FFT_OUTPUT = 1 };

/* How many numbers, real or complex, the calling process has at an end, those of all arrays together; may be 0.
 * Both ends may differ, of one dimension in blocks too. Local. */
CUBEFOLD_API int cubefold_fft_local_count(cubefold_fft plan, int end, size_t* count);

/* Block distributions: the calling process's box, extents[i] points from offsets[i] on in dimension i, the last
 * dimension fastest unless the plan is transposed. CUBEFOLD_ERROR_ARGUMENT where its points are no box. Local. */
CUBEFOLD_API int cubefold_fft_local_box(cubefold_fft plan, int end, size_t* extents, size_t* offsets);

/* Any distribution: the virtual rank that has a point, and its place among that rank's in each array; and the point at
 * a place of the calling process, or CUBEFOLD_FFT_NO_POINT where a place is kept free and what is there does not count.
 * Points are counted row by row, (j0, j1, j2) is point (j0 n1 + j1) n2 + j2; the half spectrum of real numbers has rows
 * of n2/2 + 1. Local, O(1). */
CUBEFOLD_API int cubefold_fft_owner(cubefold_fft plan, int end, size_t point, int* rank, size_t* place);
CUBEFOLD_API int cubefold_fft_point_at(cubefold_fft plan, int end, size_t place, size_t* point);
#define CUBEFOLD_FFT_NO_POINT SIZE_MAX

/* Collective. Transforms; `input` has as many numbers as cubefold_fft_local_count() says of the input, `output`
 * likewise. In place if they are the same memory, which then has room for the larger of both; else the input is left as
 * it is. A process whose arguments are refused leaves the others waiting for it, as in MPI_Alltoall. */
CUBEFOLD_API int cubefold_fft_execute(cubefold_fft plan, const void* input, void* output);

/* Memory that executing works in besides both arrays. The plan has its own, until it is given at least so many bytes,
 * aligned as malloc does it, which it uses until it is freed. CUBEFOLD_ERROR_ARGUMENT for NULL where it needs any.
 * Local. */
CUBEFOLD_API int cubefold_fft_workspace_bytes(cubefold_fft plan, size_t* bytes);
CUBEFOLD_API int cubefold_fft_use_workspace(cubefold_fft plan, void* memory);

/* What the plan does and why: stages, messages, bytes, predicted time, ratio to the bound; lines for people. The text
 * belongs to the plan and lasts until the next call for it. Local. */
CUBEFOLD_API int cubefold_fft_explain(cubefold_fft plan, const char** text);

/* Seconds of the calling process's last cubefold_fft_execute: transforms, exchanges, and what of the transforms went on
 * while packets travelled. Local. */
typedef struct cubefold_fft_times { /* NOLINT(modernize-use-using): C */
  double transform_seconds;
  double exchange_seconds;
  double overlap_seconds;
} cubefold_fft_times;
CUBEFOLD_API int cubefold_fft_last_times(cubefold_fft plan, cubefold_fft_times* times);

/* Collective. What FFTW has found out about local transforms, of both precisions: written to a file by one process, and
 * read from it for all. */
CUBEFOLD_API int cubefold_fft_export_wisdom(cubefold_comm comm, const char* file);
CUBEFOLD_API int cubefold_fft_import_wisdom(cubefold_comm comm, const char* file);

#ifdef __cplusplus
}
#endif

#endif
