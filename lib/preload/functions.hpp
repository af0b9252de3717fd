#pragma once

// The functions of MPI that this library replaces. The macro applies `both` to those that are passed on to the next
// function of their name and whose calls are counted, and `next` or `count` to those for which only one of these holds:
// MPI 3.1 has no persistent collectives, so its header does not declare them.
#define CUBEFOLD_FUNCTIONS(both, next, count)                                                                \
  both(Alltoall) both(Alltoallv) both(Ialltoall) both(Ialltoallv) count(Alltoall_init) count(Alltoallv_init) \
      both(Cart_create) both(Cart_map) both(Dist_graph_create) both(Dist_graph_create_adjacent) next(Start)  \
          next(Startall) next(Request_free) next(Init) next(Init_thread) next(Finalize)

#define CUBEFOLD_NO_FUNCTION(function)
