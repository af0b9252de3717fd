"""Programs that are ended from outside leave no incomplete files."""

import os
import re
import resource
import signal
import subprocess
from pathlib import Path

import pytest

from jobs import BUILD, WATCHDOG_SECONDS, WITH_MPICH, preloaded, run, files_shared_with_other_jobs
from sweeps import more

resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))  # core dumps are files too
os.environ["OMPI_MCA_odls_base_sigkill_timeout"] = "1"  # seconds in which processes may remove what they wrote

ENDS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT, signal.SIGUSR1, signal.SIGXCPU]

KEPT_BY_MPICH = [signal.SIGHUP, signal.SIGUSR1]  # MPICH has handlers for them, after which programs go on

COMMANDS = {"cubefold": ["routes", "torus:4x4", "--json", "file"], "cubefold-signal": ["--output", "file"],
            "cubefold-exchange": ["--block", "8", "--repetitions", "1", "--json", "file"]}


def files(folder):
    return sorted(p.name for p in folder.iterdir())


def ended_by(library, program, number, folder, wrapper=(), options=None, **variables):
    """Runs the program alone with a library that raises the signal. UCX would handle SIGHUP, and write more."""
    environment = {**os.environ, **preloaded(library), "CUBEFOLD_END": str(int(number)), "UCX_DEBUG_SIGNO": "0",
                   **variables}
    return subprocess.run([*wrapper, str(BUILD / "bin" / program), *(options or COMMANDS[program])], env=environment,
                          cwd=folder, capture_output=True, text=True, timeout=WATCHDOG_SECONDS)


def in_rename(program, number, folder, **options):
    """Raises the signal when the file is complete but has not its name yet."""
    return ended_by("libend_in_rename.so", program, number, folder, **options)


@pytest.mark.parametrize("program, number", [
    ("cubefold", signal.SIGINT), ("cubefold", signal.SIGTERM), ("cubefold-signal", signal.SIGTERM),
    ("cubefold-exchange", signal.SIGTERM), more("cubefold-signal", signal.SIGINT),
    more("cubefold-exchange", signal.SIGINT)])
def test_a_signal_takes_the_file_with_it_that_was_just_made(tmp_path, program, number):
    assert ended_by("libend_in_open.so", program, number, tmp_path).returncode == -number
    assert files(tmp_path) == []


@pytest.mark.parametrize("program, number", [
    *(("cubefold", number) for number in ENDS), ("cubefold-signal", signal.SIGHUP),
    ("cubefold-exchange", signal.SIGHUP), ("cubefold-exchange", signal.SIGTERM),
    *(more("cubefold-signal", number) for number in ENDS if number != signal.SIGHUP),
    *(more("cubefold-exchange", number) for number in ENDS if number not in [signal.SIGHUP, signal.SIGTERM])])
def test_a_signal_takes_the_half_written_file_with_it(tmp_path, program, number):
    if WITH_MPICH and program == "cubefold-exchange" and number in KEPT_BY_MPICH:
        pytest.skip("MPICH handles the signal")
    (tmp_path / "file").write_text("old")
    assert in_rename(program, number, tmp_path).returncode == -number
    assert files(tmp_path) == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def test_a_signal_leaves_nothing_of_wisdom(tmp_path):
    options = ["--lengths", "64", "--wisdom", "file"]
    assert in_rename("cubefold-fft", signal.SIGTERM, tmp_path, options=options).returncode == -signal.SIGTERM
    assert files(tmp_path) == []


def test_a_signal_leaves_nothing_of_what_the_library_writes(tmp_path):
    options = ["--algorithm", "alltoall", "--block", "8", "--repetitions", "1"]
    done = in_rename("cubefold-exchange", signal.SIGTERM, tmp_path, options=options, CUBEFOLD_GRID="ring:1",
                     CUBEFOLD_TUNING="tuning.json")
    assert done.returncode == -signal.SIGTERM, done.stderr
    assert files(tmp_path) == []


def test_a_signal_that_is_ignored_takes_nothing(tmp_path):
    assert in_rename("cubefold", signal.SIGHUP, tmp_path,
                     wrapper=["sh", "-c", 'trap "" HUP; exec "$0" "$@"']).returncode == 0
    assert files(tmp_path) == ["file"]


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_signal_that_a_library_handles_takes_nothing(tmp_path, number):
    """The program goes on after such a signal and needs its file."""
    done = in_rename("cubefold", number, tmp_path, CUBEFOLD_END_HANDLED="yes")
    assert done.returncode == 0, done.stderr
    assert files(tmp_path) == ["file"]


