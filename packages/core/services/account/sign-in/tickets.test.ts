import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountWorld } from "@stile/testkit/world/account-world";
import { openTicket, sealTicket, TICKET_MS, type TicketUse } from "./tickets.ts";

const PAYLOAD = new TextEncoder().encode("a challenge");
const PURPOSES = ["sign-in", "proof", "passkey", "totp"] as const;

test("a ticket opens only for its own purpose and session", async () => {
  const { ports } = await createAccountWorld();
  const uses = PURPOSES.flatMap((purpose) =>
    ["", "ses_1", "ses_12"].map((sessionId): TicketUse => ({ purpose, sessionId })),
  );
  for (const sealed of uses) {
    const ticket = sealTicket(ports, sealed, PAYLOAD);
    assert.deepEqual(new Uint8Array(openTicket(ports, sealed, ticket)?.payload ?? []), PAYLOAD);
    const opening = uses.filter((use) => openTicket(ports, use, ticket) !== undefined);
    assert.deepEqual(opening, [sealed]);
  }
});

test("no ticket opens if it is changed, cut, lengthened, respelled or expired", async () => {
  const { ports, clock } = await createAccountWorld();
  const use: TicketUse = { purpose: "totp", sessionId: "ses_1" };
  const ticket = sealTicket(ports, use, PAYLOAD);
  const bytes = Buffer.from(ticket, "base64url");
  const attempts = [`${ticket}=`, `${ticket}A`, ` ${ticket}`, "", "x".repeat(5000)];
  for (let length = 0; length < ticket.length; length++) attempts.push(ticket.slice(0, length));
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    attempts.push(flipped.toString("base64url"));
  }
  assert.deepEqual(
    attempts.filter((text) => openTicket(ports, use, text) !== undefined),
    [],
  );
  clock.advance(TICKET_MS - 1);
  assert.ok(openTicket(ports, use, ticket));
  clock.advance(1);
  assert.equal(openTicket(ports, use, ticket), undefined);
});

test("two tickets of one payload share neither id nor text, and do not reveal the payload", async () => {
  const { ports } = await createAccountWorld();
  const use: TicketUse = { purpose: "totp", sessionId: "ses_1" };
  const tickets = Array.from({ length: 50 }, () => sealTicket(ports, use, PAYLOAD));
  assert.equal(new Set(tickets.map((ticket) => openTicket(ports, use, ticket)?.ticketId)).size, 50);
  for (const ticket of tickets)
    assert.equal(Buffer.from(ticket, "base64url").includes(PAYLOAD), false);
});
