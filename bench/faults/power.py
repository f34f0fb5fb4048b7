"""States that a loss of power may leave of what a run wrote beside its result.

The recording is the log of `inject`. The model is that of POSIX, stricter than most file systems:

- Content that was written reaches the disk with the next sync of its file. Until then, each write
  may be there, be there in part, or be zeros of the right length.
- A change of a directory (create, rename, link, unlink, mkdir, rmdir) reaches the disk with the
  next sync of a directory that it changes. Until then it may be lost, independently of content. In
  states called "in order" a change is only there if all earlier ones are, as with a journal of
  metadata; in those called "in any order" each is there or not by itself.
- Nothing that was synced is ever lost.

Invariant: a state holds only what some order of these effects gives."""

import os
import shutil

CLASSES = "write,open,rename,mkdir,unlink,rmdir,link,symlink,fsync,truncate,chmod,copy"

EXCHANGE = 2


class Recording:
    """What a run did below a directory: operations on numbered files and directories."""

    def __init__(self, log, directory, subject):
        self.directory, self.subject = os.path.normpath(directory), subject
        self.operations = []  # (name, ...) with names of `apply` below
        self.numbers = {}  # inode -> number of the file; inodes are reused, numbers are not
        self.names = {}  # path -> number, as the run sees it
        self.kinds = []  # number -> "file", "directory" or the target of a link
        self.root = self.add("directory", None)
        self.names["."] = self.root
        self.numbers[os.stat(directory).st_ino] = self.root
        self.given = {}
        for path in subject.files:
            self.given[path] = True
        with open(log, "rb") as file:
            for line in file.read().decode(errors="surrogateescape").splitlines():
                if line[:1].isdigit():
                    self.read(line.split("\t")[1:])

    def add(self, kind, inode):
        self.kinds.append(kind)
        if inode is not None:
            self.numbers[inode] = len(self.kinds) - 1
        return len(self.kinds) - 1

    def below(self, path):
        path = os.path.normpath(path)
        if path == self.directory:
            return "."
        prefix = self.directory + "/"
        return path[len(prefix):] if path.startswith(prefix) else None

    def read(self, fields):
        name, rest = fields[0], fields[1:]
        reader = getattr(self, "read_" + name, None)
        if reader is None:
            raise SystemExit(f"a call that the model of lost writes does not know: {fields}")
        reader(*rest)

    def read_open(self, path, flags, inode, kind):
        path, flags = self.below(path), int(flags)
        if path is None or any(path == given or given.startswith(path + "/") for given in self.given):
            return
        if path in self.names:
            number = self.names[path]
            self.numbers[int(inode)] = number
            if flags & os.O_TRUNC:
                self.operations.append(("truncate", number, 0))
        elif flags & os.O_CREAT:
            number = self.add("file", int(inode))
            self.bind([(path, number)])

    def place_of(self, path):
        """The number of the directory that holds a path, and the name there."""
        return self.names[os.path.dirname(path) or "."], os.path.basename(path)

    def bind(self, changes):
        """One atomic change: pairs of a path and its new number, or None."""
        self.operations.append(("bind", [(*self.place_of(path), number) for path, number in changes]))
        for path, number in changes:
            if number is None:
                self.names.pop(path, None)
            else:
                self.names[path] = number

    def read_mkdir(self, path):
        if path := self.below(path):
            self.bind([(path, self.add("directory", None))])

    def read_symlink(self, target, path):
        if path := self.below(path):
            self.bind([(path, self.add(("link", target), None))])

    def read_unlink(self, path):
        if path := self.below(path):
            self.bind([(path, None)])

    read_rmdir = read_unlink

    def read_link(self, source, target, _):
        source, target = self.below(source), self.below(target)
        if target:
            self.bind([(target, self.names[source])])

    def read_rename(self, source, target, flags):
        source, target = self.below(source), self.below(target)
        if not target or not source:
            return
        one, other = self.names[source], self.names.get(target)
        inner = [(path, number) for path, number in self.names.items() if path.startswith(source + "/")]
        theirs = [(path, number) for path, number in self.names.items() if path.startswith(target + "/")]
        exchanged = int(flags) == EXCHANGE
        changes = [(source, other if exchanged else None), (target, one)]
        # Paths below a directory that moves are names in that directory, which no one changed.
        moved = [(target + path[len(source):], number) for path, number in inner]
        moved += [(source + path[len(target):], number) for path, number in theirs] if exchanged else []
        self.bind(changes)
        for path, _ in inner + theirs:
            self.names.pop(path, None)
        self.names.update(moved)

    def read_write(self, _descriptor, kind, inode, offset, content=""):
        number = self.numbers.get(int(inode)) if kind == "file" else None
        if number is not None:
            self.operations.append(("write", number, int(offset), bytes.fromhex(content)))

    def read_truncate(self, inode, length):
        number = self.numbers.get(int(inode))
        if number is not None:
            self.operations.append(("truncate", number, int(length)))

    def read_fsync(self, inode):
        number = self.numbers.get(int(inode))
        if number is not None:
            self.operations.append(("sync", number))

    def read_chmod(self, *_):
        pass

    def read_copy(self, *_):
        pass


