"""Executes actions of a BuildGrid server, as a worker of the Remote Workers API.

Each action runs in a directory of its own, with its own process group and a mark in its
environment. When it ends, times out or is cancelled, all its processes are killed and its directory
is removed. The worker reports death by signal n as exit code 128 + n, as a shell does.

Usage: farm_worker.py ADDRESS NAME --directory DIR [--instance NAME] [--property KEY=VALUE]...
                      [--workers N] [--keep-output BYTES] [--longest SECONDS]
"""

import argparse
import collections
import ctypes
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import uuid

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as api_grpc
from buildgrid._protos.google.bytestream import bytestream_pb2, bytestream_pb2_grpc
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc, worker_pb2
from buildgrid._protos.google.rpc import code_pb2, error_details_pb2

MARK = "LAPIDARY_FARM_ACTION"
BATCH = 3 << 20  # below the 4 MiB that a gRPC message may have
INLINE = 64 << 10  # longer outputs are blobs of their own
POLL = 30.0  # how long the server may hold a request for work
HEARTBEAT = 0.5  # how often a busy worker asks whether its action is still wanted
KEPT_BLOB = 1 << 20
KEPT_BLOBS = 64 << 20
PR_SET_CHILD_SUBREAPER = 36


class Refused(Exception):
    """An action that cannot be executed, with the gRPC code to report."""

    def __init__(self, code, message, missing=()):
        super().__init__(message)
        self.code, self.missing = code, list(missing)


class Blobs:
    """The server's content-addressed storage. Small blobs are kept, since candidates share them."""

    def __init__(self, channel, instance):
        self.instance = instance
        self.storage = api_grpc.ContentAddressableStorageStub(channel)
        self.stream = bytestream_pb2_grpc.ByteStreamStub(channel)
        self.kept, self.bytes, self.lock = collections.OrderedDict(), 0, threading.Lock()

    def read(self, digests):
        """The contents of blobs by their hashes."""
        found, wanted = {}, {}
        with self.lock:
            for digest in digests:
                if digest.size_bytes == 0:
                    found[digest.hash] = b""
                elif digest.hash in self.kept:
                    self.kept.move_to_end(digest.hash)
                    found[digest.hash] = self.kept[digest.hash]
                else:
                    wanted[digest.hash] = digest
        missing = []
        for batch in batches(wanted.values()):
            for digest, data in self._read_batch(batch):
                if data is None or hashlib.sha256(data).hexdigest() != digest.hash:
                    missing.append(digest)
                else:
                    found[digest.hash] = data
                    self._keep(digest.hash, data)
        if missing:
            raise Refused(code_pb2.FAILED_PRECONDITION, f"{len(missing)} blobs are missing", missing)
        return found

    def _read_batch(self, batch):
        if len(batch) == 1 and batch[0].size_bytes > BATCH:
            yield batch[0], self._read_stream(batch[0])
            return
        request = api.BatchReadBlobsRequest(instance_name=self.instance, digests=batch)
        for answer in self.storage.BatchReadBlobs(request, timeout=60).responses:
            yield answer.digest, answer.data if answer.status.code == code_pb2.OK else None

    def _read_stream(self, digest):
        name = f"blobs/{digest.hash}/{digest.size_bytes}"
        request = bytestream_pb2.ReadRequest(resource_name=f"{self.instance}/{name}" if self.instance else name)
        try:
            return b"".join(part.data for part in self.stream.Read(request, timeout=300))
        except grpc.RpcError as error:
            if error.code() == grpc.StatusCode.NOT_FOUND:
                return None
            raise

    def _keep(self, key, data):
        if len(data) > KEPT_BLOB:
            return
        with self.lock:
            if key not in self.kept:
                self.kept[key] = data
                self.bytes += len(data)
            while self.bytes > KEPT_BLOBS:
                self.bytes -= len(self.kept.popitem(last=False)[1])

    def message(self, digest, kind):
        message = kind()
        message.ParseFromString(self.read([digest])[digest.hash])
        return message

    def write(self, data):
        """Stores a blob and returns its digest."""
        digest = api.Digest(hash=hashlib.sha256(data).hexdigest(), size_bytes=len(data))
        if len(data) <= BATCH:
            request = api.BatchUpdateBlobsRequest(instance_name=self.instance)
            request.requests.add(digest=digest, data=data)
            status = self.storage.BatchUpdateBlobs(request, timeout=60).responses[0].status
            if status.code != code_pb2.OK:
                raise Refused(code_pb2.UNAVAILABLE, f"an output cannot be stored: {status.message}")
        else:
            self.stream.Write(self._pieces(digest, data), timeout=300)
        return digest

    def _pieces(self, digest, data):
        name = f"uploads/{uuid.uuid4()}/blobs/{digest.hash}/{digest.size_bytes}"
        name = f"{self.instance}/{name}" if self.instance else name
        for at in range(0, len(data), 1 << 20):
            piece = data[at : at + (1 << 20)]
            end = at + len(piece) == len(data)
            yield bytestream_pb2.WriteRequest(resource_name=name, write_offset=at, data=piece, finish_write=end)


