"""A tech adapter for Plinth in Python: copy this one file, install PyYAML, write the handlers.

The kit speaks the tech adapter protocol (docs/guides/writing-an-adapter.md): bearer tokens, reading of descriptors,
tokens and polling, idempotency keys, logs, error bodies, limits, termination and a graceful stop. Python 3.9 or newer.

    from plinth_adapter import Adapter, Outcome, Problem

    adapter = Adapter("directories", secret=os.environ.get("CORE_BACKEND_PLUGIN_AUTH_SECRET"))

    @adapter.validate
    def validate(call):                     # every problem; an empty list means that it can be deployed
        return [Problem(call.pointer + "/specific/directory", "is missing", "Name a directory.")]

    @adapter.provision
    def provision(call, context):           # must be idempotent: it may be run again after a restart
        context.log("INFO", "making the directory")
        return Outcome("The directory was made.", public_info={})

    @adapter.unprovision
    def unprovision(call, context):
        return Outcome("The directory is gone.")

    adapter.serve(port=4200)

`update_acl` and `reverse_provision` are optional: what has no handler is answered 404. Raise `Refused` for what the
author of the descriptor has to change; anything else that is raised is answered 500 without its text and logged.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
import re
import signal
import socket
import sqlite3
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Optional
from urllib.parse import unquote

import yaml

__all__ = ["Adapter", "Call", "Context", "Outcome", "Problem", "Refused"]

BODY_BYTES = 10 * 1024 * 1024
"""Largest request body."""
DESCRIPTOR_DEPTH = 64
"""Nesting of a descriptor."""
DESCRIPTOR_NODES = 500_000
"""Nodes of a descriptor once its aliases are expanded."""
RUNNING_OPERATIONS = 256
"""Operations that run at the same time; further calls are answered 503."""
KEPT_OPERATIONS = 5_000
"""Ended operations that polling and repeated idempotency keys still find."""
LOG_ENTRIES = 1_000
LOG_CHARACTERS = 2_000
KEY_CHARACTERS = 500
REFS = 1_000
CONNECTION_SECONDS = 65
"""A connection that sends nothing for this long is closed."""
STOP_SECONDS = 3.0
"""How long work that is told to stop has until the adapter ends."""
DISCARD_BYTES = 4 * BODY_BYTES
DISCARD_SECONDS = 10.0
"""How much of a body that is refused unread is read all the same, so that its sender gets to read the answer."""
CLOCK_SECONDS = 30
"""Difference of clocks that the time of a token may have."""

log = logging.getLogger("plinth_adapter")


@dataclass
class Problem:
    """One thing that is wrong: where (a JSON pointer), what, and what to do about it."""

    where: str
    message: str
    solution: Optional[str] = None

    def text(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class Refused(Exception):
    """The author of the descriptor has to change something. The call is not repeated."""

    def __init__(self, message: str, problems: Optional[list] = None):
        super().__init__(message)
        self.message = message
        self.problems: list = list(problems or [])


@dataclass
class Outcome:
    """What a provisioning, its removal or a change of access ended with."""

    result: str
    public_info: dict = field(default_factory=dict)
    """Shown to users: name -> {"type": "string", "label": …, "value": …}."""
    private_info: dict = field(default_factory=dict)
    """Stored by the coordinator and sent back with later calls; not shown."""


@dataclass
class Call:
    """What a handler is asked. Fields that an operation has no use for are empty."""

    kind: str = ""
    unit: dict = field(default_factory=dict)
    """The whole deployment unit."""
    component: Optional[dict] = None
    """The component to act on; None when the call is about the unit itself."""
    pointer: str = ""
    """JSON pointer of the component within the unit, such as /components/2."""
    latest: Optional[dict] = None
    """The unit as it was last deployed, with the latest info of each component."""
    remove_data: bool = False
    refs: list = field(default_factory=list)
    """update_acl: the complete set of identities; an empty one revokes all."""
    provision_result: Any = None
    """update_acl: the status that the component's provisioning ended with, as JSON text."""
    template_id: str = ""
    environment: str = ""
    params: dict = field(default_factory=dict)
    catalog_info: Optional[dict] = None


