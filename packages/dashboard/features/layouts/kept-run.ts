import { decodeBase64url } from "@stile/pow/base64url";

/** Answers of this tab to a draft, as far as they have come: kept over a reload, and gone with the tab. */
export type BakeRun = {
  readonly draft: string;
  readonly scenes: number;
  readonly browser: string;
  /** The browser's own words: answers of another version are no part of this run. */
  readonly userAgent: string;
  readonly isStopped: boolean;
  readonly done: number;
  /** base64url, 16 bytes a page. */
  readonly reads: string;
};

const KEY = "stile-bake";

/** What was kept; undefined for nothing, what another version of the browser answered, and what makes no sense. */
export function findRun(): BakeRun | undefined {
  try {
    const run = JSON.parse(sessionStorage.getItem(KEY) ?? "") as BakeRun;
    const isWhole = decodeBase64url(run.reads)?.length === 16 * run.done && run.done <= run.scenes;
    return isWhole && run.userAgent === navigator.userAgent ? run : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps it in this tab; undefined forgets. Where nothing can be kept, a reload begins anew. */
export function keepRun(run: BakeRun | undefined): void {
  try {
    if (run === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(run));
  } catch {
    // Full, or forbidden.
  }
}
