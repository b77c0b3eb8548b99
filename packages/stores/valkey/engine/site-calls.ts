import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import { endWithin } from "../../end-within.ts";
import type { SiteTurns } from "../../site-turns.ts";
import { type Argument, TOO_SLOW, type ValkeyConnection } from "./valkey-connection.ts";
import { FUNCTIONS, LEASE_MS } from "./valkey-functions.ts";
import { GENERATION_KEY, siteKeyName } from "./valkey-keys.ts";
import type { Session } from "./valkey-session.ts";

/** The answer of a function that must know a site: a word, and its numbers. */
export type SiteAnswer = readonly [word: string, ...rest: readonly number[]];

/** Reads the revision of a site where sites are kept; undefined if there is no such site. */
export type FindRevision = (siteKey: string) => Promise<number | undefined>;

/** The part of a call that follows its generation, and the keys besides the site's own. */
export type SiteCall = {
  readonly siteKey: string;
  readonly name: (typeof FUNCTIONS)["redeem" | "spend"];
  readonly keys: readonly string[];
  readonly args: readonly Argument[];
};

/** Calls functions that compare a site's revision (D3). */
export type SiteCalls = {
  /**
   * Undefined if there is no such site; what is answered is durable. Rejects with StoreUnavailable if the outcome is
   * unknown. Waits for a write of the site that is under way.
   */
  readonly call: (call: SiteCall) => Promise<SiteAnswer | undefined>;
  /**
   * Call this after a site was written and before that is answered: once it resolves, what was learned of the site
   * before is no longer believed. If the engine can't be told, that takes as long as the lease.
   */
  readonly change: (siteKey: string) => Promise<void>;
};

/** Clocks do not run equally fast. */
const LEASE_MARGIN_MS = 100;
/** A site that changes all the time must not hold a request forever. */
const MOST_LESSONS = 5;

/** How long a lesson and the call after it may take, in deadlines of a call: with the first call nobody waits 2 s. */
const LESSON_DEADLINES = 0.9;

/** Teaches the engine a site's revision when it asks for it; requests that wait for the same site share one lesson. */
export function createSiteCalls(
  connection: ValkeyConnection,
  turns: Pick<SiteTurns, "spend">,
  findRevision: FindRevision,
): SiteCalls {
  const lessons = new Map<string, Promise<boolean>>();

  /** Ends a session whose engine holds other data than those that it began with: the next one begins it anew. */
  const heed = (session: Session, word: unknown): void => {
    if (word !== "other_beginning") return;
    connection.leave(session);
    throw new StoreUnavailable("the hot store began anew");
  };
  const teach = async (session: Session, siteKey: string, stamp: number, askedAtMs: number): Promise<boolean> => {
    const revision = await findRevision(siteKey);
    if (revision === undefined) return false;
    const keys = [2, siteKeyName(siteKey), GENERATION_KEY];
    const args = [FUNCTIONS.learn, ...keys, stamp, askedAtMs, session.generation.beginning, revision];
    heed(session, await connection.call(session, "FCALL", args));
    return true;
  };
  const teachOnce = (session: Session, siteKey: string, stamp: number, askedAtMs: number): Promise<boolean> => {
    const name = `${session.generation.beginning} ${stamp} ${siteKey}`;
    const running = lessons.get(name);
    if (running !== undefined) return running;
    const lesson = teach(session, siteKey, stamp, askedAtMs).finally(() => lessons.delete(name));
    lessons.set(name, lesson);
    return lesson;
  };

  const ask = async (session: Session, { siteKey, name, keys, args }: SiteCall, hasLearned: boolean) => {
    const all = [siteKeyName(siteKey), ...keys];
    const sent = [name, all.length, ...all, session.generation.beginning, ...args, hasLearned ? 1 : 0];
    const answer = (await connection.call(session, "FCALL", sent)) as SiteAnswer;
    heed(session, answer[0]);
    return answer;
  };
  const teachAndAsk = async (session: Session, call: SiteCall, first: SiteAnswer): Promise<SiteAnswer | undefined> => {
    let answer = first;
    for (let lesson = 0; lesson < MOST_LESSONS; lesson++) {
      const [, stamp = 0, askedAtMs = 0] = answer;
      if (!(await teachOnce(session, call.siteKey, stamp, askedAtMs))) return undefined;
      answer = await ask(session, call, true);
      if (answer[0] !== "unknown") return answer;
    }
    throw new StoreUnavailable("the site is changed all the time");
  };

  const askOrTeach = async (session: Session, call: SiteCall): Promise<SiteAnswer | undefined> => {
    const answer = await ask(session, call, false);
    return answer[0] === "unknown"
      ? await endWithin(connection.deadlineMs * LESSON_DEADLINES, teachAndAsk(session, call, answer), TOO_SLOW)
      : answer;
  };
  const callInTurn = async (call: SiteCall) => {
    const sinceMs = performance.now();
    const session = connection.session();
    return { sinceMs, session, answer: await askOrTeach(session, call) };
  };

  return {
    call: async (call) => {
      const { sinceMs, session, answer } = await turns.spend(call.siteKey, () => callInTurn(call));
      // Also for what was spent before: "repeated" and "used already" rest on a mark that somebody may have just
      // written.
      await connection.acknowledge(session, sinceMs);
      return answer;
    },
    change: async (siteKey) => {
      try {
        const [session, sinceMs] = [connection.session(), performance.now()];
        await connection.call(session, "FCALL", [FUNCTIONS.change, 1, siteKeyName(siteKey)]);
        await connection.copied(session, sinceMs);
      } catch (fault) {
        if (!(fault instanceof StoreUnavailable)) throw fault;
        // By then nobody believes any more what they learned before the write.
        await delay(LEASE_MS + LEASE_MARGIN_MS);
      }
    },
  };
}
