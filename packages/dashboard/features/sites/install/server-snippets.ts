import type { SiteData } from "@stile/protocol/dashboard-api";
import { isTestingHost } from "../testing-host.ts";
import { SNIPPET_ACTION, type Snippet } from "./snippet.ts";

/** What fills in the server's code. The secret key is not part of it: servers read it from their environment. */
export type ServerFacts = Pick<SiteData, "domains" | "mode" | "thresholds"> & { readonly baseUrl: string };

/** What the server's code uses: hosts as a JSON list, and the score from which it refuses, if it does. */
type Terms = { readonly baseUrl: string; readonly hosts: string; readonly limit: number | undefined };

function nodeVerify({ baseUrl, hosts, limit }: Terms): string {
  const scored =
    limit === undefined
      ? ""
      : `
  // In this mode every visitor gets a token; its score says what it is worth.
  if (data.score >= ${limit}) return { isPerson: false, reason: \`score \${data.score}\` };`;
  return `const HOSTS = ${hosts};

// isPerson is true only for a good token, spent by this call, from one of your pages; else reason says why not.
// Throws if the service could not decide; people then see an error and try again.
async function checkToken(token, userAgent) {
  const response = await fetch("${baseUrl}/api/v1/token/verify", {
    method: "POST",
    headers: {
      Authorization: \`Bearer \${process.env.STILE_SECRET}\`,
      "Content-Type": "application/json",
    },
    body: JSON.stringify({ token, user_agent: userAgent }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(\`Stile answered \${response.status}\`);
  const { data } = await response.json();
  if (data.verified !== true) return { isPerson: false, reason: data.reasonCode };${scored}
  const isPerson = HOSTS.some((host) => \`.\${data.hostname}\`.endsWith(\`.\${host}\`));
  return { isPerson, reason: isPerson ? "" : \`solved on \${data.hostname}, not on \${HOSTS.join(" or ")}\` };
}`;
}

const NODE_ROUTES = {
  express: {
    label: "Express",
    imports: `import express from "express"; // 5
const app = express();

`,
    route: `app.post("${SNIPPET_ACTION}", express.urlencoded({ extended: false }), async (req, res) => {
  const { isPerson, reason } = await checkToken(req.body?.["stile-response"], req.get("user-agent"));
  if (!isPerson) {
    console.warn(\`Refused: \${reason}\`);
    return res.status(403).send("Please try again.");
  }
  res.send("Welcome"); // the form may be trusted here
});`,
  },
  fastify: {
    label: "Fastify",
    imports: `import formbody from "@fastify/formbody";
import Fastify from "fastify";
const app = Fastify({ logger: true });
app.register(formbody);

`,
    route: `app.post("${SNIPPET_ACTION}", async (request, reply) => {
  const { isPerson, reason } = await checkToken(request.body?.["stile-response"], request.headers["user-agent"]);
  if (!isPerson) {
    console.warn(\`Refused: \${reason}\`);
    return reply.code(403).send("Please try again.");
  }
  return "Welcome"; // the form may be trusted here
});`,
  },
  next: {
    label: "Next",
    imports: "",
    route: `// app${SNIPPET_ACTION}/route.js
export async function POST(request) {
  const form = await request.formData();
  const { isPerson, reason } = await checkToken(form.get("stile-response"), request.headers.get("user-agent"));
  if (!isPerson) {
    console.warn(\`Refused: \${reason}\`);
    return new Response("Please try again.", { status: 403 });
  }
  return new Response("Welcome"); // the form may be trusted here
}`,
  },
} as const;

function php({ baseUrl, hosts, limit }: Terms): string {
  const scored =
    limit === undefined
      ? ""
      : `
    // In this mode every visitor gets a token; its score says what it is worth.
    if ($data['score'] >= ${limit}) return [false, 'score ' . $data['score']];`;
  return `<?php
// PHP 8 with the extension curl (Debian: php-curl)
const HOSTS = ${hosts};

// The first value is true only for a good token, spent by this call, from one of your pages; else the second says why not.
function check_token(mixed $token, string $userAgent): array {
    $call = curl_init('${baseUrl}/api/v1/token/verify');
    curl_setopt_array($call, [
        CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . getenv('STILE_SECRET'), 'Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode(['token' => $token, 'user_agent' => $userAgent], JSON_INVALID_UTF8_SUBSTITUTE),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    $body = curl_exec($call);
    if ($body === false) throw new RuntimeException('Stile did not answer: ' . curl_error($call));
    $status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
    if ($status !== 200) throw new RuntimeException("Stile answered $status");
    $data = json_decode($body, true)['data'];
    if ($data['verified'] !== true) return [false, $data['reasonCode']];${scored}
    foreach (HOSTS as $host) if (str_ends_with('.' . $data['hostname'], '.' . $host)) return [true, ''];
    return [false, 'solved on ' . $data['hostname'] . ', not on ' . implode(' or ', HOSTS)];
}

[$isPerson, $reason] = check_token($_POST['stile-response'] ?? null, $_SERVER['HTTP_USER_AGENT'] ?? '');
if (!$isPerson) {
    error_log("Refused: $reason");
    http_response_code(403);
    exit('Please try again.');
}
// the form may be trusted here`;
}

