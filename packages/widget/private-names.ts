/**
 * Properties that the build shortens, in each script separately: names that no browser, no page, no
 * service and no other script of the widget knows. Names that pass from one script to another are
 * kept, since a visitor may have one of the scripts from before an upgrade.
 */
export const PRIVATE_NAMES: readonly string[] = [
  // The machine, and what follows it.
  ...[
    "isClicked",
    "rejections",
    "mayBegin",
    "mayGoWithout",
    "carryOn",
    "hurry",
    "forget",
    "perform",
    "sent",
  ],
  ...[
    "wake",
    "isTooSoon",
    "waitMs",
    "succeed",
    "later",
    "isDue",
    "goodUntilMs",
    "learn",
    "wish",
    "tell",
    "aim",
    "uproot",
    "giveUp",
    "toShow",
    "watch",
  ],
  // What is recorded.
  ...["addToggle", "addPointer", "addCallers", "recordCaller", "noticed", "lastInputMs", "attend"],
  // Requests, and the solver's frame.
  ...["whyUnreachable", "loadFallback", "watched", "loadTrouble"],
];
