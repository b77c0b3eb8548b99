import {
  NO_VERDICT,
  SECOND_STEP,
  type ServerTerms,
  SNIPPET_ACTION,
  type Snippet,
} from "./snippet.ts";

/** The sample for Python, with a route for Flask. */
export function pythonSnippet(terms: ServerTerms): Snippet {
  const secondStep = `
# ${SECOND_STEP}
def second_step():
    abort(403)

`;
  const branch = `
    if recommendation == "challenge":
        return second_step()`;
  const code = `import json, os, urllib.error, urllib.request

HOSTS = ${terms.hosts}  # where your pages are


def check_token(token, remoteip, user_agent):
    """Returns a recommendation (allow, challenge or block) and its reason. A refused token is always "block".
    Raises OSError if Stile gives no verdict: a 5xx, or no answer in 10 s. You decide what happens then."""
    call = urllib.request.Request(
        "${terms.baseUrl}/api/v1/token/verify",
        json.dumps({"token": token, "remoteip": remoteip, "user_agent": user_agent}).encode(),
        {"Authorization": "Bearer " + os.environ["STILE_SECRET"], "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(call, timeout=10) as answer:
            data = json.load(answer)["data"]
    except urllib.error.HTTPError as refusal:
        if refusal.code >= 500:
            raise
        return "block", f"Stile answered {refusal.code}"
    if data["verified"] is not True:
        return "block", data["reasonCode"]
    if not any(("." + data["hostname"]).endswith("." + host) for host in HOSTS):
        return "block", f"solved on {data['hostname']}, not on {' or '.join(HOSTS)}"
    return data["recommendation"], f"score {data['score']}"


# Flask; Django: request.POST.get("stile-response"), request.META["REMOTE_ADDR"], request.headers.get("User-Agent")
from flask import Flask, abort, request
from werkzeug.middleware.proxy_fix import ProxyFix

PROXIES = 0  # how many of your own proxies are in front, so that remote_addr is the visitor and not a proxy
app = Flask(__name__)
app.wsgi_app = ProxyFix(app.wsgi_app, x_for=PROXIES)

${terms.isAsked ? "" : secondStep}
@app.post("${SNIPPET_ACTION}")
def sign_up():
    token, agent = request.form.get("stile-response"), request.headers.get("User-Agent")
    try:
        recommendation, reason = check_token(token, request.remote_addr, agent)
    except OSError as error:
        # ${NO_VERDICT} "allow" would accept every form.
        recommendation, reason = "block", error${terms.isAsked ? "" : branch}
    if recommendation != "allow":
        app.logger.warning("Refused: %s", reason)
        abort(403)
    return "Welcome"  # the form may be trusted here`;
  return { id: "python", label: "Python", language: "python", code };
}