def batches(digests):
    """Groups digests so that each group fits into one message."""
    group, size = [], 0
    for digest in digests:
        if group and (size + digest.size_bytes > BATCH or len(group) >= 500):
            yield group
            group, size = [], 0
        group.append(digest)
        size += digest.size_bytes
    if group:
        yield group


def lay_out(blobs, digest, path):
    """Writes an input tree, level by level, so that each level costs one request."""
    level = [(digest, path)]
    os.makedirs(path)
    files = []
    while level:
        contents = blobs.read([digest for digest, _ in level])
        following = []
        for digest, path in level:
            directory = api.Directory()
            directory.ParseFromString(contents[digest.hash])
            for node in directory.directories:
                below = os.path.join(path, plain(node.name))
                os.mkdir(below)
                following.append((node.digest, below))
            files += [(node, os.path.join(path, plain(node.name))) for node in directory.files]
            for node in directory.symlinks:
                os.symlink(node.target, os.path.join(path, plain(node.name)))
        level = following
    contents = blobs.read([node.digest for node, _ in files])
    for node, path in files:
        with open(path, "wb") as file:
            file.write(contents[node.digest.hash])
        if node.is_executable:
            os.chmod(path, 0o755)


def plain(name):
    if name in ("", ".", "..") or "/" in name or "\0" in name:
        raise Refused(code_pb2.INVALID_ARGUMENT, f"an input has the name {name!r}")
    return name


class Reader(threading.Thread):
    """Reads a pipe to its end and keeps the beginning."""

    def __init__(self, pipe, keep):
        super().__init__(daemon=True)
        self.pipe, self.keep, self.data = pipe, keep, bytearray()
        self.start()

    def run(self):
        with self.pipe:
            while piece := self.pipe.read1(1 << 16):
                self.data += piece[: max(0, self.keep - len(self.data))]


