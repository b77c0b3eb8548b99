"""The server's part of Stile: redeems the token of a form.

    stile = Stile(secret_key=os.environ["STILE_SECRET"], base_url="https://captcha.example.org")
    if not stile.verify(token, remote_ip=address, user_agent=agent).ok: ...

The first call with a token gives ok True, recommendation "allow" and reason None. The same token
again gives ok False, "block" and "token_already_used". While the service is down, the reason is
"unavailable", was_able_to_verify is False, and ok is what on_unavailable says.
"""

import http.client
import json
import re
import secrets
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

__all__ = ["Stile", "Verification"]

# The patience for one attempt; with the retry, an answer takes at most 10 s.
_ATTEMPT_SECONDS = 5
# A longer body is refused here, as the service does. It closes the connection of such a call, which
# would look like an outage that the visitor can cause.
_MAX_BODY_BYTES = 16_384
_MAX_ANSWER_BYTES = 1_048_576

_ADDRESS = r'https?://([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[!-"$->@-z|~]*)?'


@dataclass(frozen=True)
class Verification:
    """The outcome of a verification."""

    #: Whether to let the visitor in.
    ok: bool
    #: "allow", "challenge" (ask for a second step of your own) or "block".
    recommendation: str
    #: Why not, as a code for your log; new codes may be added. None if the token passed.
    reason: Optional[str]
    #: `data` of the service's answer; None if it gave none.
    verdict: Optional[Dict[str, Any]]
    #: False if the service gave no verdict.
    was_able_to_verify: bool

    def __bool__(self) -> bool:
        """So that `if stile.verify(token)` does not let everybody in."""
        return self.ok


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _need(is_right: bool, name: str, rule: str) -> None:
    if not is_right:
        raise ValueError(f"Stile: {name} must be {rule}.")


