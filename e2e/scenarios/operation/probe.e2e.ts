// `stile probe` against servers that check tokens wrongly, and against servers that do it right.
import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import { runProbe } from "@stile/server/cli/probe/run-probe";
import { openDataDirectory } from "@stile/server/data-directory/data-directory";
import { addSite } from "@stile/testkit/service/operator-site";
import { runStile } from "@stile/testkit/service/run-command";
import { codeBlocks, readText } from "@stile/testkit/service/samples";
import { startService } from "@stile/testkit/service/service";
import { openServiceCryptography } from "@stile/testkit/service/service-cryptography";
import { openServiceStore } from "@stile/testkit/service/service-store";
import { createStile } from "../../../sdk/node/src/index.ts";

const service = await startService({ STILE_LOG_LEVEL: "silent" });
const { dataDirectory, siteKey, secretKey, baseUrl } = service;
const other = await addSite(dataDirectory, { name: "Other" });
const store = await openServiceStore(dataDirectory);
const probing = {
  store,
  cryptography: await openServiceCryptography(dataDirectory),
  masterKey: openDataDirectory(dataDirectory).masterKey(),
};
after(async () => {
  await store.close();
  await service.dispose();
});

const PAGE = `<!doctype html><form action="/search"><input name="q"></form>
<form method="post" action="/send">
  <input name="email" type="email" required><input type="hidden" name="csrf" value="a&amp;b">
  <select name="plan"><option value="">Choose</option><option value="free">Free</option></select>
  <stile-captcha sitekey="${siteKey}"></stile-captcha><button name="go">Send</button>
</form>`;

type Page = { readonly url: URL; readonly asked: string[] };
type Handle = (
  form: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
) => unknown;

type Serving = {
  readonly get?: RequestListener;
  /** A name or an address of this machine. */
  readonly host?: string;
};

/** Serves the page, and answers its form, during `use`. The text that `handle` returns is sent. */
async function withPage<Result>(
  handle: Handle,
  use: (page: Page) => Promise<Result>,
  { get = (_request, response) => response.end(PAGE), host = "localhost" }: Serving = {},
): Promise<Result> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.method === "GET") return get(request, response);
    const answer = await handle(new URLSearchParams(await text(request)), request, response);
    if (!response.writableEnded) response.end(answer);
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    return await use({ url: new URL(`http://${host}:${port}/`), asked });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const AS_FOUND = { fields: new Map<string, string>(), isJson: false };
const accepts = (handle: Handle): Promise<readonly string[]> =>
  withPage(handle, async ({ url }) => (await runProbe(probing, url, AS_FOUND)).accepted);

type Verdict = { verified: boolean; reasonCode?: string };

