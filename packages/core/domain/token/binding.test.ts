import assert from "node:assert/strict";
import { test } from "node:test";
import type { Binding } from "@stile/protocol/site-settings";
import {
  type BindingClaim,
  findBindingDifferences,
  isBindingMismatch,
  toHistoryEvidence,
} from "./binding.ts";
import type { TokenPayload } from "./token.ts";

const digest = (fill: number): Uint8Array => new Uint8Array(8).fill(fill);
const isEqual = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

const TOKEN: TokenPayload = {
  siteKey: "pk_0123456789ABCDEFabcdef",
  mode: "managed",
  expiresAtMs: 300_000,
  challengeAtMs: 0,
  score: 0.05,
  addressFamily: 4,
  prefixDigest: digest(1),
  userAgentDigest: digest(2),
  actionName: undefined,
  cdata: undefined,
  hostname: "example.org",
  isScriptless: false,
};

const SAME = {
  address: { family: 4, prefixDigest: digest(1) },
  userAgentDigest: digest(2),
} as const;
const CLAIMS = {
  "nothing sent": { address: "absent", userAgentDigest: undefined },
  "same prefix and agent": SAME,
  "other prefix": { ...SAME, address: { family: 4, prefixDigest: digest(9) } },
  "other family": { ...SAME, address: { family: 6, prefixDigest: digest(1) } },
  unparseable: { ...SAME, address: "unreadable" },
  "other agent": { ...SAME, userAgentDigest: digest(9) },
  "other prefix and agent": {
    address: { family: 4, prefixDigest: digest(9) },
    userAgentDigest: digest(9),
  },
  "other family and agent": {
    address: { family: 6, prefixDigest: digest(1) },
    userAgentDigest: digest(9),
  },
} as const satisfies Record<string, BindingClaim>;

const DIFFERENCES: Readonly<Record<keyof typeof CLAIMS, readonly string[]>> = {
  "nothing sent": [],
  "same prefix and agent": [],
  "other prefix": ["address"],
  "other family": ["address_family"],
  unparseable: ["address_unreadable"],
  "other agent": ["user_agent"],
  "other prefix and agent": ["address", "user_agent"],
  "other family and agent": ["address_family", "user_agent"],
};

const MISMATCHES: Readonly<Record<Binding, readonly string[]>> = {
  strict_family: [
    "other prefix",
    "other family",
    "other agent",
    "other prefix and agent",
    "other family and agent",
  ],
  strict: ["other prefix", "other agent", "other prefix and agent", "other family and agent"],
  flag: [],
  off: [],
};

test("finds every difference between claim and token (D5, binding)", () => {
  for (const [name, claim] of Object.entries(CLAIMS)) {
    const found = findBindingDifferences(TOKEN, claim, isEqual);
    assert.deepEqual(found, DIFFERENCES[name as keyof typeof CLAIMS], name);
  }
});

for (const binding of ["strict_family", "strict", "flag", "off"] as const) {
  test(`binding ${binding} refuses: ${MISMATCHES[binding].join("; ") || "nothing"} (D5, binding)`, () => {
    const refused = Object.entries(CLAIMS)
      .filter(([, claim]) =>
        isBindingMismatch(findBindingDifferences(TOKEN, claim, isEqual), binding),
      )
      .map(([name]) => name);
    assert.deepEqual(refused, MISMATCHES[binding]);
  });
}

test("a token without an address matches no claimed address, which only strict_family refuses (D5, binding)", () => {
  const unbound = { ...TOKEN, addressFamily: 0 } as const;
  const differencesOf = (claim: BindingClaim) => findBindingDifferences(unbound, claim, isEqual);
  assert.deepEqual(differencesOf({ ...SAME, address: "absent" }), []);
  for (const address of ["unreadable", { family: 4, prefixDigest: digest(9) }] as const) {
    const differences = differencesOf({ ...SAME, address });
    assert.deepEqual(differences, ["address_unknown"]);
    for (const binding of ["strict_family", "strict", "flag", "off"] as const) {
      assert.equal(isBindingMismatch(differences, binding), binding === "strict_family", binding);
    }
  }
  const other = differencesOf({ ...SAME, userAgentDigest: digest(9) });
  assert.deepEqual(other, ["address_unknown", "user_agent"]);
  assert.equal(isBindingMismatch(other, "strict"), true);
});

test("passes the differences on as evidence: another family weighs as much as another network (D5, binding)", () => {
  const none = { isAddressChanged: false, isAddressHidden: false, isUserAgentChanged: false };
  assert.deepEqual(toHistoryEvidence([]), none);
  assert.deepEqual(toHistoryEvidence(["address"]), { ...none, isAddressChanged: true });
  assert.deepEqual(toHistoryEvidence(["address_family"]), { ...none, isAddressChanged: true });
  assert.deepEqual(
    toHistoryEvidence(["address_unknown"]),
    none,
    "the token's score includes it already",
  );
  assert.deepEqual(toHistoryEvidence(["address_unreadable"]), { ...none, isAddressHidden: true });
  assert.deepEqual(toHistoryEvidence(["user_agent"]), { ...none, isUserAgentChanged: true });
});
