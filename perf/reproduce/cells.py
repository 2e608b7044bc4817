"""Runs of the measuring programs: each cell is one command, whose result is kept in a file, so that it is run only once."""
import atexit
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))


class Cell:
    """One run of a program on some ranks. cable: None, or the bandwidth between two hosts that share the ranks."""

    def __init__(self, name, ranks, program, *arguments, cable=None):
        self.name, self.ranks, self.program, self.cable = name, ranks, program, cable
        self.arguments = [str(word) for word in arguments]

    def describe(self):
        where = f", two hosts with {self.cable} between" if self.cable else ""
        return f"{self.ranks} ranks{where}: {self.program} {shlex.join(self.arguments)}"


class Output:
    """The output of a program: its head, its rows, its notes."""

    def __init__(self, record):
        self.head, self.rows = record["output"]["head"], record["output"]["rows"]
        self.notes = record["output"]["notes"]

    def only(self, grid):
        """The part of the output that is about a grid."""
        rows = [r for r in self.rows if r["grid"] == grid]
        notes = [note for note in self.notes if f" on grid {grid}," in note]
        return Output({"output": {"head": self.head, "rows": rows, "notes": notes}})

    def grids(self):
        return list(dict.fromkeys(r["grid"] for r in self.rows))

    def stages(self, problem, variant):
        """The seconds of each stage of a variant of ours, from the notes of --stages: a list of names and seconds."""
        for note in self.notes:
            match = re.match(rf"{re.escape(problem)} on grid \S+, {re.escape(variant)}: (.* s)$", note)
            if match:
                words = [stage.rsplit(" ", 2) for stage in match[1].split("; ")]
                return [(name, float(seconds)) for name, seconds, _ in words]
        return []

    def split(self, problem, variant):
        """The seconds of all transforms and of all exchanges of a variant."""
        stages = self.stages(problem, variant)
        exchanges = sum(seconds for name, seconds in stages if name.startswith("exchange"))
        return sum(seconds for _, seconds in stages) - exchanges, exchanges


