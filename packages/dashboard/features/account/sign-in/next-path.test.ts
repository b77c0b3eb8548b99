import assert from "node:assert/strict";
import { test } from "node:test";
import { toNextPath } from "./next-path.ts";

const ORIGIN = "https://stile.example";
const nextOf = (next: string): string => toNextPath(`?next=${encodeURIComponent(next)}`, ORIGIN);

test("leads back to the page of the dashboard that was asked for, with its filters", () => {
  for (const path of [
    "/dashboard/sites",
    "/dashboard/sites/pk_1/scores?from=1&to=2#top",
    "/dashboard/account",
  ]) {
    assert.equal(nextOf(path), path);
  }
});

test("never leads to another site, however the address is spelled (CWE-601)", () => {
  const foreign = [
    "https://evil.example/dashboard/",
    "//evil.example/dashboard/",
    "/\\evil.example/dashboard/",
    "\\\\evil.example",
    "/dashboard",
    "/dashboard/",
    "/dashboard/..//evil.example",
    "/dashboard/../..//evil.example/",
    "/dashboard/%2e%2e//evil.example",
    "/dashboard/.%2e/\\evil.example",
    "/dashboard/\t..//evil.example",
    "/dashboard/\\..\\\\evil.example",
    "/dashboard//evil.example",
    "javascript:alert(1)//dashboard/",
    "/dashboard/\n/evil",
    " /dashboard/sites",
    "data:text/html,/dashboard/",
    "",
  ];
  for (const next of foreign) assert.equal(nextOf(next), "/dashboard/sites", JSON.stringify(next));
});

test("never leads to an endpoint, nor back to the sign-in or a used link", () => {
  for (const next of [
    "/dashboard/api/me",
    "/dashboard/sign-in",
    "/dashboard/sign-in?next=/dashboard/sign-in",
    "/dashboard/link",
  ]) {
    assert.equal(nextOf(next), "/dashboard/sites");
  }
  assert.equal(toNextPath("", ORIGIN), "/dashboard/sites");
});
