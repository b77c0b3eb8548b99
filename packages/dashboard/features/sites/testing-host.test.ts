import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isTestingHost as isTestingByTheRules,
  parseHostName,
} from "@stile/core/domain/site/host-name";
import fc from "fast-check";
import { isTestingHost } from "./testing-host.ts";

test("recognises hosts that are only useful for testing (D13, formats)", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.equal(isTestingHost(host), true, host);
  for (const host of ["example.org", "localhost.example.org", "1a.example"])
    assert.equal(isTestingHost(host), false);
});

const hostName = fc
  .oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
  )
  .map(parseHostName)
  .filter((host) => host !== undefined);

test("classifies the same hosts as for testing as the service does (D13, formats)", () => {
  fc.assert(
    fc.property(hostName, (host) => assert.equal(isTestingHost(host), isTestingByTheRules(host))),
    { seed: 13 },
  );
});