class Hosts:
    """Two network namespaces as hosts, made by tests/net/hosts when the first cell needs them."""

    def __init__(self):
        self.name, self.rate, self.reason = f"subx{os.getpid()}", None, None
        self.script = os.path.join(TOP, "tests", "net", "hosts")

    def call(self, *words):
        done = subprocess.run(["sh", self.script, *words], capture_output=True, text=True, check=False)
        return (done.stderr.strip() or "no network namespaces") if done.returncode else None

    def use(self, rate):
        """Make hosts with a cable of this rate. Returns why this cannot be done, or None."""
        if self.rate is None and self.reason is None:
            self.reason = self.call("create", self.name) if os.geteuid() == 0 else "only root makes two hosts"
            atexit.register(self.call, "free", self.name)
        if self.reason is None and self.rate != rate:
            self.reason = self.call("shape", self.name, rate)
            self.rate = rate
        return self.reason and self.reason.splitlines()[0]

    def launcher(self, ranks, folder):
        agent = os.path.join(folder, "agent")
        with open(agent, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec sh {shlex.quote(self.script)} agent "$@"\n')
        os.chmod(agent, 0o755)
        os.environ["SUBX_TEST_HOSTS"] = self.name
        half, network = ranks // 2, "10.97.0"
        return ["sh", self.script, "on", f"{self.name}-0", "mpiexec", "-n", str(ranks),
                "--host", f"{network}.1:{half},{network}.2:{half}", "--mca", "plm_rsh_agent", agent,
                "--mca", "btl", "tcp,vader,self", "--mca", "btl_tcp_if_include", f"{network}.0/24",
                "--mca", "oob_tcp_if_include", f"{network}.0/24"]


class Runner:
    """Runs the cells that have no result yet."""

    def __init__(self, build, folder, launch, timeout, limit):
        self.build, self.folder, self.launch, self.timeout = build, os.path.join(folder, "cells"), launch, timeout
        self.deadline = time.monotonic() + limit if limit else None
        self.hosts, self.missing, self.seconds = Hosts(), {}, []
        os.makedirs(self.folder, exist_ok=True)

    def path(self, cell):
        return os.path.join(self.folder, cell.name + ".json")

    def read(self, cell):
        """The output of a cell that has been run with the same command, or None."""
        try:
            with open(self.path(cell), encoding="utf-8") as file:
                record = json.load(file)
        except (OSError, ValueError):
            return None
        return Output(record) if record["cell"] == cell.describe() else None

    def environment(self, cell):
        """Settings that let MPI start here: as root, in containers, and with more ranks than cores."""
        names = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", SUBX_WISDOM="none")
        cores = len(os.sched_getaffinity(0))
        if not self.launch and cell.ranks > cores:
            names.update(OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                         OMPI_MCA_hwloc_base_binding_policy="none", OMP_WAIT_POLICY="passive",
                         PRTE_MCA_rmaps_default_mapping_policy=":oversubscribe")
        if cell.cable or "subx_threads" in " ".join(cell.arguments):
            names["OMPI_MCA_hwloc_base_binding_policy"] = "none"
        return names

    def command(self, cell):
        program = os.path.join(self.build, cell.program)
        if not os.path.exists(program):
            program = shutil.which(cell.program) or program
        words = [program, *cell.arguments, "--json", self.path(cell) + ".part"]
        if cell.cable:
            return [*self.hosts.launcher(cell.ranks, self.folder), *words]
        launch = self.launch or "mpiexec -n {ranks}"
        yields = os.path.join(self.build, "tests", "common", ".libs", "libyield.so")
        if not self.launch and cell.ranks > len(os.sched_getaffinity(0)) and os.path.exists(yields):
            words = ["env", f"LD_PRELOAD={yields}", *words]
        return [*shlex.split(launch.replace("{ranks}", str(cell.ranks))), *words]

    def execute(self, cell, command):
        """Run a command with a time limit. Returns why it failed, or None."""
        log = self.path(cell)[:-5] + ".log"
        with open(log, "w", encoding="utf-8") as file:
            done = subprocess.run(["timeout", "-k", "5", str(self.timeout), *command], env=self.environment(cell),
                                  stdin=subprocess.DEVNULL, stdout=file, stderr=file, check=False)
        if done.returncode == 124:
            return f"more than {self.timeout} seconds (see {log})"
        if done.returncode:
            return f"exit status {done.returncode} (see {log})"
        os.remove(log)
        return None

    def start(self, cell):
        """Run a cell. Returns why it has no result, or None."""
        reason = self.hosts.use(cell.cable) if cell.cable else None
        if reason:
            return reason
        reason = self.execute(cell, self.command(cell))
        if reason:
            return reason
        with open(self.path(cell) + ".part", encoding="utf-8") as file:
            output = json.load(file)
        with open(self.path(cell) + ".part", "w", encoding="utf-8") as file:
            json.dump({"cell": cell.describe(), "output": output}, file, indent=1)
        os.replace(self.path(cell) + ".part", self.path(cell))
        return None

    def run(self, cells):
        """Run all cells that have no result yet. Returns False if the time is over before the last one."""
        todo = [cell for cell in cells if not self.read(cell)]
        for i, cell in enumerate(todo):
            if self.deadline and time.monotonic() > self.deadline:
                print(f"the time is over, {len(todo) - i} runs are left; start again to go on", file=sys.stderr)
                return False
            left = f", about {sum(self.seconds) / len(self.seconds) * (len(todo) - i):.0f} s left" if self.seconds else ""
            print(f"[{i + 1}/{len(todo)}{left}] {cell.name}: {cell.describe()}", file=sys.stderr, flush=True)
            begin = time.monotonic()
            reason = self.start(cell)
            self.seconds.append(time.monotonic() - begin)
            if reason:
                self.missing[cell.name] = reason
                print(f"    no result: {reason}", file=sys.stderr)
        return True