class Context:
    """What a handler gets beside its call."""

    def __init__(self, operation: Optional["Operation"], traceparent: Optional[str]):
        self._operation = operation
        self.traceparent = traceparent
        self.stopping = operation.stopping if operation else threading.Event()
        """Set when the operation is terminated or the adapter stops; look at it in long work and raise."""

    def log(self, level: str, message: str, phase: Optional[str] = None) -> None:
        """Adds a line to the plan's log: DEBUG, INFO, WARNING or ERROR. Never pass secrets or data."""
        if self._operation:
            self._operation.add_line(level, message, phase)


FINAL = ("COMPLETED", "FAILED", "TERMINATED")


class Operation:
    """One run of a handler. Its status changes under its lock and never after its end."""

    def __init__(self, token: str, action: str, key: Optional[str], fingerprint: str, body: Any):
        self.token, self.action, self.key = token, action, key
        self.fingerprint, self.body = fingerprint, body
        self.status = "RUNNING"
        self.answer: Optional[dict] = None
        self.failure: Optional[dict] = None
        """{status, body} of the answer, and `result`, the text of a FAILED status."""
        self.logs: list = []
        self.polled = False
        """Whether its token was given away; then repeats are answered with the token."""
        self.stopping = threading.Event()
        self.done = threading.Event()
        self.lock = threading.Lock()

    def add_line(self, level: str, message: str, phase: Optional[str]) -> None:
        with self.lock:
            if len(self.logs) > LOG_ENTRIES:
                return
            full = len(self.logs) == LOG_ENTRIES
            line = {
                "timestamp": datetime.now(timezone.utc).isoformat().replace("+00:00", "Z"),
                "level": "WARNING" if full else str(level),
                "message": "Further lines are left out." if full else str(message)[:LOG_CHARACTERS],
            }
            self.logs.append({**line, "phase": str(phase)} if phase else line)

    def stop(self) -> None:
        """What runs is told to stop; what has ended stays as it is."""
        with self.lock:
            if self.status == "RUNNING":
                self.status = "TERMINATING"
        self.stopping.set()

    def finish(self, status: str, answer: Optional[dict], failure: Optional[dict]) -> None:
        with self.lock:
            self.answer, self.failure, self.status = answer, failure, status

    def status_body(self) -> dict:
        with self.lock:
            status, logs = self.status, list(self.logs)
            answer, failure = self.answer, self.failure
        if answer is not None:
            return {"status": status, **answer, "logs": logs}
        if self.action == "reverse-provisioning":
            return {"status": status, "updates": {}, "logs": logs}
        text = failure["result"] if failure else ""
        return {"status": status, "result": text, "info": None, "logs": logs}

    @property
    def ended(self) -> bool:
        """Not of work that was stopped with the adapter: it has no outcome, and the next start runs it again."""
        return self.done.is_set() and self.status in FINAL


