import { setTimeout as delay } from "node:timers/promises";
import { mintToken } from "../minting/mint-tokens.ts";
import { type TortureReport, torture } from "../torture/torture.ts";
import type { EarnedToken, Used } from "./visits.ts";

/** Races under way. */
export type Races = {
  /** Resolves when callers have raced for further tokens. */
  readonly goOn: () => Promise<void>;
  readonly letEnd: () => void;
  /**
   * The results of all races, including one begun after the end was requested, and each token that
   * was raced for.
   */
  readonly ended: () => Promise<{
    readonly report: TortureReport;
    readonly tokens: readonly EarnedToken[];
  }>;
};

/** One race: callers race for the tokens, and then redeem them a last time. */
const RACE = { tokens: 20, racers: 4, groups: 2, kills: 0 } as const;
const TOKEN_LIFE_SECONDS = 3600;
/** Pause between two checks of the races' progress, ms. */
const PAUSE_MS = 10;

function addUp(reports: readonly TortureReport[]): TortureReport {
  const sums: Record<string, number> = {};
  for (const report of reports) {
    for (const [name, value] of Object.entries(report)) sums[name] = (sums[name] ?? 0) + value;
  }
  return sums as TortureReport;
}

/** Makes callers race for tokens at all nodes, repeatedly until they are told to stop. */
export function startRaces({ baseUrls, site, cryptography }: Used): Races {
  const servers = baseUrls.map((baseUrl) => ({ baseUrl, up: async () => {} }));
  const { secretKey, siteKey } = site;
  const target = { servers, secretKey, faults: [], killAll: async () => 0 };
  const tokens: EarnedToken[] = [];
  const mint = (): string => {
    const token = mintToken(cryptography, siteKey, { lifeSeconds: TOKEN_LIFE_SECONDS });
    tokens.push({ token, isRedeemed: true });
    return token;
  };
  const reports: TortureReport[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    for (let isLast = false; !isLast; ) {
      isLast = isOver;
      reports.push(await torture(target, { ...RACE, mint, seed: reports.length }));
    }
  };
  const running = run();
  // A fault reaches those who await `ended`.
  running.catch(() => {});
  return {
    goOn: async () => {
      const until = reports.length + 1;
      while (reports.length < until) await Promise.race([delay(PAUSE_MS), running]);
    },
    letEnd: () => {
      isOver = true;
    },
    ended: async () => {
      await running;
      return { report: addUp(reports), tokens };
    },
  };
}
