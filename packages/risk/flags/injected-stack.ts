import { knownBehaviour } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

/**
 * A script without an address dispatched an event or measured the widget, as drivers inject them
 * (`page.evaluate`: 3 of 3 sessions; chromedriver's atoms: 10 of 10). People who use their
 * browser's console or a bookmarklet raise it.
 */
export const injectedStack = {
  name: "injected_stack",
  group: "environment",
  label: "A script injected into the page operated it.",
  weight: 2.6,
  detect: (evidence) => (knownBehaviour(evidence)?.callers.length ?? 0) > 0,
} satisfies FlagRow;