class Store:
    """Operations by token and by idempotency key, in SQLite, so that a restart knows what it was asked and answered."""

    def __init__(self, path: str):
        self.lock = threading.RLock()
        self.running: dict = {}
        self.db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.db.execute("pragma journal_mode = wal")
        self.db.execute(
            """create table if not exists operations (
                 number integer primary key autoincrement, token text not null unique, action text not null,
                 key text, fingerprint text not null, body text not null, polled integer not null,
                 status text not null, answer text, failure text, logs text not null)"""
        )
        self.db.execute("create unique index if not exists operations_key on operations (action, key)")

    def find(self, token: str) -> Optional[Operation]:
        with self.lock:
            return self.running.get(token) or self._read("token = ?", (token,))

    def find_key(self, action: str, key: str) -> Optional[Operation]:
        with self.lock:
            for operation in self.running.values():
                if operation.action == action and operation.key == key:
                    return operation
            return self._read("action = ? and key = ?", (action, key))

    def interrupted(self) -> list:
        """Operations that were running when the process ended; their handlers have to run again."""
        with self.lock:
            rows = self.db.execute("select token from operations where status in ('RUNNING', 'TERMINATING')").fetchall()
            return [self._read("token = ?", row) for row in rows]

    def begin(self, operation: Operation) -> None:
        with self.lock:
            self.db.execute(
                """insert into operations (token, action, key, fingerprint, body, polled, status, logs)
                   values (?, ?, ?, ?, ?, 0, 'RUNNING', '[]')""",
                (operation.token, operation.action, operation.key, operation.fingerprint, json.dumps(operation.body)),
            )
            self.running[operation.token] = operation

    def count_running(self) -> int:
        with self.lock:
            return sum(1 for each in self.running.values() if not each.ended)

    def give_token(self, operation: Operation) -> None:
        with self.lock:
            operation.polled = True
            self.db.execute("update operations set polled = 1 where token = ?", (operation.token,))

    def end(self, operation: Operation) -> None:
        """Writes how it ended. Where that fails it stays in memory as it is, and is written with the next that ends."""
        with self.lock:
            for each in [operation, *(other for other in self.running.values() if other.ended)]:
                self._write_end(each, each.status)
                self.running.pop(each.token, None)
            self.db.execute(
                """delete from operations where number in (select number from operations where
                   status not in ('RUNNING', 'TERMINATING') order by number desc limit -1 offset ?)""",
                (KEPT_OPERATIONS,),
            )

    def close(self) -> None:
        with self.lock:
            self.db.close()

    def _write_end(self, one: Operation, status: str) -> None:
        """
        A failure that may pass, and whose token nobody has, is forgotten: the same call may then succeed. The rest gets a
        new number, so that numbers say in which order operations ended.
        """
        refused = one.failure is not None and one.failure["status"] == 400
        if status != "COMPLETED" and not refused and not one.polled:
            self.db.execute("delete from operations where token = ?", (one.token,))
            return
        text = lambda value: None if value is None else json.dumps(value)
        self.db.execute(
            """update operations set number = (select max(number) from operations) + 1, status = ?, answer = ?, failure = ?,
               logs = ? where token = ?""",
            (status, text(one.answer), text(one.failure), json.dumps(one.logs), one.token),
        )

    def _read(self, where: str, values: tuple) -> Optional[Operation]:
        columns = "token, action, key, fingerprint, body, polled, status, answer, failure, logs"
        row = self.db.execute(f"select {columns} from operations where {where}", values).fetchone()
        if row is None:
            return None
        operation = Operation(row[0], row[1], row[2], row[3], json.loads(row[4]))
        operation.polled, operation.status = bool(row[5]), row[6]
        operation.answer = None if row[7] is None else json.loads(row[7])
        operation.failure = None if row[8] is None else json.loads(row[8])
        operation.logs = json.loads(row[9])
        if operation.status in FINAL:
            operation.done.set()
        return operation


class Answer(Exception):
    """Ends a request with this status and body."""

    def __init__(self, status: int, body: Any, headers: Optional[dict] = None):
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers or {}


def plain(status: int, message: str, headers: Optional[dict] = None) -> Answer:
    return Answer(status, {"errors": [message], "userMessage": message}, headers)


def refusal_body(refused: Refused) -> dict:
    texts = [problem.text() for problem in refused.problems] or [refused.message]
    solutions = list(dict.fromkeys(each.solution for each in refused.problems if each.solution))
    first = refused.problems[0].where if refused.problems else ""
    return {
        "errors": texts,
        "userMessage": refused.message,
        **({"inputErrorField": first} if first else {}),
        "moreInfo": {"problems": texts, "solutions": solutions},
    }


def failure_of(error: BaseException) -> dict:
    """What a handler has ended with; a refusal that is not made of problems with texts is a defect of the handler."""
    try:
        failure = _failure_of(error)
        _json_text(failure)
        return failure
    except Exception:  # whatever a handler has put into its refusal
        return _failure_of(Exception())


def _json_text(value: Any) -> str:
    """JSON as others read it, without NaN."""
    return json.dumps(value, allow_nan=False)


def _failure_of(error: BaseException) -> dict:
    if not isinstance(error, Refused):
        message = "The adapter failed unexpectedly; its own log has the details."
        return {"status": 500, "body": {"errors": [message], "userMessage": message, "error": message}, "result": message}
    body = refusal_body(error)
    lines = [body["userMessage"], *(text for text in body["errors"] if text != body["userMessage"])]
    advice = [f"What to do: {each}" for each in body["moreInfo"]["solutions"]]
    return {"status": 400, "body": body, "result": "\n".join([" ".join(lines), *advice])}


