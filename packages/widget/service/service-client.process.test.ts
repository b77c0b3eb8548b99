import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { MAX_TRIES } from "./backoff.ts";
import { readRefusal } from "./refusal.ts";
import { createServiceClient, type ServiceClient, type VerifyRequest } from "./service-client.ts";

const NETWORK: WidgetFault = { name: "network" };

type Reply = {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const challengeBody = JSON.stringify({
  success: true,
  data: { challenge: "QUJD", algorithm: 2, k: 16, difficulty: 1024, interaction: "none" },
});
const errorBody = (code: string): string =>
  JSON.stringify({ success: false, data: {}, error: { code, request_id: "r" } });

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * A client of a server on a real socket that gives these replies in turn, and repeats the last one.
 */
async function clientAt(
  replies: readonly Reply[],
  use: (
    client: ServiceClient,
    seen: { requests: IncomingMessage[]; bodies: string[]; waits: number[] },
  ) => Promise<void>,
  canRead = true,
): Promise<void> {
  const seen = { requests: [] as IncomingMessage[], bodies: [] as string[], waits: [] as number[] };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const reply = replies[Math.min(seen.requests.length, replies.length - 1)];
    seen.requests.push(request);
    seen.bodies.push((await request.setEncoding("utf8").toArray()).join(""));
    response.writeHead(reply?.status ?? 500, reply?.headers).end(reply?.body);
  });
  const base = await listen(server);
  const surroundings = {
    pause: async (ms: number) => void seen.waits.push(ms),
    random: () => 0.5,
    now: () => 0,
    whyUnreachable: async () => NETWORK,
    loadTrouble: async () => (canRead ? { readRefusal } : undefined),
    host: "shop.example",
  };
  try {
    await use(createServiceClient(base, new AbortController().signal, surroundings), seen);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const submission = {
  site_key: "pk_x",
  challenge: "QUJD",
  solution: "QUJD",
  signals: {
    environment: "e30",
    behaviour: "e30",
    batch: "9~~",
    earlier: { batch: "2~~", receipt: "cmVjZWlwdA" },
  },
  action: "login",
} satisfies VerifyRequest;

test("asks for a challenge with site key and action, escaped, without headers of its own (D8, challenge)", async () => {
  await clientAt([{ status: 200, body: challengeBody }], async (client, { requests }) => {
    const outcome = await client.fetchChallenge("pk_x", "a&b=c", "9~1.2.3~");
    assert.equal(outcome.type, "challenge");
    assert.equal(
      requests[0]?.url,
      "/api/v1/pow/challenge?site_key=pk_x&batch=9%7E1.2.3%7E&action=a%26b%3Dc",
    );
    assert.equal(requests[0]?.headers["content-type"], undefined);
    assert.equal(requests[0]?.headers.cookie, undefined);
  });
});

test("reports a browser without WebAssembly, and only such a browser (proof of work, fallback)", async () => {
  const replies = [{ status: 200, body: challengeBody }];
  const { WebAssembly: platform } = globalThis;
  try {
    for (const engine of [platform, undefined]) {
      Object.defineProperty(globalThis, "WebAssembly", {
        value: engine,
        configurable: true,
        writable: true,
      });
      await clientAt(replies, async (client, { requests }) => {
        await client.fetchChallenge("pk_x", null, "");
        assert.equal(requests[0]?.url?.includes("fallback=1"), engine === undefined);
      });
    }
  } finally {
    Object.defineProperty(globalThis, "WebAssembly", {
      value: platform,
      configurable: true,
      writable: true,
    });
  }
});

test("submits a solution as JSON (D9, submission)", async () => {
  const body = JSON.stringify({
    success: true,
    data: { verified: true, token: "tok", expires_at: "x" },
  });
  await clientAt([{ status: 200, body }], async (client, { requests, bodies }) => {
    const outcome = await client.submit(submission);
    assert.ok(outcome.type === "verified");
    assert.equal(requests[0]?.method, "POST");
    assert.equal(requests[0]?.headers["content-type"], "application/json");
    assert.deepEqual(JSON.parse(bodies[0] ?? ""), submission);
  });
});

test("tries again after faults of the service, waits longer each time, and then gives up", async () => {
  await clientAt(
    [{ status: 503, body: errorBody("internal_error") }],
    async (client, { requests, waits }) => {
      const outcome = await client.fetchChallenge("pk_x", null, "");
      assert.ok(outcome.type === "failed");
      assert.equal(outcome.error.name, "internal");
      assert.equal(requests.length, MAX_TRIES);
      assert.deepEqual(waits, [800, 1600, 3200]);
    },
  );
});

test("does not show a temporary fault", async () => {
  const replies = [
    { status: 500, body: "<html>proxy" },
    { status: 200, body: challengeBody },
  ];
  await clientAt(replies, async (client) => {
    assert.equal((await client.fetchChallenge("pk_x", null, "")).type, "challenge");
  });
});

test("obeys a short Retry-After and shows a long one (D10, limits)", async () => {
  const limited = (seconds: string): Reply => ({
    status: 429,
    body: errorBody("rate_limited"),
    headers: { "Retry-After": seconds },
  });
  await clientAt(
    [limited("5"), { status: 200, body: challengeBody }],
    async (client, { waits }) => {
      assert.equal((await client.fetchChallenge("pk_x", null, "")).type, "challenge");
      assert.deepEqual(waits, [5000]);
    },
  );
  await clientAt([limited("50")], async (client, { requests }) => {
    const outcome = await client.fetchChallenge("pk_x", null, "");
    assert.ok(outcome.type === "failed");
    assert.deepEqual(
      [outcome.error.name, outcome.error.detail, requests.length],
      ["rate_limited", "50", 1],
    );
  });
});

test("shows errors at once that a retry cannot fix (D8, challenge)", async () => {
  for (const [status, code, name] of [
    [404, "invalid_site_key", "sitekey_unknown"],
    [403, "domain_mismatch", "hostname_not_allowed"],
    [403, "site_disabled", "site_disabled"],
  ] as const) {
    await clientAt([{ status, body: errorBody(code) }], async (client, { requests }) => {
      const outcome = await client.fetchChallenge("pk_x", null, "");
      assert.ok(outcome.type === "failed");
      assert.deepEqual(
        [outcome.error.name, outcome.error.requestId, requests.length],
        [name, "r", 1],
      );
    });
  }
});

test("turns an answer that is not the service's into an error, not a crash", async () => {
  for (const body of ["", "<html>", "null", "[]", '{"data":[]}', `"${"x".repeat(70_000)}"`]) {
    await clientAt([{ status: 200, body }], async (client) => {
      const outcome = await client.fetchChallenge("pk_x", null, "");
      assert.ok(outcome.type === "failed");
      assert.equal(outcome.error.name, "internal");
    });
  }
});

test("names the obstacle between page and service, and tries again only after network errors", async () => {
  const server = createServer();
  const base = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  const refused: WidgetFault = { name: "csp_blocked", detail: "connect-src" };
  for (const [error, tries] of [
    [NETWORK, MAX_TRIES],
    [refused, 1],
  ] as const) {
    let asked = 0;
    const surroundings = {
      pause: async () => {},
      random: () => 0,
      now: () => 0,
      whyUnreachable: async () => {
        asked += 1;
        return error;
      },
      loadTrouble: async () => ({ readRefusal }),
      host: "h",
    };
    const outcome = await createServiceClient(
      base,
      new AbortController().signal,
      surroundings,
    ).submit(submission);
    assert.deepEqual([outcome, asked], [{ type: "failed", error }, tries]);
  }
});

for (const [when, abortedFrom, sent] of [
  ["while it asks", 1, 1],
  ["before it asks, as while it observes its visitor,", 0, 0],
] as const) {
  test(`sends nothing more after a run is aborted ${when}`, async () => {
    const ended = new AbortController();
    let requests = 0;
    const server = createServer((_request, response) => {
      requests += 1;
      if (requests >= abortedFrom) ended.abort();
      response.writeHead(503).end();
    });
    const base = await listen(server);
    const surroundings = {
      pause: async () => {},
      random: () => 0,
      now: () => 0,
      whyUnreachable: async () => NETWORK,
      loadTrouble: async () => ({ readRefusal }),
      host: "h",
    };
    const client = createServiceClient(base, ended.signal, surroundings);
    if (abortedFrom === 0) ended.abort();
    const outcome = await client.submit(submission);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.equal(outcome.type, "failed");
    assert.equal(requests, sent);
  });
}

test("counts an unreadable refusal as the service's fault, and tries again if that may help", async () => {
  for (const [status, tries] of [
    [403, 1],
    [429, MAX_TRIES],
    [503, MAX_TRIES],
  ] as const) {
    const use = async (
      client: ServiceClient,
      { requests }: { readonly requests: readonly unknown[] },
    ) => {
      const outcome = await client.submit(submission);
      assert.equal(outcome.type === "failed" && outcome.error.name, "internal");
      assert.equal(requests.length, tries, String(status));
    };
    await clientAt([{ status, body: errorBody("rate_limited") }], use, false);
  }
});
