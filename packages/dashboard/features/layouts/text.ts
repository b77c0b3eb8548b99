import type { BakedData } from "@stile/protocol/dashboard-layouts";
import { formatNumber } from "../../ui/format.ts";

const joined = (names: readonly string[]): string => names.join(" and ");

/** Texts about the pages that visitors' browsers lay out. */
export const LAYOUTS = {
  title: "Proof of browser",
  intro:
    "Visitors' browsers lay out small random pages that nobody sees. Your browsers say what they should look like.",
  none: "No pages were made yet: visitors' browsers are asked for nothing.",
  automatic: (state: string) => `Sites set to Automatic: ${state}`,
  pages: "Pages",
  made: "Made",
  answered: "Answered by",
  joined,
  make: "Make pages with this browser",
  makeNew: "Make new pages",
  add: (browser: string) => `Let ${browser} answer, too`,
  background: "It takes about a minute in the background; you may go on working.",
  alone: "New pages replace these, and are answered by this browser alone until another one answers, too.",
  cannot: "This browser can't be used. Open this page in a current Chromium, Firefox or Safari.",
  progress: (done: number, scenes: number, browser: string) =>
    `${formatNumber(done)} of ${formatNumber(scenes)} pages; ${browser}`,
  progressLabel: "Pages that this browser has laid out",
  stop: "Stop",
  goOn: "Go on",
  baked: ({ scenes, browsers }: BakedData) => `${formatNumber(scenes)} pages, answered by ${joined(browsers)}.`,
  elsewhere: "Another tab of this browser is already doing this.",
  frameFailed: "The frame that lays out pages did not answer. Turn off what blocks frames here, then try again.",
} as const;
