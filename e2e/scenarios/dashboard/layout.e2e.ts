import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type DashboardFixture, openDashboard } from "@stile/testkit/browser/dashboard";
import { setTestbed, type Testbed } from "@stile/testkit/browser/dashboard-testbed";
import { findLayoutFaults } from "@stile/testkit/browser/layout-faults";
import { resize, walkScenes } from "@stile/testkit/browser/scene-walk";

const WIDTHS = [320, 390, 600, 768, 1024, 1440];

let dashboard: DashboardFixture;
let testbed: Testbed;

before(async () => {
  dashboard = await openDashboard();
  testbed = await setTestbed(dashboard);
});

after(() => dashboard?.dispose());

test("no page or state cuts an element off or leaves a grid cell empty, from 320 to 1440 px", async (t) => {
  const walk = await walkScenes(dashboard, testbed);
  for (const scene of walk.scenes) {
    await t.test(scene.name, async () => {
      const page = await walk.open(scene, "light");
      const found: Record<string, string[]> = {};
      for (const width of WIDTHS) {
        await resize(page, { width, height: 800 });
        const faults = await findLayoutFaults(page);
        if (faults.length > 0) found[`${width} px`] = faults;
      }
      assert.deepEqual(found, {});
    });
  }
});
