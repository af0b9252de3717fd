"""cubefold-run starts the right commands. Small scripts stand for the launchers and for cubefold discover and map."""

import os
import select
import shutil
import signal
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from jobs import BUILD, WATCHDOG_SECONDS

SOURCE = Path(os.environ["CUBEFOLD_SOURCE"])
PACKAGES = [str(SOURCE / "apps/run"), str(SOURCE / "apps/lab")]
sys.path[:0] = PACKAGES

from cubefold_run import launchers, preload  # noqa: E402

STARTER = "import sys; from cubefold_run.cli import main; " \
          "sys.exit(main(sys.argv[2:], sys.argv[1], sys.argv[1] + '/{}.so', '0'))"

# Every stand-in appends its words to the file `log`.
CUBEFOLD = """\
case $1 in
discover)
  test -z "$REFUSES" || { echo 'cubefold: nothing found' >&2; exit 2; }
  test -n "$SLOTS" && slots=", \\"slots\\": $SLOTS"
  echo '{"part": "torus:2x2", "hosts": ['
  for host in a b c; do echo "{\\"name\\": \\"$host\\"$slots},"; done
  echo "{\\"name\\": \\"d\\"}]}" ;;
esac
"""
SRUN = """\
test "$1" != --mpi=list || { printf 'MPI plugin types are...\\n\\tpmi2\\n\\tpmix\\n\\tnone\\n'; exit; }
echo "CUBEFOLD_HOSTS=$CUBEFOLD_HOSTS SLURM_HOSTFILE=$SLURM_HOSTFILE" >> log
exit 7
"""


def write_program(folder, name, text):
    path = folder / name
    path.write_text(f'#!/bin/sh\necho {name} "$@" >> log\n{text}')
    path.chmod(0o755)


@pytest.fixture
def cluster(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    write_program(programs, "cubefold", CUBEFOLD)
    write_program(programs, "srun", SRUN)
    (programs / "preload.so").touch()
    (programs / "profile.so").touch()
    write_program(programs, "mpirun", "test $1 != --version || echo 'mpirun (Open MPI) 4.1.4'")
    return tmp_path


SLURM = {"SLURM_JOB_ID": "5", "SLURM_JOB_NODELIST": "n[0-3]", "SLURM_NTASKS": "8"}


def run(cluster, *arguments, stdout=subprocess.PIPE, **environment):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("SLURM_", "PBS_", "LSB_", "PJM_", "CUBEFOLD_", "LD_PRELOAD"))}
    return subprocess.run(
        [sys.executable, "-B", "-c", STARTER, cluster / "bin", *map(str, arguments)], cwd=cluster, text=True,
        stdout=stdout, stderr=subprocess.PIPE, timeout=WATCHDOG_SECONDS,
        env={**kept, "PATH": f"{cluster}/bin:/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(PACKAGES),
             **environment})


def with_short_paths(text, cluster, folder):
    return text.replace(folder, "F").replace(os.path.relpath(folder, cluster) + "/", "F/")


def log(cluster, folder):
    """Returns the commands that ran, with F for the folder of files."""
    lines = (cluster / "log").read_text().splitlines()
    return [with_short_paths(line, cluster, folder) for line in lines if "=list" not in line]


def only_folder_in(text):
    """Returns the folder of hosts.json in a command."""
    word = next(word for word in text.split() if word.endswith("/hosts.json"))
    return word.removesuffix("/hosts.json").rpartition("=")[2]


def test_in_a_slurm_job_the_network_is_found_and_srun_starts_the_program(cluster):
    done = run(cluster, "--", "./program", "--option", **SLURM)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
    folder = only_folder_in((cluster / "log").read_text())
    assert log(cluster, folder) == [
        "cubefold discover --job --json - --output F/hosts.json",
        "srun --mpi=pmix ./program --option",
        "CUBEFOLD_HOSTS=F/hosts.json SLURM_HOSTFILE="]
    assert sorted(path.name for path in cluster.iterdir()) == ["bin", "log"]


