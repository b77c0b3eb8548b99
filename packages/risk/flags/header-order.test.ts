import assert from "node:assert/strict";
import { test } from "node:test";
import type { WireEvidence } from "@stile/risk/evidence";
import {
  CHROME_VISITOR,
  findVisitor,
  type HonestEvidence,
} from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { raises } from "@stile/testkit/visits/raises";
import { headerOrder } from "./header-order.ts";

/**
 * As recorded here: `fetch` by Chromium 156 and Firefox 140, directly, through nginx (HTTP/2) and
 * through Caddy.
 */
const CAPTURED = {
  chromium:
    "Host Connection Content-Length sec-ch-ua-platform User-Agent sec-ch-ua content-type sec-ch-ua-mobile Accept Origin Sec-Fetch-Site Sec-Fetch-Mode Sec-Fetch-Dest Referer Accept-Encoding Accept-Language",
  firefox:
    "Host User-Agent Accept Accept-Language Accept-Encoding Referer content-type Content-Length Origin Connection Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Priority",
  nginx:
    "X-Forwarded-For Host Connection Content-Length sec-ch-ua-platform user-agent sec-ch-ua content-type sec-ch-ua-mobile accept origin sec-fetch-site sec-fetch-mode sec-fetch-dest referer accept-encoding accept-language priority",
  caddy:
    "Host User-Agent Content-Length Accept Accept-Encoding Accept-Language Content-Type Origin Priority Referer Sec-Ch-Ua Sec-Ch-Ua-Mobile Sec-Ch-Ua-Platform Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto",
  node: "host connection content-type user-agent accept accept-language sec-fetch-mode accept-encoding content-length",
  curl: "Host Accept User-Agent Accept-Language Accept-Encoding Content-Length Content-Type",
  python:
    "Accept-Encoding Content-Type Content-Length Host User-Agent Accept Accept-Language Connection",
} as const;
const FIREFOX = findVisitor("Firefox on Linux, keyboard only");

const sent = (it: HonestEvidence, how: keyof typeof CAPTURED, more: Partial<WireEvidence> = {}) => {
  const headerNames = CAPTURED[how].split(" ");
  return {
    ...it,
    wire: {
      headerNames,
      isForwarded: how === "nginx" || how === "caddy",
      tlsFingerprint: undefined,
      ...more,
    },
  };
};

test("header_order: silent on what browsers really send, and behind proxies that keep or sort the order", () => {
  for (const how of ["chromium", "nginx", "caddy"] as const)
    assert.ok(!raises(headerOrder, sent(CHROME_VISITOR, how)), how);
  assert.ok(!raises(headerOrder, sent(FIREFOX, "firefox")));
  assert.ok(!raises(headerOrder, sent(FIREFOX, "caddy")));
});

test("header_order: raised by libraries with a borrowed user agent, and by one browser that claims to be the other", () => {
  for (const how of ["node", "curl", "python", "firefox"] as const) {
    assert.ok(raises(headerOrder, sent(CHROME_VISITOR, how)), how);
  }
  for (const how of ["node", "curl", "chromium"] as const)
    assert.ok(raises(headerOrder, sent(FIREFOX, how)), how);
  assert.ok(raises(headerOrder, sent(FIREFOX, "nginx")), "Chromium behind nginx");
  const made = ["host", "user-agent", "accept-language", "accept", "sec-fetch-mode"];
  assert.ok(
    raises(headerOrder, sent(CHROME_VISITOR, "nginx", { headerNames: made })),
    "invented order, behind nginx",
  );
  assert.ok(
    !raises(headerOrder, sent(CHROME_VISITOR, "curl", { isForwarded: true })),
    "too few to tell from sorted ones",
  );
});

test("header_order: silent on browsers whose order is unknown, and if the service did not receive the request itself (D7, score request)", () => {
  assert.ok(!raises(headerOrder, sent(findVisitor("iPhone"), "curl")));
  assert.ok(
    !raises(
      headerOrder,
      sent(findVisitor("Safari on a Mac, whose mouse reports no pressure"), "python"),
    ),
  );
  assert.ok(!raises(headerOrder, { ...sent(CHROME_VISITOR, "curl"), solve: undefined }));
  assert.ok(!raises(headerOrder, CHROME_VISITOR));
  assert.ok(
    !raises(headerOrder, {
      ...CHROME_VISITOR,
      wire: { headerNames: [], isForwarded: false, tlsFingerprint: undefined },
    }),
  );
});

test("header_order: raised by a TLS handshake that no browser makes, as reported by a trusted proxy; silent on other formats", () => {
  const withTls = (tlsFingerprint: string) =>
    raises(headerOrder, sent(CHROME_VISITOR, "nginx", { tlsFingerprint }));
  for (const own of [
    "t13d1516h2_8daaf6152771_02713d6af862",
    "q13d0312h3_55b375c5d22e_06cda9e17597",
  ])
    assert.ok(!withTls(own));
  for (const foreign of [
    "t13d1812h1_85036bcba153_375ca2c5e164",
    "t12d190800_d83cc789557e_7af1ed941c26",
    "t13i181000_x_y",
  ]) {
    assert.ok(withTls(foreign), foreign);
  }
  for (const odd of ["", "771,4865-4866,0-11", "t13d", "x".repeat(5000)])
    assert.ok(!withTls(odd), odd.slice(0, 9));
});

test("header_order asks nobody for a click alone", () => {
  assert.ok(assessVisit(sent(CHROME_VISITOR, "curl")).score < 0.3);
});
