// `npm run trial -- attack [--only NAME] [--json]`: tries known and possible attacks on its own
// services, on loopback addresses and in limited numbers. Prints the result of each attempt with
// the bound that it must keep.

import { restoredCopies } from "@stile/testkit/trials/restored-copies";
import type { Trial } from "@stile/testkit/trials/trial";
import { runTrials } from "../run-trials.ts";
import { challengeFlood } from "./challenge-flood.ts";
import { cheapClicks } from "./cheap-clicks.ts";
import { evidenceLeftOut } from "./evidence-left-out.ts";
import { foreignEndpoint } from "./foreign-endpoint.ts";
import { hostileBodies } from "./hostile-bodies.ts";
import { inventedPresses } from "./invented-presses.ts";
import { junkNames } from "./junk-names.ts";
import { lockedOwner } from "./locked-owner.ts";
import { networkPrice } from "./network-price.ts";
import { publicDemo } from "./public-demo.ts";
import { resetLink } from "./reset-link.ts";
import { scoreOracle } from "./score-oracle.ts";
import { signInFlood } from "./sign-in-flood.ts";
import { starvedFallback } from "./starved-fallback.ts";
import { unboundTokens } from "./unbound-tokens.ts";

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
