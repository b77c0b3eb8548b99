import { type Browser, type BrowserContextOptions, chromium, devices } from "playwright-core";
import { byBarePresses, byCarefulHands, byFingers, byHops } from "./careful-input.ts";
import { signIn } from "./input-methods.ts";
import { bezier, jumpAndRest, straight } from "./paths.ts";
import { startDebuggedBrowser } from "./plain-browser.ts";
import {
  byKeys,
  byLocators,
  byPen,
  byPointer,
  byScreenshots,
  byScript,
  byTaps,
  type PageInput,
} from "./playwright-input.ts";
import { HEADFUL_USER_AGENT, hideMarks, UNMARKED } from "./stealth.ts";
import type { OpenTool, Surroundings, Tool } from "./tool.ts";

const CHROMIUM = "/usr/bin/chromium";

/** How the browser is started, and which marks are hidden. */
type Guise = {
  readonly isHeadful?: boolean;
  /** Without the switches and the property that reveal automation. */
  readonly isUnmarked?: boolean;
  /** Corrects the browser's reports about itself, as stealth plugins do. */
  readonly isStealthy?: boolean;
  /** A browser started by hand, with a debugging port to which the tool connects. */
  readonly isConnected?: boolean;
  readonly context?: BrowserContextOptions;
};

type Opened = { readonly browser: Browser; readonly close: () => Promise<unknown> };

async function connect(display: string): Promise<Opened> {
  const started = await startDebuggedBrowser(display);
  try {
    const browser = await chromium.connectOverCDP(started.url);
    return { browser, close: () => browser.close().finally(started.end) };
  } catch (error) {
    await started.end();
    throw error;
  }
}

async function open({ display }: Surroundings, guise: Guise): Promise<Opened> {
  const { isHeadful = false, isUnmarked = false, isConnected = false } = guise;
  if (isConnected) return connect(display);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    headless: !isHeadful,
    args: ["--no-sandbox", ...(isUnmarked ? UNMARKED : [])],
    ignoreDefaultArgs: isUnmarked ? ["--enable-automation"] : false,
    handleSIGINT: false,
    handleSIGTERM: false,
    env: { ...process.env, DISPLAY: display },
  });
  return { browser, close: () => browser.close() };
}

function playwright(
  name: string,
  guise: Guise,
  inputOf: (surroundings: Surroundings) => PageInput,
): Tool {
  return {
    name: `playwright-${name}`,
    kind: "automation",
    programs: [CHROMIUM],
    open: async (surroundings): Promise<OpenTool> => {
      const { browser, close } = await open(surroundings, guise);
      const input = inputOf(surroundings);
      return {
        visit: async (session) => {
          const context =
            guise.isConnected === true
              ? browser.contexts()[0]
              : await browser.newContext(guise.context);
          const page = await context?.newPage();
          if (page === undefined) throw new Error("the browser has no window");
          try {
            if (guise.isStealthy === true) await page.addInitScript(hideMarks);
            await page.goto(session.url);
            await signIn(session, await input(page, session));
          } finally {
            await (guise.isConnected === true ? page.close() : context?.close());
          }
        },
        close,
      };
    },
  };
}

const HEADFUL = { isHeadful: true } as const;
const UNMARKED_HEADFUL = { isHeadful: true, isUnmarked: true } as const;
const STEALTHY_HEADFUL = { ...UNMARKED_HEADFUL, isStealthy: true } as const;
/** The window's real size, instead of one that the tool emulates. */
const OWN_WINDOW = { ...UNMARKED_HEADFUL, context: { viewport: null } } as const;
const DISGUISED_HEADLESS = {
  isUnmarked: true,
  context: { userAgent: HEADFUL_USER_AGENT },
} as const;
const STEALTHY_HEADLESS = { ...DISGUISED_HEADLESS, isStealthy: true } as const;
const PHONE = { ...UNMARKED_HEADFUL, ...(devices["Pixel 7"] && { context: devices["Pixel 7"] }) };
const CONNECTED = { isConnected: true } as const;

const steps = ({ random }: Surroundings): PageInput => byPointer(straight(random), 30);
const curves = ({ random }: Surroundings): PageInput => byPointer(bezier(random), 80);
/** The paths of recorded users, through the tool's pointer. */
const ofPeople = ({ people }: Surroundings): PageInput => byPointer(people().plan, 80);
/**
 * Raw messages of the debugging protocol, as a person's hands would cause them: along curves, or
 * recorded paths.
 */
const careful = ({ random }: Surroundings): PageInput => byCarefulHands(bezier(random), random);
const carefulPeople = ({ people, random }: Surroundings): PageInput =>
  byCarefulHands(people().plan, random);
/** An agent that jumps, rests and clicks; and emulated fingers on a computer. */
const jumps = ({ random }: Surroundings): PageInput => byCarefulHands(jumpAndRest(random), random);
const fingers = ({ random }: Surroundings): PageInput => byFingers(random);
const hops = ({ random }: Surroundings): PageInput => byHops(random);
const always = (input: PageInput) => (): PageInput => input;

/** Playwright, as it is and disguised. */
export const PLAYWRIGHT_TOOLS: readonly Tool[] = [
  playwright("headless-click", {}, always(byLocators)),
  playwright("headful-click", HEADFUL, always(byLocators)),
  playwright("headful-steps", HEADFUL, steps),
  playwright("headful-bezier", HEADFUL, curves),
  playwright("headful-keyboard", HEADFUL, always(byKeys)),
  playwright("headful-script", HEADFUL, always(byScript)),
  playwright("unmarked-click", UNMARKED_HEADFUL, always(byLocators)),
  playwright("unmarked-script", UNMARKED_HEADFUL, always(byScript)),
  playwright("unmarked-keyboard", UNMARKED_HEADFUL, always(byKeys)),
  playwright("unmarked-phone-tap", PHONE, always(byTaps)),
  playwright("stealth-headful-bezier", STEALTHY_HEADFUL, curves),
  playwright("stealth-headless-click", STEALTHY_HEADLESS, always(byLocators)),
  playwright("stealth-headless-bezier", STEALTHY_HEADLESS, curves),
  playwright("disguised-headless-bezier", DISGUISED_HEADLESS, curves),
  playwright("own-window-click", OWN_WINDOW, always(byLocators)),
  playwright("own-window-script", OWN_WINDOW, always(byScript)),
  playwright("own-window-steps", OWN_WINDOW, steps),
  playwright("own-window-bezier", OWN_WINDOW, curves),
  playwright("own-window-person", OWN_WINDOW, ofPeople),
  playwright("own-window-keyboard", OWN_WINDOW, always(byKeys)),
  playwright("own-window-screenshots", OWN_WINDOW, always(byScreenshots)),
  playwright("connected-bezier", CONNECTED, curves),
  playwright("own-window-hops", OWN_WINDOW, hops),
  playwright("own-window-pen", OWN_WINDOW, always(byPen())),
  playwright("own-window-pen-pressed", OWN_WINDOW, always(byPen(0.3))),
  playwright("connected-careful", CONNECTED, careful),
  playwright("connected-careful-person", CONNECTED, carefulPeople),
  playwright("connected-screenshots", CONNECTED, always(byScreenshots)),
  playwright("connected-bare-press", CONNECTED, always(byBarePresses)),
  playwright("connected-touch", CONNECTED, fingers),
  playwright("connected-jumps", CONNECTED, jumps),
];
