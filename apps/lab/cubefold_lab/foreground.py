"""Runs a job in the foreground: a signal that would end this program ends the job too."""

import ctypes
import os
import signal
import subprocess

from .processes import is_stopped, signal_to

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
GRACE_SECONDS = 5  # from SIGTERM to SIGKILL
STOPPED_SECONDS = 0.1  # between two looks at a job that is stopped
PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def _ending_signals():
    """Returns the signals that end this program. A signal that was ignored from the start stays so, as under nohup."""
    return {number for number in ENDING_SIGNALS if signal.getsignal(number) != signal.SIG_IGN}


def interrupt_at_signals():
    """Makes signals that end this program raise KeyboardInterrupt, so that it cleans up first."""
    for number in _ending_signals():
        signal.signal(number, signal.default_int_handler)


def ignore_signals():
    """Protects the work after a job, which is short and the last of this program."""
    for number in _ending_signals():
        signal.signal(number, signal.SIG_IGN)


def status_of(command, environment, process_of=lambda job: job.pid):
    """Runs a command and returns its exit status. If a signal is to end this program, the job's process gets SIGTERM,
    and SIGKILL if it still runs after some seconds. Then KeyboardInterrupt is raised. Ctrl-C reaches the job without
    this program, so the job decides what it means. The job gets SIGTERM too if this program is killed. If the
    command only waits for the job's process, as nsenter does, `process_of` returns that process."""
    awaited = _ending_signals() | {signal.SIGCHLD}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    parent = os.getpid()
    try:
        job = subprocess.Popen(command, env=environment, preexec_fn=lambda: _begin_job(parent, mask))
        while job.poll() is None:
            caught = _next_signal(job, awaited)
            if caught is None:
                _follow(job, process_of)
            elif caught.si_signo != signal.SIGCHLD and not _is_ctrl_c(caught):
                _end(job, process_of(job))
                ignore_signals()
                raise KeyboardInterrupt
        _take_ctrl_c(awaited)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return job.returncode if job.returncode >= 0 else 128 - job.returncode


def completed(command, text, process_of):
    """Runs a command with this text as its input, and returns what subprocess.run returns. `process_of` is as above."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as job:
        try:
            while True:
                try:
                    output, errors = job.communicate(text, STOPPED_SECONDS)
                    return subprocess.CompletedProcess(command, job.returncode, output, errors)
                except subprocess.TimeoutExpired:
                    text = None  # it has been written, or waits to be
                    _follow(job, process_of)
        except BaseException:
            job.kill()
            raise


def _begin_job(parent, mask):
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:  # it ended before the line above
        os._exit(1)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _next_signal(job, awaited):
    """Waits for a signal and returns it. Returns None after a while if the job is stopped."""
    if is_stopped(job.pid):
        return signal.sigtimedwait(awaited, STOPPED_SECONDS)
    return signal.sigwaitinfo(awaited)


def _is_ctrl_c(caught):
    """Returns whether the terminal has sent SIGINT. It sends the signal to the job as well."""
    return caught.si_signo == signal.SIGINT and caught.si_code > 0


def _take_ctrl_c(awaited):
    """Takes signals that came while the job ended: Ctrl-C has reached the job as well, and others end this program."""
    while caught := signal.sigtimedwait(awaited, 0):
        if caught.si_signo != signal.SIGCHLD and not _is_ctrl_c(caught):
            ignore_signals()
            raise KeyboardInterrupt


def _follow(job, process_of):
    """Lets a stopped job go on if its process does. nsenter stops with its process, and does not hear that the process
    goes on."""
    if is_stopped(job.pid) and not is_stopped(process_of(job)):
        signal_to(job.pid, signal.SIGCONT)


def _end(job, process):
    signal_to(process, signal.SIGTERM)
    signal_to(process, signal.SIGCONT)
    signal_to(job.pid, signal.SIGCONT)
    try:
        job.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        signal_to(process, signal.SIGKILL)
        signal_to(job.pid, signal.SIGCONT)
        job.wait()