# Reading requests


def refuse_field(where: str, message: str) -> Refused:
    return Refused("The request is not one of the adapter protocol.", [Problem(where, message)])


def parse_document(text: str, where: str) -> Any:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        try:
            document = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            mark = getattr(error, "problem_mark", None)
            place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
            reason = getattr(error, "problem", None) or "it cannot be read"
            raise Refused("The descriptor is not readable YAML.", [Problem(where, place + reason)]) from None
    count, stack = 0, [(document, 1)]
    while stack:
        node, depth = stack.pop()
        count += 1
        if count > DESCRIPTOR_NODES or depth > DESCRIPTOR_DEPTH:
            raise Refused("The descriptor is too large or too deep.", [Problem(where, "is beyond the limits")])
        children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        stack.extend((child, depth + 1) for child in children)
    return document


def components_of(parent: dict, pointer: str = ""):
    components = parent.get("components")
    for index, component in enumerate(components if isinstance(components, list) else []):
        if isinstance(component, dict):
            yield component, f"{pointer}/components/{index}"
            yield from components_of(component, f"{pointer}/components/{index}")


def select_component(document: Any) -> Call:
    if not isinstance(document, dict):
        raise Refused("The descriptor is not an object.", [Problem("/descriptor", "must be a mapping")])
    unit, wanted, problems = document.get("dataProduct"), document.get("componentIdToProvision"), []
    if not isinstance(unit, dict):
        problems.append(Problem("/descriptor/dataProduct", "must be an object"))
    if not isinstance(wanted, str) or not wanted:
        problems.append(Problem("/descriptor/componentIdToProvision", "must be a component id"))
    elif isinstance(unit, dict):
        for component, pointer in components_of(unit):
            if str(component.get("id")).lower() == wanted.lower():
                return Call(kind="COMPONENT_DESCRIPTOR", unit=unit, component=component, pointer=pointer)
        problems.append(Problem("/descriptor/componentIdToProvision", f"no component has the id {wanted[:200]}"))
    raise Refused("The descriptor names no component to act on.", problems)


def read_descriptor(body: dict) -> Call:
    kind, descriptor, problems = body.get("descriptorKind"), body.get("descriptor"), []
    if kind not in ("COMPONENT_DESCRIPTOR", "DATAPRODUCT_DESCRIPTOR"):
        problems.append(Problem("/descriptorKind", "is not one of COMPONENT_DESCRIPTOR, DATAPRODUCT_DESCRIPTOR"))
    if not isinstance(descriptor, str) or not descriptor.strip():
        problems.append(Problem("/descriptor", "must be a non-empty string of YAML"))
    if problems:
        raise Refused("The request is not one of the adapter protocol.", problems)
    document = parse_document(descriptor, "/descriptor")
    if kind == "COMPONENT_DESCRIPTOR":
        return select_component(document)
    if not isinstance(document, dict):
        raise Refused("The descriptor is not an object.", [Problem("/descriptor", "must be a mapping")])
    return Call(kind=kind, unit=document)


def read_provision(body: dict) -> Call:
    remove_data = body.get("removeData")
    if remove_data not in (None, True, False):
        raise refuse_field("/removeData", "must be true or false")
    call = read_descriptor(body)
    call.remove_data = bool(remove_data)
    latest = body.get("latestEnrichedDescriptor")
    try:
        latest = parse_document(latest, "/latestEnrichedDescriptor") if isinstance(latest, str) and latest else latest
    except Refused:
        latest = None
    if isinstance(latest, dict):
        call.latest = latest["dataProduct"] if isinstance(latest.get("dataProduct"), dict) else latest
    return call


