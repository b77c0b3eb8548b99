import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR, findVisitor } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { brandsOfHeader, hintsOfEnvironment, hintsOfHeaders } from "./client-hints.ts";

test("reads version, form and system from Chromium's headers, wherever the brand is in the list", () => {
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

test("does not take a fork's own version for Chromium's", () => {
  const headers = { "sec-ch-ua": '"Samsung Internet";v="28.0", "Not;A=Brand";v="8"' };
  assert.deepEqual(hintsOfHeaders(headers), {
    chromiumMajor: null,
    isMobile: null,
    platform: "unknown",
  });
});

test("returns no hints if there are no brands: Firefox, Safari and plain http", () => {
  assert.equal(hintsOfHeaders({}), null);
  assert.equal(hintsOfHeaders({ "sec-ch-ua-platform": '"Windows"' }), null);
  assert.equal(hintsOfEnvironment(decoded(findVisitor("iPhone").environment)), null);
});

test("treats names that are not systems as unknown, including names of object prototypes", () => {
  for (const name of ["", "constructor", "__proto__", "Fuchsia", "windows"]) {
    const hints = hintsOfHeaders({
      "sec-ch-ua": "",
      "sec-ch-ua-platform": `"${name}"`,
      "sec-ch-ua-mobile": "1",
    });
    assert.deepEqual(hints, { chromiumMajor: null, isMobile: null, platform: "unknown" });
  }
});

test("ignores a brand beyond the length that is read", () => {
  const headers = { "sec-ch-ua": `${'"x";v="1", '.repeat(200)}"Chromium";v="140"` };
  assert.equal(hintsOfHeaders(headers)?.chromiumMajor, null);
});

test("reads the same hints from page and request of an honest Chromium", () => {
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

test("treats a page's version that is not a number as unknown", () => {
  const clientHints = {
    brands: [["Chromium", "none"] as const],
    mobile: false,
    platform: "Windows",
  };
  const hints = hintsOfEnvironment(decoded({ ...CHROME_VISITOR.environment, clientHints }));
  assert.deepEqual(hints, { chromiumMajor: null, isMobile: false, platform: "Windows" });
});

test("reads brands with their major versions, and skips entries of another form", () => {
  const text = '"Chromium";v="140", "Not A;Brand" ; v="24.0.0", junk, "";v="1", "Edge";v="x"';
  assert.deepEqual(brandsOfHeader(text), [
    ["Chromium", 140],
    ["Not A;Brand", 24],
  ]);
});