def test_ranks_start_on_the_hosts_that_suit_the_phases(cluster):
    done = run(cluster, "--phase", "alltoall", "--phase", "cube", "--placement", "xor", "./program", **SLURM, SLOTS="3")
    assert (done.returncode, done.stderr) == (7, "")
    folder = only_folder_in((cluster / "log").read_text())
    assert log(cluster, folder)[1:] == [
        "cubefold map torus:2x2 --hosts F/hosts.json --per-node slots --phase alltoall --phase cube --placement xor "
        "--emit slurm-hostfile --emit-to F/ranks.txt",
        "srun --mpi=pmix --ntasks 10 --distribution arbitrary ./program",
        "CUBEFOLD_HOSTS=F/hosts.json SLURM_HOSTFILE=F/ranks.txt"]


def test_a_dry_run_prints_the_commands_and_starts_nothing(cluster):
    done = run(cluster, "--dry-run", "--phase", "cube", "--keep", "files", "-n", 4, "./program", "a b", **SLURM)
    assert (done.returncode, done.stderr) == (0, "")
    folder = str(cluster / "files")
    assert with_short_paths(done.stdout, cluster, folder).replace(str(cluster / "bin/"), "") == (
        "/cubefold discover --job --ranks 4 --json - --output F/hosts.json\n"
        "/cubefold map torus:2x2 --hosts F/hosts.json --per-node slots --phase cube --emit slurm-hostfile --emit-to "
        "F/ranks.txt\n"
        "CUBEFOLD_HOSTS=F/hosts.json SLURM_HOSTFILE=F/ranks.txt srun --mpi=pmix --ntasks 4 --distribution arbitrary "
        "./program 'a b'\n")
    assert log(cluster, folder) == ["cubefold discover --job --ranks 4 --json -"]
    assert not (cluster / "files").exists()


def test_a_path_that_open_mpi_5_would_cut_is_refused(cluster):
    done = run(cluster, "--launcher", "mpirun-5", "--phase", "cube", "--keep", "my-files", "./program", **SLURM)
    assert (done.returncode, done.stderr) == (
        2, "cubefold-run: --keep: Open MPI 5 cuts the path my-files/ranks.txt at '-'; a folder without '-' helps\n")


def test_with_a_hostfile_mpirun_starts_the_program(cluster):
    (cluster / "hosts.txt").write_text("# our hosts\na slots=2\nb:2\n\na\n")
    done = run(cluster, "--hostfile", "hosts.txt", "--input", "fabric.txt", "--grid", "torus:2x2", "--keep", "files",
               "./program")
    assert (done.returncode, done.stderr) == (0, "")
    assert log(cluster, str(cluster / "files")) == [
        "mpirun --version",
        "cubefold discover --input fabric.txt --grid torus:2x2 --hostfile hosts.txt --json - --output F/hosts.json",
        "mpirun --hostfile hosts.txt -x CUBEFOLD_HOSTS ./program"]
    assert (cluster / "files").is_dir()


def test_a_host_map_that_is_known_already_is_used(cluster):
    run(cluster, "./program", **SLURM, CUBEFOLD_HOSTS="/etc/hosts.json")
    assert "cubefold discover --input /etc/hosts.json --job" in (cluster / "log").read_text()


@pytest.mark.parametrize("arguments, environment, line", [
    (["--bricks", "8/2", "./program"], SLURM, "--bricks: needs --phase, which says what the program sends"),
    (["--placement", "xor", "./program"], SLURM, "--placement: needs --phase, which says what the program sends"),
    (["--mpi", "pmi2", "--launcher", "mpirun-4", "./program"], SLURM, "--mpi: only srun takes it, not mpirun-4"),
    (["--lancher", "srun", "./program"], SLURM,
     "unknown option '--lancher'; did you mean '--launcher'? (see cubefold-run --help)"),
    (["--launcher", "sruns", "./program"], SLURM,
     "--launcher: unknown value 'sruns'; did you mean 'srun'? known: srun, mpirun-4, mpirun-5, hydra (see cubefold-run "
     "--help)"),
    ([], SLURM, "PROGRAM ... is required (see cubefold-run --help)"),
])
def test_a_mistake_is_named_in_one_line_and_nothing_starts(cluster, arguments, environment, line):
    done = run(cluster, *arguments, **environment)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"cubefold-run: {line}\n")
    started = (cluster / "log").read_text() if (cluster / "log").exists() else ""
    assert "program" not in started
    assert not list(cluster.glob("cubefold_run_*"))


