"""A server on loopback that speaks the chat-completions protocol and answers by script."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. ``status`` other than 200 is an error; ``wait`` seconds pass before it.

    ``cut``: only so many bytes of the body are sent before the connection is closed. ``body``
    replaces the whole body, which may then be no JSON.
    """

    text: str = ""
    status: int = 200
    wait: float = 0.0
    cut: int | None = None
    body: bytes | None = None
    retry_after: str | None = None
    finish: str = "stop"
    usage: dict[str, Any] | None = field(
        default_factory=lambda: {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    )


class _Server(ThreadingHTTPServer):
    #: Connections that wait to be taken up; those beyond are refused, and 16 come at once.
    request_queue_size = 128


#: Gives the answer to a request: its JSON, and how many requests there were before it.
Script = Callable[[dict[str, Any], int], "Answer | str"]


class ChatServer:
    """``with ChatServer(script) as server``; a list of answers is given in order, the last again.

    ``requests`` are the bodies as they came, ``headers`` their headers, ``most_at_once`` the
    largest number of requests that waited for an answer at one time.
    """

    def __init__(self, script: Script | Sequence[Answer | str]) -> None:
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    @property
    def url(self) -> str:
        """The base URL, as the OpenAI client takes it."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> ChatServer:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, request: dict[str, Any], headers: dict[str, str], path: str) -> Answer:
        """Record the request and look up what it is answered."""
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            self.headers.append(headers)
            self.paths.append(path)
        if callable(self.script):
            given = self.script(request, number)
        else:
            given = self.script[min(number, len(self.script) - 1)]
        return Answer(given) if isinstance(given, str) else given

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Small answers would wait 40 ms for the client's acknowledgement.
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length", 0))
                request = json.loads(self.rfile.read(size))
                with server._lock:
                    server._now += 1
                    server.most_at_once = max(server.most_at_once, server._now)
                try:
                    headers = {k.lower(): v for k, v in self.headers.items()}
                    answer = server.answer(request, headers, self.path)
                    time.sleep(answer.wait)
                finally:
                    with server._lock:
                        server._now -= 1
                try:
                    self._send(answer, _body(answer, request))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True  # the client gave up waiting

            def _send(self, answer: Answer, body: bytes) -> None:
                self.send_response(answer.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                if answer.retry_after is not None:
                    self.send_header("Retry-After", answer.retry_after)
                self.end_headers()
                self.wfile.write(body if answer.cut is None else body[: answer.cut])
                self.wfile.flush()
                if answer.cut is not None:
                    self.close_connection = True

            def log_message(self, *args: object) -> None:
                pass

        return Handler


def _body(answer: Answer, request: dict[str, Any]) -> bytes:
    if answer.body is not None:
        return answer.body
    if answer.status != 200:
        error = {"message": answer.text or f"status {answer.status}", "type": "error", "code": None}
        return json.dumps({"error": error}).encode()
    completion = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": request.get("model", "m"),
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": answer.text},
                "finish_reason": answer.finish,
            }
        ],
        "usage": answer.usage,
    }
    return json.dumps(completion).encode()