def read_acl(body: dict) -> Call:
    refs, problems = body.get("refs"), []
    info = body.get("provisionInfo")
    request = info.get("request") if isinstance(info, dict) else None
    if not isinstance(refs, list):
        problems.append(Problem("/refs", "must be a list of references"))
    elif len(refs) > REFS:
        problems.append(Problem("/refs", f"has more than {REFS} entries"))
    else:
        for index, ref in enumerate(refs):
            if not isinstance(ref, str) or not re.fullmatch(r"(?i:user|group):\S{1,490}", ref):
                advice = "Use user:<name> or group:<name>, as in the catalogue."
                problems.append(Problem(f"/refs/{index}", "is no user or group reference", advice))
    if not isinstance(request, str) or not request.strip():
        problems.append(Problem("/provisionInfo/request", "must be the descriptor as text"))
    if problems:
        raise Refused("The access request cannot be carried out.", problems)
    call = select_component(parse_document(request, "/provisionInfo/request"))
    call.refs, call.provision_result = list(dict.fromkeys(refs)), info.get("result")
    return call


def read_reverse(body: dict) -> Call:
    problems, params = [], body.get("params")
    for name in ("useCaseTemplateId", "environment"):
        if not isinstance(body.get(name), str) or not body[name]:
            problems.append(Problem(f"/{name}", "must be non-empty text"))
    if params is not None and not isinstance(params, dict):
        problems.append(Problem("/params", "must be an object"))
    if problems:
        raise Refused("The reverse provisioning request cannot be carried out.", problems)
    info = body.get("catalogInfo")
    return Call(
        template_id=body["useCaseTemplateId"],
        environment=body["environment"],
        params=params or {},
        catalog_info=info if isinstance(info, dict) else None,
    )


readers = {
    "validate": read_descriptor,
    "provision": read_provision,
    "unprovision": read_provision,
    "updateacl": read_acl,
    "reverse-provisioning": read_reverse,
}
provision_actions = ("provision", "unprovision", "updateacl")


