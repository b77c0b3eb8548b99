import { after, before } from "node:test";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";
import { mouse } from "@stile/testkit/browser/input-methods";
import { testKeepingMembers } from "../../journeys/keeping-members.ts";
import { testReadingFigures } from "../../journeys/reading-figures.ts";
import { testSetUp } from "../../journeys/signing-in.ts";

let dashboard: DashboardFixture;

before(async () => {
  dashboard = await openDashboard();
});

after(() => dashboard?.dispose());

// The keyboard walks every journey (keyboard.e2e.ts), and both press the same controls. The mouse
// walks those with lists, menus and charts, where something could lie over a control.
for (const testJourneys of [testSetUp, testKeepingMembers, testReadingFigures]) {
  testJourneys(() => dashboard, mouse);
}
