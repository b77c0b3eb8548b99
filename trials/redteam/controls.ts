import { FILLS_FORM, SLOWS_FRAMES } from "./content-scripts.ts";
import { type InputMethod, pause, signIn } from "./input-methods.ts";
import type { Program } from "./install.ts";
import type { Box, Layout, Target } from "./page.ts";
import { jumpAndRest, type Place, type Planner, passOnEvery, straight, type Way } from "./paths.ts";
import { type ChromiumSettings, startPlainBrowser } from "./plain-browser.ts";
import type { Session } from "./session.ts";
import type { OpenTool, Surroundings, Tool } from "./tool.ts";
import { openSystemInput, type SystemInput } from "./xdotool.ts";

type Browser = "chromium" | "firefox";

const PROGRAMS: Readonly<Record<Browser, readonly Program[]>> = {
  chromium: ["/usr/bin/chromium", "/usr/bin/xdotool"],
  firefox: ["/usr/bin/firefox-esr", "/usr/bin/xdotool"],
};

/** X's key names of typed characters other than letters and digits. */
const KEY_NAMES: Readonly<Record<string, string>> = { "@": "at", ".": "period", " ": "space" };

/** Between 0 and about 3, mostly near 1, like the variation of people's times. */
const around = (random: () => number): number =>
  Math.exp(0.35 * (random() + random() + random() - 1.5) * 2);

/** Types at the pace of somebody without haste; such times were not recorded. */
function typist(input: SystemInput, random: () => number): InputMethod["write"] {
  return (text) =>
    input.keys(
      [...text].map((letter) => ({
        name: KEY_NAMES[letter] ?? letter,
        holdMs: 85 * around(random),
        afterMs: 95 * around(random),
      })),
    );
}

const onScreen = ({ left, top }: Layout, { x, y }: Place): Place => ({ x: x + left, y: y + top });

const wayOnScreen = (layout: Layout, way: Way): Way => ({
  ...way,
  steps: way.steps.map((step) => ({ ...onScreen(layout, step), afterMs: step.afterMs })),
});

/** A box of the page in pixels of the screen, which hands see: a zoomed page is larger. */
const zoomed = ({ x, y, width, height }: Box, { scale }: Layout): Box => ({
  x: x * scale,
  y: y * scale,
  width: width * scale,
  height: height * scale,
});

/** Time to read before the hand sets out, ms. */
const readingMs = (random: () => number): number => 500 + 900 * random();

type Body = {
  /** Places the pointer before the browser is opened. */
  readonly begin: (rehearsed: Layout, session: Session) => Promise<void>;
  readonly input: (session: Session) => InputMethod;
};

/** What differs between recorded users. */
type Hand = {
  /** Where the first path leads, unless the visit begins at the widget. */
  readonly first?: Target;
  /** What lies between the hand and the browser. */
  readonly link?: (way: Way) => Way;
};

/** A recorded user, whose path the system's pointer repeats. */
function recordedBody(
  input: SystemInput,
  { people: open, random }: Surroundings,
  { first: goal = "email", link = (way) => way }: Hand = {},
): Body {
  const people = open();
  let first: Way | undefined;
  let at: Place = { x: 0, y: 0 };
  const boundsOf = (layout: Layout) => zoomed({ x: 0, y: 0, ...layout.viewport }, layout);
  return {
    begin: async (rehearsed, { isWidgetFirst }) => {
      people.next();
      const box = zoomed(rehearsed[isWidgetFirst ? "widget" : goal], rehearsed);
      const way = people.choose(box, boundsOf(rehearsed));
      first = way;
      await input.place(onScreen(rehearsed, way.start));
    },
    input: (session) => ({
      press: async (target) => {
        const layout = await session.layout();
        const way = first ?? people.choose(zoomed(layout[target], layout), boundsOf(layout), at);
        first = undefined;
        await pause(readingMs(random));
        await input.walk(wayOnScreen(layout, link(way)));
        at = way.steps.at(-1) ?? at;
      },
      write: typist(input, random),
    }),
  };
}