class Adapter:
    """The handlers of one adapter and the server that calls them.

    `secret` is what callers send as bearer, as it is or as the key of an HS256 token; a list takes several, such as the
    old and the new one of a rotation. `store` is the file of operations: with the default they end with the process.
    `answer_within` is for how many seconds a call waits for its work before it is answered 202 with a token.
    """

    def __init__(self, name: str, *, secret=None, store: str = ":memory:", answer_within: float = 5.0):
        self.name, self.answer_within = name, answer_within
        secrets = [secret] if isinstance(secret, str) else list(secret or [])
        self.secrets = [each for each in secrets if each]
        self.store = Store(store)
        self.handlers: dict = {}
        self.stops_work = False
        self.closing = threading.Event()
        self.start_lock = threading.Lock()
        self.open_requests = 0
        self.count_lock = threading.Lock()

    def validate(self, handler: Callable) -> Callable:
        """Registers `handler(call) -> [Problem]`. It changes nothing."""
        return self._register("validate", handler)

    def provision(self, handler: Callable) -> Callable:
        """Registers `handler(call, context) -> Outcome`."""
        return self._register("provision", handler)

    def unprovision(self, handler: Callable) -> Callable:
        """Registers `handler(call, context) -> Outcome`; `call.remove_data` says whether the data goes too."""
        return self._register("unprovision", handler)

    def update_acl(self, handler: Callable) -> Callable:
        """Registers `handler(call, context) -> Outcome`, which makes `call.refs` the whole set of readers."""
        return self._register("updateacl", handler)

    def reverse_provision(self, handler: Callable) -> Callable:
        """Registers `handler(call, context) -> dict`: what was found, by the field of the entity. It only reads."""
        return self._register("reverse-provisioning", handler)

    def can_be_terminated(self) -> None:
        """Says that the handlers look at `context.stopping`; without it a termination is answered 501."""
        self.stops_work = True

    def _register(self, action: str, handler: Callable) -> Callable:
        self.handlers[action] = handler
        return handler

    def serve(self, host: str = "127.0.0.1", port: int = 0, grace: float = 10.0) -> None:
        """Listens, prints one line of JSON with the address, and returns after SIGTERM or SIGINT."""
        missing = [each for each in ("validate", "provision", "unprovision") if each not in self.handlers]
        if missing:
            raise ValueError(f"Handlers are missing: {', '.join(missing)}.")
        if not self.secrets and host not in ("127.0.0.1", "::1", "localhost"):
            raise ValueError("Without a secret the adapter listens on loopback addresses only.")
        for operation in self.store.interrupted():
            self.store.running[operation.token] = operation
            operation.status = "RUNNING"
            self._launch(operation, Context(operation, None))
        server = _Server((host, port), _handler_for(self))
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, lambda *_: threading.Thread(target=server.shutdown, daemon=True).start())
        print(json.dumps({"listening": f"http://{host}:{server.server_address[1]}"}), flush=True)
        server.serve_forever(poll_interval=0.2)
        self.closing.set()
        server.server_close()
        self._finish(grace)
        self.store.close()

    def _finish(self, grace: float) -> None:
        """
        What still runs may end; then it is told to stop, and has a moment for that. A restart runs the rest again, where
        there is a store.
        """
        operations = list(self.store.running.values())
        self._wait_for(operations, grace)
        for operation in operations:
            operation.stopping.set()
        self._wait_for(operations, STOP_SECONDS)
        until = time.monotonic() + 2
        while self.open_requests > 0 and time.monotonic() < until:
            time.sleep(0.02)

    @staticmethod
    def _wait_for(operations: list, seconds: float) -> None:
        until = time.monotonic() + seconds
        for operation in operations:
            operation.done.wait(max(0.0, until - time.monotonic()))

    def count_requests(self, more: int) -> None:
        with self.count_lock:
            self.open_requests += more

    def authorised(self, header: Optional[str]) -> bool:
        match = re.fullmatch(r"(?i:bearer) +(\S+)", header or "")
        return bool(match) and any(_fits(match.group(1), secret) for secret in self.secrets)

    def start(self, action: str, body: dict, key: Optional[str], traceparent: Optional[str]) -> Operation:
        """Starts the work of a call, or finds that of the same call before."""
        fingerprint = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        with self.start_lock:
            known = self.store.find_key(action, key) if key else None
            if known:
                if known.fingerprint != fingerprint:
                    raise plain(409, "The idempotency key was used before with another request.")
                return known
            if self.closing.is_set() or self.store.count_running() >= RUNNING_OPERATIONS:
                message = "The adapter takes no more work at present; try again later."
                raise plain(503, message, {"retry-after": "5"})
            operation = Operation(str(uuid.uuid4()), action, key, fingerprint, body)
            self.store.begin(operation)
        self._launch(operation, Context(operation, traceparent))
        return operation

    def _launch(self, operation: Operation, context: Context) -> None:
        threading.Thread(target=self._run, args=(operation, context), daemon=True).start()

    def _run(self, operation: Operation, context: Context) -> None:
        answer, failure, status = None, None, "COMPLETED"
        try:
            call = readers[operation.action](operation.body)
            answer = self._answer(operation.action, self.handlers[operation.action], call, context)
            _json_text(answer)
        except BaseException as error:  # whatever a handler raises ends its operation, never the process
            answer, failure = None, failure_of(error)
            stopped = operation.stopping.is_set() and not isinstance(error, Refused)
            status = "TERMINATED" if stopped else "FAILED"
            if failure["status"] == 500 and not stopped:
                log.exception("%s failed", operation.action)
            operation.add_line("ERROR", failure["result"], None)
        try:
            # Else the row still says RUNNING: the next start runs it again.
            if not self.closing.is_set() or status != "TERMINATED":
                operation.finish(status, answer, failure)
                self.store.end(operation)
        except Exception:
            log.exception("the end of %s could not be stored", operation.token)
        finally:
            operation.done.set()

    @staticmethod
    def _answer(action: str, handler: Callable, call: Call, context: Context) -> dict:
        if action == "validate":
            return {"result": _verdict(handler, call)}
        outcome = handler(call, context)
        if action == "reverse-provisioning":
            return {"updates": dict(outcome or {})}
        info = {"publicInfo": outcome.public_info, "privateInfo": outcome.private_info}
        return {"result": outcome.result, "info": info}

    def answer_post(self, action: str, body: Any, headers) -> Answer:
        if action not in self.handlers:
            return plain(404, "This adapter does not offer the operation.")
        if not isinstance(body, dict):
            raise refuse_field("", "must be a JSON object")
        readers[action](body)
        operation = self.start(action, body, _key_of(headers), headers.get("traceparent"))
        if not operation.polled:
            operation.done.wait(self.answer_within)
        if operation.polled or not operation.done.is_set():
            self.store.give_token(operation)
            return Answer(202, operation.token)
        if operation.status not in ("COMPLETED", "FAILED"):
            return plain(503, "The operation was stopped before its end.", {"retry-after": "5"})
        if operation.failure is not None:
            return Answer(operation.failure["status"], operation.failure["body"])
        return Answer(200, operation.status_body())

    def answer_validate(self, body: Any, headers, later: bool) -> Answer:
        if not later:
            try:
                if not isinstance(body, dict):
                    raise refuse_field("", "must be a JSON object")
                return Answer(200, _verdict(self.handlers["validate"], read_descriptor(body)))
            except Refused as refused:
                return Answer(200, {"valid": False, "error": _without_message(refusal_body(refused))})
        if not isinstance(body, dict):
            raise refuse_field("", "must be a JSON object")
        operation = self.start("validate", body, _key_of(headers), headers.get("traceparent"))
        self.store.give_token(operation)
        return Answer(202, operation.token)

    def find(self, token: str, actions: tuple) -> Operation:
        operation = self.store.find(token) if re.fullmatch(r"[0-9a-f-]{36}", token) else None
        if operation is None or operation.action not in actions:
            advice = "Start the operation again; the adapter knows its latest operations only."
            raise Answer(404, refusal_body(Refused("The token is not known.", [Problem("token", "names no operation", advice)])))
        return operation

    def answer_terminate(self, operation: Operation) -> Answer:
        if not operation.ended:
            if not self.stops_work:
                return plain(501, "This adapter cannot stop a running operation.")
            operation.stop()
            operation.done.wait(1.0)
        return Answer(200 if operation.ended else 202, operation.status_body())


