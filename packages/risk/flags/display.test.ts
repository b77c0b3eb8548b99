import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR, findVisitor, withEnvironment } from "@stile/testkit/visits/find-visitor";
import { assessVisit } from "@stile/testkit/visits/handed-in";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import { gradeIn, raises } from "@stile/testkit/visits/raises";
import { emulatedScreen } from "./emulated-screen.ts";
import { headlessMedia } from "./headless-media.ts";
import { softwareGl } from "./software-gl.ts";
import { viewportExceedsScreen } from "./viewport-exceeds-screen.ts";

const TABLET = findVisitor("Android tablet in desktop-site mode");
/** The media queries that match in `chromium --headless` 156. */
const HEADLESS_MEDIA = [
  "(hover: none)",
  "(pointer: none)",
  "(any-pointer: none)",
  "(any-hover: none)",
];

test("headless_media: raised by a desktop without any pointer, however the query is written", () => {
  for (const media of [
    HEADLESS_MEDIA,
    ["(pointer: none)"],
    ["(any-pointer:none)"],
    ["any-pointer: none"],
  ]) {
    assert.ok(raises(headlessMedia, withEnvironment(CHROME_VISITOR, { media })), media.join());
  }
});

test("headless_media: raised despite key input, and alone asks nobody for a click", () => {
  const visitor = withEnvironment(findVisitor("Firefox on Linux, keyboard only"), {
    media: HEADLESS_MEDIA,
  });
  assert.ok(raises(headlessMedia, visitor));
  const { score, flags } = assessVisit(visitor);
  assert.deepEqual([score, flags], [0.18, ["headless_media"]]);
});

test("headless_media: silent on tablets, phones, televisions and collectors that did not query it", () => {
  const headless = withEnvironment(CHROME_VISITOR, { media: HEADLESS_MEDIA });
  assert.ok(
    raises(headlessMedia, withEnvironment(headless, { touchPoints: 10 })),
    "a touch screen is a pointer",
  );
  assert.ok(!raises(headlessMedia, withEnvironment(TABLET, { media: HEADLESS_MEDIA })), "tablet");
  assert.ok(
    !raises(
      headlessMedia,
      withEnvironment(findVisitor("iPhone"), { media: HEADLESS_MEDIA, touchPoints: 0 }),
    ),
    "phone",
  );
  const television =
    "Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari SmartTV";
  assert.ok(
    !raises(headlessMedia, withEnvironment(headless, { userAgent: television })),
    "television",
  );
  assert.ok(!raises(headlessMedia, withEnvironment(CHROME_VISITOR, { media: [] })), "not asked");
});

test("viewport_exceeds_screen: raised by the sizes that drivers leave behind", () => {
  for (const [screen, viewport] of [
    [
      [800, 600, 800, 600, 24],
      [1280, 813, 1280, 900],
    ],
    [
      [1280, 720, 1280, 720, 24],
      [1280, 720, 1288, 805],
    ],
    [
      [800, 600, 800, 600, 24],
      [1920, 937, 1920, 1080],
    ],
  ] as const) {
    assert.ok(
      raises(viewportExceedsScreen, withEnvironment(CHROME_VISITOR, { screen, viewport })),
      viewport.join(),
    );
  }
});

test("viewport_exceeds_screen: silent on full-screen, maximised, zoomed and wide windows, and on tablets", () => {
  const sized = (viewport: readonly [number, number, number, number]) =>
    raises(
      viewportExceedsScreen,
      withEnvironment(CHROME_VISITOR, { screen: [1920, 1080, 1920, 1040, 24], viewport }),
    );
  assert.ok(!sized([1920, 1080, 1920, 1080]), "full screen");
  assert.ok(!sized([1920, 1080, 1936, 1096]), "maximised with invisible borders");
  assert.ok(!sized([3840, 1906, 1920, 1040]), "zoomed out");
  assert.ok(!sized([3840, 960, 3840, 1040]), "across two screens");
  assert.ok(!sized([960, 480, 2400, 1300]), "zoomed in, moved from a larger screen");
  const sizes = { viewport: [4000, 3000, 4000, 3000] } as const;
  assert.ok(!raises(viewportExceedsScreen, withEnvironment(TABLET, sizes)), "tablet");
  assert.ok(
    raises(viewportExceedsScreen, withEnvironment(CHROME_VISITOR, { ...sizes, touchPoints: 5 })),
  );
  const hidden = withEnvironment(CHROME_VISITOR, { screen: [0, 0, 0, 0, 0] });
  assert.ok(!raises(viewportExceedsScreen, hidden), "a platform without a screen size");
});

