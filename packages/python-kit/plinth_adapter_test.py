"""Tests of the kit's own promises; the protocol is checked by test/python-kit. `python3 -m unittest -b plinth_adapter_test`."""

import json
import logging
import socket
import sqlite3
import threading
import time
import unittest
from pathlib import PurePath
from unittest import mock

import plinth_adapter
from plinth_adapter import Adapter, Outcome, Refused

LIMIT_SECONDS = 60
unit = {"id": "u", "components": [{"id": "a"}]}
body = {
    "descriptorKind": "COMPONENT_DESCRIPTOR",
    "descriptor": json.dumps({"dataProduct": unit, "componentIdToProvision": "a"}),
}


def adapter_of(provision, **options):
    adapter = Adapter("test", **options)
    adapter.validate(lambda call: [])
    adapter.provision(provision)
    adapter.unprovision(lambda call, context: Outcome("gone"))
    adapter.can_be_terminated()
    return adapter


class Gate:
    """A handler that has begun ends when it is opened."""

    def __init__(self, result=Outcome("made")):
        self.begun, self.opened, self.result = threading.Event(), threading.Event(), result

    def __call__(self, call, context):
        self.begun.set()
        self.opened.wait(LIMIT_SECONDS)
        if isinstance(self.result, BaseException):
            raise self.result
        return self.result


def start(adapter, key=None):
    return adapter.start("provision", body, key, None)


def row_of(adapter, operation):
    return adapter.store.db.execute("select status from operations where token = ?", (operation.token,)).fetchone()


class KitTest(unittest.TestCase):
    def setUp(self):
        # What fails on purpose is not to look like a failure of these tests.
        logging.disable(logging.CRITICAL)
        self.addCleanup(logging.disable, logging.NOTSET)

    def test_an_answer_that_is_no_json_is_a_failure(self):
        results = {
            "an object": Outcome("made", {"value": object()}),
            "no number": Outcome("made", {"value": float("nan")}),
            "a refusal of texts": Refused("No.", ["is wrong"]),
            "an exit": SystemExit(3),
        }
        for name, result in results.items():
            with self.subTest(name):
                gate = Gate(result)
                adapter = adapter_of(gate)
                operation = start(adapter)
                adapter.store.give_token(operation)
                gate.opened.set()
                self.assertTrue(operation.done.wait(LIMIT_SECONDS))
                self.assertEqual(adapter.store.find(operation.token).status_body()["status"], "FAILED")
                self.assertEqual((row_of(adapter, operation), adapter.store.running), (("FAILED",), {}))

    def test_a_line_of_other_things_than_texts_is_written_as_text(self):
        def provision(call, context):
            context.log("INFO", PurePath("made"), PurePath("directories"))
            return Outcome("made")

        adapter = adapter_of(provision)
        operation = start(adapter)
        self.assertTrue(operation.done.wait(LIMIT_SECONDS))
        self.assertEqual(row_of(adapter, operation), ("COMPLETED",))
        self.assertEqual(adapter.store.find(operation.token).logs[0]["phase"], "directories")

    def test_an_end_that_cannot_be_written_is_known_and_written_later(self):
        adapter = adapter_of(lambda call, context: Outcome("made"))
        adapter.store.db.execute(
            "create trigger full before update of answer on operations begin select raise(abort, 'disk full'); end"
        )
        operation = start(adapter, "key")
        self.assertTrue(operation.done.wait(LIMIT_SECONDS))
        self.assertEqual(adapter.store.find(operation.token).status_body()["status"], "COMPLETED")
        self.assertIs(start(adapter, "key"), operation)
        self.assertEqual(row_of(adapter, operation), ("RUNNING",))
        # It takes no place of those for running work.
        with mock.patch.object(plinth_adapter, "RUNNING_OPERATIONS", 1):
            adapter.store.db.execute("drop trigger full")
            self.assertTrue(start(adapter).done.wait(LIMIT_SECONDS))
        self.assertEqual((row_of(adapter, operation), adapter.store.running), (("COMPLETED",), {}))

    def test_work_that_cannot_be_stored_does_not_begin(self):
        gate = Gate()
        adapter = adapter_of(gate)
        adapter.store.db.execute(
            "create trigger full before insert on operations begin select raise(abort, 'disk full'); end"
        )
        self.assertRaises(sqlite3.Error, start, adapter, "key")
        self.assertEqual(adapter.store.running, {})
        adapter.store.db.execute("drop trigger full")
        gate.opened.set()
        operation = start(adapter, "key")
        self.assertTrue(operation.done.wait(LIMIT_SECONDS))
        self.assertEqual(operation.status, "COMPLETED")

    def test_a_termination_while_work_ends_leaves_its_outcome(self):
        adapter = adapter_of(lambda call, context: Outcome("made"))
        ending, asked, end = threading.Event(), threading.Event(), adapter.store.end

        def end_late(operation):
            ending.set()
            asked.wait(LIMIT_SECONDS)
            end(operation)

        with mock.patch.object(adapter.store, "end", end_late):
            operation = start(adapter)
            self.assertTrue(ending.wait(LIMIT_SECONDS))
            adapter.store.give_token(operation)
            adapter.answer_terminate(operation)
            asked.set()
            self.assertTrue(operation.done.wait(LIMIT_SECONDS))
        self.assertEqual(adapter.store.find(operation.token).status_body()["status"], "COMPLETED")
        answer = adapter.answer_terminate(adapter.store.find(operation.token))
        self.assertEqual((answer.status, answer.body["status"]), (200, "COMPLETED"))

    def test_work_that_is_told_to_stop_has_time_to_end(self):
        cleaned, answers = [], []
        begun = threading.Event()

        def provision(call, context):
            begun.set()
            context.stopping.wait(LIMIT_SECONDS)
            time.sleep(0.3)
            cleaned.append(True)
            raise RuntimeError("stopped")

        adapter = adapter_of(provision, answer_within=LIMIT_SECONDS)
        caller = threading.Thread(target=lambda: answers.append(adapter.answer_post("provision", body, {})))
        caller.start()
        self.assertTrue(begun.wait(LIMIT_SECONDS))
        (operation,) = adapter.store.running.values()
        adapter.closing.set()
        adapter._finish(grace=0)
        self.assertEqual(cleaned, [True])
        # The caller repeats its call; the next start runs the work again, so its row says that it runs.
        self.assertTrue(operation.done.wait(5))
        caller.join()
        self.assertEqual((answers[0].status, row_of(adapter, operation)), (503, ("RUNNING",)))

    def test_the_outcomes_that_ended_last_are_kept(self):
        gate = Gate()
        adapter = adapter_of(gate)
        with mock.patch.object(plinth_adapter, "KEPT_OPERATIONS", 2):
            slow = start(adapter, "slow")
            self.assertTrue(gate.begun.wait(LIMIT_SECONDS))
            quick = [adapter.start("unprovision", body, None, None) for _ in range(1)]
            for _ in range(3):
                quick[-1].done.wait(LIMIT_SECONDS)
                quick.append(adapter.start("unprovision", body, None, None))
            self.assertTrue(quick[-1].done.wait(LIMIT_SECONDS))
            gate.opened.set()
            self.assertTrue(slow.done.wait(LIMIT_SECONDS))
        known = [adapter.store.find(each.token) is not None for each in (slow, *quick)]
        self.assertEqual(known, [True, False, False, False, True])
        self.assertEqual(start(adapter, "slow").token, slow.token)


