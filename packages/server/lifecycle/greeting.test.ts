import assert from "node:assert/strict";
import { test } from "node:test";
import { writeGreeting } from "./greeting.ts";

const start = {
  url: "http://127.0.0.1:8787",
  operatorUrl: "http://localhost:8787",
  metricsUrl: undefined,
  setupToken: undefined,
  demoKeys: { siteKey: "pk_one", secretKey: "sk_two" },
  isDemoOn: true,
  isTerminal: true,
};

test("prints a link for an owner and the keys of the first site at each start without an owner", () => {
  assert.equal(
    writeGreeting({ ...start, setupToken: "abc" }),
    [
      "Stile listens on http://127.0.0.1:8787",
      "  Dashboard   http://localhost:8787/dashboard/link#abc  (works once, for 15 minutes)",
      "  Demo page   http://localhost:8787/demo",
      "  Keys of the first site, for localhost:",
      "  Site key    pk_one",
      "  Secret key  sk_two",
    ].join("\n"),
  );
});

test("prints the command instead of the secret and the link if a log may keep the output", () => {
  assert.equal(
    writeGreeting({ ...start, setupToken: "abc", isTerminal: false }),
    [
      "Stile listens on http://127.0.0.1:8787",
      "  Dashboard   http://localhost:8787/dashboard",
      "  Demo page   http://localhost:8787/demo",
      "  There is no owner yet. To get a link for the owner and the keys of the first site, run: npm run stile -- init",
    ].join("\n"),
  );
});

test("prints no secret once there is an owner, and leaves out everything that is off", () => {
  assert.equal(
    writeGreeting({ ...start, isDemoOn: false, metricsUrl: "http://127.0.0.1:9464/metrics" }),
    [
      "Stile listens on http://127.0.0.1:8787",
      "  Dashboard   http://localhost:8787/dashboard",
      "  Metrics     http://127.0.0.1:9464/metrics",
    ].join("\n"),
  );
});

test("says nothing about a site without the keys of a demo", () => {
  const said = writeGreeting({ ...start, setupToken: "abc", demoKeys: undefined });
  assert.doesNotMatch(said, /site|demo|key/i);
});
