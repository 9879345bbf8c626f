"""Fetching a URL whole, so that decoding never waits on a network."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from triptych.record.errors import NotFoundError, UnreadableError, printable

TIMEOUT_S = 30.0
_CHUNK = 1 << 18


class _WebOnly(urllib.request.HTTPRedirectHandler):
    """Redirects, but never from the web to another kind of address."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        if not newurl.lower().startswith(("http://", "https://")):
            fp.close()
            raise urllib.error.URLError(f"it redirects to another kind of address: {newurl}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(
    url: str, target: Path, progress: Callable[[int, int | None], None] | None = None
) -> None:
    """Write what ``url`` (http or https) holds to ``target``.

    ``progress`` is told the bytes so far and, where the server says, how many there are. Raises
    NotFoundError when the server has nothing there, UnreadableError for all other trouble, an
    answer that ends early included.
    """
    if not url.lower().startswith(("http://", "https://")):
        raise UnreadableError(url, "only http and https addresses are fetched")
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        _WebOnly(),
    ):
        opener.add_handler(handler)
    try:
        request = urllib.request.Request(url, headers={"User-Agent": "triptych"})  # noqa: S310
        with opener.open(request, timeout=TIMEOUT_S) as answer, target.open("wb") as out:
            length = answer.headers.get("Content-Length", "")
            total = int(length) if length.isdigit() else None
            done = 0
            while chunk := answer.read(_CHUNK):
                out.write(chunk)
                done += len(chunk)
                if progress is not None:
                    progress(done, total)
    except urllib.error.HTTPError as e:
        e.close()
        kind = NotFoundError if e.code in (404, 410) else UnreadableError
        raise kind(url, f"the server answers {e.code} {printable(str(e.reason))}") from e
    except urllib.error.URLError as e:
        raise UnreadableError(url, f"cannot be fetched: {printable(str(e.reason))}") from e
    except (OSError, http.client.HTTPException, ValueError) as e:
        raise UnreadableError(url, f"cannot be fetched: {printable(str(e))}") from e
    if total is not None and done < total:
        raise UnreadableError(url, f"ended after {done} of {total} bytes", "try again")
    if done == 0:
        raise UnreadableError(url, "is empty")