def _verdict(handler: Callable, call: Call) -> dict:
    try:
        problems = list(handler(call) or [])
        if not problems:
            return {"valid": True}
        refused = Refused("The descriptor is not valid.", problems)
    except Refused as error:
        refused = error
    return {"valid": False, "error": _without_message(refusal_body(refused))}


def _without_message(body: dict) -> dict:
    return {name: body[name] for name in ("errors", "moreInfo")}


def _key_of(headers) -> Optional[str]:
    key = headers.get("idempotency-key") or None
    if key is not None and len(key) > KEY_CHARACTERS:
        raise refuse_field("idempotency-key", f"must have at most {KEY_CHARACTERS} characters")
    return key


def _fits(bearer: str, secret: str) -> bool:
    digest = lambda text: hashlib.sha256(text.encode()).digest()
    if hmac.compare_digest(digest(bearer), digest(secret)):
        return True
    try:
        head, payload, signature = bearer.split(".")
        read = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
        wanted = hmac.new(secret.encode(), f"{head}.{payload}".encode(), hashlib.sha256).digest()
        if not hmac.compare_digest(read(signature), wanted) or json.loads(read(head)).get("alg") != "HS256":
            return False
        claims, now = json.loads(read(payload)), time.time()
        begins, ends = claims.get("nbf", 0), claims.get("exp", now + 1)
        return begins - CLOCK_SECONDS <= now < ends + CLOCK_SECONDS
    except (ValueError, TypeError, AttributeError):
        return False


