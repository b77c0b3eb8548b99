import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** The axe rules to check a page against. */
export type Rules = { readonly type: "tag" | "rule"; readonly values: string[] };

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** WCAG 2.2 AA, and axe's own best practices. */
export const EVERYTHING = {
  type: "tag",
  values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
} satisfies Rules;

/** Injects axe into a page that does not have it yet, where `findViolations` expects it. */
export async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
}

/** Violations of the rules, in words: the rule, the element, and what is wrong with it. */
export function findViolations(page: Page, runOnly: Rules): Promise<string[]> {
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<AxeResults> };
    };
    // Only the violations: moving all results out of the page takes as long as the check.
    const { violations } = await axe.run({ runOnly: only, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }, runOnly);
}