class ServerTest(unittest.TestCase):
    def serve(self, **options):
        server = plinth_adapter._Server(
            ("127.0.0.1", 0), plinth_adapter._handler_for(adapter_of(lambda call, context: Outcome("made"), **options))
        )
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server.server_address

    def send(self, address, head, parts):
        """Sends all of it before it reads, as simple clients do. @returns the first line of the answer."""
        with socket.create_connection(address, timeout=LIMIT_SECONDS) as connection:
            connection.sendall(f"POST /v1/provision HTTP/1.1\r\nhost: a\r\n{head}\r\n\r\n".encode())
            for part in parts:
                connection.sendall(part)
            answer = b""
            while True:
                more = connection.recv(65_536)
                if not more:
                    return answer.split(b"\r\n", 1)[0].decode()
                answer += more

    def test_who_still_sends_reads_the_answer_of_a_body_that_is_too_large(self):
        address = self.serve()
        part = b"x" * 1_048_576
        chunk = b"100000\r\n" + part + b"\r\n"
        for _ in range(5):
            known = self.send(address, f"content-length: {11 * len(part)}", [part] * 11)
            chunked = self.send(address, "transfer-encoding: chunked", [*[chunk] * 12, b"0\r\n\r\n"])
            self.assertEqual({known, chunked}, {"HTTP/1.1 413 Request Entity Too Large"})

    def test_who_still_sends_reads_that_its_token_is_wrong(self):
        address = self.serve(secret="another")
        part = b"x" * 1_048_576
        for _ in range(5):
            answer = self.send(address, f"content-length: {9 * len(part)}", [part] * 9)
            self.assertEqual(answer, "HTTP/1.1 401 Unauthorized")


if __name__ == "__main__":
    unittest.main()
