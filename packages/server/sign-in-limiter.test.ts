import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { parseClientAddress } from "@stile/core/domain/client-address";
import type { Client } from "@stile/core/flows/account/steps/account-ports";
import { admitClient, admitPassword, isFirstUse, rememberClient } from "@stile/core/flows/account/steps/sign-in-limits";
import { createKeyRing } from "./cryptography/key-ring.ts";
import { createNodeCryptography } from "./cryptography/node-cryptography.ts";
import { createSignInLimiter } from "./sign-in-limiter.ts";

const clock = { nowMs: () => Date.UTC(2026, 4, 20, 12) };

/** More strangers than any memory here remembers: each an IPv6 network of its own, as one rented /44 has by the million. */
const FLOOD = 105_000;

function strangerAt(number: number): Client {
  const [high, low] = [Math.floor(number / 65_536), number % 65_536].map((part) => part.toString(16));
  return { address: parseClientAddress(`2001:db8:${high}:${low}::1`), device: "" };
}

test("a flood of addresses, emails and tickets gives nobody a fresh budget for an email, nor takes a known client's", () => {
  const ports = {
    clock,
    cryptography: createNodeCryptography(createKeyRing(), clock),
    localLimiter: createSignInLimiter(),
  };
  const email = "owner@example.org";
  const home = { address: parseClientAddress("192.0.2.7"), device: "" };
  rememberClient(ports, email, home);
  let admitted = 0;
  const guess = (): void => {
    if (admitPassword(ports, email, strangerAt(FLOOD)).isAdmitted) admitted += 1;
  };
  for (let count = 0; count < 10; count++) guess();
  assert.equal(admitted, 5);
  for (let number = 0; number < FLOOD; number++) {
    const stranger = strangerAt(number);
    admitClient(ports, stranger);
    admitPassword(ports, `${randomBytes(6).toString("hex")}@example.org`, stranger);
    isFirstUse(ports, `ticket ${number}`);
  }
  for (let count = 0; count < 10; count++) guess();
  assert.equal(admitted, 5, "the budget was spent before the flood");
  assert.equal(admitPassword(ports, email, home).isAdmitted, true, "the known client is still known");
});
