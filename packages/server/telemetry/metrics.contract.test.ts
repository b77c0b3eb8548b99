import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, test } from "node:test";
import { outcomeOf, redeem } from "@stile/testkit/contract/redeem";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite } from "@stile/testkit/contract/sites";
import { askChallenge } from "@stile/testkit/contract/visitor";
import { keepConnection } from "@stile/testkit/payloads/raw-http";
import {
  type MetricSamples,
  requestsAt,
  scrape,
  scrapeUntil,
} from "@stile/testkit/service/metrics";
import { readVersion } from "../version.ts";

const fixture = await startInProcess({ STILE_METRICS: "0" });
after(() => fixture.stop());
const { metricsUrl } = fixture;

/** All bytes that the service sends in answer to these, until it closes. */
function exchange(bytes: string, port: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    socket.on("error", () => {}).on("close", () => resolve(text));
    socket.on("data", (data) => {
      text += data;
    });
  });
}

const verifies = (samples: MetricSamples): number =>
  requestsAt(samples, "/api/v1/token/verify", 200);

test("counts answers, tokens issued and tokens redeemed exactly", async () => {
  const before = await scrape(metricsUrl);
  const site = await newSite(fixture);
  const tokens = [mintToken(fixture, site), mintToken(fixture, site)];
  const outcomes = [];
  for (const token of [...tokens, tokens[0]])
    outcomes.push(outcomeOf(await redeem(fixture, site, { token })));
  assert.deepEqual(outcomes, ["verified", "verified", "token_already_used"]);
  for (let i = 0; i < 4; i++)
    assert.equal((await askChallenge(fixture, { site_key: site.siteKey })).status, 200);
  assert.equal((await askChallenge(fixture, { site_key: "pk_unknown" })).status, 404);
  const samples = await scrapeUntil(
    metricsUrl,
    (now) => verifies(now) === 3 && requestsAt(now, "/api/v1/pow/challenge", 404) === 1,
  );
  const grown = (name: string): number =>
    (samples.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN);
  assert.equal(verifies(samples), 3);
  assert.equal(requestsAt(samples, "/api/v1/pow/challenge", 200), 4);
  assert.equal(requestsAt(samples, "/api/v1/pow/challenge", 404), 1);
  assert.equal(grown("stile_tokens_redeemed_total"), 2);
  assert.equal(grown("stile_challenges_issued_total"), 4);
  assert.equal(samples.get(`stile_build_info{version="${readVersion()}"}`), 1);
  assert.ok((samples.get("process_resident_memory_bytes") ?? 0) > 1e7);
  assert.ok((samples.get("nodejs_eventloop_lag_p99_seconds") ?? -1) >= 0);
});

test("puts no text of callers into labels: 10,000 paths add no series", async (context) => {
  const shapes = [
    (n: number) => `/${n}`,
    (n: number) => `/dashboard/${n}`,
    (n: number) => `/dashboard/api/${n}`,
  ];
  const connection = keepConnection(Number(new URL(fixture.baseUrl).port));
  context.after(connection.close);
  const askAll = async (from: number, to: number): Promise<void> => {
    for (let n = from; n < to; n++) {
      const path = shapes[n % shapes.length]?.(n);
      await connection.send(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
    }
  };
  const asked = (samples: MetricSamples): number =>
    [...samples].reduce(
      (sum, [name, count]) =>
        /_requests_total\{route="(other|\/dashb)/.test(name) ? sum + count : sum,
      0,
    );
  await askAll(0, 6);
  const first = await scrapeUntil(metricsUrl, (samples) => asked(samples) === 6);
  await askAll(6, 10_006);
  const last = await scrapeUntil(metricsUrl, (samples) => asked(samples) === 10_006);
  assert.equal(asked(last), 10_006);
  const own = (samples: MetricSamples): string[] =>
    [...samples.keys()].filter((name) => name.startsWith("stile_"));
  assert.deepEqual(own(last), own(first));
});

test("counts unreadable requests, too", async () => {
  const { port } = new URL(fixture.baseUrl);
  assert.match(await exchange("nonsense\r\n\r\n", port), /^HTTP\/1\.1 400 /);
  assert.match(
    await exchange("GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", port),
    /^HTTP\/1\.1 400 /,
  );
  const samples = await scrapeUntil(metricsUrl, (now) => requestsAt(now, "/healthz", 400) === 1);
  assert.equal(requestsAt(samples, "unreadable", 400), 1);
  assert.equal(requestsAt(samples, "/healthz", 400), 1);
});

test("serves metrics at a separate address with nothing else; the public one has none", async () => {
  const url = new URL(metricsUrl ?? "");
  assert.equal(url.hostname, "127.0.0.1");
  assert.equal((await fetch(`${fixture.baseUrl}/metrics`)).status, 404);
  const other = await startInProcess();
  after(() => other.stop());
  assert.equal(other.metricsUrl, undefined);
  const scraped = await fetch(`${url}?x=1`);
  assert.equal(scraped.status, 200);
  assert.match(scraped.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  await scraped.arrayBuffer();
  for (const path of ["/", "/healthz", "/metrics/", "/api/v1/token/verify"]) {
    const answer = await fetch(new URL(path, url));
    assert.deepEqual([path, answer.status], [path, 404]);
    await answer.arrayBuffer();
  }
  const posted = await fetch(url, { method: "POST", body: "x".repeat(100_000) });
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET"]);
  const long = await exchange(
    `GET /metrics HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(10_000)}\r\n\r\n`,
    url.port,
  );
  assert.match(long, /^HTTP\/1\.1 431 /);
});

test("answers metrics until the service has finished its requests, and ends with it", async () => {
  const ending = await startInProcess({ STILE_METRICS: "127.0.0.1:0" });
  const { port } = new URL(ending.baseUrl);
  const socket = connect(Number(port), "127.0.0.1").on("error", () => {});
  const answered = new Promise((resolve) => socket.once("data", resolve));
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\n");
  await answered;
  const stopped = ending.stop();
  const whileStopping = await scrape(ending.metricsUrl);
  assert.equal(requestsAt(whileStopping, "/healthz", 200), 1);
  socket.destroy();
  await stopped;
  await assert.rejects(fetch(ending.metricsUrl ?? ""));
});