async function redeem(token: string | null, secret = secretKey) {
  const response = await fetch(`${baseUrl}/api/v1/token/verify`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const { success, data } = (await response.json()) as { success: boolean; data: Verdict };
  return { status: response.status, success, ...data };
}

const tokenOf = (form: URLSearchParams): string | null => form.get("stile-response");
/** A server that lets a form in if this says so. It never answers the same text twice. */
const letIn =
  (isRight: (token: string | null) => unknown): Handle =>
  async (form, _request, response) => {
    if (await isRight(tokenOf(form))) return `Welcome, ${form.get("email")}! Visit ${Date.now()}`;
    response.statusCode = 403;
    return "Refused";
  };

const verdicts = new Map<string | null, boolean>();
const ALL = ["none", "forged", "replayed", "foreign", "expired"];
const WRONG_SECRET = `${secretKey.slice(0, -1)}${secretKey.endsWith("0") ? "1" : "0"}`;

/** Servers that are wrong, and the wrong tokens that they accept. */
const BROKEN: Readonly<Record<string, readonly [Handle, readonly string[]]>> = {
  "never checks": [letIn(() => true), ALL],
  "checks in the browser only": [letIn(() => "the page has a script for it"), ALL],
  "checks only that there is a token": [letIn((token) => token), ALL.slice(1)],
  "checks only the form of the token": [
    letIn((token) => /^[\w-]{100,}$/.test(token ?? "")),
    ALL.slice(1),
  ],
  "ignores the verdict, and reads only success": [
    letIn(async (token) => (await redeem(token)).success),
    ALL,
  ],
  "ignores the answer": [letIn((token) => redeem(token).then(() => true)), ALL],
  "accepts where the service answers 4xx": [
    letIn(async (token) => {
      const { status, verified } = await redeem(token, WRONG_SECRET);
      return status >= 400 || verified;
    }),
    ALL,
  ],
  "accepts on an exception": [
    letIn(async (token) => {
      try {
        const { verified, reasonCode } = await redeem(token);
        if (!verified) throw new Error(reasonCode);
      } catch {}
      return true;
    }),
    ALL,
  ],
  "does not await the check": [
    letIn((token) => {
      const check = redeem(token).then(({ verified }) => verified);
      return check !== undefined;
    }),
    ALL,
  ],
  "takes an object as true": [
    letIn(async (token) => ({ verified: (await redeem(token)).verified })),
    ALL,
  ],
  "remembers verdicts by token": [
    letIn(async (token) => {
      if (!verdicts.has(token)) verdicts.set(token, (await redeem(token)).verified);
      return verdicts.get(token);
    }),
    ["replayed"],
  ],
  "tries the secret keys of all its sites": [
    letIn(
      async (token) =>
        (await redeem(token)).verified || (await redeem(token, other.secretKey)).verified,
    ),
    ["foreign"],
  ],
  "is lenient with slow visitors": [
    letIn(async (token) => {
      const { verified, reasonCode } = await redeem(token);
      return verified || reasonCode === "token_expired";
    }),
    ["expired"],
  ],
};

suite("reports (D16, probe)", () => {
  for (const [fault, [handle, accepted]] of Object.entries(BROKEN)) {
    test(`a server that ${fault}`, async () => {
      assert.deepEqual(await accepts(handle), accepted);
    });
  }
});

suite("does not report (D16, probe)", () => {
  test("the server of the README", async () => {
    const code = codeBlocks(readText("README.md")).find(({ code }) => code.includes("checkToken"));
    const check = /async function checkToken[\s\S]*?\n}\n/.exec(code?.code ?? "")?.[0] ?? "";
    const checkToken = new Function(
      "HOSTS",
      "process",
      `${check.replace("http://localhost:8787", baseUrl)}; return checkToken;`,
    )(["localhost"], { env: { STILE_SECRET: secretKey } });
    const handle: Handle = async (form, { socket, headers }) => {
      const checked = checkToken(tokenOf(form), socket.remoteAddress, headers["user-agent"]);
      const { recommendation, reason } = await checked;
      return recommendation === "allow" ? "Welcome." : `Refused: ${reason}`;
    };
    assert.deepEqual(await accepts(handle), []);
  });

  test("a server with the SDK that redirects after success", async () => {
    const stile = createStile({ secretKey, baseUrl, hostnames: ["localhost"] });
    const handle: Handle = async (form, request, response) => {
      const { ok } = await stile.verify(tokenOf(form) ?? "", {
        userAgent: request.headers["user-agent"],
      });
      response.writeHead(303, { location: ok ? `/welcome?id=${Date.now()}` : "/?failed" });
      response.end();
    };
    assert.deepEqual(await accepts(handle), []);
  });

  test("a server that refuses the form's password after the token", async () => {
    const handle: Handle = async (form, _request, response) => {
      response.statusCode = (await redeem(tokenOf(form))).verified ? 401 : 403;
      return "Refused";
    };
    assert.deepEqual(await accepts(handle), []);
  });
});

