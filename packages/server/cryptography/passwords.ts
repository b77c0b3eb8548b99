import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Passwords } from "@stile/core/ports/credentials";

/** What one hash costs: OWASP's second choice of argon2id, 19 MiB and two passes; about 25 ms of one core. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/** Hashes computed at once (38 MiB), and callers that may wait for one: half a second of work. */
const MAX_RUNNING = 2;
const MAX_WAITING = 32;

/** PHC string format of argon2id, as far as this file writes it; unpadded base64. */
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

type Parameters = { readonly memory: number; readonly passes: number; readonly parallelism: number };
type Stored = { readonly cost: Parameters; readonly salt: Buffer; readonly tag: Buffer };

const derive = promisify(argon2);

/** Stands for the hash of a member that does not exist: it costs the same, and no password has a tag of zeros. */
const NOBODY: Stored = { cost: COST, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };

function toPhc(salt: Uint8Array, tag: Uint8Array): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => Buffer.from(bytes).toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${saltText}$${tagText}`;
}

/** Throws on anything but what `toPhc` writes, with any cost: so the cost can be raised and old hashes still hold. */
function parsePhc(text: string): Stored {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? [];
  if (salt === undefined || tag === undefined) throw new Error("a stored password hash can't be read");
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, "base64"),
    tag: Buffer.from(tag, "base64"),
  };
}

/** Lets MAX_RUNNING works run and MAX_WAITING wait, first come, first served; further ones are answered undefined. */
function createTurnstile(): <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running < MAX_RUNNING) running += 1;
    else if (waiting.length >= MAX_WAITING) return undefined;
    // Whoever leaves hands its place over, so that nobody slips in between.
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const enter = waiting.shift();
      if (enter === undefined) running -= 1;
      else enter();
    }
  };
}

/** Password hashing with Node's own argon2id; a flood of attempts costs two threads and bounded memory. */
export function createPasswords(): Passwords {
  const inTurn = createTurnstile();
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES);
        return toPhc(salt, await derive("argon2id", { ...COST, message: password, nonce: salt, tagLength: TAG_BYTES }));
      }),
    verify: (password, passwordHash) =>
      inTurn(async () => {
        const { cost, salt, tag } = passwordHash === null ? NOBODY : parsePhc(passwordHash);
        const found = await derive("argon2id", { ...cost, message: password, nonce: salt, tagLength: tag.length });
        return timingSafeEqual(found, tag) && passwordHash !== null;
      }),
  };
}