/** The same pointer along a planner's ways: a program at the level of the operating system. */
function plannedBody(input: SystemInput, random: () => number, plan: Planner): Body {
  let at: Place = { x: 100, y: 100 };
  return {
    begin: (rehearsed) => {
      at = { x: 100, y: 100 };
      return input.place(onScreen(rehearsed, at));
    },
    input: (session) => ({
      press: async (target) => {
        const layout = await session.layout();
        const way = plan(at, layout[target], layout.viewport);
        await input.walk(wayOnScreen(layout, way));
        at = way.steps.at(-1) ?? at;
      },
      write: typist(input, random),
    }),
  };
}

const STOPS: readonly Target[] = ["email", "password", "widget", "submit"];

/** A person without a mouse. */
function keyboardBody(input: SystemInput, random: () => number): Body {
  const stroke = (name: string) => ({
    name,
    holdMs: 90 * around(random),
    afterMs: 260 * around(random),
  });
  return {
    begin: async () => {},
    input: () => {
      let stop = -1;
      return {
        press: async (target) => {
          await pause(readingMs(random));
          const wanted = STOPS.indexOf(target);
          const steps = Array.from({ length: Math.abs(wanted - stop) }, () => stroke("Tab"));
          await input.keys(steps, wanted < stop);
          stop = wanted;
          if (target === "widget") await input.keys([stroke("space")]);
          if (target === "submit") await input.keys([stroke("Return")]);
        },
        write: typist(input, random),
      };
    },
  };
}

const nothing = async (): Promise<void> => {};

/** Reads the form that the extension filled in; if it did not, the visit would show nothing. */
async function readFilled(session: Session, random: () => number): Promise<void> {
  await pause(readingMs(random));
  // The extension leaves the focus in the form.
  if (session.focus() === "") throw new Error("the extension did not fill in the form");
}

/**
 * A person whose password manager fills in the form: a Tab into it, unless an extension leaves the
 * focus there, and Enter.
 */
function filledBody(input: SystemInput, random: () => number, isByExtension: boolean): Body {
  const stroke = (name: string) => ({
    name,
    holdMs: 90 * around(random),
    afterMs: 260 * around(random),
  });
  return {
    begin: nothing,
    input: (session) => {
      const presses: Readonly<Record<Target, () => Promise<void>>> = {
        email: async () => {
          if (isByExtension) return readFilled(session, random);
          await pause(readingMs(random));
          await input.keys([stroke("Tab")]);
        },
        password: async () => {
          await pause(readingMs(random));
          await input.keys([stroke("Return")]);
        },
        widget: async () => {
          if (session.state() !== "interactive") return;
          await pause(readingMs(random));
          const tabs = session.focus() === "widget" ? [] : [stroke("Tab"), stroke("Tab")];
          await input.keys([...tabs, stroke("space")]);
        },
        submit: nothing,
      };
      return { press: (target) => presses[target](), write: nothing };
    },
  };
}

/** A person whose extension filled in the form, and who presses the button. */
function filledHandBody(input: SystemInput, surroundings: Surroundings): Body {
  const hand = recordedBody(input, surroundings, { first: "submit" });
  return {
    ...hand,
    input: (session) => {
      const { press } = hand.input(session);
      const presses: Readonly<Record<Target, () => Promise<void>>> = {
        email: () => readFilled(session, surroundings.random),
        password: () => press("submit"),
        widget: () => press("widget"),
        submit: nothing,
      };
      return { press: (target) => presses[target](), write: nothing };
    },
  };
}

type BodyOf = (input: SystemInput, surroundings: Surroundings) => Body;

type Description = Pick<Tool, "name" | "kind" | "share"> & {
  readonly browser: Browser;
  readonly settings?: ChromiumSettings;
};

