import { findVisitor } from "@stile/testkit/visits/find-visitor";
import { type Answering, mouse, pressByMouse, visitOf } from "./forgers.ts";
import { openRaw } from "./raw-tools.ts";
import { bentPath, replayedPath, stealWays } from "./stolen-paths.ts";
import type { Tool } from "./tool.ts";

const VARIANTS = [
  ["", "deaf"],
  ["-clicks", "clicks"],
] as const satisfies readonly (readonly [string, Answering])[];

/** A thief with its own loot. */
function thief(name: string, makePathOf: typeof replayedPath, answering: Answering): Tool {
  const visitor = findVisitor("Chrome on Windows, mouse");
  return {
    name,
    kind: "automation",
    programs: [],
    open: (surroundings) => {
      const makePath = makePathOf(stealWays(surroundings.people));
      const hands = [mouse(makePath), pressByMouse(makePath)] as const;
      return openRaw(
        async (_visit, { random }) => visitOf(visitor, hands, answering, random),
        surroundings,
      );
    },
  };
}

/**
 * Forgers without a browser whose mouse follows recorded users' paths: the same paths again and
 * again, or bent each time so that no two are the same.
 */
export const THIEVES: readonly Tool[] = VARIANTS.flatMap(([variant, answering]) => [
  thief(`forger-replayed${variant}`, replayedPath, answering),
  thief(`forger-bent${variant}`, bentPath, answering),
]);
