import { after, before } from "node:test";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";
import { mouse } from "@stile/testkit/browser/input-methods";
import { testKeepingMembers } from "../../journeys/keeping-members.ts";
import { testKeepingSites } from "../../journeys/keeping-sites.ts";
import { testReadingFigures } from "../../journeys/reading-figures.ts";
import { testSecondFactors } from "../../journeys/second-factors.ts";
import { testSetUp, testSigningIn } from "../../journeys/signing-in.ts";

let dashboard: DashboardFixture;

before(async () => {
  dashboard = await openDashboard();
});

after(() => dashboard?.dispose());

// The first journey creates the owner that the others need. Each visit adds a member, and the
// keyboard passes all members' buttons, so the journeys through the list come next.
for (const testJourneys of [
  testSetUp,
  testKeepingMembers,
  testSecondFactors,
  testSigningIn,
  testKeepingSites,
  testReadingFigures,
]) {
  testJourneys(() => dashboard, mouse);
}
