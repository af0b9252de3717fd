#pragma once

/* What cubefold uses of the extensions of Fujitsu's MPI. fujitsu_nodes_test.cpp defines the functions. */

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FJMPI_SUCCESS = 0, FJMPI_ERR_TOPOLOGY_NODE_SHARED_JOB = 1 };
enum { FJMPI_LOGICAL = 1, FJMPI_TOFU_REL = 3 };

int FJMPI_Topology_get_dimension(int* axis_count);
int FJMPI_Topology_get_shape(int* x, int* y, int* z);
int FJMPI_Topology_get_coords(MPI_Comm comm, int rank, int view, int most_axes, int* coordinates);

#ifdef __cplusplus
}
#endif
