import { knownEnvironment } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";

/**
 * `navigator.webdriver` is true in the page, in a fresh frame or in the solver's frame. Browsers
 * set it only when driven, or when started with automation switches. People who test their own
 * pages raise it. Null is neutral.
 */
export const automationWebdriver = {
  name: "automation_webdriver",
  group: "environment",
  label: "The browser reports that it is controlled by a program.",
  weight: 4.5,
  detect: (evidence) => {
    const environment = knownEnvironment(evidence);
    return [environment, environment?.blank, environment?.frame].some(
      (place) => place?.webdriver === true,
    );
  },
} satisfies FlagRow;
