import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import type { Client } from "@stile/core/domain/account/signed-in";
import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import {
  admitClient,
  admitDevice,
  admitEmail,
  admitNewEmail,
  isFirstSolution,
  isFirstUse,
} from "@stile/core/services/account/sign-in/sign-in-limits";
import { createKeyRing } from "../cryptography/key-ring.ts";
import { createNodeCryptography } from "../cryptography/node-cryptography.ts";
import { createSignInLimiter } from "./sign-in-limiter.ts";

const clock = { nowMs: () => Date.UTC(2026, 4, 20, 12) };

/**
 * More strangers than any memory here holds, each in a separate IPv6 network. A rented /20 has
 * millions.
 */
const FLOOD = 105_000;
const EMAIL = "owner@example.org";

function createPorts() {
  const cryptography = createNodeCryptography(createKeyRing(), clock);
  return { clock, cryptography, localLimiter: createSignInLimiter() };
}

function strangerAt(number: number): Client {
  const [high, low] = [Math.floor(number / 65_536), number % 65_536].map((part) =>
    part.toString(16),
  );
  return { address: parseIpAddress(`2001:${low}:${high}::1`), device: "" };
}

test("gives no email, device or puzzle a fresh budget in a flood of addresses, emails, puzzles and tickets", () => {
  const ports = createPorts();
  const spend = (): number => {
    let admitted = 0;
    for (let count = 0; count < 40; count++) {
      if (admitEmail(ports, EMAIL, strangerAt(FLOOD + count)).isAdmitted) admitted += 1;
      if (admitDevice(ports, { deviceId: "device", userId: "usr" }).isAdmitted) admitted += 1;
      if (isFirstSolution(ports, "puzzle")) admitted += 1;
    }
    return admitted;
  };
  assert.equal(spend(), 25 + 10 + 1);
  for (let number = 0; number < FLOOD; number++) {
    const stranger = strangerAt(number);
    admitClient(ports, stranger);
    admitEmail(ports, `${randomBytes(6).toString("hex")}@example.org`, stranger);
    isFirstUse(ports, `ticket ${number}`);
    isFirstSolution(ports, `puzzle ${number}`);
  }
  assert.equal(spend(), 0, "the budgets were spent before the flood");
});

test("counts new emails by the hour without resetting any count of a quarter of an hour", () => {
  const ports = createPorts();
  const devices = Array.from({ length: 2_000 }, (_, number) => `device ${number}`);
  const spend = (): number => {
    const tries = devices.flatMap((device) =>
      Array.from({ length: 11 }, () => admitDevice(ports, { deviceId: device, userId: device })),
    );
    return tries.filter(({ isAdmitted }) => isAdmitted).length;
  };
  // Some devices share a cell, and so a budget.
  assert.ok(spend() > 19_000);
  for (let number = 0; number < 20_000; number++) admitNewEmail(ports, "ofLink", `link ${number}`);
  assert.equal(spend(), 0);
});

test("gives an email its own budget although its digest begins like that of another email", () => {
  const begin = (email: string): string =>
    createHash("sha256").update(email).digest("hex").slice(0, 4);
  let twin = "";
  for (let number = 0; begin(twin) !== begin(EMAIL); number++) twin = `twin-${number}@example.org`;
  const ports = createPorts();
  for (let count = 0; count < 60; count++) admitEmail(ports, twin, strangerAt(count));
  assert.equal(admitEmail(ports, EMAIL, strangerAt(1)).isAdmitted, true);
});

test("closes an email to one network after that network's tries, and to all after tries from many networks", () => {
  const ports = createPorts();
  const from = (network: number, tries: number): number =>
    Array.from({ length: tries }, () => admitEmail(ports, EMAIL, strangerAt(network))).filter(
      (s) => s.isAdmitted,
    ).length;
  assert.equal(from(1, 20), 5);
  assert.equal(from(2, 1), 1);
  assert.deepEqual([from(3, 9), from(4, 9), from(5, 9), from(6, 9), from(7, 9)], [5, 5, 5, 4, 0]);
});
