import assert from "node:assert/strict";
import { test } from "node:test";
import { isOfService } from "./page-policy.ts";

test("what a policy refuses concerns the widget if it lies below the service's address, or is its origin", () => {
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

test("before a page has said where the service is, nothing concerns the widget", () => {
  for (const refused of ["", "inline", "https://captcha.example"])
    assert.equal(isOfService(refused, ""), false);
});
