"""A directory of its own for each run, and the checks of what a run leaves behind."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time

HANGS = 300  # seconds; longer than any run takes on a busy machine
PANICS = (b"panicked at", b"RUST_BACKTRACE", b"stack overflow")
# The words with which the Rust runtime ends a program that gets no memory.
OUT_OF_MEMORY = (b"memory allocation of", b"failed to allocate an alternative stack")


class Ended:
    """How a run ended: `code` or `signal` is None."""

    def __init__(self, code, ended_by, stderr, hit=None, seconds=0.0):
        self.code, self.signal, self.stderr, self.hit, self.seconds = code, ended_by, stderr, hit, seconds

    def __str__(self):
        how = f"exit code {self.code}" if self.signal is None else f"signal {self.signal}"
        return f"{how}, hit {self.hit}, stderr: {self.stderr.decode(errors='replace')[-600:]!r}"


class Place:
    def __init__(self, root, subject, tools):
        self.root, self.subject, self.tools = root, subject, tools
        self.work, self.temporary = os.path.join(root, "work"), os.path.join(root, "tmp")
        shutil.rmtree(root, ignore_errors=True)
        os.makedirs(self.work), os.makedirs(self.temporary)
        for path, content in subject.files.items():
            path = os.path.join(self.work, path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(content)
            os.chmod(path, 0o755 if content.startswith(b"#!") else 0o644)
        for name, content in subject.tools.items():
            self.share(os.path.join(self.beside(), name), content)

    def beside(self):
        """A directory that all runs of the subject share."""
        return os.path.dirname(self.root)

    @staticmethod
    def share(path, content):
        if not os.path.exists(path):
            with open(f"{path}-{threading.get_ident()}", "wb") as file:
                file.write(content)
            os.chmod(file.name, 0o755)
            os.rename(file.name, path)

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def words(self, *options):
        command = [word.replace("{beside}", self.beside()) for word in self.subject.command]
        jobs = [] if any(word.startswith("-j") for word in command) else ["-j1"]
        # A busy machine is no fault that is injected here.
        patience = ["--timeout", "100"]
        return [self.tools.lapidary, command[0], *options, *jobs, *patience, *command[1:]]

    def start(self, words):
        environment = {"PATH": os.environ["PATH"], "HOME": self.tools.home, "TMPDIR": self.temporary,
                       "XDG_CACHE_HOME": self.tools.cache, "FAULTS": self.work, "LANG": "C"}
        # A pipe, so that messages are not written to the disk that is full.
        self.stderr, end = os.pipe()
        os.set_blocking(self.stderr, False)
        try:
            return subprocess.Popen(words, cwd=self.work, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.DEVNULL, stderr=end, start_new_session=True)
        finally:
            os.close(end)

    def finish(self, process, begun):
        try:
            code = process.wait(HANGS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return Ended(None, "hang", self.complaints(), seconds=HANGS)
        ended_by = -code if code < 0 else None
        return Ended(code if code >= 0 else None, ended_by, self.complaints(), seconds=time.time() - begun)

    def complaints(self):
        """What was written to standard error. It fits into the pipe."""
        try:
            return os.read(self.stderr, 1 << 20)
        except BlockingIOError:
            return b""
        finally:
            os.close(self.stderr)

    def run(self, *options):
        begun = time.time()
        return self.finish(self.start(self.words(*options)), begun)

    def run_with_fault(self, action, number, classes, *options):
        """Runs with a fault injected; the log of calls is left in `calls`."""
        log = os.path.join(self.root, "calls")
        begun = time.time()
        words = [self.tools.inject, log, action, str(number), classes, *self.words(*options)]
        ended = self.finish(self.start(words), begun)
        with open(log, "rb") as file:
            lines = file.read().decode(errors="replace").splitlines()
        hits = [line[4:] for line in lines if line.startswith("hit ")]
        ended.hit = hits[0] if hits else None
        last = lines[-1].split() if lines else []
        if last[:2] == ["end", "signal"]:
            ended.code, ended.signal = None, int(last[2])
        return ended

    # What is there.

    def tree(self, path):
        """A file as {"": content}, a directory as {path: content}, nothing as None."""
        path = os.path.join(self.work, path)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return {"": file.read()}
        if not os.path.isdir(path):
            return None
        found = {}
        for folder, _, names in os.walk(path):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    found[os.path.relpath(os.path.join(folder, name), path)] = file.read()
        return found

    def result(self):
        return self.tree(self.subject.result)

    def journal_path(self):
        return os.path.join(self.work, self.subject.result + ".journal.jsonl")

    def journal(self):
        """The lines of the journal without times and sums; a line that cannot be read is None."""
        try:
            with open(self.journal_path(), "rb") as file:
                return [self.journal_line(line) for line in file.read().splitlines()]
        except FileNotFoundError:
            return None

    @staticmethod
    def journal_line(line):
        try:
            fields = json.loads(line)
            return {name: value for name, value in fields.items() if name not in ("seconds", "at", "sum", "tools", "reproduction")}
        except ValueError:
            return None

    def processes(self):
        marker, found = self.root.encode() + b"/", []
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                with open(f"/proc/{entry}/environ", "rb") as file:
                    environment = file.read()
                with open(f"/proc/{entry}/cmdline", "rb") as file:
                    command = file.read()
            except OSError:
                continue
            if marker in environment or marker in command:
                found.append((int(entry), command.replace(b"\0", b" ").decode(errors="replace")))
        return found

    # The checks. Each returns a list of problems.

    def check_end(self, ended, is_killed):
        if ended.signal == "hang":
            return ["it hangs"]
        if is_killed:
            return [] if ended.signal == signal.SIGKILL else [f"it was not killed: {ended}"]
        if any(text in ended.stderr for text in OUT_OF_MEMORY) and ended.signal in (signal.SIGABRT, None):
            return []
        if ended.signal is not None:
            return [f"it died of a signal: {ended}"]
        problems = [f"it panicked: {ended}"] if any(text in ended.stderr for text in PANICS) else []
        if ended.code not in (0, 2, 3):
            problems.append(f"a fault of the system became an answer: {ended}")
        was_silenced = ended.hit and ended.hit.split("\t")[1:3] in (["write", "1"], ["write", "2"])
        if ended.code != 0 and not ended.stderr.strip() and not was_silenced:
            problems.append(f"it ended without a word: {ended}")
        return problems

    def check_saved(self):
        problems = []
        for path, content in self.subject.files.items():
            if self.tree(path) != {"": content}:
                problems.append(f"the input {path} was changed")
        result = self.result()
        if result is None:
            return problems
        if not self.subject.interesting(result):
            problems.append(f"the result is not interesting: {str(result)[:200]}")
        sizes = [line["bytes"] for line in self.journal() or [] if line and line.get("improved")]
        size = sum(map(len, result.values()))
        if self.subject.is_sized and sizes and size > min(sizes):
            problems.append(f"the result has {size} bytes, but {min(sizes)} were reported")
        return problems

    def check_left(self):
        problems = []
        deadline = time.time() + 60
        while (living := self.processes()) and time.time() < deadline:
            time.sleep(0.005)
        if living:
            problems.append(f"processes are left: {living}")
        left = os.listdir(self.temporary)
        if left:
            inside = {name: os.listdir(os.path.join(self.temporary, name))[:5] for name in left}
            problems.append(f"left in TMPDIR: {inside}")
        return problems + self.check_beside()

    def check_beside(self):
        known = {path.split("/")[0] for path in self.subject.files}
        known |= {self.subject.result, self.subject.result + ".journal.jsonl", "stop-at", "runs", "stopped"}
        beside = sorted(set(os.listdir(self.work)) - known)
        return [f"left beside the result: {beside}"] if beside else []

    def wait_for_warden(self):
        deadline = time.time() + 60
        while self.processes() and time.time() < deadline:
            time.sleep(0.003)

    def check_resumed(self, golden):
        ended = self.run("--resume")
        problems = []
        if ended.code != 0 or any(text in ended.stderr for text in PANICS):
            problems.append(f"it does not resume: {ended}")
        elif self.result() != golden.result:
            problems.append(f"the resumed result differs: {str(self.result())[:200]}")
        elif self.journal() != golden.journal:
            problems.append(f"the resumed journal differs: {difference(self.journal(), golden.journal)}")
        return problems + [f"after resuming: {problem}" for problem in self.check_saved() + self.check_left()]


def difference(found, wanted):
    for number, (one, other) in enumerate(zip(found, wanted), 1):
        if one != other:
            return f"line {number} is {one}, not {other}"
    return f"{len(found)} lines, not {len(wanted)}"