class State:
    """Directories as {number: {name: number}} and contents as {number: bytes}."""

    def __init__(self, recording):
        self.recording, self.folders, self.contents = recording, {recording.root: {}}, {}
        self.is_synced = False

    def bind(self, changes):
        """Applies an atomic change. A directory goes only when it is empty."""
        for folder, name, number in changes:
            names = self.folders.setdefault(folder, {})
            if number is not None:
                names[name] = number
            elif not self.folders.get(names.get(name)):
                names.pop(name, None)

    def change(self, operation):
        number, content = operation[1], self.contents.get(operation[1], b"")
        if operation[0] == "truncate":
            self.contents[number] = content[: operation[2]].ljust(operation[2], b"\0")
        else:
            _, _, offset, written = operation
            content = content.ljust(offset, b"\0")
            self.contents[number] = content[:offset] + written + content[offset + len(written):]

    def tree(self, path):
        """The tree at a path, like `Place.tree`."""
        number = self.recording.root
        for name in path.split("/"):
            number = self.folders.get(number, {}).get(name)
        return None if number is None else self.tree_of(number)

    def tree_of(self, number):
        if self.recording.kinds[number] != "directory":
            return {"": self.contents.get(number, b"")}
        found = {}
        for name, inner in self.folders.get(number, {}).items():
            for below, content in self.tree_of(inner).items():
                found[f"{name}/{below}" if below else name] = content
        return found


def durable(operations):
    """For each operation before the loss, whether a sync after it made it durable."""
    synced, kept = set(), [False] * len(operations)
    for at in range(len(operations) - 1, -1, -1):
        operation = operations[at]
        if operation[0] == "sync":
            synced.add(operation[1])
        elif operation[0] == "bind":
            kept[at] = any(folder in synced for folder, _, _ in operation[1])
        else:
            kept[at] = operation[1] in synced
    return kept


def choose_changes(operations, kept, choice, dice):
    """Which changes of directories are on the disk."""
    binds = [at for at, operation in enumerate(operations) if operation[0] == "bind"]
    last = max((at for at in binds if kept[at]), default=-1)
    free = [at for at in binds if at > last]
    if choice.endswith("in any order"):
        return {at for at in binds if kept[at] or dice.random() < 0.5}
    cut = dice.randint(0, len(free))
    if choice.startswith("all content lost"):
        cut = len(free)
    if choice.startswith("all lost"):
        cut = 0
    return {at for at in binds if at <= last} | set(free[:cut])


def build(recording, operations, choice, dice):
    """One state after these operations. Returns it with the results that it may hold."""
    kept = durable(operations)
    present = choose_changes(operations, kept, choice, dice)
    state = State(recording)
    lost = set()
    for at, operation in enumerate(operations):
        if operation[0] == "bind":
            if at in present:
                state.bind(operation[1])
        elif operation[0] in ("write", "truncate"):
            keep_content(state, operation, kept[at], choice, dice, lost)
    return state


def keep_content(state, operation, is_kept, choice, dice, lost):
    number = operation[1]
    if is_kept:
        state.change(operation)
    elif number in lost or choice.startswith("all"):
        lost.add(number)
    else:
        fate = dice.choice(["there", "there", "lost", "in part", "zeros"])
        if fate == "there":
            state.change(operation)
            return
        lost.add(number)
        if operation[0] == "write" and fate == "in part":
            state.change(operation[:3] + (operation[3][: len(operation[3]) // 2],))
        elif operation[0] == "write" and fate == "zeros":
            state.change(operation[:3] + (bytes(len(operation[3])),))


CHOICES = ["all lost that was not synced", "all content lost that was not synced", "in order", "in any order"]


def results_saved(recording, operations):
    """The results in the order in which they were put in place, and how many surely survive."""
    state, results, surely = State(recording), [], 0
    kept = durable(operations)
    for at, operation in enumerate(operations):
        if operation[0] == "bind":
            state.bind(operation[1])
            if (recording.root, recording.subject.result) in [change[:2] for change in operation[1]]:
                if (tree := state.tree(recording.subject.result)) is not None:
                    results.append(tree)
                    surely = len(results) if kept[at] else surely
        elif operation[0] != "sync":
            state.change(operation)
    return results, surely


def states(recording, dice):
    """Losses of power after each operation, in each way. Without an end: other choices each time."""
    while True:
        losses = [(at, choice) for choice in CHOICES for at in range(1, len(recording.operations) + 1)]
        dice.shuffle(losses)
        for at, choice in losses:
            operations = recording.operations[:at]
            state = build(recording, operations, choice, dice)
            state.results, state.surely = results_saved(recording, operations)
            yield at, choice, state


def restore(state, directory):
    """Writes a state to a directory that holds the inputs."""

    def write(number, path):
        for name, inner in state.folders.get(number, {}).items():
            target, kind = os.path.join(path, name), state.recording.kinds[inner]
            if kind == "directory":
                os.makedirs(target, exist_ok=True)
                write(inner, target)
            elif kind == "file":
                with open(target, "wb") as file:
                    file.write(state.contents.get(inner, b""))
            else:
                os.symlink(kind[1], target)

    write(state.recording.root, directory)


def check(place, state):
    """What is on the disk is a whole result, and none older than the last that was synced."""
    found = place.result()
    if found is None:
        return ["the result is gone"] if state.surely else []
    allowed = state.results[max(state.surely - 1, 0):]
    if found in allowed:
        return []
    older = " older" if found in state.results else " damaged"
    return [f"after the loss the result is{older}: {str(found)[:200]}"]