def test_a_network_that_is_not_found_is_an_error(cluster):
    done = run(cluster, "./program", **SLURM, REFUSES="yes")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "cubefold: nothing found\ncubefold-run: the network is not known (see above)\n"
    assert "srun" not in (cluster / "log").read_text()


def test_a_preloaded_program_starts_where_the_network_is_unknown(cluster):
    done = run(cluster, "--preload", "./program", **SLURM, REFUSES="yes")
    assert (done.returncode, done.stdout) == (7, "")  # the status of the program
    assert done.stderr == ("cubefold: nothing found\ncubefold-run: --preload: the network is not known (see above); "
                           "the program starts without it\n")
    text = (cluster / "log").read_text()
    assert f"srun --mpi=pmix --export=ALL,LD_PRELOAD={cluster}/bin/preload.so ./program\n" in text
    assert "CUBEFOLD_HOSTS= SLURM_HOSTFILE=\n" in text


def test_a_preloaded_program_that_is_to_be_placed_needs_the_network(cluster):
    done = run(cluster, "--preload", "--phase", "cube", "./program", **SLURM, REFUSES="yes")
    assert done.returncode == 2
    assert done.stderr == "cubefold: nothing found\ncubefold-run: the network is not known (see above)\n"
    assert "srun" not in (cluster / "log").read_text()


def commands_of(cluster, *arguments, **environment):
    """Returns the commands of a dry run in which the real planner reads the job."""
    (cluster / "bin/cubefold").unlink()
    (cluster / "bin/cubefold").symlink_to(BUILD / "bin/cubefold")
    (cluster / "map.txt").write_text("".join(f"r1i0n{i} {i}\n" for i in range(4)))
    done = run(cluster, "--dry-run", "--keep", "files", "--phase", "ring", "--input", "map.txt", "--grid", "ring:4",
               *arguments, "./program", **environment)
    return done.stdout.splitlines() if done.returncode == 0 else done.stderr


@pytest.mark.parametrize("variables, count", [
    ({"SLURM_JOB_NODELIST": "r1i0n[0-3]", "SLURM_NTASKS_PER_NODE": "4"}, 16),
    ({"SLURM_JOB_NODELIST": "r1i0n[0-3]", "SLURM_TASKS_PER_NODE": "4(x4)"}, 16),
    ({"SLURM_JOB_NODELIST": "r1i0n[0-3]", "SLURM_NPROCS": "16"}, 16),
    ({"SLURM_JOB_NODELIST": "r1i0n[0-3]", "SLURM_TASKS_PER_NODE": "3(x2),2(x2)"}, 10),
    ({"SLURM_JOB_NODELIST": "r1i0n[0-3]"}, 4),
    ({"LSB_MCPU_HOSTS": "r1i0n0 3 r1i0n1 2"}, 5),
])
def test_as_many_ranks_start_as_the_job_says(cluster, variables, count):
    launcher = "srun" if "SLURM_JOB_NODELIST" in variables else "mpirun-4"
    commands = commands_of(cluster, "--launcher", launcher, **variables)
    assert f"--ntasks {count} " in commands[-1] or f"-n {count} " in commands[-1]


HOSTFILES = {"repeats": "r1i0n0\n" * 2 + "r1i0n1\n" * 2, "hydra": "r1i0n0:2\nr1i0n1:2\n",
             "slots": "# ours\nr1i0n0 slots=2 max_slots=4  # first\n\n\tr1i0n1\tslots = 2\n", "list": "r1i0n[0-1]*2\n"}


@pytest.mark.parametrize("form", HOSTFILES)
def test_as_many_ranks_start_as_the_hostfile_has_slots(cluster, form):
    (cluster / "hosts.txt").write_text(HOSTFILES[form])
    assert " -n 4 " in commands_of(cluster, "--hostfile", "hosts.txt")[-1]


