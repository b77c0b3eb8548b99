import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { HashQueue, Passwords } from "@stile/core/ports/account/credentials";

/**
 * The cost of one hash: OWASP's second choice for argon2id, 19 MiB and two passes; about 25 ms of
 * one core.
 */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
/**
 * The most that a stored hash may cost: 256 MiB and some seconds. That leaves room for a higher
 * cost than today's.
 */
const MOST_COST = { memory: 262_144, passes: 10, parallelism: 8 } as const;
const SALT_BYTES = 16;
const TAG_BYTES = 32;

/**
 * How many callers may wait in each queue. A queue runs one hash at a time, so members wait a
 * second at most, strangers a quarter of one.
 */
const MAX_WAITING: Readonly<Record<HashQueue, number>> = { member: 32, stranger: 8 };

/** The PHC format of argon2id, as far as this file writes it; base64 without padding. */
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

type HashParameters = {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
};
type Stored = { readonly cost: HashParameters; readonly salt: Buffer; readonly tag: Buffer };

const derive = promisify(argon2);

function toPhc(cost: HashParameters, salt: Uint8Array, tag: Uint8Array): string {
  const [saltText, tagText] = [salt, tag].map((bytes) =>
    Buffer.from(bytes).toString("base64").replaceAll("=", ""),
  );
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${saltText}$${tagText}`;
}

/**
 * Throws on anything that `toPhc` does not write. It accepts other costs, so that old hashes stay
 * valid after a change, but no cost that would stop the service.
 */
function parsePhc(text: string): Stored {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(text) ?? [];
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const isDear =
    cost.memory > MOST_COST.memory ||
    cost.passes > MOST_COST.passes ||
    cost.parallelism > MOST_COST.parallelism;
  if (salt === undefined || tag === undefined || isDear)
    throw new Error("a stored password hash can't be read");
  return { cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") };
}

/**
 * Runs one task at a time while up to `maxWaiting` wait, first come, first served. Further callers
 * get undefined.
 */
function createTurnstile(
  maxWaiting: number,
): <Answer>(work: () => Promise<Answer>) => Promise<Answer | undefined> {
  let isRunning = false;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (!isRunning) isRunning = true;
    else if (waiting.length >= maxWaiting) return undefined;
    // A finished task passes its place directly to the next, so that no newcomer slips in between.
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await work();
    } finally {
      const enter = waiting.shift();
      if (enter === undefined) isRunning = false;
      else enter();
    }
  };
}

/**
 * Password hashing with Node's own argon2id. A flood of strangers takes one thread and bounded
 * memory, and delays no member. `cost` is for tests that are not about the hash.
 */
export function createPasswords(cost: HashParameters = COST): Passwords {
  // Used as the hash of a member that does not exist. It costs the same, and no password has a tag
  // of zeros.
  const nobody: Stored = { cost, salt: Buffer.alloc(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };
  const inTurn = {
    member: createTurnstile(MAX_WAITING.member),
    stranger: createTurnstile(MAX_WAITING.stranger),
  };
  return {
    hash: (password) =>
      inTurn.member(async () => {
        const salt = randomBytes(SALT_BYTES);
        const tag = await derive("argon2id", {
          ...cost,
          message: password,
          nonce: salt,
          tagLength: TAG_BYTES,
        });
        return toPhc(cost, salt, tag);
      }),
    verify: (password, passwordHash, queue = "member") =>
      inTurn[queue](async () => {
        const { salt, tag, ...stored } = passwordHash === null ? nobody : parsePhc(passwordHash);
        const found = await derive("argon2id", {
          ...stored.cost,
          message: password,
          nonce: salt,
          tagLength: tag.length,
        });
        return timingSafeEqual(found, tag) && passwordHash !== null;
      }),
  };
}