# HTTP


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def _handler_for(adapter: Adapter):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version, sys_version = "plinth-adapter", ""
        timeout = CONNECTION_SECONDS
        has_unread_body = False

        def do_GET(self):
            self._handle("GET")

        def do_POST(self):
            self._handle("POST")

        def do_DELETE(self):
            self._handle("DELETE")

        def do_PUT(self):
            self._handle("PUT")

        def do_PATCH(self):
            self._handle("PATCH")

        def log_message(self, *_):
            pass

        def _handle(self, method: str) -> None:
            adapter.count_requests(1)
            try:
                self._handle_counted(method)
            finally:
                adapter.count_requests(-1)

        def _handle_counted(self, method: str) -> None:
            try:
                answer = self._answer(method)
            except Answer as thrown:
                answer = thrown
            except Refused as refused:
                answer = Answer(400, refusal_body(refused))
            except (ConnectionError, TimeoutError):
                self.close_connection = True
                return
            except Exception:  # a defect of the kit or of a validation; its text stays here
                log.exception("%s %s failed", method, self.path)
                answer = Answer(500, failure_of(Exception())["body"])
            self._send(answer)
            if self.close_connection and self.has_unread_body:
                self._discard_rest()

        def _discard_rest(self) -> None:
            """A connection that is closed while its other end still sends is reset, and the answer lost on the way."""
            length = self.headers.get("content-length") or ""
            left = min(int(length), DISCARD_BYTES) if length.isdigit() else DISCARD_BYTES
            until = time.monotonic() + DISCARD_SECONDS
            try:
                # Who has sent everything learns that nothing more follows, and closes; then there is nothing more to read.
                self.connection.shutdown(socket.SHUT_WR)
                self.connection.settimeout(DISCARD_SECONDS)
                while left > 0 and time.monotonic() < until:
                    data = self.rfile.read1(65_536)
                    if not data:
                        return
                    left -= len(data)
            except (OSError, ValueError):
                return

        def _send(self, answer: Answer) -> None:
            data = json.dumps(answer.body).encode()
            try:
                self.send_response(answer.status)
                self.send_header("content-type", "application/json; charset=utf-8")
                self.send_header("content-length", str(len(data)))
                if adapter.closing.is_set() or self.close_connection:
                    self.send_header("connection", "close")
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)
            except (ConnectionError, TimeoutError):
                self.close_connection = True

        def _answer(self, method: str) -> Answer:
            self.has_unread_body = method in ("POST", "PUT", "PATCH")
            parts = [unquote(part) for part in self.path.split("?", 1)[0].split("/")[1:]]
            if (method, parts) == ("GET", ["healthz"]):
                return Answer(200, {"status": "ok", "adapter": adapter.name})
            if adapter.secrets and not adapter.authorised(self.headers.get("authorization")):
                # Its body is not read, so the connection cannot be used again.
                self.close_connection = method != "GET" or self.close_connection
                return plain(401, "The call carries no valid bearer token.", {"www-authenticate": "Bearer"})
            body = self._read_body() if self.has_unread_body else b""
            self.has_unread_body = False
            if method == "POST" and parts in (["v1", "validate"], ["v2", "validate"]):
                return adapter.answer_validate(_json_of(body), self.headers, parts[0] == "v2")
            if method == "POST" and len(parts) == 2 and parts[0] == "v1" and parts[1] in readers:
                return adapter.answer_post(parts[1], _json_of(body), self.headers)
            if len(parts) == 4 and parts[3] == "status" and method == "GET":
                actions = {
                    ("v1", "provision"): provision_actions,
                    ("v1", "reverse-provisioning"): ("reverse-provisioning",),
                    ("v2", "validate"): ("validate",),
                }.get((parts[0], parts[1]))
                if actions:
                    return Answer(200, adapter.find(parts[2], actions).status_body())
            if method == "DELETE" and len(parts) == 3 and parts[:2] == ["v1", "provision"]:
                return adapter.answer_terminate(adapter.find(parts[2], provision_actions))
            return plain(404, "This path is not part of the adapter protocol.")

        def _read_body(self) -> bytes:
            if "chunked" in (self.headers.get("transfer-encoding") or "").lower():
                return self._read_chunks()
            length = self.headers.get("content-length") or "0"
            if not length.isdigit():
                self.close_connection = True
                raise plain(400, "The content-length is not a number.")
            if int(length) > BODY_BYTES:
                self._too_large()
            return self.rfile.read(int(length))

        def _read_chunks(self) -> bytes:
            data = b""
            while True:
                line = self.rfile.readline(64).strip().split(b";")[0]
                if not re.fullmatch(rb"[0-9A-Fa-f]{1,8}", line):
                    self.close_connection = True
                    raise plain(400, "The chunks of the body cannot be read.")
                size = int(line, 16)
                if len(data) + size > BODY_BYTES:
                    self._too_large()
                data += self.rfile.read(size)
                self.rfile.readline(64)
                if size == 0:
                    return data

        def _too_large(self) -> None:
            self.close_connection = True
            raise plain(413, "The request is too large.")

    return Handler


def _json_of(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Refused("The request body is not readable JSON.", [Problem("", "must be a JSON object")]) from None