@pytest.mark.parametrize("arguments, variables, line", [
    ([], {}, "there is no job: none of SLURM_JOB_NODELIST, PBS_NODEFILE, LSB_MCPU_HOSTS and PJM_O_NODEINF is set; "
             "name the hosts with --hostfile"),
    ([], {"SLURM_JOB_NODELIST": "r1i0n[0-3]", "SLURM_NTASKS": "8", "SLURM_TASKS_PER_NODE": "4(x4)"},
     "SLURM_NTASKS=8 contradicts SLURM_TASKS_PER_NODE=4(x4)"),
    (["-n", "9"], {"SLURM_JOB_NODELIST": "r1i0n[0-3]", "SLURM_NTASKS": "8"},
     "9 ranks are more than the slots of the hosts, 2(x4)"),
    (["--hostfile", "missing.txt"], {}, "missing.txt: cannot read: No such file or directory"),
    (["--hostfile", "/dev/null"], {}, "/dev/null: it names no host"),
])
def test_what_does_not_fit_the_job_is_named(cluster, arguments, variables, line):
    said = commands_of(cluster, "--launcher", "mpirun-4", *arguments, **variables)
    assert said == f"cubefold: {line}\ncubefold-run: the network is not known (see above)\n"


def test_the_library_is_loaded_by_the_ranks_alone(cluster):
    done = run(cluster, "--preload", "--dry-run", "./program", **SLURM)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"srun --mpi=pmix --export=ALL,LD_PRELOAD={cluster}/bin/preload.so ./program" in done.stdout


def test_the_profiling_library_is_told_its_file(cluster):
    done = run(cluster, "--profile", "cg.json", "--dry-run", "./program", **SLURM)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"--export=ALL,LD_PRELOAD={cluster}/bin/profile.so ./program" in done.stdout
    assert f" CUBEFOLD_PROFILE={cluster}/cg.json " in f" {done.stdout}"


def test_a_profile_needs_no_network(cluster):
    done = run(cluster, "--profile", "cg.json", "./program", **SLURM, REFUSES="yes")
    assert (done.returncode, done.stderr) == (7, "")  # the status of the program
    assert "discover" not in (cluster / "log").read_text()


def test_a_profile_needs_no_allocation(cluster):
    done = run(cluster, "--profile", "cg.json", "-n", 4, "--launcher", "mpirun-4", "--dry-run", "./program")
    assert (done.returncode, done.stderr) == (0, "")
    assert (f"mpirun -n 4 -x CUBEFOLD_PROFILE -x LD_PRELOAD={cluster}/bin/profile.so ./program") in done.stdout


def test_reordering_is_asked_for_with_the_preload(cluster):
    done = run(cluster, "--preload", "--reorder", "--dry-run", "./program", **SLURM)
    assert "CUBEFOLD_REORDER=on " in done.stdout
    assert "CUBEFOLD_REORDER" not in run(cluster, "--preload", "--dry-run", "./program", **SLURM).stdout
    done = run(cluster, "--reorder", "--dry-run", "./program", **SLURM)
    assert done.returncode == 2
    assert done.stderr == "cubefold-run: --reorder: needs --preload, whose library gives the new ranks\n"


def test_another_preloaded_library_comes_after_ours_and_is_named(cluster):
    other = cluster / "other.so"
    done = run(cluster, "--preload", "--dry-run", "./program", **SLURM, LD_PRELOAD=str(other))
    assert f"LD_PRELOAD={cluster}/bin/preload.so:{other} " in done.stdout
    line = f"cubefold-run: --preload: LD_PRELOAD is set already; {other} comes after cubefold's library\n"
    assert line in done.stderr


def test_a_statically_linked_program_is_named_and_starts_as_it_is(cluster):
    static = cluster / "static"
    static.write_bytes(elf_with_segments(1))
    done = run(cluster, "--preload", "--dry-run", static, **SLURM)
    assert done.stderr == (f"cubefold-run: --preload: {static} is statically linked, so its calls of MPI are not "
                           "seen\n")
    assert "LD_PRELOAD" not in done.stdout


