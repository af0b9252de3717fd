"""Tests of launchers' files: separate parsers read what cubefold map writes, and cubefold map reads files of others."""

import json
import math
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import WATCHDOG_SECONDS, expect_refused, run_alone
from sweeps import combinations

RULE = "xor,order=2-0-3-1"
MACHINES = [("torus:4x4", 1), ("torus:4x4", 3), ("grid:2x4wx2", 2)]


def map_ranks(grid, per_node, *arguments):
    size = 16 * per_node
    ring = "\n".join(["%%MatrixMarket matrix coordinate pattern general", f"{size} {size} {size}",
                      *(f"{i + 1} {(i + 1) % size + 1}" for i in range(size)), ""])
    return run_alone("cubefold", "map", grid, "--phase", "matrix:-", "--per-node", per_node, *arguments, stdin=ring)


def hosts_file(tmp_path, line="node{0}", count=16):
    path = tmp_path / "hosts.txt"
    path.write_text("# in the order of the nodes\n\n" + "".join(line.format(i) + "\n" for i in range(count)))
    return path


def table(tmp_path, grid, per_node):
    job = map_ranks(grid, per_node, "--placement", RULE, "--json", tmp_path / "answer.json")
    assert job.status == 0, job.err
    return json.loads((tmp_path / "answer.json").read_text())["node_of_rank"]


def extents(grid):
    return [int(text.rstrip("w")) for text in grid.split(":")[1].split("x")]


def node_at(coordinates, grid):
    node = 0
    for coordinate, extent in reversed(list(zip(coordinates, extents(grid), strict=True))):
        assert 0 <= coordinate < extent
        node = node * extent + coordinate
    return node


def host_number(name):
    return int(re.fullmatch(r"node(\d+)", name)[1])


def read_rankfile(text, grid, per_node, slots=None):
    """Reads a rankfile. Slots are those of the ranks of a node, in their order; without them each rank may use all
    cores."""
    nodes, slots_of_node = [], [[] for _ in range(16)]
    for rank, line in enumerate(text.splitlines()):
        match = re.fullmatch(rf"rank {rank}=(\S+) slot=(\S+)", line)
        nodes.append(host_number(match[1]))
        slots_of_node[nodes[-1]].append(match[2])
    assert slots_of_node == [slots or ["S*"] * per_node] * 16
    return nodes


def read_hosts(text, grid, per_node):
    return [host_number(line) for line in text.splitlines()]


def read_rank_order(text, grid, per_node):
    """Reads a rank order. The sequence fills the slots of node 0 first, then those of node 1."""
    sequence = [int(word) for word in re.sub(r"#.*", "", text).replace("\n", ",").split(",") if word.strip()]
    assert sorted(sequence) == list(range(16 * per_node))
    nodes = [None] * len(sequence)
    for place, rank in enumerate(sequence):
        nodes[rank] = place // per_node
    return nodes


def read_vcoord(text, grid, per_node):
    return [node_at([int(word) for word in re.fullmatch(r"\((.*)\)", line)[1].split(",")], grid)
            for line in text.splitlines()]


def read_bgq(text, grid, per_node):
    rows = [[int(word) for word in line.split(" ")] for line in text.splitlines()]
    assert len({tuple(row) for row in rows}) == 16 * per_node
    assert {row[-1] for row in rows} == set(range(per_node))
    return [node_at(row[:-1], grid) for row in rows]


def read_scotch(text, grid, per_node):
    count, *lines = text.splitlines()
    pairs = dict(map(int, line.split("\t")) for line in lines)
    assert int(count) == len(pairs) == len(lines)
    return [pairs[rank] for rank in range(len(pairs))]


PARSERS = {"rankfile": read_rankfile, "seq": read_hosts, "slurm-hostfile": read_hosts,
           "mpich-rank-order": read_rank_order, "vcoord": read_vcoord, "bgq": read_bgq, "scotch": read_scotch}


def test_every_format_of_the_program_is_tested():
    text = run_alone("cubefold", "map", "--help").out
    formats = re.search(r"of that format:(.*?)--emit-to", text, re.DOTALL).group(1)
    names = re.findall(r"([\w-]+) \([A-Z]", formats)
    assert sorted(names) == sorted(PARSERS)


