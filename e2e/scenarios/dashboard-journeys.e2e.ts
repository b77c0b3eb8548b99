import { after, before } from "node:test";
import { type Desk, openDesk } from "@stile/testkit/browser/dashboard";
import { mouse } from "@stile/testkit/browser/hands";
import { testKeepingMembers } from "../journeys/keeping-members.ts";
import { testKeepingSites } from "../journeys/keeping-sites.ts";
import { testReadingFigures } from "../journeys/reading-figures.ts";
import { testSecondFactors } from "../journeys/second-factors.ts";
import { testSigningIn } from "../journeys/signing-in.ts";

let desk: Desk;

before(async () => {
  desk = await openDesk();
});

after(() => desk?.dispose());

for (const testJourneys of [
  testSigningIn,
  testSecondFactors,
  testKeepingSites,
  testReadingFigures,
  testKeepingMembers,
]) {
  testJourneys(() => desk, mouse);
}