def has_failed(status):
    """Returns whether the job has failed. On a busy machine MPICH's mpiexec forgets so in one of seven runs."""
    return status != 0 or WITH_MPICH


class RunningTransform:
    """A job of three processes that runs until it is ended. It opens a named pipe at the place that the test
    chooses."""

    def __init__(self, folder, *options, env):
        os.mkfifo(folder / "pipe")
        note = 'echo $$ > "process.${OMPI_COMM_WORLD_RANK-$PMI_RANK}"; exec "$0" "$@"'
        self.folder = folder
        self.job = subprocess.Popen(
            [os.environ["CUBEFOLD_MPIEXEC"], "-n", "3", "sh", "-c", note, str(BUILD / "bin/cubefold-fft"), "--lengths",
             "2^16", "--output", "out.npy", "--json", "report.json", *options],
            env={**os.environ, **env}, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.pipe = open(folder / "pipe", "rb")  # waits until a process has opened it

    def process(self, rank):
        return int((self.folder / f"process.{rank}").read_text())

    def end(self):
        self.job.communicate(timeout=WATCHDOG_SECONDS)
        self.pipe.close()
        return self.job.returncode

    def outputs(self):
        return [name for name in files(self.folder) if name != "pipe" and not name.startswith("process.")]


@pytest.fixture
def transforming(tmp_path):
    """Process 0 has reserved space for the result before it opens the plot, which is the pipe."""
    running = RunningTransform(tmp_path, "--repeat", "1000000", "--plot", "pipe", env={})
    yield running
    running.job.terminate()
    running.end()


@pytest.fixture(params=[more(0), 2])
def writing(request, tmp_path):
    """All processes have opened the file, and one of them opens the pipe instead of writing."""
    running = RunningTransform(tmp_path, env={**preloaded("libend_in_write.so"), "CUBEFOLD_END": "pipe",
                                              "CUBEFOLD_END_RANK": str(request.param)})
    yield running
    running.job.terminate()
    running.end()


def test_nothing_has_a_name_while_a_transform_runs(transforming):
    """SIGKILL cannot be caught, so no file may have a name before the end."""
    assert transforming.outputs() == []
    reserved = [os.stat(path).st_size for path in Path(f"/proc/{transforming.process(0)}/fd").iterdir()
                if os.readlink(path).startswith(str(transforming.folder / "out.npy"))]
    assert reserved == [128 + 16 * 2**16]


def test_a_file_has_its_name_while_it_is_written(writing):
    [name] = writing.outputs()
    assert re.fullmatch(r"out\.npy\.[0-9]+\.part", name)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ending_mpirun_leaves_nothing(writing, number):
    writing.job.send_signal(number)
    status = writing.end()
    assert has_failed(status)
    assert writing.outputs() == []


@pytest.mark.parametrize("number, rank", [more(signal.SIGTERM, 0), (signal.SIGTERM, 1), (signal.SIGKILL, 0),
                                          more(signal.SIGKILL, 1)])
def test_ending_one_process_leaves_nothing(writing, number, rank):
    """A process that SIGKILL ends can remove nothing. The others get SIGTERM from mpirun, and know the name too."""
    os.kill(writing.process(rank), number)
    assert has_failed(writing.end())
    assert files_shared_with_other_jobs(writing.outputs()) == []


@pytest.mark.parametrize("how, rank", [(0, 0), more(0, 1), more(signal.SIGABRT, 0), (signal.SIGABRT, 1),
                                       (signal.SIGSEGV, 0), more(signal.SIGSEGV, 1), more(signal.SIGKILL, 0),
                                       (signal.SIGKILL, 1)])
def test_a_process_that_aborts_while_all_write_leaves_the_old_file_and_nothing_else(tmp_path, how, rank):
    (tmp_path / "out.npy").write_text("old")
    job = run(2, "cubefold-fft", "--lengths", "2^12", "--output", "out.npy", cwd=tmp_path,
              env={**preloaded("libend_in_write.so"), "CUBEFOLD_END": str(int(how)), "CUBEFOLD_END_RANK": str(rank)})
    assert has_failed(job.status)
    assert files_shared_with_other_jobs(files(tmp_path)) == ["out.npy"]
    assert (tmp_path / "out.npy").read_text() == "old"