const PLAYWRIGHT = {
  screen: [1280, 720, 1280, 720, 24],
  viewport: [1280, 720, 1288, 805],
} as const;

test("emulated_screen: raised by the sizes that Playwright gives to a window", () => {
  assert.ok(raises(emulatedScreen, withEnvironment(CHROME_VISITOR, PLAYWRIGHT)));
});

test("emulated_screen: raised in part by a tab that fills the screen without any bars, as Playwright shows without a window", () => {
  const filled = (...media: readonly string[]) =>
    gradeIn(
      emulatedScreen,
      withEnvironment(CHROME_VISITOR, { ...PLAYWRIGHT, viewport: [1280, 720, 1280, 720], media }),
    );
  assert.equal(filled("(hover: hover)", "(display-mode: browser)"), 0.3);
  assert.equal(filled("(hover: hover)"), 0, "full screen, a kiosk, an installed app");
  assert.equal(gradeIn(emulatedScreen, withEnvironment(CHROME_VISITOR, PLAYWRIGHT)), 1);
});

test("emulated_screen: silent on full screen, windows beyond the screen, tablets, frames, and Firefox when it disguises sizes", () => {
  const sized = (viewport: readonly [number, number, number, number]) =>
    raises(
      emulatedScreen,
      withEnvironment(CHROME_VISITOR, { screen: PLAYWRIGHT.screen, viewport }),
    );
  assert.ok(!sized([1280, 720, 1280, 720]), "full screen");
  assert.ok(!sized([1280, 720, 1296, 736]), "full screen with invisible borders");
  assert.ok(!sized([1296, 760, 1296, 847]), "beyond the screen");
  assert.ok(!sized([1280, 633, 1280, 720]), "maximised");
  assert.ok(
    !raises(emulatedScreen, withEnvironment(CHROME_VISITOR, { ...PLAYWRIGHT, isFramed: true })),
    "framed",
  );
  assert.ok(!raises(emulatedScreen, withEnvironment(TABLET, PLAYWRIGHT)), "tablet");
  assert.ok(
    !raises(
      emulatedScreen,
      withEnvironment(findVisitor("Firefox on Linux, keyboard only"), PLAYWRIGHT),
    ),
  );
  assert.ok(!raises(emulatedScreen, withEnvironment(findVisitor("iPhone"), PLAYWRIGHT)));
});

test("display flags: a claimed touch screen on Windows silences none of them, since Playwright can claim one (hasTouch)", () => {
  for (const touchPoints of [1, 5, 10, 256]) {
    // Chromium on a server with --user-agent still reports its real system in the page.
    for (const platform of ["Win32", "Linux x86_64", ""]) {
      const made = withEnvironment(CHROME_VISITOR, { ...PLAYWRIGHT, touchPoints, platform });
      assert.equal(gradeIn(emulatedScreen, made), 1, `${touchPoints} ${platform}`);
      assert.ok(assessVisit(made).score >= 0.3);
    }
  }
  const onTablet = { ...PLAYWRIGHT, touchPoints: 5, platform: "Linux armv81" };
  assert.ok(
    !raises(emulatedScreen, withEnvironment(CHROME_VISITOR, onTablet)),
    "a tablet that was told to say Windows",
  );
});

test("display flags: a touch screen on Windows changes nothing for honest visitors, whatever input they use", () => {
  const people = HONEST_VISITORS.filter(
    ({ evidence }) => evidence.environment.platform === "Win32",
  );
  assert.ok(people.length >= 5);
  for (const { name, evidence } of people) {
    const [without, withIt] = [0, 10].map((touchPoints) =>
      assessVisit(withEnvironment(evidence, { touchPoints })),
    );
    assert.deepEqual(withIt, without, name);
  }
});

test("software_gl: raised by the renderers of servers", () => {
  for (const renderer of [
    "ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device), SwiftShader driver)",
    "llvmpipe, or similar",
  ]) {
    assert.ok(
      raises(softwareGl, withEnvironment(CHROME_VISITOR, { graphics: ["Mesa/X.org", renderer] })),
      renderer,
    );
  }
});

test("software_gl: silent on graphics cards and if nothing is known", () => {
  assert.ok(!raises(softwareGl, CHROME_VISITOR));
  assert.ok(!raises(softwareGl, withEnvironment(CHROME_VISITOR, { graphics: null })));
  assert.ok(!raises(softwareGl, { environment: "withheld" }));
});