def elf_with_segments(*types):
    """Returns a 64-bit ELF file with segments of these types alone."""
    header = bytearray(64)
    header[:6] = b"\x7fELF\x02\x01"
    struct.pack_into("<Q", header, 32, 64)
    struct.pack_into("<HH", header, 54, 56, len(types))
    return bytes(header) + b"".join(struct.pack("<I52x", kind) for kind in types)


@pytest.mark.parametrize("image, is_static", [
    (elf_with_segments(1, 1), True), (elf_with_segments(6, 3, 1), False), (b"#!/bin/sh\n", False), (b"", False),
    (elf_with_segments(1, 1)[:70], False), (b"\x7fELF", False)])
def test_a_program_without_an_interpreter_is_static(tmp_path, image, is_static):
    (tmp_path / "program").write_bytes(image)
    assert preload.is_static(tmp_path / "program") == is_static


def test_programs_that_need_the_dynamic_linker_are_not_static():
    assert not preload.is_static(BUILD / "bin/cubefold")
    assert not preload.is_static("/no/such/program")


STEP = launchers.Step(["p", "x"], "/f/hosts.json", 8, "/f/ranks.txt", "hosts.txt", "pmi2")


@pytest.mark.parametrize("launcher, words", [
    ("srun", "srun --mpi=pmi2 --ntasks 8 --distribution arbitrary p x"),
    ("mpirun-4", "mpirun --hostfile hosts.txt -n 8 --rankfile /f/ranks.txt -x CUBEFOLD_HOSTS p x"),
    ("mpirun-5", "mpirun --hostfile hosts.txt -n 8 --map-by rankfile:FILE=/f/ranks.txt --bind-to none -x "
                 "CUBEFOLD_HOSTS p x"),
    ("hydra", "mpiexec.hydra -f /f/ranks.txt -n 8 -genv CUBEFOLD_HOSTS /f/hosts.json p x"),
])
def test_every_launcher_gets_its_own_options(launcher, words):
    assert launchers.LAUNCHERS[launcher].command(STEP).words == words.split()


def test_hydra_gets_the_hosts_if_nobody_says_where_ranks_belong():
    words = launchers.LAUNCHERS["hydra"].command(replace(STEP, ranks=None)).words
    assert words == "mpiexec.hydra -f hosts.txt -n 8 -genv CUBEFOLD_HOSTS /f/hosts.json p x".split()


