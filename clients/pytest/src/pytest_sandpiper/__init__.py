"""A pytest plugin that starts a Sandpiper search service for the length of a test session."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

import pytest

START_SECONDS = 60
STOP_SECONDS = 20


class Sandpiper:
    """A running service. ``url`` is its address."""

    def __init__(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="sandpiper-")
        command = shlex.split(os.environ.get("SANDPIPER_COMMAND", "sandpiper"))
        arguments = ["serve", "--port", "0", "--data", os.path.join(self._folder, "data")]
        try:
            self._process = subprocess.Popen(
                command + arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
            )
        except FileNotFoundError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise RuntimeError(
                f"cannot run {command[0]}: install it with `npm install -g sandpiper-search`, "
                "or set SANDPIPER_COMMAND"
            ) from error
        self.url = self._read_address()
        # Whatever the service prints later must be read, or it would wait for the pipe.
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def _read_address(self) -> str:
        printed = []
        timer = threading.Timer(START_SECONDS, self._process.kill)
        timer.start()
        try:
            for line in self._process.stdout:
                printed.append(line)
                found = re.search(r"address\s+(https?://\S+)", line)
                if found:
                    return found.group(1)
        finally:
            timer.cancel()
        self.stop()
        raise RuntimeError("the service did not start:\n" + "".join(printed))

    def request(self, method: str, path: str, body: object = None) -> object:
        """Sends a request and returns the parsed answer; an error status raises ``urllib.error.HTTPError``."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def reset(self) -> None:
        """Deletes all data streams, indices and templates."""
        for path in ("/_data_stream/*?expand_wildcards=all", "/*?expand_wildcards=all", "/_index_template/*"):
            try:
                self.request("DELETE", path)
            except urllib.error.HTTPError as error:
                if error.code != 404:
                    raise

    def stop(self) -> None:
        """Stops the service and removes its data."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture(scope="session")
def sandpiper_session():
    """A service for the whole session."""
    service = Sandpiper()
    yield service
    service.stop()


@pytest.fixture
def sandpiper(sandpiper_session):
    """The service of the session, emptied before the test."""
    sandpiper_session.reset()
    return sandpiper_session
