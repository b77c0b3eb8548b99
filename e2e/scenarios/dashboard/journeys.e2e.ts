import { after, before } from "node:test";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";
import { mouse } from "@stile/testkit/browser/input-methods";
import { testKeepingMembers } from "../../journeys/keeping-members.ts";
import { testKeepingSites } from "../../journeys/keeping-sites.ts";
import { testReadingFigures } from "../../journeys/reading-figures.ts";
import { testSecondFactors } from "../../journeys/second-factors.ts";
import { testSigningIn } from "../../journeys/signing-in.ts";

let dashboard: DashboardFixture;

before(async () => {
  dashboard = await openDashboard();
});

after(() => dashboard?.dispose());

for (const testJourneys of [
  testSigningIn,
  testSecondFactors,
  testKeepingSites,
  testReadingFigures,
  testKeepingMembers,
]) {
  testJourneys(() => dashboard, mouse);
}
