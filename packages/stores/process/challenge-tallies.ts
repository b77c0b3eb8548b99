import type { Draw } from "@stile/core/domain/challenge/decide-draw";
import type { DrawPath, Tally } from "@stile/core/domain/challenge/fair-share";
import { minuteOf } from "@stile/core/domain/rate-window";
import type { ChallengeTallies } from "@stile/core/ports/challenge/challenge-tallies";

type CountedTally = { -readonly [Field in keyof Tally]: Tally[Field] };
type CountsPath = {
  readonly [Level in keyof DrawPath]: Level extends "inner"
    ? readonly CountedTally[]
    : Level extends "provider"
      ? CountedTally | undefined
      : CountedTally;
};

/**
 * Bounds of the memory, about 250 bytes per entry. It may hold twice as many entries while one
 * generation replaces another.
 */
export type TallyBounds = {
  readonly maxOwners: number;
  readonly maxNetworks: number;
  readonly maxInner: number;
};

function emptyCounts(minute: number): CountedTally {
  return {
    minute,
    asked: 0,
    askedBefore: 0,
    drawn: 0,
    drawnBefore: 0,
    reserved: 0,
    reservedBefore: 0,
    helped: 0,
    helpedBefore: 0,
    children: 0,
    childrenBefore: 0,
  };
}

/**
 * Moves counts to a minute. If the clock goes back by up to a minute, the later minute stays
 * current. If it goes back further, the counts start again from zero.
 */
function advance(counts: CountedTally, minute: number): void {
  if (counts.minute === minute || counts.minute === minute + 1) return;
  const isNext = counts.minute === minute - 1;
  const { asked, drawn, reserved, helped, children } = counts;
  Object.assign(counts, emptyCounts(minute));
  if (!isNext) return;
  counts.askedBefore = asked;
  counts.drawnBefore = drawn;
  counts.reservedBefore = reserved;
  counts.helpedBefore = helped;
  counts.childrenBefore = children;
}

/**
 * Counts by name, in two generations. The young generation becomes the old one every minute, and
 * whenever it is full. Entries of the old one that nobody asked for since are forgotten. So the
 * table needs no order of use.
 */
function createTable(maxEntries: number): (name: string, minute: number) => CountedTally {
  let young = new Map<string, CountedTally>();
  let old = new Map<string, CountedTally>();
  let atMinute = 0;
  const startGeneration = (): void => {
    old = young;
    young = new Map();
  };
  return (name, minute) => {
    if (minute > atMinute) {
      startGeneration();
      atMinute = minute;
    }
    let counts = young.get(name);
    if (counts === undefined) {
      counts = old.get(name) ?? emptyCounts(minute);
      if (young.size >= maxEntries) startGeneration();
      young.set(name, counts);
    }
    advance(counts, minute);
    return counts;
  };
}

/**
 * Counts a request of a child. It also counts the child in its parent, once, in the minute of the
 * child's last request.
 */
function countAsked(holder: CountedTally, child: CountedTally): void {
  if (child.asked === 0) {
    holder.children += 1;
    if (child.askedBefore > 0 && holder.childrenBefore > 0) holder.childrenBefore -= 1;
  }
  child.asked += 1;
}

function countDrawn(path: CountsPath, draw: Draw): void {
  if (draw.network === "budget") path.network.drawn += 1;
  if (draw.network === "reserve") path.network.reserved += 1;
  if (draw.account === "budget") path.account.drawn += 1;
  if (draw.account === "reserve") {
    path.account.reserved += 1;
    path.site.helped += 1;
    path.network.helped += 1;
    if (path.provider !== undefined) path.provider.helped += 1;
  }
  if (draw.network !== "reserve" && draw.account !== "reserve") return;
  for (const level of path.inner) level.helped += 1;
}

/** Creates challenge counts in the memory of this process. */
export function createChallengeTallies({
  maxOwners,
  maxNetworks,
  maxInner,
}: TallyBounds): ChallengeTallies {
  // The tables are separate, so that invented agents or addresses evict no network, and strangers
  // evict no account or site.
  const owners = createTable(maxOwners);
  const networks = createTable(maxNetworks);
  const inside = createTable(maxInner);
  return {
    find: (names, nowMs) => {
      const { accountId, siteKey, provider, network, inner } = names;
      const minute = minuteOf(nowMs);
      let name = `${accountId} ${network}`;
      return {
        account: owners(accountId, minute),
        sites: owners(`${accountId} sites`, minute),
        site: owners(siteKey, minute),
        provider:
          provider === undefined
            ? undefined
            : networks(`${accountId} provider ${provider}`, minute),
        network: networks(name, minute),
        inner: inner.map((level) => {
          name += ` ${level}`;
          return inside(name, minute);
        }),
      };
    },
    count: (path: CountsPath, draw) => {
      path.account.asked += 1;
      countAsked(path.sites, path.site);
      if (path.provider !== undefined) countAsked(path.account, path.provider);
      countAsked(path.provider ?? path.account, path.network);
      let holder = path.network;
      for (const level of path.inner) {
        countAsked(holder, level);
        holder = level;
      }
      if (draw.isAdmitted) countDrawn(path, draw);
    },
  };
}