class Running:
    """A command that runs, and everything that it started."""

    def __init__(self, command, root, options):
        self.mark = root
        environment = {"PATH": os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin"), MARK: self.mark}
        environment |= {variable.name: variable.value for variable in command.environment_variables}
        directory = os.path.join(root, command.working_directory)
        arguments = list(command.arguments)
        if "/" in arguments[0] and not os.path.isabs(arguments[0]):
            arguments[0] = os.path.join(directory, arguments[0])
        self.process = subprocess.Popen(
            arguments,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.readers = [Reader(pipe, options.keep_output) for pipe in (self.process.stdout, self.process.stderr)]

    def wait(self, timeout, cancelled):
        """Waits for the end, and kills what is left then. Returns None after a timeout."""
        end = time.monotonic() + timeout
        pause = 0.0005
        while self.process.poll() is None and time.monotonic() < end and not cancelled.is_set():
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
        code = self.process.poll()
        self.kill()
        for reader in self.readers:
            reader.join(5)
        return code

    def kill(self):
        """Kills the process group, and every process that carries the mark."""
        for _ in range(50):
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.poll()
            marked = marked_processes(self.mark)
            if not marked:
                return
            for pid in marked:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                reap(pid)
            time.sleep(0.005)


def marked_processes(place):
    """The processes of actions below a directory."""
    needle = f"{MARK}={place}".encode()
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                if needle in file.read():
                    found.append(int(entry))
        except OSError:
            continue
    return found


def reap(pid):
    """Collects an orphan that became our child."""
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass


def shell_code(code):
    return 128 - code if code < 0 else code


def execute(action, blobs, options, cancelled):
    """Runs an action and returns its result with the gRPC code of its status."""
    result = api.ActionResult()
    metadata = result.execution_metadata
    metadata.worker = options.name
    metadata.worker_start_timestamp.GetCurrentTime()
    command = blobs.message(action.command_digest, api.Command)
    place = os.path.join(options.directory, uuid.uuid4().hex[:12])
    try:
        metadata.input_fetch_start_timestamp.GetCurrentTime()
        lay_out(blobs, action.input_root_digest, place)
        metadata.input_fetch_completed_timestamp.GetCurrentTime()
        metadata.execution_start_timestamp.GetCurrentTime()
        try:
            running = Running(command, place, options)
        except OSError as error:
            raise Refused(code_pb2.INVALID_ARGUMENT, f"the command cannot be started: {error}") from error
        asked = action.timeout.seconds + action.timeout.nanos / 1e9 if action.HasField("timeout") else options.longest
        code = running.wait(min(asked, options.longest), cancelled)
        metadata.execution_completed_timestamp.GetCurrentTime()
        stdout, stderr = (bytes(reader.data) for reader in running.readers)
        put_output(result, blobs, "stdout", stdout)
        put_output(result, blobs, "stderr", stderr)
        add_files(result, blobs, command, place)
        metadata.worker_completed_timestamp.GetCurrentTime()
        if code is None:
            result.exit_code = 128 + signal.SIGKILL
            return result, code_pb2.DEADLINE_EXCEEDED
        result.exit_code = shell_code(code)
        return result, code_pb2.OK
    finally:
        make_removable(place)
        shutil.rmtree(place, ignore_errors=True)


def put_output(result, blobs, name, data):
    if len(data) <= INLINE:
        setattr(result, f"{name}_raw", data)
    else:
        getattr(result, f"{name}_digest").CopyFrom(blobs.write(data))


def add_files(result, blobs, command, place):
    for name in [*command.output_files, *command.output_paths]:
        path = os.path.join(place, command.working_directory, name)
        if os.path.isfile(path) and os.path.realpath(path).startswith(os.path.realpath(place) + "/"):
            with open(path, "rb") as file:
                result.output_files.add(path=name, digest=blobs.write(file.read()))


def make_removable(place):
    for path, directories, _ in os.walk(place):
        for name in directories:
            below = os.path.join(path, name)
            if not os.path.islink(below):
                os.chmod(below, 0o700)


class Worker:
    """One session with the server, which executes one action at a time."""

    def __init__(self, channel, blobs, options):
        self.blobs, self.options = blobs, options
        self.bots = bots_pb2_grpc.BotsStub(channel)
        self.ending = threading.Event()
        self.waiting = None

    def run(self):
        while not self.ending.is_set():
            try:
                self.session()
            except grpc.RpcError as error:
                if not self.ending.is_set():
                    say(f"{self.options.name}: {error.code().name}: {error.details()}; signs in again")
                    self.ending.wait(0.5)

    def end(self):
        self.ending.set()
        if call := self.waiting:
            call.cancel()

    def session(self):
        """Signs in and works until the connection breaks or the worker is told to end."""
        worker = worker_pb2.Worker()
        device = worker.devices.add(handle=self.options.name)
        for text in self.options.property:
            key, _, value = text.partition("=")
            device.properties.add(key=key, value=value)
        session = bots_pb2.BotSession(bot_id=self.options.name, status=1, worker=worker)
        parent = self.options.instance
        request = bots_pb2.CreateBotSessionRequest(parent=parent, bot_session=session)
        session = self.call(self.bots.CreateBotSession, request)
        while not self.ending.is_set():
            for lease in session.leases:
                if lease.state in (1, 2):
                    session = self.work(session, lease)
                    break
            else:
                session = self.update(session)
        self.sign_off(session)

    def call(self, method, request, timeout=POLL + 10):
        self.waiting = method.future(request, timeout=timeout)
        try:
            return self.waiting.result()
        finally:
            self.waiting = None

    def update(self, session):
        return self.call(self.bots.UpdateBotSession, bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session))

    def sign_off(self, session):
        session.status = 4  # BOT_TERMINATING
        request = bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session)
        self.bots.UpdateBotSession(request, timeout=5)

    def work(self, session, lease):
        """Executes a lease, while asking now and then whether it is still wanted."""
        identity, cancelled, done = lease.id, threading.Event(), threading.Event()
        outcome = {}

        def run():
            try:
                outcome["result"] = self.outcome(lease, cancelled)
            finally:
                done.set()

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            while not done.wait(HEARTBEAT):
                if self.ending.is_set():
                    cancelled.set()
                    continue
                session = self.update(session)
                if all(other.id != identity for other in session.leases):
                    cancelled.set()
                    done.wait()
                    return session
        finally:
            cancelled.set()
            thread.join()
        for lease in session.leases:
            if lease.id == identity:
                self.report(lease, outcome.get("result"))
        return session if self.ending.is_set() else self.update(session)

    def report(self, lease, outcome):
        lease.state = 4  # COMPLETED
        if self.ending.is_set() or outcome is None:
            lease.status.code = code_pb2.UNAVAILABLE
            lease.status.message = "the worker ended"
            return
        result, status, message, missing = outcome
        lease.status.code, lease.status.message = status, message
        if result is not None:
            lease.result.Pack(result)
        if missing:
            failure = error_details_pb2.PreconditionFailure()
            for digest in missing:
                failure.violations.add(type="MISSING", subject=f"blobs/{digest.hash}/{digest.size_bytes}")
            lease.status.details.add().Pack(failure)

    def outcome(self, lease, cancelled):
        try:
            action = api.Action()
            if lease.payload.Is(api.Action.DESCRIPTOR):
                lease.payload.Unpack(action)
            else:
                digest = api.Digest()
                lease.payload.Unpack(digest)
                action = self.blobs.message(digest, api.Action)
            result, status = execute(action, self.blobs, self.options, cancelled)
            return result, status, "the command took too long" if status else "", ()
        except Refused as error:
            return None, error.code, str(error), error.missing
        except grpc.RpcError as error:
            return None, code_pb2.UNAVAILABLE, f"{error.code().name}: {error.details()}", ()
        except OSError as error:
            return None, code_pb2.UNAVAILABLE, f"{self.options.name}: {error}", ()


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def parsed():
    parser = argparse.ArgumentParser(description="Executes actions of a BuildGrid server.")
    parser.add_argument("address")
    parser.add_argument("name")
    parser.add_argument("--directory", required=True)
    parser.add_argument("--instance", default="")
    parser.add_argument("--property", action="append", default=[])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--keep-output", type=int, default=16 << 20)
    parser.add_argument("--longest", type=float, default=3600)
    return parser.parse_args()


def main():
    options = parsed()
    os.makedirs(options.directory, exist_ok=True)
    options.directory = os.path.realpath(options.directory)
    # An earlier process that was killed left its action running.
    for pid in marked_processes(options.directory + "/"):
        os.kill(pid, signal.SIGKILL)
    for name in os.listdir(options.directory):
        shutil.rmtree(os.path.join(options.directory, name), ignore_errors=True)
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    size = ("grpc.max_receive_message_length", 16 << 20)
    channel = grpc.insecure_channel(options.address, options=[size])
    blobs = Blobs(channel, options.instance)
    workers = []
    for number in range(options.workers):
        its = argparse.Namespace(**vars(options))
        its.name = options.name if options.workers == 1 else f"{options.name}-{number + 1}"
        workers.append(Worker(channel, blobs, its))
    threads = [threading.Thread(target=worker.run) for worker in workers]
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: [worker.end() for worker in workers])
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
