import assert from "node:assert/strict";
import { test } from "node:test";
import { whyUnreachable } from "./why-unreachable.ts";

/** The reported reason in a browser that claims to be online, or not. */
async function told(isOnline: boolean, refused: readonly string[] = []) {
  const before = Object.getOwnPropertyDescriptor(navigator, "onLine");
  Object.defineProperty(navigator, "onLine", { value: isOnline, configurable: true });
  try {
    return await whyUnreachable((directive) => refused.includes(directive), "connect-src");
  } finally {
    if (before === undefined) Reflect.deleteProperty(navigator, "onLine");
    else Object.defineProperty(navigator, "onLine", before);
  }
}

test("names the policy's directive that refuses it, and separates an offline browser from an unreachable service", async () => {
  assert.deepEqual(await told(true, ["connect-src"]), {
    name: "csp_blocked",
    detail: "connect-src",
  });
  assert.deepEqual(await told(true, ["frame-src"]), { name: "network", detail: undefined });
  assert.deepEqual(await told(false), { name: "network", detail: "offline" });
});

test("waits for a policy's report that is delivered late", async () => {
  const late = new Set<string>();
  setTimeout(() => late.add("script-src"));
  assert.equal(
    (await whyUnreachable((directive) => late.has(directive), "script-src")).name,
    "csp_blocked",
  );
});
