// `npm run attack -- [--only NAME] [--json]`: tries on its own services, on loopback addresses and
// in limited numbers, what attackers were seen to do or could do, and prints the result of each
// attempt with the bound that it must keep.

import { restoredCopies } from "@stile/testkit/trials/restored-copies";
import type { Trial } from "@stile/testkit/trials/trial";
import { challengeFlood } from "./attack/challenge-flood.ts";
import { cheapClicks } from "./attack/cheap-clicks.ts";
import { evidenceLeftOut } from "./attack/evidence-left-out.ts";
import { foreignEndpoint } from "./attack/foreign-endpoint.ts";
import { hostileBodies } from "./attack/hostile-bodies.ts";
import { inventedPresses } from "./attack/invented-presses.ts";
import { junkNames } from "./attack/junk-names.ts";
import { lockedOwner } from "./attack/locked-owner.ts";
import { networkPrice } from "./attack/network-price.ts";
import { publicDemo } from "./attack/public-demo.ts";
import { resetLink } from "./attack/reset-link.ts";
import { scoreOracle } from "./attack/score-oracle.ts";
import { signInFlood } from "./attack/sign-in-flood.ts";
import { starvedFallback } from "./attack/starved-fallback.ts";
import { unboundTokens } from "./attack/unbound-tokens.ts";
import { runTrials } from "./trials/run-trials.ts";

const ATTACKS: readonly Trial[] = [
  challengeFlood,
  cheapClicks,
  evidenceLeftOut,
  foreignEndpoint,
  hostileBodies,
  inventedPresses,
  junkNames,
  lockedOwner,
  networkPrice,
  publicDemo,
  resetLink,
  restoredCopies,
  scoreOracle,
  signInFlood,
  starvedFallback,
  unboundTokens,
];

await runTrials({ command: "attack", kind: "attacks", trials: ATTACKS });