@pytest.mark.parametrize("launcher, machine", combinations(list(PARSERS), MACHINES))
def test_files_say_where_ranks_go(launcher, machine, tmp_path):
    grid, per_node = machine
    hosts = hosts_file(tmp_path)
    job = map_ranks(grid, per_node, "--placement", RULE, "--emit", launcher, "--hosts", hosts)
    assert (job.status, job.err) == (0, "")
    assert PARSERS[launcher](job.out, grid, per_node) == table(tmp_path, grid, per_node)


@pytest.mark.parametrize("launcher, machine", combinations(list(PARSERS), MACHINES))
def test_files_that_are_read_back_give_the_same_order(launcher, machine, tmp_path):
    grid, per_node = machine
    hosts, file = hosts_file(tmp_path), tmp_path / "theirs.txt"
    written = map_ranks(grid, per_node, "--placement", RULE, "--emit", launcher, "--hosts", hosts, "--emit-to", file)
    assert written.status == 0, written.err
    assert f"use: " in written.out and str(file) in written.out or launcher == "scotch"
    job = map_ranks(grid, per_node, "--placement", RULE, "--import", launcher, file, "--hosts", hosts, "--json", "-")
    answer = json.loads(job.out)
    theirs = answer["compared"][-1]
    assert theirs["name"] == "theirs.txt"
    assert theirs["node_of_rank"] == answer["node_of_rank"]
    assert theirs["value"] == answer["value"]


@pytest.mark.parametrize("per_node, cores, slots", [(1, 1, ["0"]), (1, 8, ["0-7"]), (3, 3, ["0", "1", "2"]),
                                                    (3, 8, ["0-1", "2-3", "4-5"]), (2, 128, ["0-63", "64-127"])])
def test_rankfiles_share_out_the_cores_of_a_node(per_node, cores, slots, tmp_path):
    """Ranks get equal shares for any number of slots, which is the number of processes of a host and not of its
    cores."""
    hosts, file = hosts_file(tmp_path, "node{0} slots=3 # two sockets"), tmp_path / "ranks.txt"
    written = map_ranks("torus:4x4", per_node, "--placement", RULE, "--emit", "rankfile", "--hosts", hosts,
                        "--cores-per-node", cores, "--emit-to", file)
    assert written.status == 0, written.err
    assert read_rankfile(file.read_text(), "torus:4x4", per_node, slots) == table(tmp_path, "torus:4x4", per_node)
    back = map_ranks("torus:4x4", per_node, "--placement", RULE, "--import", "rankfile", file, "--hosts", hosts,
                     "--json", "-")
    assert json.loads(back.out)["compared"][-1]["node_of_rank"] == table(tmp_path, "torus:4x4", per_node)


def test_refuses_cores_that_cannot_be_shared_out(tmp_path):
    few = map_ranks("torus:4x4", 3, "--emit", "rankfile", "--hosts", hosts_file(tmp_path), "--cores-per-node", 2)
    expect_refused(few, "--cores-per-node: 2 cores are fewer than the 3 ranks of a node")
    expect_refused(map_ranks("torus:4x4", 1, "--emit", "vcoord", "--cores-per-node", 2),
                   "--cores-per-node: of all formats only rankfile binds ranks to cores")
    expect_refused(map_ranks("torus:4x4", 1, "--cores-per-node", 2),
                   "--cores-per-node requires --emit (see cubefold map --help)")


def siblings(cpu):
    """Returns the processing units of a core."""
    return Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text()


def rankfile_options(path):
    """Returns mpirun's options for a rankfile, whose path has no hyphen, as Open MPI 5 wants it. With one core there is
    nothing to share."""
    mpiexec = os.environ.get("CUBEFOLD_MPIEXEC")
    version = mpiexec and re.search(r"\((?:Open MPI|OpenRTE)\) (\d+)",
                                    subprocess.run([mpiexec, "--version"], capture_output=True, text=True,
                                                   check=True).stdout)
    if not version:
        pytest.skip("rank files are Open MPI's, and this build has none")
    if len({siblings(cpu) for cpu in os.sched_getaffinity(0)}) < 2:
        pytest.skip("one core cannot be shared out")
    return ["--rankfile", path] if int(version[1]) < 5 else ["--map-by", f"rankfile:FILE={path}"]


