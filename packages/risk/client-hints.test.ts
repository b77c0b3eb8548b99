import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR, findVisitor } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { brandsOfHeader, hintsOfEnvironment, hintsOfHeaders } from "./client-hints.ts";

test("headers of Chromium say version, form and system, wherever the brand stands", () => {
  const brands = ['"Chromium";v="140"', '"Not=A?Brand";v="24"', '"Google Chrome";v="140"'];
  for (const order of [brands, [...brands].reverse()]) {
    const headers = {
      "sec-ch-ua": order.join(", "),
      "sec-ch-ua-mobile": "?1",
      "sec-ch-ua-platform": '"Android"',
    };
    assert.deepEqual(hintsOfHeaders(headers), {
      chromiumMajor: 140,
      isMobile: true,
      platform: "Android",
    });
  }
});

test("a fork's own version is not taken for Chromium's", () => {
  const headers = { "sec-ch-ua": '"Samsung Internet";v="28.0", "Not;A=Brand";v="8"' };
  assert.deepEqual(hintsOfHeaders(headers), {
    chromiumMajor: null,
    isMobile: null,
    platform: "unknown",
  });
});

test("no brands, no hints: Firefox, Safari and plain http", () => {
  assert.equal(hintsOfHeaders({}), null);
  assert.equal(hintsOfHeaders({ "sec-ch-ua-platform": '"Windows"' }), null);
  assert.equal(hintsOfEnvironment(decoded(findVisitor("iPhone").environment)), null);
});

test("names that are not systems are unknown, those of object prototypes included", () => {
  for (const name of ["", "constructor", "__proto__", "Fuchsia", "windows"]) {
    const hints = hintsOfHeaders({
      "sec-ch-ua": "",
      "sec-ch-ua-platform": `"${name}"`,
      "sec-ch-ua-mobile": "1",
    });
    assert.deepEqual(hints, { chromiumMajor: null, isMobile: null, platform: "unknown" });
  }
});

test("a brand beyond the length that is read counts as absent", () => {
  const headers = { "sec-ch-ua": `${'"x";v="1", '.repeat(200)}"Chromium";v="140"` };
  assert.equal(hintsOfHeaders(headers)?.chromiumMajor, null);
});

test("page and request of an honest Chromium say the same", () => {
  const chromiums = HONEST_VISITORS.filter(
    ({ evidence }) => evidence.environment.clientHints !== null,
  );
  assert.ok(chromiums.length >= 8);
  for (const { name, evidence } of chromiums) {
    assert.deepEqual(
      hintsOfEnvironment(decoded(evidence.environment)),
      hintsOfHeaders(evidence.headers),
      name,
    );
  }
});

test("a page's version that is no number is unknown", () => {
  const clientHints = {
    brands: [["Chromium", "none"] as const],
    mobile: false,
    platform: "Windows",
  };
  const hints = hintsOfEnvironment(decoded({ ...CHROME_VISITOR.environment, clientHints }));
  assert.deepEqual(hints, { chromiumMajor: null, isMobile: false, platform: "Windows" });
});

test("brands come with their major versions, and what is no brand is passed over", () => {
  const text = '"Chromium";v="140", "Not A;Brand" ; v="24.0.0", junk, "";v="1", "Edge";v="x"';
  assert.deepEqual(brandsOfHeader(text), [
    ["Chromium", 140],
    ["Not A;Brand", 24],
  ]);
});
