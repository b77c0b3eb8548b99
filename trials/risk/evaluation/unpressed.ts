import { isRuled } from "@stile/risk/is-ruled";
import { createRandom, seedOf } from "@stile/risk/seeded-random";
import type { Place, Segment } from "@stile/risk/trajectory/segment";
import type { Recording } from "../training/read-examples.ts";
import { VIEWS } from "./hopping.ts";
import { rounded } from "./intervals.ts";

/**
 * The least that the widget waits for a visitor with a mouse if nobody waits for the token, ms
 * (`behaviour-recorder.ts`).
 */
const NOTICED_MS = 500;

/**
 * For one view: the share of people's movements, without the press they lead to, that count as
 * nobody's.
 */
export type Unpressed = {
  readonly seen: string;
  readonly paths: number;
  /** As seen by a page that submits when the mouse arrives. */
  readonly whole: number | null;
  /** As seen by a page that submits as soon as somebody was noticed. */
  readonly noticed: number | null;
  readonly worst_person: number | null;
};

const movesOf = (events: Segment): readonly Place[] =>
  events.flatMap(([atMs, x, y, kind]) => (kind === "m" ? [{ atMs, x, y }] : []));

/** The moves until the widget notices somebody; all of them if there are fewer. */
function untilNoticed(moves: readonly Place[]): readonly Place[] {
  const startMs = moves[0]?.atMs ?? 0;
  const at = moves.findIndex(({ atMs }) => atMs - startMs > NOTICED_MS);
  return at === -1 ? moves : moves.slice(0, at + 1);
}

const share = <T>(all: readonly T[], holds: (it: T) => boolean): number =>
  all.filter(holds).length / all.length;

/**
 * How many of people's movements show nobody (`low_evidence`) without a press, on each kind of
 * screen and link.
 */
export function measureUnpressed(recordings: readonly Recording[]): Unpressed[] {
  const people = recordings.filter(({ kind }) => kind === "human");
  return VIEWS.map(({ name, show }) => {
    const seen = people.map(({ subject, events }, at) => {
      const moves = movesOf(show(events, createRandom(seedOf(`${name} ${at}`))));
      return { subject, isNobody: isRuled(moves), isNobodyYet: isRuled(untilNoticed(moves)) };
    });
    const byPerson = [...Map.groupBy(seen, ({ subject }) => subject).values()];
    return {
      ...{ seen: name, paths: seen.length },
      whole: rounded(share(seen, ({ isNobody }) => isNobody)),
      noticed: rounded(share(seen, ({ isNobodyYet }) => isNobodyYet)),
      worst_person: rounded(
        Math.max(...byPerson.map((paths) => share(paths, ({ isNobodyYet }) => isNobodyYet))),
      ),
    };
  });
}