function python({ baseUrl, hosts, limit }: Terms): string {
  const scored =
    limit === undefined
      ? ""
      : `
    # In this mode every visitor gets a token; its score says what it is worth.
    if data["score"] >= ${limit}:
        return False, f"score {data['score']}"`;
  return `import json, os, urllib.request

HOSTS = ${hosts}


def check_token(token, user_agent):
    """True only for a good token, spent by this call, from one of your pages; with False, why. Raises if the service could not decide."""
    call = urllib.request.Request(
        "${baseUrl}/api/v1/token/verify",
        json.dumps({"token": token, "user_agent": user_agent}).encode(),
        {"Authorization": "Bearer " + os.environ["STILE_SECRET"], "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(call, timeout=10) as answer:
        data = json.load(answer)["data"]
    if data["verified"] is not True:
        return False, data["reasonCode"]${scored}
    if any(("." + data["hostname"]).endswith("." + host) for host in HOSTS):
        return True, ""
    return False, f"solved on {data['hostname']}, not on {' or '.join(HOSTS)}"


# Flask; Django: request.POST.get("stile-response"), request.headers.get("User-Agent")
from flask import Flask, abort, request

app = Flask(__name__)


@app.post("${SNIPPET_ACTION}")
def sign_up():
    passed, reason = check_token(request.form.get("stile-response"), request.headers.get("User-Agent"))
    if not passed:
        app.logger.warning("Refused: %s", reason)
        abort(403)
    return "Welcome"  # the form may be trusted here`;
}

function go({ baseUrl, hosts, limit }: Terms): string {
  const scored =
    limit === undefined
      ? ""
      : `
	// In this mode every visitor gets a token; its score says what it is worth.
	if verdict.Data.Score >= ${limit} {
		return false, fmt.Sprint("score ", verdict.Data.Score), nil
	}`;
  return `package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

var hosts = []string{${hosts.slice(1, -1)}}
var client = &http.Client{Timeout: 10 * time.Second}

// True only for a good token, spent by this call, from one of your pages; with false, why.
func checkToken(token, userAgent string) (bool, string, error) {
	body, err := json.Marshal(map[string]string{"token": token, "user_agent": userAgent})
	if err != nil {
		return false, "", err
	}
	call, err := http.NewRequest("POST", "${baseUrl}/api/v1/token/verify", bytes.NewReader(body))
	if err != nil {
		return false, "", err
	}
	call.Header.Set("Authorization", "Bearer "+os.Getenv("STILE_SECRET"))
	call.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(call)
	if err != nil {
		return false, "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return false, "", fmt.Errorf("stile answered %d", answer.StatusCode)
	}
	var verdict struct {
		Data struct {
			Verified   bool
			Hostname   string
			ReasonCode string${limit === undefined ? "" : "\n\t\t\tScore      float64"}
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&verdict); err != nil || !verdict.Data.Verified {
		return false, verdict.Data.ReasonCode, err
	}${scored}
	for _, host := range hosts {
		if strings.HasSuffix("."+verdict.Data.Hostname, "."+host) {
			return true, "", nil
		}
	}
	return false, "solved on " + verdict.Data.Hostname + ", not on " + strings.Join(hosts, " or "), nil
}

func signUp(w http.ResponseWriter, r *http.Request) {
	passed, reason, err := checkToken(r.FormValue("stile-response"), r.UserAgent())
	if err != nil {
		log.Print(err)
		http.Error(w, "Please try again.", http.StatusServiceUnavailable)
	} else if !passed {
		log.Print("Refused: ", reason)
		http.Error(w, "Please try again.", http.StatusForbidden)
	} else {
		fmt.Fprint(w, "Welcome") // the form may be trusted here
	}
}`;
}

/**
 * The code for the customer's server: redeems the token, checks `verified` and `hostname`, waits at most 10 s (spec
 * 4.1); and checks the score, in modes that give every visitor a token (D9).
 */
export function serverSnippets({ baseUrl, domains, mode, thresholds }: ServerFacts): readonly Snippet[] {
  // Anyone who can open localhost can solve there: a production server accepts only real hosts, if there are any.
  const real = domains.filter((domain) => !isTestingHost(domain));
  const hosts = JSON.stringify(real.length > 0 ? real : domains).replaceAll(",", ", ");
  const limit = mode === "invisible" || mode === "non_interactive" ? thresholds.block : undefined;
  const terms: Terms = { baseUrl, hosts, limit };
  const verify = nodeVerify(terms);
  const node = Object.entries(NODE_ROUTES).map(([id, { label, imports, route }]) => {
    return { id, label, language: "js", code: `${imports}${verify}\n\n${route}` };
  });
  return [
    ...node,
    { id: "php", label: "PHP", language: "php", code: php(terms) },
    { id: "python", label: "Python", language: "python", code: python(terms) },
    { id: "go", label: "Go", language: "go", code: go(terms) },
  ];
}