def _matches(pattern: str, value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class Stile:
    """A client of one site. Threads may share it."""

    def __init__(
        self,
        *,
        secret_key: Optional[str] = None,
        base_url: Optional[str] = None,
        on_unavailable: str = "reject",
        hostnames: Optional[Sequence[str]] = None,
        max_score: Optional[float] = None,
    ) -> None:
        """Raises a ValueError that names the first wrong option.

        secret_key: the secret key of your site, sk_...
        base_url: the address of your Stile service.
        on_unavailable: whether visitors pass while the service gives no verdict, "accept" or "reject".
        hostnames: the hosts of your pages; subdomains count. None: every host of the site.
        max_score: the highest score that passes, 0 to 1. None: the site's thresholds decide alone.
        """
        _need(_matches("sk_[A-Za-z0-9_-]+", secret_key), "secret_key", "a text that begins with sk_")
        _need(_matches(_ADDRESS, base_url), "base_url", "an address such as https://captcha.example.org")
        _need(on_unavailable in ("accept", "reject"), "on_unavailable", '"accept" or "reject"')
        is_list = isinstance(hostnames, (list, tuple)) and len(hostnames) > 0
        _need(
            hostnames is None
            or (is_list and all(_matches("[A-Za-z0-9_][A-Za-z0-9._-]*", host) for host in hostnames)),
            "hostnames",
            'a list of hosts without scheme and port, such as ["shop.example"]',
        )
        _need(
            max_score is None or (_is_number(max_score) and 0 <= max_score <= 1),
            "max_score",
            "a number from 0 to 1",
        )
        self._url = str(base_url).rstrip("/") + "/api/v1/token/verify"
        self._headers = {"Authorization": f"Bearer {secret_key}", "Content-Type": "application/json"}
        self._accepts_outage = on_unavailable == "accept"
        self._hostnames = None if hostnames is None else [host.lower() for host in hostnames]
        self._max_score = max_score
        self._opener = urllib.request.build_opener(_NoRedirect)

    def verify_request(
        self, fields: Mapping[str, Any], environ: Mapping[str, Any], action: Optional[str] = None
    ) -> Verification:
        """Redeems the token of a WSGI request: the field `stile-response`, or the header of that name.

        Flask: verify_request(request.form, request.environ), or request.get_json(silent=True) for JSON.
        Django: verify_request(request.POST, request.META). The visitor is REMOTE_ADDR; behind a proxy,
        use ProxyFix or the like.
        """
        # The JSON of a visitor may be a list, a text or null.
        token = fields.get("stile-response") if isinstance(fields, Mapping) else None
        return self.verify(
            token or environ.get("HTTP_STILE_RESPONSE"),
            remote_ip=environ.get("REMOTE_ADDR"),
            user_agent=environ.get("HTTP_USER_AGENT"),
            action=action,
        )

    def verify(
        self,
        token: object,
        *,
        remote_ip: Optional[str] = None,
        user_agent: Optional[str] = None,
        action: Optional[str] = None,
    ) -> Verification:
        """Redeems a token. Never raises for anything that a visitor can cause."""
        if not isinstance(token, str) or token.strip() == "":
            return _refuse("missing_token")
        fields = {"token": token, "remoteip": remote_ip, "user_agent": user_agent}
        body = json.dumps({**fields, "idempotency_key": secrets.token_hex(16)}).encode()
        if len(body) > _MAX_BODY_BYTES:
            return _refuse("invalid_signature")
        status, answer = self._ask(body)
        data = answer.get("data")
        verdict = data if isinstance(data, dict) else None
        if 400 <= status < 500:
            return _refuse(_reason_of(answer, status), verdict)
        if status != 200 or verdict is None:
            recommendation = "allow" if self._accepts_outage else "block"
            return Verification(self._accepts_outage, recommendation, "unavailable", None, False)
        if verdict.get("verified") is not True:
            return _refuse(_reason_of(answer, status), verdict)
        return self._compare_verdict(verdict, action)

    def _compare_verdict(self, verdict: Dict[str, Any], action: Optional[str]) -> Verification:
        """Compares a passed verdict with the options."""
        if not self._is_ours(verdict.get("hostname")):
            return _refuse("hostname_mismatch", verdict)
        if action is not None and verdict.get("action") != action:
            return _refuse("action_mismatch", verdict)
        score = verdict.get("score")
        if self._max_score is not None and not (_is_number(score) and score <= self._max_score):
            return _refuse("score_too_high", verdict)
        recommendation = verdict.get("recommendation")
        if recommendation == "allow":
            return Verification(True, "allow", None, verdict, True)
        if recommendation == "challenge":
            return Verification(False, "challenge", "recommendation_challenge", verdict, True)
        return _refuse("recommendation_block", verdict)

    def _is_ours(self, hostname: object) -> bool:
        if self._hostnames is None:
            return True
        return isinstance(hostname, str) and any(
            f".{hostname}".endswith(f".{ours}") for ours in self._hostnames
        )

    def _ask(self, body: bytes) -> Tuple[int, Dict[str, Any]]:
        """Sends the call, and once more after a connection error, a time-out or a 5xx.

        Returns the status, 0 without an answer, and the answer's JSON object, empty if it is none."""
        for _ in range(2):
            try:
                status, text = self._attempt(body)
            except (OSError, http.client.HTTPException):
                continue
            if status < 500:
                return status, _parse_object(text)
        return 0, {}

    def _attempt(self, body: bytes) -> Tuple[int, bytes]:
        deadline = time.monotonic() + _ATTEMPT_SECONDS
        call = urllib.request.Request(self._url, body, self._headers)
        try:
            answer = self._opener.open(call, timeout=_ATTEMPT_SECONDS)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            text = b""
            while len(text) < _MAX_ANSWER_BYTES:
                piece = answer.read1(65_536)
                if not piece:
                    break
                text += piece
                if time.monotonic() > deadline:
                    raise TimeoutError("Stile's answer took too long")
            if answer.length:
                raise ConnectionError("Stile's answer was cut short")
            return answer.getcode(), text


def _parse_object(text: bytes) -> Dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _reason_of(answer: Dict[str, Any], status: int) -> str:
    """The service's own reason for a refusal."""
    error = answer.get("error")
    code = answer.get("reasonCode", error.get("code") if isinstance(error, dict) else None)
    return code if isinstance(code, str) else f"http_{status}"


def _refuse(reason: str, verdict: Optional[Dict[str, Any]] = None) -> Verification:
    return Verification(False, "block", reason, verdict, True)