/** A separate browser for each visit, after a rehearsal that only shows where things are. */
function atDashboard(it: Description, bodyOf: BodyOf): Tool {
  return {
    ...it,
    programs: PROGRAMS[it.browser],
    open: async (surroundings): Promise<OpenTool> => {
      const { testbed, display, donors } = surroundings;
      const input = openSystemInput(display);
      const body = bodyOf(input, surroundings);
      let browser = startPlainBrowser(it.browser, display, "about:blank");
      const see = async (session: Session): Promise<Layout> => {
        await browser.end();
        browser = startPlainBrowser(it.browser, display, session.url, it.settings);
        const layout = await session.layout();
        await pause(SETTLE_MS);
        return layout;
      };
      const rehearsed = await see(testbed.openSession());
      return {
        visit: async (session) => {
          await body.begin(rehearsed, session);
          await see(session);
          await signIn(session, body.input(session));
          const donated = testbed.overheard(session);
          if (it.kind === "control" && donated !== undefined) donors.set(it.name, donated);
        },
        close: async () => {
          await browser.end();
          await input.end();
        },
      };
    },
  };
}

/** A new window takes this long to stop moving, ms. */
const SETTLE_MS = 400;

/** A screen of 25 Hz, such as a remote desktop's. */
const at25Hz = (input: SystemInput, surroundings: Surroundings): Body =>
  recordedBody(input, surroundings, { link: (way) => passOnEvery(40, way) });
const withKeys = (input: SystemInput, { random }: Surroundings): Body =>
  keyboardBody(input, random);

/** Straight lines in even steps, one every 10 ms. */
const planLines = (random: () => number): Planner => {
  const plan = straight(random);
  return (...places) => {
    const way = plan(...places);
    return { ...way, steps: way.steps.map((step) => ({ ...step, afterMs: 10 })), pressMs: 80 };
  };
};
const filled = (input: SystemInput, { random }: Surroundings): Body =>
  filledBody(input, random, false);
const filledByExtension = (input: SystemInput, { random }: Surroundings): Body =>
  filledBody(input, random, true);
const inLines = (input: SystemInput, { random }: Surroundings): Body =>
  plannedBody(input, random, planLines(random));
const inJumps = (input: SystemInput, { random }: Surroundings): Body =>
  plannedBody(input, random, jumpAndRest(random));

/** A person in Chromium. */
const inChromium = (person: Omit<Description, "kind" | "browser">, bodyOf: BodyOf): Tool =>
  atDashboard({ ...person, kind: "control", browser: "chromium" }, bodyOf);

/**
 * Recorded users, also with other screens and extensions; people without a mouse; and the system's
 * pointer without a person: along lines, and as a polite agent uses it.
 */
export const CONTROL_TOOLS: readonly Tool[] = [
  inChromium({ name: "person-chromium", share: 4 }, recordedBody),
  atDashboard({ name: "person-firefox", kind: "control", browser: "firefox" }, recordedBody),
  inChromium({ name: "person-keyboard-only" }, withKeys),
  inChromium({ name: "person-filled-enter" }, filled),
  inChromium({ name: "person-25hz" }, at25Hz),
  ...[110, 125, 150].map((percent) =>
    inChromium(
      { name: `person-zoomed-${percent}`, settings: { zoom: percent / 100 } },
      recordedBody,
    ),
  ),
  inChromium(
    { name: "person-slow-frames", settings: { contentScript: SLOWS_FRAMES } },
    recordedBody,
  ),
  inChromium(
    { name: "person-extension-enter", settings: { contentScript: FILLS_FORM } },
    filledByExtension,
  ),
  inChromium(
    { name: "person-extension-mouse", settings: { contentScript: FILLS_FORM } },
    filledHandBody,
  ),
  atDashboard({ name: "xdotool-straight", kind: "beside", browser: "chromium" }, inLines),
  atDashboard({ name: "xdotool-agent", kind: "automation", browser: "chromium" }, inJumps),
];