suite("the probe", () => {
  test("makes at most ten requests, and fills in the form as its page says", async () => {
    const sent: URLSearchParams[] = [];
    const right = letIn(async (token) => (await redeem(token)).verified);
    const handle: Handle = (form, ...rest) => {
      sent.push(form);
      return right(form, ...rest);
    };
    const asked = await withPage(handle, async (page) => {
      await runProbe(probing, page.url, AS_FOUND);
      return page.asked;
    });
    assert.deepEqual(asked, ["GET /", ...Array.from({ length: 7 }, () => "POST /send")]);
    for (const form of sent) {
      assert.deepEqual([form.get("csrf"), form.get("plan"), form.get("go")], ["a&b", "free", null]);
      assert.match(form.get("email") ?? "", /^probe-\w+@example\.com$/);
    }
    const tokens = sent.map(tokenOf);
    assert.deepEqual(
      [tokens.filter((token) => token === null).length, new Set(tokens).size],
      [1, 6],
    );
  });

  test("says that it cannot tell if a valid token is refused or answers differ by chance", async () => {
    const visits = "abcdefghijklmnop".split("");
    for (const [handle, reason] of [
      [letIn(() => false), /as to a wrong one/],
      [letIn((token) => redeem(token, WRONG_SECRET).then(({ verified }) => verified)), /as to a/],
      [() => `You are visitor ${visits.pop()}`, /different answers/],
    ] as const) {
      await assert.rejects(accepts(handle), reason);
    }
  });

  test("asks no other server: neither by a redirect nor by the form", async () => {
    const page = PAGE.replace('"/send"', '"http://127.0.0.1:9/send"');
    const gets: readonly (readonly [RequestListener, RegExp])[] = [
      [(_request, response) => response.end(page), /goes to http:\/\/127\.0\.0\.1:9/],
      [
        (_request, response) => response.writeHead(302, { location: "http://a.example/" }).end(),
        /redirects to http:\/\/a\.example\//,
      ],
      [(_request, response) => response.end(`<!-- ${PAGE} -->`), /has no form/],
    ];
    for (const [get, reason] of gets) {
      const asked = await withPage(
        letIn(() => true),
        async (page) => {
          await assert.rejects(runProbe(probing, page.url, AS_FOUND), reason);
          return page.asked;
        },
        { get },
      );
      assert.deepEqual(asked, ["GET /"]);
    }
  });

  test("sends no form to another host without a proof that it is the operator's", async () => {
    let proof = "";
    const served: Readonly<Record<string, RequestListener>> = {
      nothing: (_request, response) => response.end(PAGE),
      "another value": (_request, response) => response.setHeader("stile-probe", "00").end(PAGE),
      header: (_request, response) => response.setHeader("stile-probe", proof).end(PAGE),
      file: ({ url }, response) => response.end(url === "/" ? PAGE : `${proof}\n`),
    };
    const counts: number[] = [];
    // The server keeps its port, since the proof depends on it. Only 127.0.0.1 counts as loopback.
    let get = served.nothing as RequestListener;
    await withPage(
      letIn(() => true),
      async ({ url, asked }) => {
        for (const listener of Object.values(served)) {
          get = listener;
          asked.length = 0;
          const error = await runProbe(probing, url, AS_FOUND).then(
            () => undefined,
            ({ message }: Error) => message,
          );
          proof ||= /serve the text ([0-9a-f]{32}) at/.exec(error ?? "")?.[1] ?? "";
          assert.equal(error === undefined, asked.includes("POST /send"));
          counts.push(asked.length);
        }
      },
      { get: (request, response) => get(request, response), host: "127.0.0.2" },
    );
    assert.deepEqual(counts, [2, 2, 8, 9]);
  });

  test("sends JSON to an address without a form, with the named fields", async () => {
    const bodies: Record<string, string>[] = [];
    const options = { siteKey, fields: new Map([["name", "Ada"]]), isJson: true };
    const report = await withPage(
      async (form) => {
        const body = JSON.parse([...form.keys()].join("")) as Record<string, string>;
        bodies.push(body);
        return JSON.stringify({ ok: (await redeem(body["stile-response"] ?? null)).verified });
      },
      ({ url }) => runProbe(probing, url, options),
      { get: (_request, response) => response.writeHead(405).end() },
    );
    assert.deepEqual(report.accepted, []);
    assert.ok(bodies.length === 7 && bodies.every(({ name }) => name === "Ada"));
  });

  test("prints a table with what to fix, and exits 0, 1 or 2", async () => {
    const environment = { STILE_DATA_DIR: dataDirectory };
    const probe = (handle: Handle, ...more: string[]) =>
      withPage(handle, ({ url }) => runStile(["probe", url.href, ...more], environment));
    const right = await probe(letIn(async (token) => (await redeem(token)).verified));
    assert.deepEqual([right.code, right.stderr], [0, ""]);
    assert.match(right.stdout, /^none +refused +403 Refused$/m);
    const broken = await probe(letIn((token) => token));
    assert.equal(broken.code, 1);
    assert.match(broken.stdout, /^forged +ACCEPTED +200 Welcome.*\n[\s\S]*^forged: Redeem/m);
    const unclear = await probe(letIn(() => false));
    assert.deepEqual([unclear.code, unclear.stdout], [2, ""]);
    const misused = await runStile(["probe", "shop.example"], environment);
    assert.equal(misused.code, 2);
    assert.match(misused.stderr, /^stile: name the page with your form/);
  });
});
