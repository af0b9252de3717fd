#!/usr/bin/env bash
# Runs in a bare Debian: installs the packages of /try, does what their users do, and purges them. It prints a line for
# each check, and what was printed by those that fail.
set -uo pipefail
export DEBIAN_FRONTEND=noninteractive
failures=0

check() {
  local text=$1
  shift
  if "$@" >/tmp/log 2>&1; then
    echo "ok     $text"
  else
    echo "FAILED $text"
    tail -n 30 /tmp/log | sed 's/^/       /'
    failures=$((failures + 1))
  fi
}

install() { apt-get install -y -qq "$@"; }
as_user() { runuser -u tester -- bash -eo pipefail -c "cd; $1"; }

# says LINE COMMAND: the command ends without an error and prints this line.
says() { as_user "$2" | tee /tmp/said && grep -qxF "$1" /tmp/said; }

# check_development MPI FLAVOUR SUFFIX LAUNCHER: programs are built with libraries of this flavour by the commands of an
# MPI, whose names end with the suffix, and run.
check_development() {
  local mpi=$1 flavour=${2:+-$2} suffix=$3 launch=$4
  local flags="pkg-config --cflags --libs cubefold"
  check "$mpi: the README's program builds with mpicc$suffix and pkg-config, and runs" \
    says 'the ranks of 4 processes add up to 6' \
    "mpicc$suffix /try/readme.c \$($flags$flavour) -o sum && CUBEFOLD_GRID=torus:2x2 $launch ./sum"
  check "$mpi: a transform from C" says 'ones to an impulse: right' \
    "mpicc$suffix /try/consumer/spectrum.c \$($flags-fft$flavour) -lm -o fft && $launch ./fft"
  check "$mpi: an exchange from Fortran" says right \
    "mpifort$suffix /try/consumer/exchange_fortran.f90 \$($flags-fortran$flavour) -o fortran &&
     $launch ./fortran"
  check "$mpi: a CMake project in C, C++ and Fortran" says 'impulse to ones: right' \
    "rm -rf cmake$flavour
     cmake -S /try/consumer -B cmake$flavour -DCONSUMER_PACKAGE=cubefold$flavour '-DCONSUMER_LANGUAGES=C;CXX;Fortran' \
       '-DCONSUMER_COMPONENTS=core;mpi;fft;fortran' >&2 && cmake --build cmake$flavour >&2 &&
     $launch cmake$flavour/exchange_fortran >&2 && $launch cmake$flavour/transform"
  check "$mpi: libcubefold-preload$flavour.so serves a program that was not changed" says '0 wrong numbers' \
    "mpicc$suffix /try/unchanged_program.c -o unchanged && $launch env CUBEFOLD_GRID=torus:2x2 \
       LD_PRELOAD=libcubefold-preload$flavour.so ./unchanged 2>said && grep 'of 2 MPI_Alltoall' said"
}

check_programs() {
  local program
  for program in cubefold cubefold-{run,exchange,fft,permute,calibrate,signal,lab}; do
    check "$program says its version" as_user "$program --version | grep '^$program [0-9]'"
    check "$program has a man page" grep -q '^.SH OPTIONS\|^.SS .*[Oo]ptions' \
      <(zcat "/usr/share/man/man1/$program.1.gz" 2>&1)
    check "$program has completions" as_user \
      ". /usr/share/bash-completion/completions/$program && complete -p $program | grep _cubefold &&
       grep -w -- '$program' /usr/share/zsh/vendor-completions/_cubefold"
  done
  check "cubefold maps and plans" as_user \
    "cubefold map torus:4x4 --phase bit-reversal && cubefold plan exchange torus:4x4 --block 1KiB"
  check "cubefold-exchange on 4 processes" as_user \
    "mpirun --oversubscribe -n 4 cubefold-exchange --grid torus:2x2 --block 1KiB"
  check "cubefold-fft on 4 processes" as_user "mpirun --oversubscribe -n 4 cubefold-fft --lengths 4096"
}

check_run() {
  echo "$HOSTNAME slots=4" >~tester/hosts.txt
  cat >~tester/hosts.json <<END
{"format_version": 1, "network": "torus:2x2", "source": "try",
 "hosts": [{"name": "$HOSTNAME", "at": [0, 0], "slots": 4}]}
END
  check "cubefold-run starts a program" says 'the ranks of 4 processes add up to 6' \
    "cubefold-run --hostfile hosts.txt --input hosts.json -n 4 -- ./sum"
  check "cubefold-run preloads the library" as_user \
    "cubefold-run --hostfile hosts.txt --input hosts.json -n 4 --preload -- ./unchanged 2>&1 | grep 'of 2 MPI_Alltoall'"
}

check_lab() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  if ! unshare --net true; then
    echo "skipped cubefold-lab: this machine allows no network namespaces"
    return
  fi
  check "cubefold-lab brings a network up" cubefold-lab up torus:2x2 --rate 10mbit
  check "cubefold-lab runs cubefold-exchange on it" cubefold-lab run cubefold-exchange --block 1KiB
  check "cubefold-lab takes it down" cubefold-lab down
}

check_python() {
  check "python3 imports cubefold" says 16 \
    "python3 -c 'import cubefold; print(cubefold.Grid(\"torus:4x4\").node_count)'"
  check "python3 exchanges with mpi4py" says '[0, 10, 20, 30]' \
    "cat >exchange.py <<'END'
import cubefold, numpy
from mpi4py import MPI
with cubefold.Comm(MPI.COMM_WORLD, \"torus:2x2\") as comm:
    received = numpy.empty(4, dtype=int)
    comm.alltoall(10 * comm.rank + numpy.arange(4), received)
    if comm.rank == 0:
        print(received.tolist())
END
     mpirun --oversubscribe -n 4 python3 exchange.py"
}

# The page is typed as a user does, with the programs, libraries and modules of the packages.
check_tutorial() {
  check "the tutorial prints what it shows" as_user "mkdir -p tutorial && cd tutorial &&
    python3 /try/page_commands.py /try/tutorial.md"
}

is_absent() { ! dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$1" | grep -v ' not-installed$'; }

# What programs leave in /run goes when a system starts again.
all_is_gone() {
  ! find / -xdev -name '*cubefold*' -not -path '/try/*' -not -path '/home/*' -not -path '/run/*' | grep . &&
    is_absent '*cubefold*'
}

useradd --create-home --shell /bin/bash tester
cd /try || exit 1
check "the lists of packages are read" apt-get update -qq
check "the packages for MPICH install" install ./*-mpich*.deb ./libcubefold-c*.deb pkg-config cmake
check "nothing of Open MPI came with them" is_absent 'libopenmpi*'
check_development MPICH mpich "" "mpiexec -n 4"
check "the other packages install beside them" install ./*.deb
check_development "MPICH beside Open MPI" mpich .mpich "mpiexec.mpich -n 4"
check_development "Open MPI" "" "" "mpirun --oversubscribe -n 4"
check_programs
check_run
check_python
check_tutorial
check_lab
mapfile -t installed < <(dpkg-query -W -f '${Package}\n' '*cubefold*')
check "${#installed[@]} packages are purged" apt-get purge -y -qq "${installed[@]}"
check "nothing of them is left" all_is_gone
((failures == 0)) || { echo "$failures checks failed"; exit 1; }
