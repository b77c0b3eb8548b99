import assert from "node:assert/strict";
import { test } from "node:test";
import { weakensSite } from "./weakens-site.ts";

const BEFORE = {
  binding: "strict",
  thresholds: { challenge: 0.5, block: 0.8 },
  domains: ["shop.example", "other.example"],
  signedAgents: "judge",
  scoreSignals: "expected",
} as const;

const WEAKER = {
  "turns binding off": { binding: "off" },
  "only flags a difference": { binding: "flag" },
  "raises the threshold of challenge": { thresholds: { challenge: 0.51, block: 0.8 } },
  "raises the threshold of block": { thresholds: { challenge: 0.5, block: 0.81 } },
  "raises one threshold and lowers the other": { thresholds: { challenge: 0.1, block: 0.9 } },
  "adds a domain": { domains: ["shop.example", "other.example", "third.example"] },
  "replaces a domain": { domains: ["shop.example", "third.example"] },
  "widens a domain to its parent": { domains: ["example"] },
  "adds a domain that only ends in the same letters": { domains: ["evilshop.example"] },
  "lets signed bots through": { signedAgents: "let_through" },
  "expects no signals any more": { scoreSignals: "none" },
} as const;

const NOT_WEAKER = {
  "changes nothing": {},
  "makes binding stricter": { binding: "strict_family" },
  "lowers thresholds": { thresholds: { challenge: 0.4, block: 0.7 } },
  "removes a domain": { domains: ["shop.example"] },
  "narrows a domain to a host in it": { domains: ["www.shop.example"] },
  "sorts the domains": { domains: ["other.example", "shop.example"] },
} as const;

for (const [what, change] of Object.entries(WEAKER)) {
  test(`a change weakens a site if it ${what} (D16, operator)`, () => {
    assert.equal(weakensSite(BEFORE, { ...BEFORE, ...change }), true);
  });
}

for (const [what, change] of Object.entries(NOT_WEAKER)) {
  test(`a change does not weaken a site if it ${what} (D16, operator)`, () => {
    assert.equal(weakensSite(BEFORE, { ...BEFORE, ...change }), false);
  });
}

test("a change does not weaken a site if it stops letting signed bots through or turns binding on (D16, operator)", () => {
  const open = { ...BEFORE, binding: "off", signedAgents: "let_through" } as const;
  assert.equal(weakensSite(open, BEFORE), false);
});
