#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs programs plain and profiled, at random, under what a batch job may meet.

torture.py [--seconds S] [--seed N] [--fault NAME] [--case NAME] [--way NAME]

A trial is a case of tests/program, a way of profiling it, and a fault from outside.  Its output and
its end must be those of the plain run under the same fault, whichever of both is first; each
profile must be readable, and no process may be left behind.  Who is killed is not compared.
Prints a line for each trial that fails, with the options that repeat it, and a table of faults.
The exit status is 1 if a trial failed.
"""
import argparse
import difflib
import glob
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.realpath(os.environ.get("top_srcdir", os.path.dirname(__file__) + "/../.."))
BUILD = os.path.realpath(os.environ.get("top_builddir", "."))
OMPCOUNT = os.environ.get("OMPHWC_TEST_OMPCOUNT", BUILD + "/ompcount")
TOOL = os.environ.get("OMPHWC_TEST_TOOL", BUILD + "/.libs/libomphwc.so")
MIB = 1 << 20
TRIAL_SECONDS = 90

# They take long, or trace themselves.
LEFT_OUT = {"traced", "many_threads", "small_threads"}


# ---- programs ---------------------------------------------------------------------

def build(name, suffix):
    """The program of a case; None if it cannot be built."""
    source = f"{SOURCE}/tests/program/{name}.c"
    program = f"{BUILD}/tests/bin/case-{name}{suffix}"
    newest = max(os.path.getmtime(source), os.path.getmtime(f"{SOURCE}/tests/program/case.h"))
    if os.path.exists(program) and os.path.getmtime(program) > newest:
        return program
    os.makedirs(os.path.dirname(program), exist_ok=True)
    openmp = ["-fopenmp"] if suffix or name.startswith("omp_") else []
    compiler = [os.environ.get("OMPHWC_CLANG", "clang") if suffix else
                os.environ.get("OMPHWC_GCC", "gcc"), "-g", "-O1", "-pthread"]
    done = subprocess.run(compiler + openmp + [f"-I{SOURCE}/tests/program", "-o", program + ".new",
                                               source, "-lrt"], capture_output=True, check=False)
    if done.returncode != 0:
        return None
    os.rename(program + ".new", program)
    return program


def helper(name):
    """A program of tests/programs."""
    program = f"{BUILD}/tests/bin/torture-{name}"
    if not os.path.exists(program):
        subprocess.run(["gcc", "-O1", "-o", program, f"{SOURCE}/tests/programs/{name}.c"],
                       check=True)
    return program


# ---- ways -------------------------------------------------------------------------

def by_run(*options):
    return lambda out: ([OMPCOUNT, "-q", "--no-names", *options, "-o", out, "--"], {})


def by_variable(variable, events):
    return lambda out: ([], {variable: TOOL, "OMPHWC_OUTPUT": out, "OMPHWC_EVENTS": events,
                             "OMPHWC_FREQ": "4000"})


# Each: the suffix of the build, and what makes of the profile's name a command and an environment.
WAYS = {
    "run": ("", by_run("-F", "4000", "-e", "cpu-clock")),
    "signal": ("", by_run("-F", "4000", "-e", "cpu-clock", "--delivery", "signal")),
    "kernel": ("", by_run("-F", "2000", "-e", "cpu-clock:uk")),
    "wall": ("", by_run("-F", "2000", "-e", "wall")),
    "count": ("", by_run("-e", "cpu-clock,page-faults", "--count")),
    "entries": ("", by_run("-F", "2000", "-e", "cpu-clock", "--entries", "--dependences")),
    "preload": ("", by_variable("LD_PRELOAD", "cpu-clock")),
    "tool": ("-openmp", by_variable("OMP_TOOL_LIBRARIES", "cpu-clock")),
}


# ---- faults -----------------------------------------------------------------------

class Fault:
    """Something from outside.  It may change the command, the child's limits, where the profile
    goes, and what happens while the command runs."""
    name = "none"
    compared = True
    kept = False  # whether there is a profile whatever happens
    left_out = set()  # cases that do not end then, or never in the same way

    def __init__(self, dice):
        self.dice = dice
        self.detail = ""

    def command(self, command):
        return command

    def limits(self):
        """In the child, before it executes the command."""

    def output(self, folder):
        return f"{folder}/%p.omphwc"

    def during(self, process, folder):
        """Called again and again until the process ends."""


class Limits(Fault):
    name = "limits"
    VALUES = {
        "NOFILE": [32, 40, 64, 128],
        "FSIZE": [0, 4096, 65536, MIB],
        "STACK": [MIB, 64 * MIB, resource.RLIM_INFINITY],
        "MEMLOCK": [0, 4096, 65536],
        "SIGPENDING": [0, 1, 8],
        "AS": [2048 * MIB, 4096 * MIB],
        "RTPRIO": [0],
        "MSGQUEUE": [0],
    }

    def __init__(self, dice):
        super().__init__(dice)
        self.chosen = {what: dice.choice(self.VALUES[what])
                       for what in dice.sample(sorted(self.VALUES), dice.randint(1, 2))}
        self.detail = " ".join(f"{what}={value}" for what, value in sorted(self.chosen.items()))

    def limits(self):
        for what, value in self.chosen.items():
            number = getattr(resource, "RLIMIT_" + what)
            hard = resource.getrlimit(number)[1]
            resource.setrlimit(number, (value, value if what != "STACK" else hard))


class Denied(Fault):
    name = "system calls denied"

    def __init__(self, dice):
        super().__init__(dice)
        self.words = dice.choice([["perf", "1"], ["perf", "13"], ["perf", "24"], ["timers", "11"],
                                  ["rings", "1"], ["rings", "12"]])
        self.detail = " ".join(self.words)

    def command(self, command):
        return [helper("deny"), *self.words, *command]


class Disk(Fault):
    name = "no room for the profile"

    def __init__(self, dice):
        super().__init__(dice)
        self.detail = dice.choice(["no folder", "small disk"])

    def output(self, folder):
        if self.detail == "no folder":
            return "/proc/none/p.omphwc"
        small = f"{folder}/small"
        if not os.path.ismount(small):
            os.makedirs(small, exist_ok=True)
            subprocess.run(["mount", "-t", "tmpfs", "-o",
                            f"size={self.dice.choice([4, 16, 64, 256])}k", "none", small],
                           capture_output=True, check=False)
        return f"{small}/%p.omphwc"


class Files(Fault):
    name = "the profile is changed meanwhile"

    def __init__(self, dice):
        super().__init__(dice)
        self.detail = dice.choice(["removed", "truncated", "shortened", "overwritten", "renamed"])
        self.seen = {}

    def during(self, process, folder):
        now = time.monotonic()
        for path in glob.glob(folder + "/*.omphwc"):
            # Whose file is cut while its process begins is killed: see doc/reliability.md.
            if now < self.seen.setdefault(path, now) + 0.1:
                continue
            try:
                if self.detail == "removed":
                    os.unlink(path)
                elif self.detail == "renamed":
                    os.rename(path, path + ".old")
                elif self.detail == "overwritten":
                    with open(path, "r+b") as f:
                        f.seek(self.dice.randrange(65536))
                        f.write(self.dice.randbytes(512))
                else:
                    whole = self.detail == "truncated"
                    size = os.path.getsize(path)
                    os.truncate(path, 0 if whole else self.dice.randrange(size + 1))
            except OSError:
                pass


class Stops(Fault):
    name = "stopped and continued"
    kept = True
    left_out = {"poll_masks", "sleeps"}

    def during(self, process, folder):
        for number in signal.SIGSTOP, signal.SIGCONT:
            try:
                os.killpg(process.pid, number)
            except OSError:
                return
            time.sleep(self.dice.uniform(0, 0.02))


class Killed(Fault):
    name = "killed"
    compared = False

    def __init__(self, dice):
        super().__init__(dice)
        self.at = dice.expovariate(5)
        self.number = dice.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT,
                                   signal.SIGQUIT, signal.SIGHUP, signal.SIGABRT, signal.SIGSEGV,
                                   signal.SIGXCPU, signal.SIGPIPE])
        self.whom = dice.choice(["the command", "the program", "all"])
        self.detail = f"{self.number.name} to {self.whom}"

    def during(self, process, folder):
        if self.at is None or time.monotonic() < self.began + self.at:
            return
        self.at = None
        children = children_of(process.pid)
        try:
            if self.whom == "all":
                os.killpg(process.pid, self.number)
            elif self.whom == "the program" and children:
                os.kill(self.dice.choice(children), self.number)
            else:
                process.send_signal(self.number)
        except OSError:
            pass


class Nothing(Fault):
    kept = True


FAULTS = [Nothing, Limits, Denied, Disk, Files, Stops, Killed]


# ---- a trial ----------------------------------------------------------------------

def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(child) for child in f.read().split()]
    except OSError:
        return []


def left_behind(mark):
    """Processes with that mark in their environment."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as f:
                if mark in f.read():
                    found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def run(command, variables, fault, folder):
    """The end and the output as text, and what is wrong by itself."""
    os.makedirs(folder + "/in", exist_ok=True)
    mark = f"TORTURE_MARK={os.path.basename(folder)}.{time.monotonic_ns()}"
    name, value = mark.split("=")
    wrong = ""
    with open(folder + "/out", "w+b") as out, open(folder + "/err", "w+b") as err, \
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                             cwd=folder + "/in", env={**os.environ, **variables, name: value},
                             start_new_session=True, preexec_fn=fault.limits) as process:
        fault.began = time.monotonic()
        while process.poll() is None:
            if time.monotonic() > fault.began + TRIAL_SECONDS:
                wrong = f"it runs longer than {TRIAL_SECONDS} s"
                break
            time.sleep(0.005)
            fault.during(process, folder)
        deadline = time.monotonic() + 5
        while not wrong and left_behind(mark.encode()):
            if time.monotonic() > deadline:
                # A command that was killed leaves its program to itself.
                wrong = "" if not fault.compared else "processes are left behind"
                break
            time.sleep(0.05)
        for pid in left_behind(mark.encode()):
            os.kill(pid, signal.SIGKILL)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    with open(folder + "/out", errors="replace", encoding="utf-8") as out, \
            open(folder + "/err", errors="replace", encoding="utf-8") as err:
        text = [f"exit {process.returncode % 256}", *out.read().splitlines()]
        text += [line for line in err.read().splitlines()
                 if not line.startswith(("ompcount: ", "omphwc: "))][:5]
    return text, wrong


