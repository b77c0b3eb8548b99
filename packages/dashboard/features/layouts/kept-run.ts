import { decodeBase64url } from "@stile/pow/base64url";

/** This tab's answers to a draft, as far as it has got: they survive a reload, and go with the tab. */
export type BakeRun = {
  readonly draft: string;
  readonly scenes: number;
  readonly browser: string;
  /** The browser's user agent: answers of another version don't belong to this run. */
  readonly userAgent: string;
  readonly isStopped: boolean;
  readonly done: number;
  /** base64url, 16 bytes per page. */
  readonly reads: string;
};

const KEY = "stile-bake";

/** The run that was kept; undefined if there is none, another browser version answered it, or it makes no sense. */
export function findRun(): BakeRun | undefined {
  try {
    const run = JSON.parse(sessionStorage.getItem(KEY) ?? "") as BakeRun;
    const isWhole = decodeBase64url(run.reads)?.length === 16 * run.done && run.done <= run.scenes;
    return isWhole && run.userAgent === navigator.userAgent ? run : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the run in this tab; undefined forgets it. If nothing can be stored, a reload begins anew. */
export function keepRun(run: BakeRun | undefined): void {
  try {
    if (run === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(run));
  } catch {
    // Storage is full, or forbidden.
  }
}