# Stands for ssh, which hydra calls with options, the host and the words of a shell command.
AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
HOST_OF_RANK=$host exec sh -c "$*"
"""


@pytest.mark.skipif(not shutil.which("mpiexec.hydra"), reason="MPICH's mpiexec.hydra is not installed")
@pytest.mark.parametrize("lines", [["b", "b", "a", "a", "c", "c"], ["b", "a", "b", "a"], ["c", "a", "b"]])
def test_hydra_starts_every_rank_on_the_host_of_its_line(tmp_path, lines):
    (tmp_path / "agent").write_text(AGENT)
    (tmp_path / "agent").chmod(0o755)
    (tmp_path / "ranks").write_text("".join(f"{host}\n" for host in lines))
    step = launchers.Step(["sh", "-c", "echo $PMI_RANK $HOST_OF_RANK"], "hosts.json", len(lines),
                          str(tmp_path / "ranks"))
    done = subprocess.run(launchers.LAUNCHERS["hydra"].command(step).words, capture_output=True, text=True, check=True,
                          env={**os.environ, "HYDRA_LAUNCHER": "ssh", "HYDRA_LAUNCHER_EXEC": str(tmp_path / "agent")},
                          timeout=WATCHDOG_SECONDS)
    assert sorted(done.stdout.splitlines()) == [f"{rank} {host}" for rank, host in enumerate(lines)]


@pytest.mark.parametrize("launcher", list(launchers.LAUNCHERS))
def test_every_launcher_tells_the_ranks_the_file_of_the_profile(launcher):
    command = launchers.LAUNCHERS[launcher].command(replace(STEP, profile="/l/cg.json"))
    if launcher == "hydra":
        assert " -genv CUBEFOLD_PROFILE /l/cg.json " in " ".join(command.words)
    else:
        assert command.variables["CUBEFOLD_PROFILE"] == "/l/cg.json"
        assert launcher == "srun" or " -x CUBEFOLD_PROFILE " in " ".join(command.words)


@pytest.mark.parametrize("launcher, option", [
    ("srun", "--export=ALL,LD_PRELOAD=/l/p.so"), ("mpirun-4", "-x LD_PRELOAD=/l/p.so"),
    ("mpirun-5", "-x LD_PRELOAD=/l/p.so"), ("hydra", "-genv LD_PRELOAD /l/p.so")])
def test_every_launcher_sets_the_preload_for_the_ranks(launcher, option):
    command = launchers.LAUNCHERS[launcher].command(replace(STEP, preload="/l/p.so"))
    assert f" {option} " in " ".join(command.words)
    assert "LD_PRELOAD" not in command.variables


@pytest.mark.parametrize("text, launcher", [
    ("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n", "mpirun-4"),
    ("mpirun (Open MPI) 5.0.7\n", "mpirun-5"), ("mpirun (Open MPI) 6.0.0rc2\n", "mpirun-5"),
    ("HYDRA build details:\n    Version:  4.0.2\n", "hydra"), ("", None), ("mpirun (Open MPI)", None),
    ("another mpirun 1.0", None),
])
def test_an_mpirun_is_known_by_its_version(text, launcher):
    assert launchers.launcher_of_mpirun(text) == launcher


@pytest.mark.parametrize("text, name", [
    ("MPI plugin types are...\n\tcray_shasta\n\tpmi2\n\tpmix\n\tnone\nspecific pmix plugin versions available: pmix_v4",
     "pmix"),
    ("MPI plugin types are...\n\tpmi2\n\tnone\n", "pmi2"), ("srun: MPI types are...\nsrun: none\n", None), ("", None),
])
def test_srun_is_asked_how_it_starts_mpi_programs(text, name):
    assert launchers.srun_mpi(text) == name


# This stand-in for mpirun opens a named pipe when it runs, and waits for a line in another one.
# The child is started before the traps are set: until it has become cat, it would take a signal as its parent does.
WAITING = """\
test $1 != --version || { echo 'mpirun (Open MPI) 4.1.4'; exit; }
cat end > /dev/null &
trap 'echo TERM >> log; kill $!; exit 3' TERM
trap 'echo INT >> log; kill $!; exit 5' INT
echo > begin
wait
exit 7
"""
# This one can only be killed.
STUBBORN = """\
test $1 != --version || { echo 'mpirun (Open MPI) 4.1.4'; exit; }
trap '' TERM
echo > begin
exec cat end
"""
# This one hears of the job only when that has ended.
LATE = ("import os, subprocess, types; from cubefold_lab import foreground; "
        "ended = lambda job: os.waitid(os.P_PID, job.pid, os.WEXITED | os.WNOWAIT) and job; "
        "foreground.subprocess = types.SimpleNamespace(Popen=lambda *words, **more: "
        "ended(subprocess.Popen(*words, **more))); ")
IMPATIENT = "from cubefold_lab import foreground; foreground.GRACE_SECONDS = 0.1; " + STARTER


def make_pipes(cluster):
    """Makes the named pipes of the stand-in, and opens the first one so that this never waits."""
    os.mkfifo(cluster / "begin")
    os.mkfifo(cluster / "end")
    return os.open(cluster / "begin", os.O_RDWR)


def wait_for_begin(pipe, job):
    """Waits until the stand-in for mpirun has written into the pipe. The job may not end before that."""
    while not select.select([pipe], [], [], 0.1)[0]:
        assert job.poll() is None, job.communicate()
    os.close(pipe)


class Waiting:
    """A job that is under way, started by cubefold-run."""

    def __init__(self, cluster, mpirun, starter=STARTER, ignored=()):
        write_program(cluster / "bin", "mpirun", mpirun)
        (cluster / "hosts.txt").write_text("a\n")
        begin = make_pipes(cluster)
        self.cluster = cluster
        self.started = subprocess.Popen(
            [sys.executable, "-B", "-c", starter, cluster / "bin", "--hostfile", "hosts.txt", "./program"], cwd=cluster,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PATH": f"{cluster}/bin:/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(PACKAGES)},
            preexec_fn=lambda: [signal.signal(number, signal.SIG_IGN) for number in ignored])
        wait_for_begin(begin, self.started)
        assert list(cluster.glob("cubefold_run_*"))

    def end(self):
        """Returns the exit status, the text on standard error and the job's last words, and expects that nothing is
        left."""
        _, complaint = self.started.communicate(timeout=WATCHDOG_SECONDS)
        assert not list(self.cluster.glob("cubefold_run_*"))
        return self.started.returncode, complaint, (self.cluster / "log").read_text().splitlines()[-1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_the_wrapper_alone_ends_the_job_and_leaves_nothing(cluster, number):
    job = Waiting(cluster, WAITING)
    job.started.send_signal(number)
    assert job.end() == (130, "cubefold-run: interrupted\n", "TERM")


def test_a_job_that_ignores_the_signal_is_killed(cluster):
    job = Waiting(cluster, STUBBORN, IMPATIENT)
    job.started.send_signal(signal.SIGTERM)
    assert job.end()[:2] == (130, "cubefold-run: interrupted\n")


def test_when_the_wrapper_is_killed_the_job_ends_too(cluster):
    job = Waiting(cluster, WAITING)
    job.started.kill()
    job.started.communicate(timeout=WATCHDOG_SECONDS)  # the job has closed its output
    assert (cluster / "log").read_text().endswith("\nTERM\n")


def test_a_signal_that_is_ignored_ends_nothing(cluster):
    job = Waiting(cluster, WAITING, ignored=[signal.SIGHUP])
    job.started.send_signal(signal.SIGHUP)
    (cluster / "end").write_text("")
    status, complaint, last = job.end()
    assert (status, complaint) == (7, "") and last.startswith("mpirun --hostfile")


@pytest.mark.parametrize("starter", [STARTER, LATE + STARTER], ids=["in time", "late"])
def test_ctrl_c_in_a_terminal_is_left_to_the_job(cluster, starter):
    """The terminal sends the signal to both. The wrapper passes on the job's status."""
    terminal, other_end = os.openpty()
    in_terminal = "import fcntl, termios, os; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); " + starter
    write_program(cluster / "bin", "mpirun", WAITING)
    (cluster / "hosts.txt").write_text("a\n")
    begin = make_pipes(cluster)
    with subprocess.Popen(
            [sys.executable, "-B", "-c", in_terminal, cluster / "bin", "--hostfile", "hosts.txt", "./program"],
            cwd=cluster, stdin=other_end, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PATH": f"{cluster}/bin:/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(PACKAGES)}) as job:
        wait_for_begin(begin, job)
        os.write(terminal, b"\x03")
        try:
            assert job.wait(WATCHDOG_SECONDS) == 5
        finally:
            job.kill()
    os.close(terminal)
    os.close(other_end)
    assert (cluster / "log").read_text().endswith("\nINT\n")


def test_says_its_version_and_help_in_both_ways():
    def shown(option):
        return subprocess.run([BUILD / "bin/cubefold-run", option], capture_output=True, text=True, check=True).stdout

    assert shown("--version") == shown("version") == "cubefold-run 0.1.0\n"
    assert shown("--help") == shown("help")
    assert "examples, in a job script of Slurm:" in shown("help")


@pytest.mark.parametrize("words, program", [(["--", "help"], "help"), (["version", "2"], "version 2")])
def test_a_program_of_such_a_name_is_started(cluster, words, program):
    done = run(cluster, *words, **SLURM)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
    assert f"srun --mpi=pmix {program}\n" in (cluster / "log").read_text()


@pytest.mark.parametrize("arguments", [["--dry-run", "./program"], ["--help"], ["help"], ["version"]])
def test_a_full_standard_output_is_an_error(cluster, arguments):
    with open("/dev/full", "w") as full:
        done = run(cluster, *arguments, **SLURM, stdout=full)
    assert (done.returncode, done.stderr) == (
        2, "cubefold-run: cannot write to standard output: No space left on device\n")
