import type { Member } from "@stile/core/domain/account/member";
import type { Page } from "playwright-core";
import { type DashboardFixture, load } from "./dashboard.ts";
import type { Testbed } from "./dashboard-testbed.ts";
import { goWithin } from "./on-page.ts";
import type { Scene } from "./scene.ts";

/** The window of a computer. */
export const WIDE = { width: 1280, height: 800 };

/** Pages without the bar at the top. */
const BARE = ["/dashboard/link", "/dashboard/sign-in"];

/**
 * Scrolls to the top, so that the fixed bar covers nothing, and waits two frames for charts to
 * adapt to their width.
 */
export async function resize(page: Page, viewport: typeof WIDE): Promise<void> {
  await page.setViewportSize(viewport);
  await page.evaluate(async () => {
    scrollTo(0, 0);
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
  });
}

/**
 * Navigates without a page load, by way of another bare page, so that nothing of the last scene
 * remains.
 */
async function navigate(page: Page, path: string): Promise<void> {
  const { pathname } = new URL(page.url());
  const between = BARE.find((bare) => bare !== pathname && !path.startsWith(bare));
  if (between !== undefined) await goWithin(page, between);
  await goWithin(page, path);
}

type SceneWalk = {
  /** Every scene; those of one member follow one another. */
  readonly scenes: readonly Scene[];
  /** Opens a scene in a wide window, and resolves with its page once it is prepared. */
  readonly open: (scene: Scene, colorScheme: "light" | "dark") => Promise<Page>;
};

/**
 * One page that moves through the scenes: loading it for each of them takes a sixth of a second
 * more.
 */
export async function walkScenes(
  dashboard: DashboardFixture,
  { scenes, memberFor }: Testbed,
): Promise<SceneWalk> {
  const visit = await dashboard.visit("/dashboard/sign-in", {
    bypassCSP: true,
    reducedMotion: "reduce",
  });
  const { page, context } = visit;
  // A changed form asks whether it may be left.
  page.on("dialog", (dialog) => dialog.accept());
  let shownTo: Member | undefined;
  return {
    scenes: [...Map.groupBy(scenes, memberFor).values()].flat(),
    open: async (scene, colorScheme) => {
      const member = memberFor(scene);
      await context.setOffline(false);
      await page.emulateMedia({ colorScheme });
      await resize(page, WIDE);
      if (member === shownTo) await navigate(page, scene.path);
      else {
        if (member !== undefined) await visit.become(member);
        shownTo = member;
        await load(page, dashboard.origin + scene.path);
      }
      await scene.prepare(page);
      return page;
    },
  };
}
