#!/bin/sh
# call_pmpi.sh NM OBJCOPY OBJECT: lets the object call those functions of MPI by the names PMPI_* that it calls by MPI_*.
set -e
"$1" -u "$3" | sed -n 's/^ *U \(MPI_[A-Z][a-z_].*\)$/\1 P\1/p' > "$3.names"
"$2" --redefine-syms="$3.names" "$3"