def unreadable(folder, kept):
    """What a report on one of the profiles in the folder does that it must not."""
    paths = glob.glob(folder + "/**/*.omphwc", recursive=True)
    if kept and not paths:
        return "there is no profile"
    for path in paths:
        try:
            done = subprocess.run([OMPCOUNT, "report", path], capture_output=True, timeout=60,
                                  check=False)
        except subprocess.TimeoutExpired:
            return "a report takes longer than 60 s"
        if done.returncode not in ((0,) if kept else (0, 1)):
            return f"a report ends with {done.returncode}"
        if done.returncode == 1 and not done.stderr.startswith(b"ompcount: "):
            return "a report fails without a word"
    return ""


def trial(case, way, kind, seed, folder, shown=False):
    """None if the case is not for this way or fault; else what is wrong, or ""."""
    if case in kind.left_out:
        return None
    suffix, profiled = WAYS[way]
    program = build(case, suffix)
    if not program:
        return None
    fault = kind(random.Random(seed))
    prefix, variables = profiled(fault.output(folder))
    plain = fault.command([program]), {}, fault, folder + "-plain"
    with_us = fault.command([*prefix, program]), variables, fault, folder
    os.makedirs(folder, exist_ok=True)
    try:
        if not fault.compared:
            wrong = run(*with_us)[1]
        else:
            runs = [plain, with_us] if seed % 2 else [with_us, plain]
            results = {id(r): run(*r) for r in runs}
            expected, itself = results[id(plain)]
            got, wrong = results[id(with_us)]
            if itself:
                return None
            if not wrong and got != expected:
                # What is different from one plain run to the next is no matter of ours.
                if any(run(*plain)[0] != expected for _ in range(8)):
                    return None
                if shown:
                    print("\n".join(difflib.unified_diff(expected, got, n=1, lineterm="")))
                odd = [line for line in got if line not in expected] or expected
                wrong = f"{odd[0]!r} instead of {expected[0]!r}"[:160]
        wrong = wrong or unreadable(folder, fault.kept)
        return wrong and f"{wrong} [{fault.detail}]" if fault.detail else wrong
    finally:
        if os.path.ismount(folder + "/small"):
            subprocess.run(["umount", "-l", folder + "/small"], check=False)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(folder + "-plain", ignore_errors=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--seed", type=int, default=None, help="of the one trial to repeat")
    options.add_argument("--fault")
    options.add_argument("--case")
    options.add_argument("--way")
    o = options.parse_args()
    cases = sorted(os.path.basename(c)[:-2] for c in glob.glob(SOURCE + "/tests/program/*.c"))
    cases = [o.case] if o.case else [c for c in cases if c not in LEFT_OUT]
    faults = [f for f in FAULTS if o.fault in (None, f.name)]
    ways = [o.way] if o.way else sorted(WAYS)
    if not faults or not set(ways) <= set(WAYS):
        options.error("faults: " + ", ".join(f.name for f in FAULTS) + "; ways: " + ", ".join(WAYS))
    inherited = f"{BUILD}/tests/bin/inherited"
    subprocess.run(["gcc", "-O1", "-static", "-o", inherited,
                    SOURCE + "/tests/program/helper/inherited.c"], check=True)
    os.environ.update(CASE_INHERITED=inherited, LC_ALL="C", OMP_NUM_THREADS="2")
    os.environ.pop("LD_PRELOAD", None)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    dice = random.Random(o.seed)
    made = {f: 0 for f in faults}
    failed = {f: 0 for f in faults}
    with tempfile.TemporaryDirectory(prefix="omphwc-torture.") as work:
        end = time.monotonic() + o.seconds
        number = 0
        while time.monotonic() < end:
            seed = o.seed if o.seed is not None else dice.randrange(1 << 31)
            case, way, fault = dice.choice(cases), dice.choice(ways), dice.choice(faults)
            number += 1
            wrong = trial(case, way, fault, seed, f"{work}/t{number}", o.seed is not None)
            if wrong is not None:
                made[fault] += 1
            if wrong:
                failed[fault] += 1
                print(f"{wrong}: --case {case} --way {way} --fault '{fault.name}' --seed {seed}",
                      flush=True)
            if o.seed is not None:
                break
    print(f"{'fault from outside':34} {'trials':>8} {'failed':>8}")
    for fault in faults:
        print(f"{fault.name:34} {made[fault]:8} {failed[fault]:8}")
    return 1 if sum(failed.values()) else 0


sys.exit(main())