def affinities(folder, *options):
    """Returns the processing units of each of two ranks. The ranks write them to files, because mpirun may mix the
    output of both. The variables of other tests have precedence over a rankfile in Open MPI 5."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PRTE_MCA_")}
    say = "import os; open(os.environ['OMPI_COMM_WORLD_RANK'], 'w').write(' '.join(map(str, os.sched_getaffinity(0))))"
    subprocess.run([os.environ["CUBEFOLD_MPIEXEC"], "-n", "2", *map(str, options), sys.executable, "-c", say],
                   cwd=folder, env=environment, capture_output=True, timeout=WATCHDOG_SECONDS, check=True)
    return [set(map(int, (folder / rank).read_text().split())) for rank in "01"]


def rankfile_for_two_ranks_here(tmp_path, *arguments):
    hosts, file = tmp_path / "hosts.txt", tmp_path / "ranks.txt"
    hosts.write_text("localhost\n")
    job = run_alone("cubefold", "map", "line:1", "--per-node", 2, "--phase", "matrix:-", "--hosts", hosts,
                    "--emit", "rankfile",
                    "--emit-to", file, *arguments,
                    stdin="%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
    assert job.status == 0, job.err
    return file


def test_open_mpi_gives_each_rank_its_share_of_the_cores(tmp_path):
    options = rankfile_options("ranks.txt")
    share = len({siblings(cpu) for cpu in os.sched_getaffinity(0)}) // 2
    if share == 0:
        pytest.skip("there is one core, which two ranks cannot share out")
    rankfile_for_two_ranks_here(tmp_path, "--cores-per-node", 2 * share)
    first, second = affinities(tmp_path, *options)
    assert not first & second
    assert [len({siblings(cpu) for cpu in cpus}) for cpus in (first, second)] == [share, share]


def test_open_mpi_binds_no_rank_whose_share_is_unknown(tmp_path):
    options = rankfile_options("ranks.txt")
    rankfile_for_two_ranks_here(tmp_path)
    free = affinities(tmp_path, "--bind-to", "none")
    if options[0] != "--rankfile":
        options += ["--bind-to", "none"]
    assert all(cpus >= cpus_of_free for cpus, cpus_of_free in zip(affinities(tmp_path, *options), free, strict=True))


def test_orders_of_others_appear_beside_ours_and_are_certified(tmp_path):
    (tmp_path / "a.map").write_text("16\n" + "".join(f"{rank}\t{rank * 5 % 16}\n" for rank in reversed(range(16))))
    (tmp_path / "b.txt").write_text("# by hand\n0,1, 2,3\n4\n5,6,7,8,9,10,11,12,13,14,15\n")
    job = map_ranks("ring:16", 1, "--import", "scotch", tmp_path / "a.map",
                    "--import", "mpich-rank-order", tmp_path / "b.txt", "--json", tmp_path / "c.json")
    assert job.status == 0, job.err
    heading = next(line for line in job.out.splitlines() if line.startswith("busiest link"))
    assert heading.split()[2:] == ["identity", "standard", "xor", "a.map", "b.txt", "choice"]
    theirs, by_hand = json.loads((tmp_path / "c.json").read_text())["compared"][3:]
    assert theirs["node_of_rank"] == [rank * 5 % 16 for rank in range(16)]
    assert (theirs["busiest_link"], theirs["average_hops"]) == ([5], 5)
    assert by_hand["node_of_rank"] == list(range(16))
    assert run_alone("cubefold", "verify", tmp_path / "c.json").status == 0


def pairs_matrix(size, seed):
    chance = random.Random(seed)
    pairs = {tuple(chance.sample(range(1, size + 1), 2)) for _ in range(3 * size)}
    return "\n".join(["%%MatrixMarket matrix coordinate pattern general", f"{size} {size} {len(pairs)}",
                      *(f"{i} {j}" for i, j in sorted(pairs)), ""])


@pytest.mark.parametrize("machine, effort", combinations([("torus:5x3", 1), ("torus:4x4", 1), ("ring:7", 3)],
                                                         [1, 10**7]))
def test_the_choice_is_never_worse_than_an_imported_order(machine, effort, tmp_path):
    grid, per_node = machine
    nodes = math.prod(map(int, grid.split(":")[1].split("x")))
    imports = []
    for seed in range(4):
        order = random.Random(seed).sample(range(nodes), nodes)
        ranks = [per_node * group + slot for group in order for slot in range(per_node)]
        (tmp_path / f"{seed}.txt").write_text(",".join(map(str, ranks)) + "\n")
        imports += ["--import", "mpich-rank-order", tmp_path / f"{seed}.txt"]
    (tmp_path / "m.mtx").write_text(pairs_matrix(nodes * per_node, grid))
    job = run_alone("cubefold", "map", grid, "--per-node", per_node, "--phase", f"matrix:{tmp_path}/m.mtx", *imports,
                    "--effort", effort, "--json", tmp_path / "c.json")
    assert job.status == 0, job.err
    answer = json.loads((tmp_path / "c.json").read_text())
    assert all(answer["value"] <= order["value"] for order in answer["compared"])
    assert len(answer["compared"]) >= 5
    assert run_alone("cubefold", "verify", tmp_path / "c.json").status == 0


def test_reads_relative_hosts_and_names_with_or_without_a_domain(tmp_path):
    hosts = hosts_file(tmp_path, "node{0}.cluster.example")
    (tmp_path / "r.txt").write_text("".join(f"rank {15 - i}=node{i} slot=0:0-3\n" for i in range(15))
                                    + "rank 0=+n15 slot=0\n")
    job = map_ranks("ring:16", 1, "--import", "rankfile", tmp_path / "r.txt", "--hosts", hosts, "--json", "-")
    assert json.loads(job.out)["compared"][-1]["node_of_rank"] == list(range(15, -1, -1))


def test_warns_of_known_traps(tmp_path):
    long = run_alone("cubefold", "map", "ring:512", "--phase", "cube:0", "--placement", "identity", "--emit",
                     "mpich-rank-order")
    assert long.status == 0
    assert long.err == (f"cubefold: warning: the order has {len(long.out)} bytes; cray-mpich 9.1.0 is reported to fail "
                        "above 1024\n")
    hosts = hosts_file(tmp_path)
    hosts.write_text(hosts.read_text().replace("node7\n", "node7.cluster\n"))
    mixed = map_ranks("ring:16", 1, "--emit", "seq", "--hosts", hosts)
    assert (mixed.status, mixed.err) == (0, "cubefold: warning: hosts are named both ways, node7.cluster and node0; "
                                            "launchers may not know them for the same machines\n")


@pytest.mark.parametrize("line, count, per_node, message", [
    ("node{0}", 15, 1, "15 hosts where the grid has 16 nodes"),
    ("node{0}", 17, 1, "17 hosts where the grid has 16 nodes"),
    ("node", 16, 1, "1 host where the grid has 16 nodes"),
    ("node{0} slots=2", 16, 3, "host node0 has 2 slots for 3 processes"),
    ("node{0}:2", 16, 3, "host node0 has 2 slots for 3 processes"),
    ("node{0} slots=two", 16, 1, "line 3: the number of slots 'two' is not a positive whole number"),
    ("node{0} cores=2", 16, 1, "line 3: 'cores=2' behind the host is not slots=N or max_slots=N"),
    ("\x1b[2Jnode{0}", 16, 1, "line 3: host list '\\x1b[2Jnode0': brackets are not closed, or nested"),
    ("\x1b2Jnode{0}", 16, 1, "line 3: the host '\\x1b2Jnode0' has control characters, or characters beyond ASCII"),
])
def test_refuses_hosts_that_do_not_fit(line, count, per_node, message, tmp_path):
    hosts = hosts_file(tmp_path, line, count)
    expect_refused(map_ranks("ring:16", per_node, "--emit", "seq", "--hosts", hosts), f"hosts file {hosts}: {message}")


def test_refuses_formats_that_do_not_fit():
    expect_refused(map_ranks("ring:16", 1, "--emit", "seq"), "this format names hosts; say which with --hosts FILE")
    expect_refused(map_ranks("hypercube:4", 1, "--emit", "vcoord"),
                   "vcoord: hypercube:4 has 4 axes; the format has 1 to 3")
    for name in ("vcoord", "bgq", "scotch"):
        expect_refused(map_ranks("ring:8,hosts=2", 1, "--emit", name),
                       f"{name}: the format names nodes of ring:8, and some have several hosts")
        expect_refused(map_ranks("ring:9,hosts=2,without=3-4", 1, "--emit", name),
                       f"{name}: the format has no nodes of ring:9,hosts=2, which has switches")


IN_PLACE = {
    "rankfile": "".join(f"rank {i}=node{i} slot=0\n" for i in range(16)),
    "seq": "".join(f"node{i}\n" for i in range(16)),
    "mpich-rank-order": "".join(f"{i}\n" for i in range(16)),
    "vcoord": "".join(f"({i % 4},{i // 4})\n" for i in range(16)),
    "bgq": "".join(f"{i % 4} {i // 4} 0\n" for i in range(16)),
    "scotch": "16\n" + "".join(f"{i} {i}\n" for i in range(16)),
}


@pytest.mark.parametrize("launcher, old, new, line", [
    ("rankfile", "rank 3=node3 slot=0", "rank 3=node3", "line 4: 'rank 3=node3' is not rank N=HOST slot=LIST"),
    ("rankfile", "rank 3=", "rank three=", "line 4: the rank 'three' is not a whole number"),
    ("rankfile", "rank 3=", "rank 2=", "line 4: rank 2 stands on line 3 already"),
    ("rankfile", "rank 3=", "rank 16=", "line 4: rank 16 is beyond the 16 of torus:4x4"),
    ("rankfile", "rank 3=node3 slot=0\n", "", "line 15: the file ends without rank 3"),
    ("rankfile", "=node3 ", "=node2 ", "line 4: node 2 gets more than 1 rank"),
    ("rankfile", "=node3 ", "=+n16 ", "line 4: torus:4x4 has no node 16"),
    ("seq", "node3\n", "node33\n", "line 4: no node has the host 'node33'; there is 'node3'"),
    ("seq", "node3\n", "node3 cores=1\n", "line 4: 'cores=1' behind the host is not slots=N or max_slots=N"),
    ("mpich-rank-order", "3\n4\n", "3,,4\n", "line 4: slot 4 is empty; a rank order has a rank for every slot"),
    ("mpich-rank-order", "0\n1\n", "0,\n,1\n", "line 2: slot 1 is empty; a rank order has a rank for every slot"),
    ("seq", "node15\n", "node15\nnode0\n", "line 17: rank 16 is beyond the 16 of torus:4x4"),
    ("mpich-rank-order", "3\n4\n", "3-4\n", "line 4: the rank '3-4' is not a whole number"),
    ("vcoord", "(3,0)", "3,0", "line 4: '3,0' is not of the form (x,y,z)"),
    ("vcoord", "(3,0)", "(3,0,0)", "line 4: 3 numbers where torus:4x4 needs 2"),
    ("vcoord", "(3,0)", "(4,0)", "line 4: coordinate 4 is beyond extent 4 of axis 0"),
    ("bgq", "3 0 0", "3 0", "line 4: 2 numbers where torus:4x4 needs 3"),
    ("bgq", "3 0 0", "3 0 1", "line 4: slot 1 where the node has 1"),
    ("bgq", "3 0 0", "2 0 0", "line 4: slot 0 of node 2 is taken already"),
    ("scotch", "16\n", "15\n", "line 1: the file must begin with the number of ranks, 16"),
    ("scotch", "\n3 3\n", "\n3 3 3\n", "line 5: '3 3 3' is not RANK NODE"),
])
def test_refuses_files_of_others_by_their_line(launcher, old, new, line, tmp_path):
    file = tmp_path / "theirs.txt"
    assert IN_PLACE[launcher].count(old) == 1
    file.write_text(IN_PLACE[launcher].replace(old, new))
    expect_refused(map_ranks("torus:4x4", 1, "--import", launcher, file, "--hosts", hosts_file(tmp_path)),
                   f"{file}: {line}")


def map_ring(grid, per_node, *arguments):
    return run_alone("cubefold", "map", grid, "--phase", "ring", "--per-node", per_node, *arguments)


ORDER = [0, 2, 1, 3]


@pytest.mark.parametrize("launcher, text", [
    ("rankfile", "rank 0 = n0 slot=0\nrank 1= n2 slot=0\nrank 2 =n1 slot = 0\nrank 3=n3 slots=0\n"),
    ("rankfile", "".join(f"rank {rank}=+N{node} slot=0\n" for rank, node in enumerate(ORDER))),
    ("rankfile", "".join(f"rank {rank}=joe@n{node} slot=0\n" for rank, node in enumerate(ORDER))),
    ("seq", "".join(f"n{node} slots=1\n" for node in ORDER)),
    ("seq", "".join(f"N{node}.site slots=2 max_slots=2\n" for node in ORDER)),
    ("slurm-hostfile", "n[0,2]\nn[1,3]\n"),
    ("slurm-hostfile", "n0,n[2,1] n3\n"),
    ("mpich-rank-order", "0,2,\n1,3\n"),
])
def test_reads_what_launchers_read(launcher, text, tmp_path):
    (tmp_path / "hosts.txt").write_text("n0\nn1\nn2\nn3\n")
    (tmp_path / "theirs.txt").write_text(text)
    job = map_ring("ring:4", 1, "--import", launcher, tmp_path / "theirs.txt", "--hosts", tmp_path / "hosts.txt",
                    "--json", "-")
    assert job.status == 0, job.err
    assert json.loads(job.out)["compared"][-1]["node_of_rank"] == ORDER


def test_a_star_in_a_host_list_of_slurm_repeats_a_host(tmp_path):
    (tmp_path / "hosts.txt").write_text("n0\nn1\n")
    (tmp_path / "theirs.txt").write_text("n1*2,n0\nn0\n")
    job = map_ring("line:2", 2, "--import", "slurm-hostfile", tmp_path / "theirs.txt", "--hosts",
                    tmp_path / "hosts.txt", "--json", "-")
    assert json.loads(job.out)["compared"][-1]["node_of_rank"] == [1, 1, 0, 0]


HOST_FILES = {
    "repeats": "n0\nn0\nn1\nn1\n", "hydra": "n0:2\nn1:2\n", "brackets": "n[0-1]*2\n",
    "open mpi": "# ours\nn0 slots=2 max_slots=4   # first\n\nn1\tslots = 2\tmax-slots=2\n"}


@pytest.mark.parametrize("form", HOST_FILES)
def test_reads_host_files_in_every_form(form, tmp_path):
    (tmp_path / "hosts.txt").write_text(HOST_FILES[form])
    job = map_ring("line:2", "slots", "--placement", "identity", "--emit", "rankfile", "--hosts",
                    tmp_path / "hosts.txt")
    assert (job.status, job.err) == (0, "")
    assert job.out == "".join(f"rank {rank}=n{rank // 2} slot=S*\n" for rank in range(4))


UNEVEN = [3, 3, 2, 2]


@pytest.mark.parametrize("launcher", PARSERS)
def test_unequal_numbers_of_ranks_are_placed_and_read_back(launcher, tmp_path):
    hosts, file = tmp_path / "hosts.txt", tmp_path / "theirs"
    hosts.write_text("".join(f"n{node} slots={count}\n" for node, count in enumerate(UNEVEN)))
    written = map_ring("ring:4", "3(x2),2(x2)", "--placement", "nodes=2-0-3-1", "--emit", launcher, "--hosts", hosts,
                        "--emit-to", file)
    assert written.status == 0, written.err
    back = map_ring("ring:4", "slots", "--import", launcher, file, "--hosts", hosts, "--json", tmp_path / "c.json")
    assert back.status == 0, back.err
    answer = json.loads((tmp_path / "c.json").read_text())
    assert answer["per_node"] == UNEVEN
    assert answer["compared"][-1]["node_of_rank"] == [2, 2, 0, 0, 0, 3, 3, 1, 1, 1]
    assert run_alone("cubefold", "verify", tmp_path / "c.json").status == 0


def test_the_cores_of_a_node_are_shared_by_its_own_ranks(tmp_path):
    (tmp_path / "hosts.txt").write_text("n0\nn1\n")
    job = map_ring("line:2", "3,2", "--placement", "identity", "--emit", "rankfile", "--hosts", tmp_path / "hosts.txt",
                    "--cores-per-node", 6)
    assert job.out == ("rank 0=n0 slot=0-1\nrank 1=n0 slot=2-3\nrank 2=n0 slot=4-5\n"
                       "rank 3=n1 slot=0-2\nrank 4=n1 slot=3-5\n")


def test_warns_of_a_path_that_open_mpi_5_would_cut(tmp_path):
    def warnings(launcher, name):
        job = map_ranks("torus:4x4", 1, "--emit", launcher, "--hosts", hosts_file(tmp_path), "--emit-to", name)
        assert job.status == 0, job.err
        return job.err

    assert warnings("rankfile", "ranks.txt") == "" == warnings("slurm-hostfile", "our-ranks.txt")
    line = "cubefold: warning: Open MPI 5 cuts the path our-ranks.txt at '-'; choose one without '-' for --emit-to\n"
    assert warnings("rankfile", "our-ranks.txt") == line == warnings("seq", "our-ranks.txt")
