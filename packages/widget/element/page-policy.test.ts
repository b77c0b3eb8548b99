import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfService } from "./page-policy.ts";

test("assigns a policy's refusal to the widget if the address is below the service's, or is its origin", () => {
  const base = "https://captcha.example/stile";
  for (const ours of [`${base}/run.js`, `${base}/api/v1/verify`, base, "https://captcha.example"]) {
    assert.equal(isOfService(ours, base), true, ours);
  }
  const others = [
    "inline",
    "eval",
    "",
    "data",
    `${base}d/run.js`,
    "https://captcha.example.org",
    "https://captcha.exam",
  ];
  for (const other of [...others, "https://captcha.example/shop.js"])
    assert.equal(isOfService(other, base), false, other);
});

test("assigns no refusal to the widget before the page has configured the service's address", () => {
  for (const refused of ["", "inline", "https://captcha.example"])
    assert.equal(isOfService(refused, ""), false);
});
