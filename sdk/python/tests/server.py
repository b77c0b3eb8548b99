"""For e2e/scenarios/sdk/sdks-of-other-languages.e2e.ts: POST /verify runs one call of `verify`, and POST /form
one of `verify_request` with the settings of the environment."""

import dataclasses
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import parse_qsl
from wsgiref.simple_server import WSGIRequestHandler, make_server

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent.parent))
from stile import Stile  # noqa: E402


def in_snake_case(options):
    return {re.sub("[A-Z]", lambda m: "_" + m[0].lower(), name): value for name, value in options.items()}


def parse_form(content_type, body):
    """What `request.form` or `request.get_json(silent=True)` of Flask returns."""
    if not content_type.startswith("application/json"):
        return dict(parse_qsl(body))
    try:
        return json.loads(body)
    except ValueError:
        return None


def answer(environ):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0)).decode()
    if environ["PATH_INFO"] == "/form":
        fields = parse_form(environ["CONTENT_TYPE"], body)
        stile = Stile(secret_key=os.environ["STILE_SECRET"], base_url=os.environ["SERVICE_URL"])
        result = stile.verify_request(fields, environ)
        return {**dataclasses.asdict(result), "email": fields.get("email") if isinstance(fields, dict) else None}
    case = json.loads(body or "{}")
    try:
        stile = Stile(**in_snake_case(case.get("options", {})))
    except ValueError as error:
        return {"error": str(error)}
    result = stile.verify(case.get("token"), **in_snake_case(case.get("visitor", {})))
    assert bool(result) == result.ok
    return dataclasses.asdict(result)


def application(environ, start_response):
    said = answer(environ)
    if "was_able_to_verify" in said:
        said["wasAbleToVerify"] = said.pop("was_able_to_verify")
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(said).encode()]


class Quiet(WSGIRequestHandler):
    def log_message(self, *_):
        pass


make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=Quiet).serve_forever()
